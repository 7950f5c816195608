//! The chip: {{title}}.

pub use cortex_m_rt::entry;
use stm32h7xx_hal::pac::Peripherals;
use stm32h7xx_hal::prelude::*;

/// Its name in the log.
pub const NAME: &str = "{{board}}";

/// The processor's clock, Hz.
pub const FREQUENCY: u32 = {{frequency}};

/// Sets the core to its speed, from the 8 MHz that the board's probe supplies.
pub fn start() -> Result<(), &'static str> {
    let device = Peripherals::take().ok_or("the peripherals are taken")?;
    let power = device.PWR.constrain().freeze();
    device.RCC.constrain().use_hse(8.MHz()).bypass_hse().sys_ck(FREQUENCY.Hz()).freeze(power, &device.SYSCFG);
    Ok(())
}
