//! Every method refuses invalid input with the documented error, and leaves the state unchanged, bit for bit.

use crate::variants::good::flaw;
use crate::variants::{Any, Claim, Outcome, bits, every_variant, outcomes, refused, seconds};
use mechanisms::{DoublePendulum, Driven, FourBar, FourBarPoints, Pendulum};
use nalgebra::vector;
use taut::linalg::{FactorError, Semidefinite, Vector};
use taut::method::{ImplicitEuler, NAMES, Rattle, Step, StepError};
use taut::project::Level;
use taut::scalar::{Float, Real};
use taut::start::{Clock, InvalidStep, Saved, Start, State};
use taut::system::{ConstantMass, Diagonal, Mechanical};

/// At tick 12, with steps of this size.
fn driven<T: Float>(h: f64, limit: f64) -> State<T, 3, 1> {
    let system = Driven::standard();
    let start = Start::at(&system, seconds(h).at_tick(12), [0.6, -0.8, 0.0].map(T::from_f64));
    start.limit(T::from_f64(limit)).moving([0.8, 0.6, 1.0].map(T::from_f64)).unwrap()
}

/// A limit that a step of 1 ms keeps on every level of implicit Euler, where positions drift by h² |v|²/2.
const WIDE: f64 = 1e-5;

fn inputs_that_are_not_finite<T: Float>() {
    let state = driven::<T>(1e-3, WIDE);
    for bad in [T::NAN, T::INFINITY, -T::INFINITY] {
        for (name, error) in refused(&Driven { torque: bad, ..Driven::standard() }, &state) {
            assert!(matches!(error, StepError::NonFinite { tick: 12, .. }), "{name}, torque {bad}: {error}");
        }
        // On a coordinate that no constraint sees.
        for (name, error) in refused(&Driven { push: bad, ..Driven::standard() }, &state) {
            assert!(matches!(error, StepError::NonFinite { tick: 12, .. }), "{name}, push {bad}: {error}");
        }
        // A constraint that is NaN: the state cannot be on it.
        for (name, error) in refused(&Driven { length: bad, ..Driven::standard() }, &state) {
            assert!(matches!(error, StepError::Inconsistent { tick: 12, .. }), "{name}, length {bad}: {error}");
        }
    }
    // The state is good for the next step.
    for Outcome { name, result, .. } in outcomes(&Driven::standard(), &state) {
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
    let (euler, state) = (ImplicitEuler::new(), driven::<f64>(1e-3, WIDE));
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
    assert_eq!(bits(&Saved { v: state.save().v, ..after.save() }.sealed()), bits(&state.save()));
    let change = (after.velocity() - state.velocity()).norm();
    assert!((1e-4..1e-1).contains(&change), "{change}");
}

#[test]
fn an_overflow_is_refused() {
    for huge in [1e30, 3e38, -3e38] {
        // Half-explicit Euler moves positions with the velocity as it was, and may pass the overflow on to the next step.
        let refused = refused_or_good(&Driven { torque: huge, ..Driven::standard() }, &driven::<f32>(1e-3, WIDE));
        assert!(refused >= 18, "{huge}: {refused} refused");
    }
}

/// Coordinates, each held by a constraint of small gradient: λ is ten times the push.
#[derive(Clone, Copy, Default)]
struct Guides<const M: usize> {
    /// At t = 0, and later.
    push: [f32; 2],
    /// Where the last constraint is zero, in its own units.
    place: f32,
}

impl<const M: usize> Guides<M> {
    fn pushed(push: f32) -> Self {
        Self { push: [push; 2], place: 0.0 }
    }

    fn at_rest() -> State<f32, M, M> {
        Start::at(&Self::default(), seconds(1e-3), [0.0; M]).at_rest().unwrap()
    }
}

impl<const M: usize> Mechanical<M, M> for Guides<M> {
    type Base = f32;
    type Mass = Diagonal<f32, M>;

    fn mass(&self) -> Diagonal<f32, M> {
        Diagonal::new([1.0; M])
    }
    fn force<S: Real<Base = f32>>(&self, t: S, _q: &Vector<S, M>, _v: &Vector<S, M>) -> Vector<S, M> {
        Vector::repeat(S::from(self.push[usize::from(t.value() > 0.0)]))
    }
    fn constraint<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, M>) -> Vector<S, M> {
        Vector::from_fn(|row, _| q[row] * 0.1 - if row + 1 == M { self.place } else { 0.0 })
    }
}

