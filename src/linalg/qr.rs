//! A P = Q R by Householder reflections with column pivoting, of a matrix of any shape.
//!
//! With A = Gᵀ, the columns are the gradients of the constraints and the rank is the number of independent ones. Forming
//! no product G Gᵀ, it resolves dependencies down to ε where [`Semidefinite`](super::Semidefinite) stops at √ε.

use super::{FactorError, Matrix, Vector, pivot_tolerance};
use crate::scalar::Float;

/// The factors of a matrix with `R` rows and `C` columns.
///
/// A column counts as independent when what is left of it after removing the others exceeds the tolerance times its
/// norm as given, and that norm the tolerance times the largest. The tolerance is [`pivot_tolerance`] of the larger side.
///
/// ```
/// use taut::linalg::{FactorError, Matrix, Qr, Vector};
///
/// // Two equations in three unknowns, G x = c: the x of smallest norm, from G transposed.
/// let g = Matrix::<f64, 2, 3>::new(1.0, 1.0, 0.0, 0.0, 0.0, 2.0);
/// let factors = Qr::factor(g.transpose())?;
/// assert_eq!(factors.rank(), 2);
/// let x = factors.solve_transposed(Vector::<f64, 2>::new(2.0, 4.0));
/// assert!((x - Vector::<f64, 3>::new(1.0, 1.0, 2.0)).norm() < 1e-15);
/// # Ok::<(), FactorError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Qr<T, const R: usize, const C: usize> {
    /// For each column taken so far, its reflection vector from the row of its step on; elsewhere R.
    reflections: Matrix<T, R, C>,
    /// R's rows, with the columns of A in their original order.
    triangle: Matrix<T, C, C>,
    /// The column taken in step k.
    order: [usize; C],
    /// 2/‖w‖² of the reflection I − 2 w wᵀ/‖w‖² of step k.
    inverse_squares: [T; C],
    rank: usize,
    smallest_pivot: T,
}

impl<T: Float, const R: usize, const C: usize> Qr<T, R, C> {
    /// Factorises. Columns whose squared norm overflows are refused.
    #[inline]
    pub fn factor(matrix: Matrix<T, R, C>) -> Result<Self, FactorError<T>> {
        Self::factor_to_rank(matrix, C)
    }

    /// As [`factor`](Self::factor), but takes at most `max_rank` columns. Use it if the rank is known.
    pub fn factor_to_rank(matrix: Matrix<T, R, C>, max_rank: usize) -> Result<Self, FactorError<T>> {
        Self::factor_with(matrix, max_rank, pivot_tolerance(if R > C { R } else { C }))
    }

    /// The same with a tolerance.
    pub(crate) fn factor_with(matrix: Matrix<T, R, C>, max_rank: usize, tolerance: T) -> Result<Self, FactorError<T>> {
        let mut reflections = matrix;
        let a = &mut reflections.data.0; // a[column][row]
        let mut largest = T::zero();
        let mut squares = [T::zero(); C];
        for j in 0..C {
            squares[j] = dot_from(&a[j], &a[j], 0);
            if !squares[j].is_finite() {
                return Err(FactorError::NonFinite { index: j });
            }
            if squares[j] > largest {
                largest = squares[j];
            }
        }
        let square_tolerance = tolerance * tolerance;
        // One over each squared norm, zero for a column that is round-off from the beginning or already taken.
        let mut weights =
            squares.map(|square| if square > largest * square_tolerance { T::one() / square } else { T::zero() });

        let mut factors = Self {
            reflections: matrix,
            triangle: Matrix::zeros(),
            order: [0; C],
            inverse_squares: [T::zero(); C],
            rank: 0,
            smallest_pivot: T::INFINITY,
        };
        for k in 0..if R < C { R } else { C } {
            let mut chosen = 0;
            let mut largest_left = T::zero();
            for j in 0..C {
                let left = dot_from(&a[j], &a[j], k) * weights[j];
                if left > largest_left {
                    chosen = j;
                    largest_left = left;
                }
            }
            if !(largest_left > square_tolerance) || chosen >= C || k >= max_rank {
                break;
            }
            // Reflect the rest of the chosen column onto −sign(head) ‖rest‖ e_k.
            let mut w = a[chosen];
            let size = dot_from(&w, &w, k).sqrt();
            let head = w[k];
            let signed = size.copysign(head);
            w[k] = head + signed;
            let inverse_square = T::one() / (size * (size + head.abs()));
            for j in 0..C {
                // Columns taken before hold their own reflection vectors, which stay.
                let is_taken = factors.order.iter().take(k).any(|&taken| taken == j);
                if is_taken {
                    continue;
                }
                let projection = dot_from(&w, &a[j], k) * inverse_square;
                for i in k..R {
                    a[j][i] -= projection * w[i];
                }
                factors.triangle.data.0[j][k] = if j == chosen { -signed } else { a[j][k] };
            }
            a[chosen] = w;
            weights[chosen] = T::zero();
            factors.order[k] = chosen;
            factors.inverse_squares[k] = inverse_square;
            factors.rank = k + 1;
            if size < factors.smallest_pivot {
                factors.smallest_pivot = size;
            }
        }
        factors.reflections = reflections;
        Ok(factors)
    }

