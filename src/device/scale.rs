//! Converts counts to values: value = (count − zero) · unit.

use super::setup::{SetupError, between, usable};
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
    /// From the value of one count, negative for one that counts the other way, and the count that means zero. Its magnitude must be
    /// below 2⁻⁶³ of the largest number, so that every count has a finite value: 3.7e19 in `f32`.
    pub fn new(unit: T, zero: i64) -> Result<Self, SetupError<T>> {
        let what = "unit of a count";
        let largest = T::MAX * T::power_of_two(-63);
        Ok(Self { unit: between(what, usable(what, unit)?, -largest, largest)?, zero })
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

    /// The value of one count.
    pub(super) fn unit(&self) -> T {
        self.unit
    }

    /// The count that means zero.
    pub(super) fn zero(&self) -> i64 {
        self.zero
    }

    /// The value of a count.
    #[inline]
    pub fn value(&self, count: i64) -> T {
        let difference = count.wrapping_sub(self.zero);
        let magnitude = T::from_ticks(difference.unsigned_abs()) * self.unit;
        if difference < 0 { -magnitude } else { magnitude }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn a_unit_whose_counts_overflow_is_refused() {
        for unit in [6e34_f32, -6e34, 4e19] {
            let error = Scale::new(unit, 0).unwrap_err();
            let SetupError::OutOfRange { what: "unit of a count", given, above, below } = error else {
                panic!("{error}")
            };
            assert!(given == unit && above == -below && (below / 3.689e19 - 1.0).abs() < 1e-3, "{error}");
        }
        assert_eq!(
            Scale::new(6e34_f32, 0).unwrap_err().to_string(),
            "unit of a count is 6e34: it must be above -3.6893486e19 and below 3.6893486e19"
        );
        assert!(Scale::new(1e3_f32, 0).unwrap().times(1e17).is_err());
        // The largest unit, and the counts furthest from zero.
        let scale = Scale::new(3.6e19_f32, 0).unwrap();
        assert!([i64::MIN, i64::MAX].iter().all(|count| scale.value(*count).is_finite()));
    }
}
