#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

#[cfg(any(test, feature = "std"))]
extern crate std;

pub mod linalg;
pub mod method;
pub mod project;
pub mod scalar;
pub mod start;
pub mod system;
