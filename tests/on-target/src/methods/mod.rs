//! Every method on the shared systems: on a machine, the cost of a step; on this computer, the errors of a run. `cargo xtask methods`
//! combines both in one table.

pub mod combinations;
pub mod problem;

#[cfg(target_os = "none")]
pub mod cost;
#[cfg(not(target_os = "none"))]
mod errors;

use taut::scalar::Float;

/// The precisions of the states.
#[derive(Clone, Copy, PartialEq)]
pub enum Precisions {
    /// Plain states.
    Plain,
    /// Plain and compensated states.
    PlainAndCompensated,
}

/// In single precision: plain states, and compensated states, which are the default.
#[inline]
pub fn print_single<const PART: usize>() {
    print::<f32, PART>(Precisions::PlainAndCompensated);
}

/// In double precision: plain states.
#[inline]
pub fn print_double<const PART: usize>() {
    print::<f64, PART>(Precisions::Plain);
}

/// Prints the costs of all combinations in a scalar, in ticks of the counter.
#[cfg(target_os = "none")]
fn print<T: Float, const PART: usize>(precisions: Precisions) {
    use crate::measure;

    measure::start();
    combinations::visit_all::<T, PART>(precisions, &mut cost::Count::for_scalar::<T>());
}

/// Prints the errors of all combinations in a scalar.
#[cfg(not(target_os = "none"))]
fn print<T: Float, const PART: usize>(precisions: Precisions) {
    combinations::visit_all::<T, PART>(precisions, &mut errors::Compare::with_references());
}
