//! Friction of a motor and its bearings:
//!
//! ```text
//!     torque = −c ω − F ω/√(ω² + ω₀²)
//! ```
//!
//! with the coefficient c of viscous friction and the magnitude F of Coulomb friction. Coulomb friction changes its sign over the speed
//! ω₀, so that the torque is smooth. Below ω₀ it is a damper of F/ω₀: an explicit method of step h is stable if h F/(ω₀ J) < 2 for the
//! moved inertia J.

use crate::scalar::{Float, Real};

/// Viscous and Coulomb friction.
///
/// ```
/// use taut::device::Friction;
///
/// let bearing = Friction { viscous: 0.1_f64, coulomb: 2.0, threshold: 1e-3 };
/// assert!((bearing.torque(10.0_f64) + 3.0).abs() < 1e-6);
/// assert_eq!(Friction::none().torque(10.0_f64), 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Friction<T> {
    /// Torque per speed.
    pub viscous: T,
    /// The torque at any speed.
    pub coulomb: T,
    /// The speed over which Coulomb friction changes its sign; positive.
    pub threshold: T,
}

impl<T: Float> Friction<T> {
    /// No friction.
    pub fn none() -> Self {
        Self { viscous: T::zero(), coulomb: T::zero(), threshold: T::one() }
    }

    /// The torque at a speed.
    #[inline]
    pub fn torque<S: Real<Base = T>>(&self, speed: S) -> S {
        let viscous = speed * -self.viscous;
        let square = speed * speed + self.threshold * self.threshold;
        // At rest without a threshold, Coulomb friction has no direction.
        if self.coulomb > T::zero() && square.value() > T::zero() {
            viscous - speed * self.coulomb / square.sqrt()
        } else {
            viscous
        }
    }
}
