//! The watchdog, which resets a board whose loop has stopped.

/// A watchdog resets the board unless it is fed in time.
///
/// The loop feeds it once at the end of each tick that was in time and gave the motors their output. It is **not** fed
/// - while the loop is not called, or hangs,
/// - in a tick that is skipped because it is late, or more than half a period early,
/// - in a tick in which the motors could not be given their safe output: in the fault state, and in idle.
///
/// In the fault state it is fed as long as the safe output works, so that the reason can be read and the fault be reset.
///
/// Use a **window** if the chip has one: such a watchdog also resets a board that feeds it too soon, so it finds a loop that runs too fast.
/// Its own oscillator makes it independent of the clock of the processor. Two ticks in time are at least half a period apart, if
/// the largest lateness is half a period. So close the window for less than half a period, tolerance of the oscillators included. Its end
/// must be later than the ticks that may be skipped in a row.
pub trait Watchdog {
    /// Feeds the watchdog, which postpones the reset.
    fn feed(&mut self);
}

/// No watchdog.
impl Watchdog for () {
    fn feed(&mut self) {}
}
