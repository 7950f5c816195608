//! Serial mechanisms that branch: the motion of their dense forms, and hostile states.

use super::{Dense, REST, bits, clock, difference, difference_between};
use mechanisms::Mobile;
use proptest::prelude::*;
use taut::linalg::{FactorError, Vector};
use taut::method::{Rattle, RungeKutta4, Step, StepError};
use taut::scalar::Real;
use taut::start::{SerialState, Start, StartError};
use taut::system::{Parents, Serial};

#[test]
fn a_tree_moves_as_the_dense_one() {
    let (mobile, q) = (Mobile::<f64, 7>::standard(), Mobile::<f64, 7>::position());
    let off = difference::<_, 7, 2, 1, 14, 7>(mobile, q, [REST; 7], &Rattle::new(), 1_000);
    assert!(off < 1e-13, "RATTLE: {off:e}");
    let off = difference::<_, 7, 2, 1, 14, 7>(mobile, q, [REST; 7], &RungeKutta4::new(), 1_000);
    assert!(off < 1e-13, "Runge-Kutta: {off:e}");
}

#[test]
fn a_tree_with_more_digits_moves_as_the_dense_one() {
    let (mobile, q) = (Mobile::<f64, 7>::standard(), Mobile::<f64, 7>::position());
    let plain = SerialState::at_rest(&mobile, clock(), q).unwrap();
    let dense = Dense::<_, 7, 2, 1>(mobile);
    let start = || Start::<_, 14, 7>::at(&dense, clock(), Vector::from_fn(|i, _| q[i / 2][i % 2]));
    let (state, reference) = (plain.compensated(&mobile).unwrap(), start().compensated().at_rest().unwrap());
    let off = difference_between(&dense, state, reference, &Rattle::new(), 1_000);
    assert!(off < 1e-13, "compensated: {off:e}");
    let (state, reference) = (plain.precise(&mobile).unwrap(), start().precise().at_rest().unwrap());
    let off = difference_between(&dense, state, reference, &Rattle::new(), 1_000);
    assert!(off < 1e-13, "precise: {off:e}");
}

/// Six bars of 0.2 m with damping. Three hang from the first, one stands on the ground by itself, and the last is pinned to the
/// ground, too: a ring. The support of both swings.
#[derive(Clone, Copy)]
struct Bars {
    damping: f64,
}

impl Serial<6, 3, 2> for Bars {
    type Base = f64;

    const CLOSED: bool = true;
    const ANGLES: [bool; 3] = [false, false, true];
    const PARENTS: Parents<6> = Parents::of([None, Some(0), Some(0), None, Some(0), Some(4)]);

    fn mass(&self, element: usize) -> Vector<f64, 3> {
        Vector::from([0.1, 0.1, 3.3e-4]) * (1.0 + 0.1 * element as f64)
    }
    fn force<S: Real<Base = f64>>(&self, _i: usize, _t: S, _q: &Vector<S, 3>, v: &Vector<S, 3>) -> Vector<S, 3> {
        Vector::from([v.x * -self.damping, v.y * -self.damping - 0.981, v.z * (-self.damping * 1e-3)])
    }
    fn constraint<S: Real<Base = f64>>(
        &self,
        joint: usize,
        before: &Vector<S, 3>,
        behind: &Vector<S, 3>,
    ) -> Vector<S, 2> {
        let mut gap = [behind.x - before.x, behind.y - before.y];
        if joint == 6 || Self::PARENTS.before(joint).is_some() {
            let (sin, cos) = before.z.sin_cos();
            gap = [gap[0] - cos * 0.1, gap[1] - sin * 0.1];
        }
        if joint < 6 {
            let (sin, cos) = behind.z.sin_cos();
            gap = [gap[0] - cos * 0.1, gap[1] - sin * 0.1];
        }
        Vector::from(gap)
    }
    fn ground<S: Real<Base = f64>>(&self, t: S) -> Vector<S, 3> {
        Vector::from([t.sin() * 0.05, S::zero(), S::zero()])
    }
    fn far_ground<S: Real<Base = f64>>(&self, _t: S) -> Vector<S, 3> {
        Vector::from([0.45, 0.0, 0.0].map(S::from))
    }
}

