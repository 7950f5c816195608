//! Problem 5.1 of Arévalo's paper on numerically consistent initial values.

use nalgebra::vector;
use taut::linalg::Vector;
use taut::scalar::{Float, Real};
use taut::system::{Diagonal, Mechanical};

/// u' = 2y − x λ, v' = −2x − y λ on the unit circle, constraint (x² + y² − 1)/2: x = sin (1 + t)², y = cos (1 + t)²,
/// λ = 4 (1 + t)². The source writes + G λ with the constraint x² + y² − 1 and G = (x, y): its λ is minus ours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Problem51<T> {
    base: core::marker::PhantomData<T>,
}

impl<T: Float> Problem51<T> {
    /// There are no parameters.
    pub fn new() -> Self {
        Self { base: core::marker::PhantomData }
    }
}

impl Problem51<f64> {
    /// Position, velocity and multiplier at a time.
    pub fn exact(t: f64) -> (Vector<f64, 2>, Vector<f64, 2>, f64) {
        let s = 1.0 + t;
        let (sin, cos) = Real::sin_cos(s * s);
        (vector![sin, cos], vector![2.0 * s * cos, -2.0 * s * sin], 4.0 * s * s)
    }
}

impl<T: Float> Mechanical<2, 1> for Problem51<T> {
    type Base = T;
    type Mass = Diagonal<T, 2>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;

    fn mass(&self) -> Diagonal<T, 2> {
        Diagonal::new([T::one(); 2])
    }
    fn force<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        let two = T::from_f64(2.0);
        vector![q.y * two, q.x * -two]
    }
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![(q.dot(q) - S::one()) * T::from_f64(0.5)]
    }
}
