//! Small dense factorisations: fixed size, in place, no panic, no allocation.
//!
//! Vectors, matrices and their products are nalgebra's; the factorisations are ours, because they must compile for a
//! generic size (zero included), decide ranks, refuse bad input with an error and cost the same in every call.
//!
//! | factorisation | of | what it answers |
//! |---|---|---|
//! | [`Ldlt`] | a symmetric positive definite matrix | solve; a small pivot is an error |
//! | [`Semidefinite`] | a symmetric positive semidefinite matrix | rank, minimum-norm solve |
//! | [`Lu`] | a general square matrix | solve; a small pivot is an error |
//! | [`BlockFactors`] | a square matrix whose zeros are known, block by block | the same, within this crate |
//! | [`Qr`] | any matrix | rank, least squares, minimum-norm solve of the transpose |
//!
//! **What counts as small.** A pivot is compared with the row or column it came from, as given, so that constraints in
//! metres and constraints in radians may stand side by side. The default tolerance is [`pivot_tolerance`].

mod block_factors;
mod block_order;
pub(crate) mod blocks;
mod bordered;
mod complex;
pub(crate) mod entries;
pub mod fill;
pub mod ldlt;
pub mod lu;
pub mod qr;
pub mod semidefinite;
mod symmetric;
pub(crate) mod written_out;

use core::fmt;

pub use block_factors::BlockFactors;
pub(crate) use block_order::Square;
pub(crate) use bordered::{Bordered, Linear, complex};
pub use complex::{Complex, Entry};
pub use fill::{Dense, Fill};
pub use ldlt::Ldlt;
pub use lu::Lu;
pub use qr::Qr;
pub use semidefinite::Semidefinite;
pub(crate) use symmetric::MAX_UNROLLED;
pub use symmetric::{Pivots, SymmetricFactors};

use crate::scalar::{Float, Real};
use written_out::{add, for_each};

/// A column vector of `N` entries.
pub type Vector<T, const N: usize> = nalgebra::SVector<T, N>;

/// A matrix of `R` rows and `C` columns.
pub type Matrix<T, const R: usize, const C: usize> = nalgebra::SMatrix<T, R, C>;

/// The relative size below which a pivot of an N × N factorisation is round-off: 4 N ε.
///
/// The entries of G M⁻¹ Gᵀ carry an error of about N ε, and so does each pivot.
#[inline]
pub fn pivot_tolerance<T: Float>(size: usize) -> T {
    T::EPSILON * T::from_f64(4.0 * size as f64)
}

/// x ← y, entry by entry: as a whole or in a loop, the compiler would move two `f32` through integer registers as eight bytes.
#[inline(always)]
pub(crate) fn copy_entries<T: Float, const N: usize>(x: &mut Vector<T, N>, y: &Vector<T, N>) {
    for_each!(I < N => { x.data.0[0][I] = y.data.0[0][I]; });
}

/// x ← x − A y, row by row: each sum stays in a register.
#[inline(always)]
pub(crate) fn subtract_product<T: Float, const R: usize, const C: usize>(
    x: &mut Vector<T, R>,
    a: &Matrix<T, R, C>,
    y: &Vector<T, C>,
) {
    accumulate_product(x, a, y, |sum, term| sum - term);
}

/// x ← x + A y or x − A y, as `add` says.
#[inline(always)]
pub(crate) fn accumulate_product<T: Float, const R: usize, const C: usize>(
    x: &mut Vector<T, R>,
    a: &Matrix<T, R, C>,
    y: &Vector<T, C>,
    add: impl Fn(T, T) -> T,
) {
    for row in 0..R {
        let mut sum = x.data.0[0][row];
        for_each!(COLUMN < C => { sum = add(sum, a.data.0[COLUMN][row] * y.data.0[0][COLUMN]); });
        x.data.0[0][row] = sum;
    }
}

/// The rows of a product are written out up to this many entries of the matrix: more would take too much flash.
const MAX_ENTRIES: usize = 64;

/// A x, row by row: each sum stays in a register.
#[inline(always)]
pub(crate) fn product<T: Real, const R: usize, const C: usize>(a: &Matrix<T, R, C>, x: &Vector<T, C>) -> Vector<T, R> {
    let mut result = [T::zero(); R];
    if const { R * C <= MAX_ENTRIES } {
        for_each!(ROW < R => { result[ROW] = row_times(a, ROW, x); });
    } else {
        for row in 0..R {
            result[row] = row_times(a, row, x);
        }
    }
    Vector::from(result)
}

/// Row i of A times x.
#[inline(always)]
fn row_times<T: Real, const R: usize, const C: usize>(a: &Matrix<T, R, C>, i: usize, x: &Vector<T, C>) -> T {
    sum_of_products::<T, C>(|column| (a.data.0[column][i], x.data.0[0][column]))
}

