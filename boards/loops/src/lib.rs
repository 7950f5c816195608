//! The control loops that host and boards run unchanged, each with its simulated machine in the loop.
//!
//! | program | what it does | rate | for |
//! |---|---|---|---|
//! | [`five_bar`] | a five-bar linkage, its tip on a circle at two revolutions per second | 1 kHz | processors with an FPU |
//! | [`crane`] | an overhead crane, its load by 5 m and up by 3 m in 6 s, without a swing | 1 kHz | processors with an FPU |
//! | [`arm`] | an arm that swings about the horizontal once a second | 250 Hz | every processor |
//!
//! Your own [`machine`] is a list of parts, a path and limits.
//!
//! Each machine starts at rest off its path, with closed brakes. The loop finds its pose, goes to where the path begins and follows it. A
//! board supplies the ticks, a counter, a watchdog and a log:
//!
//! ```
//! use loops::{Options, five_bar};
//!
//! // 168,000 counts per tick, as with 168 MHz at 1 kHz. Here the ticks advance the clock.
//! let mut program = five_bar::program(Options::default(), 168_000)?;
//! for tick in 0..3_000_u32 {
//!     let mut clock = tick.wrapping_mul(168_000);
//!     let sample = program.tick(&mut clock, &mut ());
//!     assert_eq!(u64::from(tick), sample.tick);
//! }
//! let summary = program.summary();
//! assert_eq!((summary.faults, summary.timing.skipped), (0, 0));
//! assert!(summary.running > 2_000 && summary.worst_error < 1e-4);
//! # Ok::<(), loops::Unusable>(())
//! ```
//!
//! [`Options`] select the injected fault, its time, and whether the loop starts again afterwards; `matrix` tries every fault in every state
//! of the loop. Both need the feature `inject`, which is on by default; firmware for boards does not have it.

#![no_std]

pub mod arm;
mod around;
mod braked;
pub mod crane;
#[cfg(feature = "firmware")]
mod firmware;
pub mod five_bar;
#[cfg(feature = "inject")]
mod injected;
pub mod machine;
#[cfg(feature = "inject")]
pub mod matrix;
mod options;
mod rig;
mod sample;
mod unusable;

pub use braked::{Brake, Braked, Place, Simulation};
#[cfg(feature = "firmware")]
pub use firmware::{Any, Facts, Run, Which};
#[cfg(feature = "inject")]
pub use injected::Divert;
#[cfg(feature = "inject")]
pub use options::Inject;
pub use options::{Detours, Options};
pub use rig::{Path, Rig};
pub use sample::{Sample, Summary};
pub use unusable::{OutOfReach, Unusable};
