//! A bead on a wire that turns.

use nalgebra::vector;
use taut::linalg::Vector;
use taut::scalar::Real;
use taut::system::{Diagonal, Mechanical};

/// A bead of 2 kg on a straight wire through the origin that turns with 3 rad/s: g = y cos 3t − x sin 3t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bead;

impl Mechanical<2, 1> for Bead {
    type Base = f64;
    type Mass = Diagonal<f64, 2>;

    fn mass(&self) -> Diagonal<f64, 2> {
        Diagonal::new([2.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        Vector::zeros()
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        let (sin, cos) = (t * 3.0).sin_cos();
        vector![q.y * cos - q.x * sin]
    }
}
