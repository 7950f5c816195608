//! Why a motion is refused.

use core::fmt;

use super::singularity::Singularity;
use crate::linalg::FactorError;
use crate::scalar::Float;
use crate::trajectory::TrajectoryError;

/// Why a plan or a controller refuses a tick or its setup. The state stays as it was.
///
/// `tick` is the tick that was asked for: of a plan, counted from the beginning of the run.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum ControlError<T> {
    /// The trajectory has too few derivatives, or jumps at a re-plan.
    Trajectory(TrajectoryError<T>),
    /// A limit, a gain or the length of a tick is negative, NaN, or zero or infinite where that is not allowed.
    NotPositive {
        /// The name of the parameter.
        what: &'static str,
        /// The number that was given.
        given: T,
    },
    /// A parameter is outside of its range, or NaN: the bandwidth of an observer is below the frequency of its loop or above the tick
    /// rate.
    OutOfRange {
        /// The name of the parameter.
        what: &'static str,
        /// The number that was given.
        given: T,
        /// The smallest that is accepted.
        smallest: T,
        /// The largest that is accepted.
        largest: T,
    },
    /// A delay has more ticks than the buffer holds.
    TooLong {
        /// The name of the parameter.
        what: &'static str,
        /// The ticks that were given.
        ticks: usize,
        /// The most ticks that are possible.
        limit: usize,
    },
    /// The machine does not have this motor or encoder.
    NoSuch {
        /// `"motor"` or `"encoder"`.
        what: &'static str,
        /// Its number, from zero.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A controller is made for ticks of another length than the loop has.
    OtherTick {
        /// Which part of the loop.
        what: &'static str,
        /// The length that it is made for, in seconds.
        given: T,
        /// The length of the loop's ticks, in seconds.
        expected: T,
    },
    /// A pattern of the model leaves out an entry that is not zero.
    Pattern {
        /// `"constraint"`, `"output"` or `"input"`.
        what: &'static str,
        /// Its number.
        row: usize,
        /// The coordinate that it uses or acts on.
        column: usize,
    },
    /// A plan is being followed. Set another one in idle, hold or fault.
    Busy,
    /// Newton's method found no pose with its output at the target: the target is out of reach, or it jumped.
    Unreachable {
        /// The tick.
        tick: u64,
        /// The first coordinate that has not converged.
        index: usize,
        /// Its last Newton correction.
        distance: T,
        /// The largest correction that counts as converged.
        limit: T,
    },
    /// The target is too far from the target of the last tick: the second Newton correction is more than half of the first. Newton's
    /// method might end at another pose, with the elbow on the other side.
    NotContracting {
        /// The tick.
        tick: u64,
        /// The first correction, in the units of the coordinates.
        before: T,
        /// The second correction. Its limit is half of the first.
        after: T,
    },
    /// The pose is singular.
    Singular {
        /// The tick.
        tick: u64,
        /// In which way.
        kind: Singularity,
        /// The row of the matrix, its pivot and the limit.
        cause: FactorError<T>,
    },
    /// A velocity, an input or a position would exceed its limit.
    Exceeded {
        /// The tick.
        tick: u64,
        /// `"velocity"`, `"input"` or `"position"`.
        what: &'static str,
        /// The coordinate or the actuator.
        index: usize,
        /// The value that the motion needs.
        value: T,
        /// Its limit.
        limit: T,
    },
    /// A constraint that can only pull would have to push: a rope would go slack.
    Slack {
        /// The tick.
        tick: u64,
        /// The constraint.
        row: usize,
        /// The multiplier that the motion needs; negative pushes.
        multiplier: T,
    },
    /// The model's [`configuration`](super::Flat::configuration) contradicts its constraints, its output or its equations of motion.
    NotFlat {
        /// The tick.
        tick: u64,
        /// What does not hold: `"constraint"`, `"output"` or, for every input, `"equation of motion"`.
        what: &'static str,
        /// The row.
        index: usize,
        /// The residual, in the units of the row.
        residual: T,
        /// The largest residual that is accepted.
        limit: T,
    },
    /// A target, a coordinate, a force or an input is NaN or infinite.
    NonFinite {
        /// The tick.
        tick: u64,
        /// The name of the quantity.
        what: &'static str,
        /// Its row.
        index: usize,
    },
}

