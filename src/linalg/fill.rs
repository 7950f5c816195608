//! In which order a symmetric matrix is eliminated, and which entries of its factor differ from zero, as constants.
//!
//! Whether a zero stays one depends on the order. The one found here eliminates next the row that fills in the fewest entries (minimum
//! fill, a greedy search: Duff, Erisman & Reid, Direct Methods for Sparse Matrices, section 7.5). Where some order fills in nothing, as on
//! a tree or a chain, it finds one. A chain is eliminated from both ends: with the same instructions, half of them wait for each other.

use super::written_out::MAX_WRITTEN_OUT;

/// Where the factor L of a symmetric matrix differs from zero, fill included. Known at compile time, so that no instruction is spent on
/// zeros.
pub trait Fill<const N: usize> {
    /// The row that is eliminated at each place. Loops that are not written out need the natural order.
    const ORDER: [usize; N] = natural_order();

    /// The entries of L below the diagonal, as `L[place][earlier place]`.
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

/// The rows as they are numbered.
pub(crate) const fn natural_order<const N: usize>() -> [usize; N] {
    let (mut order, mut i) = ([0; N], 0);
    while i < N {
        order[i] = i;
        i += 1;
    }
    order
}

/// The order with the least fill that is found, for the pattern of a symmetric matrix; of two with the same fill, the one with the
/// shorter longest chain of rows that wait for each other. The natural one unless another is better.
pub(crate) const fn order<const N: usize>(entries: &[[bool; N]; N]) -> [usize; N] {
    let (found, natural) = (minimum_fill(*entries), natural_order());
    let (l, l_natural) = (fill(lower(entries, &found)), fill(lower(entries, &natural)));
    let (filled, filled_naturally) = (count(&l), count(&l_natural));
    let is_better = filled < filled_naturally || filled == filled_naturally && height(&l) < height(&l_natural);
    if is_better { found } else { natural }
}

/// Eliminates next the row with the least fill. Of equals, the one with the fewest neighbours; then the one that waits for the fewest
/// others, because a processor works on independent rows at the same time; then the one that was changed last and is still in registers;
/// then the first.
const fn minimum_fill<const N: usize>(mut entries: [[bool; N]; N]) -> [usize; N] {
    let (mut order, mut eliminated, mut waits, mut changed, mut place) = ([0; N], [false; N], [0; N], [0; N], 0);
    while place < N {
        let (mut chosen, mut least, mut row) = (N, [usize::MAX; 4], 0);
        while row < N {
            if !eliminated[row] {
                let filled = couple(&mut entries, &eliminated, row, false);
                let cost = [filled, neighbours(&entries, &eliminated, row), waits[row], N - changed[row]];
                if is_less(&cost, &least) {
                    (chosen, least) = (row, cost);
                }
            }
            row += 1;
        }
        couple(&mut entries, &eliminated, chosen, true);
        eliminated[chosen] = true;
        order[place] = chosen;
        place += 1;
        let mut i = 0;
        while i < N {
            if entries[i][chosen] && !eliminated[i] {
                changed[i] = place;
                if waits[i] <= waits[chosen] {
                    waits[i] = waits[chosen] + 1;
                }
            }
            i += 1;
        }
    }
    order
}

/// Whether the first numbers that differ are in this order.
const fn is_less(left: &[usize; 4], right: &[usize; 4]) -> bool {
    let mut i = 0;
    while i < 3 && left[i] == right[i] {
        i += 1;
    }
    left[i] < right[i]
}

/// How many rows that are left are coupled to a row.
const fn neighbours<const N: usize>(entries: &[[bool; N]; N], eliminated: &[bool; N], row: usize) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < N {
        count += (entries[i][row] && !eliminated[i]) as usize;
        i += 1;
    }
    count
}

/// The length of the longest chain of rows that wait for each other, from the pattern of L.
const fn height<const N: usize>(l: &[[bool; N]; N]) -> usize {
    let (mut heights, mut height, mut i) = ([1; N], 0, 0);
    while i < N {
        let mut k = 0;
        while k < i {
            if l[i][k] && heights[i] <= heights[k] {
                heights[i] = heights[k] + 1;
            }
            k += 1;
        }
        if height < heights[i] {
            height = heights[i];
        }
        i += 1;
    }
    height
}

