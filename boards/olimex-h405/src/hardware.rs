//! On the bench: a five-bar linkage with motors and encoders. The log goes to the probe by RTT, which also shows a panic.

#[cfg(not(feature = "no-panic"))]
use defmt_rtt as _;
use heapless::spsc::Queue;
use loops::five_bar;
#[cfg(feature = "no-panic")]
use panic_never as _;
#[cfg(not(feature = "no-panic"))]
use panic_probe as _;
use runtime::bench::PinState;
use runtime::bench::{Bench, show_all};
use runtime::handover::Handover;
use runtime::once::Once;
use runtime::systick::SysTick;
use stm32f4xx_hal::pac::{Peripherals, RCC};
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::watchdog::IndependentWatchdog;
use taut::control::supervisor::{Record, Telemetry, Watchdog};

use crate::clock::{self, FREQUENCY};
use crate::wiring::{Button, Machine, wire};

/// What the interrupt works with.
struct Control {
    beat: SysTick,
    bench: Bench<Machine, Button, Dog>,
}

static QUEUE: Once<Queue<Record<f32, 2, 2>, 32>> = Once::new();
static CONTROL: Once<Control> = Once::new();
static HANDOVER: Handover<Control> = Handover::new();

/// The chip's watchdog, which resets it 25 ms after its last meal.
struct Dog(IndependentWatchdog);

impl Watchdog for Dog {
    fn feed(&mut self) {
        self.0.feed();
    }
}

/// A release of the beat.
pub fn tick() {
    HANDOVER.with(|Control { beat, bench }| bench.tick(beat));
}

/// Gives the interrupt something of which the compiler knows nothing, so that no path through the loop is left out.
#[cfg(feature = "no-panic")]
pub fn give_unknown() {
    // SAFETY: never run.
    unsafe { HANDOVER.give_unknown() };
}

/// Runs the loop and shows what comes out of it, for ever.
pub fn run(device: Peripherals, mut core: cortex_m::Peripherals) -> ! {
    let mut rcc = clock::start(device.RCC);
    let ports = (device.GPIOA, device.GPIOB, device.GPIOC);
    let (axes, button) = match wire(ports, device.TIM3, (device.SPI1, device.SPI2), &mut rcc) {
        Ok(wired) => wired,
        Err(error) => {
            defmt::error!("{}", error);
            fail("the axes cannot be wired");
        }
    };
    let control = match five_bar::control(FREQUENCY / five_bar::RATE) {
        Ok(control) => control,
        Err(error) => {
            defmt::error!("{}", error);
            fail("the loop cannot be made");
        }
    };
    let Some((producer, records)) = QUEUE.fill(Queue::new()).map(Queue::split) else {
        fail("the queue is taken");
    };
    let Some(beat) = SysTick::start(core.SYST, &mut core.SCB, FREQUENCY, five_bar::RATE) else {
        fail("the clock cannot be divided down to the tick");
    };
    let mut watchdog = IndependentWatchdog::new(device.IWDG);
    watchdog.start(25.millis());
    let bench = Bench::new(control, axes, (button, PinState::High), Dog(watchdog), Telemetry::new(producer));
    let Some(control) = CONTROL.fill(Control { beat, bench }) else {
        fail("the program is taken");
    };
    HANDOVER.give(control);
    show_all(records, cortex_m::asm::wfi)
}

/// Nothing: the chip reports by itself when its clocks run.
pub fn prepare_clock(_rcc: &RCC) {}

/// The program cannot go on; the core sleeps.
pub fn fail(reason: &str) -> ! {
    defmt::error!("{=str}", reason);
    loop {
        cortex_m::asm::wfi();
    }
}
