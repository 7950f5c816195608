//! Decides whether the result of a step is acceptable.
//!
//! A step is refused, in this order, if
//!
//! 1. it began off the constraints by more than the limit: the model has changed;
//! 2. positions are not finite, or off the constraints: Newton failed, or unprojected positions drifted;
//! 3. a pivot of the mass matrix or of G M⁻¹ Gᵀ is too small, at the end or at a stage: the constraints depend on each other;
//! 4. Newton has not solved the equations of an implicit method ([`converged`](super::converged));
//! 5. a position, a velocity or a multiplier is not finite ([`finite`](super::finite));
//! 6. velocities are off their constraint, for the methods that enforce it.
//!
//! With few constraints one comparison at the end checks everything ([`Judge::accepts_fast`]). Nearly every step passes it. Code without
//! branches stays in registers, so the single checks run only if the comparison fails. RATTLE with two or three constraints has too many
//! numbers for that: one comparison checks its positions and its first multipliers ([`Judge::halfway`]), another one the rest. With more
//! constraints the numbers are in memory anyway, so each check runs as soon as its numbers are known.

use super::converged::ROUNDINGS;
use super::ending::Ending;
use super::error::StepError;
use super::finite::{finite_or, is_finite, is_surely_finite, not_finite};
use crate::linalg::entries::pairs;
use crate::linalg::written_out::for_each;
use crate::linalg::{FactorError, MAX_UNROLLED, SymmetricFactors, Vector, magnitude, pivot_tolerance, sum_of_products};
use crate::project::{Level, Residual, within, within_times};
use crate::scalar::Float;
use crate::start::{Precision, State};

/// The limits of a step, from the state that it begins with.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a, T, const M: usize> {
    /// The largest residual of each position constraint at the end of a step.
    pub(super) limits: &'a Vector<T, M>,
    /// See [`residual_weights`](crate::start::residual_weights).
    pub(super) weights: &'a Vector<T, M>,
    /// The factor on the limits at the start of a step. A compensated or precise state evaluates the constraint there with other
    /// roundings than at the end of the step before, and may find a larger residual.
    pub(super) start_factor: T,
    /// Whether residuals and pivots are checked at the end of the step only.
    pub(super) defers: bool,
    /// Whether positions and first multipliers are checked [halfway](Self::halfway) instead.
    pub(super) splits: bool,
    /// Whether the method iterates positions onto their constraint. If not, a residual is drift.
    pub(super) iterates: bool,
    pub(super) tick: u64,
}

impl<'a, T: Float, const M: usize> Judge<'a, T, M> {
    #[inline(always)]
    pub(super) fn of<const N: usize, F, P: Precision>(state: &'a State<T, N, M, F, P>) -> Self {
        let start_factor = if P::CARRIES_MORE { T::one() + T::one() } else { T::one() };
        let (defers, tick) = (M <= MAX_UNROLLED, state.clock.tick);
        let (limits, weights) = (&state.limits, &state.residual_weights);
        Self { limits, weights, start_factor, defers, splits: false, iterates: true, tick }
    }

    /// The same for a method that checks its positions [halfway](Self::halfway).
    #[inline(always)]
    pub(super) fn in_two<const N: usize, F, P: Precision>(state: &'a State<T, N, M, F, P>) -> Self {
        Self { splits: M > 1 && M <= MAX_UNROLLED, ..Self::of(state) }
    }

    /// The same for a method that makes each check at once, with any number of constraints.
    #[inline(always)]
    pub(super) fn at_once<const N: usize, F, P: Precision>(state: &'a State<T, N, M, F, P>) -> Self {
        Self { defers: false, ..Self::of(state) }
    }

    /// Refuses a step that begins off the constraints.
    #[inline(always)]
    pub(super) fn start(&self, residual: &Vector<T, M>) -> Result<(), StepError<T>> {
        if self.defers { Ok(()) } else { self.start_within(residual) }
    }