/// How many entries the elimination of a row fills in; `keep` also enters them.
const fn couple<const N: usize>(entries: &mut [[bool; N]; N], eliminated: &[bool; N], row: usize, keep: bool) -> usize {
    let (mut filled, mut i) = (0, 0);
    while i < N {
        if i != row && entries[i][row] && !eliminated[i] {
            let mut j = 0;
            while j < i {
                if j != row && entries[j][row] && !eliminated[j] && !entries[i][j] {
                    filled += 1;
                    if keep {
                        (entries[i][j], entries[j][i]) = (true, true);
                    }
                }
                j += 1;
            }
        }
        i += 1;
    }
    filled
}

/// The lower triangle of a symmetric pattern in an order.
pub(crate) const fn lower<const N: usize>(entries: &[[bool; N]; N], order: &[usize; N]) -> [[bool; N]; N] {
    let (mut lower, mut i) = ([[false; N]; N], 0);
    while i < N {
        let mut j = 0;
        while j <= i {
            lower[i][j] = entries[order[i]][order[j]];
            j += 1;
        }
        i += 1;
    }
    lower
}

/// How many entries a triangle has.
const fn count<const N: usize>(entries: &[[bool; N]; N]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < N {
        let mut j = 0;
        while j <= i {
            count += entries[i][j] as usize;
            j += 1;
        }
        i += 1;
    }
    count
}

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

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain whose links are numbered in an order.
    const fn chain<const N: usize>(numbers: [usize; N]) -> [[bool; N]; N] {
        let (mut entries, mut i) = ([[false; N]; N], 0);
        while i < N {
            entries[numbers[i]][numbers[i]] = true;
            if i > 0 {
                entries[numbers[i]][numbers[i - 1]] = true;
                entries[numbers[i - 1]][numbers[i]] = true;
            }
            i += 1;
        }
        entries
    }

    const fn filled<const N: usize>(entries: &[[bool; N]; N]) -> usize {
        count(&fill(lower(entries, &order(entries))))
    }

    /// N on the diagonal and N − 1 beside it: no fill.
    #[test]
    fn a_chain_has_no_fill_in_any_numbering() {
        const NUMBERED: usize = filled(&chain([0, 1, 2, 3, 4, 5, 6, 7]));
        const FROM_BOTH_ENDS: usize = filled(&chain([0, 2, 4, 6, 7, 5, 3, 1]));
        const AT_RANDOM: usize = filled(&chain([5, 0, 7, 3, 1, 6, 2, 4]));
        const LARGEST: usize = filled(&chain([12, 0, 7, 3, 15, 6, 2, 10, 8, 1, 14, 11, 5, 9, 4, 13]));
        assert_eq!([NUMBERED, FROM_BOTH_ENDS, AT_RANDOM, LARGEST], [15, 15, 15, 31]);
        assert!(count(&fill(lower(&chain([5, 0, 7, 3, 1, 6, 2, 4]), &natural_order()))) > AT_RANDOM);
    }

    #[test]
    fn the_natural_order_stays_where_no_other_is_better() {
        const CHAIN: [usize; 3] = order(&chain([0, 2, 1]));
        const DENSE: [usize; 16] = order(&[[true; 16]; 16]);
        const EMPTY: [usize; 0] = order(&[]);
        assert_eq!((CHAIN, DENSE, EMPTY), (natural_order(), natural_order(), []));
    }

    /// Two rows of five wait for none, two for one, the last for two: three in a chain instead of five.
    #[test]
    fn a_chain_is_eliminated_from_both_ends() {
        const ORDER: [usize; 5] = order(&chain([0, 1, 2, 3, 4]));
        assert_eq!(ORDER, [0, 4, 3, 1, 2]);
        let heights = [ORDER, natural_order()].map(|order| height(&fill(lower(&chain([0, 1, 2, 3, 4]), &order))));
        assert_eq!(heights, [3, 5]);
    }

    /// Seven links that hang from one: eliminated last, it fills in nothing; first, everything.
    #[test]
    fn the_middle_of_a_star_comes_last() {
        let mut star = [[false; 8]; 8];
        for i in 0..8 {
            (star[i][i], star[0][i], star[i][0]) = (true, true, true);
        }
        assert_eq!(order(&star), [1, 2, 3, 4, 5, 6, 7, 0]);
        assert_eq!(filled(&star), 15);
        assert_eq!(count(&fill(lower(&star, &natural_order()))), 36);
    }
}
