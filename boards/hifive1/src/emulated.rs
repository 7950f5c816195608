//! In the emulator: the log and the exit code go to the host by semihosting.

#[cfg(not(feature = "no-panic"))]
use defmt_semihosting as _;
use e310x::Wdog;
#[cfg(feature = "no-panic")]
use panic_never as _;
pub use runtime::emulated::{Watchdog, asked};
use semihosting::process::exit;

/// QEMU counts nanoseconds as cycles.
pub const FREQUENCY: u32 = 1_000_000_000;

/// None that bites.
pub fn watchdog(_: Wdog) -> Watchdog {
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

#[cfg(not(feature = "no-panic"))]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    defmt::error!("{}", defmt::Display2Format(info));
    exit(1)
}
