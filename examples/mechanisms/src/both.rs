//! A system with a constraint of index 1 and one of index 2: g_z has constant rank, but is not regular (Hairer & Wanner VII.1, (1.13) and
//! (1.15)).

use nalgebra::vector;
use taut::linalg::Vector;
use taut::scalar::Real;
use taut::system::{MIXED, SemiExplicit};

/// y₁' = z₁ + z₂² − y₂, y₂' = z₂ − y₁; 0 = y₁ − sin t − (y₂ − cos t)/3 (index 2, z₁ is hidden), 0 = z₂ + z₂³/5 − p(t) − y₂ (index 1).
///
/// With p chosen so that z₂ = cos 2t and y₂ solves its equation for y₁ = sin t + (y₂ − cos t)/3. `mix` adds the rows to each other.
#[derive(Clone, Copy, Debug)]
pub struct Both {
    /// The rows of g as combinations of both constraints.
    pub mix: [[f64; 2]; 2],
    /// What is added to the constraint of index 2.
    pub broken: f64,
}

/// y₂ = cos t + a(t) with z₂ = cos 2t: y₂' = z₂ − y₁ gives a' = sin t + cos 2t − sin t − a/3, so a' = cos 2t − a/3.
fn a<S: Real<Base = f64>>(t: S) -> S {
    let third = 1.0 / 3.0;
    ((t * 2.0).cos() * third + (t * 2.0).sin() * 2.0) / (4.0 + third * third)
}

impl Both {
    /// y and z.
    pub fn exact(t: f64) -> [f64; 4] {
        let (y2, z2) = (Real::cos(t) + a(t), Real::cos(2.0 * t));
        let y1 = Real::sin(t) + a(t) / 3.0;
        let slope = Real::cos(t) + (z2 - a(t) / 3.0) / 3.0;
        [y1, y2, slope - z2 * z2 + y2, z2]
    }
}

impl SemiExplicit<2, 2> for Both {
    type Base = f64;
    const INDEX: usize = MIXED;

    fn rate<S: Real<Base = f64>>(&self, _t: S, y: &Vector<S, 2>, z: &Vector<S, 2>) -> Vector<S, 2> {
        vector![z[0] + z[1] * z[1] - y[1], z[1] - y[0]]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 2>, z: &Vector<S, 2>) -> Vector<S, 2> {
        let path = y[0] - t.sin() - (y[1] - t.cos()) / 3.0 + self.broken;
        let given = |z: S, y: S| z + z * z * z * 0.2 - y;
        let law = given(z[1], y[1]) - given((t * 2.0).cos(), t.cos() + a(t));
        let [first, second] = self.mix;
        vector![path * first[0] + law * first[1], path * second[0] + law * second[1]]
    }
}
