//! Products of small blocks, written out: elements along a path have blocks of a few rows and columns, and their products stand in loops
//! over the elements, where an inner loop would cost more than what it computes.

use super::written_out::{MAX_WRITTEN_OUT, add, written_out};
use super::{Matrix, Vector};
use crate::scalar::Float;

/// A block with more rows or columns is refused by the compiler.
pub(crate) const fn check_size(size: usize) {
    assert!(size <= MAX_WRITTEN_OUT, "an element has at most 16 coordinates and 16 constraints");
}

/// A x.
#[inline(always)]
pub(crate) fn times<T: Float, const R: usize, const C: usize>(a: &Matrix<T, R, C>, x: &Vector<T, C>) -> Vector<T, R> {
    let mut result = Vector::zeros();
    written_out!(ROW where ROW < R => { result.data.0[0][ROW] = row_times::<T, R, C, ROW>(None, a, x).unwrap_or(T::zero()); });
    result
}

/// x + A y.
#[inline(always)]
pub(crate) fn add_times<T: Float, const R: usize, const C: usize>(
    x: &Vector<T, R>,
    a: &Matrix<T, R, C>,
    y: &Vector<T, C>,
) -> Vector<T, R> {
    let mut result = *x;
    written_out!(ROW where ROW < R => {
        result.data.0[0][ROW] = row_times::<T, R, C, ROW>(Some(x.data.0[0][ROW]), a, y).unwrap_or(T::zero());
    });
    result
}

/// The sum of `first` and row `ROW` of A x.
#[inline(always)]
fn row_times<T: Float, const R: usize, const C: usize, const ROW: usize>(
    first: Option<T>,
    a: &Matrix<T, R, C>,
    x: &Vector<T, C>,
) -> Option<T> {
    let mut sum = first;
    written_out!(K where K < C => { sum = add(sum, a.data.0[K][ROW] * x.data.0[0][K]); });
    sum
}

/// x − A y.
#[inline(always)]
pub(crate) fn subtract_times<T: Float, const R: usize, const C: usize>(
    x: &Vector<T, R>,
    a: &Matrix<T, R, C>,
    y: &Vector<T, C>,
) -> Vector<T, R> {
    let mut result = *x;
    written_out!(K where K < C => { subtract_column(&mut result, &a.data.0[K], y.data.0[0][K]); });
    result
}

#[inline(always)]
fn subtract_column<T: Float, const R: usize>(x: &mut Vector<T, R>, a: &[T; R], y: T) {
    written_out!(ROW where ROW < R => { x.data.0[0][ROW] -= a[ROW] * y; });
}

/// Aᵀ x.
#[inline(always)]
pub(crate) fn transposed_times<T: Float, const R: usize, const C: usize>(
    a: &Matrix<T, R, C>,
    x: &Vector<T, R>,
) -> Vector<T, C> {
    let mut result = Vector::zeros();
    written_out!(COLUMN where COLUMN < C => {
        result.data.0[0][COLUMN] = column_times::<T, R>(None, &a.data.0[COLUMN], x).unwrap_or(T::zero());
    });
    result
}

/// x + Aᵀ y.
#[inline(always)]
pub(crate) fn add_transposed_times<T: Float, const R: usize, const C: usize>(
    x: &Vector<T, C>,
    a: &Matrix<T, R, C>,
    y: &Vector<T, R>,
) -> Vector<T, C> {
    let mut result = *x;
    written_out!(COLUMN where COLUMN < C => {
        let first = Some(x.data.0[0][COLUMN]);
        result.data.0[0][COLUMN] = column_times::<T, R>(first, &a.data.0[COLUMN], y).unwrap_or(T::zero());
    });
    result
}

/// The sum of `first` and a column of A times x.
#[inline(always)]
fn column_times<T: Float, const R: usize>(first: Option<T>, a: &[T; R], x: &Vector<T, R>) -> Option<T> {
    let mut sum = first;
    written_out!(K where K < R => { sum = add(sum, a[K] * x.data.0[0][K]); });
    sum
}

/// A Bᵀ.
#[inline(always)]
pub(crate) fn times_transposed<T: Float, const R: usize, const C: usize, const K: usize>(
    a: &Matrix<T, R, K>,
    b: &Matrix<T, C, K>,
) -> Matrix<T, R, C> {
    let mut result = Matrix::zeros();
    written_out!(COLUMN where COLUMN < C => {
        result.data.0[COLUMN] = times(a, &row::<T, C, K, COLUMN>(b)).data.0[0];
    });
    result
}

/// Row `ROW` of A.
#[inline(always)]
pub(crate) fn row<T: Float, const R: usize, const C: usize, const ROW: usize>(a: &Matrix<T, R, C>) -> Vector<T, C> {
    let mut row = Vector::zeros();
    written_out!(K where K < C => { row.data.0[0][K] = a.data.0[K][ROW]; });
    row
}

