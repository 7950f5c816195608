//! Why a step failed.

use core::fmt;

use crate::linalg::FactorError;
use crate::project::{Level, Residual};
use crate::scalar::Float;

/// Why a step failed. The state is as it was before, bit for bit.
///
/// `tick` is that of the state: the step from `tick` to `tick` + 1 was not made.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StepError<T> {
    /// The state is not on the constraints of the model: the model has changed under it. The limit is that of the start, or twice that
    /// where the state carries its lost digits, of which a step sees more at its end than the next one where it begins.
    /// [`resume`](crate::start::resume) is the way back.
    Inconsistent {
        /// The tick of the state.
        tick: u64,
        /// The constraint, its residual and the limit.
        residual: Residual<T>,
    },
    /// The Newton iterations did not reach the constraint: the step is too large for the motion, or the pose can not be
    /// reached.
    NotConverged {
        /// The tick of the state.
        tick: u64,
        /// The constraint, its residual and the limit.
        residual: Residual<T>,
    },
    /// The Newton iterations of an implicit method did not bring forces and inertia into balance: the step is too large for the
    /// forces.
    Unbalanced {
        /// The tick of the state.
        tick: u64,
        /// The coordinate.
        index: usize,
        /// How far the equation of motion of this coordinate is off, in the units of the coordinate.
        residual: T,
        /// The magnitude it may have: the limit of the start.
        limit: T,
    },
    /// The constraints depend on each other at the end of the step or of a stage, or their gradients are not finite; or the
    /// equations of an implicit method are singular.
    Singular {
        /// The tick of the state.
        tick: u64,
        /// The row, its pivot and the limit.
        cause: FactorError<T>,
    },
    /// The matrix of the multipliers changes so much within the step that it may be singular in between, although it is not at
    /// either end.
    NearlySingular {
        /// The tick of the state.
        tick: u64,
        /// The change, relative to the matrix itself.
        change: T,
        /// The change that excludes a singularity in between.
        limit: T,
    },
    /// The constraints nearly depend on each other at a stage within the step, although they do not at either end. Where they
    /// do so exactly, nothing finite comes out: `NonFinite`.
    SingularStage {
        /// The tick of the state.
        tick: u64,
        /// The sum of 1/sin² of the angles between each constraint but the first and those before it, over the stages.
        obliqueness: T,
        /// What it may be.
        limit: T,
    },
    /// The mass matrix is not positive definite at a configuration of the step.
    Mass {
        /// The tick of the state.
        tick: u64,
        /// The row, its pivot and the limit.
        cause: FactorError<T>,
    },
    /// A position or a velocity became NaN or infinite: an input, a force or a sensor value was.
    NonFinite {
        /// The tick of the state.
        tick: u64,
        /// Position or velocity.
        level: Level,
        /// The coordinate; for a multiplier of the general index-3 form, which accelerates, the constraint.
        index: usize,
    },
}

impl<T> StepError<T> {
    /// The same error with its numbers in another scalar.
    pub fn map<U>(self, number: impl Fn(T) -> U) -> StepError<U> {
        match self {
            Self::Inconsistent { tick, residual } => StepError::Inconsistent { tick, residual: residual.map(number) },
            Self::NotConverged { tick, residual } => StepError::NotConverged { tick, residual: residual.map(number) },
            Self::Unbalanced { tick, index, residual, limit } => {
                StepError::Unbalanced { tick, index, residual: number(residual), limit: number(limit) }
            }
            Self::Singular { tick, cause } => StepError::Singular { tick, cause: cause.map(number) },
            Self::NearlySingular { tick, change, limit } => {
                StepError::NearlySingular { tick, change: number(change), limit: number(limit) }
            }
            Self::SingularStage { tick, obliqueness, limit } => {
                StepError::SingularStage { tick, obliqueness: number(obliqueness), limit: number(limit) }
            }
            Self::Mass { tick, cause } => StepError::Mass { tick, cause: cause.map(number) },
            Self::NonFinite { tick, level, index } => StepError::NonFinite { tick, level, index },
        }
    }
}

impl<T: Float> fmt::Display for StepError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inconsistent { tick, residual } => write!(f, "tick {tick}: the model has changed: {residual}"),
            Self::NotConverged { tick, residual } => write!(f, "tick {tick}: not converged: {residual}"),
            Self::Unbalanced { tick, index, residual, limit } => write!(
                f,
                "tick {tick}: not converged: the equation of motion of coordinate {index} is off by {residual:e}, limit \
                 {limit:e}"
            ),
            Self::Singular { tick, cause } => write!(f, "tick {tick}: singular constraints: {cause}"),
            Self::NearlySingular { tick, change, limit } => write!(
                f,
                "tick {tick}: the constraints may be singular within the step: their matrix changes by {change:e} of itself, \
                 limit {limit:e}"
            ),
            Self::SingularStage { tick, obliqueness, limit } => write!(
                f,
                "tick {tick}: singular constraints within the step: 1/sin² of the angles between them is {obliqueness:e}, \
                 limit {limit:e}"
            ),
            Self::Mass { tick, cause } => write!(f, "tick {tick}: mass matrix: {cause}"),
            Self::NonFinite { tick, level, index } => {
                let what = match level {
                    Level::Position => "position",
                    Level::Velocity => "velocity",
                };
                write!(f, "tick {tick}: {what} {index} is not finite")
            }
        }
    }
}

impl<T: Float> core::error::Error for StepError<T> {}
