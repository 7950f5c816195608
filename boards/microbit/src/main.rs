//! The arm in a control loop at 250 Hz, with a simulated machine and telemetry at 10 Hz. The loop runs in the timer's interrupt, and the
//! main program logs its samples.

#![no_std]
#![no_main]

use cortex_m_rt::entry;
use loops::{Run, Which, arm};
use nrf51_hal::pac::{Peripherals, interrupt};
use runtime::{Firmware, OrSay, Setup};
use tick::{FREQUENCY, Tick};
use watchdog::Watchdog;

mod tick;
mod watchdog;

static FIRMWARE: Firmware<Tick, arm::Program, Watchdog, 16> = Firmware::new();

#[entry]
fn main() -> ! {
    FIRMWARE.run(|| {
        let device = Peripherals::take().ok_or("the peripherals are taken")?;
        let run = Run::asked("microbit", &[Which::Arm])?;
        let period = FREQUENCY / arm::RATE;
        let program = arm::program(run.options, period).or_say("the program cannot be made")?;
        let beat = Tick::start(&device.CLOCK, device.TIMER0, period);
        Ok(Setup { beat, program, watchdog: watchdog::start(device.WDT), run: run.into() })
    })
}

#[interrupt]
fn TIMER0() {
    FIRMWARE.tick();
}
