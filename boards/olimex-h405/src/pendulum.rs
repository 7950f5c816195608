//! A point mass on a massless rod, in Cartesian coordinates: the rod is the constraint (x² + y² − l²)/2 = 0.

use nalgebra::vector;
use taut::linalg::Vector;
use taut::scalar::Real;
use taut::start::State;
use taut::system::{Lumped, Mechanical};

/// Gravity along −y, m/s².
const GRAVITY: f32 = 9.81;

/// The pendulum; the pivot is the origin.
pub struct Pendulum {
    /// Mass of the bob, kg.
    pub mass: f32,
    /// Length of the rod, m.
    pub length: f32,
}

/// Where the pendulum is and how fast.
pub type Motion = State<f32, 2, 1>;

impl Mechanical<2, 1> for Pendulum {
    type Base = f32;
    type Mass = Lumped<f32, 2>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;

    fn mass(&self) -> Lumped<f32, 2> {
        Lumped::new([self.mass; 2])
    }

    fn force<S: Real<Base = f32>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![S::zero(), S::from(-GRAVITY * self.mass)]
    }

    fn constraint<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![(q.dot(q) - self.length * self.length) * 0.5]
    }
}

impl Pendulum {
    /// The position at an angle from hanging straight down, rad.
    pub fn position(&self, angle: f32) -> [f32; 2] {
        let (sine, cosine) = Real::sin_cos(angle);
        [self.length * sine, -self.length * cosine]
    }

    /// Kinetic and potential energy, in units of m g l.
    pub fn energy(&self, motion: &Motion) -> f32 {
        let v = motion.velocity();
        (0.5 * v.dot(v) / GRAVITY + motion.position().y) / self.length
    }
}
