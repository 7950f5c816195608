//! Why a start failed.

use core::fmt;

use super::clock::InvalidStep;
use crate::linalg::FactorError;
use crate::project::Residual;
use crate::scalar::Float;

/// A part of a state, in an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Part {
    /// A position. Corrupted if its low part overlaps the high one.
    Position,
    /// A velocity. Corrupted if its low part overlaps the high one.
    Velocity,
    /// A variable of a semi-explicit or an implicit system; y comes before z.
    Variable,
    /// The time of the clock. Corrupted if its period is zero ticks.
    Time,
    /// A force, or the acceleration that it makes.
    Force,
    /// The multiplier of a constraint.
    Multiplier,
    /// The residual of a constraint after the last step. Corrupted if it is above its limit.
    LastResidual,
    /// The limit of a residual. Corrupted if it is not finite and positive, or not within a factor of 1000 of what the gradient of its
    /// constraint gives.
    Limits,
    /// The weight of the next multipliers. Corrupted if it is neither zero nor a half.
    Weight,
}

/// Why a start, a restore or a resume failed. Nothing has been changed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StartError<T> {
    /// A given number is NaN or infinite, or a force or a multiplier that follows from it.
    NonFinite {
        /// What it is.
        part: Part,
        /// The coordinate; for a multiplier, the constraint.
        index: usize,
    },
    /// The saved values cannot have come from a state.
    Corrupted {
        /// The part.
        part: Part,
        /// The coordinate, or the constraint.
        index: usize,
    },
    /// The saved state has another version.
    Version {
        /// The version of the saved state.
        found: u32,
        /// The version that this library reads.
        expected: u32,
    },
    /// The checksum of the saved state does not belong to its fields.
    Checksum {
        /// The checksum of the saved state.
        found: u32,
        /// The checksum of its fields.
        expected: u32,
    },
    /// The given limit is not positive, or so large that it checks nothing.
    InvalidLimit {
        /// The given limit.
        given: T,
        /// The largest that is accepted: a thousand times the size of the coordinates, 1000 (1 + |q|). For the relative limit of a
        /// semi-explicit system 1000.
        largest: T,
    },
    /// The saved step size is invalid.
    Step(InvalidStep<T>),
    /// A constraint uses a coordinate that the model's [`PATTERN`](crate::system::Mechanical::PATTERN) leaves out.
    Pattern {
        /// The constraint.
        row: usize,
        /// The coordinate.
        column: usize,
    },
    /// The mass matrix is not positive definite; or, of a [`Massless`](crate::system::Massless) model, a coordinate can move without mass.
    Mass(FactorError<T>),
    /// The constraints depend on each other at the configuration reached, or a gradient is zero or not finite.
    Constraints(FactorError<T>),
    /// M − s F_u is singular for every s that was tried: M u' = F has no solution, or more than one.
    Pencil(FactorError<T>),
    /// M u' = F has a higher index than the start can solve: constraints must be differentiated.
    Index {
        /// The index of the pencil M − s F_u.
        found: usize,
        /// The largest that is solved.
        largest: usize,
    },
    /// A constraint of a system with `INDEX = 2` uses an algebraic variable.
    WrongIndex {
        /// The constraint.
        row: usize,
    },
    /// The positions are off the constraints: the assembly did not get there from the guess, the given or saved values are not on
    /// them, or the constraints contradict each other.
    NotAssembled {
        /// The first constraint above its limit.
        residual: Residual<T>,
        /// The Newton iterations made; zero for values that are only checked.
        iterations: usize,
    },
    /// The velocity is off its constraint: no velocity satisfies all constraints, or a saved one does not.
    Velocity(Residual<T>),
    /// The algebraic variables of a semi-explicit system do not satisfy the equation that determines them: the constraint for index 1,
    /// the hidden constraint (level velocity) for index 2.
    Algebraic(Residual<T>),
}

