//! A simulated machine, and what can be wrong with one: counts, noise, delays, friction.

mod delay;
mod friction;
mod machine;
mod random;
mod sensor;

pub use delay::{Delay, LONGEST_DELAY};
pub use friction::Friction;
pub use machine::{Plant, PlantError, Steps};
pub use random::Random;
pub use sensor::Sensor;
