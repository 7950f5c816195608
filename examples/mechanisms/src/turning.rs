//! Bodies that turn: freely, as a heavy top, and with a given angular velocity.

use nalgebra::vector;
use taut::attitude::{AngularRate, Body, Rotation};
use taut::linalg::Vector;
use taut::scalar::{Float, Real};
use taut::system::Diagonal;

use crate::RigidBody;

/// A free body with these principal moments of inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeBody<T>(pub [T; 3]);

impl<T: Float> FreeBody<T> {
    /// The moments of inertia of [`RigidBody`].
    pub fn standard() -> Self {
        Self(RigidBody::INERTIA.map(T::from_f64))
    }
}

impl<T: Float> Body for FreeBody<T> {
    type Base = T;
    type Inertia = Diagonal<T, 3>;

    #[inline]
    fn inertia(&self) -> Diagonal<T, 3> {
        Diagonal::new(self.0)
    }
}

/// A top of unit weight whose tip is fixed, at a unit distance from the centre of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeavyTop<T>(pub [T; 3]);

impl<T: Float> HeavyTop<T> {
    /// Symmetric, with the moments 1, 1 and ½ about the tip.
    pub fn standard() -> Self {
        Self([1.0, 1.0, 0.5].map(T::from_f64))
    }
}

impl<T: Float> Body for HeavyTop<T> {
    type Base = T;
    type Inertia = Diagonal<T, 3>;

    #[inline]
    fn inertia(&self) -> Diagonal<T, 3> {
        Diagonal::new(self.0)
    }

    #[inline]
    fn torque<S: Real<Base = T>>(&self, _t: S, attitude: &Rotation<S>, _rate: &Vector<S, 3>) -> Vector<S, 3> {
        let up = attitude.rotate_back(&vector![S::zero(), S::zero(), S::one()]);
        vector![up.y, -up.x, S::zero()]
    }
}

/// An angular velocity that changes linearly in time, as between two samples of a gyro.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearRate<T> {
    /// ω at t = 0.
    pub rate: [T; 3],
    /// ω'.
    pub slope: [T; 3],
}

impl<T: Float> AngularRate for LinearRate<T> {
    type Base = T;

    #[inline]
    fn rate(&self, t: T) -> Vector<T, 3> {
        let ([a, b, c], [x, y, z]) = (self.rate, self.slope);
        vector![a + x * t, b + y * t, c + z * t]
    }
}
