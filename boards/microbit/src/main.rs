//! An arm in a control loop at 250 Hz, with its machine in the loop, and its telemetry at 10 Hz. The loop runs in the timer's
//! interrupt, and the main program shows what comes out of it.

#![no_std]
#![no_main]
#![cfg_attr(feature = "no-panic", allow(dead_code, unused_imports))]

use cortex_m::peripheral::NVIC;
use cortex_m_rt::entry;
use heapless::spsc::Queue;
use loops::{Sample, arm};
use nrf51_hal::pac::{self, interrupt};
use runtime::handover::Handover;
use runtime::main_loop::{conclude, show_all};
use runtime::once::Once;
use runtime::run::{Run, Which};
use runtime::session::Session;
use runtime::show;
use runtime::signals::Signals;
use taut::control::supervisor::Telemetry;
use tick::{FREQUENCY, Tick};

mod tick;

#[cfg_attr(not(feature = "hardware"), path = "emulated.rs")]
#[cfg_attr(feature = "hardware", path = "hardware.rs")]
mod platform;

/// Counts of the clock in a tick.
const PERIOD: u32 = FREQUENCY / arm::RATE;

/// What the interrupt works with.
struct Control {
    tick: Tick,
    session: Session<arm::Program, platform::Watchdog>,
}

static QUEUE: Once<Queue<Sample, 16>> = Once::new();
static CONTROL: Once<Control> = Once::new();
static HANDOVER: Handover<Control> = Handover::new();
static SIGNALS: Signals = Signals::new();

#[interrupt]
fn TIMER0() {
    HANDOVER.with(|Control { tick, session }| {
        if tick.is_due() {
            session.tick(tick.clock());
            tick.next();
        }
    });
}

/// Linked and never run: all that the loop needs is unknown to the compiler, and none of what starts it is there.
#[cfg(feature = "no-panic")]
#[entry]
fn main() -> ! {
    // SAFETY: never run.
    unsafe { HANDOVER.give_unknown() };
    platform::finish()
}

#[cfg(not(feature = "no-panic"))]
#[entry]
fn main() -> ! {
    let Some(device) = pac::Peripherals::take() else {
        platform::fail("the peripherals are taken");
    };
    let Some(run) = platform::asked(Run::of(Which::Arm)).filter(|run| run.which == Which::Arm) else {
        platform::fail("asked for what this board does not have");
    };
    let program = match arm::program(run.options, PERIOD) {
        Ok(program) => program,
        Err(error) => {
            defmt::error!("{}", error);
            platform::fail("the program cannot be made");
        }
    };
    let Some((producer, samples)) = QUEUE.fill(Queue::new()).map(Queue::split) else {
        platform::fail("the queue is taken");
    };
    show::beginning("microbit", &run);
    let watchdog = platform::watchdog(device.WDT);
    let session = Session::new(program, run, PERIOD, watchdog, Telemetry::new(producer), &SIGNALS);
    let tick = Tick::start(&device.CLOCK, device.TIMER0, PERIOD);
    let Some(control) = CONTROL.fill(Control { tick, session }) else {
        platform::fail("the program is taken");
    };
    HANDOVER.give(control);
    // SAFETY: the interrupt has all that it needs.
    unsafe { NVIC::unmask(pac::Interrupt::TIMER0) };

    let end = show_all(samples, &run, &SIGNALS, cortex_m::asm::wfi);
    NVIC::mask(pac::Interrupt::TIMER0);
    let concluded = HANDOVER.with(|Control { session, .. }| {
        conclude((session.summary(), session.dropped()), (end, &run), &SIGNALS, (FREQUENCY, PERIOD))
    });
    match concluded {
        Some(Ok(())) => platform::finish(),
        Some(Err(reason)) => platform::fail(reason),
        None => platform::fail("the interrupt has not returned"),
    }
}
