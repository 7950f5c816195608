//! Test bodies that run alike on this computer and on emulated microcontrollers.
//!
//! [`bits`] holds what must come out the same everywhere, [`kernels`] what is counted. The programs in `src/bin` are built
//! and run by `cargo xtask bits`, `cargo xtask budget` and `cargo xtask test`.

#![no_std]

#[cfg(not(target_os = "none"))]
extern crate std;

pub mod advise;
pub mod bits;
pub mod digits;
pub mod general;
#[cfg(target_os = "none")]
pub mod hostile;
pub mod kernels;
pub mod kind;
pub mod methods;
pub mod program;
pub mod reach;

#[cfg(target_os = "none")]
pub mod measure;
