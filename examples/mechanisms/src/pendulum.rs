//! A point mass on a rod in the plane.

use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Diagonal, Mechanical};

use crate::HandWritten;

/// q = (x, y), constraint (x² + y² − l²)/2, gravity along −y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pendulum<T> {
    /// The mass of the bob.
    pub mass: T,
    /// The length of the rod.
    pub length: T,
    /// The acceleration of gravity.
    pub gravity: T,
}

impl<T: Float> Pendulum<T> {
    /// 1 kg on 1 m under 9.81 m/s².
    pub fn standard() -> Self {
        Self { mass: T::one(), length: T::one(), gravity: T::from_f64(9.81) }
    }

    /// All parameters one.
    pub fn unit() -> Self {
        Self { mass: T::one(), length: T::one(), gravity: T::one() }
    }

    /// Kinetic plus potential energy, evaluated in double precision.
    pub fn energy(&self, q: &Vector<T, 2>, v: &Vector<T, 2>) -> f64 {
        let (q, v) = (q.map(Float::to_f64), v.map(Float::to_f64));
        self.mass.to_f64() * (v.norm_squared() / 2.0 + self.gravity.to_f64() * q.y)
    }
}

impl<T: Float> Mechanical<2, 1> for Pendulum<T> {
    type Base = T;
    type Mass = Diagonal<T, 2>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;

    #[inline]
    fn mass(&self) -> Diagonal<T, 2> {
        Diagonal::new([self.mass; 2])
    }

    #[inline]
    fn force<S: Real<Base = T>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![S::zero(), S::from(-self.gravity * self.mass)]
    }

    #[inline(always)]
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![(q.x.square() + q.y.square() - self.length * self.length) * T::from_f64(0.5)]
    }
}

impl<T: Float> HandWritten<2, 1> for Pendulum<T> {
    #[inline]
    fn jacobian_by_hand(&self, _t: T, q: &Vector<T, 2>) -> Matrix<T, 1, 2> {
        matrix![q.x, q.y]
    }

    #[inline]
    fn acceleration_terms_by_hand(&self, _t: T, _q: &Vector<T, 2>, v: &Vector<T, 2>) -> Vector<T, 1> {
        vector![v.x * v.x + v.y * v.y]
    }
}
