//! Which entries of a factor differ from zero, as a constant.

use super::written_out::MAX_WRITTEN_OUT;

/// Where the factor L of a symmetric matrix differs from zero, fill included. Known at compile time, so that no instruction is spent on
/// zeros.
pub trait Fill<const N: usize> {
    /// The entries of L below the diagonal, as `L[row][column]`.
    const L: [[bool; N]; N];

    /// Whether the loops are written out. Larger matrices would take too much flash.
    const WRITTEN_OUT: bool;
}

/// No entry is known to be zero.
#[derive(Clone, Copy, Debug)]
pub struct Dense;

impl<const N: usize> Fill<N> for Dense {
    const L: [[bool; N]; N] = [[true; N]; N];
    const WRITTEN_OUT: bool = N <= MAX_WRITTEN_OUT && products(&<Self as Fill<N>>::L) <= MAX_PRODUCTS;
}

/// At most so many products of a factorisation are written out. On a Cortex-M4F one takes about ten bytes of flash.
pub(crate) const MAX_PRODUCTS: usize = 256;

/// The fill of a matrix: the pattern of L for the pattern of its lower triangle.
pub(crate) const fn fill<const N: usize>(mut entries: [[bool; N]; N]) -> [[bool; N]; N] {
    let mut k = 0;
    while k < N {
        let mut j = k + 1;
        while j < N {
            let mut i = j;
            while i < N {
                if entries[i][k] && entries[j][k] {
                    entries[i][j] = true;
                }
                i += 1;
            }
            j += 1;
        }
        k += 1;
    }
    entries
}

/// How many products the elimination takes.
pub(crate) const fn products<const N: usize>(l: &[[bool; N]; N]) -> usize {
    let mut count = 0;
    let mut i = 0;
    while i < N {
        let mut j = 0;
        while j <= i {
            let mut k = 0;
            while k < j {
                if (i == j || l[i][j]) && l[i][k] && l[j][k] {
                    count += 1;
                }
                k += 1;
            }
            j += 1;
        }
        i += 1;
    }
    count
}
