//! Hostile models, states and starts are refused with what is wrong, and leave the state as it was.

use super::{REST, bits, clock};
use mechanisms::{HangingChain, PinnedBars, SuspendedChain};
use proptest::prelude::*;
use taut::linalg::{FactorError, Matrix, Vector};
use taut::method::{Rattle, Step, StepError};
use taut::project::Level;
use taut::scalar::Real;
use taut::start::{Clock, Part, SerialState, StartError};
use taut::system::Serial;

#[test]
fn refused_steps_leave_the_state_as_it_was() {
    let chain = HangingChain::<f64, 5>::standard();
    let start = || SerialState::at_rest(&chain, clock().at_tick(7), HangingChain::<f64, 5>::position()).unwrap();
    let changed = |change: fn(&mut HangingChain<f64, 5>)| {
        let mut other = chain;
        change(&mut other);
        other
    };
    let refused = |system: &HangingChain<f64, 5>, mut state: SerialState<f64, 5, 2, 1>| {
        let before = bits(&state);
        let error = Rattle::new().step(system, &mut state).unwrap_err();
        assert_eq!(bits(&state), before, "{error}");
        // The next step of the right model is made as if nothing had happened.
        let mut untouched = start();
        if bits(&untouched) == before {
            Rattle::new().step(&chain, &mut state).unwrap();
            Rattle::new().step(&chain, &mut untouched).unwrap();
            assert_eq!(bits(&state), bits(&untouched), "{error}");
        }
        error
    };
    let error = refused(&changed(|chain| chain.links[3].length = 0.11), start());
    assert!(matches!(error, StepError::Inconsistent { tick: 7, residual } if residual.row == 3), "{error}");
    let error = refused(&changed(|chain| chain.links[2].length = f64::NAN), start());
    assert!(matches!(error, StepError::Inconsistent { residual, .. } if residual.row == 2), "{error}");
    for gravity in [f64::NAN, f64::INFINITY] {
        let error = refused(&HangingChain { gravity, ..chain }, start());
        assert!(matches!(error, StepError::NonFinite { tick: 7, level: Level::Position, index: 0 }), "{error}");
    }
    let error = refused(&HangingChain { gravity: 1e7, ..chain }, start());
    assert!(matches!(error, StepError::NotConverged { .. }), "{error}");
    let fast = core::array::from_fn(|i| [900.0 * (i + 1) as f64; 2]);
    let fast = SerialState::moving(&chain, clock().at_tick(7), HangingChain::<f64, 5>::position(), fast).unwrap();
    assert!(matches!(refused(&chain, fast), StepError::NotConverged { tick: 7, .. }));
}

#[test]
fn hostile_starts_are_refused_with_what_is_wrong() {
    let (chain, q) = (HangingChain::<f64, 4>::standard(), HangingChain::<f64, 4>::position());
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut guess = q;
        guess[2][1] = bad;
        let error = SerialState::at_rest(&chain, clock(), guess).unwrap_err();
        assert_eq!(error, StartError::NonFinite { part: Part::Position, index: 5 });
        let mut velocity = [REST; 4];
        velocity[3][0] = bad;
        let error = SerialState::moving(&chain, clock(), q, velocity).unwrap_err();
        assert_eq!(error, StartError::NonFinite { part: Part::Velocity, index: 6 });
        let error = SerialState::at_rest(&HangingChain { gravity: bad, ..chain }, clock(), q).unwrap_err();
        assert_eq!(error, StartError::NonFinite { part: Part::Force, index: 1 });
        let error = SerialState::at_rest(&chain, clock().at_time(bad), q).unwrap_err();
        assert_eq!(error, StartError::NonFinite { part: Part::Time, index: 0 });
    }
    for mass in [0.0, -1.0, f64::NAN] {
        let mut other = chain;
        other.links[1].mass = mass;
        let error = SerialState::at_rest(&other, clock(), q).unwrap_err();
        let StartError::Mass(FactorError::SmallPivot { index, .. } | FactorError::NonFinite { index }) = error else {
            panic!("{error}")
        };
        assert_eq!(index, 2, "{mass}");
    }
    for h in [0.0, -1e-3, f64::NAN] {
        assert!(Clock::with_step(h).is_err());
    }
}

