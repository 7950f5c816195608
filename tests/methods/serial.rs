//! Serial mechanisms: the same motion as the dense methods, in linear memory and time.
//!
//! The reference is the dense method on the same equations: [`Dense`] turns a serial mechanism into a mechanical system.

use mechanisms::{Chain, HangingChain, PinnedBars, SuspendedChain};
use proptest::prelude::*;
use taut::linalg::{FactorError, Ldlt, Matrix, Vector};
use taut::method::{Rattle, Report, RungeKutta4, SerialReport, Step, StepError};
use taut::project::Level;
use taut::scalar::Real;
use taut::start::{Clock, Part, Plain, SerialState, Start, StartError, State};
use taut::system::{Diagonal, Mechanical, Serial};

/// A serial mechanism of `N` elements as a system with `C` coordinates and `M` constraints.
struct Dense<System, const N: usize, const D: usize, const E: usize>(System);

impl<System, const N: usize, const D: usize, const E: usize, const C: usize, const M: usize> Mechanical<C, M>
    for Dense<System, N, D, E>
where
    System: Serial<N, D, E, Base = f64>,
{
    type Base = f64;
    type Mass = Diagonal<f64, C>;
    const VELOCITY_DEPENDENT: bool = System::VELOCITY_DEPENDENT;
    const ANGLES: [bool; C] = {
        let (mut angles, mut i) = ([false; C], 0);
        while i < C {
            angles[i] = System::ANGLES[i % D];
            i += 1;
        }
        angles
    };

    fn mass(&self) -> Diagonal<f64, C> {
        Diagonal::new(core::array::from_fn(|i| self.0.mass(i / D)[i % D]))
    }

    fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, C>, v: &Vector<S, C>) -> Vector<S, C> {
        let mut force = Vector::<S, C>::zeros();
        for i in 0..N {
            let of = self.0.force(i, t, &element::<S, C, D>(q, i), &element::<S, C, D>(v, i));
            (0..D).for_each(|k| force[i * D + k] = of[k]);
        }
        force
    }

    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, C>) -> Vector<S, M> {
        let mut g = Vector::<S, M>::zeros();
        for joint in 0..M / E {
            let before = if joint == 0 { self.0.ground(t) } else { element(q, joint - 1) };
            let behind = if joint == N { self.0.far_ground(t) } else { element(q, joint) };
            let of = self.0.constraint(joint, &before, &behind);
            (0..E).for_each(|k| g[joint * E + k] = of[k]);
        }
        g
    }
}

fn element<S: Real, const C: usize, const D: usize>(q: &Vector<S, C>, i: usize) -> Vector<S, D> {
    Vector::from_fn(|k, _| q[i * D + k])
}

fn clock() -> Clock<f64> {
    Clock::at_rate(1_000.0).unwrap()
}

/// A plain state of the dense form.
type DenseState<const C: usize, const M: usize> = State<f64, C, M, Ldlt<f64, M>, Plain>;

/// A method for both forms.
trait Both<System, const N: usize, const D: usize, const E: usize, const C: usize, const M: usize>:
    Step<System, SerialState<f64, N, D, E>, Report = SerialReport<f64, N, E>, Error = StepError<f64>>
    + Step<Dense<System, N, D, E>, DenseState<C, M>, Report = Report<f64, M>, Error = StepError<f64>>
{
}

impl<Method, System, const N: usize, const D: usize, const E: usize, const C: usize, const M: usize>
    Both<System, N, D, E, C, M> for Method
where
    Method: Step<System, SerialState<f64, N, D, E>, Report = SerialReport<f64, N, E>, Error = StepError<f64>>
        + Step<Dense<System, N, D, E>, DenseState<C, M>, Report = Report<f64, M>, Error = StepError<f64>>,
{
}