    #[inline(always)]
    fn start_within(&self, residual: &Vector<T, M>) -> Result<(), StepError<T>> {
        self.residuals(residual, self.start_factor)
            .map_err(|residual| StepError::Inconsistent { tick: self.tick, residual })
    }

    /// Compares the residuals of positions with their limits times a factor that is not below one. With many of them, the weighted sum of
    /// their squares accepts nearly every step.
    #[inline(always)]
    fn residuals(&self, residual: &Vector<T, M>, factor: T) -> Result<(), Residual<T>> {
        if M <= MAX_UNROLLED {
            return within_times(Level::Position, residual, self.limits, factor);
        }
        let weighted = pairs(residual, self.weights, |residual, weight| residual * weight);
        if sum_of_products::<T, M>(|row| (weighted.data.0[0][row], residual.data.0[0][row])) < T::one() {
            return Ok(());
        }
        each_within(*residual, self.limits, factor)
    }

    /// Refuses positions off the constraint.
    ///
    /// The check comes before the rest of the step: sines of huge angles would make a failing step slower than one that succeeds.
    #[inline(always)]
    pub(super) fn position<const N: usize>(
        &self,
        residual: &Vector<T, M>,
        q: &Vector<T, N>,
    ) -> Result<(), StepError<T>> {
        if self.defers { Ok(()) } else { self.position_within(residual, q) }
    }

    #[inline(always)]
    fn position_within<const N: usize>(&self, residual: &Vector<T, M>, q: &Vector<T, N>) -> Result<(), StepError<T>> {
        self.residuals(residual, T::one()).map_err(|residual| finite_or(self.off_constraint(residual), *q, self.tick))
    }

    /// The check of positions for RATTLE. With two or three constraints, one comparison for the residuals at both ends and the first
    /// multipliers, which must not wait in registers for the end of the step.
    #[inline(always)]
    pub(super) fn halfway<const N: usize>(
        &self,
        start: &Vector<T, M>,
        residual: &Vector<T, M>,
        multipliers: Option<&Vector<T, M>>,
        q: &Vector<T, N>,
    ) -> Result<(), StepError<T>> {
        let Some(multipliers) = multipliers else { return self.position(residual, q) };
        let [multipliers] = &multipliers.data.0;
        let probe = sum_of_products::<T, M>(|row| (multipliers[row], multipliers[row]));
        if self.squares(start, residual) + probe * T::zero() < T::one() {
            return Ok(());
        }
        self.start_within(start)?;
        self.position_within(residual, q)?;
        let mut finite = Ok(());
        for_each!(ROW < M => {
            if finite.is_ok() && !(multipliers[ROW] + multipliers[ROW]).is_finite() {
                finite = Err(StepError::NonFinite { tick: self.tick, level: Level::Multiplier, index: ROW });
            }
        });
        finite
    }

    /// The weighted sum of the squares of the residuals at both ends. Below its bound, each residual is within its limit.
    #[inline(always)]
    fn squares(&self, start: &Vector<T, M>, end: &Vector<T, M>) -> T {
        let mut squares = T::zero();
        for_each!(ROW < M => {
            let (before, after) = (start.data.0[0][ROW], end.data.0[0][ROW]);
            let weight = if M == 1 { T::one() } else { self.weights.data.0[0][ROW] };
            let square = (before * before + after * after) * weight;
            squares = if ROW == 0 { square } else { squares + square };
        });
        squares
    }

    /// Why positions are off their constraint.
    #[inline(always)]
    fn off_constraint(&self, residual: Residual<T>) -> StepError<T> {
        let tick = self.tick;
        if self.iterates {
            StepError::NotConverged { tick, residual }
        } else {
            StepError::OffConstraint { tick, residual }
        }
    }

