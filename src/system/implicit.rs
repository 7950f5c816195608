//! Differential-algebraic systems M u' = F(t, u) with a constant matrix M.

use crate::linalg::{Matrix, Vector};
use crate::scalar::{Float, Real};

/// M u' = F(t, u) with a constant M, which may be singular (Hairer, *Solving Differential Equations on Manifolds*, V, (0.1)).
///
/// If M is singular, it hides constraints: w M = 0 implies w F(t, u) = 0. If M is the identity above zero rows, this is the form of
/// [`SemiExplicit`](super::SemiExplicit). Every M has that form after a linear transformation, and methods commute with such
/// transformations (V, (1.7)–(1.10)).
///
/// ```
/// use nalgebra::{matrix, vector};
/// use taut::linalg::{Matrix, Vector};
/// use taut::scalar::Real;
/// use taut::system::Implicit;
///
/// /// A capacitor and a resistor in series at a voltage source: C (u₁' − u₂') = u₂/R, 0 = u₁ − cos t.
/// struct Circuit;
/// impl Implicit<2> for Circuit {
///     type Base = f64;
///     fn mass(&self) -> Matrix<f64, 2, 2> {
///         matrix![1e-3, -1e-3; 0.0, 0.0]
///     }
///     fn force<S: Real<Base = f64>>(&self, t: S, u: &Vector<S, 2>) -> Vector<S, 2> {
///         vector![u[1] / 100.0, u[0] - t.cos()]
///     }
/// }
/// ```
pub trait Implicit<const N: usize> {
    /// The plain float of parameters, states and results.
    type Base: Float;

    /// M.
    fn mass(&self) -> Matrix<Self::Base, N, N>;

    /// F(t, u).
    fn force<S: Real<Base = Self::Base>>(&self, t: S, u: &Vector<S, N>) -> Vector<S, N>;
}
