//! Every method with its variants, and the claims of the theory about each, for tests with one body for all.

pub mod good;

use core::fmt::Debug;

use taut::linalg::{Ldlt, SymmetricFactors, Vector};
use taut::method::{
    AnyMethod, Bdf2, HalfExplicit, ImplicitEuler, LocalRungeKutta4, Partitioned, RadauIia, Report, RungeKutta4, Step,
    StepError, TwoNodes, every_method, every_method_for_any_mass,
};
use taut::scalar::Float;
use taut::start::{Clock, Compensated, Precision, State};
use taut::system::{ConstantMass, Mechanical};

/// A method that steps a system from a state as it starts by default.
pub type Any<System, T, const N: usize, const M: usize, F = Ldlt<T, M>> = AnyMethod<System, T, N, M, F, Compensated>;

/// Where the multipliers of a report belong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reports {
    Beginning,
    End,
}

use Reports::{Beginning, End};

/// The claims of the theory about a method.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    pub name: &'static str,
    /// In positions, velocities and the multipliers of the state.
    pub order: u8,
    /// In the multipliers of a report.
    pub reported: u8,
    pub reports: Reports,
    /// Whether g = 0 holds after every step; elsewhere it drifts.
    pub positions: bool,
    /// Whether G v + g_t = 0 holds after every step.
    pub velocities: bool,
}

const fn claim(name: &'static str, [order, reported]: [u8; 2], reports: Reports, holds: [bool; 2]) -> Claim {
    Claim { name, order, reported, reports, positions: holds[0], velocities: holds[1] }
}

const CLAIMS: [Claim; 30] = [
    claim("rattle", [2, 2], Beginning, [true, true]),
    // Multipliers are the mean of one-sided values of two stages: order 2, whatever the composition's.
    claim("yoshida", [4, 2], Beginning, [true, true]),
    claim("suzuki", [4, 2], Beginning, [true, true]),
    claim("kahan_li", [6, 2], Beginning, [true, true]),
    claim("symplectic_euler", [1, 1], End, [true, true]),
    claim("half_explicit_1", [1, 1], Beginning, [true, true]),
    claim("half_explicit_2", [2, 2], Beginning, [true, true]),
    claim("half_explicit_3", [3, 3], Beginning, [true, true]),
    claim("half_explicit_4", [4, 4], Beginning, [true, true]),
    claim("half_explicit_3_bare", [3, 3], Beginning, [false, true]),
    claim("runge_kutta_4", [4, 4], Beginning, [true, true]),
    claim("runge_kutta_4_positions", [4, 4], Beginning, [true, false]),
    claim("runge_kutta_4_velocities", [4, 4], Beginning, [false, true]),
    claim("runge_kutta_4_bare", [4, 4], Beginning, [false, false]),
    claim("runge_kutta_4_baumgarte", [4, 4], Beginning, [false, false]),
    claim("runge_kutta_8", [8, 8], Beginning, [true, true]),
    claim("implicit_euler", [1, 1], End, [true, true]),
    claim("implicit_euler_positions", [1, 1], End, [true, false]),
    claim("implicit_euler_velocities", [1, 1], End, [false, true]),
    claim("implicit_euler_velocities_projected", [1, 1], End, [false, true]),
    claim("implicit_euler_accelerations", [1, 1], End, [false, false]),
    claim("implicit_euler_accelerations_projected", [1, 1], End, [false, true]),
    claim("radau_iia_3", [3, 3], End, [true, true]),
    claim("radau_iia_5", [5, 5], End, [true, true]),
    claim("radau_iia_3_bare", [3, 3], End, [false, true]),
    claim("radau_iia_5_bare", [5, 5], End, [false, true]),
    claim("runge_kutta_4_tangent", [4, 4], Beginning, [true, true]),
    claim("runge_kutta_4_partitioned", [4, 4], Beginning, [true, true]),
    claim("bdf_2", [2, 2], End, [true, true]),
    claim("bdf_2_positions", [2, 2], End, [true, false]),
];

impl Claim {
    /// The claims about the method of this name.
    pub fn of(name: &str) -> Self {
        *CLAIMS.iter().find(|claim| claim.name == name).unwrap_or_else(|| panic!("nothing is said of {name}"))
    }

    /// Whether it is implicit Euler.
    pub fn is_implicit(&self) -> bool {
        self.name.starts_with("implicit_euler")
    }

