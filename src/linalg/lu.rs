//! P A = L U with partial pivoting, of a general square matrix.

use super::{Entry, FactorError, Matrix, Vector, pivot_tolerance};
use crate::scalar::Float;

/// The factors of a general square matrix, real or complex.
///
/// A pivot must exceed the tolerance times the largest entry of its column as given.
///
/// ```
/// use taut::linalg::{FactorError, Lu, Matrix, Vector};
///
/// let a = Matrix::<f64, 2, 2>::new(0.0, 2.0, 1.0, 3.0);
/// let x = Lu::factor(a)?.solve(Vector::<f64, 2>::new(4.0, 7.0));
/// assert_eq!(x, Vector::<f64, 2>::new(1.0, 2.0));
/// # Ok::<(), FactorError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lu<E: Entry, const N: usize> {
    /// L below the diagonal, U above it, the inverse of U's diagonal on it.
    pub(super) factors: Matrix<E, N, N>,
    /// The row that was exchanged with row k in step k.
    pub(super) exchanges: [usize; N],
    smallest_pivot: E::Base,
}

impl<T: Float, const N: usize> Lu<T, N> {
    /// Zeros, to be overwritten.
    #[inline(always)]
    pub(super) fn workspace() -> Self {
        Self { factors: Matrix::zeros(), exchanges: [0; N], smallest_pivot: T::INFINITY }
    }

    /// The determinant of A.
    pub fn determinant(&self) -> T {
        let mut inverse = T::one();
        for k in 0..N {
            let pivot = self.factors.data.0[k][k];
            inverse *= if self.exchanges[k] == k { pivot } else { -pivot };
        }
        T::one() / inverse
    }
}

impl<E: Entry<Base = T>, T: Float, const N: usize> Lu<E, N> {
    /// Factorises with the default tolerance, [`pivot_tolerance`].
    #[inline]
    pub fn factor(matrix: Matrix<E, N, N>) -> Result<Self, FactorError<T>> {
        Self::factor_with(matrix, pivot_tolerance(N))
    }

    /// Factorises; a pivot must exceed `tolerance` times the largest entry of its column.
    pub fn factor_with(mut matrix: Matrix<E, N, N>, tolerance: T) -> Result<Self, FactorError<T>> {
        let a = &mut matrix.data.0; // a[column][row]
        let mut limits = [T::zero(); N];
        for k in 0..N {
            let mut finite = true;
            for i in 0..N {
                let size = a[k][i].size();
                finite &= size <= T::MAX;
                if size > limits[k] {
                    limits[k] = size;
                }
            }
            if !finite {
                return Err(FactorError::NonFinite { index: k });
            }
            // At least a normal number, so that its inverse is finite.
            limits[k] = limits[k] * tolerance + T::MIN_POSITIVE;
        }

        let mut exchanges = [0; N];
        let mut smallest_pivot = T::INFINITY;
        for k in 0..N {
            let mut row = k;
            let mut size = a[k][k].size();
            for i in k + 1..N {
                if a[k][i].size() > size {
                    row = i;
                    size = a[k][i].size();
                }
            }
            // A NaN from an overflow makes `size > limit` false.
            if !(size > limits[k] && size <= T::MAX) {
                return Err(FactorError::refusing(k, size, limits[k]));
            }
            if size < smallest_pivot {
                smallest_pivot = size;
            }
            exchanges[k] = row;
            for column in a.iter_mut() {
                exchange(column, k, row);
            }
            let inverse = a[k][k].inverse();
            a[k][k] = inverse;
            for i in k + 1..N {
                a[k][i] = a[k][i] * inverse;
            }
            for j in k + 1..N {
                for i in k + 1..N {
                    a[j][i] = a[j][i] - a[k][i] * a[j][k];
                }
            }
        }
        Ok(Self { factors: matrix, exchanges, smallest_pivot })
    }

    /// The solution of A x = b.
    pub fn solve(&self, mut b: Vector<E, N>) -> Vector<E, N> {
        let a = &self.factors.data.0;
        let x = &mut b.data.0[0];
        for k in 0..N {
            exchange(x, k, self.exchanges[k]);
        }
        for k in 0..N {
            for i in k + 1..N {
                x[i] = x[i] - a[k][i] * x[k];
            }
        }
        for k in (0..N).rev() {
            x[k] = x[k] * a[k][k];
            for i in 0..k {
                x[i] = x[i] - a[k][i] * x[k];
            }
        }
        b
    }

