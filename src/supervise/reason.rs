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
        /// Whether the motor still moved or slowed down the machine in the direction of its effort. Then the machine is held. If not,
        /// the load is too heavy, the axis is blocked or the encoder counts backwards: off.
        wins: bool,
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
    /// Too many ticks were late: in a row, or again and again. See the bucket of [`Deadline`](super::Deadline).
    Late {
        /// The level of the bucket in ticks: how many were skipped, less one for every eight in time since then.
        skipped: u32,
        /// The largest level that is accepted.
        limit: u32,
    },
    /// A tick came too early, or several did. The timer of the ticks is too fast, or the loop was away for more than half the range of
    /// its counter.
    Early {
        /// By how many counts.
        by: u32,
        /// How many are accepted: half a period for a single tick, 1/32 of it for several.
        limit: u32,
    },
    /// The counter of the deadline did not count between two ticks.
    Frozen {
        /// The count.
        count: u32,
    },
    /// Whoever commands the loop gave no [sign of life](super::Supervisor::alive).
    Silent {
        /// For how many ticks.
        ticks: u32,
        /// For how many it may be silent.
        limit: u32,
    },
    /// The machine is to move, but the zero of an encoder is not known.
    Unreferenced {
        /// The encoder.
        index: usize,
    },
    /// Homing would move a motor too far: the machine is elsewhere, or an encoder is a turn off.
    TooFar {
        /// The motor.
        index: usize,
        /// The way from its position to where the path begins.
        distance: T,
        /// The longest way that is accepted.
        limit: T,
    },
    /// A motor moved although it is off: its power stage or its brake is broken.
    Moved {
        /// The motor.
        index: usize,
        /// How far it moved since it was switched off.
        travel: T,
        /// How far it may move.
        limit: T,
    },
    /// The stop switched the motors off while a fault held the machine. Only a [second](Latched::second) reason.
    Stopped,
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
    /// [`Reason::Unreferenced`].
    Unreferenced = 13,
    /// [`Reason::TooFar`].
    TooFar = 14,
    /// [`Reason::Moved`].
    Moved = 15,
    /// [`Reason::Stopped`].
    Stopped = 16,
    /// [`Reason::Early`].
    Early = 20,
    /// [`Reason::Frozen`].
    Frozen = 21,
    /// [`Reason::Silent`].
    Silent = 22,
}

words! {
    Code: None = "none", Device = "device", Reading = "reading", Jump = "jump", Stuck = "stuck", NoPose = "no pose",
    NotHome = "not home", Control = "control", Singular = "singular", Refused = "refused", Saturated = "saturated",
    TrackingError = "tracking", Late = "late", Unreferenced = "unreferenced", TooFar = "too far", Moved = "moved",
    Stopped = "stopped", Early = "early", Frozen = "frozen", Silent = "silent"
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
            Self::Early { .. } => Code::Early,
            Self::Frozen { .. } => Code::Frozen,
            Self::Silent { .. } => Code::Silent,
            Self::Unreferenced { .. } => Code::Unreferenced,
            Self::TooFar { .. } => Code::TooFar,
            Self::Moved { .. } => Code::Moved,
            Self::Stopped => Code::Stopped,
        }
    }

    /// What the motors get, beginning with the tick that finds the fault: held if the readings are good and the controller works,
    /// off otherwise.
    pub fn safe_output(&self) -> Output {
        match self {
            Self::NotHome { .. } | Self::Refused(_) | Self::Saturated { wins: true, .. } | Self::Silent { .. } => {
                Output::Held
            }
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
            Self::Saturated { index, wanted, applied, wins } => {
                let so = if *wins { "" } else { ", and does not move the machine" };
                write!(f, "motor {index} is at its limit for too long{so}: {wanted:e} wanted, {applied:e} applied")
            }
            Self::TrackingError { index, error, limit } => {
                write!(f, "encoder {index} is off its target by {error:e}, limit {limit:e}; check motor and load")
            }
            Self::Late { skipped, limit } => {
                write!(f, "too many late ticks were skipped: {skipped}, limit {limit}; eight in time make up for one")
            }
            Self::Early { by, limit } => {
                write!(
                    f,
                    "a tick came {by} counts early, limit {limit}; check the timer, or the loop was away for long"
                )
            }
            Self::Frozen { count } => write!(f, "the counter of the deadline is frozen at {count}; check its clock"),
            Self::Silent { ticks, limit } => {
                write!(f, "no sign of life for {ticks} ticks, limit {limit}; check what commands the loop")
            }
            Self::Unreferenced { index } => write!(f, "encoder {index} has no reference; give it its position"),
            Self::TooFar { index, distance, limit } => {
                write!(
                    f,
                    "motor {index} is {distance:e} from where the path begins, limit {limit:e}; check the encoder"
                )
            }
            Self::Moved { index, travel, limit } => {
                write!(f, "motor {index} is off but moved by {travel:e}, limit {limit:e}; check power stage and brake")
            }
            Self::Stopped => f.write_str("the stop switched the motors off"),
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
    /// The next reason, if there was one before the reset. It switched the motors off if they were held.
    pub second: Option<Second<T>>,
}

/// What went wrong after a fault, or in the same tick.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Second<T> {
    /// The tick in which it was found.
    pub tick: u64,
    /// Why.
    pub reason: Reason<T>,
}

