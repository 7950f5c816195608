//! P A Q = L U of a matrix whose zeros are known at compile time: block by block.
//!
//! Rows and columns are in the [order](super::block_order) that makes the matrix block upper triangular:
//!
//! ```text
//!     A₁₁ A₁₂ A₁₃          Only A₁₁, A₂₂, … are factorised, each with partial pivoting.
//!         A₂₂ A₂₃          A x = b is solved from the last block to the first, Aᵀ x = b from the first to the last.
//!             A₃₃
//! ```
//!
//! The order is a constant, and all loops are written out. A block of one entry takes a division.

use super::block_order::Square;
use super::written_out::{counts, written_out};
use super::{Entry, FactorError, Lu, Matrix, Vector};
use crate::scalar::Float;

/// The factors of a matrix with a known pattern. All functions must be called with the same pattern.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockFactors<T: Entry, const N: usize> {
    /// As in [`Lu`] in the blocks, as given above them, and not used below them.
    factors: Lu<T, N>,
}

impl<T: Float, const N: usize> BlockFactors<T, N> {
    /// A workspace for [`update`](Self::update).
    #[inline(always)]
    pub(crate) fn workspace() -> Self {
        Self { factors: Lu::workspace() }
    }

    /// Factorises in place. `entry` gives the entry in a row and a column. A pivot must exceed `tolerance` times the largest entry of its
    /// column, that above its block included.
    #[inline(always)]
    pub(crate) fn update<P: Square<N>>(
        &mut self,
        entry: impl Fn(usize, usize) -> T,
        tolerance: T,
    ) -> Result<(), FactorError<T>> {
        if !P::ORDER.written_out {
            let mut matrix = Matrix::zeros();
            for column in 0..N {
                for row in 0..N {
                    matrix.data.0[column][row] = entry(row, column);
                }
            }
            self.factors = Lu::factor_with(matrix, tolerance)?;
            return Ok(());
        }
        let Lu { factors, exchanges, .. } = &mut self.factors;
        let (a, mut limits) = (&mut factors.data.0, [T::zero(); N]);
        written_out!(K where K < N => { limits[K] = fill_column::<P, T, N, K>(a, &entry, tolerance); });
        written_out!(K where K < N => { exchanges[K] = eliminate::<P, T, N, K>(a, limits[K])?; });
        Ok(())
    }

    /// Copies the entries that a solution reads.
    #[inline(always)]
    pub(crate) fn assign<P: Square<N>>(&mut self, next: &Self) {
        if !P::ORDER.written_out {
            *self = *next;
            return;
        }
        written_out!(K where K < N => {
            copy_column::<P, T, N, K>(&mut self.factors.factors.data.0, &next.factors.factors.data.0);
        });
        written_out!(K where K < N && P::ORDER.together(K, K + 1) => {
            self.factors.exchanges[K] = next.factors.exchanges[K];
        });
    }

    /// The solution of A x = b.
    #[inline(always)]
    pub(crate) fn solve<P: Square<N>>(&self, b: Vector<T, N>) -> Vector<T, N> {
        if !P::ORDER.written_out {
            return self.factors.solve(b);
        }
        let mut y = [T::zero(); N];
        written_out!(K where K < N => { y[K] = b.data.0[0][const { P::ORDER.row(K) }]; });
        written_out!(down FIRST where P::ORDER.begins(FIRST) => { solve_block::<P, T, N, FIRST>(&self.factors, &mut y); });
        let mut x = Vector::zeros();
        written_out!(K where K < N => { x.data.0[0][const { P::ORDER.column(K) }] = y[K]; });
        x
    }

    /// The solution of Aᵀ x = b.
    #[inline(always)]
    pub(crate) fn solve_transposed<P: Square<N>>(&self, b: Vector<T, N>) -> Vector<T, N> {
        if !P::ORDER.written_out {
            return self.factors.solve_transposed(b);
        }
        let mut y = [T::zero(); N];
        written_out!(K where K < N => { y[K] = b.data.0[0][const { P::ORDER.column(K) }]; });
        written_out!(FIRST where P::ORDER.begins(FIRST) => { solve_transposed_block::<P, T, N, FIRST>(&self.factors, &mut y); });
        let mut x = Vector::zeros();
        written_out!(K where K < N => { x.data.0[0][const { P::ORDER.row(K) }] = y[K]; });
        x
    }
}

