//! On the bench: the log goes to the probe by RTT, which also shows a panic.

use defmt_rtt as _;
use panic_probe as _;
use stm32f4xx_hal::pac::RCC;

/// Nothing: the chip reports by itself when its clocks run.
pub fn prepare_clock(_rcc: &RCC) {}

/// The program has done its work; the core sleeps.
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
        cortex_m::asm::wfi();
    }
}
