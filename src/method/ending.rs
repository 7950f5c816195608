//! The end of a step, its report, and how it becomes the next state.

use super::report::Report;
use crate::linalg::entries::pairs;
use crate::linalg::written_out::for_each;
use crate::linalg::{Pivots, SymmetricFactors, Vector, copy_entries};
use crate::project::Correction;
use crate::scalar::Float;
use crate::start::{Carried, Coordinates, Precision, State};
use crate::system::Mechanical;

/// The end of a step or a stage. The correction there is not part of it, because it is filled in place: moving its matrices would cost
/// as much as computing them.
pub(super) struct Ending<T: Float, const N: usize, const M: usize, P: Precision> {
    pub(super) q: Coordinates<T, N, P>,
    pub(super) v: Coordinates<T, N, P>,
    /// The one-sided multipliers where the step began.
    pub(super) first_half: Vector<T, M>,
    /// The one-sided multipliers where the step ended.
    pub(super) second_half: Vector<T, M>,
    pub(super) predicted_residual: Vector<T, M>,
    pub(super) position_residual: Vector<T, M>,
    pub(super) velocity_residual: Vector<T, M>,
    /// The pivots of G M⁻¹ Gᵀ where the step ends.
    pub(super) pivots: Pivots<T, M>,
}

impl<T: Float, const N: usize, const M: usize, P: Precision> Ending<T, N, M, P> {
    /// Takes the multipliers of both halves out, so that a judge does not look at them: those between two stages are not used.
    #[inline(always)]
    pub(super) fn take_multipliers(&mut self) -> [Vector<T, M>; 2] {
        [&mut self.first_half, &mut self.second_half].map(|half| core::mem::replace(half, Vector::zeros()))
    }

    #[inline(always)]
    pub(super) fn report<F: SymmetricFactors<T, M>>(
        &self,
        correction: &Correction<T, N, M, F>,
        multipliers: Vector<T, M>,
        iterations: usize,
    ) -> Report<T, M> {
        let mut report = Report {
            multipliers,
            position_residual: self.position_residual,
            velocity_residual: self.velocity_residual,
            predicted_residual: self.predicted_residual,
            rank: correction.rank() as u16,
            smallest_pivot: self.pivots.smallest,
            iterations: iterations as u16,
        };
        copy_entries(&mut report.multipliers, &multipliers);
        copy_entries(&mut report.position_residual, &self.position_residual);
        copy_entries(&mut report.velocity_residual, &self.velocity_residual);
        copy_entries(&mut report.predicted_residual, &self.predicted_residual);
        report
    }
}

/// How methods read and write a state.
impl<T: Float, const N: usize, const M: usize, F: SymmetricFactors<T, M>, P: Precision> State<T, N, M, F, P> {
    /// The multipliers at the node where a step begins, to order 2: the mean of the one-sided values of the step that ended here and of
    /// the step that begins. After a start they are those of the acceleration level.
    #[inline(always)]
    pub(super) fn node_multipliers(&self, first_half: &Vector<T, M>) -> Vector<T, M> {
        let weight = self.clock.next_multipliers_weight;
        pairs(&self.multipliers, first_half, |before, next| before + (next - before) * weight)
    }

    /// Keeps an angle within [−π, π], and counts its turns.
    #[inline(always)]
    fn unwind(&mut self, i: usize) {
        let turns = self.node.q.unwind(i);
        if turns != 0 {
            self.turns[i] = self.turns[i].wrapping_add(turns);
        }
    }

    /// Writes the end of a step into the state. Steps change a state only here.
    #[inline(always)]
    pub(super) fn advance<System>(&mut self, ending: &Ending<T, N, M, P>, correction: &Correction<T, N, M, F>)
    where
        System: Mechanical<N, M, Base = T>,
    {
        self.node.q.assign(&ending.q);
        for_each!(I < N => {
            if System::ANGLES[I] {
                self.unwind(I);
            }
        });
        self.node.v.assign(&ending.v);
        self.node.correction.assign::<System>(correction);
        self.node.last_residual.set(&ending.position_residual);
        if System::TIME_DEPENDENT {
            self.clock.advance_in_period();
        } else {
            self.clock.advance();
        }
        copy_entries(&mut self.multipliers, &ending.second_half);
        self.clock.next_multipliers_weight = T::from_f64(0.5);
    }
}
