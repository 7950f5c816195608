//! Where a point is and how it moves.

use super::error::{TrajectoryError, finite};
use crate::linalg::Vector;
use crate::linalg::entries::{each, zeros};
use crate::linalg::written_out::for_each;
use crate::scalar::{Float, Taylor};

/// A position and its first four derivatives at one time.
///
/// ```
/// use nalgebra::vector;
/// use taut::trajectory::Motion;
///
/// let passing = Motion { velocity: vector![0.5], ..Motion::at_rest([2.0_f32]) };
/// assert_eq!(passing.position[0], 2.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion<T, const D: usize> {
    /// γ.
    pub position: Vector<T, D>,
    /// γ'.
    pub velocity: Vector<T, D>,
    /// γ''.
    pub acceleration: Vector<T, D>,
    /// γ'''.
    pub jerk: Vector<T, D>,
    /// γ''''.
    pub snap: Vector<T, D>,
}

impl<T: Float, const D: usize> Motion<T, D> {
    /// At rest at a position.
    pub fn at_rest(position: impl Into<Vector<T, D>>) -> Self {
        let zero = zeros();
        Self { position: position.into(), velocity: zero, acceleration: zero, jerk: zero, snap: zero }
    }

    /// The position (0) or a derivative (1 to 4); zero for higher ones.
    #[inline]
    pub fn derivative(&self, order: usize) -> Vector<T, D> {
        match order {
            0 => self.position,
            1 => self.velocity,
            2 => self.acceleration,
            3 => self.jerk,
            4 => self.snap,
            _ => Vector::zeros(),
        }
    }

    /// How many derivatives are zero, from the first on.
    pub(super) fn resting(&self) -> usize {
        (1..=4).take_while(|&order| self.derivative(order).iter().all(|x| *x == T::zero())).count()
    }

    pub(super) fn check(&self, what: &'static str) -> Result<(), TrajectoryError<T>> {
        (0..=4).try_for_each(|order| finite(what, &self.derivative(order).data.0[0]))
    }

    /// From a path evaluated with Taylor series.
    #[inline]
    pub(super) fn from_series(series: &Vector<Taylor<T, 4>, D>) -> Self {
        let mut motion = Self::at_rest(each(series, |x| x.value));
        for_each!(I < D => {
            let [velocity, acceleration, jerk, snap] = series.data.0[0][I].derivatives();
            motion.velocity.data.0[0][I] = velocity;
            motion.acceleration.data.0[0][I] = acceleration;
            motion.jerk.data.0[0][I] = jerk;
            motion.snap.data.0[0][I] = snap;
        });
        motion
    }
}