/// A B, column by column.
#[inline(always)]
pub(crate) fn product_of<T: Float, const R: usize, const N: usize, const C: usize>(
    a: &Matrix<T, R, N>,
    b: &Matrix<T, N, C>,
) -> Matrix<T, R, C> {
    let mut result = entries::zero_matrix();
    for_each!(COLUMN < C => { result.data.0[COLUMN] = product(a, &Vector::from(b.data.0[COLUMN])).data.0[0]; });
    result
}

/// Σ a_i b_i over i = 0 … N − 1, begun with the first product rather than with zero.
#[inline(always)]
pub(crate) fn sum_of_products<T: Real, const N: usize>(factors: impl Fn(usize) -> (T, T)) -> T {
    let mut sum = None;
    for_each!(I < N => {
        let (a, b) = factors(I);
        sum = add(sum, a * b);
    });
    sum.unwrap_or(T::zero())
}

/// Σ a_i b_i over those i that `counts` does not know to be zero.
#[inline(always)]
pub(crate) fn sum_of_products_where<T: Float, const N: usize>(
    factors: impl Fn(usize) -> (T, T),
    counts: impl Fn(usize) -> bool,
) -> T {
    let mut first = 0;
    while first < N && !counts(first) {
        first += 1;
    }
    if first >= N {
        return T::zero();
    }
    let (a, b) = factors(first);
    let mut sum = a * b;
    for i in first + 1..N {
        if counts(i) {
            let (a, b) = factors(i);
            sum += a * b;
        }
    }
    sum
}

/// The largest magnitude among the entries of a vector; NaN if an entry is NaN.
#[inline]
pub fn magnitude<T: Float, const N: usize>(vector: &Vector<T, N>) -> T {
    let (mut largest, mut sum) = (T::zero(), T::zero());
    for_each!(I < N => {
        let size = vector.data.0[0][I].abs();
        largest = if size > largest { size } else { largest };
        sum += size;
    });
    if sum.is_nan() { sum } else { largest }
}

/// Why a matrix could not be factorised.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum FactorError<T> {
    /// An entry is NaN or infinite, or the elimination overflowed.
    NonFinite {
        /// The row or column where it was found.
        index: usize,
    },
    /// The matrix is singular, or not positive definite, to working precision.
    SmallPivot {
        /// The row or column whose pivot is small: it depends on those before it.
        index: usize,
        /// The pivot found.
        pivot: T,
        /// The limit it had to exceed.
        limit: T,
    },
}

impl<T> FactorError<T> {
    /// The same error with its numbers in another scalar.
    pub fn map<U>(self, number: impl Fn(T) -> U) -> FactorError<U> {
        match self {
            Self::NonFinite { index } => FactorError::NonFinite { index },
            Self::SmallPivot { index, pivot, limit } => {
                FactorError::SmallPivot { index, pivot: number(pivot), limit: number(limit) }
            }
        }
    }
}

impl<T: Float> FactorError<T> {
    /// The error for a pivot that is not above its limit.
    #[cold]
    pub(crate) fn refusing(index: usize, pivot: T, limit: T) -> Self {
        if pivot.is_finite() && limit.is_finite() {
            Self::SmallPivot { index, pivot, limit }
        } else {
            Self::NonFinite { index }
        }
    }
}

impl<T: Float> fmt::Display for FactorError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonFinite { index } => write!(f, "row {index} of the matrix has an entry that is NaN or infinite"),
            Self::SmallPivot { index, pivot, limit } => {
                // Round-off of a dependent row is within the limit on either side of zero.
                let cause = if *pivot < -limit.abs() {
                    "clearly negative, so the matrix is not positive definite"
                } else {
                    "zero, or dependent on the rows before it"
                };
                write!(f, "pivot {pivot:e} of row {index}, limit {limit:e}: {cause}")
            }
        }
    }
}

impl<T: Float> core::error::Error for FactorError<T> {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn messages_name_the_row_the_pivot_and_the_limit() {
        let small = FactorError::SmallPivot { index: 2, pivot: 1e-9_f32, limit: 1e-6 };
        assert_eq!(small.to_string(), "pivot 1e-9 of row 2, limit 1e-6: zero, or dependent on the rows before it");
        let negative = FactorError::SmallPivot { index: 2, pivot: -1.0_f32, limit: 1e-6 };
        let text = "pivot -1e0 of row 2, limit 1e-6: clearly negative, so the matrix is not positive definite";
        assert_eq!(negative.to_string(), text);
        let nan = FactorError::<f32>::NonFinite { index: 1 };
        assert_eq!(nan.to_string(), "row 1 of the matrix has an entry that is NaN or infinite");
    }
}