    /// Adds the tick to a failed factorisation of the constraints.
    #[inline(always)]
    pub(super) fn constraints<R, const N: usize>(
        &self,
        result: Result<R, FactorError<T>>,
        q: &Vector<T, N>,
    ) -> Result<R, StepError<T>> {
        result.map_err(|cause| finite_or(StepError::Singular { tick: self.tick, cause }, *q, self.tick))
    }

    /// Adds the tick to a failed factorisation of the mass matrix.
    #[inline(always)]
    pub(super) fn mass<R, const N: usize>(
        &self,
        result: Result<R, FactorError<T>>,
        q: &Vector<T, N>,
    ) -> Result<R, StepError<T>> {
        result.map_err(|cause| finite_or(StepError::Mass { tick: self.tick, cause }, *q, self.tick))
    }

    /// Whether all checks that are left at the end of a step or a stage are surely passed. If not, [`refusal`](Self::refusal) decides.
    ///
    /// `start` is the residual where the step began, `obliqueness` that of the stages within the step. `positive_mass` says that no
    /// pivot can be negative.
    #[inline(always)]
    pub(super) fn accepts<const N: usize, P: Precision>(
        &self,
        start: &Vector<T, M>,
        ending: &Ending<T, N, M, P>,
        obliqueness: T,
        positive_mass: bool,
    ) -> bool {
        if self.defers {
            self.accepts_fast(start, ending, obliqueness, positive_mass)
        } else {
            // Residuals and pivots were checked on the way.
            (is_surely_finite(ending) || is_finite(ending, false)) && obliqueness <= max_obliqueness(M)
        }
    }

    /// Why an ending is not accepted, in the order of the stages of a step; `None` if it is accepted after all.
    ///
    /// It returns the result of the step itself: `?` would copy the error byte by byte, 400 instructions on an M4F.
    #[inline(always)]
    pub(super) fn refusal<R, const N: usize, P: Precision>(
        &self,
        start: &Vector<T, M>,
        ending: &Ending<T, N, M, P>,
        obliqueness: T,
    ) -> Option<Result<R, StepError<T>>> {
        let (tick, limit) = (self.tick, max_obliqueness(M));
        let q = ending.q.rounded();
        if self.defers {
            if !self.splits
                && let Err(residual) = within_times(Level::Position, start, self.limits, self.start_factor)
            {
                return Some(Err(StepError::Inconsistent { tick, residual }));
            }
            let mut probe = T::zero();
            for_each!(I < N => { probe *= q.data.0[0][I]; });
            if !(probe == T::zero()) {
                return Some(Err(not_finite(ending, tick)));
            }
            // If stages were nearly singular, that is the reason for the residual.
            if !self.splits
                && let Err(residual) = within(Level::Position, &ending.position_residual, self.limits)
                && obliqueness <= limit
            {
                return Some(Err(self.off_constraint(residual)));
            }
            if let Err(cause) = ending.pivots.judge() {
                return Some(Err(StepError::Singular { tick, cause }));
            }
        }
        if !(obliqueness <= limit) {
            return Some(Err(StepError::SingularWithin { tick, measure: obliqueness, limit }));
        }
        if is_finite(ending, self.splits) { None } else { Some(Err(not_finite(ending, tick))) }
    }

