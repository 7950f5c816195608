//! On the bench: the log goes to the probe by RTT.

use core::panic::PanicInfo;

use defmt_rtt as _;
use e310x_hal::e310x::Wdog;
use e310x_hal::wdog::{self, WdogExt};
use runtime::run::Run;
use taut::control::supervisor;

/// The processor's cycles a second.
pub const FREQUENCY: u32 = 320_000_000;

/// What unlocks the watchdog's registers for one write (FE310-G002 manual, watchdog timer).
const KEY: u32 = 0x51_f15e;

/// The chip's watchdog.
pub struct Watchdog(wdog::Wdog);

impl supervisor::Watchdog for Watchdog {
    fn feed(&mut self) {
        self.0.feed();
    }
}

/// Starts the watchdog, which resets the chip 100 ms after its last meal: 3,277 counts of 32,768 Hz.
pub fn watchdog(watchdog: Wdog) -> Watchdog {
    // Every write needs the key before it, which the HAL's own method for this register leaves out.
    // SAFETY: the key of the manual, and a count.
    unsafe {
        watchdog.wdogkey().write(|w| w.bits(KEY));
        watchdog.wdogcmp().write(|w| w.bits(3_277));
    }
    let mut watchdog = Watchdog(watchdog.configure().enable_reset().enable_zero_cmp().enable().freeze());
    supervisor::Watchdog::feed(&mut watchdog);
    watchdog
}

/// What is built in.
pub fn asked(run: Run) -> Option<Run> {
    Some(run)
}

/// The program has done its work; the core sleeps until the watchdog starts it anew.
pub fn finish() -> ! {
    sleep()
}

/// The program cannot go on; the core sleeps.
pub fn fail(reason: &str) -> ! {
    defmt::error!("{=str}", reason);
    sleep()
}

fn sleep() -> ! {
    loop {
        riscv::asm::wfi();
    }
}

#[panic_handler]
fn panic(info: &PanicInfo) -> ! {
    defmt::error!("{}", defmt::Display2Format(info));
    sleep()
}
