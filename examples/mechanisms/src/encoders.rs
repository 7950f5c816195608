//! The encoders of the driven systems.

use nalgebra::vector;
use taut::control::Sensed;
use taut::linalg::Vector;
use taut::scalar::{Float, Real};

use crate::{Crane, Delta, FiveBar};

/// The trolley, the length of the rope, and its angle from the vertical, positive where the load is ahead of the trolley.
impl<T: Float> Sensed<4, 1, 3> for Crane<T> {
    #[inline]
    fn sensors<S: Real<Base = T>>(&self, q: &Vector<S, 4>) -> Vector<S, 3> {
        vector![q[2], q[3], (q[0] - q[2]).atan2(-q[1])]
    }
}

/// The angles of the two motors.
impl<T: Float> Sensed<4, 2, 2> for FiveBar<T> {
    #[inline]
    fn sensors<S: Real<Base = T>>(&self, q: &Vector<S, 4>) -> Vector<S, 2> {
        vector![q[0], q[1]]
    }
}

/// The angles of the three motors.
impl<T: Float> Sensed<6, 3, 3> for Delta<T> {
    #[inline]
    fn sensors<S: Real<Base = T>>(&self, q: &Vector<S, 6>) -> Vector<S, 3> {
        vector![q[0], q[1], q[2]]
    }
}
