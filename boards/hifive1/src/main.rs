//! The arm in a control loop at 250 Hz, with a simulated machine and telemetry at 10 Hz. The loop runs in the timer's interrupt, and the
//! main program logs its samples.

#![no_std]
#![no_main]

use e310x::{Gpio0, Peripherals, Pmu};
use loops::{Run, Which, arm};
use riscv::interrupt::Interrupt;
use riscv::register::mepc;
use riscv_rt::{TrapFrame, core_interrupt, entry};
use runtime::{Firmware, OrSay, ResetCause, Setup};
use tick::{PERIOD, Tick};
use watchdog::Watchdog;

mod clock;
mod tick;
mod watchdog;

static FIRMWARE: Firmware<Tick, arm::Program, Watchdog, 16> = Firmware::new();

/// Runs the arm.
#[entry]
fn main() -> ! {
    FIRMWARE.run(switch_off, || {
        let device = Peripherals::take().ok_or("the peripherals are taken")?;
        reset_cause(&device.pmu).log();
        clock::start(&device.prci, &device.aonclk);
        let run = Run::asked("hifive1", &[Which::Arm])?;
        let program = arm::program(run.options, PERIOD).or_say("the program cannot be made")?;
        Ok(Setup { beat: Tick::start(), program, watchdog: watchdog::start(device.wdog), run: run.into() })
    })
}

#[core_interrupt(Interrupt::MachineTimer)]
fn machine_timer() {
    FIRMWARE.tick();
}

/// Handles the exceptions of the core by the names that `riscv-rt` gives them. Its common handler is an assembly symbol that LTO cannot
/// replace.
macro_rules! crash_on {
    ($($exception:ident)*) => {$(
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        extern "C" fn $exception(_: &TrapFrame) -> ! {
            runtime::crash(stringify!($exception), mepc::read() as u32)
        }
    )*};
}

crash_on! {
    InstructionMisaligned InstructionFault IllegalInstruction Breakpoint LoadMisaligned LoadFault StoreMisaligned StoreFault MachineEnvCall
}

/// Why the chip started (FE310-G002 manual, power-management unit). The next reset overwrites it, so there is nothing to clear.
fn reset_cause(unit: &Pmu) -> ResetCause {
    let cause = unit.pmucause().read();
    match (cause.wakeupcause().bits(), cause.resetcause().bits()) {
        (0, 0) => ResetCause::PowerOn,
        (0, 1) => ResetCause::Pin,
        (0, 2) => ResetCause::Watchdog,
        (1 | 2, _) => ResetCause::WakeUp,
        _ => ResetCause::Unknown,
    }
}

/// Makes every pin an input. The machine is simulated; on a bench, pull-downs at the bridges would switch the motors off.
fn switch_off() {
    // SAFETY: the program does not go on, so nothing else uses the pins.
    let pins = unsafe { &*Gpio0::ptr() };
    // SAFETY: every pin may be an input.
    pins.output_en().write(|w| unsafe { w.bits(0) });
}
