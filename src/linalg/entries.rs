//! Operations on the entries of vectors, written out.
//!
//! nalgebra's operators are loops. At opt-level "s" they stay loops, and the vectors they work on stay in memory.

use num_traits::Zero;

use super::Vector;
use super::written_out::{MAX_WRITTEN_OUT, written_out};

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
pub(crate) fn pairs<A, B, C, const N: usize>(
    x: &Vector<A, N>,
    y: &Vector<B, N>,
    f: impl Fn(A, B) -> C,
) -> Vector<C, N>
where
    A: Copy,
    B: Copy,
    C: nalgebra::Scalar + Zero + Copy,
{
    let ([x], [y]) = (&x.data.0, &y.data.0);
    let mut result = [C::zero(); N];
    if N <= MAX_WRITTEN_OUT {
        written_out!(I where I < N => { result[I] = f(x[I], y[I]); });
    } else {
        for i in 0..N {
            result[i] = f(x[i], y[i]);
        }
    }
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
