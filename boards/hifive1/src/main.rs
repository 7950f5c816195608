//! The arm in a control loop at 250 Hz, with a simulated machine and telemetry at 10 Hz. The loop runs in the timer's interrupt, and the
//! main program logs its samples.

#![no_std]
#![no_main]

use e310x::Peripherals;
use loops::{Run, Which, arm};
use riscv::interrupt::Interrupt;
use riscv_rt::{core_interrupt, entry};
use runtime::{Firmware, OrSay, Setup};
use tick::{PERIOD, Tick};
use watchdog::Watchdog;

mod clock;
mod tick;
mod watchdog;

static FIRMWARE: Firmware<Tick, arm::Program, Watchdog, 16> = Firmware::new();

/// Runs the arm.
#[entry]
fn main() -> ! {
    FIRMWARE.run(|| {
        let device = Peripherals::take().ok_or("the peripherals are taken")?;
        clock::start(&device.prci, &device.aonclk);
        let run = Run::asked("hifive1", &[Which::Arm])?;
        let program = arm::program(run.options, PERIOD).or_say("the program cannot be made")?;
        Ok(Setup { beat: Tick::start(), program, watchdog: watchdog::start(device.wdog), run: run.into() })
    })
}

#[core_interrupt(Interrupt::MachineTimer)]
fn machine_timer() {
    FIRMWARE.tick();
}