    /// Numbers of steps to the end of a unit of time, halved twice, for which the errors are in the asymptotic range and
    /// above round-off.
    pub fn divisions(&self) -> [u32; 3] {
        match self.order {
            // Its feedback decays in a tenth of a second, and its steps have to be small against that.
            _ if self.name == "runge_kutta_4_baumgarte" => [200, 400, 800],
            // The next term of its error is large.
            _ if self.name == "yoshida" => [100, 200, 400],
            1 => [800, 1600, 3200],
            2 => [200, 400, 800],
            3 => [100, 200, 400],
            5 => [20, 40, 80],
            6 => [20, 40, 80],
            8 => [5, 10, 20],
            _ => [50, 100, 200],
        }
    }
}

/// Shows every method and variant that steps a system of any mass.
///
/// Not generic in what it shows them to: a test binary has so many systems that it would take long to compile.
pub fn every_variant_for_any_mass<System, T, F, const N: usize, const M: usize>(
    show: &mut dyn FnMut(&Any<System, T, N, M, F>),
) where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    every_method_for_any_mass(&mut *show);
    variants(show);
}

/// The same, with those that need a constant mass.
pub fn every_variant<System, T, F, const N: usize, const M: usize>(show: &mut dyn FnMut(&Any<System, T, N, M, F>))
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
    F: SymmetricFactors<T, M>,
{
    every_method(&mut *show);
    variants(show);
}

/// The variants: without projection, with one of them, on other levels.
fn variants<System, T, F, const N: usize, const M: usize>(show: &mut dyn FnMut(&Any<System, T, N, M, F>))
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    let ten = T::from_f64(10.0);
    show(&HalfExplicit::order_three().without_projection());
    show(&RungeKutta4::new().positions_only());
    show(&RungeKutta4::new().velocities_only());
    show(&RungeKutta4::new().bare());
    show(&RungeKutta4::new().baumgarte(ten, ten));
    show(&ImplicitEuler::new());
    show(&ImplicitEuler::velocity_level());
    show(&ImplicitEuler::velocity_level().projecting_velocities());
    show(&ImplicitEuler::acceleration_level());
    show(&ImplicitEuler::acceleration_level().projecting_velocities());
    show(&RadauIia::order_three().without_projection());
    show(&RadauIia::order_five().without_projection());
    show(&LocalRungeKutta4::tangent());
    show(&ChoosingAnew(LocalRungeKutta4::partitioned()));
}

/// The partitioned method as one that steps a plain state: it chooses its coordinates in every step.
struct ChoosingAnew<T>(LocalRungeKutta4<T, true>);

impl<System, T, const N: usize, const M: usize, F, P> Step<System, State<T, N, M, F, P>> for ChoosingAnew<T>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    type Report = Report<T, M>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        "runge_kutta_4_partitioned"
    }

    fn step(&self, system: &System, state: &mut State<T, N, M, F, P>) -> Result<Report<T, M>, StepError<T>> {
        let mut partitioned = Partitioned::new(*state);
        let result = self.0.step(system, &mut partitioned);
        // After an error, too: a change would be found.
        *state = *partitioned.state();
        result
    }
}

/// The reference solution at the end of a run.
#[derive(Clone, Copy, Debug)]
pub struct Exact<const N: usize, const M: usize> {
    pub q: Vector<f64, N>,
    pub v: Vector<f64, N>,
    pub multipliers: Vector<f64, M>,
}

/// The errors in positions, velocities, and the multipliers of the state and of the report after `count` steps of size
/// `end`/`count`.
pub fn errors<System, F, const N: usize, const M: usize>(
    method: &Any<System, f64, N, M, F>,
    system: &System,
    start: &State<f64, N, M, F>,
    (end, count): (f64, u32),
    exact: &Exact<N, M>,
) -> [f64; 4]
where
    System: Mechanical<N, M, Base = f64>,
    F: SymmetricFactors<f64, M>,
{
    let mut state = *start;
    state.clock_mut().set_step(end / f64::from(count)).unwrap();
    let step = |state: &mut State<f64, N, M, F>| {
        let report = method.step(system, state);
        report.unwrap_or_else(|error| panic!("{}: {error}", method.name())).multipliers
    };
    let mut reported = Vector::zeros();
    for _ in 0..count {
        reported = step(&mut state);
    }
    let (q, v, multipliers) = (*state.position(), *state.velocity(), state.multipliers(system).unwrap());
    if Claim::of(method.name()).reports == Beginning {
        reported = step(&mut state);
    }
    [
        (q - exact.q).norm(),
        (v - exact.v).norm(),
        (multipliers - exact.multipliers).norm(),
        (reported - exact.multipliers).norm(),
    ]
}

