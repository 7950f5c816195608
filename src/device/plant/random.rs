//! A small random number generator: a seed gives the same sequence on every machine.
//!
//! SplitMix64 (Steele, Lea and Flood 2014): a counter and a hash of it, eight bytes of state, period 2⁶⁴.

use crate::scalar::Float;

/// Random numbers from a seed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) struct Random {
    counter: u64,
}

impl Random {
    /// A sequence of its own for every seed.
    pub const fn seeded(seed: u64) -> Self {
        Self { counter: seed }
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.counter;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A nearly normal number with mean zero and variance one, never beyond ±3.47. It is the sum of four uniform numbers of 16 bits, so no
    /// function has to be evaluated.
    #[inline]
    pub fn normal<T: Float>(&mut self) -> T {
        let bits = self.bits();
        let sum = (0..4).map(|quarter| (bits >> (16 * quarter)) & 0xffff).sum::<u64>();
        // Each has the mean (2¹⁶ − 1)/2 and the variance (2³² − 1)/12.
        let centred = T::from_ticks(sum) - T::from_f64(2.0 * 65_535.0);
        centred * T::from_f64(2.642_899_792_130_301_4e-5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs for the seed 1234567, as published on Rosetta Code (task Splitmix64).
    #[test]
    fn bits_are_those_of_the_published_algorithm() {
        let mut random = Random::seeded(1_234_567);
        let first = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(core::array::from_fn(|_| random.bits()), first);
    }

    /// Over n numbers the mean is within 4/√n, the variance within 4 √(2/n) and a bit.
    #[test]
    fn normal_numbers_have_mean_zero_and_variance_one() {
        let mut random = Random::seeded(1);
        let count = 100_000;
        let (mut sum, mut squares, mut largest) = (0.0, 0.0, 0.0_f64);
        for _ in 0..count {
            let x: f64 = random.normal();
            sum += x;
            squares += x * x;
            largest = largest.max(x.abs());
        }
        let n = f64::from(count);
        assert!((sum / n).abs() < 4.0 / libm::sqrt(n));
        assert!((squares / n - 1.0).abs() < 4.0 * libm::sqrt(2.0 / n));
        assert!(largest > 3.0 && largest < 3.47);
    }
}
