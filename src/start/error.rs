//! Why there is no state.

use core::fmt;

use crate::linalg::FactorError;
use crate::project::Residual;
use crate::scalar::Float;

/// A part of what was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Part {
    /// The positions: their low part overlaps the high one.
    Position,
    /// The velocities: their low part overlaps the high one.
    Velocity,
    /// What the last step has left of the constraints: more than it may.
    Leftover,
    /// The limits of the residuals: not finite and positive.
    Limits,
    /// The weight of the next multipliers: neither zero nor a half.
    Weight,
}

/// Why a start, a restore or a resume failed. Nothing has been changed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StartError<T> {
    /// A position, a velocity, a time or a force that was given is NaN or infinite, or a multiplier that follows from them.
    NonFinite {
        /// The coordinate; for a time, zero; for a multiplier, the constraint.
        index: usize,
    },
    /// What was saved can not have come from a state.
    Corrupted {
        /// The part.
        part: Part,
        /// The coordinate, or the constraint.
        index: usize,
    },
    /// A limit for distances from the constraints that is not finite and positive.
    InvalidLimit {
        /// What was given.
        given: T,
    },
    /// The mass matrix is not positive definite.
    Mass(FactorError<T>),
    /// The constraints depend on each other, or have no gradient, at the configuration reached.
    Constraints(FactorError<T>),
    /// M − s F_u is singular for every s that was tried: M u' = F has no solution, or more than one.
    Pencil(FactorError<T>),
    /// A constraint of a system that says it is of index 2 uses an algebraic variable.
    WrongIndex {
        /// The constraint.
        row: usize,
    },
    /// The positions could not be brought onto the constraints: the pose is out of reach of the guess, or the constraints
    /// contradict each other.
    NotAssembled {
        /// The first constraint that is above its limit.
        residual: Residual<T>,
        /// The Newton iterations made.
        iterations: usize,
    },
    /// No velocity satisfies all constraints.
    Velocity(Residual<T>),
    /// No algebraic variables of a semi-explicit system satisfy what determines them: the constraint with index 1, the hidden
    /// one, of the velocity level, with index 2.
    Algebraic(Residual<T>),
}

impl<T: Float> fmt::Display for StartError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonFinite { index } => {
                write!(f, "position, velocity, time, force or multiplier {index} is not finite")
            }
            Self::Corrupted { part, index } => write!(f, "what was saved is corrupted: {part:?}, entry {index}"),
            Self::InvalidLimit { given } => write!(f, "{given:e} is not a limit: it must be finite and positive"),
            Self::Mass(error) => write!(f, "mass matrix: {error}"),
            Self::Constraints(error @ FactorError::NonFinite { index }) => {
                write!(
                    f,
                    "the gradient of constraint {index} is not finite, a parameter of the model may be none: {error}"
                )
            }
            Self::Constraints(error @ FactorError::SmallPivot { index, .. }) => {
                write!(
                    f,
                    "the gradient of constraint {index} vanishes or depends on others, which `Start::redundant` allows: {error}"
                )
            }
            Self::Pencil(error) => write!(f, "singular pencil: {error}"),
            Self::WrongIndex { row } => write!(f, "constraint {row} uses an algebraic variable: the index is not 2"),
            Self::NotAssembled { residual, iterations } => {
                write!(f, "not assembled, no nearer after {iterations} iterations: {residual}")
            }
            Self::Velocity(residual) => write!(f, "no velocity satisfies the constraints: {residual}"),
            Self::Algebraic(residual) => write!(f, "no algebraic variables satisfy the constraints: {residual}"),
        }
    }
}

impl<T: Float> core::error::Error for StartError<T> {}
