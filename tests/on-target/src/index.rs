//! Systems whose matrices are singular: constraints of index 1 and 2 together, and a part without mass.

use nalgebra::vector;
use taut::linalg::Vector;
use taut::scalar::{Float, Real};
use taut::system::{Diagonal, MIXED, Mechanical, SemiExplicit};

/// One constraint of index 1, z₂ = −y₂, and one of index 2, y₁ = sin t, added to each other: y₁' = z₁ − y₂, y₂' = z₂ − y₁.
#[derive(Clone, Copy, Debug, Default)]
pub struct Both<T>(core::marker::PhantomData<T>);

impl<T> Both<T> {
    /// There are no parameters.
    pub const fn new() -> Self {
        Self(core::marker::PhantomData)
    }
}

impl<T: Float> SemiExplicit<2, 2> for Both<T> {
    type Base = T;
    const INDEX: usize = MIXED;

    fn rate<S: Real<Base = T>>(&self, _t: S, y: &Vector<S, 2>, z: &Vector<S, 2>) -> Vector<S, 2> {
        vector![z.x - y.y, z.y - y.x]
    }
    fn constraint<S: Real<Base = T>>(&self, t: S, y: &Vector<S, 2>, z: &Vector<S, 2>) -> Vector<S, 2> {
        let (path, law) = (y.x - t.sin(), z.y + y.y);
        vector![path + law * T::from_f64(0.5), law - path * T::from_f64(2.0)]
    }
}

/// A pendulum with a slider at s = y + x sin t, without mass and pulled by 1 N: q = (x, y, s).
#[derive(Clone, Copy, Debug)]
pub struct Connector<T> {
    /// The mass of the slider.
    pub mass: T,
}

impl<T: Float> Mechanical<3, 2> for Connector<T> {
    type Base = T;
    type Mass = Diagonal<T, 3>;

    fn mass(&self) -> Diagonal<T, 3> {
        Diagonal::new([T::one(), T::one(), self.mass])
    }
    fn force<S: Real<Base = T>>(&self, _t: S, _q: &Vector<S, 3>, _v: &Vector<S, 3>) -> Vector<S, 3> {
        vector![S::zero(), S::constant(-9.81), S::one()]
    }
    fn constraint<S: Real<Base = T>>(&self, t: S, q: &Vector<S, 3>) -> Vector<S, 2> {
        vector![(q.x * q.x + q.y * q.y - S::one()) * T::from_f64(0.5), q.z - q.y - q.x * t.sin()]
    }
}
