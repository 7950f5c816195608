//! The runtime of a control loop on a microcontroller, for any mechanism with any number of axes: the timer that releases the ticks, the
//! handover from the main program to the interrupt, the log, and the end of a run in the emulator.
//!
//! A firmware supplies a [`Beat`], a [`Program`] and a watchdog. [`Bench`] combines a supervisor and its machine into a program:
//!
//! ```ignore
//! type Machine = Wired<(Shoulder, Elbow, Wrist), (Bridge, Servo, Drive)>;
//! type Program = Bench<Loop, Machine, Panel<Button<Pin>, OtherPin>>;
//! runtime::on_systick!(Program, Dog, 32, set_up, switch_off);
//!
//! fn set_up() -> Result<Setup<SysTick, Program, Dog>, &'static str> {
//!     ResetCause::of(register, &TABLE).log();
//!     …
//!     let stop = StopContact::new(other_pin, PinState::Low, 1_000);
//!     let panel = Panel::new(Button::new(pin, PinState::High, 1_000), stop);
//!     let program = Bench::new(supervisor, Wired::new(encoders, motors), panel);
//!     let beat = SysTick::start(core.SYST, &mut core.SCB, 168_000_000, 1_000)?;
//!     Ok(Setup { beat, program, watchdog, run: Run::endless(100) })
//! }
//!
//! /// The safe output of the motors, for faults and panics.
//! fn switch_off() { /* writes the registers of the enable pins */ }
//! ```
//!
//! On a chip without SysTick, implement [`Beat`] for a timer, keep a [`Firmware`] in a static, call [`Firmware::run`] in the entry,
//! [`Firmware::tick`] in the timer's interrupt and [`crash`] in the handler of faults. `boards/hifive1` does this.
//!
//! The feature `emulated` or `hardware` selects the transport of the log and the effect of a panic. `no-panic` links only the loop, which
//! succeeds only if no panic is reachable from it. `boards` has six examples; `cargo xtask new`
//! makes a crate outside the repository.

#![cfg_attr(not(test), no_std)]

mod beat;
mod bench;
mod buttons;
mod crash;
mod firmware;
#[cfg(feature = "cortex-m")]
pub mod framed;
mod handover;
mod once;
#[cfg(target_os = "none")]
mod paint;
mod platform;
mod program;
mod reset;
mod run;
mod session;
mod signals;
#[cfg(feature = "cortex-m")]
pub mod systick;

pub use beat::Beat;
pub use bench::{AtOnce, Bench, Operator};
pub use buttons::{Button, Panel, StopContact};
pub use crash::crash;
pub use embedded_hal::digital::PinState;
pub use firmware::{Firmware, Setup};
pub use once::Once;
pub use platform::{OrSay, asked};
pub use program::{Program, Sample};
pub use reset::ResetCause;
pub use run::{Run, Trial};
