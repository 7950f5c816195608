//! The platform of a firmware, emulator or board: the transport of the log, the effect of a panic, the arguments, and the end of a run.

use core::sync::atomic::{AtomicBool, Ordering};

#[cfg(all(feature = "hardware", not(feature = "no-panic")))]
use defmt_rtt as _;
#[cfg(all(feature = "emulated", not(feature = "no-panic")))]
use defmt_semihosting as _;
#[cfg(feature = "no-panic")]
use panic_never as _;

/// Applies each argument of the program to `run` with `with`; `None` if `with` refuses one. A board has no arguments.
pub fn asked<R>(run: R, with: impl Fn(R, &str) -> Option<R>) -> Option<R> {
    #[cfg(feature = "emulated")]
    {
        let words = semihosting::experimental::env::args::<128>().ok()?;
        (&words).skip(1).try_fold(run, |run, word| with(run, word.ok()?))
    }
    #[cfg(not(feature = "emulated"))]
    {
        let _ = with;
        Some(run)
    }
}

/// Logs an error and replaces it by a text.
pub trait OrSay<R> {
    /// Logs the error and returns `what` instead.
    fn or_say(self, what: &'static str) -> Result<R, &'static str>;
}

impl<R, E: defmt::Format> OrSay<R> for Result<R, E> {
    fn or_say(self, what: &'static str) -> Result<R, &'static str> {
        self.map_err(|error| {
            defmt::error!("{}", error);
            what
        })
    }
}

/// Waits for an interrupt. A pending interrupt ends the wait even if it is masked.
///
/// A board does not sleep: the cycle counter that judges the ticks stops in the sleep of most chips.
pub(crate) fn sleep() {
    // SAFETY: this instruction of both architectures only waits.
    #[cfg(all(target_os = "none", feature = "emulated"))]
    unsafe {
        core::arch::asm!("wfi", options(nomem, nostack, preserves_flags));
    }
    #[cfg(not(feature = "emulated"))]
    core::hint::spin_loop();
}

/// Whether no error has been logged yet. A fault while an error is logged must not log again.
pub(crate) fn is_first_error() -> bool {
    static LOGGED: AtomicBool = AtomicBool::new(false);
    let first = !LOGGED.load(Ordering::Relaxed);
    LOGGED.store(true, Ordering::Relaxed);
    first
}

/// Ends the program, with success or with an error. The motors are switched off first. On a board the core waits until the watchdog resets
/// it.
pub(crate) fn end(result: Result<(), &'static str>) -> ! {
    crate::crash::switch_off();
    if let Err(reason) = result
        && is_first_error()
    {
        defmt::error!("{=str}", reason);
    }
    #[cfg(feature = "emulated")]
    semihosting::process::exit(i32::from(result.is_err()));
    #[cfg(not(feature = "emulated"))]
    loop {
        sleep();
    }
}

#[cfg(all(target_os = "none", not(feature = "no-panic"), any(feature = "emulated", feature = "hardware")))]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    let off = crate::crash::switch_off();
    if is_first_error() {
        defmt::error!("{} motors_off={=bool}", defmt::Display2Format(info), off);
    }
    end(Err("panic"))
}

/// A logger that does nothing, for firmware that is linked and never run.
#[cfg(feature = "no-panic")]
mod silent {
    #[defmt::global_logger]
    struct Silent;

    // SAFETY: it writes nothing, so concurrent calls do not interfere.
    unsafe impl defmt::Logger for Silent {
        fn acquire() {}

        unsafe fn flush() {}

        unsafe fn release() {}

        unsafe fn write(_: &[u8]) {}
    }
}
