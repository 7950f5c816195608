//! What a run is to show.

use taut::control::supervisor::Injection;

/// What a run is to show: a fault, and whether the loop starts again after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The fault that is injected.
    pub inject: Option<Inject>,
    /// Whether a fault is reset some time after it is over.
    pub restart: bool,
}

/// A fault and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inject {
    /// The fault.
    pub fault: Injection,
    /// The first tick that has it.
    pub at: u64,
    /// For how many ticks.
    pub ticks: u64,
}

impl Options {
    /// A run with a fault from a tick on, for a number of ticks, that starts again afterwards.
    pub fn with_fault(fault: Injection, at: u64, ticks: u64) -> Self {
        Self { inject: Some(Inject { fault, at, ticks }), restart: true }
    }

    /// The fault that a tick has.
    pub fn fault_at(&self, tick: u64) -> Option<Injection> {
        self.inject.filter(|inject| tick.wrapping_sub(inject.at) < inject.ticks).map(|inject| inject.fault)
    }
}
