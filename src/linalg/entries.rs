//! Operations on the entries of vectors, written out.
//!
//! nalgebra's operators are loops. At opt-level "s" they stay loops, and the vectors they work on stay in memory.

use num_traits::Zero;

use super::written_out::for_each;
use super::{Matrix, Vector};
use crate::scalar::Float;

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
        }
        check::<0>();
        check::<1>();
        check::<15>();
        check::<16>();
        check::<17>();
    }
}
