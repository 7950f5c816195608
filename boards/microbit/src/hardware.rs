//! On the bench: the log goes to the probe by RTT, which also shows a panic.

#[cfg(not(feature = "no-panic"))]
use defmt_rtt as _;
use nrf51_hal::pac::WDT;
#[cfg(feature = "no-panic")]
use panic_never as _;
#[cfg(not(feature = "no-panic"))]
use panic_probe as _;
use runtime::run::Run;
use taut::control::supervisor;

/// The chip's watchdog.
pub struct Watchdog(WDT);

impl supervisor::Watchdog for Watchdog {
    fn feed(&mut self) {
        self.0.rr[0].write(|w| w.rr().reload());
    }
}

/// Starts the watchdog, which resets the chip 100 ms after its last meal; its clock of 32,768 Hz starts with it.
pub fn watchdog(watchdog: WDT) -> Watchdog {
    // SAFETY: a count and a task.
    unsafe {
        watchdog.crv.write(|w| w.bits(3_277));
        watchdog.rren.write(|w| w.rr0().enabled());
        watchdog.tasks_start.write(|w| w.bits(1));
    }
    Watchdog(watchdog)
}

/// What is built in.
pub fn asked(run: Run) -> Option<Run> {
    Some(run)
}

/// The program has done its work; the core sleeps until the watchdog starts it anew.
pub fn finish() -> ! {
    sleep()
}

/// The program cannot go on; the core sleeps.
pub fn fail(reason: &str) -> ! {
    defmt::error!("{=str}", reason);
    sleep()
}

fn sleep() -> ! {
    loop {
        cortex_m::asm::wfi();
    }
}
