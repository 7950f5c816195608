//! Two point masses on two rods in the plane.

use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Diagonal, Mechanical, Pattern};

use crate::HandWritten;

/// q = (x₁, y₁, x₂, y₂), two rods of one length between two equal masses and the origin, gravity along −y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoublePendulum<T> {
    /// The mass of each bob.
    pub mass: T,
    /// The length of each rod.
    pub length: T,
    /// The acceleration of gravity.
    pub gravity: T,
}

impl<T: Float> DoublePendulum<T> {
    /// 1 kg and 1 m each under 9.81 m/s².
    pub fn standard() -> Self {
        Self { mass: T::one(), length: T::one(), gravity: T::from_f64(9.81) }
    }

    /// All parameters one.
    pub fn unit() -> Self {
        Self { mass: T::one(), length: T::one(), gravity: T::one() }
    }

    /// Kinetic plus potential energy, evaluated in double precision.
    pub fn energy(&self, q: &Vector<T, 4>, v: &Vector<T, 4>) -> f64 {
        let (q, v) = (q.map(Float::to_f64), v.map(Float::to_f64));
        self.mass.to_f64() * (v.norm_squared() / 2.0 + self.gravity.to_f64() * (q[1] + q[3]))
    }
}

impl<T: Float> Mechanical<4, 2> for DoublePendulum<T> {
    type Base = T;
    type Mass = Diagonal<T, 4>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;

    /// The upper rod does not see the lower mass.
    const PATTERN: Pattern<4, 2> = Pattern::rows(["xx..", "xxxx"]);

    #[inline]
    fn mass(&self) -> Diagonal<T, 4> {
        // Entry by entry: optimised for size, `[mass; 4]` is a loop.
        let mass = self.mass;
        Diagonal::new([mass, mass, mass, mass])
    }

    #[inline]
    fn force<S: Real<Base = T>>(&self, _t: S, _q: &Vector<S, 4>, _v: &Vector<S, 4>) -> Vector<S, 4> {
        let weight = S::from(-self.gravity * self.mass);
        vector![S::zero(), weight, S::zero(), weight]
    }

    #[inline(always)]
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 4>) -> Vector<S, 2> {
        let square = self.length * self.length;
        let (dx, dy) = (q[2] - q[0], q[3] - q[1]);
        let half = T::from_f64(0.5);
        vector![(q[0].square() + q[1].square() - square) * half, (dx.square() + dy.square() - square) * half]
    }
}

impl<T: Float> HandWritten<4, 2> for DoublePendulum<T> {
    #[inline]
    fn jacobian_by_hand(&self, _t: T, q: &Vector<T, 4>) -> Matrix<T, 2, 4> {
        let (dx, dy) = (q[2] - q[0], q[3] - q[1]);
        let zero = T::zero();
        matrix![q[0], q[1], zero, zero; -dx, -dy, dx, dy]
    }

    #[inline]
    fn acceleration_terms_by_hand(&self, _t: T, _q: &Vector<T, 4>, v: &Vector<T, 4>) -> Vector<T, 2> {
        let (dx, dy) = (v[2] - v[0], v[3] - v[1]);
        vector![v[0] * v[0] + v[1] * v[1], dx * dx + dy * dy]
    }
}