/// Each bar at its angle, as far as the tree goes; the start closes the ring.
fn bars() -> [[f64; 3]; 6] {
    let angles: [f64; 6] = [0.9, -1.5, 2.5, -1.2, -0.2, -1.0];
    let (mut q, mut ends) = ([[0.0; 3]; 6], [[0.0; 2]; 6]);
    for i in 0..6 {
        let from = Bars::PARENTS.before(i).map_or([0.0; 2], |before| ends[before]);
        let (sin, cos) = angles[i].sin_cos();
        q[i] = [from[0] + 0.1 * cos, from[1] + 0.1 * sin, angles[i]];
        ends[i] = [from[0] + 0.2 * cos, from[1] + 0.2 * sin];
    }
    q
}

/// 1e-12, because bars that spin amplify round-off, as rings of bars do.
#[test]
fn branches_with_a_ring_angles_damping_and_a_moving_support_move_as_dense_ones() {
    let turning = [[0.0, 0.0, 8.0]; 6];
    for damping in [0.0, 0.05] {
        let off = difference::<_, 6, 3, 2, 18, 14>(Bars { damping }, bars(), turning, &Rattle::new(), 500);
        assert!(off < 1e-12, "RATTLE, {damping}: {off:e}");
        let off = difference::<_, 6, 3, 2, 18, 14>(Bars { damping }, bars(), turning, &RungeKutta4::new(), 500);
        assert!(off < 1e-12, "Runge-Kutta, {damping}: {off:e}");
    }
}

#[test]
fn refused_steps_leave_the_state_as_it_was() {
    let mobile = Mobile::<f64, 7>::standard();
    let start = || SerialState::at_rest(&mobile, clock(), Mobile::<f64, 7>::position()).unwrap();
    for bad in [f64::NAN, f64::INFINITY, 1e7, 1e300] {
        let (mut state, other) = (start(), Mobile { gravity: bad, ..mobile });
        let error = Rattle::new().step(&other, &mut state).unwrap_err();
        assert_eq!(bits(&state), bits(&start()), "{bad}: {error}");
        let error = RungeKutta4::new().step(&Mobile { length: bad, ..mobile }, &mut state).unwrap_err();
        assert!(matches!(error, StepError::Inconsistent { residual, .. } if residual.row == 0), "{bad}: {error}");
        assert_eq!(bits(&state), bits(&start()));
    }
    let saved = start().save();
    assert_eq!(bits(&saved.restore(&mobile).unwrap()), bits(&start()));
}

/// A mass on the one that it hangs from has no gradient. Its own row is refused.
#[test]
fn a_refused_joint_has_its_number() {
    for element in 0..7 {
        let mut q = Mobile::<f64, 7>::position();
        q[element] = Mobile::<f64, 7>::PARENTS.before(element).map_or([0.0; 2], |before| q[before]);
        let error = SerialState::at_rest(&Mobile::<f64, 7>::standard(), clock(), q).unwrap_err();
        let refused = StartError::Constraints(FactorError::SmallPivot { index: element, pivot: 0.0, limit: 0.0 });
        assert_eq!(error, refused, "{element}");
    }
}

proptest! {
    /// Any start and any step of a tree is made or refused, and a refused step changes nothing.
    #[test]
    fn any_numbers_are_stepped_or_refused(
        numbers in proptest::array::uniform14(prop_oneof![-1.0..1.0, proptest::num::f64::ANY]),
        gravity in prop_oneof![-20.0..20.0, proptest::num::f64::ANY],
    ) {
        let mobile = Mobile::<f64, 7> { gravity, ..Mobile::standard() };
        let guess = core::array::from_fn(|i| [numbers[2 * i], numbers[2 * i + 1]]);
        if let Ok(mut state) = SerialState::at_rest(&mobile, clock(), guess) {
            let before = bits(&state);
            if Rattle::new().step(&mobile, &mut state).is_err() {
                prop_assert_eq!(bits(&state), before);
            } else {
                prop_assert!((0..7).all(|i| state.position(i).unwrap().iter().all(|x| x.is_finite())));
            }
        }
    }
}
