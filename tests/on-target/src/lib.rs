//! Test bodies that run both on this computer and on emulated microcontrollers.
//!
//! [`bits`] has the results that must be the same on every machine, [`kernels`] the functions whose instructions are counted.
//! `cargo xtask bits`, `cargo xtask budget` and `cargo xtask test` build and run the programs in `src/bin`.

#![no_std]

#[cfg(not(target_os = "none"))]
extern crate std;

pub mod advise;
pub mod bits;
pub mod digits;
pub mod general;
pub mod globe;
#[cfg(target_os = "none")]
pub mod hostile;
pub mod in_space;
pub mod index;
pub mod kernels;
pub mod kind;
pub mod methods;
pub mod program;
pub mod reach;

#[cfg(target_os = "none")]
pub mod measure;
