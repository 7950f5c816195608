//! Mechanisms with parts without mass: a slider on a pendulum, and a lever.

use nalgebra::{matrix, vector};
use taut::control::Actuated;
use taut::linalg::{Matrix, Vector};
use taut::scalar::Real;
use taut::system::{Diagonal, Mechanical};

/// q = (x, y, s): a pendulum, and a slider at s = y + curved x²/2 + moving x sin t that a force pulls.
#[derive(Clone, Copy, Debug)]
pub struct Connector {
    /// The mass of the slider.
    pub mass: f64,
    /// The force on the slider.
    pub pull: f64,
    /// How the connection bends along x.
    pub curved: f64,
    /// How it moves in time.
    pub moving: f64,
}

impl Connector {
    /// s = y, and nothing pulls.
    pub const STRAIGHT: Self = Self { mass: 0.0, pull: 0.0, curved: 0.0, moving: 0.0 };
}

impl Mechanical<3, 2> for Connector {
    type Base = f64;
    type Mass = Diagonal<f64, 3>;

    fn mass(&self) -> Diagonal<f64, 3> {
        Diagonal::new([1.0, 1.0, self.mass])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 3>, _v: &Vector<S, 3>) -> Vector<S, 3> {
        vector![S::zero(), S::from(-9.81), S::from(self.pull)]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 3>) -> Vector<S, 2> {
        let place = q.y + q.x * q.x * (self.curved / 2.0) + q.x * t.sin() * self.moving;
        vector![(q.x * q.x + q.y * q.y - S::one()) * 0.5, q.z - place]
    }
}

/// A trolley that a motor pushes; a load moves with it over a lever without mass: (x, s, l), s = 2 x, l = s.
#[derive(Clone, Copy, Debug)]
pub struct Lever;

impl Mechanical<3, 2> for Lever {
    type Base = f64;
    type Mass = Diagonal<f64, 3>;

    fn mass(&self) -> Diagonal<f64, 3> {
        Diagonal::new([3.0, 0.0, 0.5])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 3>, _v: &Vector<S, 3>) -> Vector<S, 3> {
        Vector::from([S::zero(); 3])
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 3>) -> Vector<S, 2> {
        vector![q.y - q.x * 2.0, q.z - q.y]
    }
}

impl Actuated<3, 2, 1> for Lever {
    fn actuation<S: Real<Base = f64>>(&self, _q: &Vector<S, 3>) -> Matrix<S, 3, 1> {
        matrix![S::one(); S::zero(); S::zero()]
    }
    fn output<S: Real<Base = f64>>(&self, q: &Vector<S, 3>) -> Vector<S, 1> {
        vector![q.z]
    }
}
