//! The chip: {{title}}.

pub use cortex_m_rt::entry;
use {{hal_crate}}::Clocks;
use {{hal_crate}}::pac::Peripherals;

/// Its name in the log.
pub const NAME: &str = "{{board}}";

/// The processor's clock, Hz.
pub const FREQUENCY: u32 = {{frequency}};

/// Takes the clock from the board's crystal.
pub fn start() -> Result<(), &'static str> {
    let device = Peripherals::take().ok_or("the peripherals are taken")?;
    Clocks::new(device.CLOCK).enable_ext_hfosc();
    Ok(())
}
