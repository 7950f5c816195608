//! A semi-explicit system of index 1 with a known solution.

use nalgebra::vector;
use taut::linalg::Vector;
use taut::scalar::Real;
use taut::system::SemiExplicit;

/// y = sin t + w, w = 1/(1 + t), z = w²: y' = cos t − z, and z from z + z³ = w² + w⁶.
pub struct IndexOne;

impl SemiExplicit<1, 1> for IndexOne {
    type Base = f64;
    const INDEX: usize = 1;

    fn rate<S: Real<Base = f64>>(&self, t: S, _y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        vector![t.cos() - z[0]]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        let square = (y[0] - t.sin()).powi(2);
        vector![z[0] + z[0].powi(3) - square - square.powi(3)]
    }
}