/// Runs a mechanism beside its dense form. Returns the largest difference of positions, velocities and turns; multipliers
/// and residuals are compared on the way.
fn difference<System, const N: usize, const D: usize, const E: usize, const C: usize, const M: usize>(
    system: System,
    guess: [[f64; D]; N],
    velocity: [[f64; D]; N],
    method: &impl Both<System, N, D, E, C, M>,
    steps: usize,
) -> f64
where
    System: Serial<N, D, E, Base = f64>,
{
    let mut state = SerialState::moving(&system, clock(), guess, velocity).unwrap();
    let dense = Dense::<System, N, D, E>(system);
    let flat = |x: [[f64; D]; N]| Vector::<f64, C>::from_fn(|i, _| x[i / D][i % D]);
    let mut reference = Start::<_, C, M>::at(&dense, clock(), flat(guess)).plain().moving(flat(velocity)).unwrap();
    for step in 0..steps {
        let expected = method.step(&dense, &mut reference).unwrap();
        let report = method.step(&dense.0, &mut state).unwrap();
        for row in 0..M {
            let joint = report.joints.get(row / E).unwrap_or(&report.closing);
            let (multiplier, other) = (joint.multipliers[row % E], expected.multipliers[row]);
            assert!((multiplier - other).abs() < 1e-6 * (1.0 + other.abs()), "{row} of {step}: {multiplier}, {other}");
            assert!((joint.position_residual[row % E] - expected.position_residual[row]).abs() < 1e-13);
            assert!((joint.velocity_residual[row % E] - expected.velocity_residual[row]).abs() < 1e-12);
        }
        assert!((report.smallest_pivot / expected.smallest_pivot - 1.0).abs() < 1e-6);
    }
    assert_eq!(state.clock().tick(), reference.clock().tick());
    let mut largest = 0.0_f64;
    for i in 0..C {
        let q = state.position(i / D).unwrap()[i % D] - reference.position()[i];
        let v = state.velocity(i / D).unwrap()[i % D] - reference.velocity()[i];
        let turns = state.turns(i / D).unwrap()[i % D] - reference.turns()[i];
        largest = largest.max(q.abs()).max(v.abs()).max(f64::from(turns.abs()));
    }
    largest
}

const REST: [f64; 2] = [0.0; 2];

#[test]
fn chains_move_as_dense_chains() {
    fn of<const N: usize, const C: usize, const K: usize>(steps: usize) -> f64 {
        let (chain, q) = (HangingChain::<f64, N>::standard(), HangingChain::<f64, N>::position());
        difference::<_, N, 2, 1, C, N>(chain, q, [REST; N], &Rattle::new().iterations::<K>(), steps)
    }
    for (what, difference) in [
        ("1 link", of::<1, 2, 2>(1_000)),
        ("2 links", of::<2, 4, 2>(1_000)),
        ("8 links", of::<8, 16, 2>(1_000)),
        ("8 links, 1 iteration", of::<8, 16, 1>(100)),
        ("8 links, 6 iterations", of::<8, 16, 6>(1_000)),
        ("12 links", of::<12, 24, 6>(1_000)),
    ] {
        assert!(difference < 1e-13, "{what}: {difference:e}");
    }
}

#[test]
fn a_chain_moves_as_that_of_the_gallery() {
    let (dense, chain) = (Chain::<f64, 16, 8>::standard(), HangingChain::<f64, 8>::standard());
    let mut reference = Start::at(&dense, clock(), Chain::<f64, 16, 8>::position()).plain().at_rest().unwrap();
    let mut state = SerialState::at_rest(&chain, clock(), HangingChain::<f64, 8>::position()).unwrap();
    for _ in 0..1_000 {
        Rattle::new().step(&dense, &mut reference).unwrap();
        Rattle::new().step(&chain, &mut state).unwrap();
    }
    for i in 0..16 {
        let off = state.position(i / 2).unwrap()[i % 2] - reference.position()[i];
        assert!(off.abs() < 1e-13, "{i}: {off:e}");
    }
}

#[test]
fn a_closed_chain_moves_as_the_dense_one() {
    let (chain, guess) = (SuspendedChain::<f64, 9>::standard(), SuspendedChain::<f64, 9>::guess());
    let off = difference::<_, 9, 2, 1, 18, 10>(chain, guess, [[0.3, 0.0]; 9], &Rattle::new(), 1_000);
    assert!(off < 1e-13, "{off:e}");
}

#[test]
fn bars_with_damping_angles_and_a_moving_support_move_as_dense_bars() {
    let standard = PinnedBars::<f64, 3, false>::standard();
    let guess = PinnedBars::<f64, 3, false>::guess();
    let turning = [[0.0, 0.0, 60.0]; 3];
    for bars in
        [standard, PinnedBars { damping: 0.1, ..standard }, PinnedBars { swing: 0.05, damping: 0.02, ..standard }]
    {
        let off = difference::<_, 3, 3, 2, 9, 6>(bars, guess, turning, &Rattle::new(), 500);
        assert!(off < 1e-11, "{bars:?}: {off:e}");
    }
    // A ring of rigid bars: four bars with the ground.
    let ring = PinnedBars::<f64, 4, true> { damping: 0.05, ..PinnedBars::standard() };
    let guess = PinnedBars::<f64, 4, true>::guess();
    let off = difference::<_, 4, 3, 2, 12, 10>(ring, guess, [[0.0; 3]; 4], &Rattle::new(), 1_000);
    assert!(off < 1e-12, "{off:e}");
}

