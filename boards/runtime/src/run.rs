//! The length of a run, the ticks that are logged, and the trials of the firmware.

/// A trial of the firmware, in the emulator only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// One tick takes 2⅓ periods.
    Overrun,
    /// The loop is no longer called.
    Hang,
    /// The loop executes an undefined instruction.
    HardFault,
    /// The stack of every tick is measured.
    Stack,
}

impl Trial {
    /// Finds a trial by name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "overrun" => Some(Self::Overrun),
            "hang" => Some(Self::Hang),
            "hard-fault" => Some(Self::HardFault),
            "stack" => Some(Self::Stack),
            _ => None,
        }
    }
}

/// The options of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// One in this many ticks is logged, and every tick in which the state changes.
    pub(crate) every: u64,
    pub(crate) ticks: u64,
    #[cfg(feature = "emulated")]
    trial: Option<(Trial, u64)>,
}

impl Run {
    /// A run without end that logs one in `every` ticks.
    pub const fn endless(every: u64) -> Self {
        Self::of(u64::MAX, every)
    }

    /// A run of `ticks` ticks that logs one in `every` ticks.
    pub const fn of(ticks: u64, every: u64) -> Self {
        Self {
            every,
            ticks,
            #[cfg(feature = "emulated")]
            trial: None,
        }
    }

    /// With a trial at a tick. A board ignores it.
    pub const fn with_trial(self, trial: Trial, at: u64) -> Self {
        #[cfg(feature = "emulated")]
        return Self { trial: Some((trial, at)), ..self };
        #[cfg(not(feature = "emulated"))]
        {
            let _ = (trial, at);
            self
        }
    }

    /// The trial at a tick. [`Trial::Stack`] applies to all ticks, including those of homing.
    #[cfg(feature = "emulated")]
    pub(crate) fn trial_at(&self, tick: u64) -> Option<Trial> {
        let now = |(trial, at)| match trial {
            Trial::Overrun | Trial::HardFault => tick == at,
            Trial::Hang => tick >= at,
            Trial::Stack => true,
        };
        self.trial.filter(|trial| now(*trial)).map(|(trial, _)| trial)
    }

    /// None: a board has no trials.
    #[cfg(not(feature = "emulated"))]
    pub(crate) const fn trial_at(&self, _tick: u64) -> Option<Trial> {
        None
    }

    /// Whether the trial stops feeding the watchdog.
    pub(crate) fn hangs(&self) -> bool {
        self.trial_at(u64::MAX) == Some(Trial::Hang)
    }
}
