//! A control loop at 1 kHz. The loop runs in an interrupt that SysTick asks for, and the main program shows what comes out of it.
//!
//! In the emulator the machine is simulated, with the linkage, the crane or the arm as its arguments say; on the bench it is a
//! five-bar linkage with two motors and two encoders.

#![no_std]
#![no_main]
#![cfg_attr(feature = "no-panic", allow(dead_code, unused_imports))]

use cortex_m_rt::{entry, exception};
use runtime::systick;
use stm32f4xx_hal::pac;

mod clock;
#[cfg(feature = "hardware")]
mod wiring;

#[cfg_attr(not(feature = "hardware"), path = "emulated.rs")]
#[cfg_attr(feature = "hardware", path = "hardware.rs")]
mod platform;

/// Linked and never run: none of what starts the loop is there.
#[cfg(feature = "no-panic")]
#[entry]
fn main() -> ! {
    platform::give_unknown();
    loop {}
}

#[cfg(not(feature = "no-panic"))]
#[entry]
fn main() -> ! {
    let (Some(device), Some(core)) = (pac::Peripherals::take(), cortex_m::Peripherals::take()) else {
        platform::fail("the peripherals are taken");
    };
    platform::run(device, core)
}

#[exception]
fn SysTick() {
    systick::on_interrupt();
}

#[exception]
fn PendSV() {
    platform::tick();
}
