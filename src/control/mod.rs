//! How it is driven: servo constraints, which say what inputs a prescribed motion takes.
//!
//! An [`Actuated`] system is a [`Mechanical`](crate::system::Mechanical) one with inputs u and as many outputs s(q), and a servo
//! constraint makes its output follow a [trajectory](crate::trajectory) γ:
//!
//! ```text
//!     M q'' = f(t, q, v) + B(q) u − G(t, q)ᵀ λ,    0 = g(t, q),    s(q) = γ(t)
//! ```
//!
//! Solving that for u is inverse dynamics, a [`Feedforward`]: at each tick it gives the [`Reference`], how the system is to
//! move and the inputs that make it move so. A tracking controller adds what is needed because the model is not the plant.
//!
//! | feedforward | for | derivatives of γ | index |
//! |---|---|---|---|
//! | [`InverseDynamics`] | as many outputs as degrees of freedom: linkages, arms | 2 | 3, reduced to 1 |
//! | [`FlatInverse`] | fewer inputs than degrees of freedom, a [`Flat`] output: cranes, elastic joints | 4 | 5, reduced to 1 |
//! | [`ProjectedInverse`] | the same, in `f64`, with fewer derivatives | 3 | 5, reduced to 3 |
//!
//! Each states how many continuous derivatives it needs and refuses a trajectory that has fewer, at compile time where its kind
//! decides. The first two have no memory that could be wrong: their inputs are right at the first tick and after every
//! re-plan. A servo constraint of index 5 that is discretised as it stands is a backward difference of the fourth order:
//! thousands of newtons at the start, and noise of ε/h⁴.
//!
//! What cannot be done is said, not done: a target out of reach or too far from the last, a singular pose, a velocity or
//! an input above its limit, a rope that would have to push. Then everything is as it was before, see [`ControlError`].

mod actuated;
mod actuator;
mod bounds;
mod computed_torque;
mod controller;
mod course;
mod delay;
mod device;
mod error;
mod feedforward;
mod flat;
mod flat_inverse;
mod friction;
mod inverse_dynamics;
mod pid;
mod plant;
mod projected_inverse;
mod random;
mod sensed;
mod sensor;
mod tracking;

pub use actuated::Actuated;
pub use actuator::{Actuators, Clip};
pub use computed_torque::ComputedTorque;
pub use controller::{Controller, Target};
pub use delay::{Delay, LONGEST_DELAY};
pub use device::{DeviceError, Encoder, Machine, Motor, Wired};
pub use error::{ControlError, Equation, Singularity};
pub use feedforward::{Feedforward, Reference};
pub use flat::Flat;
pub use flat_inverse::FlatInverse;
pub use friction::Friction;
pub use inverse_dynamics::InverseDynamics;
pub use pid::{Gains, Pid};
pub use plant::{Plant, PlantError, Steps};
pub use projected_inverse::ProjectedInverse;
pub use random::Random;
pub use sensed::{Sensed, Shafts};
pub use sensor::Sensor;
pub use tracking::{Fault, LoopError, TickReport, Tracking, Watch};
