//! Differential-algebraic systems with a constant matrix before the derivative.

use crate::linalg::{Matrix, Vector};
use crate::scalar::{Float, Real};

/// M u' = F(t, u) with a constant M, which may be singular (Hairer, *Solving Differential Equations on Manifolds*, V, (0.1)).
///
/// The rows of M that depend on others hide constraints: with w M = 0 follows w F(t, u) = 0. Where M is the identity above
/// zeros, this is the form of [`SemiExplicit`](super::SemiExplicit); every M is that up to a linear transformation, under which
/// methods are invariant (V, (1.7)–(1.10)).
///
/// ```
/// use nalgebra::{matrix, vector};
/// use taut::linalg::{Matrix, Vector};
/// use taut::scalar::Real;
/// use taut::system::Implicit;
///
/// /// A capacitor behind a resistor, as nodes are written down: C (u₁' − u₂') = −u₂/R, 0 = u₁ − cos t.
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