#[test]
fn singular_and_unreachable_poses_are_refused_with_their_joint() {
    // Mass 2 on mass 1: the gradient of rod 2 is zero.
    let chain = HangingChain::<f64, 4>::standard();
    let mut guess = HangingChain::<f64, 4>::position();
    guess[2] = guess[1];
    let error = SerialState::at_rest(&chain, clock(), guess).unwrap_err();
    assert!(matches!(error, StartError::Constraints(FactorError::SmallPivot { index: 2, .. })), "{error}");
    // The supports are further apart than the rods are long.
    let far = SuspendedChain { span: 1.2, ..SuspendedChain::<f64, 9>::standard() };
    let error = SerialState::at_rest(&far, clock(), SuspendedChain::<f64, 9>::guess()).unwrap_err();
    assert!(matches!(error, StartError::NotAssembled { iterations: 1.., .. }), "{error}");
    // Stretched between its supports, the closing rod is redundant.
    let stretched = SuspendedChain { span: 1.0, ..SuspendedChain::<f64, 9>::standard() };
    let line = core::array::from_fn(|i| [0.1 * (i + 1) as f64, 0.0]);
    let error = SerialState::at_rest(&stretched, clock(), line).unwrap_err();
    assert!(matches!(error, StartError::Constraints(FactorError::SmallPivot { index: 9, .. })), "{error}");
    // A bar pinned at both ends: its last constraint is redundant.
    let bar = PinnedBars::<f64, 1, true> { span: 0.2, ..PinnedBars::standard() };
    let error = SerialState::at_rest(&bar, clock(), [[0.1, 0.0, 0.0]]).unwrap_err();
    assert!(matches!(error, StartError::Constraints(FactorError::SmallPivot { index: 2 | 3, .. })), "{error}");
}

/// A chain whose rod `joint` has no gradient, if there is such a rod.
struct Loose {
    chain: HangingChain<f64, 5>,
    joint: usize,
}

impl Serial<5, 2, 1> for Loose {
    type Base = f64;

    fn mass(&self, element: usize) -> Vector<f64, 2> {
        self.chain.mass(element)
    }
    fn force<S: Real<Base = f64>>(&self, element: usize, t: S, q: &Vector<S, 2>, v: &Vector<S, 2>) -> Vector<S, 2> {
        self.chain.force(element, t, q, v)
    }
    fn constraint<S: Real<Base = f64>>(
        &self,
        joint: usize,
        before: &Vector<S, 2>,
        behind: &Vector<S, 2>,
    ) -> Vector<S, 1> {
        self.chain.constraint(joint, before, behind)
    }
    fn gradients(&self, joint: usize, before: &Vector<f64, 2>, behind: &Vector<f64, 2>) -> [Matrix<f64, 1, 2>; 2] {
        let factor = if joint == self.joint { 0.0 } else { 1.0 };
        self.chain.gradients(joint, before, behind).map(|gradient| gradient * factor)
    }
}

#[test]
fn a_step_onto_a_singular_pose_is_refused_with_its_joint() {
    let mut chain = Loose { chain: HangingChain::standard(), joint: 99 };
    let mut state = SerialState::at_rest(&chain, clock(), HangingChain::<f64, 5>::position()).unwrap();
    for joint in 0..5 {
        chain.joint = joint;
        let before = bits(&state);
        let error = Rattle::new().step(&chain, &mut state).unwrap_err();
        let StepError::Singular { tick: 0, cause: FactorError::SmallPivot { index, pivot, .. } } = error else {
            panic!("{error}")
        };
        assert_eq!((index, pivot), (joint, 0.0));
        assert_eq!(bits(&state), before);
    }
}

