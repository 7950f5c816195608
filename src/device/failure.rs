//! One error type for all devices, so that a machine can combine different devices.

use core::convert::Infallible;
use core::fmt;

use super::analog::AnalogError;
use super::as504x::As504xError;
use super::as5600::As5600Error;
use super::motor_error::MotorError;
use super::redundant::{Disagreement, RedundantError};
use super::scaled::ScaledError;
use super::unwrapped::CountError;
use crate::scalar::Float;

/// Why a device of any kind failed.
///
/// Every error of this module converts to it. Your own driver converts its error, or uses a text as its error:
///
/// ```
/// use taut::device::Failure;
///
/// enum BrakeError {
///     Worn,
///     Cold,
/// }
/// impl From<BrakeError> for Failure {
///     fn from(error: BrakeError) -> Self {
///         Self::Other(match error {
///             BrakeError::Worn => "brake: worn",
///             BrakeError::Cold => "brake: cold",
///         })
///     }
/// }
/// assert_eq!(Failure::from(BrakeError::Cold).to_string(), "brake: cold");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Failure {
    /// An AS5047 or AS5048.
    As504x(As504xError),
    /// An AS5600.
    As5600(As5600Error),
    /// A sensor at an analog input: broken wire or short circuit.
    Analog(AnalogError<Infallible>),
    /// A count that the machine cannot have reached.
    Count(CountError),
    /// Two encoders of one position.
    Disagreement(Disagreement<f64>),
    /// A power stage.
    Motor(MotorError),
    /// A driver from outside of this library, with its own text.
    Other(&'static str),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::As504x(cause) => cause.fmt(f),
            Self::As5600(cause) => cause.fmt(f),
            Self::Analog(cause) => cause.fmt(f),
            Self::Count(cause) => cause.fmt(f),
            Self::Disagreement(cause) => cause.fmt(f),
            Self::Motor(cause) => cause.fmt(f),
            Self::Other(text) => f.write_str(text),
        }
    }
}

impl core::error::Error for Failure {}

/// Converts each error to its variant of [`Failure`].
macro_rules! kept {
    ($($Error:ty => $Variant:ident),*) => {$(
        impl From<$Error> for Failure {
            fn from(cause: $Error) -> Self {
                Self::$Variant(cause)
            }
        }
    )*};
}

kept!(As504xError => As504x, As5600Error => As5600, CountError => Count, MotorError => Motor, &'static str => Other);

impl From<Infallible> for Failure {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl<E: Into<Self>> From<AnalogError<E>> for Failure {
    fn from(cause: AnalogError<E>) -> Self {
        match cause {
            AnalogError::Input(cause) => cause.into(),
            AnalogError::OutOfRange { counts, lowest, highest } => {
                Self::Analog(AnalogError::OutOfRange { counts, lowest, highest })
            }
        }
    }
}

impl<E: Into<Self>> From<ScaledError<E>> for Failure {
    fn from(cause: ScaledError<E>) -> Self {
        match cause {
            ScaledError::Counter(cause) => cause.into(),
            ScaledError::Count(cause) => cause.into(),
        }
    }
}

impl<A: Into<Self>, B: Into<Self>, T: Float> From<RedundantError<A, B, T>> for Failure {
    fn from(cause: RedundantError<A, B, T>) -> Self {
        match cause {
            RedundantError::First(cause) => cause.into(),
            RedundantError::Second(cause) => cause.into(),
            RedundantError::Disagreement(Disagreement { first, second, limit }) => {
                let [first, second, limit] = [first, second, limit].map(T::to_f64);
                Self::Disagreement(Disagreement { first, second, limit })
            }
        }
    }
}