/// A W of a diagonal W.
#[inline(always)]
pub(crate) fn weighted<T: Float, const R: usize, const C: usize>(
    a: &Matrix<T, R, C>,
    w: &Vector<T, C>,
) -> Matrix<T, R, C> {
    let mut result = Matrix::zeros();
    written_out!(COLUMN where COLUMN < C => {
        result.data.0[COLUMN] = scaled(&Vector::from(a.data.0[COLUMN]), w.data.0[0][COLUMN]).data.0[0];
    });
    result
}

/// x s.
#[inline(always)]
pub(crate) fn scaled<T: Float, const N: usize>(x: &Vector<T, N>, s: T) -> Vector<T, N> {
    let mut result = Vector::zeros();
    written_out!(K where K < N => { result.data.0[0][K] = x.data.0[0][K] * s; });
    result
}

/// x + y.
#[inline(always)]
pub(crate) fn sum<T: Float, const N: usize>(x: &Vector<T, N>, y: &Vector<T, N>) -> Vector<T, N> {
    let mut result = Vector::zeros();
    written_out!(K where K < N => { result.data.0[0][K] = x.data.0[0][K] + y.data.0[0][K]; });
    result
}

/// x − y.
#[inline(always)]
pub(crate) fn difference<T: Float, const N: usize>(x: &Vector<T, N>, y: &Vector<T, N>) -> Vector<T, N> {
    let mut result = Vector::zeros();
    written_out!(K where K < N => { result.data.0[0][K] = x.data.0[0][K] - y.data.0[0][K]; });
    result
}

/// x + y s.
#[inline(always)]
pub(crate) fn add_scaled<T: Float, const N: usize>(x: &Vector<T, N>, y: &Vector<T, N>, s: T) -> Vector<T, N> {
    let mut result = Vector::zeros();
    written_out!(K where K < N => { result.data.0[0][K] = x.data.0[0][K] + y.data.0[0][K] * s; });
    result
}

/// x − W y of a diagonal W.
#[inline(always)]
pub(crate) fn subtract_weighted<T: Float, const N: usize>(
    x: &Vector<T, N>,
    w: &Vector<T, N>,
    y: &Vector<T, N>,
) -> Vector<T, N> {
    let mut result = Vector::zeros();
    written_out!(K where K < N => { result.data.0[0][K] = x.data.0[0][K] - w.data.0[0][K] * y.data.0[0][K]; });
    result
}

/// Σ x_k y_k, begun with `first`.
#[inline(always)]
pub(crate) fn dot<T: Float, const N: usize>(first: T, x: &Vector<T, N>, y: &Vector<T, N>) -> T {
    let mut sum = first;
    written_out!(K where K < N => { sum += x.data.0[0][K] * y.data.0[0][K]; });
    sum
}

/// x plus the squares of the entries of y.
#[inline(always)]
pub(crate) fn add_squares<T: Float, const N: usize>(x: &Vector<T, N>, y: &Vector<T, N>) -> Vector<T, N> {
    let mut result = *x;
    written_out!(K where K < N => { result.data.0[0][K] += y.data.0[0][K] * y.data.0[0][K]; });
    result
}

/// The componentwise product of x and y.
#[inline(always)]
pub(crate) fn product_of_entries<T: Float, const N: usize>(x: &Vector<T, N>, y: &Vector<T, N>) -> Vector<T, N> {
    let mut result = Vector::zeros();
    written_out!(K where K < N => { result.data.0[0][K] = x.data.0[0][K] * y.data.0[0][K]; });
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_agree_with_those_of_nalgebra() {
        let a = Matrix::<f64, 2, 3>::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
        let b = Matrix::<f64, 2, 3>::new(-1.0, 0.5, 2.0, 7.0, 0.0, 1.0);
        let (x, y, w) = (Vector::from([1.0, -2.0, 0.5]), Vector::from([3.0, 4.0]), Vector::from([2.0, 3.0, 5.0]));
        assert_eq!(times(&a, &x), a * x);
        assert_eq!(transposed_times(&a, &y), a.transpose() * y);
        assert_eq!(times_transposed(&a, &b), a * b.transpose());
        assert_eq!(weighted(&a, &w), a * Matrix::from_diagonal(&w));
        assert_eq!(add_times(&y, &a, &x), y + a * x);
        assert_eq!(subtract_times(&y, &a, &x), y - a * x);
        assert_eq!(add_transposed_times(&x, &a, &y), x + a.transpose() * y);
        assert_eq!(row::<_, 2, 3, 1>(&a), Vector::from([4.0, 5.0, 6.0]));
        assert_eq!(sum(&x, &w), x + w);
        assert_eq!(difference(&x, &w), x - w);
        assert_eq!(add_scaled(&x, &w, 2.0), x + w * 2.0);
        assert_eq!(scaled(&x, 2.0), x * 2.0);
        assert_eq!(subtract_weighted(&x, &w, &x), x - w.component_mul(&x));
        assert_eq!(product_of_entries(&x, &w), x.component_mul(&w));
        assert_eq!(dot(1.0, &x, &w), 1.0 + x.dot(&w));
        assert_eq!(add_squares(&w, &x), w + x.component_mul(&x));
    }
}