impl<T: Float> fmt::Display for Latched<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "loop tick {}: {} stopped: {}", self.tick, self.state, self.reason)?;
        let Some(Second { tick, reason }) = self.second else { return Ok(()) };
        write!(f, "; then tick {tick}: {reason}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::supervise::{Refusal, Request, State, Why};
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
                Reason::Saturated { index, wanted: 2.0, applied: 0.5, wins: true },
                "motor 1 is at its limit for too long: 2e0 wanted, 5e-1 applied",
            ),
            (
                Reason::Saturated { index, wanted: 2.0, applied: 0.5, wins: false },
                "motor 1 is at its limit for too long, and does not move the machine: 2e0 wanted, 5e-1 applied",
            ),
            (
                Reason::TrackingError { index, error, limit },
                "encoder 1 is off its target by 2e0, limit 5e-1; check motor and load",
            ),
            (
                Reason::Late { skipped: 5, limit: 4 },
                "too many late ticks were skipped: 5, limit 4; eight in time make up for one",
            ),
            (
                Reason::Early { by: 667, limit: 500 },
                "a tick came 667 counts early, limit 500; check the timer, or the loop was away for long",
            ),
            (Reason::Frozen { count: 7 }, "the counter of the deadline is frozen at 7; check its clock"),
            (
                Reason::Silent { ticks: 51, limit: 50 },
                "no sign of life for 51 ticks, limit 50; check what commands the loop",
            ),
            (Reason::Unreferenced { index }, "encoder 1 has no reference; give it its position"),
            (
                Reason::TooFar { index, distance: 2.0, limit },
                "motor 1 is 2e0 from where the path begins, limit 5e-1; check the encoder",
            ),
            (
                Reason::Moved { index, travel: 2.0, limit },
                "motor 1 is off but moved by 2e0, limit 5e-1; check power stage and brake",
            ),
            (Reason::Stopped, "the stop switched the motors off"),
        ];
        for (reason, expected) in messages {
            assert_eq!(reason.to_string(), expected);
        }
        let mut latched = Latched { tick: 9, state: State::Running, reason: Reason::Refused(refused), second: None };
        let first = "loop tick 9: running stopped: target refused: plan tick 3: input 1 would be 2e0, limit 5e-1; move more slowly";
        assert_eq!(latched.to_string(), first);
        latched.second = Some(Second { tick: 11, reason: Reason::Stopped });
        assert_eq!(latched.to_string(), std::format!("{first}; then tick 11: the stop switched the motors off"));
        let refusals = [
            (Why::State, "run is refused in state fault; see State::after"),
            (Why::Stopped, "run is refused in state fault: the stop is asserted"),
            (Why::TooFar { motor: 1 }, "run is refused in state fault: motor 1 is too far from where the path begins"),
        ];
        for (why, expected) in refusals {
            assert_eq!(Refusal { state: State::Fault, request: Request::Run, why }.to_string(), expected);
        }
    }
}
