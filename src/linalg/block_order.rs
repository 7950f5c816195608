//! The order of rows and columns that makes a matrix block upper triangular, from the places of its zeros.
//!
//! ```text
//!     A₁₁ A₁₂ A₁₃
//!         A₂₂ A₂₃
//!             A₃₃
//! ```
//!
//! Blocks are as small as possible (Duff and Reid 1978; the same order as in KLU, Davis and Palamadai Natarajan 2010). First each column
//! gets a row of its own, which puts an entry on every place of the diagonal. Columns whose equations depend on each other are then a block.
//!
//! All of it runs at compile time: [`BlockFactors`](super::BlockFactors) are written out in this order.

use super::Dense;
use super::written_out::{MAX_WRITTEN_OUT, counts};

/// Larger blocks take the loops of [`Lu`]: written out they would take too much flash.
const MAX_BLOCK: usize = 4;
/// The pattern of a square matrix.
pub(crate) trait Square<const N: usize> {
    /// Where the matrix can differ from zero, as `ENTRIES[row][column]`.
    const ENTRIES: [[bool; N]; N];

    /// The order of its rows and columns.
    const ORDER: Order<N> = Order::of(&Self::ENTRIES);
}

/// No entry is known to be zero.
impl<const N: usize> Square<N> for Dense {
    const ENTRIES: [[bool; N]; N] = [[true; N]; N];
}

/// An order of rows and columns that makes a matrix block upper triangular.
pub(crate) struct Order<const N: usize> {
    /// The row and the column at each place.
    rows: [usize; N],
    columns: [usize; N],
    /// The first place of the block that a place belongs to.
    first: [usize; N],
    /// Where the ordered matrix can differ from zero.
    pub(super) entries: [[bool; N]; N],
    /// Whether the loops are written out.
    pub(super) written_out: bool,
}

impl<const N: usize> Order<N> {
    /// Orders a matrix. The loops are not written out if a block is too large, or if no order gives a diagonal without zeros.
    pub(crate) const fn of(entries: &[[bool; N]; N]) -> Self {
        let mut order =
            Self { rows: [0; N], columns: [0; N], first: [0; N], entries: [[false; N]; N], written_out: false };
        // For each column a row that has an entry in it; N if no row is left.
        let (mut row_of, mut column_of, mut column) = ([N; N], [N; N], 0);
        while column < N {
            let mut seen = [false; N];
            if N > MAX_WRITTEN_OUT || !matched(entries, column, &mut row_of, &mut column_of, &mut seen) {
                return order;
            }
            column += 1;
        }
        let reached = reached(entries, &row_of);

        // A column that reaches more columns comes first. Columns that reach each other are a block; the smallest one leads it.
        let (mut place, mut placed) = (0, [false; N]);
        while place < N {
            let (mut next, mut column) = (N, 0);
            while column < N {
                if !placed[column] && (next == N || precedes(&reached, column, next)) {
                    next = column;
                }
                column += 1;
            }
            placed[next] = true;
            order.columns[place] = next;
            order.rows[place] = row_of[next];
            let same = place > 0 && leader(&reached, order.columns[place - 1]) == leader(&reached, next);
            order.first[place] = if same { order.first[place - 1] } else { place };
            place += 1;
        }
        let (mut i, mut largest) = (0, 0);
        while i < N {
            let mut j = 0;
            while j < N {
                order.entries[i][j] = entries[order.rows[i]][order.columns[j]];
                j += 1;
            }
            if i - order.first[i] + 1 > largest {
                largest = i - order.first[i] + 1;
            }
            i += 1;
        }
        order.written_out = largest <= MAX_BLOCK;
        order
    }

    /// The row at a place.
    pub(super) const fn row(&self, place: usize) -> usize {
        if place < N { self.rows[place] } else { 0 }
    }

    /// The column at a place.
    pub(super) const fn column(&self, place: usize) -> usize {
        if place < N { self.columns[place] } else { 0 }
    }

    /// Whether a block begins at a place.
    pub(super) const fn begins(&self, place: usize) -> bool {
        place < N && self.first[place] == place
    }

    /// Whether a place belongs to the block that begins at `first`.
    pub(super) const fn belongs(&self, place: usize, first: usize) -> bool {
        place < N && self.first[place] == first
    }

    /// Whether two places belong to one block.
    pub(super) const fn together(&self, i: usize, j: usize) -> bool {
        i < N && j < N && self.first[i] == self.first[j]
    }