#[test]
fn runge_kutta_moves_them_as_the_dense_method() {
    let method = RungeKutta4::new();
    let (chain, q) = (HangingChain::<f64, 8>::standard(), HangingChain::<f64, 8>::position());
    let off = difference::<_, 8, 2, 1, 16, 8>(chain, q, [REST; 8], &method, 1_000);
    assert!(off < 1e-13, "{off:e}");
    let (chain, guess) = (SuspendedChain::<f64, 9>::standard(), SuspendedChain::<f64, 9>::guess());
    let off = difference::<_, 9, 2, 1, 18, 10>(chain, guess, [[0.3, 0.0]; 9], &method, 1_000);
    assert!(off < 1e-13, "{off:e}");
    let bars = PinnedBars::<f64, 3, false> { swing: 0.05, damping: 0.02, ..PinnedBars::standard() };
    let guess = PinnedBars::<f64, 3, false>::guess();
    let off = difference::<_, 3, 3, 2, 9, 6>(bars, guess, [[0.0, 0.0, 60.0]; 3], &method, 500);
    assert!(off < 1e-11, "{off:e}");
}

/// The exponent by which the error falls with the step size, against steps sixteen times shorter.
fn order(method: &impl Step<SuspendedChain<f64, 16>, SerialState<f64, 16, 2, 1>, Error = StepError<f64>>) -> f64 {
    let (chain, guess) = (SuspendedChain::<f64, 16>::standard(), SuspendedChain::<f64, 16>::guess());
    let end = |steps: usize| {
        let clock = Clock::with_step(0.2 / steps as f64).unwrap();
        let mut state = SerialState::at_rest(&chain, clock, guess).unwrap();
        for _ in 0..steps {
            method.step(&chain, &mut state).unwrap();
        }
        *state.position(7).unwrap()
    };
    let reference = end(3_200);
    let [coarse, fine] = [100, 200].map(|steps| (end(steps) - reference).norm());
    (coarse / fine).log2()
}

#[test]
fn the_orders_are_two_and_four() {
    let (rattle, runge_kutta) = (order(&Rattle::new().iterations::<8>()), order(&RungeKutta4::new()));
    assert!((rattle - 2.0).abs() < 0.1, "RATTLE: {rattle}");
    assert!((runge_kutta - 4.0).abs() < 0.3, "Runge–Kutta: {runge_kutta}");
}

#[test]
fn long_chains_keep_their_constraints_and_their_energy() {
    let (chain, q) = (HangingChain::<f64, 64>::standard(), HangingChain::<f64, 64>::position());
    let mut state = SerialState::at_rest(&chain, clock(), q).unwrap();
    let energy = |state: &SerialState<f64, 64, 2, 1>| -> f64 {
        let of = |i| 0.05 * state.velocity(i).unwrap().norm_squared() + 0.981 * state.position(i).unwrap().y;
        (0..64).map(of).sum()
    };
    let begin = energy(&state);
    for _ in 0..2_000 {
        let report = Rattle::new().step(&chain, &mut state).unwrap();
        for joint in report.joints {
            assert!(joint.position_residual[0].abs() < 1e-14 && joint.velocity_residual[0].abs() < 1e-13);
        }
    }
    // 140 J are at its disposal.
    assert!((energy(&state) - begin).abs() < 1e-2, "{:e}", energy(&state) - begin);
}

/// The state before, as bits: an error must not change it.
fn bits<const N: usize, const D: usize, const E: usize>(state: &SerialState<f64, N, D, E>) -> Vec<u64> {
    let numbers = |i| {
        [state.position(i).unwrap(), state.velocity(i).unwrap()]
            .map(|x| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
            .concat()
    };
    (0..N).flat_map(numbers).chain([state.clock().tick()]).collect()
}

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Chains of any masses, lengths and directions: equal to the dense method, on their constraints.
    #[test]
    fn random_chains_move_as_dense_chains(
        links in proptest::array::uniform7((0.05..2.0_f64, 0.05..0.5_f64, -3.0..3.0_f64)),
        spin in -2.0..2.0_f64,
    ) {
        let mut chain = HangingChain::<f64, 7>::standard();
        let (mut guess, mut velocity, mut end) = ([REST; 7], [REST; 7], [0.0; 2]);
        for (i, (mass, length, angle)) in links.into_iter().enumerate() {
            (chain.links[i].mass, chain.links[i].length) = (mass, length);
            end = [end[0] + length * angle.cos(), end[1] + length * angle.sin()];
            // Off the constraint by up to a hundredth of the length.
            guess[i] = [end[0] * 1.001, end[1] + 0.01 * length];
            velocity[i] = [-spin * end[1], spin * end[0]];
        }
        let off = difference::<_, 7, 2, 1, 14, 7>(chain, guess, velocity, &Rattle::new(), 20);
        prop_assert!(off < 1e-9, "{:e}", off);
    }

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
