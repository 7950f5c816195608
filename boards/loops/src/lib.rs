//! The control loops that host and boards run unchanged, each with its simulated machine in the loop.
//!
//! | program | what it does | rate | for |
//! |---|---|---|---|
//! | [`five_bar`] | a five-bar linkage, its tip on a circle at two revolutions per second | 1 kHz | processors with an FPU |
//! | [`crane`] | an overhead crane, its load by 5 m and up by 3 m in 6 s, without a swing | 1 kHz | processors with an FPU |
//! | [`arm`] | an arm that swings about the horizontal once a second | 250 Hz | every processor |
//!
//! Each starts at rest some way off its path with brakes closed, finds out where it is, goes to where its path begins and follows it. A board
//! supplies what makes ticks, a counter, a watchdog and a way for the log, and nothing else:
//!
//! ```
//! use loops::{Options, five_bar};
//!
//! // Counts of a clock a tick, here 168 MHz at 1 kHz; and a clock that the ticks themselves advance.
//! let mut program = five_bar::program(Options::default(), 168_000)?;
//! for tick in 0..3_000_u32 {
//!     let mut clock = tick.wrapping_mul(168_000);
//!     let sample = program.tick(&mut clock, &mut ());
//!     assert_eq!(u64::from(tick), sample.tick);
//! }
//! let summary = program.summary();
//! assert_eq!((summary.faults, summary.skipped), (0, 0));
//! assert!(summary.running > 2_000 && summary.worst_error < 1e-4);
//! # Ok::<(), loops::Unusable>(())
//! ```
//!
//! [`Options`] say which fault is injected, when, and whether the loop starts again afterwards; [`matrix`] goes through all of them, in every
//! state of the loop.

#![no_std]

pub mod arm;
mod braked;
pub mod crane;
mod diverted;
pub mod five_bar;
pub mod matrix;
mod options;
mod rig;
mod sample;
mod unusable;

pub use braked::{Brake, Braked};
pub use diverted::{Detours, Divert, Route};
pub use options::{Inject, Options};
pub use rig::{Place, Rig};
pub use sample::{Sample, Summary};
pub use unusable::Unusable;
