//! Residuals of constraints and their limits.
//!
//! A residual g_i has the units of the constraint as written. Divided by the norm of its gradient it is a distance in the coordinates.
//! Limits are such distances: the default, √ε, allows 0.35 mm or 0.02° in `f32` and 15 nm in `f64`, if the coordinates are metres and
//! radians. The gradients are those at the start.

use core::fmt;

use crate::linalg::written_out::for_each;
use crate::linalg::{FactorError, Vector};
use crate::scalar::Float;

/// What a residual belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Level {
    /// A position constraint, g(t, q) = 0.
    Position,
    /// A velocity constraint, G v + g_t = 0.
    Velocity,
    /// A differential equation: the equation of motion of a coordinate, or a row of y' = f or M u' = F.
    Equation,
    /// A multiplier: the force of a constraint.
    Multiplier,
    /// An unknown of Newton's method. Its residual is the last correction, in the units of the unknown.
    Correction,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::Equation => "differential equation",
            Self::Multiplier => "multiplier",
            Self::Correction => "last correction of unknown",
        })
    }
}

/// A residual above its limit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Residual<T> {
    /// What kind of equation it is.
    pub level: Level,
    /// The constraint, the coordinate of the equation, or the unknown.
    pub row: usize,
    /// Its residual: in the units of the constraint, of the coordinate or of the unknown.
    pub residual: T,
    /// The largest magnitude that is accepted, in the same units.
    pub limit: T,
}

impl<T> Residual<T> {
    /// The same residual in another scalar.
    pub fn map<U>(self, number: impl Fn(T) -> U) -> Residual<U> {
        let Self { level, row, residual, limit } = self;
        Residual { level, row, residual: number(residual), limit: number(limit) }
    }
}

impl<T: Float> fmt::Display for Residual<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { level, row, residual, limit } = self;
        let (constraint, has) = match level {
            Level::Correction => ("", "is"),
            Level::Equation => ("", "has residual"),
            _ => (" constraint", "has residual"),
        };
        if residual.is_finite() {
            write!(f, "{level}{constraint} {row} {has} {residual:e}, limit {limit:e}")
        } else {
            write!(f, "{level}{constraint} {row} is {residual:e}: check the model's parameters and the state for NaN")
        }
    }
}

/// The range of limits around what the coordinates and gradients of a model give. A limit of a thousand times the coordinates checks
/// nothing; a gradient that has become a thousand times smaller belongs to a singular pose.
pub(crate) const LIMIT_RANGE: f64 = 1e3;

/// Checks a distance limit, for coordinates of this magnitude. The error is the largest one that is accepted.
pub(crate) fn check_limit<T: Float>(limit: T, magnitude: T) -> Result<(), T> {
    let largest = (T::one() + magnitude) * T::from_f64(LIMIT_RANGE);
    if limit > T::zero() && limit.is_finite() && limit <= largest { Ok(()) } else { Err(largest) }
}

/// Refuses the first row whose residual is above its limit or NaN.
#[inline(always)]
pub(crate) fn within<T: Float, const M: usize>(
    level: Level,
    residuals: &Vector<T, M>,
    limits: &Vector<T, M>,
) -> Result<(), Residual<T>> {
    within_times(level, residuals, limits, T::one())
}

/// The same, with all limits multiplied by a factor.
#[inline(always)]
pub(crate) fn within_times<T: Float, const M: usize>(
    level: Level,
    residuals: &Vector<T, M>,
    limits: &Vector<T, M>,
    factor: T,
) -> Result<(), Residual<T>> {
    for_each!(ROW < M => {
        let (residual, limit) = (residuals.data.0[0][ROW], limits.data.0[0][ROW] * factor);
        if !(residual.abs() <= limit) {
            return Err(Residual { level, row: ROW, residual, limit });
        }
    });
    Ok(())
}

/// Refuses positions or velocities that are NaN or infinite.
pub(super) fn all_finite<T: Float, const N: usize>(
    level: Level,
    numbers: &Vector<T, N>,
) -> Result<(), ProjectError<T>> {
    match numbers.iter().position(|number| !number.is_finite()) {
        Some(index) => Err(ProjectError::NonFinite { level, index }),
        None => Ok(()),
    }
}

