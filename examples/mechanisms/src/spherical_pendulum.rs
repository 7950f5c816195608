//! The spherical pendulum of Hairer's lecture notes, Fig. V.1.

use nalgebra::vector;
use taut::linalg::Vector;
use taut::scalar::{Float, Real};
use taut::system::{Diagonal, Mechanical};

/// A unit mass on the unit sphere, unit gravity along −z.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SphericalPendulum<T> {
    base: core::marker::PhantomData<T>,
}

impl<T: Float> SphericalPendulum<T> {
    /// The initial position of the figure.
    pub fn position() -> [T; 3] {
        let (sin, cos) = T::from_f64(1.3).sin_cos();
        [sin, T::zero(), cos]
    }

    /// The initial velocity of the figure.
    pub fn velocity() -> [T; 3] {
        let (sin, cos) = T::from_f64(1.3).sin_cos();
        [cos * T::from_f64(3.0), T::from_f64(6.5), sin * T::from_f64(-3.0)]
    }

    /// Kinetic plus potential energy, evaluated in double precision.
    pub fn energy(&self, q: &Vector<T, 3>, v: &Vector<T, 3>) -> f64 {
        v.map(Float::to_f64).norm_squared() / 2.0 + q.z.to_f64()
    }
}

impl<T: Float> Mechanical<3, 1> for SphericalPendulum<T> {
    type Base = T;
    type Mass = Diagonal<T, 3>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;

    #[inline]
    fn mass(&self) -> Diagonal<T, 3> {
        Diagonal::new([T::one(); 3])
    }

    #[inline]
    fn force<S: Real<Base = T>>(&self, _t: S, _q: &Vector<S, 3>, _v: &Vector<S, 3>) -> Vector<S, 3> {
        vector![S::zero(), S::zero(), -S::one()]
    }

    #[inline]
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 3>) -> Vector<S, 1> {
        vector![(q.dot(q) - S::one()) * T::from_f64(0.5)]
    }
}