    /// The solution of Aᵀ x = b. Factorising the transpose and solving with this judges pivots by the rows of a matrix rather
    /// than by its columns.
    pub fn solve_transposed(&self, mut b: Vector<E, N>) -> Vector<E, N> {
        // Aᵀ = Uᵀ Lᵀ P.
        let a = &self.factors.data.0;
        let x = &mut b.data.0[0];
        for k in 0..N {
            for i in 0..k {
                x[k] = x[k] - a[k][i] * x[i];
            }
            x[k] = x[k] * a[k][k];
        }
        for k in (0..N).rev() {
            for i in k + 1..N {
                x[k] = x[k] - a[k][i] * x[i];
            }
        }
        for k in (0..N).rev() {
            exchange(x, k, self.exchanges[k]);
        }
        b
    }

    /// The magnitude of the smallest pivot; infinite for N = 0.
    #[inline]
    pub fn smallest_pivot(&self) -> T {
        self.smallest_pivot
    }
}

/// Exchanges two entries; indices out of range exchange nothing.
#[inline]
fn exchange<E: Entry, const N: usize>(entries: &mut [E; N], i: usize, j: usize) {
    if i < N && j < N {
        entries.swap(i, j);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permutation_is_undone() {
        let a = Matrix::<f32, 3, 3>::new(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0);
        let x = Vector::<f32, 3>::new(1.0, 2.0, 3.0);
        let factors = Lu::factor(a).unwrap();
        assert_eq!(factors.solve(a * x), x);
        assert_eq!(factors.smallest_pivot(), 1.0);
    }

    #[test]
    fn a_transposed_system_is_solved() {
        let a = Matrix::<f64, 3, 3>::new(0.0, 2.0, 1.0, 4.0, 1.0, -3.0, 2.0, 5.0, 7.0);
        let x = Vector::<f64, 3>::new(1.0, -2.0, 3.0);
        let found = Lu::factor(a).unwrap().solve_transposed(a.transpose() * x);
        // A few roundings, condition about ten.
        assert!((found - x).norm() < 1e-14, "{found}");
    }

    #[test]
    fn a_singular_matrix_is_refused_with_pivot_and_limit() {
        let a = Matrix::<f64, 2, 2>::new(1.0, 2.0, 2.0, 4.0);
        let limit = 4.0 * pivot_tolerance::<f64>(2);
        assert_eq!(Lu::factor(a), Err(FactorError::SmallPivot { index: 1, pivot: 0.0, limit }));
        assert!(Lu::factor(Matrix::<f64, 1, 1>::zeros()).is_err());
    }

    #[test]
    fn every_entry_is_checked() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for row in 0..3 {
                for column in 0..3 {
                    let mut a = Matrix::<f32, 3, 3>::identity();
                    a[(row, column)] = bad;
                    assert_eq!(Lu::factor(a), Err(FactorError::NonFinite { index: column }));
                }
            }
        }
    }

    #[test]
    fn an_overflow_in_the_elimination_is_refused() {
        let a = Matrix::<f32, 2, 2>::new(1.0, 3e38, -1.0, 3e38);
        assert!(matches!(Lu::factor(a), Err(FactorError::NonFinite { index: 1 })));
    }

    #[test]
    fn a_determinant_has_the_sign_of_the_exchanges() {
        let a = Matrix::<f64, 3, 3>::new(0.0, 2.0, 1.0, 4.0, 1.0, -3.0, 2.0, 5.0, 7.0);
        assert!((Lu::factor(a).unwrap().determinant() - a.determinant()).abs() < 1e-13);
        assert_eq!(Lu::factor(Matrix::<f64, 2, 2>::new(0.0, 1.0, 1.0, 0.0)).unwrap().determinant(), -1.0);
        assert_eq!(Lu::factor(Matrix::<f64, 0, 0>::zeros()).unwrap().determinant(), 1.0);
    }

    #[test]
    fn nothing_to_solve() {
        assert_eq!(Lu::factor(Matrix::<f64, 0, 0>::zeros()).unwrap().solve(Vector::<f64, 0>::zeros()).len(), 0);
    }

    /// So that the roundings do not depend on the compiler.
    #[test]
    fn the_first_of_equal_pivots_is_taken() {
        let factors = Lu::factor(Matrix::<f64, 2, 2>::new(1.0, 2.0, -1.0, 3.0)).unwrap();
        assert_eq!(factors.exchanges[0], 0);
    }

    /// A pivot that is not zero, but round-off of what was subtracted.
    #[test]
    fn a_pivot_of_round_off_is_refused() {
        let a = Matrix::<f64, 2, 2>::new(1.0, 1.0, 1.0, 1.0 + f64::EPSILON);
        assert!(matches!(Lu::factor(a), Err(FactorError::SmallPivot { index: 1, pivot, .. }) if pivot > 0.0));
    }
}