    /// Fast accept. `false` means: run the full check.
    ///
    /// It adds up three things and compares once: the squares of the residuals, weighted so that a sum below its bound means
    /// that each residual is within its limit; the products of all coordinates and the squares of the multipliers times zero, which is
    /// NaN if one of them is not finite; and the obliqueness of the constraints.
    #[inline(always)]
    fn accepts_fast<const N: usize, P: Precision>(
        &self,
        start: &Vector<T, M>,
        ending: &Ending<T, N, M, P>,
        obliqueness: T,
        positive_mass: bool,
    ) -> bool {
        let (q, v) = (ending.q.rounded(), ending.v.rounded());
        let squares = if self.splits { T::NEGATIVE_ZERO } else { self.squares(start, &ending.position_residual) };
        let bound = if M == 1 { self.weights.data.0[0][0] } else { T::one() };
        let mut probe;
        if M == 1 && positive_mass {
            // If the pivot is NaN or infinite, so is the sum. If it is zero, the velocities are not finite.
            probe = ending.pivots.smallest;
            for_each!(I < N => { probe += q.data.0[0][I] * v.data.0[0][I]; });
        } else {
            probe = sum_of_products::<T, N>(|i| (q.data.0[0][i], v.data.0[0][i]));
        }
        for_each!(ROW < M => {
            let (first, second) = (ending.first_half.data.0[0][ROW], ending.second_half.data.0[0][ROW]);
            probe = if self.splits { probe } else { probe + first * first } + second * second;
        });
        let sum = squares + probe * T::zero();
        ending.pivots.are_surely_accepted(sum, bound, obliqueness, positive_mass)
    }

    /// Refuses velocity constraints that contradict each other. The projection satisfies independent constraints exactly, and
    /// redundant ones in the least-squares sense: only those are checked.
    #[inline(always)]
    pub(super) fn projected_velocity<const N: usize, P: Precision, F: SymmetricFactors<T, M>>(
        &self,
        ending: &Ending<T, N, M, P>,
    ) -> Result<(), StepError<T>> {
        if !F::DECIDES_RANK {
            return Ok(());
        }
        self.velocity(ending).map_err(|residual| StepError::OffConstraint { tick: self.tick, residual })
    }

    /// Refuses velocities off their constraint by more than the limit times (1 + |v|), in units per second.
    #[inline(always)]
    pub(super) fn velocity<const N: usize, P: Precision>(
        &self,
        ending: &Ending<T, N, M, P>,
    ) -> Result<(), Residual<T>> {
        let speed = magnitude(ending.v.rounded()) + T::one();
        within_times(Level::Velocity, &ending.velocity_residual, self.limits, speed)
    }
}

/// The check of each residual of the positions. By value, as in [`finite_or`].
#[cold]
#[inline(never)]
fn each_within<T: Float, const M: usize>(
    residuals: Vector<T, M>,
    limits: &Vector<T, M>,
    factor: T,
) -> Result<(), Residual<T>> {
    within_times(Level::Position, &residuals, limits, factor)
}

/// The largest sum of the obliqueness of all stages that is accepted.
#[inline(always)]
fn max_obliqueness<T: Float>(constraints: usize) -> T {
    T::one() / pivot_tolerance(constraints)
}

/// Whether a velocity needs no projection: its residual is round-off, and the state carries no more digits. `limits` are `limit` times
/// the size of the constraints.
pub(super) fn is_projected<T: Float, const N: usize, const M: usize, P: Precision>(
    residual: &Vector<T, M>,
    (limits, limit): (&Vector<T, M>, T),
    v: &Vector<T, N>,
) -> bool {
    let round_off = T::EPSILON * T::from_f64(ROUNDINGS) * (T::one() + magnitude(v)) / limit;
    !P::CARRIES_MORE && within_times(Level::Velocity, residual, limits, round_off).is_ok()
}

/// Refuses velocities off their constraint by more than the limit times (1 + |v|) after their projection: the constraints have changed,
/// or contradict each other.
pub(super) fn velocity_reached<T: Float, const N: usize, const M: usize>(
    residual: &Vector<T, M>,
    limits: &Vector<T, M>,
    v: &Vector<T, N>,
    tick: u64,
) -> Result<(), StepError<T>> {
    within_times(Level::Velocity, residual, limits, T::one() + magnitude(v))
        .map_err(|residual| inconsistent(residual, tick))
}

/// The error of a step that begins off the constraints.
pub(super) fn inconsistent<T>(residual: Residual<T>, tick: u64) -> StepError<T> {
    StepError::Inconsistent { tick, residual }
}
