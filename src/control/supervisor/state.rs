//! The states of a loop, and what leads from one to another.

use core::fmt;

/// What a loop is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum State {
    /// Nothing is driven.
    Idle,
    /// On the way to where the path begins.
    Homing,
    /// On the path.
    Running,
    /// Brought to rest, and held there.
    Hold,
    /// Stopped because of a fault, until it is reset.
    Fault,
}

/// What can be asked of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Request {
    /// To where the path begins, and hold there.
    Home,
    /// To where the path begins, and along it.
    Run,
    /// To rest, and hold there.
    Hold,
    /// Off, at once.
    Stop,
    /// Forget the fault.
    Reset,
}

impl State {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Idle, Self::Homing, Self::Running, Self::Hold, Self::Fault];

    /// The state to which a request leads; `None` where it is refused.
    ///
    /// | | home | run | hold | stop | reset |
    /// |---|---|---|---|---|---|
    /// | idle | homing | homing | | idle | |
    /// | homing | | | hold | idle | |
    /// | running | | | hold | idle | |
    /// | hold | homing | homing | hold | idle | |
    /// | fault | | | | fault, off | idle |
    ///
    /// The others are not asked for: homing ends in running, or in hold where only [`Request::Home`] was asked for, and every state
    /// ends in fault.
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

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Homing => "homing",
            Self::Running => "running",
            Self::Hold => "hold",
            Self::Fault => "fault",
        }
    }
}

impl Request {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Home, Self::Run, Self::Hold, Self::Stop, Self::Reset];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Run => "run",
            Self::Hold => "hold",
            Self::Stop => "stop",
            Self::Reset => "reset",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A request that its state does not allow. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Refusal {
    /// The state.
    pub state: State,
    /// What was asked of it.
    pub request: Request,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not possible in state {}", self.request, self.state)
    }
}

impl core::error::Error for Refusal {}
