//! The state of a differential equation on a manifold, and how it starts.

use super::begin::all_finite;
use super::clock::Clock;
use super::error::{Part, StartError};
use crate::linalg::Vector;
use crate::project::{OnManifold, ProjectError, onto_invariant};
use crate::scalar::Float;

/// The number of Newton iterations of a start; enough for a rough guess.
const ITERATIONS: usize = 32;

/// A point on the manifold of an [`OnManifold`] system with `N` variables and `K` constraints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldState<T, const N: usize, const K: usize> {
    pub(crate) y: Vector<T, N>,
    pub(crate) clock: Clock<T>,
}

impl<T: Float, const N: usize, const K: usize> ManifoldState<T, N, K> {
    /// Starts at the time of the clock, from a guess that is projected onto the manifold.
    pub fn start<System: OnManifold<N, K, Base = T>>(
        system: &System,
        clock: Clock<T>,
        y: impl Into<Vector<T, N>>,
    ) -> Result<Self, StartError<T>> {
        let y = y.into();
        all_finite(Part::Variable, &y)?;
        all_finite(Part::Time, [&clock.time()])?;
        let y = onto_invariant(system, &y, ITERATIONS).map_err(|error| match error {
            ProjectError::Constraints(cause) => StartError::Constraints(cause),
            ProjectError::NotReached(residual) => StartError::NotAssembled { residual, iterations: ITERATIONS },
            ProjectError::NonFinite { index, .. } => StartError::NonFinite { part: Part::Variable, index },
            // Not from an invariant, which has no mass and no limit.
            _ => StartError::NonFinite { part: Part::Variable, index: 0 },
        })?;
        all_finite(Part::Force, &system.rate(clock.time(), &y))?;
        Ok(Self { y, clock })
    }

    /// The point.
    #[inline]
    pub fn point(&self) -> &Vector<T, N> {
        &self.y
    }

    /// The clock: tick, time and step size.
    #[inline]
    pub fn clock(&self) -> &Clock<T> {
        &self.clock
    }

    /// The clock, to move its epoch, to give it a period or another step size.
    #[inline]
    pub fn clock_mut(&mut self) -> &mut Clock<T> {
        &mut self.clock
    }
}
