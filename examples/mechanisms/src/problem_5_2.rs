//! Problem 5.2 of Arévalo's paper on numerically consistent initial values, of the general index-3 form.

use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::IndexThree;

/// p = (√3/2 cos t², √3/2 sin t², 1/2), λ = (−2 t², −sin t²/2). det(R_p U_q G) = 3 cos 2t²: singular at t = 0.8862 and 1.5350.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Problem52<T> {
    base: core::marker::PhantomData<T>,
}

impl<T: Float> Problem52<T> {
    /// There are no parameters.
    pub fn new() -> Self {
        Self { base: core::marker::PhantomData }
    }

    /// p and q at a time.
    pub fn exact(t: T) -> ([T; 3], [T; 3]) {
        let (sin, cos) = (t * t).sin_cos();
        let half = T::from_f64(0.5);
        let root = T::from_f64(3.0).sqrt() * half;
        ([root * cos, root * sin, half], [-root * t * sin, root * t * cos * T::from_f64(2.0), T::one()])
    }

    /// λ at a time.
    pub fn multipliers(t: T) -> [T; 2] {
        [t * t * T::from_f64(-2.0), (t * t).sin() * T::from_f64(-0.5)]
    }
}

impl<T: Float> IndexThree<3, 3, 2> for Problem52<T> {
    type Base = T;

    #[inline]
    fn rate<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 3>) -> Vector<S, 3> {
        vector![q.x * S::constant(2.0), q.y, q.z - T::one()]
    }

    #[inline]
    fn force<S: Real<Base = T>>(&self, t: S, p: &Vector<S, 3>, _q: &Vector<S, 3>) -> Vector<S, 3> {
        let (square, four) = (t * t, S::constant(4.0));
        let sin = square.sin();
        // The exponent of the last t in the second component is lost in the printed text.
        vector![
            -p.y,
            p.x * S::constant(2.0) + p.y * sin - p.y * square * four,
            p.z * square * four + sin * S::constant(0.5)
        ]
    }

    #[inline]
    fn coupling<S: Real<Base = T>>(&self, _t: S, p: &Vector<S, 3>, _q: &Vector<S, 3>) -> Matrix<S, 3, 2> {
        let (zero, two) = (S::zero(), S::constant(2.0));
        matrix![p.x, zero; zero, p.y * two; p.z * two, S::one()]
    }

    #[inline]
    fn constraint<S: Real<Base = T>>(&self, _t: S, p: &Vector<S, 3>) -> Vector<S, 2> {
        vector![p.dot(p) - T::one(), p.z - S::constant(0.5)]
    }
}
