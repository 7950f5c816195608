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

    /// Factorises a matrix between two that are judged. Where no rank is decided, `obliqueness` grows by 1/sin² of the angle
    /// between every constraint but the first and those before it: what [`pivot_tolerance`] is the inverse of a limit for.
    fn factorise_between(&mut self, most: usize, obliqueness: &mut T) -> Result<(), FactorError<T>>;

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
    pub(super) limits: [T; N],
    pub(super) smallest: T,
}

impl<T: Float, const N: usize> Pivots<T, N> {
    /// None yet: all would be accepted.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self { pivots: [T::one(); N], limits: [T::zero(); N], smallest: T::INFINITY }
    }

    /// Judged before: the smallest is all that is left to tell.
    #[inline(always)]
    pub(crate) fn accepted(smallest: T) -> Self {
        Self { smallest, ..Self::none() }
    }

    /// Refuses the first that is not above its limit.
    #[inline(always)]
    pub(crate) fn judge(&self) -> Result<(), FactorError<T>> {
        for j in 0..N {
            let (pivot, limit) = (self.pivots[j], self.limits[j]);
            if !(pivot > limit) {
                return Err(FactorError::refusing(j, pivot, limit));
            }
        }
        Ok(())
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
            fn factorise_between(&mut self, most: usize, obliqueness: &mut T) -> Result<(), FactorError<T>> {
                self.eliminate_between(pivot_tolerance(N), most, obliqueness)
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
