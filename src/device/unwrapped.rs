//! Extends a counter that wraps to 64 bits.
//!
//! The new total for a count c modulo 2ᵇ that has moved by less than 2ᵇ⁻¹ since the last total C:
//!
//! ```text
//!     C + ((c − C + 2ᵇ⁻¹) mod 2ᵇ) − 2ᵇ⁻¹
//! ```

/// A count of `BITS` bits, 1 to 32, extended to 64.
///
/// No wrap is lost as long as the count moves by less than half its range between two updates; exactly half counts as backwards.
/// The total starts at zero, so the first count is read as a signed number: for an encoder of one turn an angle in [−π, π).
///
/// ```
/// use taut::device::Unwrapped;
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
    /// The shift that moves the bits of a count to the top of 32 bits.
    const SHIFT: u32 = {
        assert!(BITS >= 1 && BITS <= 32, "a count has 1 to 32 bits");
        32 - BITS
    };

    /// From zero.
    pub const fn new() -> Self {
        Self::starting_at(0)
    }

    /// From a known total, for example that of a homing run.
    pub const fn starting_at(total: i64) -> Self {
        Self { total }
    }

    /// Takes the present count, without the bits above `BITS`, and returns the new total.
    #[inline]
    pub fn update(&mut self, count: u32) -> i64 {
        // The difference modulo 2ᵇ with the sign that brings it nearest to zero: its bits shifted up and arithmetically back.
        let difference = (count.wrapping_sub(self.total as u32) << Self::SHIFT) as i32 >> Self::SHIFT;
        self.total = self.total.wrapping_add(i64::from(difference));
        self.total
    }

    /// The total at the last update.
    #[inline]
    pub const fn total(&self) -> i64 {
        self.total
    }
}