/// Copies the column at place `K`: its entries in and above its block.
#[inline(always)]
fn copy_column<P: Square<N>, T: Float, const N: usize, const K: usize>(to: &mut [[T; N]; N], from: &[[T; N]; N]) {
    written_out!(I where P::ORDER.together(I, K) || P::ORDER.above(I, K) => {
        let (column, row) = const { (P::ORDER.column(K), P::ORDER.row(I)) };
        to[column][row] = from[column][row];
    });
}

/// Evaluates the column at place `K`. Returns the limit of its pivot: at least a normal number, so that the inverse of the pivot is finite;
/// NaN if an entry is NaN or infinite.
#[inline(always)]
fn fill_column<P: Square<N>, T: Float, const N: usize, const K: usize>(
    a: &mut [[T; N]; N],
    entry: &impl Fn(usize, usize) -> T,
    tolerance: T,
) -> T {
    let (mut largest, mut smallest_limit) = (T::zero(), T::MIN_POSITIVE);
    written_out!(I where counts(&P::ORDER.entries, I, K) => {
        let (column, row) = const { (P::ORDER.column(K), P::ORDER.row(I)) };
        let number = entry(row, column);
        a[column][row] = number;
        let size = number.abs();
        if size > largest {
            largest = size;
        }
        // Zero times NaN or infinity is NaN: one instruction instead of a comparison.
        smallest_limit += size * T::zero();
    });
    // Entries of the block that the elimination fills in.
    written_out!(I where P::ORDER.together(I, K) && !counts(&P::ORDER.entries, I, K) => {
        a[const { P::ORDER.column(K) }][const { P::ORDER.row(I) }] = T::zero();
    });
    largest * tolerance + smallest_limit
}

/// Step `K` of the elimination: finds the pivot, moves it to the diagonal, and eliminates its column from the block. Returns the place of
/// the pivot's row.
#[inline(always)]
fn eliminate<P: Square<N>, T: Float, const N: usize, const K: usize>(
    a: &mut [[T; N]; N],
    limit: T,
) -> Result<usize, FactorError<T>> {
    let (column, row) = const { (P::ORDER.column(K), P::ORDER.row(K)) };
    let (mut place, mut size) = (K, a[column][row].abs());
    written_out!(I where P::ORDER.below(I, K) => {
        let other = a[column][const { P::ORDER.row(I) }].abs();
        if other > size {
            (place, size) = (I, other);
        }
    });
    // False if the pivot is NaN.
    if !(size > limit && size <= T::MAX) {
        return Err(FactorError::refusing(column, size, limit));
    }
    written_out!(I where P::ORDER.below(I, K) => {
        if place == I {
            exchange_rows::<P, T, N, K, I>(a);
        }
    });
    let inverse = T::one() / a[column][row];
    a[column][row] = inverse;
    written_out!(I where P::ORDER.below(I, K) => { a[column][const { P::ORDER.row(I) }] *= inverse; });
    written_out!(J where P::ORDER.below(J, K) => { update_column::<P, T, N, K, J>(a); });
    Ok(place)
}

/// Exchanges the rows at places `K` and `I` of a block.
#[inline(always)]
fn exchange_rows<P: Square<N>, T: Float, const N: usize, const K: usize, const I: usize>(a: &mut [[T; N]; N]) {
    written_out!(J where P::ORDER.together(J, K) => {
        let (column, k, i) = const { (P::ORDER.column(J), P::ORDER.row(K), P::ORDER.row(I)) };
        (a[column][k], a[column][i]) = (a[column][i], a[column][k]);
    });
}

