//! The two projections of a mechanical state, Hairer & Wanner VII.2.
//!
//! ```text
//!     positions (2.10):   M (q − q̃) + G(q̃)ᵀ μ = 0,   g(t, q) = 0
//!     velocities (2.11):  M (v − ṽ) + G(q)ᵀ μ = 0,   G(q) v + g_t = 0
//! ```
//!
//! The first is solved by simplified Newton iterations with the matrix at q̃. The second is linear.

use core::marker::PhantomData;

use super::geometry::Geometry;
use super::residual::{Level, ProjectError, all_finite, check_limit, within};
use crate::linalg::{Ldlt, Semidefinite, SymmetricFactors, Vector, magnitude};
use crate::scalar::Float;
use crate::system::{Mass, Mechanical};

/// Projects positions and velocities of any integrator onto the constraints.
///
/// ```
/// # use nalgebra::vector;
/// # use mechanisms::Pendulum;
/// use taut::project::Projection;
///
/// let pendulum = Pendulum::<f64>::standard();
/// let projection = Projection::new();
/// let q = projection.onto_positions(&pendulum, 0.0, &vector![0.6001, 0.8003])?;
/// assert!((q.norm() - 1.0).abs() < 1e-14);
/// let v = projection.onto_velocities(&pendulum, 0.0, &q, &vector![1.0, 2.0])?;
/// assert!(q.dot(&v).abs() < 1e-15);
/// # Ok::<(), taut::project::ProjectError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Projection<T, const M: usize, F = Ldlt<T, M>> {
    iterations: usize,
    limit: T,
    factors: PhantomData<F>,
}

impl<T: Float, const M: usize> Projection<T, M> {
    /// For independent constraints: a dependent one is an error.
    #[inline]
    pub fn new() -> Self {
        Self { iterations: T::NEWTON_ITERATIONS, limit: T::ROOT_EPSILON, factors: PhantomData }
    }

    /// For constraints that may depend on each other. Each projection determines the rank anew.
    #[inline]
    pub fn redundant() -> Projection<T, M, Semidefinite<T, M>> {
        Projection { iterations: T::NEWTON_ITERATIONS, limit: T::ROOT_EPSILON, factors: PhantomData }
    }
}

impl<T: Float, const M: usize> Default for Projection<T, M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Float, const M: usize, F: SymmetricFactors<T, M>> Projection<T, M, F> {
    /// Sets the fixed number of Newton iterations for positions; by default two in `f32` and six in `f64`. Each reduces the distance by a
    /// factor proportional to the distance at the start.
    #[inline]
    pub fn iterations(self, iterations: usize) -> Self {
        Self { iterations, ..self }
    }

    /// Sets the distance from a constraint, in the units of the coordinates, above which a projection fails; by default √ε. It must be
    /// positive and at most 1000 (1 + |q|): a projection with a larger one returns an error.
    #[inline]
    pub fn limit(self, limit: T) -> Self {
        Self { limit, ..self }
    }

    /// Checks the configuration and evaluates the geometry there.
    fn geometry<System: Mechanical<N, M, Base = T>, const N: usize>(
        &self,
        system: &System,
        t: T,
        q: &Vector<T, N>,
    ) -> Result<Geometry<T, N, M, F>, ProjectError<T>> {
        all_finite(Level::Position, q)?;
        check_limit(self.limit, magnitude(q))
            .map_err(|largest| ProjectError::InvalidLimit { given: self.limit, largest })?;
        system.mass().check().map_err(ProjectError::Mass)?;
        let inertia = system.inertia_at(t, q).map_err(ProjectError::Mass)?;
        Geometry::at(system, &inertia, t, q).map_err(ProjectError::Constraints)
    }

    /// The point nearest to `q`, in the metric of the mass, that satisfies g(t, q) = 0.
    ///
    /// Use it for a `q` that has drifted a little. [`start`](crate::start) assembles from a rough guess.
    #[inline]
    pub fn onto_positions<System: Mechanical<N, M, Base = T>, const N: usize>(
        &self,
        system: &System,
        t: T,
        q: &Vector<T, N>,
    ) -> Result<Vector<T, N>, ProjectError<T>> {
        let geometry = self.geometry(system, t, q)?;
        let correction = &geometry.correction;
        let mut corrected = *q;
        for _ in 0..self.iterations {
            corrected -= correction.directions * correction.multipliers::<System>(&system.constraint(t, &corrected));
        }
        all_finite(Level::Position, &corrected)?;
        within(Level::Position, &system.constraint(t, &corrected), &geometry.limits(self.limit))
            .map_err(ProjectError::NotReached)?;
        Ok(corrected)
    }

    /// The velocity nearest to `v`, in the metric of the mass, that satisfies G v + g_t = 0 at `q`.
    #[inline]
    pub fn onto_velocities<System: Mechanical<N, M, Base = T>, const N: usize>(
        &self,
        system: &System,
        t: T,
        q: &Vector<T, N>,
        v: &Vector<T, N>,
    ) -> Result<Vector<T, N>, ProjectError<T>> {
        all_finite(Level::Velocity, v)?;
        let geometry = self.geometry(system, t, q)?;
        let residual = system.velocity_residual(&geometry.jacobian, t, q, v);
        let corrected = v - geometry.correction.directions * geometry.correction.multipliers::<System>(&residual);
        all_finite(Level::Velocity, &corrected)?;
        // Contradictory constraints leave a residual. Its limit is relative to the speed.
        let left = system.velocity_residual(&geometry.jacobian, t, q, &corrected);
        let speed = T::one() + magnitude(v);
        within(Level::Velocity, &left, &geometry.limits(self.limit * speed)).map_err(ProjectError::NotReached)?;
        Ok(corrected)
    }
}
