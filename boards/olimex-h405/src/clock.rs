//! The clock tree: 168 MHz from the board's 8 MHz crystal.

use stm32f4xx_hal::pac::RCC;
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::{Config, Rcc};

/// The processor's clock, Hz.
pub const FREQUENCY: u32 = 168_000_000;

/// Brings the core to its full speed.
pub fn start(rcc: RCC) -> Rcc {
    crate::platform::prepare_clock(&rcc);
    rcc.freeze(Config::hse(8.MHz()).sysclk(FREQUENCY.Hz()))
}
