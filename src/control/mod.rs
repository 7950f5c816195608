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

mod actuated;
mod error;
mod feedforward;

pub use actuated::Actuated;
pub use error::{ControlError, Equation, Singularity};
pub use feedforward::{Feedforward, Reference};
