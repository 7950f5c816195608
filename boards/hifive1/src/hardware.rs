//! On the bench: the log goes to the probe by RTT.

#[cfg(not(feature = "no-panic"))]
use defmt_rtt as _;
use e310x::Wdog;
#[cfg(feature = "no-panic")]
use panic_never as _;
use runtime::run::Run;
use taut::control::supervisor;

/// The processor's cycles a second.
pub const FREQUENCY: u32 = 320_000_000;

/// What unlocks the watchdog's registers for one write, and what feeds it (FE310-G002 manual, watchdog timer).
const KEY: u32 = 0x51_f15e;
const FOOD: u32 = 0xd09_f00d;

/// The chip's watchdog.
pub struct Watchdog(Wdog);

impl supervisor::Watchdog for Watchdog {
    fn feed(&mut self) {
        // SAFETY: the key and the food of the manual.
        unsafe {
            self.0.wdogkey().write(|w| w.bits(KEY));
            self.0.wdogfeed().write(|w| w.bits(FOOD));
        }
    }
}

/// Starts the watchdog, which resets the chip 100 ms after its last meal: 3,277 counts of 32,768 Hz.
pub fn watchdog(watchdog: Wdog) -> Watchdog {
    // SAFETY: the key of the manual before each write, and a count.
    unsafe {
        watchdog.wdogkey().write(|w| w.bits(KEY));
        watchdog.wdogcmp().write(|w| w.bits(3_277));
        watchdog.wdogkey().write(|w| w.bits(KEY));
        watchdog.wdogcfg().write(|w| w.rsten().set_bit().zerocmp().set_bit().enalways().set_bit());
    }
    let mut watchdog = Watchdog(watchdog);
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

#[cfg(not(feature = "no-panic"))]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    defmt::error!("{}", defmt::Display2Format(info));
    sleep()
}
