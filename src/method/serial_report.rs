//! The report of a step of a serial mechanism.

use crate::linalg::Vector;
use crate::project::serial::{Grounds, SerialNode};
use crate::scalar::Float;
use crate::start::SerialState;
use crate::system::Serial;

/// The result of a successful step, besides the new state: multipliers and residuals of every joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SerialReport<T, const N: usize, const E: usize> {
    /// The joint before each element.
    pub joints: [JointReport<T, E>; N],
    /// The joint behind the last element of a closed mechanism; else zero.
    pub closing: JointReport<T, E>,
    /// The smallest pivot of G M⁻¹ Gᵀ where the step ended, in its units.
    pub smallest_pivot: T,
    /// The number of Newton iterations; it is fixed.
    pub iterations: u16,
}

/// The part of a [`SerialReport`] about one joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointReport<T, const E: usize> {
    /// The multipliers where the step began.
    pub multipliers: Vector<T, E>,
    /// g where the step ended.
    pub position_residual: Vector<T, E>,
    /// G v, with the velocity of the ground, where the step ended.
    pub velocity_residual: Vector<T, E>,
}

impl<T: Float, const N: usize, const E: usize> SerialReport<T, N, E> {
    /// `multipliers` gives those of a joint from the node where the step began and the one where it ended.
    #[inline(always)]
    pub(super) fn of<System: Serial<N, D, E, Base = T>, const D: usize>(
        system: &System,
        state: &mut SerialState<T, N, D, E>,
        grounds: &Grounds<T, D>,
        iterations: usize,
        multipliers: impl Fn(&SerialNode<T, N, D, E>, &SerialNode<T, N, D, E>, usize) -> Vector<T, E>,
    ) -> Self {
        // The step has made the node that it has written the present one.
        let (_, here, before) = state.parts();
        let joint = |joint| JointReport {
            multipliers: multipliers(before, here, joint),
            position_residual: here.position_residual(system, grounds, joint),
            velocity_residual: here.velocity_residual::<System>(grounds, joint),
        };
        let none = JointReport {
            multipliers: Vector::zeros(),
            position_residual: Vector::zeros(),
            velocity_residual: Vector::zeros(),
        };
        let mut report =
            Self { joints: [none; N], closing: none, smallest_pivot: T::zero(), iterations: iterations as u16 };
        for i in 0..N {
            report.joints[i] = joint(i);
        }
        if System::CLOSED {
            report.closing = joint(N);
        }
        report.smallest_pivot = here.smallest_pivot::<System>();
        report
    }
}
