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
use nrf52840_hal::Clocks;
use nrf52840_hal::gpio::{Input, Pin, PullUp};
use nrf52840_hal::pac::{PWM0, Peripherals};
use nrf52840_hal::pwm::Pwm;
use nrf52840_hal::wdt::handles::Hdl0;
use nrf52840_hal::wdt::{self, WatchdogHandle, count};
#[cfg(feature = "no-panic")]
use panic_never as _;
#[cfg(not(feature = "no-panic"))]
use panic_probe as _;
use runtime::bench::{Bench, PinState, show_all};
use runtime::handover::Handover;
use runtime::once::Once;
use runtime::systick::{self, SysTick};
use taut::control::supervisor::{Record, Telemetry, Watchdog};
use wiring::{FREQUENCY, Machine, wire};

mod wiring;

/// What makes the pulses of both motors.
static PULSES: Once<Pwm<PWM0>> = Once::new();

/// What the interrupt works with.
struct Control {
    beat: SysTick,
    bench: Bench<Machine, Pin<Input<PullUp>>, Dog>,
}

// SAFETY: the two motors share what makes their pulses, and go to the interrupt together.
unsafe impl Send for Control {}

static QUEUE: Once<Queue<Record<f32, 2, 2>, 32>> = Once::new();
static CONTROL: Once<Control> = Once::new();
static HANDOVER: Handover<Control> = Handover::new();

/// The chip's watchdog, which resets it 25 ms after its last meal.
struct Dog(WatchdogHandle<Hdl0>);

/// The same in cycles of its clock of 32,768 Hz.
const STARVED: u32 = 819;

impl Watchdog for Dog {
    fn feed(&mut self) {
        self.0.pet();
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
    Clocks::new(device.CLOCK).enable_ext_hfosc();
    let Some(pulses) = PULSES.fill(Pwm::new(device.PWM0)) else {
        fail("the pulses are taken");
    };
    let (axes, button) = match wire((device.P0, device.P1), pulses, (device.SPIM2, device.SPIM3)) {
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
    let Ok(mut watchdog) = wdt::Watchdog::try_new(device.WDT) else {
        fail("the watchdog runs already");
    };
    watchdog.set_lfosc_ticks(STARVED);
    let watchdog = watchdog.activate::<count::One>().handles.0;
    let bench = Bench::new(control, axes, (button, PinState::Low), Dog(watchdog), Telemetry::new(producer));
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
