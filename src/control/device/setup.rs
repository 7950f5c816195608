//! Why a device can not be set up.

use core::fmt;

use crate::scalar::Float;

/// A number of a device's description that makes no sense. Found before the first read or command, never during one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SetupError<T> {
    /// Zero, NaN or infinite, where only another number makes sense.
    Degenerate {
        /// What it was given as.
        what: &'static str,
        /// What was given.
        given: T,
    },
    /// Outside of what it can be.
    OutOfRange {
        /// What it was given as.
        what: &'static str,
        /// What was given.
        given: T,
        /// It must be above this,
        above: T,
        /// and below this.
        below: T,
    },
}

impl<T: Float> fmt::Display for SetupError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Degenerate { what, given } => write!(f, "{what}: {given:e} is not finite and different from zero"),
            Self::OutOfRange { what, given, above, below } => {
                write!(f, "{what}: {given:e} is not above {above:e} and below {below:e}")
            }
        }
    }
}

impl<T: Float> core::error::Error for SetupError<T> {}

/// Refuses a number that is zero or not finite.
pub(super) fn usable<T: Float>(what: &'static str, given: T) -> Result<T, SetupError<T>> {
    if given.is_finite() && given != T::zero() { Ok(given) } else { Err(SetupError::Degenerate { what, given }) }
}

/// Refuses a number that is not strictly between two others.
pub(super) fn between<T: Float>(what: &'static str, given: T, above: T, below: T) -> Result<T, SetupError<T>> {
    if given > above && given < below { Ok(given) } else { Err(SetupError::OutOfRange { what, given, above, below }) }
}
