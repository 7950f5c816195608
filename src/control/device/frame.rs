//! The 16-bit frames of the AS5047 and AS5048 on SPI.
//!
//! ```text
//!     bit         15             14                       13 … 0
//!     command     even parity    1 read, 0 write          address
//!     answer      even parity    1 a command was wrong    data
//! ```
//!
//! The parity bit makes the number of ones in the frame even (ams, data sheets of AS5047P and AS5048A, SPI).

use core::fmt;

/// Bit 14 of a command: read.
const READ: u16 = 0x4000;
/// Bit 14 of an answer: the chip did not understand a command.
const ERROR_FLAG: u16 = 0x4000;
/// The address of a command, the data of an answer.
const DATA: u16 = 0x3FFF;

/// Why a frame carries no data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FrameError {
    /// The number of ones is odd: bits were changed on the way.
    Parity,
    /// The chip has set its error flag: it has not understood a command.
    Flagged,
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Parity => "odd parity",
            Self::Flagged => "error flag",
        })
    }
}

impl core::error::Error for FrameError {}

/// The lower 15 bits, and the parity bit that goes with them.
#[inline]
pub fn with_parity(bits: u16) -> u16 {
    let bits = bits & 0x7FFF;
    bits | ((bits.count_ones() as u16 & 1) << 15)
}

/// The command to read a register of 14 bits address.
///
/// ```
/// assert_eq!(taut::control::device::read_command(0x3FFF), 0xFFFF); // the angle: 15 ones, and a parity bit
/// assert_eq!(taut::control::device::read_command(0x0001), 0x4001); // the errors: 2 ones
/// ```
#[inline]
pub fn read_command(address: u16) -> u16 {
    with_parity(READ | (address & DATA))
}

/// The 14 bits of data in an answer.
///
/// ```
/// use taut::control::device::{FrameError, decode};
///
/// assert_eq!(decode(0x9234), Ok(0x1234)); // 5 ones, and a parity bit
/// assert_eq!(decode(0x1234), Err(FrameError::Parity));
/// assert_eq!(decode(0x5234), Err(FrameError::Flagged));
/// ```
#[inline]
pub fn decode(frame: u16) -> Result<u16, FrameError> {
    if with_parity(frame) != frame {
        return Err(FrameError::Parity);
    }
    if frame & ERROR_FLAG != 0 { Err(FrameError::Flagged) } else { Ok(frame & DATA) }
}

/// The data of an answer whose error flag does not matter, because it is being cleared.
#[inline]
pub(super) fn decode_flagged(frame: u16) -> Result<u16, FrameError> {
    if with_parity(frame) == frame { Ok(frame & DATA) } else { Err(FrameError::Parity) }
}
