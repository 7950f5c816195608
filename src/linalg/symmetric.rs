//! What the methods ask of the factors of G M⁻¹ Gᵀ, whichever factorisation makes them.

use core::fmt::Debug;

use super::{FactorError, Ldlt, Matrix, Semidefinite, Vector};
use crate::scalar::Float;

/// The factors of a symmetric positive (semi)definite matrix.
///
/// [`Ldlt`] for independent constraints, where a dependent one is an error and nothing is paid for the possibility;
/// [`Semidefinite`] for redundant ones, where the rank is decided at every factorisation.
pub trait SymmetricFactors<T: Float, const N: usize>: Copy + Debug {
    /// Factorises; only the lower triangle is read.
    fn factor(matrix: Matrix<T, N, N>) -> Result<Self, FactorError<T>>;

    /// Solves; of several solutions the one of smallest norm.
    fn solve(&self, b: Vector<T, N>) -> Vector<T, N>;

    /// The number of independent rows.
    fn rank(&self) -> usize;

    /// The smallest accepted pivot; infinite where there is none.
    fn smallest_pivot(&self) -> T;
}

macro_rules! symmetric_factors {
    ($factors:ident) => {
        impl<T: Float, const N: usize> SymmetricFactors<T, N> for $factors<T, N> {
            #[inline(always)]
            fn factor(matrix: Matrix<T, N, N>) -> Result<Self, FactorError<T>> {
                $factors::factor(matrix)
            }
            #[inline(always)]
            fn solve(&self, b: Vector<T, N>) -> Vector<T, N> {
                $factors::solve(self, b)
            }
            #[inline(always)]
            fn rank(&self) -> usize {
                $factors::rank(self)
            }
            #[inline(always)]
            fn smallest_pivot(&self) -> T {
                $factors::smallest_pivot(self)
            }
        }
    };
}

symmetric_factors!(Ldlt);
symmetric_factors!(Semidefinite);
