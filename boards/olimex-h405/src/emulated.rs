//! In the emulator: the machine is simulated, and the log and the exit code go to the host by semihosting.

#[cfg(not(feature = "no-panic"))]
use defmt_semihosting as _;
use heapless::spsc::Queue;
use loops::Sample;
#[cfg(feature = "no-panic")]
use panic_never as _;
use runtime::emulated::{Watchdog, asked};
use runtime::handover::Handover;
use runtime::main_loop::{conclude, show_all};
use runtime::once::Once;
use runtime::run::{Run, Which};
use runtime::session::{Any, Session};
use runtime::show;
use runtime::signals::Signals;
use runtime::systick::SysTick;
use semihosting::process::exit;
use stm32f4xx_hal::pac::{Peripherals, RCC};
use taut::control::supervisor::Telemetry;

use crate::clock::{self, FREQUENCY};

/// What the interrupt works with.
struct Control {
    beat: SysTick,
    session: Session<Any, Watchdog>,
}

static QUEUE: Once<Queue<Sample, 32>> = Once::new();
static CONTROL: Once<Control> = Once::new();
static HANDOVER: Handover<Control> = Handover::new();
static SIGNALS: Signals = Signals::new();

/// A release of the beat.
pub fn tick() {
    HANDOVER.with(|Control { beat, session }| session.tick(*beat));
}

/// Gives the interrupt something of which the compiler knows nothing, so that no path through the loop is left out.
#[cfg(feature = "no-panic")]
pub fn give_unknown() {
    // SAFETY: never run.
    unsafe { HANDOVER.give_unknown() };
}

/// Runs what is asked for to its end.
pub fn run(device: Peripherals, mut core: cortex_m::Peripherals) -> ! {
    clock::start(device.RCC);
    let Some(run) = asked(Run::of(Which::FiveBar)) else {
        fail("asked for what this board does not have");
    };
    let period = FREQUENCY / run.which.rate();
    let program = match Any::of(&run, period) {
        Ok(program) => program,
        Err(error) => {
            defmt::error!("{}", error);
            fail("the program cannot be made");
        }
    };
    let Some((producer, samples)) = QUEUE.fill(Queue::new()).map(Queue::split) else {
        fail("the queue is taken");
    };
    show::beginning("olimex-h405", &run);
    let session = Session::new(program, run, period, Watchdog, Telemetry::new(producer), &SIGNALS);
    let Some(beat) = SysTick::start(core.SYST, &mut core.SCB, FREQUENCY, run.which.rate()) else {
        fail("the clock cannot be divided down to the tick");
    };
    let Some(control) = CONTROL.fill(Control { beat, session }) else {
        fail("the program is taken");
    };
    HANDOVER.give(control);

    let end = show_all(samples, &run, &SIGNALS, cortex_m::asm::wfi);
    let concluded = HANDOVER.with(|Control { session, .. }| {
        conclude((session.summary(), session.dropped()), (end, &run), &SIGNALS, (FREQUENCY, period))
    });
    match concluded {
        Some(Ok(())) => exit(0),
        Some(Err(reason)) => fail(reason),
        None => fail("the interrupt has not returned"),
    }
}

/// QEMU's clock control never reports that the crystal and the PLL run, so the bits are set for it: the wait for them
/// would last for ever.
pub fn prepare_clock(rcc: &RCC) {
    // SAFETY: every bit pattern is valid in this register of the emulator; HSION, HSIRDY, HSERDY and PLLRDY with the
    // default trim.
    rcc.cr().write(|w| unsafe { w.bits(0x0202_0083) });
}

/// The program cannot go on.
pub fn fail(reason: &str) -> ! {
    defmt::error!("{=str}", reason);
    exit(1)
}

#[cfg(not(feature = "no-panic"))]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    defmt::error!("{}", defmt::Display2Format(info));
    exit(1)
}
