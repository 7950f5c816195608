//! A control loop at 1 kHz. SysTick triggers the interrupt that runs the loop, and the main program logs its samples.
//!
//! In the emulator the machine is simulated; the arguments choose the linkage, the crane or the arm. On the board it is a five-bar linkage
//! with two motors and two encoders.

#![no_std]
#![no_main]

use stm32f4xx_hal::pac::RCC;
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::{Config, Rcc};
use wiring::{Program, Watchdog, set_up};

#[cfg_attr(not(feature = "hardware"), path = "emulated.rs")]
#[cfg_attr(feature = "hardware", path = "hardware.rs")]
mod wiring;

/// The processor's clock, Hz.
const FREQUENCY: u32 = 168_000_000;

runtime::on_systick!(Program, Watchdog, 32, set_up);

/// Sets the core to its full speed, from the board's 8 MHz crystal.
fn start_clock(rcc: RCC) -> Rcc {
    rcc.freeze(Config::hse(8.MHz()).sysclk(FREQUENCY.Hz()))
}
