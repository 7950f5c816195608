//! CRC-32, the checksum of saved states: IEEE 802.3, reflected, polynomial 0xEDB88320.
//!
//! It finds every error in one bit, every error within 32 consecutive bits, and all but one in 2³² of the others. Computed bit by bit:
//! no table in flash, about five instructions a bit.

use crate::scalar::Float;

/// A checksum while it is computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checksum(u32);

impl Checksum {
    /// Of nothing yet.
    pub(super) fn new() -> Self {
        Self(u32::MAX)
    }

    /// Appends the eight bytes of a number, the lowest first.
    pub(super) fn append(&mut self, mut number: u64) {
        for _ in 0..u64::BITS {
            let is_odd = (self.0 ^ number as u32) & 1;
            self.0 = (self.0 >> 1) ^ (0xEDB8_8320 & is_odd.wrapping_neg());
            number >>= 1;
        }
    }

    /// Appends the bits of floats: 0 and −0 differ, and so do all NaN.
    pub(super) fn append_all<'a, T: Float>(&mut self, numbers: impl IntoIterator<Item = &'a T>) {
        for number in numbers {
            self.append(number.bit_pattern());
        }
    }

    /// The checksum of all that was appended.
    pub(super) fn finish(self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_crc_32_of_the_little_endian_bytes() {
        let mut checksum = Checksum::new();
        assert_eq!(checksum.finish(), 0);
        checksum.append(u64::from_le_bytes(*b"12345678"));
        assert_eq!(checksum.finish(), 0x9AE0_DAAF);
        checksum.append_all(&[-0.0_f32]);
        let minus = checksum.finish();
        let mut checksum = Checksum::new();
        checksum.append(u64::from_le_bytes(*b"12345678"));
        checksum.append_all(&[0.0_f32]);
        assert_ne!(checksum.finish(), minus);
    }
}
