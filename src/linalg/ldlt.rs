//! A = L D Lᵀ of a symmetric positive definite matrix, without square roots and without pivoting.

use super::entries::zero_matrix;
use super::written_out::{counts, counts_below, written_out};
use super::{Dense, FactorError, Fill, Lu, MAX_UNROLLED, Matrix, Pivots, SymmetricFactors, Vector};
use super::{pivot_tolerance, sum_of_products_where};
use crate::scalar::Float;

/// The factors of a symmetric positive definite matrix.
///
/// Pivot k must exceed the tolerance times the diagonal entry a_kk as given; their ratio is the squared sine of the angle
/// between constraint k and those before it. That one comparison also refuses NaN and infinities anywhere in the lower
/// triangle, because every entry takes part in a pivot. The upper triangle is not read. A pivot so small that its inverse overflows
/// (below 3e-39 in `f32`) is accepted, and the solution is not finite.
///
/// ```
/// use taut::linalg::{FactorError, Ldlt, Matrix, SymmetricFactors, Vector};
///
/// let a = Matrix::<f32, 2, 2>::new(4.0, 2.0, 2.0, 3.0);
/// let factors = Ldlt::factor(a)?;
/// let x = factors.solve(Vector::<f32, 2>::new(8.0, 7.0));
/// assert_eq!(x, Vector::<f32, 2>::new(1.25, 1.5));
/// assert_eq!(factors.smallest_pivot(), 2.0);
///
/// let dependent = Matrix::<f32, 2, 2>::new(1.0, 2.0, 2.0, 4.0);
/// assert!(matches!(Ldlt::factor(dependent), Err(FactorError::SmallPivot { index: 1, .. })));
/// # Ok::<(), FactorError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "T: Float + serde::Serialize", deserialize = "T: Float + serde::Deserialize<'de>"))
)]
pub struct Ldlt<T, const N: usize> {
    /// L below the diagonal, the inverse of D on it, D Lᵀ above it.
    factors: Matrix<T, N, N>,
}

impl<T: Float, const N: usize> Ldlt<T, N> {
    /// Factorises with the default tolerance, [`pivot_tolerance`].
    #[inline]
    pub fn factor(matrix: Matrix<T, N, N>) -> Result<Self, FactorError<T>> {
        Self::factor_with(matrix, pivot_tolerance(N))
    }

    /// Factorises; a pivot must exceed `tolerance` times its diagonal entry.
    #[inline]
    pub fn factor_with(matrix: Matrix<T, N, N>, tolerance: T) -> Result<Self, FactorError<T>> {
        let mut factors = Self { factors: matrix };
        factors.judged_elimination::<Dense>(tolerance)?;
        Ok(factors)
    }

    /// The same as [`factor`](Self::factor), in place.
    #[inline]
    pub(crate) fn update(&mut self, matrix: &Matrix<T, N, N>) -> Result<(), FactorError<T>> {
        self.update_with::<Dense>(matrix)
    }

    /// The same with a known fill.
    #[inline(always)]
    pub(crate) fn update_with<P: Fill<N>>(&mut self, matrix: &Matrix<T, N, N>) -> Result<(), FactorError<T>> {
        self.factors = *matrix;
        self.judged_elimination::<P>(pivot_tolerance(N))
    }

    #[inline(always)]
    fn judged_elimination<P: Fill<N>>(&mut self, tolerance: T) -> Result<(), FactorError<T>> {
        self.eliminate::<P>(|j, diagonal, pivot| {
            let limit = diagonal * tolerance;
            if pivot > limit { Ok(()) } else { Err(FactorError::refusing(named::<P, N>(j), pivot, limit)) }
        })
    }

    /// The elimination. `accept` gets the place of a pivot, its diagonal entry as given, and the pivot.
    #[inline(always)]
    pub(crate) fn eliminate<P: Fill<N>>(
        &mut self,
        mut accept: impl FnMut(usize, T, T) -> Result<(), FactorError<T>>,
    ) -> Result<(), FactorError<T>> {
        let a = &mut self.factors.data.0; // a[column][row]
        if P::WRITTEN_OUT {
            written_out!(J where J < N => { eliminate_column::<P, T, N, J>(a, &mut accept)?; });
            return Ok(());
        }
        for j in 0..N {
            let diagonal = a[j][j];
            for i in j..N {
                // As in `rest`; d_k l_jk is kept above the diagonal.
                let mut rest = a[j][i];
                for k in 0..j {
                    rest -= a[k][i] * a[j][k];
                }
                if i > j {
                    a[i][j] = rest;
                    a[j][i] = rest * a[j][j];
                } else {
                    accept(j, diagonal, rest)?;
                    a[j][j] = T::one() / rest;
                }
            }
        }
        Ok(())
    }

