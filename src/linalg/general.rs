//! What the methods ask of the factors of a general square matrix, whichever factorisation makes them.

use core::fmt::Debug;

use super::{FactorError, Lu, Matrix, Qr, Vector, pivot_tolerance};
use crate::scalar::Float;

/// The factors of a general square matrix: [`Lu`] where it is regular, [`Qr`] where its rank is decided.
pub trait GeneralFactors<T: Float, const N: usize>: Copy + Debug {
    /// Factorises a matrix that is known to have this rank.
    fn factor(matrix: Matrix<T, N, N>, rank: usize) -> Result<Self, FactorError<T>>;

    /// Solves; of a singular matrix in the sense of least squares.
    fn solve(&self, b: Vector<T, N>) -> Vector<T, N>;
}

impl<T: Float, const N: usize> GeneralFactors<T, N> for Lu<T, N> {
    #[inline]
    fn factor(matrix: Matrix<T, N, N>, _rank: usize) -> Result<Self, FactorError<T>> {
        Lu::factor(matrix)
    }
    #[inline]
    fn solve(&self, b: Vector<T, N>) -> Vector<T, N> {
        Lu::solve(self, b)
    }
}

impl<T: Float, const N: usize> GeneralFactors<T, N> for Qr<T, N, N> {
    #[inline]
    fn factor(matrix: Matrix<T, N, N>, rank: usize) -> Result<Self, FactorError<T>> {
        Qr::factor_to_rank(matrix, pivot_tolerance(N), rank)
    }
    #[inline]
    fn solve(&self, b: Vector<T, N>) -> Vector<T, N> {
        self.solve_least_squares(b)
    }
}
