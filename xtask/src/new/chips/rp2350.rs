//! The chip: {{title}}.

use rp235x_hal::block::ImageDef;
use rp235x_hal::clocks::init_clocks_and_plls;
pub use rp235x_hal::entry;
use rp235x_hal::pac::Peripherals;
use rp235x_hal::watchdog::Watchdog;

/// Its name in the log.
pub const NAME: &str = "{{board}}";

/// The board's crystal, and the processor's clock that the HAL derives from it, Hz.
const CRYSTAL: u32 = 12_000_000;
pub const FREQUENCY: u32 = {{frequency}};

/// The image definition for the boot ROM.
#[unsafe(link_section = ".start_block")]
#[used]
static IMAGE: ImageDef = ImageDef::secure_exe();

/// Sets the core to its full speed.
pub fn start() -> Result<(), &'static str> {
    let mut device = Peripherals::take().ok_or("the peripherals are taken")?;
    let mut watchdog = Watchdog::new(device.WATCHDOG);
    let (system, usb) = (device.PLL_SYS, device.PLL_USB);
    init_clocks_and_plls(CRYSTAL, device.XOSC, device.CLOCKS, system, usb, &mut device.RESETS, &mut watchdog)
        .map_err(|_| "the crystal does not swing")?;
    Ok(())
}
