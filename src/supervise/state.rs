//! The states of a loop and the requests that change them.

use core::fmt;

use super::words::words;

/// What a loop is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum State {
    /// The motors are off.
    Idle,
    /// The machine goes to where the path begins.
    Homing,
    /// The machine follows the path.
    Running,
    /// The motors come to rest and are held there.
    Hold,
    /// A fault stopped the loop. It stays here until [`Request::Reset`].
    Fault,
}

/// A request to a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Request {
    /// Go to where the path begins, and hold there.
    Home,
    /// Go to where the path begins, then follow it.
    Run,
    /// Come to rest, and hold there.
    Hold,
    /// Switch the motors off at once.
    Stop,
    /// Clear the fault.
    Reset,
}

impl State {
    /// The state that a request leads to; `None` if the state refuses it.
    ///
    /// | | home | run | hold | stop | reset |
    /// |---|---|---|---|---|---|
    /// | idle | homing | homing | | idle | |
    /// | homing | | | hold | idle | |
    /// | running | | | hold | idle | |
    /// | hold | homing | homing | hold | idle | |
    /// | fault | | | | fault, off | idle |
    ///
    /// Two changes need no request: homing ends in running, or in hold after [`Request::Home`]; and a fault can end every state.
    pub const fn after(self, request: Request) -> Option<Self> {
        match (self, request) {
            (Self::Idle | Self::Hold, Request::Home | Request::Run) => Some(Self::Homing),
            (Self::Homing | Self::Running | Self::Hold, Request::Hold) => Some(Self::Hold),
            (Self::Fault, Request::Stop) => Some(Self::Fault),
            (_, Request::Stop) => Some(Self::Idle),
            (Self::Fault, Request::Reset) => Some(Self::Idle),
            _ => None,
        }
    }
}

words! { State: Idle = "idle", Homing = "homing", Running = "running", Hold = "hold", Fault = "fault" }
words! { Request: Home = "home", Run = "run", Hold = "hold", Stop = "stop", Reset = "reset" }

/// A request is refused. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Refusal {
    /// The state.
    pub state: State,
    /// The request.
    pub request: Request,
    /// Why it is refused.
    pub why: Why,
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Why {
    /// The state does not allow it, see [`State::after`].
    State,
    /// The [stop](super::Supervisor::stop_while) is asserted.
    Stopped,
    /// The held machine is further from where the path begins than [homing may go](super::Watch::homing_distance).
    TooFar {
        /// The motor.
        motor: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is refused in state {}", self.request, self.state)?;
        match self.why {
            Why::State => f.write_str("; see State::after"),
            Why::Stopped => f.write_str(": the stop is asserted"),
            Why::TooFar { motor } => write!(f, ": motor {motor} is too far from where the path begins"),
        }
    }
}

impl core::error::Error for Refusal {}
