//! The tangent space of the constraints: the directions of possible motion, and the accelerations of forces along them.

use super::error::ControlError;
use super::singularity::Singularity;
use crate::linalg::entries::{transposed, zero_matrix};
use crate::linalg::written_out::for_each;
use crate::linalg::{FactorError, Ldlt, Matrix, Pivots, Semidefinite, SymmetricFactors, Vector, product, product_of};
use crate::project::{Correction, Geometry, along};
use crate::scalar::Float;
use crate::system::{Equations, Inertia, InertiaOf, Mass, Mechanical};

/// The constraint manifold near a pose: P = M⁻¹ − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G M⁻¹.
pub(crate) struct Tangent<System: Mechanical<N, M>, const N: usize, const M: usize, F> {
    pub(crate) inertia: InertiaOf<System, N, M>,
    pub(crate) geometry: Geometry<System::Base, N, M, F>,
}

impl<System, T, const N: usize, const M: usize, F> Tangent<System, N, M, F>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    #[inline(always)]
    pub(crate) fn at(system: &System, q: &Vector<T, N>, tick: u64) -> Result<Self, ControlError<T>> {
        let singular = |kind| move |cause: FactorError<T>| ControlError::Singular { tick, kind, cause };
        let equations = system.equations(T::zero(), q);
        let inertia = system.mass().inertia(|| equations.mass_matrix()).map_err(singular(Singularity::Mass))?;
        let jacobian = equations.jacobian();
        let (mut correction, mut pivots) = (Correction::workspace(), Pivots::none());
        let made = correction.update::<System>(&jacobian, &inertia, M, &mut pivots).and_then(|()| pivots.judge());
        made.map_err(singular(Singularity::Reach))?;
        Ok(Self { inertia, geometry: Geometry { jacobian, correction } })
    }

    /// P f: the acceleration of a force along the manifold.
    #[inline(always)]
    pub(crate) fn along(&self, force: &Vector<T, N>) -> Vector<T, N> {
        let mut acceleration = self.inertia.acceleration(force);
        let Geometry { jacobian, correction } = &self.geometry;
        let multipliers = correction.multipliers::<System>(&along::<System, T, N, M>(jacobian, &acceleration));
        correction.subtract::<System>(&mut acceleration, &multipliers);
        acceleration
    }

    /// P Cᵀ (C P Cᵀ)⁻¹ r: the smallest motion, in the metric of the mass, that changes readings with the gradients C by r. More readings
    /// than ways to move are met in the mean.
    #[inline(always)]
    pub(crate) fn explaining<const E: usize>(
        &self,
        sensing: &Matrix<T, E, N>,
        difference: Vector<T, E>,
        tick: u64,
    ) -> Result<Vector<T, N>, ControlError<T>> {
        let spread = self.effect(&transposed(sensing));
        let mobility = product_of(sensing, &spread);
        let singular = |cause| ControlError::Singular { tick, kind: Singularity::Sensing, cause };
        let freedom = N.saturating_sub(self.geometry.correction.rank());
        // The first condition is known to the compiler: where each reading has a way of its own, there is no code for the others.
        let causes = if const { E + M > N } && E > freedom {
            Semidefinite::<T, E>::factor_to_rank(mobility, freedom).map_err(singular)?.solve(difference)
        } else {
            Ldlt::<T, E>::factor(mobility).map_err(singular)?.solve(difference)
        };
        Ok(product(&spread, &causes))
    }

    /// P F: the accelerations along the manifold of the forces in the columns of F.
    #[inline(always)]
    pub(crate) fn effect<const K: usize>(&self, forces: &Matrix<T, N, K>) -> Matrix<T, N, K> {
        let mut effect = zero_matrix();
        for_each!(FORCE < K => {
            effect.data.0[FORCE] = self.along(&Vector::from(forces.data.0[FORCE])).data.0[0];
        });
        effect
    }

    /// Projects a position near the pose onto the constraints, with two iterations. Each evaluates the constraint at a new position, and
    /// reduces its residual by a factor of the order of the distance from the pose.
    #[inline(always)]
    pub(crate) fn onto(&self, system: &System, q: &mut Vector<T, N>) {
        let correction = &self.geometry.correction;
        for _ in 0..2 {
            let multipliers = correction.multipliers::<System>(&system.constraint(T::zero(), q));
            correction.subtract::<System>(q, &multipliers);
        }
    }
}
