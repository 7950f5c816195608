//! Constraints that depend on each other: the rank is found along the mechanism, and the motion is that of an independent description.
//!
//! A planar chain between two supports, described in space: its rods, and z behind = z before at every joint. The last of these follows
//! from the others. The reference is the dense method by rank, and the planar chain.

use super::{Dense, clock};
use mechanisms::{HangingChain, Mobile, SuspendedChain};
use nalgebra::{DMatrix, vector};
use taut::linalg::{FactorError, Semidefinite, Vector};
use taut::method::{Rattle, Report, RungeKutta4, SerialReport, Step, StepError};
use taut::scalar::{Float, Real};
use taut::start::{Clock, Plain, Precision, SerialState, Start, StartError, State};
use taut::system::{Parents, Serial};

/// A chain between two supports, in space. Where `BY_RANK` is false, it does not say that its constraints are redundant.
#[derive(Clone, Copy)]
struct InSpace<T, const LINKS: usize, const BY_RANK: bool>(SuspendedChain<T, LINKS>);

impl<T: Float, const LINKS: usize, const BY_RANK: bool> Serial<LINKS, 3, 2> for InSpace<T, LINKS, BY_RANK> {
    type Base = T;

    const CLOSED: bool = true;
    const REDUNDANT: bool = BY_RANK;

    fn mass(&self, element: usize) -> Vector<T, 3> {
        let [x, y] = self.0.mass(element).into();
        vector![x, y, x]
    }
    fn force<S: Real<Base = T>>(&self, element: usize, t: S, q: &Vector<S, 3>, v: &Vector<S, 3>) -> Vector<S, 3> {
        let [x, y] = self.0.force(element, t, &vector![q.x, q.y], &vector![v.x, v.y]).into();
        vector![x, y, S::zero()]
    }
    fn constraint<S: Real<Base = T>>(
        &self,
        joint: usize,
        before: &Vector<S, 3>,
        behind: &Vector<S, 3>,
    ) -> Vector<S, 2> {
        let rod = self.0.constraint(joint, &vector![before.x, before.y], &vector![behind.x, behind.y])[0];
        vector![rod, behind.z - before.z]
    }
    fn far_ground<S: Real<Base = T>>(&self, t: S) -> Vector<S, 3> {
        let [x, y] = self.0.far_ground(t).into();
        vector![x, y, S::zero()]
    }
}

const LINKS: usize = 9;

type Ring<const BY_RANK: bool> = InSpace<f64, LINKS, BY_RANK>;

fn ring<const BY_RANK: bool>() -> Ring<BY_RANK> {
    InSpace(SuspendedChain::standard())
}

fn in_space<T: Float, const N: usize>(plane: [[T; 2]; N]) -> [[T; 3]; N] {
    plane.map(|[x, y]| [x, y, T::zero()])
}

/// The motion of the ring after 500 steps against that of the chain in the plane.
fn off_the_plane<P: Precision>(
    method: &(
         impl Step<
        Ring<true>,
        SerialState<f64, LINKS, 3, 2, P>,
        Report = SerialReport<f64, LINKS, 2>,
        Error = StepError<f64>,
    > + Step<
        SuspendedChain<f64, LINKS>,
        SerialState<f64, LINKS, 2, 1, P>,
        Report = SerialReport<f64, LINKS, 1>,
        Error = StepError<f64>,
    >
     ),
    mut state: SerialState<f64, LINKS, 3, 2, P>,
    mut plane: SerialState<f64, LINKS, 2, 1, P>,
) -> f64 {
    let (ring, chain) = (ring::<true>(), SuspendedChain::<f64, LINKS>::standard());
    for step in 0..500 {
        let (report, expected) = (method.step(&ring, &mut state).unwrap(), method.step(&chain, &mut plane).unwrap());
        assert_eq!((report.rank, expected.rank), (19, 10), "of twenty and of ten");
        let joints = report.joints.iter().chain([&report.closing]);
        for (joint, (of, other)) in joints.zip(expected.joints.iter().chain([&expected.closing])).enumerate() {
            // Round-off enters multipliers as ε/h²; forces in z there are none.
            let [rod, across] = of.multipliers.into();
            assert!((rod - other.multipliers[0]).abs() < 1e-6, "step {step}, joint {joint}");
            assert!(across.abs() < 1e-9, "step {step}, joint {joint}: {across}");
        }
        assert!(report.smallest_pivot > 0.5 * expected.smallest_pivot && report.smallest_pivot.is_finite());
    }
    let mut largest = 0.0_f64;
    for i in 0..LINKS {
        let (q, expected) = (state.position(i).unwrap(), plane.position(i).unwrap());
        largest = largest.max((q.x - expected.x).abs()).max((q.y - expected.y).abs()).max(q.z.abs());
    }
    largest
}

