//! A = S⁻¹ L D Lᵀ S⁻¹ of a symmetric positive semidefinite matrix, with its rank, and the minimum-norm solution.
//!
//! Redundant constraints make G M⁻¹ Gᵀ singular. S scales the diagonal to one, so that constraints in different units can
//! be compared. The largest remaining pivot is taken next, until only round-off is left. Each accepted pivot d_k gives a column l_k, and
//! S A S = Σ d_k l_k l_kᵀ. The rows keep their order; nothing is permuted. The pseudo-inverse of this product is
//! L (LᵀL)⁻¹ D⁻¹ (LᵀL)⁻¹ Lᵀ. It gives the solution with the smallest scaled norm. Without its part in the null space of A, this is the
//! solution with the smallest norm. Each dependent row costs one back substitution for the null space. The cost of all other loops does
//! not depend on the rank.

use super::{FactorError, Fill, Ldlt, Matrix, Pivots, Qr, SymmetricFactors, Vector, pivot_tolerance};
use crate::scalar::Float;

/// The factors of a symmetric positive semidefinite matrix.
///
/// ```
/// use taut::linalg::{FactorError, Matrix, Semidefinite, SymmetricFactors, Vector};
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
    /// A basis of the null space of A, one vector for each row that depends on others, zero elsewhere.
    null_space: Matrix<T, N, N>,
    /// The factors of its Gram matrix, with a one on the diagonal for each missing vector.
    null_gram: Ldlt<T, N>,
    /// 1/√a_kk; zero for a row whose diagonal entry is round-off.
    scales: Vector<T, N>,
    /// 1/d_k, zero where the pivot was not accepted.
    inverse_pivots: Vector<T, N>,
    /// LᵀL, with a one on the diagonal for each missing column.
    gram: Ldlt<T, N>,
    rank: usize,
    smallest_pivot: T,
}

impl<T: Float, const N: usize> Semidefinite<T, N> {
    /// Factorises. A row is dependent in two cases: its pivot is at most [`pivot_tolerance`] times its diagonal entry, or its diagonal
    /// entry is at most the square of [`pivot_tolerance`] times the largest one (its gradient is round-off of the others). Only the lower
    /// triangle is read.
    ///
    /// An indefinite matrix is an error: a pivot below −√ε of its diagonal entry, or entries that such a pivot would follow from. A pivot
    /// between −√ε and zero counts as round-off.
    #[inline]
    pub fn factor(matrix: Matrix<T, N, N>) -> Result<Self, FactorError<T>> {
        Self::factor_to_rank(matrix, N)
    }

    /// As [`factor`](Self::factor), but accepts at most `max_rank` pivots. Use it if the rank is already known.
    pub fn factor_to_rank(mut matrix: Matrix<T, N, N>, max_rank: usize) -> Result<Self, FactorError<T>> {
        let tolerance = pivot_tolerance(N);
        let rest = &mut matrix.data.0;
        let mut largest = T::zero();
        for k in 0..N {
            let mut finite = true;
            for i in k..N {
                finite &= rest[k][i].is_finite();
                rest[i][k] = rest[k][i];
            }
            if !finite {
                return Err(FactorError::NonFinite { index: k });
            }
            if rest[k][k] > largest {
                largest = rest[k][k];
            }
        }
        let floor = largest * tolerance * tolerance;
        let mut scales = Vector::<T, N>::zeros();
        for k in 0..N {
            if rest[k][k] > floor {
                scales.data.0[0][k] = T::one() / rest[k][k].sqrt();
            } else {
                // Next to a diagonal entry of round-off, a semidefinite matrix has only round-off.
                let limit = T::zero() - largest * T::ROOT_EPSILON;
                for i in 0..N {
                    let pivot = if i == k { rest[k][k] } else { -rest[k][i].abs() };
                    if pivot < limit {
                        return Err(FactorError::SmallPivot { index: k, pivot, limit });
                    }
                }
            }
        }
        for j in 0..N {
            for i in 0..N {
                rest[j][i] *= scales.data.0[0][i] * scales.data.0[0][j];
            }
        }

        let mut columns = Matrix::<T, N, N>::zeros();
        let mut inverse_pivots = Vector::<T, N>::zeros();
        let mut order = [N; N];
        let mut taken = [false; N];
        let mut rank = 0;
        let mut smallest_pivot = T::INFINITY;
        for k in 0..N {
            // The row with the largest remaining diagonal entry. Loops over fixed indices need no bounds checks.
            let mut chosen = N;
            let mut pivot = T::zero();
            for i in 0..N {
                if !taken[i] && rest[i][i] > pivot {
                    chosen = i;
                    pivot = rest[i][i];
                }
            }
            let accepted = pivot > tolerance && rank < max_rank;
            let inverse = if accepted { T::one() / pivot } else { T::zero() };
            let mut column = [T::zero(); N];
            for i in 0..N {
                if accepted && i == chosen {
                    column = rest[i];
                    taken[i] = true;
                    order[k] = i;
                    rank += 1;
                    // In the units of A.
                    let scale = scales.data.0[0][i];
                    let unscaled = pivot / (scale * scale);
                    if unscaled < smallest_pivot {
                        smallest_pivot = unscaled;
                    }
                }
            }
            for i in 0..N {
                let l = column[i] * inverse;
                for j in 0..N {
                    rest[j][i] -= l * column[j];
                }
                columns.data.0[k][i] = l;
            }
            inverse_pivots.data.0[0][k] = inverse;
        }

        // For each dependent row j a vector n with Lᵀ n = 0: one at j, and at the pivots by back substitution.
        let mut null_space = Matrix::<T, N, N>::zeros();
        for j in 0..N {
            if taken[j] {
                continue;
            }
            // What is left of a semidefinite matrix is semidefinite: a_jj ≥ 0 and |a_ij| ≤ (a_ii + a_jj)/2, up to round-off.
            let limit = -T::ROOT_EPSILON;
            for i in 0..N {
                let half = T::from_f64(0.5);
                let pivot = if i == j { rest[j][j] } else { (rest[i][i] + rest[j][j]) * half - rest[j][i].abs() };
                if !taken[i] && pivot < limit {
                    return Err(FactorError::SmallPivot { index: j, pivot, limit });
                }
            }
            let mut vector = [T::zero(); N];
            vector[j] = T::one();
            for k in (0..N).rev() {
                let mut sum = T::zero();
                for i in 0..N {
                    sum += columns.data.0[k][i] * vector[i];
                }
                for i in 0..N {
                    if i == order[k] {
                        vector[i] = -sum;
                    }
                }
            }
            // n is in the null space of S A S, S n in that of A.
            for i in 0..N {
                null_space.data.0[j][i] = vector[i] * scales.data.0[0][i];
            }
            // A row whose diagonal entry is round-off: its null vector is the unit vector.
            if scales.data.0[0][j] == T::zero() {
                null_space.data.0[j] = [T::zero(); N];
                null_space.data.0[j][j] = T::one();
            }
        }

        // Overflow of the elimination shows here as a non-finite entry.
        let gram = gram_of(&columns, inverse_pivots.data.0[0].map(|inverse| inverse == T::zero()))?;
        let null_gram = gram_of(&null_space, taken)?;
        Ok(Self { columns, null_space, null_gram, scales, inverse_pivots, gram, rank, smallest_pivot })
    }