/// Subtracts column `K` from column `J` of a block, below the diagonal of column `K`.
#[inline(always)]
fn update_column<P: Square<N>, T: Float, const N: usize, const K: usize, const J: usize>(a: &mut [[T; N]; N]) {
    written_out!(I where P::ORDER.below(I, K) => {
        let ((k, j), (row, i)) =
            const { ((P::ORDER.column(K), P::ORDER.column(J)), (P::ORDER.row(K), P::ORDER.row(I))) };
        a[j][i] -= a[k][i] * a[j][row];
    });
}

/// Solves the block that begins at `FIRST`, and subtracts its unknowns from the equations above it.
#[inline(always)]
fn solve_block<P: Square<N>, T: Float, const N: usize, const FIRST: usize>(lu: &Lu<T, N>, y: &mut [T; N]) {
    let a = &lu.factors.data.0;
    written_out!(K where P::ORDER.belongs(K, FIRST) => { exchange_entries::<P, T, N, K>(lu.exchanges[K], y); });
    written_out!(K where P::ORDER.belongs(K, FIRST) => { forward::<P, T, N, K>(a, y); });
    written_out!(down K where P::ORDER.belongs(K, FIRST) => { backward::<P, T, N, K>(a, y); });
    written_out!(K where P::ORDER.belongs(K, FIRST) => { subtract_above::<P, T, N, K>(a, y); });
}

/// Exchanges the entry at place `K` with that of the pivot's row.
#[inline(always)]
fn exchange_entries<P: Square<N>, T: Float, const N: usize, const K: usize>(place: usize, y: &mut [T; N]) {
    written_out!(I where P::ORDER.below(I, K) => {
        if place == I {
            (y[K], y[I]) = (y[I], y[K]);
        }
    });
}

#[inline(always)]
fn forward<P: Square<N>, T: Float, const N: usize, const K: usize>(a: &[[T; N]; N], y: &mut [T; N]) {
    written_out!(I where P::ORDER.below(I, K) => {
        y[I] -= a[const { P::ORDER.column(K) }][const { P::ORDER.row(I) }] * y[K];
    });
}

#[inline(always)]
fn backward<P: Square<N>, T: Float, const N: usize, const K: usize>(a: &[[T; N]; N], y: &mut [T; N]) {
    y[K] *= a[const { P::ORDER.column(K) }][const { P::ORDER.row(K) }];
    written_out!(I where P::ORDER.below(K, I) => {
        y[I] -= a[const { P::ORDER.column(K) }][const { P::ORDER.row(I) }] * y[K];
    });
}

#[inline(always)]
fn subtract_above<P: Square<N>, T: Float, const N: usize, const K: usize>(a: &[[T; N]; N], y: &mut [T; N]) {
    written_out!(I where P::ORDER.above(I, K) => {
        y[I] -= a[const { P::ORDER.column(K) }][const { P::ORDER.row(I) }] * y[K];
    });
}

/// Subtracts the unknowns of earlier blocks, then solves the transpose of the block that begins at `FIRST`: Uᵀ, Lᵀ, exchanges.
#[inline(always)]
fn solve_transposed_block<P: Square<N>, T: Float, const N: usize, const FIRST: usize>(lu: &Lu<T, N>, y: &mut [T; N]) {
    let a = &lu.factors.data.0;
    written_out!(K where P::ORDER.belongs(K, FIRST) => { subtract_earlier::<P, T, N, K>(a, y); });
    written_out!(K where P::ORDER.belongs(K, FIRST) => { forward_transposed::<P, T, N, K>(a, y); });
    written_out!(down K where P::ORDER.belongs(K, FIRST) => { backward_transposed::<P, T, N, K>(a, y); });
    written_out!(down K where P::ORDER.belongs(K, FIRST) => { exchange_entries::<P, T, N, K>(lu.exchanges[K], y); });
}

#[inline(always)]
fn subtract_earlier<P: Square<N>, T: Float, const N: usize, const K: usize>(a: &[[T; N]; N], y: &mut [T; N]) {
    written_out!(I where P::ORDER.above(I, K) => {
        y[K] -= a[const { P::ORDER.column(K) }][const { P::ORDER.row(I) }] * y[I];
    });
}

