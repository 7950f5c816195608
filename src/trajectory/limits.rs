//! Limits of a motion.

use super::error::{TrajectoryError, positive};
use crate::scalar::Float;

/// Limits of velocity, acceleration and jerk. They, their products and their quotients are finite and positive.
///
/// ```
/// use taut::trajectory::Limits;
///
/// let limits = Limits::new(0.5_f32, 2.0, 40.0)?; // m/s, m/s², m/s³
/// assert!(Limits::new(0.5_f32, -2.0, 40.0).is_err());
/// # Ok::<(), taut::trajectory::TrajectoryError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Limits<T> {
    pub(super) velocity: T,
    pub(super) acceleration: T,
    pub(super) jerk: T,
}

impl<T: Float> Limits<T> {
    /// From the limits of velocity, acceleration and jerk.
    pub fn new(velocity: T, acceleration: T, jerk: T) -> Result<Self, TrajectoryError<T>> {
        positive("velocity limit", velocity)?;
        positive("acceleration limit", acceleration)?;
        positive("jerk limit", jerk)?;
        // The times to reach the limits, and the squares that they follow from, must be normal numbers.
        for (what, given) in [
            ("acceleration limit over jerk limit", acceleration / jerk),
            ("velocity limit over acceleration limit", velocity / acceleration),
            ("acceleration limit squared", acceleration * acceleration),
            ("acceleration limit times jerk limit", acceleration * jerk),
            ("velocity limit times jerk limit", velocity * jerk),
        ] {
            if !(given >= T::MIN_POSITIVE && given.is_finite()) {
                return Err(TrajectoryError::NotPositive { what, given });
            }
        }
        Ok(Self { velocity, acceleration, jerk })
    }

    /// Checks the largest derivatives against the limits.
    pub(super) fn check(&self, largest: impl Fn(usize) -> T) -> Result<(), TrajectoryError<T>> {
        for derivative in 1..=3 {
            let (found, limit) = (largest(derivative), self.of(derivative));
            if !(found <= limit) {
                return Err(TrajectoryError::TooFast { derivative, found, limit });
            }
        }
        Ok(())
    }

    /// The limit of a derivative, from the first to the third.
    pub(super) fn of(&self, derivative: usize) -> T {
        match derivative {
            1 => self.velocity,
            2 => self.acceleration,
            _ => self.jerk,
        }
    }
}
