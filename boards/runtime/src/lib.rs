//! The runtime of a control loop on a microcontroller, for any mechanism with any number of axes: the timer that releases the ticks, the
//! handover from the main program to the interrupt, the log, and the end of a run in the emulator.
//!
//! A firmware supplies a [`Beat`], a [`Program`] and a watchdog. [`Bench`] combines a supervisor and its machine into a program:
//!
//! ```ignore
//! type Machine = Wired<(Shoulder, Elbow, Wrist), (Bridge, Servo, Drive)>;
//! type Program = Bench<Loop, Machine, Button<Pin>>;
//! runtime::on_systick!(Program, Dog, 32, set_up);
//!
//! fn set_up() -> Result<Setup<SysTick, Program, Dog>, &'static str> {
//!     …
//!     let beat = SysTick::start(core.SYST, &mut core.SCB, 168_000_000, 1_000)?;
//!     let program = Bench::new(supervisor, Wired::new(encoders, motors), Button::new(pin, PinState::High));
//!     Ok(Setup { beat, program, watchdog, run: Run::endless(100) })
//! }
//! ```
//!
//! On a chip without SysTick, implement [`Beat`] for a timer, keep a [`Firmware`] in a static, call [`Firmware::run`] in the entry and
//! [`Firmware::tick`] in the timer's interrupt. `boards/hifive1` does this.
//!
//! The feature `emulated` or `hardware` selects the transport of the log and the effect of a panic. `no-panic` links only the loop, which
//! succeeds only if no panic is reachable from it. `boards` has six examples; `tests/outside` shows a crate outside the repository.

#![no_std]

mod beat;
mod bench;
mod firmware;
#[cfg(feature = "cortex-m")]
pub mod framed;
mod handover;
mod once;
#[cfg(target_os = "none")]
mod paint;
mod platform;
mod program;
mod run;
mod session;
mod signals;
#[cfg(feature = "cortex-m")]
pub mod systick;

pub use beat::Beat;
pub use bench::{AtOnce, Bench, Button, Operator};
pub use embedded_hal::digital::PinState;
pub use firmware::{Firmware, Setup};
pub use once::Once;
pub use platform::{OrSay, asked};
pub use program::{Program, Sample};
pub use run::{Run, Trial};
