//! What a step answers when something is wrong: the documented error, and the state as it was, bit for bit. Every method.

use crate::every_method::good::flaw;
use crate::every_method::{Method, Outcome, bits, outcomes, refused, seconds};
use nalgebra::vector;
use systems::{Driven, Pendulum};
use taut::linalg::{FactorError, Semidefinite, SymmetricFactors, Vector};
use taut::method::{
    Composition, HalfExplicit, ImplicitEuler, InvalidStep, Rattle, Report, RungeKutta4, StepError, StepSize,
    SymplecticEuler,
};
use taut::project::Level;
use taut::scalar::{Float, Real};
use taut::start::{Start, State};
use taut::system::{Lumped, Mechanical};

/// At tick 12.
fn driven<T: Float>(limit: f64) -> State<T, 3, 1> {
    let system = Driven::standard();
    let start = Start::at(&system, [0.6, -0.8, 0.0].map(T::from_f64)).at_tick(12);
    start.limit(T::from_f64(limit)).moving([0.8, 0.6, 1.0].map(T::from_f64)).unwrap()
}

/// A limit that a step of 1 ms keeps on every level of implicit Euler, where positions drift by h² |v|²/2.
const WIDE: f64 = 1e-5;

fn inputs_that_are_not_finite<T: Float>() {
    let state = driven::<T>(WIDE);
    for bad in [T::NAN, T::INFINITY, -T::INFINITY] {
        for (name, error) in refused(&Driven { torque: bad, ..Driven::standard() }, &state, seconds(1e-3)) {
            assert!(matches!(error, StepError::NonFinite { tick: 12, .. }), "{name}, torque {bad}: {error}");
        }
        // On a coordinate that no constraint sees.
        for (name, error) in refused(&Driven { push: bad, ..Driven::standard() }, &state, seconds(1e-3)) {
            assert!(matches!(error, StepError::NonFinite { tick: 12, .. }), "{name}, push {bad}: {error}");
        }
        // A constraint that is not a number: the state can not be on it.
        for (name, error) in refused(&Driven { length: bad, ..Driven::standard() }, &state, seconds(1e-3)) {
            assert!(matches!(error, StepError::Inconsistent { tick: 12, .. }), "{name}, length {bad}: {error}");
        }
    }
    // The state is good for the next step.
    for Outcome { name, result, .. } in outcomes(&Driven::standard(), &state, seconds(1e-3)) {
        assert!(result.is_ok(), "{name}: {}", result.unwrap_err());
    }
}

#[test]
fn inputs_that_are_not_finite_are_refused() {
    inputs_that_are_not_finite::<f32>();
    inputs_that_are_not_finite::<f64>();
}

#[test]
fn a_correction_that_fails_leaves_the_velocity() {
    let (euler, state) = (ImplicitEuler::position_level(seconds(1e-3)), driven::<f64>(WIDE));
    let refused = |system: Driven<f64>| {
        let mut after = state;
        let error = euler.make_consistent(&system, &mut after).unwrap_err();
        assert_eq!(bits(&after), bits(&state), "{error}");
        error
    };
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for system in [Driven { torque: bad, ..Driven::standard() }, Driven { push: bad, ..Driven::standard() }] {
            let error = refused(system);
            assert!(matches!(error, StepError::NonFinite { tick: 12, .. }), "{system:?}: {error}");
        }
        let error = refused(Driven { length: bad, ..Driven::standard() });
        assert!(matches!(error, StepError::Inconsistent { tick: 12, .. }), "{bad}: {error}");
    }
    // Where it succeeds, it changes nothing but the velocity, by O(h).
    let mut after = state;
    euler.make_consistent(&Driven::standard(), &mut after).unwrap();
    assert_eq!((after.position(), after.tick(), after.multipliers()), (state.position(), 12, state.multipliers()));
    let change = (after.velocity() - state.velocity()).norm();
    assert!((1e-4..1e-1).contains(&change), "{change}");
}

