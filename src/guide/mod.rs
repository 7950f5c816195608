//! The guide: from the equations of a mechanism to a control loop on a board.
//!
//! Each page answers one question. The code is that of one machine, a slider-crank with a motor.
//!
//! | question | page |
//! |---|---|
//! | Which coordinates? | [`coordinates`] |
//! | How do I write the model? | as a list of parts: [`parts`](crate::parts); as equations: [`describe`] |
//! | Why do constraints drift, and why not here? | [`drift`] |
//! | How do I start? | [`start`] |
//! | How do I step? | [`step`] |
//! | Which method? | [`choose`] |
//! | Which index, and which initial values may be chosen? | [`indices`] |
//! | Which precision? | [`digits`] |
//! | How do I follow a path? | [`drive`] |
//! | How do I tune the controller? | [`tune`] |
//! | What does this error mean? | [`errors`] |
//! | How do I use it in a crate of my own, up to a loop on an emulated board? | [`own`] |
//! | How do I run it on a board of the repository? | [`flash`] |
//! | What does another board take? | [`port`] |
//! | How are instructions counted? | [`count`] |
//! | What gives the same bits everywhere? | [`bits`] |
//! | Which texts does it rest on, and where are they reproduced? | [`sources`] |
//!
//! `cargo test --doc` compiles every piece of Rust on these pages and runs all but two: the one that draws, and the firmware, which
//! `cargo xtask test --all` builds and runs in the emulator. `cargo xtask figures` draws the figures from runs of the library.

/// Which coordinates: those in which the equations are short.
///
#[doc = include_str!("figures/four_bars.svg")]
///
#[doc = include_str!("coordinates.md")]
pub mod coordinates {}

#[doc = include_str!("describe.md")]
#[doc = concat!("\n```\n", include_str!("slider_crank.rs"))]
#[doc = include_str!("describe_more.md")]
pub mod describe {}

/// Why constraints drift, and what projection does about it.
///
#[doc = include_str!("figures/drift.svg")]
///
#[doc = include_str!("drift.md")]
pub mod drift {}

#[doc = include_str!("start.md")]
pub mod start {}

#[doc = include_str!("step.md")]
pub mod step {}

/// Which method: by the step that your loop has, and by how long it runs.
///
#[doc = include_str!("figures/methods.svg")]
///
#[doc = include_str!("choose.md")]
#[doc = include_str!("../method/which.md")]
pub mod choose {}

#[doc = include_str!("indices.md")]
pub mod indices {}

/// Which precision: plain, compensated or precise.
///
#[doc = include_str!("figures/precision.svg")]
///
#[doc = include_str!("digits.md")]
pub mod digits {}

/// Drive: the machine follows a path, and stops safely where it cannot.
///
#[doc = include_str!("figures/drive.svg")]
///
#[doc = include_str!("drive.md")]
#[doc = concat!("\n```\n# include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/src/guide/slider_crank.rs\"));\n", include_str!("driven.rs"))]
#[doc = include_str!("drive_more.md")]
pub mod drive {}

/// Tune: one frequency for each motor, and the limits.
///
#[doc = include_str!("figures/tune.svg")]
///
#[doc = include_str!("tune.md")]
#[doc = include_str!("controllers.md")]
#[doc = include_str!("tune_more.md")]
pub mod tune {}

#[doc = include_str!("errors.md")]
pub mod errors {}

#[doc = include_str!("own.md")]
pub mod own {}

#[doc = include_str!("flash.md")]
pub mod flash {}

#[doc = include_str!("port.md")]
pub mod port {}

#[doc = include_str!("count.md")]
pub mod count {}

#[doc = include_str!("bits.md")]
pub mod bits {}

#[doc = include_str!("sources.md")]
pub mod sources {}
