//! Every method carries the digits of its state: in `f32` it stays with its own run in `f64`.

use crate::clock;
use mechanisms::DoublePendulum;
use taut::linalg::{Ldlt, Vector};
use taut::method::{AnyMethod, ImplicitEuler, every_method};
use taut::scalar::{DoubleFloat, Float};
use taut::start::{Clock, Precision, Start, State};

/// Steps of the run: two seconds, before chaos has amplified anything by more than ten.
const STEPS: usize = 2_000;

/// Name, positions and velocities at the end of the run with every method, and with implicit Euler on each level.
fn runs<T: Float, P: Precision>(start: &State<T, 4, 2, Ldlt<T, 2>, P>) -> Vec<(&'static str, [Vector<f64, 4>; 2])> {
    let system = DoublePendulum::<T>::unit();
    let mut runs = Vec::new();
    let mut run = |method: &AnyMethod<DoublePendulum<T>, T, 4, 2, Ldlt<T, 2>, P>| {
        let mut state = *start;
        for _ in 0..STEPS {
            method.step(&system, &mut state).unwrap_or_else(|error| panic!("{}: {error}", method.name()));
        }
        let full = |numbers: Vector<DoubleFloat<T>, 4>| numbers.map(DoubleFloat::to_f64);
        runs.push((method.name(), [state.full_position().full(), state.full_velocity().full()].map(full)));
    };
    every_method(&mut run);
    run(&ImplicitEuler::new());
    run(&ImplicitEuler::velocity_level());
    run(&ImplicitEuler::acceleration_level());
    runs
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
    let (clock, fine) = (clock(), Clock::with_step(f64::from(1e-3_f32)).unwrap());
    let start = || Start::at(&single, clock, START).limit(LIMIT);
    let reference = Start::at(&double, fine, START.map(f64::from)).limit(f64::from(LIMIT)).plain().at_rest().unwrap();
    let [plain, compensated, precise] = [
        runs(&start().plain().at_rest().unwrap()),
        runs(&start().compensated().at_rest().unwrap()),
        runs(&start().precise().at_rest().unwrap()),
    ];
    for (k, (name, [q, v])) in runs(&reference).into_iter().enumerate() {
        let [plain, compensated, precise] = [&plain, &compensated, &precise].map(|runs| {
            assert_eq!(runs[k].0, name);
            (runs[k].1[0] - q).norm() + (runs[k].1[1] - v).norm()
        });
        // Coefficients are rounded as well: a run goes fast or slow by ε/2 times the sum of their magnitudes, if that is more than one.
        // In two seconds, and with velocities and accelerations of about three together, that makes three times the sum.
        let bound = match name {
            "yoshida" => 10.0 + 3.0 * 4.4,
            "runge_kutta_8" => 10.0 + 3.0 * 12.9,
            _ => 10.0,
        };
        assert!(compensated < bound * epsilon, "{name}: {compensated:e}");
        assert!(precise < bound * epsilon, "{name}: {precise:e}");
        // Order 8 is not for f32: its coefficients of up to 43 hide what is gained.
        assert!(
            name == "runge_kutta_8" || plain > 5.0 * compensated,
            "{name}: {plain:e} plain, {compensated:e} compensated"
        );
    }
}
