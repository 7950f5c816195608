//! What the examples share at the desk: the command line, a bar for long runs, tables of numbers, plots.
//!
//! Nothing of this runs on a microcontroller. The library does not know it; the examples, which do, depend on it on the host alone.

#![forbid(unsafe_code)]

#[cfg(feature = "methods")]
mod arguments;
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
#[cfg(feature = "methods")]
pub use method::{ANY_MASS, AnyMass, CONSTANT_MASS, ConstantMass, name_of};
#[cfg(feature = "methods")]
pub use progress::Progress;
#[cfg(feature = "methods")]
pub use run::{Node, doubles, run};
#[cfg(feature = "methods")]
pub use table::Table;

/// What an example comes back with.
pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;
