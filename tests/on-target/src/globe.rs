//! A point on a sphere, for the charts.

use core::marker::PhantomData;

use nalgebra::vector;
use taut::linalg::Vector;
use taut::project::{Invariant, OnManifold};
use taut::scalar::{Float, Real};

/// A point on the unit sphere, driven by a wind that depends on the place and the time.
pub struct Globe<T>(PhantomData<T>);

impl<T> Globe<T> {
    /// There are no parameters.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T> Default for Globe<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Float> Invariant<3, 1> for Globe<T> {
    type Base = T;

    fn residual<S: Real<Base = T>>(&self, y: &Vector<S, 3>) -> Vector<S, 1> {
        vector![(y.x * y.x + y.y * y.y + y.z * y.z - S::one()) * S::constant(0.5)]
    }
}

impl<T: Float> OnManifold<3, 1> for Globe<T> {
    fn rate(&self, t: T, y: &Vector<T, 3>) -> Vector<T, 3> {
        let axis = vector![t.sin(), y.x, T::one()];
        vector![axis.y * y.z - axis.z * y.y, axis.z * y.x - axis.x * y.z, axis.x * y.y - axis.y * y.x]
    }
}
