//! Decides whether a step of a serial mechanism is acceptable, in the order of [`judge`](super::judge).
//!
//! Each check is one comparison of a sum over all joints. Only if it fails, a loop looks for the joint and the reason. Each comes as soon as
//! its numbers are known, so that a step that fails costs no more than one that succeeds.

use super::error::StepError;
use crate::project::Level;
use crate::project::serial::{Grounds, Rows, Side, Sums, every_joint, joints};
use crate::scalar::Float;
use crate::start::serial_within as within;
use crate::system::Serial;

/// The judge of a step that begins at this tick.
#[derive(Clone, Copy)]
pub(super) struct SerialJudge<T, const N: usize, const D: usize, const E: usize> {
    tick: u64,
    /// The side where the step begins.
    side: Side,
    scalar: core::marker::PhantomData<T>,
}

impl<T: Float, const N: usize, const D: usize, const E: usize> SerialJudge<T, N, D, E> {
    #[inline(always)]
    pub(super) fn of(tick: u64, side: Side) -> Self {
        Self { tick, side, scalar: core::marker::PhantomData }
    }

    /// Refuses a step that begins off the constraints. `squares` are the weighted squares of the residuals there.
    #[inline(always)]
    pub(super) fn start<System: Serial<N, D, E, Base = T>>(
        &self,
        system: &System,
        rows: &Rows<T, N, D, E>,
        t: T,
        squares: T,
    ) -> Result<(), StepError<T>> {
        if squares < T::one() { Ok(()) } else { self.judge_start(system, rows, t) }
    }

    #[cold]
    #[inline(never)]
    fn judge_start<System: Serial<N, D, E, Base = T>>(
        &self,
        system: &System,
        rows: &Rows<T, N, D, E>,
        t: T,
    ) -> Result<(), StepError<T>> {
        let grounds = Grounds::at(system, t);
        let residual = |joint| rows.position_residual(self.side, system, &grounds, joint);
        within::<System, T, N, D, E>(Level::Position, rows, T::one(), residual)
            .map_err(|residual| StepError::Inconsistent { tick: self.tick, residual })
    }

    /// Refuses positions that are not finite or off the constraints, and dependent constraints.
    #[inline(always)]
    pub(super) fn end<System: Serial<N, D, E, Base = T>>(
        &self,
        system: &System,
        rows: &Rows<T, N, D, E>,
        grounds: &Grounds<T, D>,
        sums: Sums<T>,
    ) -> Result<(), StepError<T>> {
        if sums.accept_residuals() && sums.accept_pivots(joints::<System, N, D, E>() * E) {
            return Ok(());
        }
        self.judge_end(system, rows, grounds)
    }

    /// Refuses dependent constraints at a stage.
    #[inline(always)]
    pub(super) fn stage<System: Serial<N, D, E, Base = T>>(
        &self,
        rows: &Rows<T, N, D, E>,
        sums: Sums<T>,
    ) -> Result<(), StepError<T>> {
        if sums.accept_pivots(joints::<System, N, D, E>() * E) {
            return Ok(());
        }
        let (tick, ahead) = (self.tick, self.side.other());
        self.finite(Level::Position, rows.elements.iter().flat_map(|row| &row.at(ahead).q))?;
        rows.judge_pivots::<System>(ahead).map_err(|cause| StepError::Singular { tick, cause })
    }

    #[cold]
    #[inline(never)]
    fn judge_end<System: Serial<N, D, E, Base = T>>(
        &self,
        system: &System,
        rows: &Rows<T, N, D, E>,
        grounds: &Grounds<T, D>,
    ) -> Result<(), StepError<T>> {
        let (tick, ahead) = (self.tick, self.side.other());
        self.finite(Level::Position, rows.elements.iter().flat_map(|row| &row.at(ahead).q))?;
        let residual = |joint| rows.position_residual(ahead, system, grounds, joint);
        within::<System, T, N, D, E>(Level::Position, rows, T::one(), residual)
            .map_err(|residual| StepError::NotConverged { tick, residual })?;
        rows.judge_pivots::<System>(ahead).map_err(|cause| StepError::Singular { tick, cause })?;
        self.finite(Level::Velocity, rows.elements.iter().flat_map(|row| &row.at(ahead).v))
    }

    /// Refuses velocities and multipliers that are not finite, and velocities off their constraint. `squares` are the weighted squares of
    /// the residuals.
    #[inline(always)]
    pub(super) fn velocity<System: Serial<N, D, E, Base = T>>(
        &self,
        rows: &Rows<T, N, D, E>,
        grounds: &Grounds<T, D>,
        squares: T,
    ) -> Result<(), StepError<T>> {
        if squares < T::one() { Ok(()) } else { self.judge_velocity::<System>(rows, grounds) }
    }

    #[cold]
    #[inline(never)]
    fn judge_velocity<System: Serial<N, D, E, Base = T>>(
        &self,
        rows: &Rows<T, N, D, E>,
        grounds: &Grounds<T, D>,
    ) -> Result<(), StepError<T>> {
        let (tick, ahead) = (self.tick, self.side.other());
        self.finite(Level::Velocity, rows.elements.iter().flat_map(|row| &row.at(ahead).v))?;
        let joints = every_joint::<System, N, D, E>().map(|joint| &rows.get(joint).at(ahead).joint);
        self.finite(Level::Multiplier, joints.flat_map(|joint| &joint.multipliers))?;
        let residual = |joint| rows.velocity_residual::<System>(ahead, grounds, joint);
        within::<System, T, N, D, E>(Level::Velocity, rows, rows.speed(ahead) + T::one(), residual)
            .map_err(|residual| StepError::OffConstraint { tick, residual })
    }

    fn finite<'a>(&self, level: Level, numbers: impl IntoIterator<Item = &'a T>) -> Result<(), StepError<T>> {
        super::finite::finite_numbers(level, numbers, self.tick)
    }
}