    /// The elimination of a semidefinite matrix. A pivot that is not above its limit is left out: its inverse and its column of L are
    /// zero, and so is its unknown. NaN is not left out.
    pub(crate) fn eliminate_to_rank(&mut self, limits: &Vector<T, N>) {
        let a = &mut self.factors.data.0;
        for j in 0..N {
            for i in j..N {
                let mut rest = a[j][i];
                for k in 0..j {
                    rest -= a[k][i] * a[j][k];
                }
                if i > j {
                    a[i][j] = rest;
                    a[j][i] = rest * a[j][j];
                } else {
                    a[j][j] = if rest <= limits.data.0[0][j] { T::zero() } else { T::one() / rest };
                }
            }
        }
    }

    /// The solution of A x = b.
    #[inline]
    pub fn solve(&self, b: Vector<T, N>) -> Vector<T, N> {
        self.solve_with::<Dense>(b)
    }

    /// The same, with the fill of the factorisation.
    #[inline(always)]
    pub(crate) fn solve_with<P: Fill<N>>(&self, mut b: Vector<T, N>) -> Vector<T, N> {
        let a = &self.factors.data.0;
        let x = &mut b.data.0[0];
        if P::WRITTEN_OUT {
            written_out!(K where K < N => { forward::<P, T, N, K>(a, x); });
            written_out!(K where K < N => { x[P::ORDER[K]] *= a[K][K]; });
            written_out!(down K where K < N => { backward::<P, T, N, K>(a, x); });
            return b;
        }
        for k in 0..N {
            for i in k + 1..N {
                x[i] -= a[k][i] * x[k];
            }
        }
        for k in 0..N {
            x[k] *= a[k][k];
        }
        for k in (0..N).rev() {
            for i in k + 1..N {
                x[k] -= a[k][i] * x[i];
            }
        }
        b
    }
}

/// The elimination of column `J`, written out.
#[inline(always)]
fn eliminate_column<P: Fill<N>, T: Float, const N: usize, const J: usize>(
    a: &mut [[T; N]; N],
    accept: &mut impl FnMut(usize, T, T) -> Result<(), FactorError<T>>,
) -> Result<(), FactorError<T>> {
    let pivot = rest::<P, T, N, J, J>(a);
    accept(J, a[J][J], pivot)?;
    a[J][J] = T::one() / pivot;
    written_out!(I where counts_below(&P::L, I, J) => {
        let rest = rest::<P, T, N, I, J>(a);
        a[I][J] = rest;
        a[J][I] = rest * a[J][J];
    });
    Ok(())
}

/// a_ij − Σ l_ik d_k l_jk over k < j.
#[inline(always)]
fn rest<P: Fill<N>, T: Float, const N: usize, const I: usize, const J: usize>(a: &[[T; N]; N]) -> T {
    let mut rest = a[J][I];
    written_out!(K if counts(&P::L, I, K) && counts_below(&P::L, J, K) => { rest -= a[K][I] * a[J][K]; });
    rest
}

/// The unknown at a place of the elimination. Without a panic for a place that does not exist, which the optimiser cannot always exclude.
#[inline(always)]
fn named<P: Fill<N>, const N: usize>(place: usize) -> usize {
    P::ORDER.get(place).copied().unwrap_or(place)
}

/// Eliminates the unknown at place `K` from the equations below it.
#[inline(always)]
fn forward<P: Fill<N>, T: Float, const N: usize, const K: usize>(a: &[[T; N]; N], x: &mut [T; N]) {
    written_out!(I if counts_below(&P::L, I, K) => { x[P::ORDER[I]] -= a[K][I] * x[P::ORDER[K]]; });
}

/// Solves for the unknown at place `K`, those below it being known.
#[inline(always)]
fn backward<P: Fill<N>, T: Float, const N: usize, const K: usize>(a: &[[T; N]; N], x: &mut [T; N]) {
    written_out!(I if counts_below(&P::L, I, K) => { x[P::ORDER[K]] -= a[K][I] * x[P::ORDER[I]]; });
}

/// Copies column `J` of the factors.
#[inline(always)]
fn assign_column<P: Fill<N>, T: Float, const N: usize, const J: usize>(a: &mut [[T; N]; N], b: &[[T; N]; N]) {
    a[J][J] = b[J][J];
    written_out!(I if counts_below(&P::L, I, J) => { a[J][I] = b[J][I]; });
}

impl<T: Float, const N: usize> SymmetricFactors<T, N> for Ldlt<T, N> {
    const DECIDES_RANK: bool = false;

    #[inline(always)]
    fn workspace() -> Self {
        Self { factors: zero_matrix() }
    }

    #[inline(always)]
    fn matrix(&mut self) -> &mut Matrix<T, N, N> {
        &mut self.factors
    }

