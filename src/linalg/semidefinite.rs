//! A = L D Lᵀ of a symmetric positive semidefinite matrix, with its rank, and the minimum-norm solution.
//!
//! Redundant constraints make G M⁻¹ Gᵀ singular. Pivots are taken in order of size, each relative to its diagonal entry,
//! until what is left is round-off; the columns l_k found so far, one for each accepted pivot, give A = Σ d_k l_k l_kᵀ in
//! the original order of rows, so nothing is permuted. The pseudo-inverse of such a product is
//! A⁺ = L (LᵀL)⁻¹ D⁻¹ (LᵀL)⁻¹ Lᵀ, and x = A⁺ b is the least-squares solution of the smallest norm. Every loop runs over
//! all N, whatever the rank: the cost does not depend on it.

use super::{FactorError, Ldlt, Matrix, Vector, pivot_tolerance};
use crate::scalar::Float;

/// The factors of a symmetric positive semidefinite matrix.
///
/// ```
/// use taut::linalg::{FactorError, Matrix, Semidefinite, Vector};
///
/// // The same constraint twice: the multipliers share the load.
/// let a = Matrix::<f64, 2, 2>::new(2.0, 2.0, 2.0, 2.0);
/// let factors = Semidefinite::factor(a)?;
/// assert_eq!(factors.rank(), 1);
/// assert_eq!(factors.solve(Vector::<f64, 2>::new(4.0, 4.0)), Vector::<f64, 2>::new(1.0, 1.0));
/// # Ok::<(), FactorError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "T: Float + serde::Serialize", deserialize = "T: Float + serde::Deserialize<'de>"))
)]
pub struct Semidefinite<T, const N: usize> {
    /// l_k, zero where the pivot was not accepted.
    columns: Matrix<T, N, N>,
    /// 1/d_k, zero where the pivot was not accepted.
    inverse_pivots: Vector<T, N>,
    /// LᵀL, with a one on the diagonal for each missing column.
    gram: Ldlt<T, N>,
    rank: usize,
    smallest_pivot: T,
}

impl<T: Float, const N: usize> Semidefinite<T, N> {
    /// Factorises with the default tolerance, [`pivot_tolerance`].
    #[inline]
    pub fn factor(matrix: Matrix<T, N, N>) -> Result<Self, FactorError<T>> {
        Self::factor_with(matrix, pivot_tolerance(N))
    }

    /// Factorises. A row is taken as dependent when what is left of its diagonal entry is at most `tolerance` times the
    /// entry as given, or when the entry itself is at most `tolerance`² times the largest (a gradient that is round-off
    /// of the others). Only the lower triangle is read.
    pub fn factor_with(matrix: Matrix<T, N, N>, tolerance: T) -> Result<Self, FactorError<T>> {
        Self::factor_to_rank(matrix, tolerance, N)
    }

    /// As [`factor_with`](Self::factor_with), but accepts at most `most` pivots: where the rank is known from elsewhere.
    pub fn factor_to_rank(mut matrix: Matrix<T, N, N>, tolerance: T, most: usize) -> Result<Self, FactorError<T>> {
        let rest = &mut matrix.data.0;
        for k in 0..N {
            let mut finite = true;
            for i in k..N {
                finite &= rest[k][i].is_finite();
                rest[i][k] = rest[k][i];
            }
            if !finite {
                return Err(FactorError::NonFinite { index: k });
            }
        }
        let mut largest = T::zero();
        for k in 0..N {
            if rest[k][k] > largest {
                largest = rest[k][k];
            }
        }
        let floor = largest * tolerance * tolerance;
        // One over each diagonal entry, zero for a row that is round-off from the beginning or already used.
        let mut weights = [T::zero(); N];
        for k in 0..N {
            if rest[k][k] > floor {
                weights[k] = T::one() / rest[k][k];
            }
        }

        let mut columns = Matrix::<T, N, N>::zeros();
        let mut inverse_pivots = Vector::<T, N>::zeros();
        let mut rank = 0;
        let mut smallest_pivot = T::INFINITY;
        for k in 0..N {
            // The row of which most is left.
            let mut chosen = 0;
            let mut most_left = T::zero();
            for i in 0..N {
                let left = rest[i][i] * weights[i];
                if left > most_left {
                    chosen = i;
                    most_left = left;
                }
            }
            // A fixed index keeps the loop below free of bounds that the compiler cannot see.
            let mut column = [T::zero(); N];
            let mut pivot = T::zero();
            for i in 0..N {
                if i == chosen {
                    column = rest[i];
                    pivot = rest[i][i];
                }
            }
            let accepted = most_left > tolerance && rank < most;
            let inverse = if accepted { T::one() / pivot } else { T::zero() };
            if accepted {
                rank += 1;
                if pivot < smallest_pivot {
                    smallest_pivot = pivot;
                }
            }
            for i in 0..N {
                let l = column[i] * inverse;
                for j in 0..N {
                    rest[j][i] -= l * column[j];
                }
                columns.data.0[k][i] = l;
            }
            for i in 0..N {
                if accepted && i == chosen {
                    weights[i] = T::zero();
                }
            }
            inverse_pivots.data.0[0][k] = inverse;
        }

        let mut gram = columns.transpose() * columns;
        for k in 0..N {
            if inverse_pivots.data.0[0][k] == T::zero() {
                gram.data.0[k][k] = T::one();
            }
        }
        // Overflow of the elimination shows here as a non-finite entry.
        let gram = Ldlt::factor_with(gram, T::zero())?;
        Ok(Self { columns, inverse_pivots, gram, rank, smallest_pivot })
    }

