//! What a run of a board is to show, in words.

use loops::Options;
use taut::control::supervisor::{Injection, MOST_SKIPPED};

/// A program of [`loops`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// [`loops::five_bar`].
    FiveBar,
    /// [`loops::crane`].
    Crane,
    /// [`loops::arm`].
    Arm,
}

impl Which {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::FiveBar, Self::Crane, Self::Arm];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FiveBar => "five_bar",
            Self::Crane => "crane",
            Self::Arm => "arm",
        }
    }

    /// Ticks a second.
    pub const fn rate(self) -> u32 {
        match self {
            Self::FiveBar => loops::five_bar::RATE,
            Self::Crane => loops::crane::RATE,
            Self::Arm => loops::arm::RATE,
        }
    }

    /// Every so many ticks one is shown. The linkage takes 500 for a turn, so that in time its whole circle is seen.
    pub const fn every(self) -> u64 {
        match self {
            Self::FiveBar => 23,
            Self::Crane => 100,
            Self::Arm => 25,
        }
    }

    /// How many seconds a run takes, and when a trial begins: some time after it has come home.
    const fn seconds(self) -> (u32, u32) {
        match self {
            Self::FiveBar => (5, 2),
            Self::Crane => (12, 6),
            Self::Arm => (10, 4),
        }
    }
}

/// Something that is done to the loop from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// A tick takes two and a third periods.
    Overrun,
    /// The loop is not called any more.
    Hang,
    /// The stack of each tick is measured, from the first on.
    Stack,
}

/// What a run is to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The program.
    pub which: Which,
    /// What is injected into its loop.
    pub options: Options,
    /// What is done to it from outside.
    pub trial: Option<Trial>,
}

impl Run {
    /// A program without a fault.
    pub const fn of(which: Which) -> Self {
        Self { which, options: Options { inject: None, restart: false }, trial: None }
    }

    /// With a word taken in: the name of a program, of a fault, or of a trial. `None` for any other word.
    pub fn with(self, word: &str) -> Option<Self> {
        if let Some(which) = Which::ALL.into_iter().find(|which| which.name() == word) {
            return Some(Self { which, ..self });
        }
        if let Some(fault) = Injection::named(word) {
            // For a fifth of a second; of late ticks, as many in a row as no loop bears, and no watchdog notices.
            let ticks = if fault == Injection::LateTick { MOST_SKIPPED } else { self.which.rate() / 5 };
            let options = Options::with_fault(fault, self.trial_tick(), u64::from(ticks));
            return Some(Self { options, ..self });
        }
        let trial = match word {
            "overrun" => Trial::Overrun,
            "hang" => Trial::Hang,
            "stack" => Trial::Stack,
            _ => return None,
        };
        Some(Self { trial: Some(trial), ..self })
    }

    /// The tick at which faults and trials begin.
    pub fn trial_tick(&self) -> u64 {
        u64::from(self.which.seconds().1 * self.which.rate())
    }

    /// How many ticks it takes.
    pub fn ticks(&self) -> u64 {
        u64::from(self.which.seconds().0 * self.which.rate())
    }
}
