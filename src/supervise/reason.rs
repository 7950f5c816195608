//! Why a loop stopped, and what the motors get then.

use core::fmt;

use super::words::words;
use crate::control::ControlError;
use crate::device::{Jump, Stuck};
use crate::scalar::Float;

/// What the motors get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Output {
    /// No effort: [`Machine::disable`](crate::device::Machine::disable) switches the motors off and closes the brakes.
    Off,
    /// Efforts that bring the motors to rest and hold them there.
    Held,
    /// Efforts that follow the path, or the way to it.
    Following,
}

words! { Output: Off = "off", Held = "held", Following = "following" }

/// Why a loop is in its fault state.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Reason<T> {
    /// A device could not be read or driven. The tick returned the device's error.
    Device,
    /// An encoder read NaN or infinity.
    Reading {
        /// The encoder.
        index: usize,
    },
    /// A reading is further from the last one than the machine can move.
    Jump {
        /// The encoder.
        index: usize,
        /// The two readings and the limit.
        cause: Jump<T>,
    },
    /// A reading does not change although its target does.
    Stuck {
        /// The encoder.
        index: usize,
        /// The reading, since when, and the limit.
        cause: Stuck<T>,
    },
    /// No pose on the constraints has these readings.
    NoPose {
        /// The first encoder that contradicts the nearest pose.
        index: usize,
        /// Its reading less that of the pose.
        error: T,
        /// The largest difference that is accepted.
        limit: T,
    },
    /// Homing has ended, but the machine is not where the path begins.
    NotHome {
        /// The encoder.
        index: usize,
        /// Its target less its reading.
        error: T,
        /// The largest difference that is accepted.
        limit: T,
    },
    /// The controller returned an error: its state or its inputs are not valid.
    Control(ControlError<T>),
    /// The plan refused the target. The tick of the error is the plan's: it counts from the beginning of the run.
    Refused(ControlError<T>),
    /// A motor was at a limit for too long.
    Saturated {
        /// The motor.
        index: usize,
        /// The effort that the controller wanted.
        wanted: T,
        /// The effort after the limits.
        applied: T,
    },
    /// An encoder is too far from its target.
    TrackingError {
        /// The encoder.
        index: usize,
        /// Its target less its reading.
        error: T,
        /// The largest error that is accepted.
        limit: T,
    },
    /// Too many ticks in a row were late.
    Late {
        /// How many were skipped.
        skipped: u32,
        /// How many may be skipped.
        limit: u32,
    },
}

/// The kind of a [`Reason`] in a byte, for telemetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
#[non_exhaustive]
pub enum Code {
    /// No fault.
    None = 0,
    /// [`Reason::Device`].
    Device = 1,
    /// [`Reason::Reading`].
    Reading = 2,
    /// [`Reason::Jump`].
    Jump = 3,
    /// [`Reason::Stuck`].
    Stuck = 4,
    /// [`Reason::NoPose`].
    NoPose = 5,
    /// [`Reason::NotHome`].
    NotHome = 6,
    /// [`Reason::Control`].
    Control = 7,
    /// [`Reason::Refused`] for a singular pose.
    Singular = 8,
    /// [`Reason::Refused`] for anything else.
    Refused = 9,
    /// [`Reason::Saturated`].
    Saturated = 10,
    /// [`Reason::TrackingError`].
    TrackingError = 11,
    /// [`Reason::Late`].
    Late = 12,
}

words! {
    Code: None = "none", Device = "device", Reading = "reading", Jump = "jump", Stuck = "stuck", NoPose = "no pose",
    NotHome = "not home", Control = "control", Singular = "singular", Refused = "refused", Saturated = "saturated",
    TrackingError = "tracking", Late = "late"
}

impl<T: Float> Reason<T> {
    /// Its kind.
    pub fn code(&self) -> Code {
        match self {
            Self::Device => Code::Device,
            Self::Reading { .. } => Code::Reading,
            Self::Jump { .. } => Code::Jump,
            Self::Stuck { .. } => Code::Stuck,
            Self::NoPose { .. } => Code::NoPose,
            Self::NotHome { .. } => Code::NotHome,
            Self::Control(_) => Code::Control,
            Self::Refused(ControlError::Singular { .. }) => Code::Singular,
            Self::Refused(_) => Code::Refused,
            Self::Saturated { .. } => Code::Saturated,
            Self::TrackingError { .. } => Code::TrackingError,
            Self::Late { .. } => Code::Late,
        }
    }

