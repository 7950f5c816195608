//! Every method and formulation that takes any mass, as one list: one test body serves them all.

#![allow(dead_code, reason = "each test file uses its part")]

pub mod good;

use core::fmt::Debug;

use taut::linalg::{SymmetricFactors, Vector};
use taut::method::{
    Composition, HalfExplicit, ImplicitEuler, Rattle, Report, RungeKutta4, RungeKutta8, StepError, StepSize,
    SymplecticEuler,
};
use taut::scalar::Float;
use taut::start::State;
use taut::system::{ConstantMass, Mechanical};

/// Half-explicit by order, with projection but for `Unprojected`; Runge–Kutta of order 4 by what it projects; implicit Euler by level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    HalfExplicitOne,
    HalfExplicitTwo,
    HalfExplicitThree,
    HalfExplicitFour,
    HalfExplicitUnprojected,
    RungeKutta,
    RungeKuttaPositions,
    RungeKuttaVelocities,
    RungeKuttaBare,
    RungeKuttaBaumgarte,
    RungeKuttaEight,
    EulerPositions,
    EulerStabilised,
    EulerVelocities,
    EulerVelocitiesProjected,
    EulerAccelerations,
    EulerAccelerationsProjected,
}

use Method::*;

impl Method {
    pub const ALL: [Self; 17] = [
        HalfExplicitOne,
        HalfExplicitTwo,
        HalfExplicitThree,
        HalfExplicitFour,
        HalfExplicitUnprojected,
        RungeKutta,
        RungeKuttaPositions,
        RungeKuttaVelocities,
        RungeKuttaBare,
        RungeKuttaBaumgarte,
        RungeKuttaEight,
        EulerPositions,
        EulerStabilised,
        EulerVelocities,
        EulerVelocitiesProjected,
        EulerAccelerations,
        EulerAccelerationsProjected,
    ];

    /// A step of this method. Compiled once for each system, which takes long enough.
    #[inline(never)]
    pub fn step<System, T, F, const N: usize, const M: usize>(
        self,
        size: StepSize<T>,
        system: &System,
        state: &mut State<T, N, M, F>,
    ) -> Result<Report<T, M>, StepError<T>>
    where
        T: Float,
        System: Mechanical<N, M, Base = T>,
        F: SymmetricFactors<T, M>,
    {
        let runge_kutta = RungeKutta4::with_step(size);
        let ten = T::from_f64(10.0);
        match self {
            HalfExplicitOne => HalfExplicit::order_one(size).step(system, state),
            HalfExplicitTwo => HalfExplicit::order_two(size).step(system, state),
            HalfExplicitThree => HalfExplicit::order_three(size).step(system, state),
            HalfExplicitFour => HalfExplicit::order_four(size).step(system, state),
            HalfExplicitUnprojected => HalfExplicit::order_three(size).without_projection().step(system, state),
            RungeKutta => runge_kutta.step(system, state),
            RungeKuttaPositions => runge_kutta.positions_only().step(system, state),
            RungeKuttaVelocities => runge_kutta.velocities_only().step(system, state),
            RungeKuttaBare => runge_kutta.bare().step(system, state),
            RungeKuttaBaumgarte => runge_kutta.baumgarte(ten, ten).step(system, state),
            RungeKuttaEight => RungeKutta8::with_step(size).step(system, state),
            EulerPositions => ImplicitEuler::position_level(size).step(system, state),
            EulerStabilised => ImplicitEuler::position_level(size).projecting_velocities().step(system, state),
            EulerVelocities => ImplicitEuler::velocity_level(size).step(system, state),
            EulerVelocitiesProjected => ImplicitEuler::velocity_level(size).projecting_velocities().step(system, state),
            EulerAccelerations => ImplicitEuler::acceleration_level(size).step(system, state),
            EulerAccelerationsProjected => {
                ImplicitEuler::acceleration_level(size).projecting_velocities().step(system, state)
            }
        }
    }

    /// The order in positions, velocities and multipliers.
    pub fn order(self) -> u8 {
        match self {
            HalfExplicitTwo => 2,
            HalfExplicitThree | HalfExplicitUnprojected => 3,
            HalfExplicitFour => 4,
            RungeKutta | RungeKuttaPositions | RungeKuttaVelocities | RungeKuttaBare | RungeKuttaBaumgarte => 4,
            RungeKuttaEight => 8,
            HalfExplicitOne => 1,
            EulerPositions | EulerStabilised | EulerVelocities | EulerVelocitiesProjected => 1,
            EulerAccelerations | EulerAccelerationsProjected => 1,
        }
    }

    /// Whether it is implicit Euler, whose report has the multipliers where the step ended, not where it began.
    pub fn is_implicit(self) -> bool {
        matches!(
            self,
            EulerPositions
                | EulerStabilised
                | EulerVelocities
                | EulerVelocitiesProjected
                | EulerAccelerations
                | EulerAccelerationsProjected
        )
    }

    /// Whether g = 0 holds after every step; elsewhere it drifts.
    pub fn holds_positions(self) -> bool {
        matches!(
            self,
            HalfExplicitOne
                | HalfExplicitTwo
                | HalfExplicitThree
                | HalfExplicitFour
                | RungeKutta
                | RungeKuttaPositions
                | RungeKuttaEight
                | EulerPositions
                | EulerStabilised
        )
    }

