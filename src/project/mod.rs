//! How it stays: projections onto the constraints. Each can be used with any integrator.
//!
//! | function | onto | source |
//! |---|---|---|
//! | [`Projection::onto_positions`] | g(t, q) = 0 | Hairer & Wanner VII.2, (2.10) |
//! | [`Projection::onto_velocities`] | G v + g_t = 0 | (2.11) |
//! | [`onto_invariant`] | φ(y) = 0, an invariant of an ODE y' = f(y) | (2.12)–(2.13) |
//! | [`onto_orthogonal`] | Xᵀ X = 1, the nearest | Hairer, *Solving Differential Equations on Manifolds*, III.1 |
//! | [`onto_determinant`] | det Y = d | the same, example 1.2 |
//!
//! [`MinimalCoordinates`] are the independent ones among the coordinates, with the tangent basis, the reduced mass and force: for
//! observers, regulators and linearisations.
//!
//! The corrections of positions and velocities are the smallest in the metric of the mass matrix, so they do not depend on the choice of
//! coordinates.

mod geometry;
mod invariant;
mod matrix;
pub mod minimal;
pub mod projection;
pub mod residual;
pub(crate) mod serial;
mod structure;

pub(crate) use geometry::row_limits;
pub use geometry::{Correction, Geometry};
pub use invariant::{Invariant, OnManifold, onto_invariant};
pub(crate) use matrix::check_rotation;
pub use matrix::{onto_determinant, onto_orthogonal};
pub use minimal::MinimalCoordinates;
pub(crate) use minimal::{choose, diagonal, immobile};
pub use projection::Projection;
pub(crate) use residual::{LIMIT_RANGE, check_limit, within, within_times};
pub use residual::{Level, ProjectError, Residual};
pub(crate) use structure::{add_along, along};