/// Why a projection failed. The given positions and velocities are untouched.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ProjectError<T> {
    /// A given position or velocity is NaN or infinite, or overflows in the projection. The variables of an invariant count as positions.
    NonFinite {
        /// Position or velocity.
        level: Level,
        /// The coordinate.
        index: usize,
    },
    /// The limit of the projection is not positive, or so large that it checks nothing.
    InvalidLimit {
        /// The given limit.
        given: T,
        /// The largest that is accepted: 1000 (1 + |q|), a thousand times the size of the coordinates.
        largest: T,
    },
    /// The mass matrix is not positive definite.
    Mass(FactorError<T>),
    /// The constraints depend on each other where the projection starts, or their gradients are not finite.
    Constraints(FactorError<T>),
    /// The iterations ended off the constraint, or no velocity satisfies all constraints.
    NotReached(Residual<T>),
    /// The constraints leave another number of degrees of freedom than the type of the minimal coordinates has.
    DegreesOfFreedom {
        /// The number that was given.
        given: usize,
        /// The number that was found.
        found: usize,
    },
}

impl<T: Float> fmt::Display for ProjectError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonFinite { level, index } => write!(f, "{level} {index} is NaN or infinite; check what was given"),
            Self::InvalidLimit { given, largest } => {
                write!(f, "the limit {given:e} must be positive and at most {largest:e}: a larger one checks nothing")
            }
            Self::Mass(cause) => write!(f, "mass matrix: {cause}; check it at this pose"),
            Self::Constraints(cause) => write!(f, "singular constraints: {cause}; change the pose or use `redundant`"),
            Self::NotReached(residual) => write!(f, "not reached: {residual}; begin closer or use more iterations"),
            Self::DegreesOfFreedom { given, found } => {
                write!(f, "the constraints leave {found} degrees of freedom here, not {given}; check K and the pose")
            }
        }
    }
}

impl<T: Float> core::error::Error for ProjectError<T> {}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    #[test]
    fn every_error_says_where_how_much_and_what_to_do() {
        let cause = FactorError::SmallPivot { index: 1, pivot: 0.0, limit: 1e-9 };
        let residual = Residual { level: Level::Velocity, row: 2, residual: 0.5, limit: 1e-6 };
        for (error, text) in [
            (
                ProjectError::NonFinite { level: Level::Position, index: 3 },
                "position 3 is NaN or infinite; check what was given".to_string(),
            ),
            (
                ProjectError::InvalidLimit { given: 1e30, largest: 2e3 },
                "the limit 1e30 must be positive and at most 2e3: a larger one checks nothing".to_string(),
            ),
            (ProjectError::Mass(cause), std::format!("mass matrix: {cause}; check it at this pose")),
            (
                ProjectError::Constraints(cause),
                std::format!("singular constraints: {cause}; change the pose or use `redundant`"),
            ),
            (
                ProjectError::NotReached(residual),
                "not reached: velocity constraint 2 has residual 5e-1, limit 1e-6; begin closer or use more iterations"
                    .to_string(),
            ),
            (
                ProjectError::DegreesOfFreedom { given: 2, found: 3 },
                "the constraints leave 3 degrees of freedom here, not 2; check K and the pose".to_string(),
            ),
        ] {
            assert_eq!(error.to_string(), text);
        }
        let broken = Residual { residual: f64::NAN, ..residual };
        assert_eq!(
            broken.to_string(),
            "velocity constraint 2 is NaN: check the model's parameters and the state for NaN"
        );
    }

    /// The first row above its limit is named, NaN is above every limit, and the factor multiplies the limits.
    #[test]
    fn residuals_are_compared_with_their_limits() {
        let (limits, level) = (Vector::from([1.0, 2.0]), Level::Position);
        let judge = |residuals: [f64; 2], factor| within_times(level, &Vector::from(residuals), &limits, factor);
        assert_eq!(judge([-1.0, 2.0], 1.0), Ok(()));
        assert_eq!(judge([0.0, -2.5], 1.0), Err(Residual { level, row: 1, residual: -2.5, limit: 2.0 }));
        assert_eq!(judge([0.0, -2.5], 2.0), Ok(()));
        assert_eq!(judge([0.0, f64::NAN], f64::INFINITY).unwrap_err().row, 1);
    }
}
