//! How far a state is off its constraints, and when that is too far.
//!
//! A residual g_i has the units of the constraint as written. Divided by the norm of its gradient it is a distance in the
//! coordinates, and that is what the limits are about: the default, √ε, allows 0.35 mm or 0.02° in `f32` and 15 nm in
//! `f64`, where the coordinates are metres and radians. The gradients are those at the start.

use core::fmt;

use crate::linalg::{FactorError, Vector};
use crate::scalar::Float;

/// Which of the constraints a residual belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Level {
    /// g(t, q) = 0.
    Position,
    /// G v + g_t = 0.
    Velocity,
}

/// A residual above its limit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Residual<T> {
    /// Position or velocity.
    pub level: Level,
    /// The constraint.
    pub row: usize,
    /// Its residual, in the units of the constraint.
    pub residual: T,
    /// The magnitude it may have, in the same units.
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
        let level = match self.level {
            Level::Position => "position",
            Level::Velocity => "velocity",
        };
        let Self { row, residual, limit, .. } = self;
        if residual.is_finite() {
            write!(f, "residual {residual:e} of {level} constraint {row} is above its limit {limit:e}")
        } else {
            write!(
                f,
                "{level} constraint {row} evaluates to {residual:e}: a parameter of the model or the state is no number"
            )
        }
    }
}

/// The first row whose residual is above its limit, or not a number.
#[inline(always)]
pub(crate) fn within<T: Float, const M: usize>(
    level: Level,
    residuals: &Vector<T, M>,
    limits: &Vector<T, M>,
) -> Result<(), Residual<T>> {
    for row in 0..M {
        let (residual, limit) = (residuals.data.0[0][row], limits.data.0[0][row]);
        if !(residual.abs() <= limit) {
            return Err(Residual { level, row, residual, limit });
        }
    }
    Ok(())
}

/// Why a projection failed. What was to be projected is untouched.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ProjectError<T> {
    /// What was to be projected is NaN or infinite.
    NonFinite {
        /// The coordinate.
        index: usize,
    },
    /// The mass matrix is not positive definite.
    Mass(FactorError<T>),
    /// The constraints depend on each other, or are not finite, where the projection starts.
    Constraints(FactorError<T>),
    /// The iterations did not end on the constraint.
    NotReached(Residual<T>),
}

impl<T: Float> fmt::Display for ProjectError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonFinite { index } => write!(f, "coordinate {index} is not finite"),
            Self::Mass(error) => write!(f, "mass matrix: {error}"),
            Self::Constraints(error) => write!(f, "constraints: {error}"),
            Self::NotReached(residual) => write!(f, "not on the constraint: {residual}"),
        }
    }
}

impl<T: Float> core::error::Error for ProjectError<T> {}
