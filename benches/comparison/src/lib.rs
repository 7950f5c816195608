//! Makes tables and a plot from the output of the programs that `cargo xtask compare` runs.

#![forbid(unsafe_code)]

mod curves;
mod document;
mod linkages;
mod picture;
mod results;

pub use document::{instructions, written};
pub use picture::work_and_precision;
pub use results::{Point, Results, Turn};
