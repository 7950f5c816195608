//! What resets a board whose loop has stopped.

/// A watchdog, which resets the board unless it is fed in time.
///
/// The loop feeds it once at the end of each tick that was in time and left the motors as its state says. It is **not** fed
/// - while the loop is not called, or hangs,
/// - in a tick that is skipped because it is late,
/// - in a tick in which the motors could not be given their safe output: in the fault state, and in idle.
///
/// In the fault state with a safe output that works it is fed, so that the reason can be read and the fault be reset.
pub trait Watchdog {
    /// Puts the reset off.
    fn feed(&mut self);
}

/// Without a watchdog.
impl Watchdog for () {
    fn feed(&mut self) {}
}

impl<W: Watchdog> Watchdog for &mut W {
    fn feed(&mut self) {
        (**self).feed();
    }
}
