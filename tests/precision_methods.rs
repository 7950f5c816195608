//! Every method carries the digits of its state: in `f32` it stays with its own run in `f64`.

use systems::DoublePendulum;
use taut::linalg::{Ldlt, Vector};
use taut::method::{
    Composition, HalfExplicit, ImplicitEuler, Rattle, Report, RungeKutta4, StepError, StepSize, SymplecticEuler,
};
use taut::scalar::{DoubleFloat, Float};
use taut::start::{Precision, Start, State};

/// Steps of the run: two seconds, before chaos has amplified anything by more than ten.
const STEPS: usize = 2_000;

/// A method with its step.
macro_rules! methods {
    ($($name:ident: $method:expr;)*) => {
        /// What a run is made with.
        #[derive(Clone, Copy, Debug)]
        enum Method {
            $($name,)*
        }

        impl Method {
            const ALL: &[Self] = &[$(Self::$name,)*];

            fn step<T: Float, P: Precision>(
                self,
                size: StepSize<T>,
                system: &DoublePendulum<T>,
                state: &mut State<T, 4, 2, Ldlt<T, 2>, P>,
            ) -> Result<Report<T, 2>, StepError<T>> {
                match self {
                    $(Self::$name => $method(size).step(system, state),)*
                }
            }
        }
    };
}

methods! {
    Rattle: Rattle::with_step;
    SymplecticEuler: SymplecticEuler::with_step;
    Suzuki: Composition::suzuki;
    KahanLi: Composition::kahan_li;
    HalfExplicitOne: HalfExplicit::order_one;
    HalfExplicitTwo: HalfExplicit::order_two;
    HalfExplicitThree: HalfExplicit::order_three;
    HalfExplicitFour: HalfExplicit::order_four;
    RungeKutta: RungeKutta4::with_step;
    ImplicitEuler: ImplicitEuler::position_level;
    VelocityLevel: ImplicitEuler::velocity_level;
    AccelerationLevel: ImplicitEuler::acceleration_level;
    Stabilised: |size| ImplicitEuler::position_level(size).projecting_velocities();
}

/// Positions and velocities at the end of the run.
fn run<T: Float, P: Precision>(
    method: Method,
    mut state: State<T, 4, 2, Ldlt<T, 2>, P>,
) -> (Vector<f64, 4>, Vector<f64, 4>) {
    let size = StepSize::seconds(T::from_f64(f64::from(1e-3_f32))).unwrap();
    let system = DoublePendulum::<T>::unit();
    for _ in 0..STEPS {
        method.step(size, &system, &mut state).unwrap();
    }
    let full = |numbers: Vector<DoubleFloat<T>, 4>| numbers.map(DoubleFloat::to_f64);
    (full(state.full_position().full()), full(state.full_velocity().full()))
}

const START: [f32; 4] = [1.0, 0.0, 2.0, 0.0];

/// How far off the constraints a step may be: implicit Euler on the velocity and on the acceleration level leaves them.
const LIMIT: f32 = 0.1;

#[test]
fn every_method_stays_with_its_run_in_double_precision() {
    let (single, double) = (DoublePendulum::<f32>::unit(), DoublePendulum::<f64>::unit());
    // Increments are rounded by ε h at most in each of n = 2,000 steps, which sum up to ε √n h in the mean, and the motion
    // amplifies by less than ten: ten ε are enough with digits carried, for positions and velocities of about one. Plain sums
    // round by ε in each step.
    let epsilon = f64::from(f32::EPSILON);
    for &method in Method::ALL {
        let reference =
            run(method, Start::at(&double, START.map(f64::from)).limit(f64::from(LIMIT)).plain().at_rest().unwrap());
        let off = |(q, v): (Vector<f64, 4>, Vector<f64, 4>)| (q - reference.0).norm() + (v - reference.1).norm();
        let plain = off(run(method, Start::at(&single, START).limit(LIMIT).plain().at_rest().unwrap()));
        let compensated = off(run(method, Start::at(&single, START).limit(LIMIT).compensated().at_rest().unwrap()));
        let precise = off(run(method, Start::at(&single, START).limit(LIMIT).precise().at_rest().unwrap()));
        assert!(compensated < 10.0 * epsilon, "{method:?}: {compensated:e}");
        assert!(precise < 10.0 * epsilon, "{method:?}: {precise:e}");
        assert!(plain > 5.0 * compensated, "{method:?}: {plain:e} plain, {compensated:e} compensated");
    }
}
