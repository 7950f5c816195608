//! Why a motor could not be driven.

use core::fmt;

use embedded_hal::{digital, pwm};

/// Why a motor could not be driven. The motor then has its safe output, as far as its pins still work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum MotorError {
    /// The effort or the speed of a command was NaN or infinite.
    NonFinite,
    /// The motor was never enabled, was disabled, or disabled itself after an error.
    Disabled,
    /// The timer refused the duty.
    Pwm(pwm::ErrorKind),
    /// The direction pin failed.
    Direction(digital::ErrorKind),
    /// The enable pin failed.
    Enable(digital::ErrorKind),
}

impl fmt::Display for MotorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonFinite => f.write_str("command is NaN or infinite: the motor is off, enable it again"),
            Self::Disabled => f.write_str("disabled: enable the motor first"),
            Self::Pwm(kind) => write!(f, "duty: {kind}"),
            Self::Direction(kind) => write!(f, "direction pin: {kind}"),
            Self::Enable(kind) => write!(f, "enable pin: {kind}"),
        }
    }
}

impl core::error::Error for MotorError {}
