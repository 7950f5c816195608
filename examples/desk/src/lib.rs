//! Shared by the examples: the command line, a progress bar, tables of numbers, plots.
//!
//! It runs on the host only. The library does not depend on it; the examples do, as a dev-dependency.

#![forbid(unsafe_code)]

#[cfg(feature = "methods")]
mod arguments;
#[cfg(feature = "parts")]
mod film;
#[cfg(feature = "methods")]
mod method;
pub mod plot;
#[cfg(feature = "methods")]
mod progress;
#[cfg(feature = "methods")]
mod run;
#[cfg(feature = "methods")]
mod table;

#[cfg(feature = "methods")]
pub use arguments::{About, Desk, main};
#[cfg(feature = "parts")]
pub use film::{Film, Sketch, motion};
#[cfg(feature = "methods")]
pub use method::ANY_MASS;
#[cfg(feature = "methods")]
pub use progress::Progress;
#[cfg(feature = "methods")]
pub use run::{Node, doubles, run};
#[cfg(feature = "methods")]
pub use table::Table;

/// The result of an example.
pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;
