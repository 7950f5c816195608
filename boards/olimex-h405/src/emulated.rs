//! In the emulator: the log and the exit code go to the host by semihosting.

use core::panic::PanicInfo;

use defmt_semihosting as _;
use semihosting::process::exit;
use stm32f4xx_hal::pac::RCC;

/// QEMU's clock control never reports that the crystal and the PLL run, so the bits are set for it: the wait for them
/// would last for ever.
pub fn prepare_clock(rcc: &RCC) {
    // SAFETY: every bit pattern is valid in this register of the emulator; HSION, HSIRDY, HSERDY and PLLRDY with the
    // default trim.
    rcc.cr().write(|w| unsafe { w.bits(0x0202_0083) });
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