    /// A least-squares solution of A x = b; dependent columns get zero.
    pub fn solve_least_squares(&self, mut b: Vector<T, R>) -> Vector<T, C> {
        for k in 0..C {
            self.reflect(k, &mut b);
        }
        let mut x = Vector::<T, C>::zeros();
        for k in (0..C).rev() {
            // Row k of R times x; what is not solved for yet, or never will be, is still zero.
            let mut sum = T::zero();
            for j in 0..C {
                sum += self.triangle.data.0[j][k] * x.data.0[0][j];
            }
            if let (true, Some(&right)) = (k < self.rank, b.data.0[0].get(k))
                && let Some(column) = self.triangle.data.0.get(self.order[k])
                && let Some(entry) = x.data.0[0].get_mut(self.order[k])
            {
                *entry = (right - sum) / column[k];
            }
        }
        x
    }

    /// The x of smallest norm that satisfies the equations Aᵀ x = c of the independent columns. Those of dependent columns hold if they
    /// are consistent with the others.
    pub fn solve_transposed(&self, c: Vector<T, C>) -> Vector<T, R> {
        // Rᵀ y = Pᵀ c by forward substitution, then x = Q y.
        let mut x = Vector::<T, R>::zeros();
        for k in 0..C {
            if let (true, Some(column)) = (k < self.rank, self.triangle.data.0.get(self.order[k]))
                && let Some(&right) = c.data.0[0].get(self.order[k])
            {
                let mut rest = right;
                for (entry, y) in column.iter().zip(x.data.0[0].iter()).take(k) {
                    rest -= *entry * *y;
                }
                if let Some(y) = x.data.0[0].get_mut(k) {
                    *y = rest / column[k];
                }
            }
        }
        for k in (0..C).rev() {
            self.reflect(k, &mut x);
        }
        x
    }

    /// An orthonormal basis of the range of A: columns up to the rank, then zeros.
    pub(crate) fn range(&self) -> Matrix<T, R, C> {
        let mut basis = Matrix::<T, R, C>::zeros();
        for (k, column) in basis.data.0.iter_mut().enumerate().take(self.rank) {
            let mut unit = Vector::<T, R>::zeros();
            if let Some(entry) = unit.data.0[0].get_mut(k) {
                *entry = T::one();
            }
            for step in (0..C).rev() {
                self.reflect(step, &mut unit);
            }
            *column = unit.data.0[0];
        }
        basis
    }

    /// Applies the reflection of step k; the identity from step `rank` on.
    #[inline]
    fn reflect(&self, k: usize, x: &mut Vector<T, R>) {
        if let (true, Some(w)) = (k < self.rank, self.reflections.data.0.get(self.order[k])) {
            let x = &mut x.data.0[0];
            let projection = dot_from(w, x, k) * self.inverse_squares[k];
            for i in k..R {
                x[i] -= projection * w[i];
            }
        }
    }

    /// The number of independent columns.
    #[inline]
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The magnitude of the smallest accepted diagonal entry of R; infinite at rank zero.
    #[inline]
    pub fn smallest_pivot(&self) -> T {
        self.smallest_pivot
    }
}

/// The sum of products from row `first` on.
#[inline]
fn dot_from<T: Float, const R: usize>(a: &[T; R], b: &[T; R], first: usize) -> T {
    let mut sum = T::zero();
    for i in first..R {
        sum += a[i] * b[i];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_least_squares_line_has_the_known_slope_and_offset() {
        // Least squares of 1, 2, 4 over 0, 1, 2: slope 1.5, offset 5/6.
        let a = Matrix::<f64, 3, 2>::new(1.0, 0.0, 1.0, 1.0, 1.0, 2.0);
        let x = Qr::factor(a).unwrap().solve_least_squares(Vector::<f64, 3>::new(1.0, 2.0, 4.0));
        assert!((x - Vector::<f64, 2>::new(5.0 / 6.0, 1.5)).norm() < 1e-14);
    }

    #[test]
    fn dependent_columns_lower_the_rank() {
        let a = Matrix::<f64, 3, 3>::new(1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 1.0, 0.0, 1.0);
        assert_eq!(Qr::factor(a).unwrap().rank(), 2);
        assert_eq!(Qr::factor(Matrix::<f64, 3, 2>::zeros()).unwrap().rank(), 0);
        assert_eq!(Qr::factor(Matrix::<f64, 2, 4>::from_fn(|i, j| (i + 2 * j) as f64)).unwrap().rank(), 2);
    }

    #[test]
    fn every_entry_is_checked() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30] {
            for column in 0..3 {
                let mut a = Matrix::<f32, 3, 3>::identity();
                a[(1, column)] = bad;
                assert_eq!(Qr::factor(a), Err(FactorError::NonFinite { index: column }));
            }
        }
    }

    #[test]
    fn matrices_without_rows_or_columns_are_accepted() {
        let no_columns = Qr::factor(Matrix::<f64, 3, 0>::zeros()).unwrap();
        assert_eq!(no_columns.solve_transposed(Vector::<f64, 0>::zeros()), Vector::<f64, 3>::zeros());
        let no_rows = Qr::factor(Matrix::<f64, 0, 3>::zeros()).unwrap();
        assert_eq!(no_rows.rank(), 0);
        assert_eq!(no_rows.solve_least_squares(Vector::<f64, 0>::zeros()), Vector::<f64, 3>::zeros());
    }

    /// So that the roundings do not depend on the compiler.
    #[test]
    fn the_first_of_equal_columns_is_taken() {
        assert_eq!(Qr::factor(Matrix::<f64, 2, 2>::identity()).unwrap().order, [0, 1]);
    }
}
