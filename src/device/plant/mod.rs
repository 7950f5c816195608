//! A simulated machine with counts, noise, delays and friction.

mod delay;
mod friction;
mod machine;
mod random;
mod sensor;

pub use delay::LONGEST_DELAY;
pub use friction::Friction;
pub use machine::{Plant, PlantError, PlantFor, Simulated};
pub use sensor::Sensor;