#[test]
fn a_ring_that_repeats_a_constraint_moves_as_without_it() {
    let (chain, guess) = (SuspendedChain::<f64, LINKS>::standard(), SuspendedChain::<f64, LINKS>::guess());
    let velocity = [[0.3, 0.0]; LINKS];
    let state = SerialState::moving(&ring::<true>(), clock(), in_space(guess), in_space(velocity)).unwrap();
    let plane = SerialState::moving(&chain, clock(), guess, velocity).unwrap();
    for off in [
        off_the_plane::<Plain>(&Rattle::new(), state, plane),
        off_the_plane::<Plain>(&RungeKutta4::new(), state, plane),
        off_the_plane(&Rattle::new(), state.compensated(&ring::<true>()).unwrap(), plane.compensated(&chain).unwrap()),
        off_the_plane(&Rattle::new(), state.precise(&ring::<true>()).unwrap(), plane.precise(&chain).unwrap()),
    ] {
        assert!(off < 1e-12, "{off:e}");
    }
}

/// Masses that also move across the plane: z is not zero in any force, and the dense method by rank shares the load otherwise.
#[test]
fn it_moves_as_the_dense_method_by_rank() {
    let (guess, mut velocity) = (in_space(SuspendedChain::<f64, LINKS>::guess()), [[0.3, 0.0, 0.0]; LINKS]);
    velocity[4][2] = 1.0;
    let mut state = SerialState::moving(&ring::<true>(), clock(), guess, velocity).unwrap();
    let dense = Dense::<_, LINKS, 3, 2>(ring::<true>());
    let flat = |x: [[f64; 3]; LINKS]| Vector::<f64, 27>::from_fn(|i, _| x[i / 3][i % 3]);
    let start = Start::<_, 27, 20>::at(&dense, clock(), flat(guess)).redundant().plain();
    let mut reference: State<f64, 27, 20, Semidefinite<f64, 20>, Plain> = start.moving(flat(velocity)).unwrap();
    for _ in 0..500 {
        let report = Rattle::new().step(&ring::<true>(), &mut state).unwrap();
        let expected = Rattle::new().step(&dense, &mut reference).unwrap();
        assert_eq!((report.rank, expected.rank), (19, 19));
    }
    for i in 0..27 {
        let off = state.position(i / 3).unwrap()[i % 3] - reference.position()[i];
        assert!(off.abs() < 1e-12, "{i}: {off:e}");
    }
}

/// A tree of masses on rods, in space as above. Its last mass hangs at the far ground, too.
#[derive(Clone, Copy)]
struct TreeInSpace(Mobile<f64, 7>);

impl Serial<7, 3, 2> for TreeInSpace {
    type Base = f64;

    const CLOSED: bool = true;
    const REDUNDANT: bool = true;
    const RELATIVE: bool = true;
    const VELOCITY_DEPENDENT: bool = false;
    const PARENTS: Parents<7> = Mobile::<f64, 7>::PARENTS;

    fn mass(&self, element: usize) -> Vector<f64, 3> {
        let [x, y] = self.0.mass(element).into();
        vector![x, y, x]
    }
    fn force<S: Real<Base = f64>>(&self, element: usize, t: S, q: &Vector<S, 3>, v: &Vector<S, 3>) -> Vector<S, 3> {
        let [x, y] = self.0.force(element, t, &vector![q.x, q.y], &vector![v.x, v.y]).into();
        vector![x, y, S::zero()]
    }
    fn constraint<S: Real<Base = f64>>(
        &self,
        joint: usize,
        before: &Vector<S, 3>,
        behind: &Vector<S, 3>,
    ) -> Vector<S, 2> {
        let rod = self.0.constraint(joint, &vector![before.x, before.y], &vector![behind.x, behind.y])[0];
        vector![rod, behind.z - before.z]
    }
    /// A rod from the last mass, which is at (0.18, −0.24).
    fn far_ground<S: Real<Base = f64>>(&self, _t: S) -> Vector<S, 3> {
        vector![S::from(0.28), S::from(-0.24), S::zero()]
    }
}

/// Sixteen constraints, of which fifteen are independent; 1e-13 after 1,000 steps.
#[test]
fn a_redundant_tree_moves_as_the_dense_method_by_rank() {
    fn off<Method>(method: &Method) -> f64
    where
        Method: Step<TreeInSpace, SerialState<f64, 7, 3, 2>, Report = SerialReport<f64, 7, 2>, Error = StepError<f64>>
            + Step<
                Dense<TreeInSpace, 7, 3, 2>,
                State<f64, 21, 16, Semidefinite<f64, 16>, Plain>,
                Report = Report<f64, 16>,
                Error = StepError<f64>,
            >,
    {
        let (tree, clock) = (TreeInSpace(Mobile::standard()), Clock::at_rate(10_000.0).unwrap());
        let (guess, mut velocity) = (in_space(Mobile::<f64, 7>::position()), [[0.0; 3]; 7]);
        velocity[3] = [0.3, 0.1, 0.0];
        let mut state = SerialState::moving(&tree, clock, guess, velocity).unwrap();
        let dense = Dense::<_, 7, 3, 2>(tree);
        let flat = |x: [[f64; 3]; 7]| Vector::<f64, 21>::from_fn(|i, _| x[i / 3][i % 3]);
        let start = Start::<_, 21, 16>::at(&dense, clock, flat(guess)).redundant().plain();
        let mut reference = start.moving(flat(velocity)).unwrap();
        for _ in 0..1_000 {
            let (report, expected) =
                (method.step(&tree, &mut state).unwrap(), method.step(&dense, &mut reference).unwrap());
            assert_eq!((report.rank, expected.rank), (15, 15));
        }
        assert!(reference.velocity().amax() > 0.1);
        (0..21).map(|i| (state.position(i / 3).unwrap()[i % 3] - reference.position()[i]).abs()).fold(0.0, f64::max)
    }
    let found = [off(&Rattle::new()), off(&RungeKutta4::new())];
    assert!(found.iter().all(|off| *off < 1e-13), "{found:?}");
}

