//! The position of an encoder that counts modulo 2ᵇ: turns, scale and the last good value in one.

use super::scale::Scale;
use super::unwrapped::Unwrapped;
use crate::scalar::Float;

/// Counts that were read so far, and what they mean.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) struct Position<T, const BITS: u32> {
    count: Unwrapped<BITS>,
    scale: Scale<T>,
    seen: bool,
}

impl<T: Float, const BITS: u32> Position<T, BITS> {
    pub fn new(scale: Scale<T>) -> Self {
        Self { count: Unwrapped::new(), scale, seen: false }
    }

    /// Takes a count that was read without error.
    #[inline]
    pub fn accept(&mut self, count: u32) -> T {
        self.seen = true;
        let total = self.count.update(count);
        self.scale.value(total)
    }

    /// The position at the last read without error.
    #[inline]
    pub fn last_good(&self) -> Option<T> {
        self.seen.then(|| self.scale.value(self.count.total()))
    }

    /// Makes the position at the last read the zero; nothing if there was none.
    pub fn zero_here(&mut self) {
        if self.seen {
            self.scale = self.scale.zero_at(self.count.total());
        }
    }
}
