//! The chip's watchdog (FE310-G002 manual, watchdog timer). In the emulator it is not started.

use e310x::Wdog;

#[cfg(not(feature = "hardware"))]
pub type Watchdog = ();

#[cfg(not(feature = "hardware"))]
pub fn start(_: Wdog) -> Watchdog {}

/// The key that unlocks the registers for one write, and the value that feeds the watchdog.
#[cfg(feature = "hardware")]
const KEY: u32 = 0x51_f15e;
#[cfg(feature = "hardware")]
const FOOD: u32 = 0xd09_f00d;

/// The running watchdog.
#[cfg(feature = "hardware")]
pub struct Watchdog(Wdog);

/// Starts it. It resets the chip if it is not fed for 100 ms, 3,277 counts of 32,768 Hz.
#[cfg(feature = "hardware")]
pub fn start(watchdog: Wdog) -> Watchdog {
    // SAFETY: the manual's key before each write, and a valid count.
    unsafe {
        watchdog.wdogkey().write(|w| w.bits(KEY));
        watchdog.wdogcmp().write(|w| w.bits(3_277));
        watchdog.wdogkey().write(|w| w.bits(KEY));
        watchdog.wdogcfg().write(|w| w.rsten().set_bit().zerocmp().set_bit().enalways().set_bit());
    }
    let mut watchdog = Watchdog(watchdog);
    taut::supervise::Watchdog::feed(&mut watchdog);
    watchdog
}

#[cfg(feature = "hardware")]
impl taut::supervise::Watchdog for Watchdog {
    fn feed(&mut self) {
        // SAFETY: both values are from the manual.
        unsafe {
            self.0.wdogkey().write(|w| w.bits(KEY));
            self.0.wdogfeed().write(|w| w.bits(FOOD));
        }
    }
}
