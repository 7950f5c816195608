//! How a state starts, goes on and is restored, one claim a module.

mod assembly;
mod consistent_start;
mod implicit_start;
mod minimal;
mod pencil_index;
mod projection;
mod resume;
mod saved;
mod start;

use taut::scalar::Float;
use taut::start::Clock;

/// A kilohertz, from tick zero and time zero.
fn clock<T: Float>() -> Clock<T> {
    Clock::at_rate(T::from_f64(1_000.0)).unwrap()
}