    /// The solution of A x = b with the smallest norm. If there is no solution, that of least squares, with each row divided by the root
    /// of its diagonal entry.
    #[inline]
    pub fn solve(&self, mut b: Vector<T, N>) -> Vector<T, N> {
        b.component_mul_assign(&self.scales);
        let mut coefficients = self.gram.solve(self.columns.tr_mul(&b));
        coefficients.component_mul_assign(&self.inverse_pivots);
        let mut x = self.columns * self.gram.solve(coefficients);
        x.component_mul_assign(&self.scales);
        let superfluous = self.null_gram.solve(self.null_space.tr_mul(&x));
        x - self.null_space * superfluous
    }
}

impl<T: Float, const N: usize> SymmetricFactors<T, N> for Semidefinite<T, N> {
    const DECIDES_RANK: bool = true;

    #[inline]
    fn workspace() -> Self {
        let (zeros, vector, gram) = (Matrix::zeros(), Vector::zeros(), Ldlt::workspace());
        Self {
            columns: zeros,
            null_space: zeros,
            null_gram: gram,
            scales: vector,
            inverse_pivots: vector,
            gram,
            rank: 0,
            smallest_pivot: T::INFINITY,
        }
    }

    /// The matrix is stored in the place of its factors.
    #[inline]
    fn matrix(&mut self) -> &mut Matrix<T, N, N> {
        &mut self.columns
    }

    /// Judges the pivots itself, because they decide the rank. It reports the smallest one only.
    fn factorise<P: Fill<N>>(&mut self, max_rank: usize, pivots: &mut Pivots<T, N>) -> Result<(), FactorError<T>> {
        *self = Self::factor_to_rank(self.columns, max_rank)?;
        pivots.smallest = self.smallest_pivot;
        Ok(())
    }

    #[inline(always)]
    fn solve<P: Fill<N>>(&self, b: Vector<T, N>) -> Vector<T, N> {
        self.solve(b)
    }

    #[inline]
    fn solve_general(matrix: Matrix<T, N, N>, rank: usize, b: Vector<T, N>) -> Result<Vector<T, N>, FactorError<T>> {
        Ok(Qr::factor_to_rank(matrix, rank)?.solve_least_squares(b))
    }

    /// The number of independent rows.
    #[inline]
    fn rank(&self) -> usize {
        self.rank
    }

    #[inline]
    fn is_independent(&self, row: usize) -> bool {
        // Only a dependent row has a vector of the null space, which is not zero there.
        self.null_space.data.0.get(row).is_some_and(|vector| vector.get(row).is_some_and(|x| *x == T::zero()))
    }

    /// The smallest accepted pivot; infinite at rank zero.
    #[inline]
    fn smallest_pivot(&self) -> T {
        self.smallest_pivot
    }
}

