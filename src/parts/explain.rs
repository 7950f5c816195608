//! Errors of starts, steps, plans and simulated machines with the name of the part that they are about.

use core::fmt;

use super::list::List;
use super::mechanism::Mechanism;
use super::table::{Entry, outputs};
use crate::control::{ControlError, Singularity};
use crate::device::PlantError;
use crate::linalg::{FactorError, Vector};
use crate::method::StepError;
use crate::project::{Level, Residual};
use crate::scalar::Float;
use crate::start::{Part, StartError};
use crate::system::Mechanical;

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
    /// A motor.
    Motor(usize),
    /// An encoder.
    Encoder(usize),
    /// A number of the output.
    Output(usize),
    /// A gradient: the constraints, then the numbers of the output.
    Gradient(usize),
    /// A direction of forces: the motors, then the constraints.
    Direction(usize),
    /// A constraint that nearly depends on others. The error does not say which one; the pose does.
    Dependent,
    /// None of them: the error is about the whole mechanism.
    Whole,
}

/// An error that can be about one part.
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
            Self::SingularWithin { .. } => About::Dependent,
            Self::Turn { .. } => About::Whole,
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
            | Self::NonFinite { what: "position" | "velocity" | "acceleration" | "guess", index, .. }
            | Self::NonFinite { what: "estimated position" | "estimated velocity", index, .. } => {
                About::Coordinate(*index)
            }
            Self::Slack { row, .. }
            | Self::Pattern { what: "constraint", row, .. }
            | Self::NonFinite { what: "multiplier", index: row, .. } => About::Constraint(*row),
            Self::Pattern { what: "output", row, .. } => About::Output(*row),
            Self::Exceeded { what: "motor speed" | "motor acceleration", index, .. } => About::Encoder(*index),
            Self::Pattern { what: "input", row: index, .. }
            | Self::Exceeded { what: "input", index, .. }
            | Self::NonFinite { what: "input", index, .. } => About::Motor(*index),
            Self::Singular { kind, cause, .. } => match kind {
                Singularity::Reach => About::Gradient(row(cause)),
                Singularity::Actuation => About::Direction(row(cause)),
                Singularity::Sensing => About::Encoder(row(cause)),
                Singularity::Mass => About::Coordinate(row(cause)),
            },
            _ => About::Whole,
        }
    }
}

impl<T> Located for PlantError<T> {
    fn about(&self) -> About {
        match self {
            Self::Step(error) => error.about(),
            Self::Slack { row, .. } => About::Constraint(*row),
            Self::Effort { index } => About::Motor(*index),
        }
    }
}

/// The name of a part of some parts; empty if there is no such part.
fn named(table: &[Entry], parts: &[usize], index: usize) -> &'static str {
    parts.get(index).and_then(|part| table.get(*part)).map_or("", |entry| entry.name)
}

/// The constraint that depends most on those before it: with the smallest angle to them in the coordinates.
fn most_dependent<System, T, const N: usize, const M: usize>(system: &System, pose: &Vector<T, N>) -> usize
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
{
    // Rows of length one, each perpendicular to those before it; or zero.
    let mut rows = [Vector::from([T::zero(); N]); M];
    let (jacobian, mut found, mut smallest) = (system.jacobian(T::zero(), pose), 0, T::INFINITY);
    for k in 0..M {
        let mut row = Vector::<T, N>::from_fn(|i, _| jacobian[(k, i)]);
        let whole = row.dot(&row);
        for earlier in &rows[..k] {
            row -= earlier * earlier.dot(&row);
        }
        let left = row.dot(&row);
        // The square of the sine. A constraint without a gradient is the worst.
        let sine = if whole > T::zero() { left / whole } else { T::zero() };
        if sine < smallest {
            (found, smallest) = (k, sine);
        }
        if left > T::zero() {
            rows[k] = row / left.sqrt();
        }
    }
    found
}

impl<L: List<N, M>, const N: usize, const M: usize> Mechanism<L, N, M> {
    /// An error of a start, a step, a plan or a [`Plant`](crate::device::Plant) with the name of the part that it is about: the part of
    /// its constraint, its coordinate, its motor or its encoder. The
    /// name says where to look first; a cause elsewhere, such as a length that does not fit, can show at any part of a loop. Of a singular
    /// pose, it is the part that repeats what those before it say.
    ///
    /// [`StepError::SingularWithin`] has no part of its own: see [`explain_at`](Self::explain_at).
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
        Explained { part: self.part_about(error.about()), error }
    }

    /// [`explain`](Self::explain) with the pose in which the error happened: that of the state, which a failed step leaves as it was. If the
    /// constraints are singular within a step, the pose tells which part depends on those before it.
    pub fn explain_at<E: Located>(&self, error: E, pose: &Vector<L::Base, N>) -> Explained<E> {
        let about = match error.about() {
            About::Dependent => About::Constraint(most_dependent(self, pose)),
            about => about,
        };
        Explained { part: self.part_about(about), error }
    }

    fn part_about(&self, about: About) -> &'static str {
        let (table, wiring) = (L::TABLE, L::WIRING);
        let motors = wiring.motors.len();
        match about {
            About::Coordinate(i) => self.part_of_coordinate(i),
            About::Gradient(row) if row >= M => self.part_about(About::Output(row - M)),
            About::Direction(i) if i >= motors => self.part_of_constraint(i - motors),
            About::Constraint(row) | About::Gradient(row) => self.part_of_constraint(row),
            About::Motor(i) | About::Direction(i) => named(table, wiring.motors, i),
            About::Encoder(i) => named(table, wiring.encoders, i),
            About::Output(i) => {
                let ends = |part: &usize| outputs(table, &wiring.outputs[..=*part]) > i;
                named(table, wiring.outputs, (0..wiring.outputs.len()).find(ends).unwrap_or(usize::MAX))
            }
            About::Dependent | About::Whole => "",
        }
    }
}
