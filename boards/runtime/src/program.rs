//! The program that runs in the interrupt, and its samples for the log.

use taut::supervise::{Clock, Record, State, Timing, Watchdog};

/// A loop with its machine.
pub trait Program {
    /// The sample of a tick.
    type Sample: Sample + 'static;

    /// Runs one tick.
    fn tick(&mut self, clock: &mut impl Clock, watchdog: &mut impl Watchdog) -> Self::Sample;

    /// Logs the summary of all ticks at the end of a run.
    fn conclude(&self) {}
}

/// The record of a tick.
pub trait Sample {
    /// The number of the tick, the state of the loop after it, and its timing.
    fn mark(&self) -> (u64, State, Timing);

    /// Writes it to the log; `rate` is the rate of the loop in Hz.
    fn log(&self, rate: u32);
}

impl<const E: usize, const U: usize> Sample for Record<f32, E, U> {
    fn mark(&self) -> (u64, State, Timing) {
        (self.tick, self.state, self.timing)
    }

    fn log(&self, _rate: u32) {
        defmt::info!("record {}", self);
    }
}
