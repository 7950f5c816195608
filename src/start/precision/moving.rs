//! How coordinates change within a step: their start plus the sum of the increments.

use super::{Coordinates, Precision};
use crate::linalg::Vector;
use crate::linalg::entries::{negative_zeros, pairs};
use crate::scalar::{Float, Increment};
use crate::start::Time;
use crate::system::Mechanical;

/// Coordinates within a step: their start, and the sum of the increments since.
///
/// Methods change velocities only through it. The sum is added to the start once, at the end.
#[derive(Clone, Copy, Debug)]
pub struct Moving<T: Float, const N: usize, P: Precision> {
    pub(crate) start: Coordinates<T, N, P>,
    pub(crate) change: Vector<T, N>,
}

impl<T: Float, const N: usize, P: Precision> Moving<T, N, P> {
    /// Adds an increment.
    #[inline(always)]
    pub fn by(self, increment: &Vector<T, N>) -> Self {
        Self { change: pairs(&self.change, increment, |sum, term| sum + term), ..self }
    }

    /// Changes the sum of the increments.
    #[inline(always)]
    pub fn shift(mut self, shift: impl FnOnce(&mut Vector<T, N>)) -> Self {
        shift(&mut self.change);
        self
    }

    /// Adds the sum to the start, so that the next increments are rounded apart from those so far. In one sum with the impulses of the
    /// constraints, a constant force would be rounded in the same direction for whole ranges of them: the energy would drift.
    #[inline(always)]
    pub(crate) fn settled(self) -> Self {
        P::begin_apart(&self.finish())
    }

    /// The present coordinates, rounded to the scalar.
    #[inline(always)]
    pub fn here(&self) -> Vector<T, N> {
        P::rounded_sum(&self.start, &self.change)
    }

    /// The coordinates at the end of the step.
    #[inline(always)]
    pub fn finish(&self) -> Coordinates<T, N, P> {
        P::sum(&self.start, &self.change)
    }
}

/// Positions within a step, on their way to g(t, q) = 0: the prediction q + h v, then corrections.
///
/// Methods move positions onto the constraint only through it.
#[derive(Clone, Copy, Debug)]
pub struct Approach<T: Float, const N: usize, const M: usize, P: Precision> {
    /// The times at the begin and the end of the step.
    pub(super) times: [Time<T>; 2],
    /// The prediction.
    pub(super) q: Moving<T, N, P>,
    /// The prediction, rounded to the scalar.
    pub(super) point: Vector<T, N>,
    /// The sum of the corrections, for a state with more digits. Added to h v, which is larger by O(1/h), they would lose digits that
    /// the multipliers have.
    pub(super) corrections: Vector<T, N>,
    /// g at q + h v, before any correction.
    pub predicted_residual: Vector<T, M>,
}

impl<T: Float, const N: usize, const M: usize, P: Precision> Approach<T, N, M, P> {
    /// At the prediction, without corrections. −0 adds nothing, and costs nothing.
    #[inline(always)]
    pub(super) fn at(
        times: [Time<T>; 2],
        q: Moving<T, N, P>,
        point: Vector<T, N>,
        predicted_residual: Vector<T, M>,
    ) -> Self {
        Self { times, q, point, corrections: negative_zeros(), predicted_residual }
    }

    /// Adds a correction.
    #[inline(always)]
    pub fn by(&mut self, step: &Vector<T, N>) {
        self.shift(|sum| *sum = pairs(sum, step, |sum, term| sum + term));
    }

    /// Changes the sum of the corrections.
    #[inline(always)]
    pub fn shift(&mut self, shift: impl FnOnce(&mut Vector<T, N>)) {
        shift(if P::CARRIES_MORE { &mut self.corrections } else { &mut self.q.change });
    }

    /// The unknown of the Newton iterations: the sum of the corrections, or in a plain state the rounded positions. Iterations on the
    /// corrections would go below the last digit of a plain state. They would bias the positions, and the energy would drift.
    #[inline(always)]
    pub fn trial(&self) -> Vector<T, N> {
        if P::CARRIES_MORE { self.corrections } else { self.q.here() }
    }

    /// g at the present positions.
    #[inline(always)]
    pub fn residual<System: Mechanical<N, M, Base = T>>(&self, system: &System) -> Vector<T, M> {
        self.residual_at(system, &self.trial())
    }

    /// g at a trial. With more digits it is g at the prediction, plus the change along the corrections as an [`Increment`] with an error of
    /// ε h². The change from the start of the step would have errors of ε h v, which depend on those of the prediction: the multipliers
    /// would be biased, and the energy would drift.
    #[inline(always)]
    pub fn residual_at<System: Mechanical<N, M, Base = T>>(
        &self,
        system: &System,
        trial: &Vector<T, N>,
    ) -> Vector<T, M> {
        let t = self.times[1].high;
        if P::CARRIES_MORE {
            let g = system.constraint(Increment::from(t), &pairs(&self.point, trial, Increment::new));
            pairs(&self.predicted_residual, &g, |predicted, g| predicted + g.change)
        } else {
            system.constraint(t, trial)
        }
    }

    /// The positions, with all their digits.
    #[inline(always)]
    pub fn finish(&self) -> Coordinates<T, N, P> {
        self.finish_at(&self.trial())
    }

    /// The positions of a trial, with all their digits.
    #[inline(always)]
    pub fn finish_at(&self, trial: &Vector<T, N>) -> Coordinates<T, N, P> {
        if P::CARRIES_MORE {
            P::sum(&self.q.start, &pairs(&self.q.change, trial, |moved, corrected| moved + corrected))
        } else {
            Coordinates::new(*trial)
        }
    }
}
