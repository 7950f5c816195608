//! AS5047 and AS5048: magnetic encoders of 14 bits on SPI.
//!
//! SPI mode 1 (the clock idles low, data is taken at its falling edge), most significant bit first, up to 10 MHz. Each frame is a
//! transaction of its own; between two of them the chip-select must be high for 350 ns, and low as long before the first edge
//! of the clock (ams, AS5047P data sheet, SPI timing): at more than some 20 MHz of processor clock give the `SpiDevice` a
//! delay.
//!
//! An answer comes with the frame after its command. So a read takes two frames and gives the present angle. In a
//! [pipeline](As504x::pipelined) it takes one frame and gives the angle of the read before.
//!
//! After a bad command the chip sets a flag in its answers until its error register is read. The read that finds the flag reads the
//! register and returns its content as an error; the next read works again. A read sends at most four frames.
//!
//! A broken data line reads as ones or as zeros. Ones are the flag with an impossible error register: [`As504xError::NoAnswer`]. Zeros
//! are a valid frame with the angle zero. A [`StuckDetector`](super::StuckDetector) finds these; so does
//! [`magnet`](As504x::magnet) at the start, whose `ready` is then false.

use core::fmt;

use embedded_hal::spi::{Error, ErrorKind, SpiDevice};

use super::frame::{decode, read_command};
use super::scaled::Counter;

/// No operation.
const NOP: u16 = 0x0000;
/// The error register; reading clears it.
const ERRORS: u16 = 0x0001;
/// The angle: in the AS5047 the one compensated for the delay at speed.
const ANGLE: u16 = 0x3FFF;
/// Field and gain of the AS5047.
const AS5047_DIAGNOSTICS: u16 = 0x3FFC;
/// Field and gain of the AS5048.
const AS5048_DIAGNOSTICS: u16 = 0x3FFD;

/// Why the chip gives no angle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum As504xError {
    /// The bus failed.
    Bus(ErrorKind),
    /// An answer has odd parity: it was corrupted on the bus.
    Parity {
        /// The answer.
        frame: u16,
    },
    /// The chip refused an earlier command. The error register is read, which clears it.
    Refused {
        /// Too few or too many clock edges in a frame.
        framing: bool,
        /// An address that does not exist.
        address: bool,
        /// Odd parity.
        parity: bool,
    },
    /// The error flag is set and the error register has an impossible value: no chip answers.
    NoAnswer {
        /// The register.
        register: u16,
    },
}

impl fmt::Display for As504xError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bus(kind) => write!(f, "AS504x: SPI: {kind}"),
            Self::Parity { frame } => write!(f, "AS504x: odd parity in answer {frame:#06x}; check the wiring"),
            Self::Refused { framing, address, parity } => {
                write!(f, "AS504x: command refused: errors of framing {framing}, address {address}, parity {parity}")
            }
            Self::NoAnswer { register } => write!(f, "AS504x: no answer, register {register:#06x}; check the wiring"),
        }
    }
}

impl core::error::Error for As504xError {}

/// The chip's diagnostics of its magnet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Magnet {
    /// The chip has finished its start. Before, angles are not valid.
    pub ready: bool,
    /// The angle computation overflowed: the angle is not valid.
    pub overflow: bool,
    /// The field is too strong for the smallest gain.
    pub too_strong: bool,
    /// The field is too weak for the largest gain.
    pub too_weak: bool,
    /// The gain: 0 for a strong field, 255 for a weak one.
    pub gain: u8,
}

impl Magnet {
    /// Whether angles are valid and the field is within its limits.
    pub fn is_good(&self) -> bool {
        self.ready && !self.overflow && !self.too_strong && !self.too_weak
    }
}

