//! A pendulum with a motor and an encoder in its joint: the smallest machine.

use nalgebra::{matrix, vector};
use taut::control::{Actuated, Sensed};
use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Diagonal, Mechanical, Pattern};

/// q = (x, y) of the bob, gravity along −y; the input is the torque of the joint, the output the bob's height, the encoder
/// measures the angle from the lowest position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arm<T> {
    /// The mass of the bob.
    pub mass: T,
    /// The length of the rod.
    pub length: T,
    /// The acceleration of gravity.
    pub gravity: T,
}

impl<T: Float> Arm<T> {
    /// 1 kg at 0.5 m.
    pub fn standard() -> Self {
        Self { mass: T::one(), length: T::from_f64(0.5), gravity: T::from_f64(9.81) }
    }
}

impl<T: Float> Mechanical<2, 1> for Arm<T> {
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
        vector![S::zero(), S::from(-self.mass * self.gravity)]
    }

    #[inline]
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![(q.x * q.x + q.y * q.y - self.length * self.length) * T::from_f64(0.5)]
    }
}

impl<T: Float> Actuated<2, 1, 1> for Arm<T> {
    const OUTPUT_PATTERN: Pattern<2, 1> = Pattern::rows([".x"]);

    #[inline]
    fn actuation<S: Real<Base = T>>(&self, q: &Vector<S, 2>) -> Matrix<S, 2, 1> {
        let square = self.length * self.length;
        matrix![-q.y / square; q.x / square]
    }

    #[inline]
    fn output<S: Real<Base = T>>(&self, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![q.y]
    }
}

impl<T: Float> Sensed<2, 1, 1> for Arm<T> {
    #[inline]
    fn sensors<S: Real<Base = T>>(&self, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![q.x.atan2(-q.y)]
    }
}
