//! A linear system in Hessenberg form of index 3 whose constraint turns.

use nalgebra::{matrix, vector};
use taut::control::Hessenberg;
use taut::linalg::{Matrix, Vector};
use taut::scalar::Real;

/// z₁' = −0.1 z₁ − 2 z₂ + c u + (0, −1), z₂' = z₁, 0 = cᵀ z₂ − ρ with c = (cos t, sin t), ρ = 1 + 0.1 sin 3t.
#[derive(Clone, Copy, Debug)]
pub struct Turning;

impl Hessenberg<5, 3, 1> for Turning {
    type Base = f64;
    const SIZES: [usize; 3] = [2, 2, 1];

    fn matrix<E: Real<Base = f64>>(&self, t: E) -> Matrix<E, 5, 5> {
        let ((sin, cos), o, l) = (t.sin_cos(), E::zero(), E::one());
        let (damping, spring) = (E::constant(-0.1), E::constant(-2.0));
        matrix![
            damping, o, spring, o, cos;
            o, damping, o, spring, sin;
            l, o, o, o, o;
            o, l, o, o, o;
            o, o, cos, sin, o
        ]
    }

    fn input<E: Real<Base = f64>>(&self, t: E) -> Vector<E, 5> {
        let (o, radius) = (E::zero(), (t * 3.0).sin() * 0.1 + 1.0);
        vector![o, -E::one(), o, o, -radius]
    }
}