impl<T: Float> fmt::Display for ControlError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trajectory(error) => write!(f, "trajectory: {error}"),
            Self::NotPositive { what, given } => write!(f, "{what} is {given:e}: give a positive, finite number"),
            Self::OutOfRange { what, given, smallest, largest } => {
                write!(f, "{what} is {given:e}: it must be from {smallest:e} to {largest:e}")
            }
            Self::TooLong { what, ticks, limit } => write!(f, "{what} of {ticks} ticks: at most {limit} are possible"),
            Self::NoSuch { what, index, count } => write!(f, "no {what} {index}: there are {count}, counted from zero"),
            Self::OtherTick { what, given, expected } => {
                write!(f, "the {what} is made for ticks of {given:e} s, the loop has {expected:e} s: use one length")
            }
            Self::Pattern { what, row, column } => {
                write!(f, "{what} {row} uses coordinate {column}, but the model's pattern leaves it out")
            }
            Self::Busy => f.write_str("a plan is being followed: set another one in idle, hold or fault"),
            Self::Unreachable { tick, index, distance, limit } => {
                write!(f, "tick {tick}: out of reach: coordinate {index} is off by {distance:e}, limit {limit:e}")
            }
            Self::NotContracting { tick, before, after } => {
                write!(
                    f,
                    "tick {tick}: target jumps: Newton corrects by {before:e}, then {after:e}, limit half of that"
                )
            }
            Self::Singular { tick, kind, cause } => write!(f, "tick {tick}: {kind}: {cause}"),
            Self::Exceeded { tick, what, index, value, limit } => {
                let remedy = if *what == "position" { "choose another path" } else { "move more slowly" };
                write!(f, "tick {tick}: {what} {index} would be {value:e}, limit {limit:e}; {remedy}")
            }
            Self::Slack { tick, row, multiplier } => {
                write!(f, "tick {tick}: constraint {row} only pulls, but would need {multiplier:e}; move more slowly")
            }
            Self::NotFlat { tick, what, index, residual, limit } => {
                write!(f, "tick {tick}: {what} {index} is off by {residual:e}, limit {limit:e}; check `configuration`")
            }
            Self::NonFinite { tick, what, index } => write!(f, "tick {tick}: {what} {index} is NaN or infinite"),
        }
    }
}

impl<T: Float> core::error::Error for ControlError<T> {}

impl<T> From<TrajectoryError<T>> for ControlError<T> {
    fn from(error: TrajectoryError<T>) -> Self {
        Self::Trajectory(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn messages_name_what_happened_where_the_limit_and_the_remedy() {
        let (tick, index, limit) = (7, 1, 0.5_f32);
        let messages = [
            (
                TrajectoryError::NonFinite { what: "start" }.into(),
                "trajectory: start: a number is NaN, infinite or too large",
            ),
            (ControlError::NotPositive { what: "tick", given: 0.0 }, "tick is 0e0: give a positive, finite number"),
            (
                ControlError::OutOfRange { what: "bandwidth", given: 10.0, smallest: 60.0, largest: 500.0 },
                "bandwidth is 1e1: it must be from 6e1 to 5e2",
            ),
            (ControlError::TooLong { what: "delay", ticks: 9, limit: 8 }, "delay of 9 ticks: at most 8 are possible"),
            (
                ControlError::NoSuch { what: "encoder", index: 3, count: 3 },
                "no encoder 3: there are 3, counted from zero",
            ),
            (
                ControlError::OtherTick { what: "controller", given: 2e-3, expected: 1e-3 },
                "the controller is made for ticks of 2e-3 s, the loop has 1e-3 s: use one length",
            ),
            (
                ControlError::Pattern { what: "output", row: 1, column: 2 },
                "output 1 uses coordinate 2, but the model's pattern leaves it out",
            ),
            (ControlError::Busy, "a plan is being followed: set another one in idle, hold or fault"),
            (
                ControlError::Unreachable { tick, index, distance: 2.0, limit },
                "tick 7: out of reach: coordinate 1 is off by 2e0, limit 5e-1",
            ),
            (
                ControlError::NotContracting { tick, before: 0.25, after: 0.5 },
                "tick 7: target jumps: Newton corrects by 2.5e-1, then 5e-1, limit half of that",
            ),
            (
                ControlError::Exceeded { tick, what: "velocity", index, value: 2.0, limit },
                "tick 7: velocity 1 would be 2e0, limit 5e-1; move more slowly",
            ),
            (
                ControlError::Exceeded { tick, what: "position", index, value: 2.0, limit },
                "tick 7: position 1 would be 2e0, limit 5e-1; choose another path",
            ),
            (
                ControlError::Slack { tick, row: 0, multiplier: -2.0 },
                "tick 7: constraint 0 only pulls, but would need -2e0; move more slowly",
            ),
            (
                ControlError::NotFlat { tick, what: "output", index, residual: 2.0, limit },
                "tick 7: output 1 is off by 2e0, limit 5e-1; check `configuration`",
            ),
            (ControlError::NonFinite { tick, what: "input", index }, "tick 7: input 1 is NaN or infinite"),
        ];
        for (error, expected) in messages {
            assert_eq!(error.to_string(), expected);
        }
    }
}
