//! A pendulum in Cartesian coordinates, stepped by RATTLE at 1 kHz, in time with the clock, and its telemetry at 20 Hz.

#![no_std]
#![no_main]

use cortex_m_rt::entry;
use pendulum::Pendulum;
use stm32f4xx_hal::pac;
use taut::method::Rattle;
use taut::start::Start;
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

    let pendulum = Pendulum { mass: 0.2, length: 0.5 };
    let Ok(rattle) = Rattle::at_rate(f32::from(RATE)) else {
        platform::fail("the rate is no step size");
    };
    let mut state = match Start::at(&pendulum, pendulum.position(2.0)).at_rest() {
        Ok(state) => state,
        Err(error) => {
            defmt::error!("{}", error);
            platform::fail("the pendulum cannot start");
        }
    };

    let mut telemetry = Telemetry::start(&pendulum, &state, RATE);
    for number in 1..=STEPS {
        tick.wait();
        let report = match rattle.step(&pendulum, &mut state) {
            Ok(report) => report,
            Err(error) => {
                defmt::error!("{}", error);
                platform::fail("the step failed");
            }
        };
        telemetry.observe(&pendulum, &state, &report);
        if number % STEPS_PER_LINE == 0 {
            telemetry.log(&pendulum, &state, &report);
        }
    }
    telemetry.summarise(&state, tick.missed());
    platform::finish()
}
