//! A pendulum stepped at 1 kHz, in time with the clock, and its telemetry at 20 Hz.

#![no_std]
#![no_main]

use cortex_m_rt::entry;
use pendulum::Pendulum;
use stm32f4xx_hal::pac;
use telemetry::Telemetry;
use tick::Tick;

mod clock;
mod pendulum;
mod telemetry;
mod tick;

#[cfg_attr(feature = "emulated", path = "emulated.rs")]
#[cfg_attr(not(feature = "emulated"), path = "hardware.rs")]
mod platform;

/// Steps per second.
const RATE: u16 = 1_000;
/// Steps in all: five seconds.
const STEPS: u32 = 5 * RATE as u32;
/// Steps from one line of telemetry to the next.
const STEPS_PER_LINE: u32 = RATE as u32 / 20;

#[entry]
fn main() -> ! {
    let (Some(device), Some(core)) = (pac::Peripherals::take(), cortex_m::Peripherals::take()) else {
        platform::fail("the peripherals are taken");
    };
    let rcc = clock::start(device.RCC);
    let Some(mut tick) = Tick::start(core.SYST, &rcc.clocks, RATE) else {
        platform::fail("the clock cannot be divided down to the tick");
    };

    let step = 1.0 / f32::from(RATE);
    let mut pendulum = Pendulum::at_rest(0.5, 2.0);
    let mut telemetry = Telemetry::start(&pendulum, RATE);
    telemetry.log(0, &pendulum);
    for number in 1..=STEPS {
        tick.wait();
        pendulum.step(step);
        telemetry.observe(&pendulum);
        if number % STEPS_PER_LINE == 0 {
            telemetry.log(number, &pendulum);
        }
    }
    telemetry.summarise(STEPS, tick.missed());
    platform::finish()
}
