//! The chip: {{title}}.

pub use cortex_m_rt::entry;
use stm32g4xx_hal::pwr::{PwrExt, VoltageScale};
use stm32g4xx_hal::rcc::{Config, PllConfig, PllMDiv, PllNMul, PllRDiv, PllSrc, RccExt};
use stm32g4xx_hal::stm32::Peripherals;

/// Its name in the log.
pub const NAME: &str = "{{board}}";

/// The processor's clock, Hz: the internal oscillator of 16 MHz / 4 × 85 / 2.
pub const FREQUENCY: u32 = {{frequency}};
const PLL: PllConfig =
    PllConfig { mux: PllSrc::HSI, m: PllMDiv::DIV_4, n: PllNMul::MUL_85, r: Some(PllRDiv::DIV_2), q: None, p: None };

/// Sets the core to its full speed.
pub fn start() -> Result<(), &'static str> {
    let device = Peripherals::take().ok_or("the peripherals are taken")?;
    let power = device.PWR.constrain().vos(VoltageScale::Range1 { enable_boost: true }).freeze();
    device.RCC.freeze(Config::pll().pll_cfg(PLL), power);
    Ok(())
}