/// Asserts the order in all of positions, velocities and multipliers by slopes, within `tolerance`.
pub fn assert_order(name: &str, tolerance: f64, errors: [[f64; 4]; 3]) {
    let claim = Claim::of(name);
    // Order 8 shows at coarse steps only, where the next term of the error is not small yet: a slope of 7 or 9 would be another order.
    let tolerance = if claim.order == 8 { 0.6 } else { tolerance };
    let orders = [claim.order, claim.order, claim.order, claim.reported].map(f64::from);
    for pair in errors.windows(2) {
        for (k, what) in ["positions", "velocities", "multipliers", "reported multipliers"].into_iter().enumerate() {
            let slope = (pair[0][k] / pair[1][k]).log2();
            assert!((slope - orders[k]).abs() < tolerance, "{name}, {what}: slope {slope}, errors {errors:?}");
        }
    }
}

/// Each error of a run with half the step is 2^−order of the one before.
pub fn assert_slopes(what: &str, errors: &[f64], order: f64, tolerance: f64) {
    for pair in errors.windows(2) {
        let slope = (pair[0] / pair[1]).log2();
        assert!((slope - order).abs() < tolerance, "{what}: slope {slope:.3}, not {order}, errors {errors:?}");
    }
}

/// A clock with this step, in seconds.
pub fn seconds<T: Float>(h: f64) -> Clock<T> {
    Clock::with_step(T::from_f64(h)).unwrap()
}

/// Every bit of a state: its text has each number to the last digit, private parts included.
pub fn bits(state: &impl Debug) -> String {
    format!("{state:?}")
}

/// A method, the result of its step, and the state afterwards.
pub struct Outcome<T: Float, F, const N: usize, const M: usize> {
    pub name: &'static str,
    pub result: Result<Report<T, M>, StepError<T>>,
    pub after: State<T, N, M, F>,
}

/// A step of every method and variant, each from the same state. BDF2 arrives there with its velocity.
#[inline(never)]
pub fn outcomes<System, T, F, const N: usize, const M: usize>(
    system: &System,
    state: &State<T, N, M, F>,
) -> Vec<Outcome<T, F, N, M>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
    F: SymmetricFactors<T, M>,
{
    let mut outcomes = Vec::new();
    every_variant(&mut |method: &Any<System, T, N, M, F>| {
        let mut after = *state;
        outcomes.push(Outcome { name: method.name(), result: method.step(system, &mut after), after });
    });
    outcomes.push(of_two_nodes(&Bdf2::new(), system, state));
    outcomes.push(of_two_nodes(&Bdf2::position_level(), system, state));
    outcomes
}

fn of_two_nodes<System, T, F, const PROJECT: bool, const N: usize, const M: usize>(
    bdf2: &Bdf2<PROJECT>,
    system: &System,
    state: &State<T, N, M, F>,
) -> Outcome<T, F, N, M>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    let change = [state.velocity() * state.clock().step(), Vector::zeros()];
    let (name, mut nodes) = (if PROJECT { "bdf_2" } else { "bdf_2_positions" }, TwoNodes::new(*state, change));
    let result = bdf2.step(system, &mut nodes);
    assert!(result.is_ok() || bits(&nodes) == bits(&TwoNodes::new(*state, change)), "{name} changed its history");
    Outcome { name, result, after: *nodes.state() }
}

/// Steps with every method; all must fail, leave the state and name its tick. Returns their names and errors.
pub fn refused<System, T, F, const N: usize, const M: usize>(
    system: &System,
    state: &State<T, N, M, F>,
) -> Vec<(&'static str, StepError<T>)>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
    F: SymmetricFactors<T, M>,
{
    let before = bits(state);
    let outcomes = outcomes(system, state).into_iter();
    outcomes
        .map(|Outcome { name, result, after }| {
            let Err(error) = result else { panic!("{name} went on to {after:?}") };
            assert_eq!(bits(&after), before, "{name} changed the state");
            assert!(error.to_string().contains(&format!("tick {}", state.clock().tick())), "{name}: {error}");
            (name, error)
        })
        .collect()
}
