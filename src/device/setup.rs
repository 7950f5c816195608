//! Why the parameters of a device are refused.

use core::fmt;

use crate::scalar::Float;

/// A parameter of a device is refused. This is found when the device is made, never in a read or a command.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SetupError<T> {
    /// The parameter is zero, NaN or infinite.
    Degenerate {
        /// The name of the parameter.
        what: &'static str,
        /// The number that was given.
        given: T,
    },
    /// The parameter is outside of its range, or NaN.
    OutOfRange {
        /// The name of the parameter.
        what: &'static str,
        /// The number that was given.
        given: T,
        /// It must be above this number.
        above: T,
        /// It must be below this number.
        below: T,
    },
}

impl<T: Float> fmt::Display for SetupError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Degenerate { what, given } => write!(f, "{what} is {given:e}: it must be finite and not zero"),
            Self::OutOfRange { what, given, above, below } => {
                write!(f, "{what} is {given:e}: it must be above {above:e} and below {below:e}")
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
