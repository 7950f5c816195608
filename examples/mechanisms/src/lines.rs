//! Linear constraints, which may repeat or contradict each other.

use nalgebra::vector;
use taut::linalg::Vector;
use taut::scalar::Real;
use taut::system::{Diagonal, Mechanical};

/// Any number of linear constraints on two coordinates under the force (1, 2): rows (a, b, c, d) stand for a x + b y = c + d t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lines<const M: usize> {
    /// The constraints.
    pub rows: [[f64; 4]; M],
    /// The mass of each coordinate.
    pub masses: [f64; 2],
}

impl<const M: usize> Mechanical<2, M> for Lines<M> {
    type Base = f64;
    type Mass = Diagonal<f64, 2>;

    fn mass(&self) -> Diagonal<f64, 2> {
        Diagonal::new(self.masses)
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![S::from(1.0), S::from(2.0)]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 2>) -> Vector<S, M> {
        Vector::from_fn(|i, _| {
            let [a, b, c, d] = self.rows[i];
            q.x * a + q.y * b - c - t * d
        })
    }
}