#[test]
fn without_leave_it_is_refused_with_its_joint() {
    let guess = in_space(SuspendedChain::<f64, LINKS>::guess());
    let error = SerialState::at_rest(&ring::<false>(), clock(), guess).unwrap_err();
    // Constraint 1 of joint 9, the closing one.
    assert!(matches!(error, StartError::Constraints(FactorError::SmallPivot { index: 19, .. })), "{error}");
}

#[test]
fn in_single_precision_the_rank_of_a_long_ring_is_found_as_well() {
    let ring = InSpace::<f32, 63, true>(SuspendedChain::standard());
    let clock = Clock::at_rate(1_000.0_f32).unwrap();
    let mut state = SerialState::at_rest(&ring, clock, in_space(SuspendedChain::<f32, 63>::guess())).unwrap();
    for _ in 0..2_000 {
        let report = Rattle::new().iterations::<4>().step(&ring, &mut state).unwrap();
        assert_eq!(report.rank, 127);
    }
}

/// Every rod of a chain twice, the second time in other units.
struct Twice {
    chain: HangingChain<f64, 5>,
    /// What the second description says is longer by.
    longer: f64,
}

impl Serial<5, 2, 2> for Twice {
    type Base = f64;

    const REDUNDANT: bool = true;
    const VELOCITY_DEPENDENT: bool = false;

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
    ) -> Vector<S, 2> {
        let rod = self.chain.constraint(joint, before, behind)[0];
        let again = if joint == 3 { rod - self.longer } else { rod };
        vector![rod, again * 3.0]
    }
}

#[test]
fn a_joint_described_twice_moves_as_described_once() {
    let (chain, q) = (HangingChain::<f64, 5>::standard(), HangingChain::<f64, 5>::position());
    let twice = Twice { chain, longer: 0.0 };
    let mut state = SerialState::at_rest(&twice, clock(), q).unwrap();
    let mut once = SerialState::at_rest(&chain, clock(), q).unwrap();
    for _ in 0..500 {
        let report = Rattle::new().step(&twice, &mut state).unwrap();
        let expected = Rattle::new().step(&chain, &mut once).unwrap();
        assert_eq!(report.rank, 5);
        for (of, other) in report.joints.iter().zip(&expected.joints) {
            assert!((of.multipliers[0] - other.multipliers[0]).abs() < 1e-6);
            assert_eq!(of.multipliers[1], 0.0);
        }
    }
    for i in 0..5 {
        let off = state.position(i).unwrap() - once.position(i).unwrap();
        assert!(off.norm() < 1e-12, "{i}: {off}");
    }
}

#[test]
fn descriptions_that_contradict_each_other_are_refused_with_their_row() {
    let (chain, q) = (HangingChain::<f64, 5>::standard(), HangingChain::<f64, 5>::position());
    let error = SerialState::at_rest(&Twice { chain, longer: 1e-3 }, clock(), q).unwrap_err();
    assert!(matches!(error, StartError::NotAssembled { residual, .. } if residual.row / 2 == 3), "{error}");
    // In the middle of a run, too.
    let mut state = SerialState::at_rest(&Twice { chain, longer: 0.0 }, clock(), q).unwrap();
    let error = Rattle::new().step(&Twice { chain, longer: 1e-3 }, &mut state).unwrap_err();
    assert!(matches!(error, StepError::Inconsistent { residual, .. } if residual.row == 7), "{error}");
}

/// The rank of the ring's G is what the elimination finds.
#[test]
fn the_rank_is_that_of_the_jacobian() {
    let state =
        SerialState::at_rest(&ring::<true>(), clock(), in_space(SuspendedChain::<f64, LINKS>::guess())).unwrap();
    let (mut g, ground) = (DMatrix::<f64>::zeros(20, 27), [Vector::zeros(), ring::<true>().far_ground(0.0)]);
    for joint in 0..=LINKS {
        let before = joint.checked_sub(1).and_then(|i| state.position(i)).unwrap_or(&ground[0]);
        let [a, b] = ring::<true>().gradients(joint, before, state.position(joint).unwrap_or(&ground[1]));
        if joint > 0 {
            g.view_mut((2 * joint, 3 * joint - 3), (2, 3)).copy_from(&a);
        }
        if joint < LINKS {
            g.view_mut((2 * joint, 3 * joint), (2, 3)).copy_from(&b);
        }
    }
    assert_eq!(g.svd(false, false).rank(1e-9), 19);
}
