//! Why a motion can not be had.

use core::fmt;

use crate::linalg::FactorError;
use crate::scalar::Float;
use crate::trajectory::TrajectoryError;

/// One equation of a servo constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Equation {
    /// A constraint of the system, g(t, q) = 0.
    Constraint(usize),
    /// An output that follows its trajectory, s(q) = γ(t).
    Output(usize),
}

impl fmt::Display for Equation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constraint(row) => write!(f, "constraint {row}"),
            Self::Output(row) => write!(f, "output {row}"),
        }
    }
}

/// In which way a pose is singular.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Singularity {
    /// The coordinates do not follow from constraints and outputs: an arm is stretched, and the output at the edge of its reach.
    Reach,
    /// The inputs do not follow from the motion: one is possible that no actuator resists.
    Actuation,
    /// The coordinates can not be told from the readings: two encoders measure the same.
    Sensing,
    /// The mass matrix is not positive definite.
    Mass,
}

/// Why there is no reference, or none that may be followed. Nothing has been changed.
///
/// `tick` is the one that was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum ControlError<T> {
    /// The trajectory has too few derivatives, or jumps at a re-plan.
    Trajectory(TrajectoryError<T>),
    /// A limit or the length of a tick that is not finite and positive.
    NotPositive {
        /// What it was given as.
        what: &'static str,
        /// What was given.
        given: T,
    },
    /// A delay of more ticks than there is room for.
    TooLong {
        /// What it was given as.
        what: &'static str,
        /// How many were given.
        ticks: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A motor or an encoder that the machine does not have.
    NoSuch {
        /// What it was given as.
        what: &'static str,
        /// Its number, from zero.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A feedforward or a controller is made for ticks of another length than the loop has.
    OtherTick {
        /// Which of them.
        what: &'static str,
        /// The length that it is made for.
        given: T,
        /// The length of the loop's ticks, that of its first feedforward.
        expected: T,
    },
    /// No pose near the last one has its output at the target: it is out of reach, or it jumped.
    Unreachable {
        /// The tick.
        tick: u64,
        /// A coordinate that is not where it would have to be.
        index: usize,
        /// By how much.
        distance: T,
        /// How much it may be.
        limit: T,
    },
    /// A constraint or an output is not what it should be: what the model says about its flat output is not so.
    Configuration {
        /// The tick.
        tick: u64,
        /// What does not hold.
        equation: Equation,
        /// By how much, in its own units.
        residual: T,
        /// How much it may be.
        limit: T,
    },
    /// The target is too far from that of the last tick: corrections of the pose do not shrink by half, and which pose they lead to
    /// is not certain.
    TooFar {
        /// The tick.
        tick: u64,
        /// The first correction, in the units of the coordinates.
        before: T,
        /// The second, which may be half as large.
        after: T,
    },
    /// The pose is singular.
    Singular {
        /// The tick.
        tick: u64,
        /// In which way.
        kind: Singularity,
        /// The row, its pivot and the limit.
        cause: FactorError<T>,
    },
    /// A coordinate would move faster than it may.
    TooFast {
        /// The tick.
        tick: u64,
        /// The coordinate.
        index: usize,
        /// Its velocity.
        velocity: T,
        /// Its limit.
        limit: T,
    },
    /// The motion takes more than an actuator has.
    TooStrong {
        /// The tick.
        tick: u64,
        /// The input.
        index: usize,
        /// What it would have to be.
        input: T,
        /// Its limit.
        limit: T,
    },
    /// A constraint that can only pull would have to push: a rope would go slack.
    Slack {
        /// The tick.
        tick: u64,
        /// The constraint.
        row: usize,
        /// Its multiplier.
        multiplier: T,
    },
    /// The equation of motion of a coordinate does not hold with any input: what the model says about its flat output is not so.
    Unbalanced {
        /// The tick.
        tick: u64,
        /// The coordinate.
        index: usize,
        /// The force that is missing.
        residual: T,
        /// How much it may be.
        limit: T,
    },
    /// A target, a coordinate, a force or an input is NaN or infinite.
    NonFinite {
        /// The tick.
        tick: u64,
        /// What it is.
        what: &'static str,
        /// Which one.
        index: usize,
    },
}

impl<T: Float> fmt::Display for ControlError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trajectory(error) => write!(f, "trajectory: {error}"),
            Self::NotPositive { what, given } => write!(f, "{what}: {given:e} is not finite and positive"),
            Self::TooLong { what, ticks, limit } => write!(f, "{what}: {ticks} ticks are more than {limit}"),
            Self::NoSuch { what, index, count } => write!(f, "there is no {what} {index}, there are {count}"),
            Self::OtherTick { what, given, expected } => {
                write!(f, "the {what} is made for ticks of {given:e} s, the loop has {expected:e} s")
            }
            Self::Unreachable { tick, index, distance, limit } => {
                write!(f, "tick {tick}: out of reach: coordinate {index} is off by {distance:e}, limit {limit:e}")
            }
            Self::Configuration { tick, equation, residual, limit } => {
                write!(f, "tick {tick}: the flat output is not one: {equation} is off by {residual:e}, limit {limit:e}")
            }
            Self::TooFar { tick, before, after } => write!(
                f,
                "tick {tick}: the target is too far from the last: a correction of {before:e} is followed by one of {after:e}, \
                 which is not half as large"
            ),
            Self::Singular { tick, kind: Singularity::Reach, cause } => {
                write!(f, "tick {tick}: singular pose, at the edge of the reach: {cause}")
            }
            Self::Singular { tick, kind: Singularity::Actuation, cause } => {
                write!(f, "tick {tick}: singular pose, that no actuator holds: {cause}")
            }
            Self::Singular { tick, kind: Singularity::Sensing, cause } => {
                write!(f, "tick {tick}: singular pose, that the encoders can not tell from others: {cause}")
            }
            Self::Singular { tick, kind: Singularity::Mass, cause } => write!(f, "tick {tick}: mass matrix: {cause}"),
            Self::TooFast { tick, index, velocity, limit } => {
                write!(f, "tick {tick}: velocity {velocity:e} of coordinate {index} is above its limit {limit:e}")
            }
            Self::TooStrong { tick, index, input, limit } => {
                write!(f, "tick {tick}: input {index} would have to be {input:e}, its limit is {limit:e}")
            }
            Self::Slack { tick, row, multiplier } => {
                write!(f, "tick {tick}: constraint {row} can only pull, its multiplier would be {multiplier:e}")
            }
            Self::Unbalanced { tick, index, residual, limit } => write!(
                f,
                "tick {tick}: no input balances the equation of motion of coordinate {index}: {residual:e} is missing, limit \
                 {limit:e}"
            ),
            Self::NonFinite { tick, what, index } => write!(f, "tick {tick}: {what} {index} is not finite"),
        }
    }
}

impl<T: Float> core::error::Error for ControlError<T> {}

impl<T> From<TrajectoryError<T>> for ControlError<T> {
    fn from(error: TrajectoryError<T>) -> Self {
        Self::Trajectory(error)
    }
}