/// An AS5047 or AS5048.
///
/// ```
/// use embedded_hal_mock::eh1::spi::{Mock, Transaction};
/// use taut::device::{As504x, Counter, Encoder, Scale};
///
/// # fn frame(command: [u8; 2], answer: [u8; 2]) -> [Transaction<u8>; 3] {
/// #     let transfer = Transaction::transfer_in_place(command.to_vec(), answer.to_vec());
/// #     [Transaction::transaction_start(), transfer, Transaction::transaction_end()]
/// # }
/// // The first answer belongs to an earlier command; 0x9000 is a quarter of a turn with its parity bit.
/// let frames = [frame([0xFF, 0xFF], [0x00, 0x00]), frame([0xC0, 0x00], [0x90, 0x00])].concat();
/// let mut encoder = As504x::as5047(Mock::new(&frames)).scaled(Scale::turn(14_u8));
///
/// assert_eq!(encoder.read(), Ok(core::f32::consts::FRAC_PI_2));
/// encoder.counter.spi.done();
/// ```
#[derive(Clone, Debug)]
pub struct As504x<Spi> {
    /// The bus.
    pub spi: Spi,
    diagnostics: u16,
    pipelined: bool,
    /// The last command asked for the angle: the next answer is the angle.
    primed: bool,
}

impl<Spi: SpiDevice> As504x<Spi> {
    /// An AS5047D or AS5047P.
    pub fn as5047(spi: Spi) -> Self {
        Self { spi, diagnostics: AS5047_DIAGNOSTICS, pipelined: false, primed: false }
    }

    /// An AS5048A.
    pub fn as5048(spi: Spi) -> Self {
        Self { diagnostics: AS5048_DIAGNOSTICS, ..Self::as5047(spi) }
    }

    /// Takes one frame per read instead of two, and gives the angle of the read before.
    ///
    /// The first read, and the one after an error, takes two frames.
    pub fn pipelined(self) -> Self {
        Self { pipelined: true, ..self }
    }

    /// Reads the diagnostics, in two frames. Call it at the start, or now and then.
    pub fn magnet(&mut self) -> Result<Magnet, As504xError> {
        self.exchange(self.diagnostics)?;
        let answer = self.exchange(NOP)?;
        let register = self.data(answer)?;
        Ok(Magnet {
            ready: register & 1 << 8 != 0,
            overflow: register & 1 << 9 != 0,
            too_strong: register & 1 << 10 != 0,
            too_weak: register & 1 << 11 != 0,
            gain: (register & 0xFF) as u8,
        })
    }

    /// Sends a read command and receives the answer to the one before.
    fn exchange(&mut self, address: u16) -> Result<u16, As504xError> {
        self.primed = false;
        let mut bytes = read_command(address).to_be_bytes();
        self.spi.transfer_in_place(&mut bytes).map_err(|error| As504xError::Bus(error.kind()))?;
        self.primed = address == ANGLE;
        Ok(u16::from_be_bytes(bytes))
    }

    /// The data of an answer. An error restarts the pipeline.
    fn data(&mut self, frame: u16) -> Result<u16, As504xError> {
        let error = match decode(frame) {
            Some((data, false)) => return Ok(data),
            Some((_, true)) => self.refusal().unwrap_or_else(|error| error),
            None => As504xError::Parity { frame },
        };
        self.primed = false;
        Err(error)
    }

    /// Reads the error register, which clears it.
    fn refusal(&mut self) -> Result<As504xError, As504xError> {
        self.exchange(ERRORS)?;
        let frame = self.exchange(NOP)?;
        let (register, _) = decode(frame).ok_or(As504xError::Parity { frame })?;
        Ok(if register > 0b111 {
            As504xError::NoAnswer { register }
        } else {
            As504xError::Refused {
                framing: register & 0b001 != 0,
                address: register & 0b010 != 0,
                parity: register & 0b100 != 0,
            }
        })
    }
}

impl<Spi: SpiDevice> Counter<14> for As504x<Spi> {
    type Error = As504xError;

    fn count(&mut self) -> Result<u32, As504xError> {
        if !self.primed {
            self.exchange(ANGLE)?;
        }
        let answer = self.exchange(if self.pipelined { ANGLE } else { NOP })?;
        self.data(answer).map(u32::from)
    }
}
