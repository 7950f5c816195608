//! The interface of the factors of G M⁻¹ Gᵀ, for any factorisation.

use core::fmt::Debug;

use super::written_out::for_each;
use super::{FactorError, Fill, Matrix, Vector, pivot_tolerance};
use crate::scalar::Float;

/// The factors of a symmetric positive (semi)definite matrix.
///
/// Use [`Ldlt`](super::Ldlt) for independent constraints: it is the cheapest, and a dependent constraint is an error. Use
/// [`Semidefinite`](super::Semidefinite) for redundant constraints: every factorisation decides the rank.
pub trait SymmetricFactors<T: Float, const N: usize>: Copy + Debug {
    /// Whether dependent rows are accepted, and the rank is decided.
    const DECIDES_RANK: bool;

    /// A workspace for a matrix and its factors.
    fn workspace() -> Self;

    /// The matrix to factorise, in the order of the [fill](Fill::ORDER). Only its lower triangle is read.
    fn matrix(&mut self) -> &mut Matrix<T, N, N>;

    /// Factorises the matrix in place. If the rank is decided, it accepts at most `max_rank` pivots. Otherwise it may
    /// leave small matrices unjudged, so that it has no branches: the caller must judge `pivots` before it solves. `P` is the fill;
    /// a factorisation that decides the rank ignores it and its order.
    fn factorise<P: Fill<N>>(&mut self, max_rank: usize, pivots: &mut Pivots<T, N>) -> Result<(), FactorError<T>>;

    /// Solves A x = b, with the fill of the factorisation. If there are several solutions, returns the one of smallest norm.
    fn solve<P: Fill<N>>(&self, b: Vector<T, N>) -> Vector<T, N>;

    /// Solves with a matrix that is not symmetric and has this rank; if it is singular, in the sense of least squares.
    fn solve_general(matrix: Matrix<T, N, N>, rank: usize, b: Vector<T, N>) -> Result<Vector<T, N>, FactorError<T>>;

    /// Copies the part of other factors that is read later.
    #[inline(always)]
    fn assign<P: Fill<N>>(&mut self, next: &Self) {
        *self = *next;
    }

    /// The number of independent rows.
    fn rank(&self) -> usize;

    /// Whether a row is one of the independent ones that the others follow from.
    #[inline(always)]
    fn is_independent(&self, _row: usize) -> bool {
        true
    }

    /// The smallest accepted pivot; infinite at rank zero.
    fn smallest_pivot(&self) -> T;
}

/// Up to this many pivots stay in registers until the caller judges them. In larger matrices each pivot is judged at once.
pub(crate) const MAX_UNROLLED: usize = 3;

/// Pivots that the caller has yet to judge, with their limits.
#[derive(Clone, Copy, Debug)]
pub struct Pivots<T, const N: usize> {
    pub(super) pivots: [T; N],
    /// The diagonal entries as given: each pivot must exceed [`pivot_tolerance`] times its own.
    pub(super) diagonals: [T; N],
    /// Σ diagonal/pivot over all rows but the first: the sum of 1/sin² of the angle between each constraint and those before it. The limit
    /// of each term is 1/[`pivot_tolerance`]. A negative pivot has a negative term. Zero for a single constraint. The first row needs no
    /// term: its pivot is its diagonal entry, and if that is zero, the solution is not finite.
    pub(crate) obliqueness: T,
    /// The smallest pivot; infinite without constraints.
    pub(crate) smallest: T,
    /// The inverse of the first of two pivots; one otherwise.
    pub(super) inverse_of_first: T,
}

