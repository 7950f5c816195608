//! How coordinates change within a step: their start plus the sum of the increments.

use super::{Coordinates, Precision};
use crate::linalg::Vector;
use crate::scalar::Float;
use crate::start::Time;
use crate::system::Mechanical;

/// Coordinates within a step: their start, and the sum of the increments since.
///
/// Methods change velocities only through it. The sum is added to the start once, at the end.
#[derive(Clone, Copy, Debug)]
pub struct Moving<T: Float, const N: usize, P: Precision> {
    pub(super) start: Coordinates<T, N, P>,
    pub(super) change: Vector<T, N>,
}

impl<T: Float, const N: usize, P: Precision> Moving<T, N, P> {
    /// Adds an increment.
    #[inline(always)]
    pub fn by(self, increment: &Vector<T, N>) -> Self {
        Self { change: self.change + increment, ..self }
    }

    /// Changes the sum of the increments.
    #[inline(always)]
    pub fn shift(mut self, shift: impl FnOnce(&mut Vector<T, N>)) -> Self {
        shift(&mut self.change);
        self
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
    pub(super) q: Moving<T, N, P>,
    /// g at q + h v, before any correction.
    pub predicted_residual: Vector<T, M>,
}

impl<T: Float, const N: usize, const M: usize, P: Precision> Approach<T, N, M, P> {
    /// Adds a correction.
    #[inline(always)]
    pub fn by(&mut self, step: &Vector<T, N>) {
        self.q = self.q.by(step);
    }

    /// Changes the sum of the corrections.
    #[inline(always)]
    pub fn shift(&mut self, shift: impl FnOnce(&mut Vector<T, N>)) {
        shift(&mut self.q.change);
    }

    /// The unknown of the Newton iterations: the displacement, or in a plain state the rounded positions. Iterations on the displacement
    /// would go below the last digit of a plain state. They would bias the positions, and the energy would drift.
    #[inline(always)]
    pub fn trial(&self) -> Vector<T, N> {
        if P::CARRIES_MORE { self.q.change } else { self.q.here() }
    }

    /// g at the present positions.
    #[inline(always)]
    pub fn residual<System: Mechanical<N, M, Base = T>>(&self, system: &System) -> Vector<T, M> {
        self.residual_at(system, &self.trial())
    }

    /// g at a trial.
    #[inline(always)]
    pub fn residual_at<System: Mechanical<N, M, Base = T>>(
        &self,
        system: &System,
        trial: &Vector<T, N>,
    ) -> Vector<T, M> {
        P::residual(system, self, trial)
    }

    /// The positions, with all their digits.
    #[inline(always)]
    pub fn finish(&self) -> Coordinates<T, N, P> {
        self.q.finish()
    }

    /// The positions of a trial, with all their digits.
    #[inline(always)]
    pub fn finish_at(&self, trial: &Vector<T, N>) -> Coordinates<T, N, P> {
        if P::CARRIES_MORE { P::sum(&self.q.start, trial) } else { Coordinates::new(*trial) }
    }
}