    /// What the motors get, beginning with the tick that finds the fault: held if the readings are good and the controller works,
    /// off otherwise.
    pub fn safe_output(&self) -> Output {
        match self {
            Self::NotHome { .. } | Self::Refused(_) | Self::Saturated { .. } => Output::Held,
            _ => Output::Off,
        }
    }
}

impl<T: Float> fmt::Display for Reason<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Device => f.write_str("a device could not be read or driven; the tick returned its error"),
            Self::Reading { index } => write!(f, "encoder {index} reads NaN or infinity; check the encoder"),
            Self::Jump { index, cause } => write!(f, "encoder {index}: {cause}"),
            Self::Stuck { index, cause } => write!(f, "encoder {index}: {cause}"),
            Self::NoPose { index, error, limit } => {
                write!(f, "no pose has these readings: encoder {index} is off by {error:e}, limit {limit:e}")
            }
            Self::NotHome { index, error, limit } => {
                write!(f, "homing missed the path: encoder {index} is off by {error:e}, limit {limit:e}")
            }
            Self::Control(error) => write!(f, "controller: {error}"),
            Self::Refused(error) => write!(f, "target refused: plan {error}"),
            Self::Saturated { index, wanted, applied } => {
                write!(f, "motor {index} is at its limit for too long: {wanted:e} wanted, {applied:e} applied")
            }
            Self::TrackingError { index, error, limit } => {
                write!(f, "encoder {index} is off its target by {error:e}, limit {limit:e}; check motor and load")
            }
            Self::Late { skipped, limit } => write!(f, "{skipped} late ticks in a row were skipped, limit {limit}"),
        }
    }
}

/// A fault that is kept until it is reset.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Latched<T> {
    /// The tick in which it was found.
    pub tick: u64,
    /// What the loop was doing.
    pub state: super::State,
    /// Why it stopped.
    pub reason: Reason<T>,
}

impl<T: Float> fmt::Display for Latched<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "loop tick {}: {} stopped: {}", self.tick, self.state, self.reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::supervise::{Refusal, Request, State};
    use std::string::ToString;

    #[test]
    fn messages_name_the_encoder_or_motor_the_number_and_the_limit() {
        let (index, error, limit) = (1, 2.0_f32, 0.5);
        let refused = ControlError::Exceeded { tick: 3, what: "input", index, value: error, limit };
        let messages = [
            (Reason::Device, "a device could not be read or driven; the tick returned its error"),
            (Reason::Reading { index }, "encoder 1 reads NaN or infinity; check the encoder"),
            (
                Reason::Jump { index, cause: Jump::Implausible { from: 1.0, to: 2.0, limit } },
                "encoder 1: the reading jumps from 1e0 to 2e0, limit 5e-1",
            ),
            (
                Reason::Stuck { index, cause: Stuck { reading: 1.0, ticks: 9, travel: 2.0, limit } },
                "encoder 1: stuck at 1e0 for 9 ticks, but the target moved by 2e0, limit 5e-1",
            ),
            (Reason::NoPose { index, error, limit }, "no pose has these readings: encoder 1 is off by 2e0, limit 5e-1"),
            (Reason::NotHome { index, error, limit }, "homing missed the path: encoder 1 is off by 2e0, limit 5e-1"),
            (
                Reason::Control(ControlError::Busy),
                "controller: a plan is being followed: set another one in idle, hold or fault",
            ),
            (
                Reason::Refused(refused),
                "target refused: plan tick 3: input 1 would be 2e0, limit 5e-1; move more slowly",
            ),
            (
                Reason::Saturated { index, wanted: 2.0, applied: 0.5 },
                "motor 1 is at its limit for too long: 2e0 wanted, 5e-1 applied",
            ),
            (
                Reason::TrackingError { index, error, limit },
                "encoder 1 is off its target by 2e0, limit 5e-1; check motor and load",
            ),
            (Reason::Late { skipped: 5, limit: 4 }, "5 late ticks in a row were skipped, limit 4"),
        ];
        for (reason, expected) in messages {
            assert_eq!(reason.to_string(), expected);
        }
        let latched = Latched { tick: 9, state: State::Running, reason: Reason::Refused(refused) };
        assert_eq!(
            latched.to_string(),
            "loop tick 9: running stopped: target refused: plan tick 3: input 1 would be 2e0, limit 5e-1; move more slowly"
        );
        assert_eq!(
            Refusal { state: State::Fault, request: Request::Run }.to_string(),
            "run is refused in state fault; see State::after"
        );
    }
}
