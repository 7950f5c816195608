//! Friction of a motor and its bearings:
//!
//! ```text
//!     torque = −c ω − F ω/√(ω² + ω₀²)
//! ```
//!
//! viscous with the coefficient c, Coulomb's with the magnitude F. Coulomb's changes its sign over the speed ω₀, so that the
//! force is smooth: below ω₀ it is a damper of F/ω₀, which an explicit method of step h takes while h F/(ω₀ J) < 2 for
//! the inertia J that is moved.

use crate::scalar::{Float, Real};

/// Viscous and Coulomb friction.
///
/// ```
/// use taut::control::Friction;
///
/// let bearing = Friction { viscous: 0.1_f64, coulomb: 2.0, threshold: 1e-3 };
/// assert!((bearing.torque(10.0_f64) + 3.0).abs() < 1e-6);
/// assert_eq!(Friction::none().torque(10.0_f64), 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Friction<T> {
    /// Torque a unit of speed.
    pub viscous: T,
    /// The torque, whatever the speed.
    pub coulomb: T,
    /// The speed over which Coulomb friction changes its sign; positive.
    pub threshold: T,
}

impl<T: Float> Friction<T> {
    /// None.
    pub fn none() -> Self {
        Self { viscous: T::zero(), coulomb: T::zero(), threshold: T::one() }
    }

    /// At a speed.
    #[inline]
    pub fn torque<S: Real<Base = T>>(&self, speed: S) -> S {
        let viscous = speed * -self.viscous;
        let square = speed * speed + self.threshold * self.threshold;
        // Without a threshold there is no direction at rest.
        if self.coulomb > T::zero() && square.value() > T::zero() {
            viscous - speed * self.coulomb / square.sqrt()
        } else {
            viscous
        }
    }
}
