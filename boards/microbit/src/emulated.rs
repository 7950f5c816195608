//! In the emulator: the log and the exit code go to the host by semihosting.

use core::panic::PanicInfo;

use defmt_semihosting as _;
use nrf51_hal::pac::WDT;
pub use runtime::emulated::{Watchdog, asked};
use semihosting::process::exit;

/// None that bites.
pub fn watchdog(_: WDT) -> Watchdog {
    Watchdog
}

/// The program has done its work.
pub fn finish() -> ! {
    exit(0)
}

/// The program cannot go on.
pub fn fail(reason: &str) -> ! {
    defmt::error!("{=str}", reason);
    exit(1)
}

#[panic_handler]
fn panic(info: &PanicInfo) -> ! {
    defmt::error!("{}", defmt::Display2Format(info));
    exit(1)
}
