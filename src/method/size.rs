//! The step size, checked once, with the numbers derived from it.

use core::fmt;

use crate::scalar::Float;

/// A step size h: finite and positive.
///
/// ```
/// use taut::method::StepSize;
///
/// assert_eq!(StepSize::at_rate(1_000.0_f32)?, StepSize::seconds(0.001)?);
/// assert!(StepSize::seconds(0.0_f64).is_err());
/// assert!(StepSize::at_rate(f64::NAN).is_err());
/// # Ok::<(), taut::method::InvalidStep<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StepSize<T> {
    pub(super) h: T,
    /// h/2.
    pub(super) half: T,
    /// 1/h.
    pub(super) inverse: T,
    /// 2/h: turns the velocity impulse of half a step into a force.
    pub(super) twice_inverse: T,
    /// 2/h²: turns the displacement of half a step's impulse into a force.
    pub(super) twice_inverse_square: T,
}

/// A step size or a rate that is not finite and positive, or whose inverse is not.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct InvalidStep<T> {
    /// What was given, in seconds or hertz.
    pub given: T,
}

impl<T: Float> fmt::Display for InvalidStep<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:e} is not a step size or a rate: it must be positive, and 1/h² far from overflow", self.given)
    }
}

impl<T: Float> core::error::Error for InvalidStep<T> {}

impl<T: Float> StepSize<T> {
    /// From a duration in seconds.
    pub fn seconds(h: T) -> Result<Self, InvalidStep<T>> {
        Self::checked(h, h)
    }

    /// From a rate in hertz.
    pub fn at_rate(rate: T) -> Result<Self, InvalidStep<T>> {
        Self::checked(T::one() / rate, rate)
    }

    fn checked(h: T, given: T) -> Result<Self, InvalidStep<T>> {
        let inverse = T::one() / h;
        // 2/h² must be a number as well, which turns corrections of positions into multipliers, and that of the smallest stage
        // of a composition, which is 150 times as large.
        let largest = inverse * inverse * T::from_f64(512.0);
        let valid = h > T::zero() && inverse > T::zero() && largest.is_finite() && (h * h).is_finite();
        if valid { Ok(Self::from_parts(h, inverse)) } else { Err(InvalidStep { given }) }
    }

    #[inline]
    fn from_parts(h: T, inverse: T) -> Self {
        let twice_inverse = inverse + inverse;
        Self { h, half: h * T::from_f64(0.5), inverse, twice_inverse, twice_inverse_square: twice_inverse * inverse }
    }

    /// h in seconds.
    #[inline]
    pub fn get(&self) -> T {
        self.h
    }

    /// This step scaled by the coefficient of a composition, which may be negative.
    #[inline]
    pub(super) fn scaled(&self, coefficient: T, inverse: T) -> Self {
        Self::from_parts(self.h * coefficient, self.inverse * inverse)
    }
}
