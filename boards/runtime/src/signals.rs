//! Signals from the interrupt to the main program, besides samples. The interrupt writes them, the main program reads them.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The signals.
pub struct Signals {
    over: AtomicBool,
    fed: AtomicU32,
    hungry: AtomicU32,
    stack: AtomicU32,
}

impl Signals {
    /// The signals before the first tick.
    pub const fn new() -> Self {
        Self {
            over: AtomicBool::new(false),
            fed: AtomicU32::new(0),
            hungry: AtomicU32::new(0),
            stack: AtomicU32::new(0),
        }
    }

    /// Signals that the run has made all its ticks.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Whether the run has made all its ticks.
    pub fn over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// The number of times that the watchdog was fed.
    pub fn fed(&self) -> u32 {
        self.fed.load(Ordering::Relaxed)
    }

    /// The number of releases since the watchdog was last fed.
    pub fn hungry(&self) -> u32 {
        self.hungry.load(Ordering::Relaxed)
    }

    /// The largest stack of a tick in bytes, if measured.
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

    #[cfg_attr(not(target_os = "none"), allow(dead_code))]
    pub(crate) fn stacked(&self, bytes: u32) {
        self.stack.store(self.stack().max(bytes), Ordering::Relaxed);
    }
}
