//! The firmware for the emulator, with a simulated machine.

pub use loops::Any as Program;
use loops::{Run, Which};
use runtime::Setup;
use runtime::systick::SysTick;
use stm32f4xx_hal::pac::Peripherals;

use crate::{FREQUENCY, reset_cause, start_clock};

/// No watchdog in the emulator.
pub type Watchdog = ();

/// Sets up the loop that the arguments choose.
pub fn set_up() -> Result<Setup<SysTick, Program, Watchdog>, &'static str> {
    let (device, mut core) =
        Peripherals::take().zip(cortex_m::Peripherals::take()).ok_or("the peripherals are taken")?;
    reset_cause(&device.RCC).log();
    // QEMU's clock control never reports that the crystal and the PLL are ready. Set the bits here, or the wait for them would never end.
    // SAFETY: every bit pattern is valid in this register of the emulator; HSION, HSIRDY, HSERDY and PLLRDY with the default trim.
    device.RCC.cr().write(|w| unsafe { w.bits(0x0202_0083) });
    start_clock(device.RCC);
    let run = Run::asked("olimex-h405", &[Which::FiveBar, Which::Crane, Which::Arm])?;
    let program = Program::of(&run, FREQUENCY)?;
    let beat = SysTick::start(core.SYST, &mut core.SCB, FREQUENCY, run.rate())?;
    Ok(Setup { beat, program, watchdog: (), run: run.into() })
}
