//! The report of a step of a serial mechanism.

use crate::linalg::Vector;
use crate::project::serial::{Grounds, Joint};
use crate::scalar::Float;
use crate::start::{Carried, Precision, SerialState};
use crate::system::Serial;

/// The result of a successful step, besides the new state: multipliers and residuals of every joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SerialReport<T, const N: usize, const E: usize> {
    /// The joint before each element.
    pub joints: [JointReport<T, E>; N],
    /// The joint behind the last element of a closed mechanism; else zero.
    pub closing: JointReport<T, E>,
    /// The number of independent constraints where the step ended.
    pub rank: u16,
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
    pub(super) fn of<System: Serial<N, D, E, Base = T>, const D: usize, P: Precision>(
        system: &System,
        state: &SerialState<T, N, D, E, P>,
        grounds: &Grounds<T, D>,
        iterations: usize,
        multipliers: impl Fn([&Joint<T, D, E>; 2]) -> Vector<T, E>,
    ) -> Self {
        // The step has made the node that it has written the present one.
        let (rows, side) = (&state.rows, state.side);
        let joint = |index| {
            let row = rows.get(index);
            JointReport {
                multipliers: multipliers([&row.at(side.other()).joint, &row.at(side).joint]),
                position_residual: if P::CARRIES_MORE {
                    state.digits.get(index).at(side).last_residual.kept()
                } else {
                    rows.position_residual(side, system, grounds, index)
                },
                velocity_residual: rows.velocity_residual::<System>(side, grounds, index),
            }
        };
        let none = JointReport {
            multipliers: Vector::zeros(),
            position_residual: Vector::zeros(),
            velocity_residual: Vector::zeros(),
        };
        let mut report = Self {
            joints: [none; N],
            closing: none,
            rank: 0,
            smallest_pivot: T::zero(),
            iterations: iterations as u16,
        };
        for i in 0..N {
            report.joints[i] = joint(i);
        }
        if System::CLOSED {
            report.closing = joint(N);
        }
        report.rank = rows.rank::<System>(side) as u16;
        report.smallest_pivot = rows.smallest_pivot::<System>(side);
        report
    }
}