/// The factors of BᵀB, with a one on the diagonal for each column of B that is missing.
fn gram_of<T: Float, const N: usize>(
    columns: &Matrix<T, N, N>,
    missing: [bool; N],
) -> Result<Ldlt<T, N>, FactorError<T>> {
    let mut gram = columns.transpose() * columns;
    for k in 0..N {
        if missing[k] {
            gram.data.0[k][k] = T::one();
        }
    }
    Ldlt::factor_with(gram, T::zero())
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
        // Orthogonal gradients of lengths 1 and 3e-6: rank 2 even in f32, where 1e-11 is far below ε.
        let a = Matrix::<f32, 2, 2>::new(1.0, 0.0, 0.0, 1e-11);
        assert_eq!(Semidefinite::factor(a).unwrap().rank(), 2);
        // A gradient that is round-off of the other does not count.
        let a = Matrix::<f32, 2, 2>::new(1.0, 0.0, 0.0, 1e-14);
        assert_eq!(Semidefinite::factor(a).unwrap().rank(), 1);
    }

    #[test]
    fn rows_in_other_units_keep_their_digits() {
        // A regular matrix, two of its rows scaled by 100 and 1/100: as accurate as LDLT, which needs no scaling.
        let regular = Matrix::<f32, 3, 3>::new(2.0, 1.0, 0.5, 1.0, 3.0, -1.0, 0.5, -1.0, 2.0);
        let scales = Matrix::<f32, 3, 3>::from_diagonal(&Vector::<f32, 3>::new(1e2, 1.0, 1e-2));
        let a = scales * regular * scales;
        let x = Vector::<f32, 3>::new(2e-2, -1.0, 3e2);
        let solved = Semidefinite::factor(a).unwrap().solve(a * x);
        for k in 0..3 {
            assert!((solved[k] - x[k]).abs() < 1e-4 * x[k].abs(), "{solved} is not {x}");
        }
    }

    #[test]
    fn of_all_solutions_the_shortest() {
        // One constraint twice, in two units: x₁ + 2 x₂ = 1.
        let a = Matrix::<f64, 2, 2>::new(1.0, 2.0, 2.0, 4.0);
        let x = Semidefinite::factor(a).unwrap().solve(Vector::<f64, 2>::new(1.0, 2.0));
        assert!((x - Vector::<f64, 2>::new(0.2, 0.4)).norm() < 1e-15, "{x}");
    }

    #[test]
    fn indefinite_matrices_are_refused() {
        type Three = Matrix<f64, 3, 3>;
        let refused = |a: Three| match Semidefinite::factor(a) {
            Err(FactorError::SmallPivot { index, pivot, limit }) if pivot < limit => (index, pivot),
            other => panic!("{a}: {other:?}"),
        };
        // A negative diagonal entry, small and large, and a negative definite matrix.
        assert_eq!(refused(Three::from_diagonal(&Vector::<f64, 3>::new(1.0, -1.0, 2.0))), (1, -1.0));
        assert_eq!(refused(Three::from_diagonal(&Vector::<f64, 3>::new(1.0, 1.0, -1e-6))), (2, -1e-6));
        assert_eq!(refused(-Three::identity()), (0, -1.0));
        // Eigenvalues 3 and −1: the second pivot is 1 − 2².
        assert_eq!(refused(Three::new(1.0, 2.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 1.0)), (1, -3.0));
        // In other units, the pivot is that of the matrix with a diagonal of one.
        let scaled = refused(Three::new(1e6, 2e3, 0.0, 2e3, 1.0, 0.0, 0.0, 0.0, 1.0));
        assert!(scaled.0 == 1 && (scaled.1 + 3.0).abs() < 1e-12, "{scaled:?}");
        // No negative entry, but an eigenvalue of −1; and the same, left after the first pivot.
        assert_eq!(refused(Three::new(1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0)), (1, -1.0));
        assert_eq!(refused(Three::new(1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 1.0, 2.0, 1.0)), (1, -1.0));
        let text = std::string::ToString::to_string(&Semidefinite::factor(-Three::identity()).unwrap_err());
        assert_eq!(text, "pivot -1e0 of row 0, limit 0e0: clearly negative, so the matrix is not positive definite");
        // Round-off of dependent rows is accepted.
        let row = Vector::<f32, 3>::new(0.1, 0.7, 0.3);
        let mut a = row * row.transpose();
        a[(2, 2)] -= 1e-7;
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

    /// So that the roundings do not depend on the compiler.
    #[test]
    fn the_first_of_equal_pivots_is_taken() {
        let factors = Semidefinite::factor(Matrix::<f64, 2, 2>::new(1.0, -1.0, -1.0, 1.0)).unwrap();
        assert_eq!(factors.columns.data.0[0], [1.0, -1.0]);
        // Nor does the rank: what is left is round-off, but not zero.
        let one = 1.0 - f64::EPSILON / 2.0;
        let near = Semidefinite::factor(Matrix::<f64, 2, 2>::new(1.0, one, one, 1.0)).unwrap();
        assert_eq!(near.rank(), 1);
    }
}
