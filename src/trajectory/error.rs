//! Why there is no trajectory.

use core::fmt;

use crate::scalar::Float;

/// Why a trajectory could not be made, or does not serve a purpose. Found before the first step, never during one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum TrajectoryError<T> {
    /// A number that was given is NaN or infinite.
    NonFinite {
        /// What it was given as.
        what: &'static str,
    },
    /// A duration or a limit that is not finite and positive, or so small that its powers overflow.
    NotPositive {
        /// What it was given as.
        what: &'static str,
        /// What was given.
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
    /// More derivatives are asked for than are continuous.
    TooFewDerivatives {
        /// How many are asked for.
        asked: usize,
        /// How many there are.
        continuous: usize,
    },
    /// Two trajectories do not fit together.
    Jump {
        /// The derivative that jumps; zero is the position.
        derivative: usize,
        /// The coordinate.
        index: usize,
        /// Where the first ends.
        before: T,
        /// Where the second begins.
        after: T,
        /// How much they may differ.
        limit: T,
    },
    /// A derivative is larger than its limit, or cannot be kept from becoming so.
    TooFast {
        /// Which derivative: one is the velocity.
        derivative: usize,
        /// Its size.
        found: T,
        /// Its limit.
        limit: T,
    },
    /// A timing leaves the duration of the path that it runs through.
    OutOfRange {
        /// Where the timing goes.
        given: T,
        /// How long the path is; its other end is zero.
        duration: T,
    },
}

impl<T: Float> fmt::Display for TrajectoryError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonFinite { what } => write!(f, "{what}: not finite"),
            Self::NotPositive { what, given } => write!(f, "{what}: {given:e} is not finite and positive"),
            Self::NotIncreasing { index, before, given } => {
                write!(f, "waypoint {index} at time {given:e} is not later than the one before it, at {before:e}")
            }
            Self::TooFewPoints { given } => write!(f, "{given} waypoints or trajectories are too few"),
            Self::TooFewDerivatives { asked, continuous } => {
                write!(f, "{asked} continuous derivatives are asked for, there are {continuous}")
            }
            Self::Jump { derivative, index, before, after, limit } => write!(
                f,
                "derivative {derivative} of coordinate {index} jumps from {before:e} to {after:e}, limit {limit:e}"
            ),
            Self::TooFast { derivative, found, limit } => {
                write!(f, "derivative {derivative} is {found:e}, above its limit {limit:e}")
            }
            Self::OutOfRange { given, duration } => {
                write!(f, "the timing goes to {given:e}, the path from zero to {duration:e}")
            }
        }
    }
}

impl<T: Float> core::error::Error for TrajectoryError<T> {}

/// Refuses a number that is not finite and positive.
pub(super) fn positive<T: Float>(what: &'static str, given: T) -> Result<T, TrajectoryError<T>> {
    if given > T::zero() && given.is_finite() { Ok(given) } else { Err(TrajectoryError::NotPositive { what, given }) }
}

/// Refuses numbers that are not finite.
pub(super) fn finite<T: Float>(what: &'static str, numbers: &[T]) -> Result<(), TrajectoryError<T>> {
    if numbers.iter().all(|number| number.is_finite()) { Ok(()) } else { Err(TrajectoryError::NonFinite { what }) }
}
