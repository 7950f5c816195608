//! Why a loop stopped, and what the motors get then.

use core::fmt;

use crate::control::device::{Jump, Stuck};
use crate::control::error::ControlError;
use crate::control::report::Fault;
use crate::scalar::Float;

/// What the motors get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Output {
    /// [`Machine::disable`](crate::control::Machine::disable): no effort, switched off and braked as the machine has it.
    Off,
    /// What brings the motors to rest and holds them there: the safe hold of [`Tracking`](crate::control::Tracking).
    Held,
    /// What follows the path, or the way to it.
    Following,
}

impl Output {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Held => "held",
            Self::Following => "following",
        }
    }
}

/// Why a loop is in its fault state.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Reason<T> {
    /// A device failed to be read or driven; the report of the tick has its error.
    Device,
    /// An encoder read NaN or infinity.
    Reading {
        /// Which one.
        index: usize,
    },
    /// A reading is further from the last one than the machine can move.
    Jump {
        /// Of which encoder.
        index: usize,
        /// From where to where.
        cause: Jump<T>,
    },
    /// A reading does not change although its target does.
    Stuck {
        /// Of which encoder.
        index: usize,
        /// Since when.
        cause: Stuck<T>,
    },
    /// No pose that the constraints allow has these readings.
    Lost {
        /// An encoder that reads something else.
        index: usize,
        /// By how much.
        error: T,
        /// How much it may be.
        limit: T,
    },
    /// The machine is not where the path begins when it should be.
    NotHome {
        /// The encoder.
        index: usize,
        /// By how much it is off.
        error: T,
        /// How much it may be.
        limit: T,
    },
    /// The controller could not say what to do: its memory or what it was given is not what it should be.
    Control(ControlError<T>),
    /// The plan could not be followed: see [`Fault`]. Ticks in a refusal are those of the plan.
    Plan(Fault<T>),
    /// Too many ticks one after another were late.
    Late {
        /// How many were skipped.
        skipped: u32,
        /// How many may be.
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
    /// [`Reason::Device`], or [`Fault::Powerless`].
    Device = 1,
    /// [`Reason::Reading`].
    Reading = 2,
    /// [`Reason::Jump`].
    Jump = 3,
    /// [`Reason::Stuck`].
    Stuck = 4,
    /// [`Reason::Lost`].
    Lost = 5,
    /// [`Reason::NotHome`].
    NotHome = 6,
    /// [`Reason::Control`].
    Control = 7,
    /// [`Fault::Refused`] for a singular pose.
    Singular = 8,
    /// [`Fault::Refused`] for anything else.
    Refused = 9,
    /// [`Fault::Saturated`].
    Saturated = 10,
    /// [`Fault::TooFar`].
    TooFar = 11,
    /// [`Reason::Late`].
    Late = 12,
    /// [`Fault::Blind`].
    Blind = 13,
}

impl Code {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Device => "device",
            Self::Reading => "reading",
            Self::Jump => "jump",
            Self::Stuck => "stuck",
            Self::Lost => "lost",
            Self::NotHome => "not home",
            Self::Control => "control",
            Self::Singular => "singular",
            Self::Refused => "refused",
            Self::Saturated => "saturated",
            Self::TooFar => "too far",
            Self::Late => "late",
            Self::Blind => "blind",
        }
    }
}

impl<T: Float> Reason<T> {
    /// Its kind.
    pub fn code(&self) -> Code {
        match self {
            Self::Device | Self::Plan(Fault::Powerless { .. }) => Code::Device,
            Self::Reading { .. } => Code::Reading,
            Self::Jump { .. } => Code::Jump,
            Self::Stuck { .. } => Code::Stuck,
            Self::Lost { .. } => Code::Lost,
            Self::NotHome { .. } => Code::NotHome,
            Self::Control(_) => Code::Control,
            Self::Plan(Fault::Refused(ControlError::Singular { .. })) => Code::Singular,
            Self::Plan(Fault::Refused(_)) => Code::Refused,
            Self::Plan(Fault::Saturated { .. }) => Code::Saturated,
            Self::Plan(Fault::TooFar { .. }) => Code::TooFar,
            Self::Plan(Fault::Blind { .. } | Fault::Asked { .. }) => Code::Blind,
            Self::Late { .. } => Code::Late,
        }
    }

    /// What the motors get from the tick on in which it is found: held where readings are good and the controller works, off
    /// everywhere else.
    pub fn safe_output(&self) -> Output {
        match self {
            Self::NotHome { .. } | Self::Plan(Fault::Refused(_) | Fault::Saturated { .. }) => Output::Held,
            _ => Output::Off,
        }
    }
}

impl<T: Float> fmt::Display for Reason<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Device => f.write_str("a device failed"),
            Self::Reading { index } => write!(f, "encoder {index} reads something that is not finite"),
            Self::Jump { index, cause } => write!(f, "encoder {index}: {cause}"),
            Self::Stuck { index, cause } => write!(f, "encoder {index}: {cause}"),
            Self::Lost { index, error, limit } => {
                write!(f, "no pose has these readings: encoder {index} is off by {error:e}, limit {limit:e}")
            }
            Self::NotHome { index, error, limit } => {
                write!(f, "not where the path begins: encoder {index} is off by {error:e}, limit {limit:e}")
            }
            Self::Control(error) => write!(f, "controller: {error}"),
            Self::Plan(fault) => write!(f, "{fault}"),
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
        write!(f, "tick {}: {} stopped: {}", self.tick, self.state, self.reason)
    }
}

/// Why a plan is not taken. The one before stays.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum PlanError<T> {
    /// The loop is on its way to one, or on it.
    Busy(super::State),
    /// It has no beginning.
    Refused(ControlError<T>),
}

impl<T: Float> fmt::Display for PlanError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy(state) => write!(f, "a plan is being followed: {state}"),
            Self::Refused(error) => error.fmt(f),
        }
    }
}

impl<T: Float> core::error::Error for PlanError<T> {}
