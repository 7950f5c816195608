//! Vectors from two blocks.

use crate::linalg::Vector;
use crate::linalg::entries::zeros;
use crate::linalg::written_out::for_each;
use crate::scalar::Float;

/// One vector below the other; N is the sum of their sizes.
#[inline(always)]
pub(super) fn stacked<T: Float, const N: usize, const A: usize, const B: usize>(
    above: &Vector<T, A>,
    below: &Vector<T, B>,
) -> Vector<T, N> {
    let mut both = zeros();
    for_each!(I < N => { both.data.0[0][I] = if I < A { above.data.0[0][I] } else { below.data.0[0][I - A] }; });
    both
}

/// Splits a vector into its upper and its lower part; the inverse of [`stacked`].
#[inline(always)]
pub(super) fn split<T: Float, const N: usize, const A: usize, const B: usize>(
    both: &Vector<T, N>,
) -> (Vector<T, A>, Vector<T, B>) {
    let (mut above, mut below) = (zeros(), zeros());
    for_each!(I < A => { above.data.0[0][I] = both.data.0[0][I]; });
    for_each!(I < B => { below.data.0[0][I] = both.data.0[0][A + I]; });
    (above, below)
}
