//! Vectors from two blocks.

use crate::linalg::Vector;
use crate::scalar::Float;

/// One vector below the other; N is the sum of their sizes.
#[inline(always)]
pub(super) fn stacked<T: Float, const N: usize, const A: usize, const B: usize>(
    above: &Vector<T, A>,
    below: &Vector<T, B>,
) -> Vector<T, N> {
    let mut both = Vector::zeros();
    for i in 0..N {
        both.data.0[0][i] = if i < A { above.data.0[0][i] } else { below.data.0[0][i - A] };
    }
    both
}

/// Splits a vector into its upper and its lower part; the inverse of [`stacked`].
#[inline(always)]
pub(super) fn split<T: Float, const N: usize, const A: usize, const B: usize>(
    both: &Vector<T, N>,
) -> (Vector<T, A>, Vector<T, B>) {
    let (mut above, mut below) = (Vector::zeros(), Vector::zeros());
    for i in 0..N {
        *if i < A { &mut above.data.0[0][i] } else { &mut below.data.0[0][i - A] } = both.data.0[0][i];
    }
    (above, below)
}
