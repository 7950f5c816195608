//! The arm in a control loop at 250 Hz, with a simulated machine and telemetry at 10 Hz. The loop runs in the timer's interrupt, and the
//! main program logs its samples.

#![no_std]
#![no_main]

use cortex_m_rt::entry;
use loops::{Run, Which, arm};
use nrf51_hal::pac::{GPIO, POWER, Peripherals, interrupt};
use runtime::{Firmware, OrSay, ResetCause, Setup};
use tick::{FREQUENCY, Tick};
use watchdog::Watchdog;

mod tick;
mod watchdog;

static FIRMWARE: Firmware<Tick, arm::Program, Watchdog, 16> = Firmware::new();

#[entry]
fn main() -> ! {
    FIRMWARE.run(switch_off, || {
        let device = Peripherals::take().ok_or("the peripherals are taken")?;
        reset_cause(&device.POWER).log();
        let run = Run::asked("microbit", &[Which::Arm])?;
        let period = FREQUENCY / arm::RATE;
        let program = arm::program(run.options, period).or_say("the program cannot be made")?;
        let beat = Tick::start(&device.CLOCK, device.TIMER1, device.TIMER0);
        Ok(Setup { beat, program, watchdog: watchdog::start(device.WDT), run: run.into() })
    })
}

#[interrupt]
fn TIMER1() {
    FIRMWARE.tick();
}

runtime::on_fault!();

/// Why the chip started (nRF51 Series Reference Manual, RESETREAS). No bit is set after power-on and brown-out. A one clears a bit.
fn reset_cause(power: &POWER) -> ResetCause {
    const CAUSES: [(u32, ResetCause); 5] = [
        (1 << 1, ResetCause::Watchdog),
        (1 << 3, ResetCause::Lockup),
        (1 << 2, ResetCause::Software),
        (0b111 << 16, ResetCause::WakeUp),
        (1 << 0, ResetCause::Pin),
    ];
    let register = power.resetreas.read().bits();
    // SAFETY: clears the bits.
    power.resetreas.write(|w| unsafe { w.bits(register) });
    if register == 0 { ResetCause::PowerOn } else { ResetCause::of(register, &CAUSES) }
}

/// Makes every pin an input. The machine is simulated; on a bench, pull-downs at the bridges would switch the motors off.
fn switch_off() {
    // SAFETY: the program does not go on, so nothing else uses the pins.
    let pins = unsafe { &*GPIO::ptr() };
    // SAFETY: every pin may be an input.
    pins.dirclr.write(|w| unsafe { w.bits(u32::MAX) });
}
