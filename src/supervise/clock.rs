//! The counter that judges the ticks, and what it measures.

/// A free-running counter of a board, which wraps after 2³² counts. It must count on without the interrupt of the ticks.
pub trait Clock {
    /// The count now.
    fn now(&mut self) -> u32;
}

/// A count that the caller has read. The tick then seems to take no time.
impl Clock for u32 {
    fn now(&mut self) -> u32 {
        *self
    }
}

/// A function that reads a counter.
impl<C: FnMut() -> u32> Clock for C {
    fn now(&mut self) -> u32 {
        self()
    }
}

/// Measured times in counts of the clock, and counts of late ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Timing {
    /// How late the last tick began.
    pub lateness: u32,
    /// The largest lateness of a tick that was not skipped.
    pub worst_lateness: u32,
    /// How long the last tick took.
    pub execution: u32,
    /// How long the longest tick took.
    pub worst_execution: u32,
    /// How many ticks have been skipped.
    pub skipped: u32,
    /// How many ticks ended after the next one's release.
    pub overruns: u32,
    /// How many ticks began more than 1/32 of a period early.
    pub early: u32,
}
