//! Converts counts to values: value = (count − zero) · unit.

use super::setup::{SetupError, usable};
use crate::scalar::Float;

/// The value of a count: (count − zero) · unit.
///
/// The difference is exact, so a distant zero costs no digits. Two roundings follow: that of the count, which is exact below 2²⁴ in
/// `f32`, and that of the product.
///
/// ```
/// use taut::device::Scale;
///
/// let drum = Scale::turn(14_u8).times(0.02)?; // rope on a drum of radius 2 cm, encoder of 14 bits
/// assert_eq!(drum.value(8_192), core::f32::consts::PI * 0.02);
///
/// let joint = Scale::turn(12_u8).times(-0.1)?.zero_at(1_000); // gear 10 : 1 that turns the other way
/// assert_eq!(joint.value(1_000), 0.0_f32);
///
/// let current = Scale::new(1.0e-3_f32, 2_048)?; // 1 mA a count, none at mid-scale
/// assert_eq!(current.value(2_000), -0.048);
/// # Ok::<(), taut::device::SetupError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Scale<T> {
    unit: T,
    zero: i64,
}

impl<T: Float> Scale<T> {
    /// From the value of one count, negative for one that counts the other way, and the count that means zero.
    pub fn new(unit: T, zero: i64) -> Result<Self, SetupError<T>> {
        Ok(Self { unit: usable("unit of a count", unit)?, zero })
    }

    /// Radians, for 2 to the power of `bits` counts per turn.
    pub fn turn(bits: u8) -> Self {
        Self { unit: (T::PI + T::PI) * T::power_of_two(-i32::from(bits)), zero: 0 }
    }

    /// Radians, for any number of counts per turn. A quadrature encoder has four counts per line.
    pub fn counts_per_turn(counts: u32) -> Result<Self, SetupError<T>> {
        Self::new((T::PI + T::PI) / T::from_ticks(u64::from(counts)), 0)
    }

    /// Multiplies the unit: for another unit or a gear; negative to turn the other way.
    pub fn times(self, factor: T) -> Result<Self, SetupError<T>> {
        Self::new(self.unit * usable("factor of a scale", factor)?, self.zero)
    }

    /// With this count as zero.
    pub fn zero_at(self, count: i64) -> Self {
        Self { zero: count, ..self }
    }

    /// The value of a count.
    #[inline]
    pub fn value(&self, count: i64) -> T {
        let difference = count.wrapping_sub(self.zero);
        let magnitude = T::from_ticks(difference.unsigned_abs()) * self.unit;
        if difference < 0 { -magnitude } else { magnitude }
    }
}
