//! Errors of starts, steps and plans with the name of the part that they are about.

use core::fmt;

use super::list::List;
use super::mechanism::Mechanism;
use crate::control::ControlError;
use crate::linalg::FactorError;
use crate::method::StepError;
use crate::project::{Level, Residual};
use crate::start::{Part, StartError};

/// An error, and the name of the part that it is about: made by [`Mechanism::explain`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Explained<E> {
    /// The name of the part; empty if the error is about the whole mechanism.
    pub part: &'static str,
    /// The error.
    pub error: E,
}

impl<E: fmt::Display> fmt::Display for Explained<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.part.is_empty() { self.error.fmt(f) } else { write!(f, "{}: {}", self.part, self.error) }
    }
}

impl<E: core::error::Error> core::error::Error for Explained<E> {}

/// What the number in an error counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// A coordinate of the mechanism.
    Coordinate(usize),
    /// A constraint.
    Constraint(usize),
    /// Neither: the error is about the whole mechanism.
    Whole,
}

/// An error that can be about one coordinate or one constraint.
pub trait Located {
    /// Which.
    fn about(&self) -> About;
}

fn of_level(level: Level, index: usize, numbers: fn(usize) -> About) -> About {
    match level {
        Level::Position | Level::Velocity => numbers(index),
        Level::Multiplier => About::Constraint(index),
        Level::Equation | Level::Correction => About::Coordinate(index),
    }
}

fn of_residual<T>(residual: &Residual<T>) -> About {
    of_level(residual.level, residual.row, About::Constraint)
}

/// The row of a matrix that could not be factorised.
pub(super) fn row<T>(cause: &FactorError<T>) -> usize {
    match cause {
        FactorError::NonFinite { index } | FactorError::SmallPivot { index, .. } => *index,
    }
}

impl<T> Located for StepError<T> {
    fn about(&self) -> About {
        match self {
            Self::Inconsistent { residual, .. }
            | Self::NotConverged { residual, .. }
            | Self::OffConstraint { residual, .. } => of_residual(residual),
            Self::Singular { cause, .. } => About::Constraint(row(cause)),
            Self::Mass { cause, .. } => About::Coordinate(row(cause)),
            Self::NonFinite { level, index, .. } => of_level(*level, *index, About::Coordinate),
            Self::SingularWithin { .. } | Self::Turn { .. } => About::Whole,
        }
    }
}

impl<T> Located for StartError<T> {
    fn about(&self) -> About {
        match self {
            Self::NonFinite { part, index } | Self::Corrupted { part, index } => match part {
                Part::Position | Part::Velocity | Part::Force => About::Coordinate(*index),
                Part::Multiplier | Part::LastResidual | Part::Limits => About::Constraint(*index),
                Part::Variable | Part::Time | Part::Weight => About::Whole,
            },
            Self::Pattern { row, .. } => About::Constraint(*row),
            Self::Mass(cause) => About::Coordinate(row(cause)),
            Self::Constraints(cause) => About::Constraint(row(cause)),
            Self::NotAssembled { residual, .. } | Self::Velocity(residual) => of_residual(residual),
            _ => About::Whole,
        }
    }
}

impl<T> Located for ControlError<T> {
    fn about(&self) -> About {
        match self {
            Self::Unreachable { index, .. }
            | Self::Exceeded { what: "velocity" | "position", index, .. }
            | Self::NonFinite { what: "position" | "velocity" | "acceleration" | "guess", index, .. } => {
                About::Coordinate(*index)
            }
            Self::Slack { row, .. }
            | Self::Pattern { what: "constraint", row, .. }
            | Self::NonFinite { what: "multiplier", index: row, .. } => About::Constraint(*row),
            _ => About::Whole,
        }
    }
}

impl<L: List<N, M>, const N: usize, const M: usize> Mechanism<L, N, M> {
    /// An error of a start, a step or a plan with the name of the part that it is about: the part of its constraint or its coordinate. The
    /// name says where to look first; a cause elsewhere, such as a length that does not fit, can show at any part of a loop.
    ///
    /// The implicit methods solve equations for coordinates, too: of theirs, [`StepError::Singular`] can name a wrong part.
    ///
    /// ```
    /// use mechanisms::parts::FourBar;
    /// use taut::prelude::*;
    ///
    /// let linkage = FourBar::<f64>::new().build()?;
    /// let mut state = linkage.start(Clock::with_step(1e-3)?).at_rest()?;
    /// // Another linkage: its rod is not where the state has it.
    /// let mut longer = FourBar::<f64>::new();
    /// longer.coupler.length += 0.01;
    /// let longer = longer.build()?;
    /// let error = Rattle::new().step(&longer, &mut state).unwrap_err();
    /// let text = longer.explain(error).to_string();
    /// assert!(text.starts_with("coupler: tick 0: model changed: position constraint 2 has residual "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain<E: Located>(&self, error: E) -> Explained<E> {
        let part = match error.about() {
            About::Coordinate(i) => self.part_of_coordinate(i),
            About::Constraint(row) => self.part_of_constraint(row),
            About::Whole => "",
        };
        Explained { part, error }
    }
}
