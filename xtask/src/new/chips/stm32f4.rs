//! The chip: {{title}}.

pub use cortex_m_rt::entry;
use stm32f4xx_hal::pac::Peripherals;
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::Config;

/// Its name in the log.
pub const NAME: &str = "{{board}}";

/// The processor's clock, Hz.
pub const FREQUENCY: u32 = {{frequency}};

/// Sets the core to its full speed, from the clock on the board.
pub fn start() -> Result<(), &'static str> {
    let device = Peripherals::take().ok_or("the peripherals are taken")?;
    device.RCC.freeze({{clock}}.sysclk(FREQUENCY.Hz()));
    Ok(())
}
