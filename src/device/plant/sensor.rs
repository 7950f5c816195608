//! The model of an encoder: counts, noise and an offset.

use super::random::Random;
use crate::scalar::Float;

/// How one position of a simulated machine is measured: reading = r · round((x + offset + noise)/r).
///
/// ```
/// use taut::device::Sensor;
///
/// let encoder = Sensor { offset: 0.1_f64, ..Sensor::bits_per_turn(12) };
/// assert_eq!(encoder.resolution, core::f64::consts::TAU / 4096.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Sensor<T> {
    /// The distance between two counts; zero for a continuous sensor.
    pub resolution: T,
    /// The standard deviation of the noise.
    pub noise: T,
    /// The reading at position zero.
    pub offset: T,
}

impl<T: Float> Sensor<T> {
    /// An exact sensor.
    pub fn ideal() -> Self {
        Self { resolution: T::zero(), noise: T::zero(), offset: T::zero() }
    }

    /// An encoder of an angle with 2 to the power of `bits` counts a turn.
    pub fn bits_per_turn(bits: u8) -> Self {
        Self { resolution: (T::PI + T::PI) * T::power_of_two(-i32::from(bits)), ..Self::ideal() }
    }

    /// A linear scale with this number of counts per metre, at least one.
    pub fn counts_per_metre(counts: u32) -> Self {
        Self { resolution: T::one() / T::from_ticks(u64::from(counts.max(1))), ..Self::ideal() }
    }

    /// An encoder with 2 to the power of `bits` counts a turn, on a drum of this radius that a rope or a wheel turns.
    pub fn bits_per_turn_of_drum(bits: u8, radius: T) -> Self {
        Self { resolution: Self::bits_per_turn(bits).resolution * radius, ..Self::ideal() }
    }

    /// The reading at a position.
    #[inline]
    pub(super) fn measure(&self, position: T, random: &mut Random) -> T {
        let mut reading = position + self.offset;
        if self.noise > T::zero() {
            reading += random.normal::<T>() * self.noise;
        }
        if self.resolution > T::zero() { (reading / self.resolution).round() * self.resolution } else { reading }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_is_the_nearest_count() {
        let (encoder, mut random) = (Sensor::<f64>::counts_per_metre(1_000), Random::seeded(3));
        for position in [0.0, 0.0004, 0.0006, -0.0006, 1.2344] {
            let reading = encoder.measure(position, &mut random);
            assert!((reading - position).abs() <= 0.000_5);
            assert!((reading * 1_000.0 - libm::rint(reading * 1_000.0)).abs() < 1e-9);
        }
        // Without noise, no random number is used.
        assert_eq!(random, Random::seeded(3));
    }

    #[test]
    fn noise_is_that_of_the_seed() {
        let encoder = Sensor::<f32> { noise: 0.1, offset: 2.0, ..Sensor::ideal() };
        let readings = |seed| {
            let mut random = Random::seeded(seed);
            [(); 4].map(|()| encoder.measure(1.0, &mut random))
        };
        assert_eq!(readings(5), readings(5));
        assert_ne!(readings(5), readings(6));
        assert!(readings(5).iter().all(|reading| (*reading - 3.0).abs() <= 0.347 && *reading != 3.0));
    }
}