#[inline(always)]
fn forward_transposed<P: Square<N>, T: Float, const N: usize, const K: usize>(a: &[[T; N]; N], y: &mut [T; N]) {
    written_out!(I where P::ORDER.below(K, I) => {
        y[K] -= a[const { P::ORDER.column(K) }][const { P::ORDER.row(I) }] * y[I];
    });
    y[K] *= a[const { P::ORDER.column(K) }][const { P::ORDER.row(K) }];
}

#[inline(always)]
fn backward_transposed<P: Square<N>, T: Float, const N: usize, const K: usize>(a: &[[T; N]; N], y: &mut [T; N]) {
    written_out!(I where P::ORDER.below(I, K) => {
        y[K] -= a[const { P::ORDER.column(K) }][const { P::ORDER.row(I) }] * y[I];
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::pivot_tolerance;

    /// Two columns of one entry, and a block of two.
    struct Closing;

    impl Square<4> for Closing {
        const ENTRIES: [[bool; 4]; 4] = pattern(["x.xx", ".xxx", "..xx", "..xx"]);
    }

    /// Two blocks of three that a third one couples, in an order that does not show it.
    struct Scattered;

    impl Square<8> for Scattered {
        const ENTRIES: [[bool; 8]; 8] =
            pattern(["x...x.x.", "..x..x..", "x.x.....", ".x.x...x", "...xx..x", "..x..x..", "x...x.x.", ".x.....x"]);
    }

    const fn pattern<const N: usize>(rows: [&str; N]) -> [[bool; N]; N] {
        *crate::system::Pattern::<N, N>::rows(rows).entries()
    }

    /// Numbers from −1 to 1 where the pattern has entries.
    fn filled<P: Square<N>, const N: usize>(seed: u32) -> Matrix<f64, N, N> {
        let mut state = seed;
        Matrix::from_fn(|row, column| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if P::ENTRIES[row][column] { f64::from(state >> 8) / f64::from(1 << 23) - 1.0 } else { 0.0 }
        })
    }

    fn solves<P: Square<N>, const N: usize>() {
        assert!(P::ORDER.written_out);
        let mut factors = BlockFactors::workspace();
        let mut refused = 0;
        for seed in 0..1_000 {
            let a = filled::<P, N>(seed);
            let x = Vector::<f64, N>::from_fn(|i, _| 1.0 + i as f64);
            // Matrices near to singular ones are refused, and not solved.
            if factors.update::<P>(|row, column| a[(row, column)], 1e-3).is_err() {
                refused += 1;
                continue;
            }
            let mut copy = BlockFactors::workspace();
            copy.assign::<P>(&factors);
            // Pivots of 1e-3 in up to three blocks, and a few roundings.
            assert!((copy.solve::<P>(a * x) - x).amax() < 1e-6, "{seed}");
            assert!((copy.solve_transposed::<P>(a.transpose() * x) - x).amax() < 1e-6, "{seed}");
        }
        assert!(refused < 50, "{refused}");
    }

    #[test]
    fn solutions_in_blocks_satisfy_the_whole_matrix() {
        solves::<Closing, 4>();
        solves::<Scattered, 8>();
    }

    /// The pivot of a single entry is compared with its whole column.
    #[test]
    fn a_small_pivot_is_refused_with_its_column() {
        let mut a = filled::<Closing, 4>(1);
        a[(0, 0)] = 0.0;
        let mut factors = BlockFactors::workspace();
        let refused = factors.update::<Closing>(|row, column| a[(row, column)], pivot_tolerance(4));
        assert!(matches!(refused, Err(FactorError::SmallPivot { index: 0, pivot: 0.0, .. })), "{refused:?}");
        for bad in [f64::NAN, f64::INFINITY] {
            for (row, column) in [(0, 0), (0, 2), (2, 3), (3, 2)] {
                let mut a = filled::<Closing, 4>(1);
                a[(row, column)] = bad;
                let refused = factors.update::<Closing>(|row, column| a[(row, column)], pivot_tolerance(4));
                assert!(matches!(refused, Err(FactorError::NonFinite { .. })), "{row} {column}: {refused:?}");
            }
        }
    }
}
