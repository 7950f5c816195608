//! A counter of few bits that turns over, continued without end.
//!
//! Of a count c that is known modulo 2ᵇ, and that has moved by less than 2ᵇ⁻¹ since it was last seen at C, there is only one:
//!
//! ```text
//!     C + ((c − C + 2ᵇ⁻¹) mod 2ᵇ) − 2ᵇ⁻¹
//! ```

/// A count of `BITS` bits, 1 to 32, extended to 64.
///
/// No turn is lost as long as it moves by less than half its range between two updates; by exactly half of it counts as
/// backwards. It starts at zero, so that the first count is taken as a signed number: for an encoder of one turn an angle in
/// [−π, π).
///
/// ```
/// use taut::control::device::Unwrapped;
///
/// let mut count = Unwrapped::<16>::new();
/// assert_eq!(count.update(65_535), -1);
/// assert_eq!(count.update(30_000), 30_000);
/// assert_eq!(count.update(60_000), 60_000);
/// assert_eq!(count.update(3), 65_539);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Unwrapped<const BITS: u32> {
    total: i64,
}

impl<const BITS: u32> Unwrapped<BITS> {
    /// How far the bits of a count must be shifted to be the uppermost of 32.
    const SHIFT: u32 = {
        assert!(BITS >= 1 && BITS <= 32, "a count has 1 to 32 bits");
        32 - BITS
    };

    /// From zero.
    pub const fn new() -> Self {
        Self::starting_at(0)
    }

    /// From a known count, for example the one a homing run has found.
    pub const fn starting_at(total: i64) -> Self {
        Self { total }
    }

    /// Takes the count that is there now, bits above `BITS` left out, and returns the extended one.
    #[inline]
    pub fn update(&mut self, count: u32) -> i64 {
        // The difference modulo 2ᵇ with the sign that brings it nearest to zero: its bits shifted up and arithmetically back.
        let difference = (count.wrapping_sub(self.total as u32) << Self::SHIFT) as i32 >> Self::SHIFT;
        self.total = self.total.wrapping_add(i64::from(difference));
        self.total
    }

    /// The extended count at the last update.
    #[inline]
    pub const fn total(&self) -> i64 {
        self.total
    }
}
