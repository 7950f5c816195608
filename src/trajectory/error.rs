//! Why a trajectory is refused.

use core::fmt;

use crate::scalar::Float;

/// Why a trajectory is refused. All of these are found when a trajectory is made, checked or joined, never while it is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum TrajectoryError<T> {
    /// A number that was given is NaN or infinite, or the motion overflows.
    NonFinite {
        /// The name of the parameter.
        what: &'static str,
    },
    /// A duration or a limit is not finite and positive, or so small that its powers overflow.
    NotPositive {
        /// The name of the parameter.
        what: &'static str,
        /// The number that was given.
        given: T,
    },
    /// The times of waypoints do not increase.
    NotIncreasing {
        /// The waypoint that is not later than the one before it.
        index: usize,
        /// The time of the one before it.
        before: T,
        /// Its own time.
        given: T,
    },
    /// A spline needs two waypoints, a sequence one trajectory.
    TooFewPoints {
        /// How many were given.
        given: usize,
    },
    /// Fewer derivatives are continuous than the purpose needs.
    TooFewDerivatives {
        /// How many are needed.
        asked: usize,
        /// How many are continuous, with the hold at the end.
        continuous: usize,
    },
    /// The position or a derivative jumps from one trajectory to the next.
    Jump {
        /// Which derivative: 0 is the position.
        derivative: usize,
        /// The coordinate.
        index: usize,
        /// Its value at the end of the first trajectory.
        before: T,
        /// Its value at the beginning of the second.
        after: T,
        /// The largest difference that is accepted.
        limit: T,
    },
    /// A derivative exceeds its limit, or will exceed it before it can be reduced.
    TooFast {
        /// Which derivative: 1 is the velocity.
        derivative: usize,
        /// Its value.
        found: T,
        /// Its limit.
        limit: T,
    },
    /// A timing leaves the range from zero to the path's duration.
    OutOfRange {
        /// The time that the timing reaches.
        given: T,
        /// The duration of the path.
        duration: T,
    },
}

impl<T: Float> fmt::Display for TrajectoryError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonFinite { what } => write!(f, "{what}: a number is NaN, infinite or too large"),
            Self::NotPositive { what, given } => {
                write!(f, "{what} is {given:e}: must be positive, finite and not tiny")
            }
            Self::NotIncreasing { index, before, given } => {
                write!(f, "waypoint {index} at time {given:e} is not later than the waypoint before it, at {before:e}")
            }
            Self::TooFewPoints { given } => write!(f, "{given} given: a spline needs 2 points, a sequence 1 path"),
            Self::TooFewDerivatives { asked, continuous } => {
                write!(f, "{asked} continuous derivatives needed, this trajectory has {continuous}: use a smoother one")
            }
            Self::Jump { derivative: k, index, before, after, limit } => {
                write!(f, "coordinate {index}: {} jumps from {before:e} to {after:e}, limit {limit:e}", name(k))
            }
            Self::TooFast { derivative, found, limit } => {
                write!(f, "{} is {found:e}, limit {limit:e}: move more slowly", name(derivative))
            }
            Self::OutOfRange { given, duration } => {
                write!(f, "the timing reaches {given:e}, the path goes from 0 to {duration:e}: stay within it")
            }
        }
    }
}

impl<T: Float> core::error::Error for TrajectoryError<T> {}

/// The name of a derivative.
fn name(derivative: &usize) -> &'static str {
    ["position", "velocity", "acceleration", "jerk", "snap"].get(*derivative).unwrap_or(&"derivative")
}

/// Refuses a number that is not finite and positive.
pub(super) fn positive<T: Float>(what: &'static str, given: T) -> Result<T, TrajectoryError<T>> {
    if given > T::zero() && given.is_finite() { Ok(given) } else { Err(TrajectoryError::NotPositive { what, given }) }
}

/// Refuses numbers that are not finite.
pub(super) fn finite<T: Float>(what: &'static str, numbers: &[T]) -> Result<(), TrajectoryError<T>> {
    if numbers.iter().all(|number| number.is_finite()) { Ok(()) } else { Err(TrajectoryError::NonFinite { what }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn messages_name_the_number_the_limit_and_the_remedy() {
        let messages = [
            (TrajectoryError::NonFinite { what: "start" }, "start: a number is NaN, infinite or too large"),
            (
                TrajectoryError::NotPositive { what: "duration", given: 0.0_f32 },
                "duration is 0e0: must be positive, finite and not tiny",
            ),
            (
                TrajectoryError::NotIncreasing { index: 2, before: 1.5, given: 1.0 },
                "waypoint 2 at time 1e0 is not later than the waypoint before it, at 1.5e0",
            ),
            (TrajectoryError::TooFewPoints { given: 1 }, "1 given: a spline needs 2 points, a sequence 1 path"),
            (
                TrajectoryError::TooFewDerivatives { asked: 4, continuous: 2 },
                "4 continuous derivatives needed, this trajectory has 2: use a smoother one",
            ),
            (
                TrajectoryError::Jump { derivative: 2, index: 1, before: 1.0, after: 2.0, limit: 0.5 },
                "coordinate 1: acceleration jumps from 1e0 to 2e0, limit 5e-1",
            ),
            (
                TrajectoryError::TooFast { derivative: 1, found: 2.0, limit: 0.5 },
                "velocity is 2e0, limit 5e-1: move more slowly",
            ),
            (
                TrajectoryError::OutOfRange { given: 9.0, duration: 8.0 },
                "the timing reaches 9e0, the path goes from 0 to 8e0: stay within it",
            ),
        ];
        for (error, expected) in messages {
            assert_eq!(error.to_string(), expected);
        }
    }
}
