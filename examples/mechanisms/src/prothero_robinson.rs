//! A stiff equation with a smooth solution.

use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::scalar::Real;
use taut::system::Implicit;

/// Prothero and Robinson: y' = −κ (y − cos t) − sin t, κ = 10⁶.
pub struct ProtheroRobinson;

impl Implicit<1> for ProtheroRobinson {
    type Base = f64;

    fn mass(&self) -> Matrix<f64, 1, 1> {
        matrix![1.0]
    }
    fn force<S: Real<Base = f64>>(&self, t: S, u: &Vector<S, 1>) -> Vector<S, 1> {
        let (sin, cos) = t.sin_cos();
        vector![(u[0] - cos) * -1e6 - sin]
    }
}
