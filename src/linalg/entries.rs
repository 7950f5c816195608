//! Operations on the entries of vectors, written out.
//!
//! nalgebra's operators are loops. At opt-level "s" they stay loops, and the vectors they work on stay in memory.

use num_traits::Zero;

use super::written_out::for_each;
use super::{Matrix, Vector};
use crate::scalar::{Float, Jet};

/// A vector of zeros: a constant, where nalgebra's is a loop.
#[inline(always)]
pub(crate) fn zeros<T: Float, const N: usize>() -> Vector<T, N> {
    Vector::from(const { [T::ZERO; N] })
}

/// A vector of −0, to which sums are added.
#[inline(always)]
pub(crate) fn negative_zeros<T: Float, const N: usize>() -> Vector<T, N> {
    Vector::from(const { [T::NEGATIVE_ZERO; N] })
}

/// A matrix of zeros.
#[inline(always)]
pub(crate) fn zero_matrix<T: Float, const R: usize, const C: usize>() -> Matrix<T, R, C> {
    Matrix::from(const { [[T::ZERO; R]; C] })
}

/// f(x_i) for each entry.
#[inline(always)]
pub(crate) fn each<A, B, const N: usize>(x: &Vector<A, N>, f: impl Fn(A) -> B) -> Vector<B, N>
where
    A: Copy,
    B: nalgebra::Scalar + Zero + Copy,
{
    pairs(x, x, |a, _| f(a))
}

/// f(x_i, y_i) for each pair of entries.
#[inline(always)]
pub(crate) fn pairs<A, B, C, const N: usize>(x: &Vector<A, N>, y: &Vector<B, N>, f: impl Fn(A, B) -> C) -> Vector<C, N>
where
    A: Copy,
    B: Copy,
    C: nalgebra::Scalar + Zero + Copy,
{
    let ([x], [y]) = (&x.data.0, &y.data.0);
    let mut result = [C::zero(); N];
    for_each!(I < N => { result[I] = f(x[I], y[I]); });
    Vector::from(result)
}

/// The jets of a motion: position, velocity and acceleration of each coordinate.
#[inline(always)]
pub(crate) fn jets<T: Float, const N: usize>(
    x: &Vector<T, N>,
    v: &Vector<T, N>,
    a: &Vector<T, N>,
) -> Vector<Jet<T>, N> {
    let moving = pairs(x, v, |x, v| Jet::new(x, v, T::zero()));
    pairs(&moving, a, |moving, a| Jet::new(moving.value, moving.first, a))
}

/// x + y s.
#[inline(always)]
pub(crate) fn add_scaled<T: Float, const N: usize>(x: &Vector<T, N>, y: &Vector<T, N>, s: T) -> Vector<T, N> {
    pairs(x, y, |x, y| x + y * s)
}

/// Aᵀ.
#[inline(always)]
pub(crate) fn transposed<T: Float, const R: usize, const C: usize>(a: &Matrix<T, R, C>) -> Matrix<T, C, R> {
    let mut result = zero_matrix();
    for_each!(ROW < R => { result.data.0[ROW] = row(a, ROW); });
    result
}

/// Row i of A.
#[inline(always)]
pub(crate) fn row<T: Float, const R: usize, const C: usize>(a: &Matrix<T, R, C>, i: usize) -> [T; C] {
    let mut row = const { [T::ZERO; C] };
    for_each!(COLUMN < C => { row[COLUMN] = a.data.0[COLUMN][i]; });
    row
}

/// Copies the entries below the diagonal to those above it.
#[inline(always)]
pub(crate) fn mirror_lower<T: Float, const N: usize>(a: &mut Matrix<T, N, N>) {
    for_each!(COLUMN < N => { copy_to_row(a, COLUMN); });
}

/// Copies a column to the row of the same number, behind the diagonal.
#[inline(always)]
fn copy_to_row<T: Float, const N: usize>(a: &mut Matrix<T, N, N>, column: usize) {
    for_each!(ROW < N => {
        if (column + 1..N).contains(&ROW) {
            a.data.0[ROW][column] = a.data.0[column][ROW];
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Below, at and above the largest size that is written out.
    #[test]
    fn every_entry_takes_part() {
        fn check<const N: usize>() {
            let x = Vector::<f64, N>::from_fn(|i, _| i as f64 + 1.0);
            assert_eq!(each(&x, |a| a * 2.0), x * 2.0);
            assert_eq!(pairs(&x, &each(&x, |a| a * a), |a, b| b - a), x.component_mul(&x) - x);
            assert_eq!(add_scaled(&x, &x, 2.0), x * 3.0);
            let a = Matrix::<f64, N, N>::from_fn(|row, column| (20 * row + column) as f64);
            assert_eq!(transposed(&a), a.transpose());
            let mut mirrored = a;
            mirror_lower(&mut mirrored);
            let mut expected = a;
            expected.fill_upper_triangle_with_lower_triangle();
            assert_eq!(mirrored, expected);
        }
        check::<0>();
        check::<1>();
        check::<15>();
        check::<16>();
        check::<17>();
    }
}
