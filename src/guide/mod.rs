//! The guide: from an own mechanism to a board that drives it.
//!
//! One machine goes through all pages, a slider-crank with a motor: [`describe`] it, [`start`] it, [`step`] it, [`drive`] it along a path,
//! [`flash`] it. Beside the way lie the questions that come up on it: [a crate of your own](own), [which method](choose), [how many digits](digits), [what an
//! error means](errors), what [another board](port) takes.
//!
//! Every piece of Rust on these pages is compiled by `cargo test`, and run, but for the one that draws. Every figure is made by a command of the repository,
//! which stands beside it.

#[doc = include_str!("describe.md")]
#[doc = concat!("\n```\n", include_str!("slider_crank.rs"))]
#[doc = include_str!("describe_more.md")]
pub mod describe {}

#[doc = include_str!("start.md")]
pub mod start {}

#[doc = include_str!("step.md")]
pub mod step {}

#[doc = include_str!("drive.md")]
pub mod drive {}

#[doc = include_str!("flash.md")]
pub mod flash {}

#[doc = include_str!("own.md")]
pub mod own {}

#[doc = include_str!("choose.md")]
pub mod choose {}

#[doc = include_str!("digits.md")]
pub mod digits {}

#[doc = include_str!("errors.md")]
pub mod errors {}

#[doc = include_str!("port.md")]
pub mod port {}
