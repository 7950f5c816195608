//! A pendulum on a cart: one motor for two degrees of freedom, and unstable where it shall stand.

use nalgebra::{matrix, vector};
use taut::control::Actuated;
use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Diagonal, Mechanical};

/// q = (s, x, y): the cart on the line y = 0, and the bob on a rod of length l from it. The input is the force on the cart, the output x.
///
/// ```text
///     0 = ((x − s)² + y² − l²)/2
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CartPole<T> {
    /// The mass of the cart.
    pub cart: T,
    /// The mass of the bob.
    pub bob: T,
    /// l.
    pub length: T,
    /// The acceleration of gravity, along −y.
    pub gravity: T,
}

impl<T: Float> CartPole<T> {
    /// A cart of 2 kg, a bob of 1 kg on a rod of 0.5 m, g = 9.81 m/s².
    pub fn standard() -> Self {
        let number = T::from_f64;
        Self { cart: number(2.0), bob: number(1.0), length: number(0.5), gravity: number(9.81) }
    }

    /// The bob at this angle from upright, the cart at zero.
    pub fn tilted(&self, angle: T) -> Vector<T, 3> {
        let (sin, cos) = angle.sin_cos();
        vector![T::zero(), sin * self.length, cos * self.length]
    }
}

impl<T: Float> Mechanical<3, 1> for CartPole<T> {
    type Base = T;
    type Mass = Diagonal<T, 3>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;

    fn mass(&self) -> Diagonal<T, 3> {
        Diagonal::new([self.cart, self.bob, self.bob])
    }

    fn force<S: Real<Base = T>>(&self, _t: S, _q: &Vector<S, 3>, _v: &Vector<S, 3>) -> Vector<S, 3> {
        vector![S::zero(), S::zero(), S::from(-self.bob * self.gravity)]
    }

    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 3>) -> Vector<S, 1> {
        let across = q[1] - q[0];
        vector![(across * across + q[2] * q[2] - self.length * self.length) * T::from_f64(0.5)]
    }
}

impl<T: Float> Actuated<3, 1, 1> for CartPole<T> {
    fn actuation<S: Real<Base = T>>(&self, _q: &Vector<S, 3>) -> Matrix<S, 3, 1> {
        matrix![S::one(); S::zero(); S::zero()]
    }

    fn output<S: Real<Base = T>>(&self, q: &Vector<S, 3>) -> Vector<S, 1> {
        vector![q[1]]
    }
}
