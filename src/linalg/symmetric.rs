//! What the methods ask of the factors of G M⁻¹ Gᵀ, whichever factorisation makes them.

use core::fmt::Debug;

use super::{FactorError, GeneralFactors, Ldlt, Lu, Matrix, Qr, Semidefinite, Vector, pivot_tolerance};
use crate::scalar::Float;

/// The factors of a symmetric positive (semi)definite matrix.
///
/// [`Ldlt`] for independent constraints, where a dependent one is an error and nothing is paid for the possibility;
/// [`Semidefinite`] for redundant ones, where the rank is decided at every factorisation.
pub trait SymmetricFactors<T: Float, const N: usize>: Copy + Debug {
    /// Whether dependent rows are accepted, and the rank is decided.
    const DECIDES_RANK: bool;

    /// The factorisation of a matrix that is not symmetric, with the same answer to dependent rows.
    type General: GeneralFactors<T, N>;

    /// Room for a matrix and its factors.
    fn blank() -> Self;

    /// Where the matrix is put, of which only the lower triangle is read.
    fn matrix(&mut self) -> &mut Matrix<T, N, N>;

    /// Factorises the matrix in place, accepting at most `most` pivots where the rank is decided; only then is there
    /// something to solve with.
    fn factorise(&mut self, most: usize) -> Result<(), FactorError<T>>;

    /// Factorises as [`factorise`](Self::factorise) does, but leaves the judgement of the pivots to the caller, so
    /// that no branch stands in the midst of a computation.
    fn factorise_unjudged(&mut self, most: usize, pivots: &mut Pivots<T, N>) -> Result<(), FactorError<T>>;

    /// Factorises a matrix between two that are judged. Where no rank is decided, `inverses` grow by those of the pivots:
    /// times the diagonal, that is 1/sin² of the angle between a constraint and those before it.
    fn factorise_between(&mut self, most: usize, inverses: &mut Vector<T, N>) -> Result<(), FactorError<T>>;

    /// Solves; of several solutions the one of smallest norm.
    fn solve(&self, b: Vector<T, N>) -> Vector<T, N>;

    /// Becomes the factors of another matrix, as far as they are ever read.
    fn become_next(&mut self, next: &Self);

    /// The number of independent rows.
    fn rank(&self) -> usize;

    /// The smallest accepted pivot; infinite where there is none.
    fn smallest_pivot(&self) -> T;
}

/// Pivots that are yet to be judged, and what they are judged by.
#[derive(Clone, Copy, Debug)]
pub struct Pivots<T, const N: usize> {
    pub(super) pivots: [T; N],
    /// The diagonal entries as given: each pivot must exceed [`pivot_tolerance`] times its own.
    pub(super) diagonals: [T; N],
    /// The sum of the diagonal entries over their pivots; zero where there is one pivot only.
    pub(super) obliqueness: T,
    pub(super) smallest: T,
}

impl<T: Float, const N: usize> Pivots<T, N> {
    /// None yet: all would be accepted.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self { pivots: [T::one(); N], diagonals: [T::zero(); N], obliqueness: T::zero(), smallest: T::INFINITY }
    }

    /// Judged before: the smallest is all that is left to tell. Inverses of others count as they are.
    #[inline(always)]
    pub(crate) fn accepted(smallest: T) -> Self {
        Self { diagonals: [T::one(); N], smallest, ..Self::none() }
    }

    /// Refuses the first that is not above its limit.
    #[inline(always)]
    pub(crate) fn judge(&self) -> Result<(), FactorError<T>> {
        for j in 0..N {
            let (pivot, limit) = (self.pivots[j], self.diagonals[j] * pivot_tolerance(N));
            if !(pivot > limit) {
                return Err(FactorError::refusing(j, pivot, limit));
            }
        }
        Ok(())
    }

    /// Of stages before, from the sums of their inverse pivots: 1/sin² of the angle between every constraint but the first and
    /// those before it, with the diagonal as it is here, for which [`pivot_tolerance`] is the inverse of a limit. The first pivot
    /// is a sum of squares: it can vanish, and then what is solved with it is not finite.
    #[inline(always)]
    pub(crate) fn obliqueness_before(&self, inverses: &Vector<T, N>) -> T {
        let mut sum = T::zero();
        for j in 1..N {
            let ratio = self.diagonals[j] * inverses.data.0[0][j];
            sum = if j == 1 { ratio } else { sum + ratio };
        }
        sum.abs()
    }

    /// Counts that along with the obliqueness of these pivots.
    #[inline(always)]
    pub(crate) fn count_before(&mut self, obliqueness: T) {
        if N > 1 {
            self.obliqueness += obliqueness;
        }
    }

    /// Whether all would be accepted beyond doubt, in one comparison: a sum that is below its bound where nothing is wrong, with twice
    /// the tolerance times the obliqueness, is below it still, and the smallest pivot is positive and finite. The bound of several
    /// pivots is one.
    ///
    /// What is not a number, in the sum or in a pivot, makes it false; so may round-off make it close to a limit. Then
    /// [`judge`](Self::judge) decides. A single pivot that `cannot_be_negative` is expected in the sum, times zero.
    #[inline(always)]
    pub(crate) fn are_surely_accepted(&self, sum: T, bound: T, cannot_be_negative: bool) -> bool {
        if N == 0 || N == 1 && cannot_be_negative {
            return sum < bound;
        }
        let tolerance = pivot_tolerance::<T>(N);
        // Not below zero, so that a negative pivot is always below it.
        let sum = if N > 1 { sum + self.obliqueness.abs() * (tolerance + tolerance) } else { sum };
        sum * self.smallest.abs() < self.smallest * bound
    }

    /// The smallest; infinite where there is none.
    #[inline(always)]
    pub(crate) fn smallest(&self) -> T {
        self.smallest
    }
}

