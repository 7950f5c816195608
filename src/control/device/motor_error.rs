//! Why a motor could not be driven.

use core::fmt;

use embedded_hal::{digital, pwm};

/// Why a motor could not be driven. Its output is the safe one then, as far as the pins still obey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum MotorError {
    /// The command was NaN or infinite.
    NonFinite,
    /// It was never enabled, was disabled, or has disabled itself at an error.
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
            Self::NonFinite => f.write_str("motor: command is not finite"),
            Self::Disabled => f.write_str("motor: disabled"),
            Self::Pwm(kind) => write!(f, "motor: duty: {kind}"),
            Self::Direction(kind) => write!(f, "motor: direction pin: {kind}"),
            Self::Enable(kind) => write!(f, "motor: enable pin: {kind}"),
        }
    }
}

impl core::error::Error for MotorError {}
