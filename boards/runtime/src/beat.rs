//! The beat: the timer that releases the ticks of a loop.

use taut::supervise::Clock;

/// A timer whose interrupt calls [`Firmware::tick`](crate::Firmware::tick).
pub trait Beat: 'static {
    /// The clock that measures the lateness and the duration of a tick.
    type Clock: Clock + Copy;

    /// Counts of the clock per second and per tick.
    fn counts(&self) -> (u32, u32);

    /// Acknowledges the interrupt, and returns the clock if a tick is due.
    fn due(&mut self) -> Option<Self::Clock>;

    /// Schedules the next tick after now. Ticks that have passed in the meantime are skipped.
    fn next(&mut self) {}

    /// Unmasks the interrupt. Called when everything that the interrupt needs is in place.
    fn unmask() {}

    /// Masks the interrupt.
    fn mask() {}
}
