//! What a model and a program that steps it need, in one line: `use taut::prelude::*;`.
//!
//! | what | for |
//! |---|---|
//! | [`Mechanical`], [`Diagonal`], [`Uniform`], [`Points`], [`Full`], [`Varying`] | the model and its mass |
//! | [`Real`], [`Float`] | the scalar that its equations are written in |
//! | [`Vector`], [`Matrix`], `vector!`, `matrix!` | vectors and matrices of fixed size, and their literals |
//! | [`Clock`], [`Start`] | the step size, and a consistent state |
//! | [`Step`], [`Rattle`], [`RungeKutta4`] | the two methods that most programs use, and the trait of all methods |
//!
//! Everything else is imported by its module: [`control`](crate::control), [`supervise`](crate::supervise),
//! [`device`](crate::device), [`trajectory`](crate::trajectory), and the other methods of [`method`](crate::method).
//!
//! The prelude also exports the crate `nalgebra`, which the two macros name in their expansion. A crate that uses
//! this prelude needs no `nalgebra` among its own dependencies.

pub use nalgebra::{self, matrix, vector};

pub use crate::linalg::{Matrix, Vector};
pub use crate::method::{Rattle, RungeKutta4, Step};
pub use crate::scalar::{Float, Real};
pub use crate::start::{Clock, Start};
pub use crate::system::{Diagonal, Full, Mechanical, Points, Uniform, Varying};
