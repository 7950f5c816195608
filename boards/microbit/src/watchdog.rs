//! The chip's watchdog. The emulator has none.

use nrf51_hal::pac::WDT;

#[cfg(not(feature = "hardware"))]
pub type Watchdog = ();

#[cfg(not(feature = "hardware"))]
pub fn start(_: WDT) -> Watchdog {}

/// The running watchdog.
#[cfg(feature = "hardware")]
pub struct Watchdog(WDT);

/// Starts it and its clock of 32,768 Hz. It resets the chip if it is not fed for 100 ms.
#[cfg(feature = "hardware")]
pub fn start(watchdog: WDT) -> Watchdog {
    // SAFETY: a count and a task.
    unsafe {
        watchdog.crv.write(|w| w.bits(3_277));
        watchdog.rren.write(|w| w.rr0().enabled());
        watchdog.tasks_start.write(|w| w.bits(1));
    }
    Watchdog(watchdog)
}

#[cfg(feature = "hardware")]
impl taut::supervise::Watchdog for Watchdog {
    fn feed(&mut self) {
        self.0.rr[0].write(|w| w.rr().reload());
    }
}
