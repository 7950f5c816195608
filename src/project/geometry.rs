//! The geometry of the constraints at one configuration: G, and the factors of G M⁻¹ Gᵀ.

use crate::linalg::{FactorError, Matrix, SymmetricFactors, Vector};
use crate::scalar::Float;
use crate::system::{Inertia, Mechanical};

/// The constraint Jacobian at one configuration and the factors of its Schur complement G M⁻¹ Gᵀ.
#[derive(Clone, Copy, Debug)]
pub struct Geometry<T, const N: usize, const M: usize, F> {
    /// G = ∂g/∂q.
    pub(crate) jacobian: Matrix<T, M, N>,
    /// The factors of G M⁻¹ Gᵀ.
    pub(crate) factors: F,
}

impl<T: Float, const N: usize, const M: usize, F: SymmetricFactors<T, M>> Geometry<T, N, M, F> {
    /// Evaluates and factorises at (t, q). Also returns the directions M⁻¹ Gᵀ, a by-product.
    #[inline]
    pub fn at<System: Mechanical<N, M, Base = T>>(
        system: &System,
        inertia: &impl Inertia<T, N>,
        t: T,
        q: &Vector<T, N>,
    ) -> Result<(Self, Matrix<T, N, M>), FactorError<T>> {
        let jacobian = system.jacobian(t, q);
        let directions = directions(&jacobian, inertia);
        let mut schur = Matrix::<T, M, M>::zeros();
        for column in 0..M {
            for row in column..M {
                schur.data.0[column][row] =
                    sum_of_products::<T, N>(|i| (jacobian.data.0[i][row], directions.data.0[column][i]));
            }
        }
        Ok((Self { jacobian, factors: F::factor(schur)? }, directions))
    }

    /// M⁻¹ Gᵀ: how multipliers move the coordinates.
    #[inline]
    pub fn directions(&self, inertia: &impl Inertia<T, N>) -> Matrix<T, N, M> {
        directions(&self.jacobian, inertia)
    }

    /// G = ∂g/∂q.
    #[inline]
    pub fn jacobian(&self) -> &Matrix<T, M, N> {
        &self.jacobian
    }

    /// The number of independent constraints.
    #[inline]
    pub fn rank(&self) -> usize {
        self.factors.rank()
    }

    /// The smallest pivot of G M⁻¹ Gᵀ.
    #[inline]
    pub fn smallest_pivot(&self) -> T {
        self.factors.smallest_pivot()
    }

    /// The multipliers ν with G M⁻¹ Gᵀ ν = residual; of several the one of smallest norm.
    #[inline]
    pub fn multipliers(&self, residual: &Vector<T, M>) -> Vector<T, M> {
        self.factors.solve(*residual)
    }

    /// The squared norm of row i of G.
    #[inline]
    pub(crate) fn row_square(&self, row: usize) -> T {
        sum_of_products::<T, N>(|i| (self.jacobian.data.0[i][row], self.jacobian.data.0[i][row]))
    }
}

#[inline]
fn directions<T: Float, const N: usize, const M: usize>(
    jacobian: &Matrix<T, M, N>,
    inertia: &impl Inertia<T, N>,
) -> Matrix<T, N, M> {
    let mut directions = Matrix::<T, N, M>::zeros();
    for row in 0..M {
        let gradient = Vector::<T, N>::from_fn(|i, _| jacobian.data.0[i][row]);
        directions.data.0[row] = inertia.acceleration(&gradient).data.0[0];
    }
    directions
}

/// Σ a_i b_i over i = 0 … N − 1, begun with the first product rather than with zero.
#[inline(always)]
fn sum_of_products<T: Float, const N: usize>(factors: impl Fn(usize) -> (T, T)) -> T {
    if N == 0 {
        return T::zero();
    }
    let (a, b) = factors(0);
    let mut sum = a * b;
    for i in 1..N {
        let (a, b) = factors(i);
        sum += a * b;
    }
    sum
}
