//! A five-bar linkage at 1 kHz, with motors and encoders. The loop runs in an interrupt that SysTick asks for, and the main program shows what
//! comes out of it. Linked in the tests, never run there.

#![no_std]
#![no_main]
#![cfg_attr(feature = "no-panic", allow(dead_code, unused_imports))]

use cortex_m_rt::{entry, exception};
#[cfg(not(feature = "no-panic"))]
use defmt_rtt as _;
use heapless::spsc::Queue;
use loops::five_bar;
#[cfg(feature = "no-panic")]
use panic_never as _;
#[cfg(not(feature = "no-panic"))]
use panic_probe as _;
use runtime::bench::{Bench, PinState, show_all};
use runtime::handover::Handover;
use runtime::once::Once;
use runtime::systick::{self, SysTick};
use stm32g4xx_hal::gpio::{Input, PC13};
use stm32g4xx_hal::independent_watchdog::IndependentWatchdog;
use stm32g4xx_hal::prelude::*;
use stm32g4xx_hal::pwr::{PwrExt, VoltageScale};
use stm32g4xx_hal::rcc::{Config, PllConfig, PllMDiv, PllNMul, PllRDiv, PllSrc};
use stm32g4xx_hal::stm32::Peripherals;
use stm32g4xx_hal::time::ExtU32;
use taut::control::supervisor::{Record, Telemetry, Watchdog};
use wiring::{Machine, wire};

mod wiring;

/// The processor's clock, Hz: 16 MHz of the chip's own oscillator, over 4 and times 85, over 2.
const FREQUENCY: u32 = 170_000_000;
const PLL: PllConfig =
    PllConfig { mux: PllSrc::HSI, m: PllMDiv::DIV_4, n: PllNMul::MUL_85, r: Some(PllRDiv::DIV_2), q: None, p: None };

/// What the interrupt works with.
struct Control {
    beat: SysTick,
    bench: Bench<Machine, PC13<Input>, Dog>,
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

#[exception]
fn SysTick() {
    systick::on_interrupt();
}

#[exception]
fn PendSV() {
    HANDOVER.with(|Control { beat, bench }| bench.tick(beat));
}

/// Linked and never run: all that the loop needs is unknown to the compiler, and none of what starts it is there.
#[cfg(feature = "no-panic")]
#[entry]
fn main() -> ! {
    // SAFETY: never run.
    unsafe { HANDOVER.give_unknown() };
    loop {}
}

#[cfg(not(feature = "no-panic"))]
#[entry]
fn main() -> ! {
    let (Some(device), Some(mut core)) = (Peripherals::take(), cortex_m::Peripherals::take()) else {
        fail("the peripherals are taken");
    };
    let power = device.PWR.constrain().vos(VoltageScale::Range1 { enable_boost: true }).freeze();
    let mut rcc = device.RCC.freeze(Config::pll().pll_cfg(PLL), power);
    let ports = (device.GPIOA, device.GPIOB, device.GPIOC);
    let (axes, button) = match wire(ports, (device.TIM1, device.TIM2, device.TIM3), &mut rcc) {
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

/// The program cannot go on; the core sleeps.
fn fail(reason: &str) -> ! {
    defmt::error!("{=str}", reason);
    loop {
        cortex_m::asm::wfi();
    }
}
