//! Every method on the shared systems: on a machine, what a step costs; on this computer, how far off its results are.
//! `cargo xtask methods` makes one table of both.

pub mod combinations;
pub mod method;
pub mod problem;

#[cfg(target_os = "none")]
pub mod cost;
#[cfg(not(target_os = "none"))]
mod errors;

use taut::scalar::Float;

/// Which states are stepped.
#[derive(Clone, Copy, PartialEq)]
pub enum Precisions {
    /// Plain ones.
    Plain,
    /// Plain ones and compensated ones.
    PlainAndCompensated,
}

/// In single precision: plain states, and compensated ones, which are the default.
#[inline]
pub fn print_single() {
    print::<f32>(Precisions::PlainAndCompensated);
}

/// In double precision: plain states.
#[inline]
pub fn print_double() {
    print::<f64>(Precisions::Plain);
}

/// Prints the costs of all combinations in a scalar, in readings of the counter.
#[cfg(target_os = "none")]
fn print<T: Float>(precisions: Precisions) {
    use semihosting::println;

    use crate::measure;

    measure::counter::start();
    for (instructions, ticks) in measure::calibration() {
        println!("nops {instructions} {ticks}");
    }
    combinations::visit_all::<T>(precisions, &mut cost::Count::for_scalar::<T>());
}

/// Prints the errors of all combinations in a scalar.
#[cfg(not(target_os = "none"))]
fn print<T: Float>(precisions: Precisions) {
    combinations::visit_all::<T>(precisions, &mut errors::Compare::with_references());
}