impl<T: Float, const N: usize> Pivots<T, N> {
    /// No pivots yet: all would be accepted.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        let (pivots, diagonals, smallest) = ([T::one(); N], [T::zero(); N], T::INFINITY);
        Self { pivots, diagonals, obliqueness: T::zero(), smallest, inverse_of_first: T::one() }
    }

    /// Refuses the first that is not above its limit.
    #[inline(always)]
    pub(crate) fn judge(&self) -> Result<(), FactorError<T>> {
        for_each!(J < N => {
            let (pivot, limit) = (self.pivots[J], self.diagonals[J] * pivot_tolerance(N));
            if !(pivot > limit) {
                return Err(FactorError::refusing(J, pivot, limit));
            }
        });
        Ok(())
    }

    /// Fast accept, in one comparison. `sum` is the caller's own check: it must be below `bound`. With several pivots, `bound` is one, and
    /// twice the tolerance times the obliqueness, here and `before`, is added to the sum. The smallest pivot must be positive and finite.
    ///
    /// `false` means: [`judge`](Self::judge) decides. It is false if the sum or a pivot is not finite. Close to a limit, round-off may make
    /// it false. If pivots `cannot_be_negative`, the caller must have added a single one, times zero, to `sum`.
    #[inline(always)]
    pub(crate) fn are_surely_accepted(&self, sum: T, bound: T, before: T, cannot_be_negative: bool) -> bool {
        if N == 0 || N == 1 && cannot_be_negative {
            return sum < bound;
        }
        let tolerance = pivot_tolerance::<T>(N);
        if N == 2 && cannot_be_negative {
            // A first pivot of zero or infinity makes its product with its inverse NaN. Times the second pivot, the obliqueness is a
            // diagonal entry.
            let (pivot, diagonal) = (self.pivots[1], self.diagonals[1]);
            let sum = sum + self.pivots[0] * self.inverse_of_first * T::zero() + before * (tolerance + tolerance);
            return sum * pivot.abs() + diagonal * (tolerance + tolerance) < pivot;
        }
        // The sum is not negative, so the comparison below fails for every negative pivot.
        let sum = if N > 1 {
            // The first pivot times zero is NaN if it is not finite.
            sum + self.pivots[0] * T::zero() + (self.obliqueness.abs() + before) * (tolerance + tolerance)
        } else {
            sum
        };
        sum * self.smallest.abs() < self.smallest * bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{Dense, Ldlt};

    fn pivots<const N: usize>(matrix: Matrix<f32, N, N>) -> Pivots<f32, N> {
        let (mut factors, mut pivots) = (Ldlt::workspace(), Pivots::none());
        *factors.matrix() = matrix;
        SymmetricFactors::factorise::<Dense>(&mut factors, N, &mut pivots).unwrap();
        pivots
    }

    /// What is accepted at once would be accepted one by one, and what is regular is accepted at once.
    #[test]
    fn one_comparison_accepts_nothing_that_is_refused() {
        let numbers = [-1.0, 0.0, 1e-30, 1e-6, 0.5, 1.0, 1e30, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
        for first in numbers {
            // Neither sums of squares nor squares of limits are negative.
            let squares = numbers.map(f32::abs);
            for (bound, sum) in squares.into_iter().flat_map(|bound| squares.map(|sum| (bound, sum))) {
                let found = pivots(Matrix::<f32, 1, 1>::new(first));
                let accepted = found.judge().is_ok() && sum < bound;
                assert!(accepted || !found.are_surely_accepted(sum, bound, 0.0, false), "{first} {sum} {bound}");
            }
            for second in numbers {
                for mixed in numbers {
                    let found = pivots(Matrix::<f32, 2, 2>::new(first, mixed, mixed, second));
                    for sum in [0.0, 0.9, 1.1, f32::NAN] {
                        let accepted = found.judge().is_ok() && sum < 1.0;
                        assert!(
                            accepted || !found.are_surely_accepted(sum, 1.0, 0.0, false),
                            "{first} {second} {mixed} {sum}"
                        );
                        // A positive mass makes no first pivot negative.
                        let fast = found.are_surely_accepted(sum, 1.0, 0.0, true);
                        assert!(accepted || first < 0.0 || !fast, "{first} {second} {mixed} {sum}");
                    }
                }
            }
        }
        let regular = pivots(Matrix::<f32, 2, 2>::new(2.0, 1.0, 1.0, 3.0));
        assert!(regular.are_surely_accepted(0.9, 1.0, 0.0, false) && regular.are_surely_accepted(0.9, 1.0, 0.0, true));
        assert!(!regular.are_surely_accepted(1.1, 1.0, 0.0, false));
    }

    #[test]
    fn stages_before_count() {
        let here = pivots(Matrix::<f32, 2, 2>::new(2.0, 0.0, 0.0, 3.0));
        assert!(here.judge().is_ok() && here.are_surely_accepted(0.0, 1.0, 0.0, false));
        assert!(!here.are_surely_accepted(0.0, 1.0, 3e7, false));
    }
}