fn multipliers_that_overflow<const M: usize>() {
    let (state, pushed) = (Guides::<M>::at_rest(), Guides::<M>::pushed);
    for (name, error) in refused(&pushed(1e38), &state) {
        let overflow = matches!(error, StepError::NonFinite { tick: 0, level: Level::Multiplier, index: 0 });
        // Round-off of the huge force may show first.
        let round_off = matches!(error, StepError::NotConverged { .. } | StepError::NonFinite { .. });
        assert!(if name == "rattle" { overflow } else { overflow || round_off }, "{name}: {error}");
    }
    // At one end of the step only.
    for push in [[1e38, 1e38], [1e38, 1.0], [1.0, 1e38]] {
        let error = Rattle::new().step(&Guides::<M> { push, place: 0.0 }, &mut state.clone()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "tick 0: multiplier 0 is NaN or infinite; check the inputs and forces of this tick"
        );
    }
    // The state is good for the next step.
    for outcome in outcomes(&pushed(1.0), &state) {
        assert_eq!(flaw(&pushed(1.0), &state, &outcome), None);
        assert!(outcome.result.is_ok(), "{}", outcome.name);
    }
}

#[test]
fn a_multiplier_that_overflows_is_refused() {
    multipliers_that_overflow::<1>();
    // With two or three constraints, RATTLE checks its first multipliers halfway.
    multipliers_that_overflow::<2>();
    multipliers_that_overflow::<3>();
    // With more than three constraints, other code checks the end of a step.
    multipliers_that_overflow::<5>();
}

/// The constraints are linear: a step would end on those of the changed model, so only its start tells.
fn models_that_move_a_constraint<const M: usize>() {
    let changed = Guides::<M> { place: 1e-3, ..Guides::default() };
    for (name, error) in refused(&changed, &Guides::<M>::at_rest()) {
        let StepError::Inconsistent { tick: 0, residual } = error else { panic!("{name}: {error}") };
        assert_eq!((residual.level, residual.row, residual.residual), (Level::Position, M - 1, -1e-3), "{name}");
    }
}

#[test]
fn a_state_off_the_last_of_several_constraints_is_refused() {
    models_that_move_a_constraint::<2>();
    models_that_move_a_constraint::<3>();
    models_that_move_a_constraint::<5>();
}

/// A force that is NaN on one side of a line.
struct Edge;

impl Mechanical<2, 1> for Edge {
    type Base = f64;
    type Mass = Diagonal<f64, 2>;

