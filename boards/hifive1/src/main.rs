//! An arm in a control loop at 250 Hz, with its machine in the loop, and its telemetry at 10 Hz. The loop runs in the timer's
//! interrupt, and the main program shows what comes out of it.

#![no_std]
#![no_main]
#![cfg_attr(feature = "no-panic", allow(dead_code, unused_imports))]

use core::num::NonZero;

use e310x::{CLINT, Peripherals};
use heapless::spsc::Queue;
use loops::{Sample, arm};
use platform::FREQUENCY;
use riscv::interrupt::Interrupt;
use riscv_rt::{core_interrupt, entry};
use runtime::handover::Handover;
use runtime::main_loop::{conclude, show_all};
use runtime::once::Once;
use runtime::run::{Run, Which};
use runtime::session::Session;
use runtime::show;
use runtime::signals::Signals;
use taut::control::supervisor::Telemetry;
use tick::Tick;

mod clock;
mod tick;

#[cfg_attr(not(feature = "hardware"), path = "emulated.rs")]
#[cfg_attr(feature = "hardware", path = "hardware.rs")]
mod platform;

/// Ticks a second.
const RATE: NonZero<u64> = NonZero::new(arm::RATE as u64).expect("ticks");

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

#[core_interrupt(Interrupt::MachineTimer)]
fn machine_timer() {
    HANDOVER.with(|Control { tick, session }| {
        if let Some(clock) = tick.clock() {
            session.tick(clock);
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

/// Starts the loop and shows what comes out of it.
#[cfg(not(feature = "no-panic"))]
#[entry]
fn main() -> ! {
    let Some(device) = Peripherals::take() else {
        platform::fail("the peripherals are taken");
    };
    clock::start(&device.prci, &device.aonclk);
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
    show::beginning("hifive1", &run);
    let watchdog = platform::watchdog(device.wdog);
    let session = Session::new(program, run, PERIOD, watchdog, Telemetry::new(producer), &SIGNALS);
    let tick = Tick::start(RATE);
    let Some(control) = CONTROL.fill(Control { tick, session }) else {
        platform::fail("the program is taken");
    };
    HANDOVER.give(control);
    // SAFETY: the interrupt has all that it needs.
    unsafe {
        CLINT::mtimer_enable();
        riscv::interrupt::enable();
    }

    let end = show_all(samples, &run, &SIGNALS, riscv::asm::wfi);
    CLINT::mtimer_disable();
    let concluded = HANDOVER.with(|Control { session, .. }| {
        conclude((session.summary(), session.dropped()), (end, &run), &SIGNALS, (FREQUENCY, PERIOD))
    });
    match concluded {
        Some(Ok(())) => platform::finish(),
        Some(Err(reason)) => platform::fail(reason),
        None => platform::fail("the interrupt has not returned"),
    }
}
