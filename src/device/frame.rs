//! The 16-bit frames of the AS5047 and AS5048 on SPI.
//!
//! ```text
//!     bit         15             14                       13 … 0
//!     command     even parity    1 read, 0 write          address
//!     answer      even parity    1 a command was wrong    data
//! ```
//!
//! The parity bit makes the number of ones in the frame even (ams, data sheets of AS5047P and AS5048A, SPI).

/// Bit 14 of a command: read.
const READ: u16 = 0x4000;
/// Bit 14 of an answer: the chip did not understand a command.
const ERROR_FLAG: u16 = 0x4000;
/// The address of a command, the data of an answer.
const DATA: u16 = 0x3FFF;

/// The lower 15 bits, and the parity bit that goes with them.
#[inline]
pub fn with_parity(bits: u16) -> u16 {
    let bits = bits & 0x7FFF;
    bits | ((bits.count_ones() as u16 & 1) << 15)
}

/// The command to read a register of 14 bits address.
///
/// ```
/// assert_eq!(taut::device::read_command(0x3FFF), 0xFFFF); // the angle: 15 ones, and a parity bit
/// assert_eq!(taut::device::read_command(0x0001), 0x4001); // the errors: 2 ones
/// ```
#[inline]
pub fn read_command(address: u16) -> u16 {
    with_parity(READ | (address & DATA))
}

/// The 14 bits of data in an answer, and whether the chip has set its error flag: it has not understood a command. `None` if the
/// number of ones is odd: bits were changed on the way.
///
/// ```
/// use taut::device::decode;
///
/// assert_eq!(decode(0x9234), Some((0x1234, false))); // 5 ones, and a parity bit
/// assert_eq!(decode(0x1234), None);
/// assert_eq!(decode(0x5234), Some((0x1234, true)));
/// ```
#[inline]
pub fn decode(frame: u16) -> Option<(u16, bool)> {
    (with_parity(frame) == frame).then_some((frame & DATA, frame & ERROR_FLAG != 0))
}
