//! A control loop at 1 kHz. SysTick triggers the interrupt that runs the loop, and the main program logs its samples.
//!
//! In the emulator the machine is simulated; the arguments choose the linkage, the crane or the arm. On the board it is a five-bar linkage
//! with two motors and two encoders.

#![no_std]
#![no_main]

use runtime::ResetCause;
use stm32f4xx_hal::pac::{GPIOC, RCC, TIM3};
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::{Config, Rcc};
use wiring::{Program, Watchdog, set_up};

#[cfg_attr(not(feature = "hardware"), path = "emulated.rs")]
#[cfg_attr(feature = "hardware", path = "hardware.rs")]
mod wiring;

/// The processor's clock, Hz.
const FREQUENCY: u32 = 168_000_000;

runtime::on_systick!(Program, Watchdog, 32, set_up, switch_off);

/// Why the chip started (RM0090, RCC_CSR), and clears it.
fn reset_cause(rcc: &RCC) -> ResetCause {
    const CAUSES: [(u32, ResetCause); 6] = [
        (0b11 << 29, ResetCause::Watchdog),
        (1 << 28, ResetCause::Software),
        (1 << 31, ResetCause::WakeUp),
        (1 << 27, ResetCause::PowerOn),
        (1 << 25, ResetCause::BrownOut),
        (1 << 26, ResetCause::Pin),
    ];
    let register = rcc.csr().read().bits();
    rcc.csr().modify(|_, w| w.rmvf().set_bit());
    ResetCause::of(register, &CAUSES)
}

/// Switches both bridges off: their enable pins PC1 and PC3 low, then both duties to zero.
fn switch_off() {
    // SAFETY: the program does not go on, so nothing else uses the pins and the timer.
    let (pins, pulses) = unsafe { (&*GPIOC::ptr(), &*TIM3::ptr()) };
    // SAFETY: resets two pins.
    pins.bsrr().write(|w| unsafe { w.bits((1 << 1 | 1 << 3) << 16) });
    pulses.ccr1().reset();
    pulses.ccr2().reset();
}

/// Sets the core to its full speed, from the board's 8 MHz crystal.
fn start_clock(rcc: RCC) -> Rcc {
    rcc.freeze(Config::hse(8.MHz()).sysclk(FREQUENCY.Hz()))
}