    /// Entries above the diagonal are not copied: only the elimination reads them.
    #[inline(always)]
    fn assign<P: Fill<N>>(&mut self, next: &Self) {
        if P::WRITTEN_OUT {
            let (a, b) = (&mut self.factors.data.0, &next.factors.data.0);
            written_out!(J where J < N => { assign_column::<P, T, N, J>(a, b); });
            return;
        }
        for column in 0..N {
            for row in column..N {
                self.factors.data.0[column][row] = next.factors.data.0[column][row];
            }
        }
    }

    /// Factorises in place. In small matrices the caller judges the pivots.
    #[inline(always)]
    fn factorise<P: Fill<N>>(&mut self, _max_rank: usize, pivots: &mut Pivots<T, N>) -> Result<(), FactorError<T>> {
        self.eliminate::<P>(|j, diagonal, pivot| {
            if j == 0 || pivot < pivots.smallest {
                pivots.smallest = pivot;
            }
            if N <= MAX_UNROLLED {
                (pivots.pivots[j], pivots.diagonals[j]) = (pivot, diagonal);
                return Ok(());
            }
            let limit = diagonal * pivot_tolerance(N);
            if pivot > limit { Ok(()) } else { Err(FactorError::refusing(named::<P, N>(j), pivot, limit)) }
        })?;
        if N == 2 {
            pivots.inverse_of_first = self.factors.data.0[0][0];
        }
        // A single pivot needs no obliqueness.
        if N > 1 && N <= MAX_UNROLLED {
            pivots.obliqueness =
                sum_of_products_where::<T, N>(|j| (pivots.diagonals[j], self.factors.data.0[j][j]), |j| j > 0);
        }
        Ok(())
    }

    #[inline(always)]
    fn solve<P: Fill<N>>(&self, b: Vector<T, N>) -> Vector<T, N> {
        self.solve_with::<P>(b)
    }

    #[inline]
    fn solve_general(matrix: Matrix<T, N, N>, _rank: usize, b: Vector<T, N>) -> Result<Vector<T, N>, FactorError<T>> {
        Lu::factor(matrix).as_ref().map(|factors| factors.solve(b)).map_err(|cause| *cause)
    }

    /// The smallest pivot, to within a rounding; infinite for N = 0. Computed when asked for.
    #[inline]
    fn smallest_pivot(&self) -> T {
        let a = &self.factors.data.0;
        let mut largest_inverse = if N == 0 { T::zero() } else { a[0][0] };
        for k in 1..N {
            if a[k][k] > largest_inverse {
                largest_inverse = a[k][k];
            }
        }
        T::one() / largest_inverse
    }

    /// The rank is always full: a smaller one is an error.
    #[inline]
    fn rank(&self) -> usize {
        N
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_of_the_lower_triangle_is_checked() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for row in 0..3 {
                for column in 0..=row {
                    let mut a = Matrix::<f32, 3, 3>::identity() * 2.0;
                    a[(row, column)] = bad;
                    assert!(matches!(Ldlt::factor(a), Err(FactorError::NonFinite { .. })), "{row}, {column}: {bad}");
                }
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_is_refused_with_its_row() {
        let negative = Matrix::<f64, 2, 2>::new(1.0, 0.0, 0.0, -1.0);
        assert_eq!(
            Ldlt::factor_with(negative, 0.0),
            Err(FactorError::SmallPivot { index: 1, pivot: -1.0, limit: -0.0 })
        );
        let zero = Matrix::<f64, 1, 1>::new(0.0);
        assert!(matches!(Ldlt::factor(zero), Err(FactorError::SmallPivot { index: 0, .. })));
        let indefinite = Matrix::<f64, 2, 2>::new(1.0, 2.0, 2.0, 1.0);
        assert!(
            matches!(Ldlt::factor(indefinite), Err(FactorError::SmallPivot { index: 1, pivot, .. }) if pivot == -3.0)
        );
    }

    #[test]
    fn rows_in_small_units_are_accepted() {
        let graded = Matrix::<f32, 2, 2>::new(1.0, 1e-10, 1e-10, 2e-20);
        let x = Ldlt::factor(graded).unwrap().solve(Vector::<f32, 2>::new(1.0, 1e-10));
        assert!((x - Vector::<f32, 2>::new(1.0, 0.0)).norm() < 1e-5);
    }

    #[test]
    fn an_empty_matrix_is_accepted() {
        let empty = Ldlt::factor(Matrix::<f32, 0, 0>::zeros()).unwrap();
        assert_eq!(empty.solve(Vector::<f32, 0>::zeros()).len(), 0);
        assert_eq!(empty.smallest_pivot(), f32::INFINITY);
    }

    #[test]
    fn the_upper_triangle_is_not_read() {
        let a = Matrix::<f64, 2, 2>::new(4.0, f64::NAN, 2.0, 3.0);
        assert_eq!(Ldlt::factor(a).unwrap().solve(Vector::<f64, 2>::new(8.0, 7.0)), Vector::<f64, 2>::new(1.25, 1.5));
    }
}
