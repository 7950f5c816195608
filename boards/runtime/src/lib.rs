//! What surrounds a control loop of [`loops`] on every board: the beat that releases its ticks, the handover from the main program to
//! the interrupt, what is shown of it, and the axes that it is wired to.

#![no_std]

pub mod axes;
pub mod bench;
#[cfg(feature = "emulated")]
pub mod emulated;
#[cfg(feature = "cortex-m")]
pub mod framed;
pub mod handover;
pub mod main_loop;
pub mod once;
#[cfg(target_os = "none")]
pub mod paint;
pub mod run;
#[cfg(target_os = "none")]
pub mod session;
pub mod show;
pub mod signals;
#[cfg(feature = "silent")]
mod silent;
#[cfg(feature = "cortex-m")]
pub mod systick;