#[test]
fn a_changed_model_goes_on_after_resume() {
    let mut chain = HangingChain::<f64, 6>::standard();
    let mut state = SerialState::at_rest(&chain, clock(), HangingChain::<f64, 6>::position()).unwrap();
    for _ in 0..50 {
        Rattle::new().step(&chain, &mut state).unwrap();
    }
    chain.links[2].length = 0.11;
    assert!(Rattle::new().step(&chain, &mut state).is_err());
    state.resume(&chain).unwrap();
    assert_eq!(state.clock().tick(), 50);
    Rattle::new().step(&chain, &mut state).unwrap();
    let rod = state.position(2).unwrap() - state.position(1).unwrap();
    assert!((rod.norm() - 0.11).abs() < 1e-12);
    let before = bits(&state);
    chain.links[0].mass = 0.0;
    assert!(matches!(state.resume(&chain), Err(StartError::Mass(_))));
    assert_eq!(bits(&state), before);
}

/// Chains so heavy that the force in a rod overflows on the way down: every number of an accepted step is finite.
#[test]
fn multipliers_that_overflow_are_refused() {
    for k in 0..40 {
        let mut chain = HangingChain::<f32, 2>::standard();
        chain.links[0].mass = 1e35 * (1.0 + 0.2 * k as f32);
        let clock = Clock::with_step(2e-3_f32).unwrap();
        let plain = SerialState::at_rest(&chain, clock, [[0.1, 0.0], [0.2, 0.0]]).unwrap();
        let mut states = (plain, plain.compensated(&chain).unwrap());
        let mut refused = [None; 2];
        for _ in 0..200 {
            let rattle = Rattle::new();
            for (is_plain, result) in
                [(true, rattle.step(&chain, &mut states.0)), (false, rattle.step(&chain, &mut states.1))]
            {
                match result {
                    Ok(report) => {
                        let saved = [states.0.save().joints.map(|joint| joint.multipliers[0]), {
                            states.1.save().joints.map(|joint| joint.multipliers[0])
                        }];
                        assert!(saved.iter().flatten().all(|multiplier| multiplier.is_finite()), "{k}: {saved:?}");
                        assert!(report.joints.iter().all(|joint| joint.multipliers[0].is_finite()), "{k}: {report:?}");
                    }
                    Err(error) => refused[usize::from(is_plain)] = Some(error),
                }
            }
        }
        for error in refused.into_iter().flatten() {
            assert!(matches!(error, StepError::NonFinite { level: Level::Multiplier, index: 0, .. }), "{k}: {error}");
        }
        // At the bottom the first rod carries three weights of its mass: λ = 3 m g/l, which overflows from m = 5.8e35 kg on, doubled.
        for refused in refused {
            assert!(refused.is_some() || k < 26, "{k}");
            assert!(refused.is_none() || k > 22, "{k}: {refused:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is given, the answer is a state on the constraints or an error, and steps fail without a trace.
    #[test]
    fn any_numbers_are_answered(
        numbers in proptest::array::uniform16(any::<f64>()),
        rate in any::<f64>(),
        gravity in any::<f64>(),
    ) {
        let mut chain = HangingChain::<f64, 4>::standard();
        chain.gravity = gravity;
        (chain.links[1].mass, chain.links[2].length) = (numbers[12], numbers[13]);
        let guess = core::array::from_fn(|i| [numbers[2 * i], numbers[2 * i + 1]]);
        let velocity = core::array::from_fn(|i| [numbers[8 + i], numbers[15 - i]]);
        if let Ok(clock) = Clock::at_rate(rate)
            && let Ok(mut state) = SerialState::moving(&chain, clock, guess, velocity)
        {
            let before = bits(&state);
            match Rattle::new().step(&chain, &mut state) {
                Ok(_) => prop_assert!((0..4).all(|i| state.position(i).unwrap().iter().chain(state.velocity(i).unwrap()).all(|x| x.is_finite()))),
                Err(_) => prop_assert_eq!(bits(&state), before),
            }
        }
    }
}
