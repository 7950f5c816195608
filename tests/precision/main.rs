//! The digits that a state carries, and the accuracy that they give; one claim per module.

mod corners;
mod drift;
mod energy;
mod methods;
mod multipliers;
mod size;
mod time;

use taut::scalar::Float;
use taut::start::Clock;

/// A kilohertz, from tick zero and time zero.
fn clock<T: Float>() -> Clock<T> {
    Clock::at_rate(T::from_f64(1_000.0)).unwrap()
}
