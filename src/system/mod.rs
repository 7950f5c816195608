//! What you describe: masses, forces and constraints, written once, generic over the scalar.
//!
//! A [`Mechanical`] system is
//!
//! ```text
//!     q' = v
//!     M(q) v' = f(t, q, v) − G(t, q)ᵀ λ
//!     0 = g(t, q),            G = ∂g/∂q of the constraint as written
//! ```
//!
//! so that λ > 0 pulls against the gradient of the constraint: for a pendulum with g = (x² + y² − l²)/2, λ l is the tension
//! of the rod. When the mass depends on q, f contains the Coriolis and centrifugal terms.
//!
//! The Jacobian G, the time derivative g_t and the second-derivative terms of the acceleration constraint are computed automatically,
//! with [dual numbers and jets](crate::scalar). A hand-written Jacobian saves instructions; [`verify`] compares it with the automatic
//! one in your tests.
//!
//! Parts without mass need [`Massless`]. [`IndexThree`] is a more general form: multipliers need not act along the gradients of the constraint.
//! [`Serial`] is a mechanism of many elements, each tied to one before it: a chain, a tree or a ring through the ground, in linear time and
//! memory.
//! [`SemiExplicit`] is y' = f, 0 = g of index 1, 2 or both, and [`Implicit`] is M u' = F with a constant M that may be singular.

pub mod automatic;
mod equations;
mod implicit;
mod index_three;
mod mass;
mod massless;
mod mechanical;
mod parents;
mod pattern;
mod points;
mod semi_explicit;
pub(crate) mod serial;
mod verify;

pub use equations::Equations;
pub use implicit::Implicit;
pub use index_three::IndexThree;
pub(crate) use mass::is_its_own_inertia;
pub use mass::{ConstantMass, Diagonal, Full, Inertia, Mass, Uniform, Varying};
pub use massless::{Massless, Supported};
pub use mechanical::{InertiaOf, Mechanical};
pub use parents::Parents;
pub use pattern::Pattern;
pub use points::Points;
pub use semi_explicit::{MIXED, SemiExplicit};
pub(crate) use semi_explicit::{eliminate, mixed, subtract_row};
pub use serial::Serial;
pub use verify::{Claim, Discrepancy, verify};