#[test]
fn an_overflow_is_refused() {
    for huge in [1e30, 3e38, -3e38] {
        // Half-explicit Euler moves positions with the velocity as it was, and may pass the overflow on to the next step.
        let refused =
            refused_or_good(&Driven { torque: huge, ..Driven::standard() }, &driven::<f32>(WIDE), seconds(1e-3));
        assert!(refused >= 17, "{huge}: {refused} refused");
    }
}

/// A force that is not a number on one side of a line.
struct Edge;

impl Mechanical<2, 1> for Edge {
    type Base = f64;
    type Mass = Lumped<f64, 2>;

    fn mass(&self) -> Lumped<f64, 2> {
        Lumped::new([1.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![(q.x - 0.9).sqrt() * 0.0, S::from(-9.81)]
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![(q.dot(q) - 1.0) * 0.5]
    }
}

/// Steps until the first error, which must leave the state.
fn until_refused<F: SymmetricFactors<f64, M>, const N: usize, const M: usize>(
    mut state: State<f64, N, M, F>,
    step: impl Fn(&mut State<f64, N, M, F>) -> Result<Report<f64, M>, StepError<f64>>,
) -> (State<f64, N, M, F>, StepError<f64>) {
    loop {
        let before = bits(&state);
        match step(&mut state) {
            Ok(_) => assert!(state.tick() < 100),
            Err(error) => {
                assert_eq!(bits(&state), before);
                return (state, error);
            }
        }
    }
}

#[test]
fn a_force_that_breaks_off_at_the_end_of_a_step_is_refused() {
    let rattle = Rattle::with_step(seconds(0.01));
    let start = Start::at(&Edge, [1.0, 0.0]).limit(1e-2).at_rest().unwrap();
    let (state, error) = until_refused(start, |state| rattle.step(&Edge, state));
    // The force was a number where the step began, and the position was reached.
    assert!(state.position().x > 0.9);
    assert_eq!(error, StepError::NonFinite { tick: state.tick(), level: Level::Velocity, index: 0 });
    assert_eq!(error.to_string(), format!("tick {}: velocity 0 is not finite", state.tick()));
    // The others notice it within a step, or where they begin the next.
    for method in Method::ALL {
        let (state, error) = until_refused(start, |state| method.step(seconds(0.01), &Edge, state));
        assert!(state.position().x > 0.88, "{method:?}: {}", state.position());
        assert!(matches!(error, StepError::NonFinite { .. }), "{method:?}: {error}");
    }
}

fn invalid_steps<T: Float>() {
    let bits = |number: T| number.to_f64().to_bits();
    for given in [0.0, -0.0, -1e-3, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, 1e300].map(T::from_f64) {
        let is_given = |error: InvalidStep<T>| bits(error.given) == bits(given);
        assert!(StepSize::seconds(given).is_err_and(is_given), "{given:e} s");
        assert!(StepSize::at_rate(given).is_err_and(is_given), "{given:e} Hz");
        assert!(Rattle::at_rate(given).is_err_and(is_given));
        assert!(SymplecticEuler::at_rate(given).is_err_and(is_given));
        assert!(Composition::suzuki_at_rate(given).is_err_and(is_given));
        assert!(Composition::kahan_li_at_rate(given).is_err_and(is_given));
        assert!(HalfExplicit::order_one_at_rate(given).is_err_and(is_given));
        assert!(HalfExplicit::order_two_at_rate(given).is_err_and(is_given));
        assert!(HalfExplicit::order_three_at_rate(given).is_err_and(is_given));
        assert!(HalfExplicit::order_four_at_rate(given).is_err_and(is_given));
        assert!(RungeKutta4::at_rate(given).is_err_and(is_given));
        assert!(ImplicitEuler::at_rate(given).is_err_and(is_given));
    }
    let error = StepSize::seconds(T::from_f64(-0.5)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "-5e-1 is not a step size or a rate: it must be positive, and 1/h² far from overflow"
    );
}

#[test]
fn step_sizes_that_are_none_are_refused() {
    invalid_steps::<f32>();
    invalid_steps::<f64>();
    // 2/h² would be infinite, and a multiplier 0 · ∞.
    assert!(StepSize::seconds(6e-20_f32).is_err());
}

/// Each method must refuse, with one of these errors, or make a good step. Returns how many refused.
fn refused_or_good<T: Float>(system: &Driven<T>, state: &State<T, 3, 1>, size: StepSize<T>) -> usize {
    let before = bits(state);
    let mut count = 0;
    for outcome in outcomes(system, state, size) {
        let what = format!("{}, h = {:e}, {system:?}", outcome.name, size.get());
        if let Err(error) = outcome.result {
            // Stages far apart may have gradients that are orthogonal.
            assert!(
                matches!(
                    error,
                    StepError::NotConverged { .. }
                        | StepError::Unbalanced { .. }
                        | StepError::NonFinite { .. }
                        | StepError::Singular { .. }
                ),
                "{what}: {error}"
            );
            assert_eq!(bits(&outcome.after), before, "{what}: changed the state");
            count += 1;
        }
        // RATTLE and its relatives can only fail to reach the positions.
        let not_reached = matches!(outcome.result, Err(StepError::NotConverged { .. } | StepError::NonFinite { .. }));
        assert!(outcome.method.is_some() || not_reached, "{what}: {:?}", outcome.result);
        assert_eq!(flaw(system, state, size, &outcome), None, "{what}");
    }
    count
}

fn huge_steps<T: Float>() {
    for h in [1.0, 1e3, 1e9, 1e18] {
        // Implicit Euler may find the solution of its equations however large the step.
        let refused = refused_or_good(&Driven::standard(), &driven::<T>(WIDE), seconds(h));
        assert!(refused >= 14, "h = {h}: {refused} refused");
    }
}

#[test]
fn a_step_too_large_does_not_converge() {
    huge_steps::<f32>();
    huge_steps::<f64>();
    // The error says by how much.
    let pendulum = Pendulum::<f64>::standard();
    let mut state = Start::at(&pendulum, [1.0, 0.0]).at_rest().unwrap();
    let error = Rattle::with_step(seconds(0.4)).step(&pendulum, &mut state).unwrap_err();
    let StepError::NotConverged { tick: 0, residual } = error else { panic!("{error}") };
    assert_eq!((residual.level, residual.row), (Level::Position, 0));
    assert!(residual.residual.abs() > residual.limit && (residual.limit - 1.49e-8).abs() < 1e-10);
    assert!(error.to_string().starts_with("tick 0: not converged: residual "), "{error}");
}

/// A bead on two crossing wires, the axes: x y = 0. At the origin the constraint has no gradient.
struct Crossing;

impl Mechanical<2, 1> for Crossing {
    type Base = f64;
    type Mass = Lumped<f64, 2>;

    fn mass(&self) -> Lumped<f64, 2> {
        Lumped::new([1.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        Vector::zeros()
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![q.x * q.y]
    }
}

#[test]
fn a_singular_pose_met_on_the_way_is_refused() {
    // 1/8 m a step: the fourth ends at the origin.
    let mut state = Start::at(&Crossing, [-0.5, 0.0]).moving([1.0, 0.0]).unwrap();
    let rattle = Rattle::with_step(seconds(0.125));
    for _ in 0..3 {
        let _ = rattle.step(&Crossing, &mut state).unwrap();
    }
    let before = bits(&state);
    for Outcome { name, result, after, .. } in outcomes(&Crossing, &state, seconds(0.125)) {
        let Err(error) = result else {
            // Stages that are not binary fractions end a hair off it.
            let off = after.position().x;
            assert!(off != 0.0 && off.abs() < 1e-15, "{name} went on to {off:e}");
            assert!(
                ["Suzuki", "Kahan and Li", "HalfExplicitThree", "HalfExplicitFour"].contains(&name.as_str()),
                "{name}"
            );
            continue;
        };
        assert_eq!(bits(&after), before, "{name} changed the state");
        if name.starts_with("RungeKutta") {
            // Its last stage ends there, and stages are judged by what comes out of them.
            let expected = matches!(error, StepError::NonFinite { tick: 3, .. } | StepError::Singular { tick: 3, .. });
            assert!(expected, "{name}: {error}");
            continue;
        }
        assert!(
            matches!(error, StepError::Singular { tick: 3, cause: FactorError::SmallPivot { index: 0, .. } }),
            "{name}: {error}"
        );
        assert!(error.to_string().contains("tick 3: singular constraints: pivot 0e0 of row 0"), "{name}: {error}");
    }
    // A step that does not end there passes by.
    for outcome in outcomes(&Crossing, &state, seconds(0.1)) {
        assert!(outcome.result.is_ok(), "{}: {}", outcome.name, outcome.result.unwrap_err());
        assert_eq!(flaw(&Crossing, &state, seconds(0.1), &outcome), None);
    }
}

/// Two guides for one coordinate that agree at first and part as t³.
struct Parting;

impl Mechanical<2, 2> for Parting {
    type Base = f64;
    type Mass = Lumped<f64, 2>;

    fn mass(&self) -> Lumped<f64, 2> {
        Lumped::new([1.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![S::from(1.0), S::from(1.0)]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 2>) -> Vector<S, 2> {
        vector![q.x - t, q.x - t - t * t * t]
    }
}

#[test]
fn constraints_that_come_to_contradict_each_other_are_refused() {
    let mut state: State<f64, 2, 2, Semidefinite<f64, 2>> =
        Start::at(&Parting, [0.0, 0.0]).redundant().at_rest().unwrap();
    // They part with 3 t²: after 50 µs by less than the limit, 1.5e-8 of a metre and of a metre a second, each.
    for outcome in outcomes(&Parting, &state, seconds(5e-5)) {
        assert_eq!(outcome.result.unwrap().rank, 1, "{}", outcome.name);
    }
    let _ = Rattle::with_step(seconds(5e-5)).step(&Parting, &mut state).unwrap();
    // A step of 1 ms on, the velocities contradict each other by 3.3e-6, half of it each.
    state.set_epoch(5e-5);
    let before = bits(&state);
    for outcome in outcomes(&Parting, &state, seconds(1e-3)) {
        let Outcome { name, method, result, after } = &outcome;
        if method.is_none_or(|method| method.holds_velocities()) {
            let Err(error) = result else { panic!("{name} went on to {after:?}") };
            let StepError::NotConverged { tick: 1, residual } = error else { panic!("{name}: {error}") };
            assert_eq!(residual.level, Level::Velocity, "{name}");
            assert!((residual.residual.abs() - 1.65e-6).abs() < 2e-8, "{name}: {error}");
            assert_eq!(bits(after), before, "{name}");
        } else {
            // The velocity is not theirs to hold; the positions are apart by 1e-9 only.
            assert_eq!(flaw(&Parting, &state, seconds(1e-3), &outcome), None);
        }
    }
}

fn changed_models<T: Float>() {
    let state = driven(T::ROOT_EPSILON.to_f64());
    for (name, error) in refused(&Driven { length: T::from_f64(1.001), ..Driven::standard() }, &state, seconds(1e-3)) {
        let StepError::Inconsistent { tick: 12, residual } = error else { panic!("{name}: {error}") };
        assert_eq!((residual.level, residual.row), (Level::Position, 0));
        assert!((residual.residual.to_f64() + 1.0005e-3).abs() < 1e-6, "{error}");
        // A state that carries its lost digits may begin a step twice as far off as one may end.
        assert!((residual.limit.to_f64() / T::ROOT_EPSILON.to_f64() - 2.0).abs() < 2e-3, "{error}");
        assert!(error.to_string().starts_with("tick 12: the model has changed: residual -1.000"), "{error}");
        assert!(error.to_string().contains("position constraint 0"), "{error}");
    }
    // An input is no such change.
    let (system, state) = (Driven { torque: T::one(), ..Driven::standard() }, driven(WIDE));
    for outcome in outcomes(&system, &state, seconds(1e-3)) {
        assert!(outcome.result.is_ok(), "{}: {}", outcome.name, outcome.result.unwrap_err());
        assert_eq!(flaw(&system, &state, seconds(1e-3), &outcome), None);
    }
}

#[test]
fn a_state_of_a_changed_model_is_refused() {
    changed_models::<f32>();
    changed_models::<f64>();
}