    /// Whether a place is in the same block as another, and after it.
    pub(super) const fn below(&self, place: usize, other: usize) -> bool {
        place > other && self.together(place, other)
    }

    /// Whether an entry of the ordered matrix above its blocks can differ from zero.
    pub(super) const fn above(&self, i: usize, j: usize) -> bool {
        counts(&self.entries, i, j) && !self.together(i, j)
    }
}

/// Finds a row for a column, and other rows for the columns that lose theirs (Kuhn 1955).
const fn matched<const N: usize>(
    entries: &[[bool; N]; N],
    column: usize,
    row_of: &mut [usize; N],
    column_of: &mut [usize; N],
    seen: &mut [bool; N],
) -> bool {
    let mut row = 0;
    while row < N {
        if entries[row][column] && !seen[row] {
            seen[row] = true;
            if column_of[row] == N || matched(entries, column_of[row], row_of, column_of, seen) {
                row_of[column] = row;
                column_of[row] = column;
                return true;
            }
        }
        row += 1;
    }
    false
}

/// Which columns the equation of each column depends on, directly or through others (Warshall 1962).
const fn reached<const N: usize>(entries: &[[bool; N]; N], row_of: &[usize; N]) -> [[bool; N]; N] {
    let (mut reached, mut i) = ([[false; N]; N], 0);
    while i < N {
        reached[i] = entries[row_of[i]];
        i += 1;
    }
    let mut k = 0;
    while k < N {
        let mut i = 0;
        while i < N {
            if reached[i][k] {
                let mut j = 0;
                while j < N {
                    reached[i][j] |= reached[k][j];
                    j += 1;
                }
            }
            i += 1;
        }
        k += 1;
    }
    reached
}

/// The smallest column of the block of a column.
const fn leader<const N: usize>(reached: &[[bool; N]; N], column: usize) -> usize {
    let mut other = 0;
    while other < column && !(reached[column][other] && reached[other][column]) {
        other += 1;
    }
    other
}

/// Whether a column comes before another: first those that reach more, then block by block.
const fn precedes<const N: usize>(reached: &[[bool; N]; N], column: usize, other: usize) -> bool {
    let (mine, its) = (count(&reached[column]), count(&reached[other]));
    mine > its || (mine == its && leader(reached, column) < leader(reached, other))
}

const fn count<const N: usize>(entries: &[bool; N]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < N {
        count += entries[i] as usize;
        i += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Pattern;

    /// The sizes of the blocks, from the smallest.
    fn sizes<const N: usize>(order: &Order<N>) -> std::vec::Vec<usize> {
        let size = |first: usize| (0..N).filter(|place| order.belongs(*place, first)).count();
        let mut sizes: std::vec::Vec<usize> = (0..N).filter(|place| order.begins(*place)).map(size).collect();
        sizes.sort();
        sizes
    }

    fn check<const N: usize>(rows: [&str; N], blocks: &[usize]) {
        let order = Order::of(Pattern::<N, N>::rows(rows).entries());
        assert!(order.written_out);
        assert_eq!(sizes(&order), blocks);
        for i in 0..N {
            assert!(order.entries[i][i], "place {i} has no entry on the diagonal");
            for j in 0..i {
                assert!(!order.entries[i][j] || order.together(i, j), "({i}, {j}) is below the blocks");
            }
        }
    }

    #[test]
    fn blocks_are_as_small_as_possible() {
        // Two columns of one entry, and a block of two.
        check(["x.xx", ".xxx", "..xx", "..xx"], &[1, 1, 2]);
        // Blocks that the given order does not show.
        let scattered =
            ["x...x.x.", "..x..x..", "x.x.....", ".x.x...x", "...xx..x", "..x..x..", "x...x.x.", ".x.....x"];
        check(scattered, &[1, 2, 2, 3]);
        // A cycle is one block.
        check(["x.x", "xx.", ".xx"], &[3]);
    }

    #[test]
    fn a_column_without_a_row_of_its_own_is_left_to_the_dense_factors() {
        const fn written_out<const N: usize>(rows: [&str; N]) -> bool {
            Order::of(Pattern::<N, N>::rows(rows).entries()).written_out
        }
        const { assert!(!written_out(["xx.", "...", "..x"])) };
        const { assert!(!Order::<6>::of(&[[true; 6]; 6]).written_out && Order::<2>::of(&[[true; 2]; 2]).written_out) };
    }
}
