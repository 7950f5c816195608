//! In which directions the constraints let a system move, and by how much a force moves it.

use super::error::{ControlError, Singularity};
use crate::linalg::{FactorError, Matrix, SymmetricFactors, Vector, product, subtract_product};
use crate::project::Geometry;
use crate::scalar::Float;
use crate::system::{Inertia, InertiaOf, Mechanical};

/// The constraint manifold near a pose: P = M⁻¹ − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G M⁻¹.
pub(super) struct Tangent<System: Mechanical<N, M>, const N: usize, const M: usize, F> {
    pub(super) inertia: InertiaOf<System, N, M>,
    pub(super) geometry: Geometry<System::Base, N, M, F>,
}

impl<System, T, const N: usize, const M: usize, F> Tangent<System, N, M, F>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    #[inline(always)]
    pub(super) fn at(system: &System, q: &Vector<T, N>, tick: u64) -> Result<Self, ControlError<T>> {
        let singular = |kind| move |cause: FactorError<T>| ControlError::Singular { tick, kind, cause };
        let inertia = system.inertia(q).map_err(singular(Singularity::Mass))?;
        let geometry = Geometry::at(system, &inertia, T::zero(), q).map_err(singular(Singularity::Reach))?;
        Ok(Self { inertia, geometry })
    }

    /// P f: the acceleration that a force makes along the manifold.
    #[inline(always)]
    pub(super) fn along(&self, force: &Vector<T, N>) -> Vector<T, N> {
        let mut acceleration = self.inertia.acceleration(force);
        let Geometry { jacobian, correction } = &self.geometry;
        let multipliers = correction.multipliers(&product(jacobian, &acceleration));
        subtract_product(&mut acceleration, &correction.directions, &multipliers);
        acceleration
    }

    /// P Cᵀ: the smallest motions in the metric of the mass that readings with the gradients C ask for.
    #[inline(always)]
    pub(super) fn spread<const E: usize>(&self, sensing: &Matrix<T, E, N>) -> Matrix<T, N, E> {
        let mut spread = Matrix::zeros();
        for sensor in 0..E {
            let mut gradient = Vector::zeros();
            for i in 0..N {
                gradient.data.0[0][i] = sensing.data.0[i][sensor];
            }
            spread.data.0[sensor] = self.along(&gradient).data.0[0];
        }
        spread
    }

    /// Brings a position near the pose onto the constraints, by two iterations.
    #[inline(always)]
    pub(super) fn onto(&self, system: &System, q: &mut Vector<T, N>) {
        let correction = &self.geometry.correction;
        for _ in 0..2 {
            let multipliers = correction.multipliers(&system.constraint(T::zero(), q));
            subtract_product(q, &correction.directions, &multipliers);
        }
    }
}