impl<T: Float> fmt::Display for StartError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonFinite { part, index } => {
                write!(f, "{part:?} {index} is NaN or infinite; check the given numbers")
            }
            Self::Corrupted { part, index } => write!(f, "the saved {part:?} {index} is corrupted; start anew"),
            Self::Version { found, expected } => {
                write!(f, "saved state: version is {found}, expected {expected}: another version of taut saved it")
            }
            Self::Checksum { found, expected } => write!(
                f,
                "saved state: checksum is {found:#010x}, expected {expected:#010x}: the data was changed or damaged"
            ),
            Self::InvalidLimit { given, largest } => {
                write!(f, "the limit {given:e} must be positive and at most {largest:e}: a larger one checks nothing")
            }
            Self::Step(error) => error.fmt(f),
            Self::Pattern { row, column } => {
                write!(f, "constraint {row} uses coordinate {column}, but `PATTERN` does not; print `Pattern::of`")
            }
            Self::Mass(cause) => {
                write!(f, "mass matrix: {cause}; every coordinate needs a mass, or constraints and `Massless`")
            }
            Self::Constraints(cause) => write!(f, "singular constraints: {cause}; change the pose or use `redundant`"),
            Self::Pencil(cause) => write!(f, "M u' = F has no unique solution: {cause}; look for a missing equation"),
            Self::Index { found, largest } => {
                write!(f, "the index is {found}, at most {largest} can be started; differentiate constraints")
            }
            Self::WrongIndex { row } => write!(f, "constraint {row} uses z, so the index is not 2; change `INDEX`"),
            Self::NotAssembled { residual, iterations: 0 } => {
                write!(f, "off the constraint: {residual}; correct the values")
            }
            Self::NotAssembled { residual, iterations } => {
                write!(f, "not assembled after {iterations} iterations: {residual}; give a closer guess, check lengths")
            }
            Self::Velocity(residual) => write!(f, "no consistent velocity: {residual}; check how the constraints move"),
            Self::Algebraic(residual) => write!(f, "no algebraic variables: {residual}; give a closer guess"),
        }
    }
}

impl<T: Float> core::error::Error for StartError<T> {}

impl<T> From<InvalidStep<T>> for StartError<T> {
    fn from(error: InvalidStep<T>) -> Self {
        Self::Step(error)
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;
    use crate::project::Level;
    use crate::start::Clock;

    #[test]
    fn every_error_says_where_how_much_and_what_to_do() {
        let cause = FactorError::SmallPivot { index: 1, pivot: 0.0, limit: 1e-9 };
        let residual = |level| Residual { level, row: 1, residual: -2e-3, limit: 1e-6 };
        let position = residual(Level::Position);
        let step = Clock::with_step(0.0).unwrap_err();
        let table = [
            (
                StartError::NonFinite { part: Part::Velocity, index: 2 },
                "Velocity 2 is NaN or infinite; check the given numbers".to_string(),
            ),
            (
                StartError::Corrupted { part: Part::LastResidual, index: 0 },
                "the saved LastResidual 0 is corrupted; start anew".to_string(),
            ),
            (
                StartError::Version { found: 7, expected: 1 },
                "saved state: version is 7, expected 1: another version of taut saved it".to_string(),
            ),
            (
                StartError::Checksum { found: 0xA1, expected: 0xB2C3_D4E5 },
                "saved state: checksum is 0x000000a1, expected 0xb2c3d4e5: the data was changed or damaged".to_string(),
            ),
            (
                StartError::InvalidLimit { given: -1.0, largest: 2e3 },
                "the limit -1e0 must be positive and at most 2e3: a larger one checks nothing".to_string(),
            ),
            (
                step.into(),
                "0e0 is not a step size or a rate: h must be positive, and h² and 512/h² must be finite".to_string(),
            ),
            (
                StartError::Pattern { row: 1, column: 2 },
                "constraint 1 uses coordinate 2, but `PATTERN` does not; print `Pattern::of`".to_string(),
            ),
            (StartError::Mass(cause), std::format!("mass matrix: {cause}; every coordinate needs a mass, or constraints and `Massless`")),
            (
                StartError::Constraints(cause),
                std::format!(
                    "singular constraints: {cause}; change the pose or use `redundant`"
                ),
            ),
            (
                StartError::Pencil(cause),
                std::format!("M u' = F has no unique solution: {cause}; look for a missing equation"),
            ),
            (
                StartError::Index { found: 3, largest: 2 },
                "the index is 3, at most 2 can be started; differentiate constraints".to_string(),
            ),
            (
                StartError::WrongIndex { row: 1 },
                "constraint 1 uses z, so the index is not 2; change `INDEX`".to_string(),
            ),
            (
                StartError::NotAssembled { residual: position, iterations: 0 },
                "off the constraint: position constraint 1 has residual -2e-3, limit 1e-6; correct the values".to_string(),
            ),
            (
                StartError::NotAssembled { residual: position, iterations: 50 },
                "not assembled after 50 iterations: position constraint 1 has residual -2e-3, limit 1e-6; give a closer guess, check lengths".to_string(),
            ),
            (
                StartError::Velocity(residual(Level::Velocity)),
                "no consistent velocity: velocity constraint 1 has residual -2e-3, limit 1e-6; check how the constraints move".to_string(),
            ),
            (
                StartError::Algebraic(position),
                "no algebraic variables: position constraint 1 has residual -2e-3, limit 1e-6; give a closer guess".to_string(),
            ),
        ];
        for (error, text) in table {
            assert_eq!(error.to_string(), text);
        }
    }
}