    #[inline]
    pub(super) fn blank() -> Self {
        let (inverse_pivots, gram) = (Vector::zeros(), Ldlt::blank());
        Self { columns: Matrix::zeros(), inverse_pivots, gram, rank: 0, smallest_pivot: T::INFINITY }
    }

    /// The matrix is kept where its columns will be.
    #[inline]
    pub(super) fn matrix_mut(&mut self) -> &mut Matrix<T, N, N> {
        &mut self.columns
    }

    pub(super) fn eliminate(&mut self, tolerance: T, most: usize) -> Result<(), FactorError<T>> {
        *self = Self::factor_to_rank(self.columns, tolerance, most)?;
        Ok(())
    }

    /// x = A⁺ b: the x of smallest norm among those that make ‖A x − b‖ smallest.
    #[inline]
    pub fn solve(&self, b: Vector<T, N>) -> Vector<T, N> {
        let mut coefficients = self.gram.solve(self.columns.tr_mul(&b));
        for k in 0..N {
            let c = &mut coefficients.data.0[0][k];
            *c *= self.inverse_pivots.data.0[0][k];
        }
        self.columns * self.gram.solve(coefficients)
    }

    /// The number of independent rows.
    #[inline]
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The smallest accepted pivot; infinite where there is none.
    #[inline]
    pub fn smallest_pivot(&self) -> T {
        self.smallest_pivot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_zero_matrix_has_rank_zero_and_the_zero_solution() {
        let factors = Semidefinite::factor(Matrix::<f32, 3, 3>::zeros()).unwrap();
        assert_eq!(factors.rank(), 0);
        assert_eq!(factors.solve(Vector::<f32, 3>::new(1.0, 2.0, 3.0)), Vector::<f32, 3>::zeros());
        assert_eq!(factors.smallest_pivot(), f32::INFINITY);
        assert_eq!(Semidefinite::factor(Matrix::<f32, 0, 0>::zeros()).unwrap().rank(), 0);
    }

    #[test]
    fn contradictory_right_hand_sides_are_met_in_the_mean() {
        let a = Matrix::<f64, 2, 2>::new(1.0, 1.0, 1.0, 1.0);
        let x = Semidefinite::factor(a).unwrap().solve(Vector::<f64, 2>::new(1.0, 3.0));
        assert!((x - Vector::<f64, 2>::new(1.0, 1.0)).norm() < 1e-15);
    }

    #[test]
    fn scales_do_not_decide_the_rank() {
        // G = diag(1, 1e-6) with orthogonal rows: rank 2 even in f32, where 1e-12 is far below ε.
        let a = Matrix::<f32, 2, 2>::new(1.0, 0.0, 0.0, 1e-11);
        assert_eq!(Semidefinite::factor(a).unwrap().rank(), 2);
        // A gradient that is round-off of the other is none.
        let a = Matrix::<f32, 2, 2>::new(1.0, 0.0, 0.0, 1e-14);
        assert_eq!(Semidefinite::factor(a).unwrap().rank(), 1);
    }

    #[test]
    fn non_finite_entries_are_refused() {
        for bad in [f32::NAN, f32::INFINITY] {
            let mut a = Matrix::<f32, 3, 3>::identity();
            a[(2, 1)] = bad;
            assert_eq!(Semidefinite::factor(a), Err(FactorError::NonFinite { index: 1 }));
        }
    }
}