    /// Whether G v + g_t = 0 holds after every step.
    pub fn holds_velocities(self) -> bool {
        !matches!(
            self,
            RungeKuttaPositions | RungeKuttaBare | RungeKuttaBaumgarte | EulerPositions | EulerAccelerations
        )
    }

    /// Numbers of steps to the end of a unit of time, halved twice, for which the errors are in the asymptotic range and
    /// above round-off.
    pub fn divisions(self) -> [u32; 3] {
        match self.order() {
            1 => [800, 1600, 3200],
            2 => [200, 400, 800],
            3 => [100, 200, 400],
            8 => [5, 10, 20],
            _ => [50, 100, 200],
        }
    }
}

/// What is known of a solution at the end of a run.
#[derive(Clone, Copy, Debug)]
pub struct Exact<const N: usize, const M: usize> {
    pub q: Vector<f64, N>,
    pub v: Vector<f64, N>,
    pub multipliers: Vector<f64, M>,
}

/// The errors in positions, velocities and multipliers after `count` steps of size `end`/`count`.
pub fn errors<System, F, const N: usize, const M: usize>(
    method: Method,
    system: &System,
    start: &State<f64, N, M, F>,
    (end, count): (f64, u32),
    exact: &Exact<N, M>,
) -> [f64; 3]
where
    System: Mechanical<N, M, Base = f64>,
    F: SymmetricFactors<f64, M>,
{
    let size = seconds(end / f64::from(count));
    let mut state = *start;
    let step = |state: &mut State<f64, N, M, F>| {
        let report = method.step(size, system, state);
        report.unwrap_or_else(|error| panic!("{method:?}: {error}")).multipliers
    };
    let mut multipliers = Vector::zeros();
    for _ in 0..count {
        multipliers = step(&mut state);
    }
    let (q, v) = (*state.position(), *state.velocity());
    if !method.is_implicit() {
        multipliers = step(&mut state);
    }
    [(q - exact.q).norm(), (v - exact.v).norm(), (multipliers - exact.multipliers).norm()]
}

/// Asserts the order in all of positions, velocities and multipliers by slopes, within `tolerance`.
pub fn assert_order(method: Method, tolerance: f64, errors: [[f64; 3]; 3]) {
    // Order 8 shows at coarse steps only, where the next term of the error is not small yet: a slope of 7 or 9 would be another order.
    let tolerance = if method.order() == 8 { 0.6 } else { tolerance };
    for pair in errors.windows(2) {
        for (k, name) in ["positions", "velocities", "multipliers"].into_iter().enumerate() {
            let slope = (pair[0][k] / pair[1][k]).log2();
            assert!(
                (slope - f64::from(method.order())).abs() < tolerance,
                "{method:?}, {name}: slope {slope}, errors {errors:?}"
            );
        }
    }
}

/// A step size.
pub fn seconds<T: Float>(h: f64) -> StepSize<T> {
    StepSize::seconds(T::from_f64(h)).unwrap()
}

/// Every bit of a state: its text has each number to the last digit, private parts included.
pub fn bits(state: &impl Debug) -> String {
    format!("{state:?}")
}

/// A method, the result of its step, and the state afterwards.
pub struct Outcome<T: Float, F, const N: usize, const M: usize> {
    pub name: String,
    /// None for those that ask for a constant mass, which hold positions and velocities.
    pub method: Option<Method>,
    pub result: Result<Report<T, M>, StepError<T>>,
    pub after: State<T, N, M, F>,
}

/// Every method, and those that ask for a constant mass, each from the same state.
#[inline(never)]
pub fn outcomes<System, T, F, const N: usize, const M: usize>(
    system: &System,
    state: &State<T, N, M, F>,
    size: StepSize<T>,
) -> Vec<Outcome<T, F, N, M>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
    F: SymmetricFactors<T, M>,
{
    let [mut a, mut b, mut c, mut d] = [*state; 4];
    let named = |name: &str, result, after| Outcome { name: name.into(), method: None, result, after };
    let mut outcomes = vec![
        named("RATTLE", Rattle::with_step(size).step(system, &mut a), a),
        named("symplectic Euler", SymplecticEuler::with_step(size).step(system, &mut b), b),
        named("Suzuki", Composition::suzuki(size).step(system, &mut c), c),
        named("Kahan and Li", Composition::kahan_li(size).step(system, &mut d), d),
    ];
    for method in Method::ALL {
        let mut after = *state;
        let result = method.step(size, system, &mut after);
        outcomes.push(Outcome { name: format!("{method:?}"), method: Some(method), result, after });
    }
    outcomes
}

/// Steps with every method; all must fail, leave the state and name its tick. Returns their names and errors.
pub fn refused<System, T, F, const N: usize, const M: usize>(
    system: &System,
    state: &State<T, N, M, F>,
    size: StepSize<T>,
) -> Vec<(String, StepError<T>)>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
    F: SymmetricFactors<T, M>,
{
    let before = bits(state);
    let outcomes = outcomes(system, state, size).into_iter();
    outcomes
        .map(|Outcome { name, result, after, .. }| {
            let Err(error) = result else { panic!("{name} went on to {after:?}") };
            assert_eq!(bits(&after), before, "{name} changed the state");
            assert!(error.to_string().contains(&format!("tick {}", state.tick())), "{name}: {error}");
            (name, error)
        })
        .collect()
}