    fn mass(&self) -> Diagonal<f64, 2> {
        Diagonal::new([1.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![(q.x - 0.9).sqrt() * 0.0, S::from(-9.81)]
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![(q.dot(q) - 1.0) * 0.5]
    }
}

/// Steps until the first error, which must leave the state.
fn until_refused(mut state: State<f64, 2, 1>, method: &Any<Edge, f64, 2, 1>) -> (State<f64, 2, 1>, StepError<f64>) {
    loop {
        let before = bits(&state);
        match method.step(&Edge, &mut state) {
            Ok(_) => assert!(state.clock().tick() < 100),
            Err(error) => {
                assert_eq!(bits(&state), before);
                return (state, error);
            }
        }
    }
}

#[test]
fn a_force_that_becomes_nan_at_the_end_of_a_step_is_refused() {
    let start = Start::at(&Edge, seconds(0.01), [1.0, 0.0]).limit(1e-2).at_rest().unwrap();
    let (state, error) = until_refused(start, &Rattle::new());
    // The force was finite at the start of the step, and the position was reached.
    assert!(state.position().x > 0.9);
    assert_eq!(error, StepError::NonFinite { tick: state.clock().tick(), level: Level::Velocity, index: 0 });
    assert_eq!(
        error.to_string(),
        format!(
            "tick {}: velocity 0 is NaN or infinite; check the inputs and forces of this tick",
            state.clock().tick()
        )
    );
    // The others notice it within a step, or where they begin the next.
    every_variant(&mut |method: &Any<Edge, f64, 2, 1>| {
        let (name, (state, error)) = (method.name(), until_refused(start, method));
        assert!(state.position().x > 0.88, "{name}: {}", state.position());
        assert!(matches!(error, StepError::NonFinite { .. }), "{name}: {error}");
    });
}

fn invalid_steps<T: Float>() {
    let bits = |number: T| number.to_f64().to_bits();
    for given in [0.0, -0.0, -1e-3, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, 1e300].map(T::from_f64) {
        let is_given = |error: InvalidStep<T>| bits(error.given) == bits(given);
        assert!(Clock::with_step(given).is_err_and(is_given), "{given:e} s");
        assert!(Clock::at_rate(given).is_err_and(is_given), "{given:e} Hz");
        // A clock that is running keeps its step.
        let mut clock = Clock::with_step(T::from_f64(0.25)).unwrap();
        assert!(clock.set_step(given).is_err_and(is_given), "{given:e} s");
        assert!(clock.set_rate(given).is_err_and(is_given), "{given:e} Hz");
        assert_eq!(clock, Clock::with_step(T::from_f64(0.25)).unwrap());
    }
    let error = Clock::with_step(T::from_f64(-0.5)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "-5e-1 is not a step size or a rate: h must be positive, and h² and 512/h² must be finite"
    );
}

#[test]
fn invalid_step_sizes_are_refused() {
    invalid_steps::<f32>();
    invalid_steps::<f64>();
    // 2/h² would be infinite, and a multiplier 0 · ∞.
    assert!(Clock::with_step(6e-20_f32).is_err());
}

/// Each method must refuse, with one of these errors, or make a correct step. Returns how many refused.
fn refused_or_good<T: Float>(system: &Driven<T>, state: &State<T, 3, 1>) -> usize {
    let before = bits(state);
    let mut count = 0;
    for outcome in outcomes(system, state) {
        let what = format!("{}, h = {:e}, {system:?}", outcome.name, state.clock().step());
        if let Err(error) = outcome.result {
            // Stages far apart may have gradients that are orthogonal.
            assert!(
                matches!(
                    error,
                    StepError::NotConverged { .. }
                        | StepError::OffConstraint { .. }
                        | StepError::NonFinite { .. }
                        | StepError::Singular { .. }
                ),
                "{what}: {error}"
            );
            assert_eq!(bits(&outcome.after), before, "{what}: changed the state");
            count += 1;
        }
        // RATTLE, its compositions and symplectic Euler can only fail at the positions.
        let not_reached = matches!(outcome.result, Err(StepError::NotConverged { .. } | StepError::NonFinite { .. }));
        assert!(!NAMES[..5].contains(&outcome.name) || not_reached, "{what}: {:?}", outcome.result);
        assert_eq!(flaw(system, state, &outcome), None, "{what}");
    }
    count
}

fn huge_steps<T: Float>() {
    for h in [1.0, 1e3, 1e9, 1e18] {
        // Implicit Euler may solve its equations with any step size.
        let refused = refused_or_good(&Driven::standard(), &driven::<T>(h, WIDE));
        assert!(refused >= 15, "h = {h}: {refused} refused");
    }
}

#[test]
fn a_step_too_large_does_not_converge() {
    huge_steps::<f32>();
    huge_steps::<f64>();
    // The error says by how much.
    let pendulum = Pendulum::<f64>::standard();
    let mut state = Start::at(&pendulum, seconds(0.4), [1.0, 0.0]).at_rest().unwrap();
    let error = Rattle::new().step(&pendulum, &mut state).unwrap_err();
    let StepError::NotConverged { tick: 0, residual } = error else { panic!("{error}") };
    assert_eq!((residual.level, residual.row), (Level::Position, 0));
    assert!(residual.residual.abs() > residual.limit && (residual.limit - 1.49e-8).abs() < 1e-10);
    assert!(
        error.to_string().starts_with("tick 0: Newton did not converge: position constraint 0 has residual "),
        "{error}"
    );
}

#[test]
fn several_constraints_that_a_step_does_not_reach_are_refused() {
    fn not_reached<System, const N: usize, const M: usize>(system: &System, state: State<f64, N, M>)
    where
        System: Mechanical<N, M, Base = f64>,
        System::Mass: ConstantMass<f64, N>,
    {
        let mut after = state;
        let error = Rattle::new().step(system, &mut after).unwrap_err();
        let StepError::NotConverged { tick: 0, residual } = error else { panic!("{error}") };
        assert!(residual.residual.abs() > residual.limit && residual.level == Level::Position, "{error}");
        assert_eq!(bits(&after), bits(&state));
    }
    let pendulum = DoublePendulum::<f64>::standard();
    not_reached(&pendulum, Start::at(&pendulum, seconds(0.4), [1.0, 0.0, 2.0, 0.0]).at_rest().unwrap());
    let (linkage, bodies) = (FourBarPoints::<f64>::standard().unwrap(), Vector::from(FourBar::guess()));
    let start = Start::at(&linkage, seconds(0.4), FourBarPoints::position(&bodies));
    not_reached(&linkage, start.at_rest().unwrap());
}

#[test]
fn newton_that_moves_away_from_the_constraint_is_said_to_diverge() {
    // From (1, 0) the step predicts (1, 3), and no correction along (1, 0) leads back to the circle.
    let pendulum = Pendulum { gravity: 0.0, ..Pendulum::<f64>::standard() };
    let state = Start::at(&pendulum, seconds(1.0), [1.0, 0.0]).moving([0.0, 3.0]).unwrap();
    let error = Rattle::new().step(&pendulum, &mut state.clone()).unwrap_err();
    let StepError::NotConverged { tick: 0, residual } = error else { panic!("{error}") };
    assert!(residual.residual > 4.5, "it predicts (1 + 9 - 1)/2 and ends at {error}");
    assert!(error.to_string().starts_with("tick 0: Newton diverged: position constraint 0 has residual "), "{error}");
}

/// A bead on two crossing wires, the axes: x y = 0. At the origin the constraint has no gradient.
struct Crossing;

impl Mechanical<2, 1> for Crossing {
    type Base = f64;
    type Mass = Diagonal<f64, 2>;

    fn mass(&self) -> Diagonal<f64, 2> {
        Diagonal::new([1.0; 2])
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
    let mut state = Start::at(&Crossing, seconds(0.125), [-0.5, 0.0]).moving([1.0, 0.0]).unwrap();
    let rattle = Rattle::new();
    for _ in 0..3 {
        let _ = rattle.step(&Crossing, &mut state).unwrap();
    }
    let before = bits(&state);
    for Outcome { name, result, after, .. } in outcomes(&Crossing, &state) {
        let Err(error) = result else {
            // Stages that are not binary fractions end slightly off it.
            let off = after.position().x;
            assert!(off != 0.0 && off.abs() < 1e-15, "{name} went on to {off:e}");
            assert!(["suzuki", "kahan_li", "half_explicit_3", "half_explicit_4"].contains(&name), "{name}");
            continue;
        };
        assert_eq!(bits(&after), before, "{name} changed the state");
        if name.starts_with("runge_kutta") || name.starts_with("radau") {
            // Its last stage ends there. Stages are checked by their results.
            let expected = matches!(error, StepError::NonFinite { tick: 3, .. } | StepError::Singular { tick: 3, .. });
            assert!(expected, "{name}: {error}");
            continue;
        }
        assert!(
            matches!(error, StepError::Singular { tick: 3, cause: FactorError::SmallPivot { index: 0, .. } }),
            "{name}: {error}"
        );
        assert!(error.to_string().starts_with("tick 3: singular: pivot 0e0 of row 0"), "{name}: {error}");
    }
    // A step that does not end there passes by.
    state.clock_mut().set_step(0.1).unwrap();
    for outcome in outcomes(&Crossing, &state) {
        assert!(outcome.result.is_ok(), "{}: {}", outcome.name, outcome.result.unwrap_err());
        assert_eq!(flaw(&Crossing, &state, &outcome), None);
    }
}

/// Two constraints whose gradients, (0, 0, 1) and (y, x, 1), become parallel at the origin.
struct Closing;

impl Mechanical<3, 2> for Closing {
    type Base = f64;
    type Mass = Diagonal<f64, 3>;

    fn mass(&self) -> Diagonal<f64, 3> {
        Diagonal::new([1.0; 3])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 3>, _v: &Vector<S, 3>) -> Vector<S, 3> {
        Vector::zeros()
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 3>) -> Vector<S, 2> {
        vector![q.z, q.z + q.x * q.y]
    }
}

#[test]
fn a_pivot_below_its_limit_is_refused_although_all_numbers_are_finite() {
    // It ends at x = 3e-8, where the second pivot is x² = 9e-16: not zero, and below the limit.
    let state = Start::at(&Closing, seconds(0.125), [3e-8 - 0.125, 0.0, 0.0]).moving([1.0, 0.0, 0.0]).unwrap();
    let error = Rattle::new().step(&Closing, &mut state.clone()).unwrap_err();
    let StepError::Singular { tick: 0, cause: FactorError::SmallPivot { index: 1, pivot, limit } } = error else {
        panic!("{error}")
    };
    assert!(pivot > 0.0 && pivot < limit, "{error}");
}

/// Two guides for one coordinate that agree at first and part as t³.
struct Parting;

impl Mechanical<2, 2> for Parting {
    type Base = f64;
    type Mass = Diagonal<f64, 2>;

    fn mass(&self) -> Diagonal<f64, 2> {
        Diagonal::new([1.0; 2])
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
        Start::at(&Parting, seconds(5e-5), [0.0, 0.0]).redundant().at_rest().unwrap();
    // They part with 3 t²: after 50 µs by less than the limit, 1.5e-8 of a metre and of a metre a second, each.
    for outcome in outcomes(&Parting, &state) {
        assert_eq!(outcome.result.unwrap().rank, 1, "{}", outcome.name);
    }
    let _ = Rattle::new().step(&Parting, &mut state).unwrap();
    // A step of 1 ms on, the velocities contradict each other by 3.3e-6, half of it each.
    state.clock_mut().set_step(1e-3).unwrap();
    let before = bits(&state);
    for outcome in outcomes(&Parting, &state) {
        let Outcome { name, result, after } = &outcome;
        if Claim::of(name).velocities {
            let Err(error) = result else { panic!("{name} went on to {after:?}") };
            let (StepError::OffConstraint { tick: 1, residual } | StepError::NotConverged { tick: 1, residual }) =
                error
            else {
                panic!("{name}: {error}")
            };
            assert_eq!(residual.level, Level::Velocity, "{name}");
            assert!((residual.residual.abs() - 1.65e-6).abs() < 2e-8, "{name}: {error}");
            assert_eq!(bits(after), before, "{name}");
        } else {
            // These methods do not enforce velocities, and the positions are only 1e-9 apart.
            assert_eq!(flaw(&Parting, &state, &outcome), None);
        }
    }
}

fn changed_models<T: Float>() {
    let state = driven(1e-3, T::ROOT_EPSILON.to_f64());
    for (name, error) in refused(&Driven { length: T::from_f64(1.001), ..Driven::standard() }, &state) {
        let StepError::Inconsistent { tick: 12, residual } = error else { panic!("{name}: {error}") };
        assert_eq!((residual.level, residual.row), (Level::Position, 0));
        assert!((residual.residual.to_f64() + 1.0005e-3).abs() < 1e-6, "{error}");
        // A compensated state may begin a step at twice the limit.
        assert!((residual.limit.to_f64() / T::ROOT_EPSILON.to_f64() - 2.0).abs() < 2e-3, "{error}");
        assert!(
            error.to_string().starts_with("tick 12: model changed: position constraint 0 has residual -1.000"),
            "{error}"
        );
    }
    // A changed input is accepted.
    let (system, state) = (Driven { torque: T::one(), ..Driven::standard() }, driven(1e-3, WIDE));
    for outcome in outcomes(&system, &state) {
        assert!(outcome.result.is_ok(), "{}: {}", outcome.name, outcome.result.unwrap_err());
        assert_eq!(flaw(&system, &state, &outcome), None);
    }
}

#[test]
fn a_state_of_a_changed_model_is_refused() {
    changed_models::<f32>();
    changed_models::<f64>();
}
