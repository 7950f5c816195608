//! Decides whether a step of a serial mechanism is acceptable, in the order of [`judge`](super::judge).
//!
//! Each check is one comparison of a sum over all joints. Only if it fails, a loop looks for the joint and the reason. Each comes as soon as
//! its numbers are known, so that a step that fails costs no more than one that succeeds.

use super::error::StepError;
use super::rattle::MAX_CORRECTION;
use crate::linalg::Vector;
use crate::project::serial::{Grounds, Rows, Side, Sums, every_joint, joints};
use crate::project::{Level, Residual};
use crate::scalar::Float;
use crate::start::{Clock, serial_within as within};
use crate::system::Serial;

/// The judge of a step that begins at this tick. It reads the clock only where it refuses.
#[derive(Clone, Copy)]
pub(super) struct SerialJudge<'a, T, const N: usize, const D: usize, const E: usize> {
    clock: &'a Clock<T>,
    /// The side where the step begins.
    side: Side,
}

impl<'a, T: Float, const N: usize, const D: usize, const E: usize> SerialJudge<'a, T, N, D, E> {
    #[inline(always)]
    pub(super) fn of(clock: &'a Clock<T>, side: Side) -> Self {
        Self { clock, side }
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
            .map_err(|residual| StepError::Inconsistent { tick: self.clock.tick, residual })
    }

    /// The error of corrections of an angle by hundreds of turns: they are no solution, and the sines of such angles take longer.
    #[cold]
    #[inline(never)]
    pub(super) fn corrections<'b, System: Serial<N, D, E, Base = T>>(
        &self,
        elements: impl Iterator<Item = &'b Vector<T, D>>,
    ) -> StepError<T> {
        let (mut found, limit) = ((0, T::zero()), T::from_f64(MAX_CORRECTION));
        for (i, corrections) in elements.enumerate() {
            for k in 0..D {
                let correction = corrections.data.0[0][k];
                if System::ANGLES[k] && correction.abs() > found.1.abs() {
                    found = (i * D + k, correction);
                }
            }
        }
        let residual = Residual { level: Level::Correction, row: found.0, residual: found.1, limit };
        StepError::NotConverged { tick: self.clock.tick, residual }
    }

    /// Refuses residuals of the last iteration above their limits. `squares` are the weighted squares.
    #[inline(always)]
    pub(super) fn residuals<System: Serial<N, D, E, Base = T>>(
        &self,
        rows: &Rows<T, N, D, E>,
        squares: T,
        residual: impl Fn(usize) -> Vector<T, E>,
    ) -> Result<(), StepError<T>> {
        if squares < T::one() {
            return Ok(());
        }
        within::<System, T, N, D, E>(Level::Position, rows, T::one(), residual)
            .map_err(|residual| StepError::NotConverged { tick: self.clock.tick, residual })
    }

    /// Refuses positions that are not finite or off the constraints, dependent constraints, and impulses whose multipliers are not finite.
    /// The impulses of RATTLE are displacements, those of Runge–Kutta the multipliers themselves.
    #[inline(always)]
    pub(super) fn end<System: Serial<N, D, E, Base = T>>(
        &self,
        system: &System,
        rows: &Rows<T, N, D, E>,
        grounds: &Grounds<T, D>,
        sums: Sums<T>,
        are_displacements: bool,
    ) -> Result<(), StepError<T>> {
        if sums.accept(joints::<System, N, D, E>() * E) {
            return Ok(());
        }
        self.judge_end(system, rows, grounds, are_displacements)
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
        let (tick, ahead) = (self.clock.tick, self.side.other());
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
        are_displacements: bool,
    ) -> Result<(), StepError<T>> {
        let (tick, ahead) = (self.clock.tick, self.side.other());
        self.finite(Level::Position, rows.elements.iter().flat_map(|row| &row.at(ahead).q))?;
        let residual = |joint| rows.position_residual(ahead, system, grounds, joint);
        within::<System, T, N, D, E>(Level::Position, rows, T::one(), residual)
            .map_err(|residual| StepError::NotConverged { tick, residual })?;
        rows.judge_pivots::<System>(ahead).map_err(|cause| StepError::Singular { tick, cause })?;
        self.finite(Level::Velocity, rows.elements.iter().flat_map(|row| &row.at(ahead).v))?;
        let per_impulse = if are_displacements { self.clock.size.twice_inverse_square } else { T::one() };
        self.finite_multipliers::<System>(per_impulse, |joint| rows.get(joint).at(ahead).joint.impulse)
    }

    /// Refuses impulses whose multipliers are not finite. Twice a multiplier must be finite, too: the report has the mean of two, computed
    /// from their difference.
    fn finite_multipliers<System: Serial<N, D, E, Base = T>>(
        &self,
        per_impulse: T,
        impulse: impl Fn(usize) -> Vector<T, E>,
    ) -> Result<(), StepError<T>> {
        for joint in every_joint::<System, N, D, E>() {
            let multipliers = impulse(joint) * per_impulse;
            if let Some(k) = multipliers.iter().position(|multiplier| !(*multiplier + *multiplier).is_finite()) {
                let (tick, index) = (self.clock.tick, joint * E + k);
                return Err(StepError::NonFinite { tick, level: Level::Multiplier, index });
            }
        }
        Ok(())
    }

    /// Refuses velocities and multipliers that are not finite, and velocities off their constraint. `squares` are the weighted squares of
    /// the residuals.
    #[inline(always)]
    pub(super) fn velocity<System: Serial<N, D, E, Base = T>>(
        &self,
        rows: &Rows<T, N, D, E>,
        grounds: &Grounds<T, D>,
        squares: T,
        are_impulses: bool,
    ) -> Result<(), StepError<T>> {
        if squares < T::one() { Ok(()) } else { self.judge_velocity::<System>(rows, grounds, are_impulses) }
    }

    #[cold]
    #[inline(never)]
    fn judge_velocity<System: Serial<N, D, E, Base = T>>(
        &self,
        rows: &Rows<T, N, D, E>,
        grounds: &Grounds<T, D>,
        are_impulses: bool,
    ) -> Result<(), StepError<T>> {
        let (tick, ahead) = (self.clock.tick, self.side.other());
        self.finite(Level::Velocity, rows.elements.iter().flat_map(|row| &row.at(ahead).v))?;
        let per_impulse = if are_impulses { self.clock.size.twice_inverse } else { T::one() };
        self.finite_multipliers::<System>(per_impulse, |joint| rows.get(joint).at(ahead).joint.multipliers)?;
        let residual = |joint| rows.velocity_residual::<System>(ahead, grounds, joint);
        within::<System, T, N, D, E>(Level::Velocity, rows, rows.speed(ahead) + T::one(), residual)
            .map_err(|residual| StepError::OffConstraint { tick, residual })
    }

    fn finite<'b>(&self, level: Level, numbers: impl IntoIterator<Item = &'b T>) -> Result<(), StepError<T>> {
        super::finite::finite_numbers(level, numbers, self.clock.tick)
    }
}
