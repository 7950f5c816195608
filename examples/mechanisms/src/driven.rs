//! A driven pendulum and a free coordinate, for tests of errors.

use nalgebra::vector;
use taut::linalg::Vector;
use taut::scalar::{Float, Real};
use taut::system::{Diagonal, Mechanical};

/// q = (x, y, z): a pendulum of unit mass under a torque, slightly damped, gravity along −y; z is free and no constraint sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Driven<T> {
    /// The length of the rod.
    pub length: T,
    /// The torque on the pendulum.
    pub torque: T,
    /// The force on the free coordinate.
    pub push: T,
}

impl<T: Float> Driven<T> {
    /// A rod of 1 m, nothing that drives.
    pub fn standard() -> Self {
        Self { length: T::one(), torque: T::zero(), push: T::zero() }
    }
}

impl<T: Float> Mechanical<3, 1> for Driven<T> {
    type Base = T;
    type Mass = Diagonal<T, 3>;

    fn mass(&self) -> Diagonal<T, 3> {
        Diagonal::new([T::one(); 3])
    }

    fn force<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 3>, v: &Vector<S, 3>) -> Vector<S, 3> {
        let damping = T::from_f64(-0.1);
        vector![
            q[1] * -self.torque + v[0] * damping,
            q[0] * self.torque + v[1] * damping - S::constant(9.81),
            S::from(self.push)
        ]
    }

    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 3>) -> Vector<S, 1> {
        vector![(q[0] * q[0] + q[1] * q[1] - self.length * self.length) * T::from_f64(0.5)]
    }
}
