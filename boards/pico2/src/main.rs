//! A five-bar linkage at 1 kHz, with motors and encoders. The loop runs in an interrupt that SysTick asks for, and the main program shows what
//! comes out of it. Linked in the tests, never run there.

#![no_std]
#![no_main]
#![cfg_attr(feature = "no-panic", allow(dead_code, unused_imports))]

use cortex_m_rt::exception;
#[cfg(not(feature = "no-panic"))]
use defmt_rtt as _;
use heapless::spsc::Queue;
use loops::five_bar;
#[cfg(feature = "no-panic")]
use panic_never as _;
#[cfg(not(feature = "no-panic"))]
use panic_probe as _;
use rp235x_hal::block::ImageDef;
use rp235x_hal::clocks::init_clocks_and_plls;
use rp235x_hal::fugit::ExtU32;
use rp235x_hal::gpio::Pins;
use rp235x_hal::pac::Peripherals;
use rp235x_hal::{Clock, Sio, entry, watchdog};
use runtime::bench::{Bench, PinState, show_all};
use runtime::handover::Handover;
use runtime::once::Once;
use runtime::systick::{self, SysTick};
use taut::control::supervisor::{Record, Telemetry, Watchdog};
use wiring::{Button, Machine, wire};

mod wiring;

/// Tells the boot ROM what this is.
#[unsafe(link_section = ".start_block")]
#[used]
static IMAGE: ImageDef = ImageDef::secure_exe();

/// The board's crystal, Hz.
const CRYSTAL: u32 = 12_000_000;
/// The processor's clock, Hz, as the HAL makes it of that.
const FREQUENCY: u32 = 150_000_000;

/// What the interrupt works with.
struct Control {
    beat: SysTick,
    bench: Bench<Machine, Button, Dog>,
}

static QUEUE: Once<Queue<Record<f32, 2, 2>, 32>> = Once::new();
static CONTROL: Once<Control> = Once::new();
static HANDOVER: Handover<Control> = Handover::new();

/// The chip's watchdog, which resets it 25 ms after its last meal.
struct Dog(watchdog::Watchdog);

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
    let (Some(mut device), Some(mut core)) = (Peripherals::take(), cortex_m::Peripherals::take()) else {
        fail("the peripherals are taken");
    };
    let mut watchdog = watchdog::Watchdog::new(device.WATCHDOG);
    let plls = (device.PLL_SYS, device.PLL_USB);
    let Ok(clocks) =
        init_clocks_and_plls(CRYSTAL, device.XOSC, device.CLOCKS, plls.0, plls.1, &mut device.RESETS, &mut watchdog)
    else {
        fail("the crystal does not swing");
    };
    let pins = Pins::new(device.IO_BANK0, device.PADS_BANK0, Sio::new(device.SIO).gpio_bank0, &mut device.RESETS);
    let buses = (device.I2C0, device.I2C1);
    let (axes, button) = match wire(pins, device.PWM, buses, &mut device.RESETS, clocks.system_clock.freq()) {
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
    watchdog.start(25.millis());
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
