//! The end of a program that cannot go on: the motors get their safe output first, then the reason is logged, then the board waits for its
//! watchdog.
//!
//! A hard fault or a panic can come anywhere in the loop, so its handler cannot use the loop's motors. A board therefore gives the runtime
//! a function that writes the registers of the enable and PWM pins directly.

use core::cell::Cell;
#[cfg(feature = "emulated")]
use core::sync::atomic::{AtomicBool, Ordering};

use critical_section::Mutex;

use crate::platform;

/// A function that switches the motors off; `None` before the board has stored it.
type SwitchOff = Option<fn()>;

static SWITCH_OFF: Mutex<Cell<SwitchOff>> = Mutex::new(Cell::new(None));

/// Stores the function that switches the motors off. It must not need the state of the loop, and must not panic.
pub(crate) fn register(switch_off: fn()) {
    critical_section::with(|token| SWITCH_OFF.borrow(token).set(Some(switch_off)));
}

/// Switches the motors off; `false` if the board has not stored its function yet.
pub(crate) fn switch_off() -> bool {
    let stored = critical_section::with(|token| SWITCH_OFF.borrow(token).get());
    if let Some(switch_off) = stored {
        switch_off();
    }
    stored.is_some()
}

/// Switches the motors off, logs the reason and the address of the instruction, and waits for the watchdog. In the emulator it ends the
/// run. Call it in the handler of faults.
pub fn crash(what: &'static str, address: u32) -> ! {
    let off = switch_off();
    if platform::is_first_error() {
        defmt::error!("crash what={=str} address={=u32:08x} motors_off={=bool}", what, address, off);
    }
    #[cfg(feature = "emulated")]
    if EXPECTED.load(Ordering::Relaxed) {
        platform::end(Ok(()));
    }
    platform::end(Err(what))
}

/// Whether a trial caused the crash, so that it is no failure.
#[cfg(feature = "emulated")]
static EXPECTED: AtomicBool = AtomicBool::new(false);

/// Executes an undefined instruction, for a trial.
#[cfg(feature = "emulated")]
pub(crate) fn provoke() {
    EXPECTED.store(true, Ordering::Relaxed);
    // SAFETY: the instruction only causes a fault, whose handler does not return.
    unsafe {
        #[cfg(all(target_os = "none", target_arch = "arm"))]
        core::arch::asm!("udf #0");
        #[cfg(all(target_os = "none", target_arch = "riscv32"))]
        core::arch::asm!("unimp");
    }
}