macro_rules! symmetric_factors {
    ($factors:ident, $general:ty, decides_rank: $decides_rank:literal) => {
        impl<T: Float, const N: usize> SymmetricFactors<T, N> for $factors<T, N> {
            const DECIDES_RANK: bool = $decides_rank;
            type General = $general;

            #[inline(always)]
            fn blank() -> Self {
                $factors::blank()
            }
            #[inline(always)]
            fn matrix(&mut self) -> &mut Matrix<T, N, N> {
                self.matrix_mut()
            }
            #[inline(always)]
            fn factorise(&mut self, most: usize) -> Result<(), FactorError<T>> {
                self.eliminate(pivot_tolerance(N), most)
            }
            #[inline(always)]
            fn factorise_unjudged(&mut self, most: usize, pivots: &mut Pivots<T, N>) -> Result<(), FactorError<T>> {
                self.eliminate_unjudged(pivot_tolerance(N), most, pivots)
            }
            #[inline(always)]
            fn factorise_between(&mut self, most: usize, inverses: &mut Vector<T, N>) -> Result<(), FactorError<T>> {
                self.eliminate_between(pivot_tolerance(N), most, inverses)
            }
            #[inline(always)]
            fn solve(&self, b: Vector<T, N>) -> Vector<T, N> {
                $factors::solve(self, b)
            }
            #[inline(always)]
            fn become_next(&mut self, next: &Self) {
                $factors::become_next(self, next);
            }
            #[inline(always)]
            fn rank(&self) -> usize {
                $factors::rank(self)
            }
            #[inline(always)]
            fn smallest_pivot(&self) -> T {
                $factors::smallest_pivot(self)
            }
        }
    };
}

symmetric_factors!(Ldlt, Lu<T, N>, decides_rank: false);
symmetric_factors!(Semidefinite, Qr<T, N, N>, decides_rank: true);

#[cfg(test)]
mod tests {
    use super::*;

    fn pivots<const N: usize>(matrix: Matrix<f32, N, N>) -> Pivots<f32, N> {
        let (mut factors, mut pivots) = (Ldlt::blank(), Pivots::none());
        *factors.matrix() = matrix;
        factors.factorise_unjudged(N, &mut pivots).unwrap();
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
                assert!(accepted || !found.are_surely_accepted(sum, bound, false), "{first} {sum} {bound}");
            }
            for second in numbers {
                for mixed in numbers {
                    let found = pivots(Matrix::<f32, 2, 2>::new(first, mixed, mixed, second));
                    for sum in [0.0, 0.9, 1.1, f32::NAN] {
                        let accepted = found.judge().is_ok() && sum < 1.0;
                        assert!(
                            accepted || !found.are_surely_accepted(sum, 1.0, false),
                            "{first} {second} {mixed} {sum}"
                        );
                    }
                }
            }
        }
        let regular = pivots(Matrix::<f32, 2, 2>::new(2.0, 1.0, 1.0, 3.0));
        assert!(regular.are_surely_accepted(0.9, 1.0, false));
        assert!(!regular.are_surely_accepted(1.1, 1.0, false));
    }

    #[test]
    fn stages_before_count_with_the_diagonal_here() {
        let mut here = pivots(Matrix::<f32, 2, 2>::new(2.0, 0.0, 0.0, 3.0));
        let before = here.obliqueness_before(&Vector::<f32, 2>::new(f32::NAN, -1e7));
        assert_eq!(before, 3e7);
        here.count_before(before);
        assert!(here.judge().is_ok() && !here.are_surely_accepted(0.0, 1.0, false));
    }
}
