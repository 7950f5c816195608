//! What the interrupt tells the main program besides samples: words that one side writes and the other reads.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// What is told.
pub struct Signals {
    over: AtomicBool,
    fed: AtomicU32,
    hungry: AtomicU32,
    stack: AtomicU32,
}

impl Signals {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self {
            over: AtomicBool::new(false),
            fed: AtomicU32::new(0),
            hungry: AtomicU32::new(0),
            stack: AtomicU32::new(0),
        }
    }

    /// The run has had all its ticks.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Whether the run has had all its ticks.
    pub fn over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// How often the watchdog has been fed.
    pub fn fed(&self) -> u32 {
        self.fed.load(Ordering::Relaxed)
    }

    /// For how many releases it has not.
    pub fn hungry(&self) -> u32 {
        self.hungry.load(Ordering::Relaxed)
    }

    /// The most bytes of stack that a tick took, where that was measured.
    pub fn stack(&self) -> u32 {
        self.stack.load(Ordering::Relaxed)
    }

    pub(crate) fn feed(&self) {
        self.fed.store(self.fed().wrapping_add(1), Ordering::Relaxed);
        self.hungry.store(0, Ordering::Relaxed);
    }

    pub(crate) fn release(&self) {
        self.hungry.store(self.hungry().saturating_add(1), Ordering::Relaxed);
    }

    pub(crate) fn stacked(&self, bytes: u32) {
        self.stack.store(self.stack().max(bytes), Ordering::Relaxed);
    }
}

impl Default for Signals {
    fn default() -> Self {
        Self::new()
    }
}
