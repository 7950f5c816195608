//! The chip: {{title}}.

pub use cortex_m_rt::entry;
use stm32l4xx_hal::pac::Peripherals;
use stm32l4xx_hal::prelude::*;

/// Its name in the log.
pub const NAME: &str = "{{board}}";

/// The processor's clock, Hz.
pub const FREQUENCY: u32 = {{frequency}};

/// Sets the core to its full speed, from the internal oscillator.
pub fn start() -> Result<(), &'static str> {
    let device = Peripherals::take().ok_or("the peripherals are taken")?;
    let (mut flash, mut rcc) = (device.FLASH.constrain(), device.RCC.constrain());
    let mut power = device.PWR.constrain(&mut rcc.apb1r1);
    rcc.cfgr.sysclk(FREQUENCY.Hz()).freeze(&mut flash.acr, &mut power);
    Ok(())
}
