//! Every method on the shared systems: on a machine, what a step costs; on this computer, how far off its results are.
//! `cargo xtask methods` makes one table of both.

mod combinations;
mod method;
mod problem;

#[cfg(target_os = "none")]
mod cost;
#[cfg(not(target_os = "none"))]
mod errors;

use taut::scalar::Float;

/// Prints the costs of all combinations in a precision, in readings of the counter.
#[cfg(target_os = "none")]
pub fn print<T: Float>() {
    use semihosting::println;

    use crate::measure;

    measure::counter::start();
    for (instructions, ticks) in measure::calibration() {
        println!("nops {instructions} {ticks}");
    }
    combinations::visit_all::<T>(&mut cost::Count::for_scalar::<T>());
}

/// Prints the errors of all combinations in a precision.
#[cfg(not(target_os = "none"))]
pub fn print<T: Float>() {
    combinations::visit_all::<T>(&mut errors::Compare::with_references());
}
