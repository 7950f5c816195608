//! The chip: {{title}}.

pub use cortex_m_rt::entry;
use stm32f3xx_hal::pac::Peripherals;
use stm32f3xx_hal::prelude::*;

/// Its name in the log.
pub const NAME: &str = "{{board}}";

/// The processor's clock, Hz.
pub const FREQUENCY: u32 = {{frequency}};

/// Sets the core to its full speed, from the 8 MHz that the board's probe supplies.
pub fn start() -> Result<(), &'static str> {
    let device = Peripherals::take().ok_or("the peripherals are taken")?;
    let (mut flash, rcc) = (device.FLASH.constrain(), device.RCC.constrain());
    rcc.cfgr.use_hse(8.MHz()).bypass_hse().sysclk(72.MHz()).pclk1(36.MHz()).freeze(&mut flash.acr);
    Ok(())
}
