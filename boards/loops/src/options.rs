//! The options of a run.

#[cfg(feature = "inject")]
use taut::supervise::{Injection, MAX_SKIPPED};

/// The options of a run: a fault, and whether the loop starts again after it. Empty without the feature `inject`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The fault that is injected.
    #[cfg(feature = "inject")]
    pub inject: Option<Inject>,
    /// Whether a fault is reset some time after its end.
    #[cfg(feature = "inject")]
    pub restart: bool,
}

/// A fault and its time.
#[cfg(feature = "inject")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inject {
    /// The fault.
    pub fault: Injection,
    /// The first tick with the fault.
    pub at: u64,
    /// The number of ticks with the fault.
    pub ticks: u64,
}

#[cfg(feature = "inject")]
impl Options {
    /// A run with a fault from a tick on, for a number of ticks, that starts again afterwards.
    pub fn with_fault(fault: Injection, at: u64, ticks: u64) -> Self {
        Self { inject: Some(Inject { fault, at, ticks }), restart: true }
    }

    /// The same for a fifth of a second, at this many ticks a second. Late ticks and a wrong clock last for more ticks than these loops
    /// accept, but too few for the watchdog, which is not fed then.
    pub fn with_brief_fault(fault: Injection, at: u64, rate: u32) -> Self {
        let starves = matches!(fault, Injection::LateTick | Injection::FrozenClock | Injection::FastClock);
        Self::with_fault(fault, at, u64::from(if starves { MAX_SKIPPED } else { rate / 5 }))
    }

    /// The fault at a tick.
    pub fn fault_at(&self, tick: u64) -> Option<Injection> {
        self.inject.filter(|inject| tick.wrapping_sub(inject.at) < inject.ticks).map(|inject| inject.fault)
    }
}

/// Targets that a program cannot follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detours<const D: usize> {
    /// A point out of reach, and the duration of the way there in seconds.
    pub infeasible: ([f32; D], f32),
    /// A singular pose, and the duration of the way there in seconds.
    pub singular: ([f32; D], f32),
}
