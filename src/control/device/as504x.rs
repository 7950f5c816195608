//! AS5047 and AS5048: magnetic encoders of 14 bits on SPI.
//!
//! SPI mode 1 (the clock idles low, data is taken at its falling edge), most significant bit first, up to 10 MHz. Each frame is a
//! transaction of its own; between two of them the chip-select must be high for 350 ns, and low as long before the first edge
//! of the clock (ams, AS5047P data sheet, SPI timing): at more than some 20 MHz of processor clock give the `SpiDevice` a
//! delay.
//!
//! An answer comes with the frame after its command. So a read is two frames and as fresh as the bus is fast, or, in a
//! [pipeline](As504x::pipelined), one frame a tick and a tick old.
//!
//! A chip that has not understood a command raises a flag in its answers until its error register is read. The read that finds
//! the flag reads that register and says what is in it; the next read works again. At most four frames are sent.
//!
//! A data line that is torn off reads as ones (the flag, and no sensible error register: [`As504xError::NoAnswer`]) or as zeros,
//! which is a valid frame of angle zero: that is for a [`StuckDetector`](super::StuckDetector) to find, or for
//! [`magnet`](As504x::magnet) at the start: a chip that is there is ready.

use core::fmt;

use embedded_hal::spi::{Error, ErrorKind, SpiDevice};

use super::frame::{FrameError, decode, decode_flagged, read_command};
use super::machine::Encoder;
use super::position::Position;
use super::scale::Scale;
use crate::scalar::Float;

/// No operation.
const NOP: u16 = 0x0000;
/// What was wrong with commands; cleared by being read.
const ERRORS: u16 = 0x0001;
/// The angle: in the AS5047 the one compensated for the delay at speed.
const ANGLE: u16 = 0x3FFF;
/// Field and gain of the AS5047.
const AS5047_DIAGNOSTICS: u16 = 0x3FFC;
/// Field and gain of the AS5048.
const AS5048_DIAGNOSTICS: u16 = 0x3FFD;

/// Why there is no angle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum As504xError {
    /// The bus failed.
    Bus(ErrorKind),
    /// An answer was changed on its way: its parity is odd.
    Parity {
        /// The answer.
        frame: u16,
    },
    /// The chip did not understand an earlier command. All its reasons are given, and cleared.
    Refused {
        /// Too few or too many clock edges in a frame.
        framing: bool,
        /// An address that does not exist.
        address: bool,
        /// Odd parity.
        parity: bool,
    },
    /// There is an error flag, and an error register that no chip has: nobody is there.
    NoAnswer {
        /// The register.
        register: u16,
    },
}

impl fmt::Display for As504xError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bus(kind) => write!(f, "encoder: SPI: {kind}"),
            Self::Parity { frame } => write!(f, "encoder: odd parity in answer {frame:#06x}"),
            Self::Refused { framing, address, parity } => write!(
                f,
                "encoder: command refused: framing error {framing}, address error {address}, parity error {parity}"
            ),
            Self::NoAnswer { register } => write!(f, "encoder: nobody answers, error register {register:#06x}"),
        }
    }
}

impl core::error::Error for As504xError {}

/// What the chip says about its magnet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Magnet {
    /// The chip has finished its start; before, angles are not valid.
    pub ready: bool,
    /// The angle could not be computed: it is not valid.
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

/// An AS5047 or AS5048; turns are counted.
///
/// ```
/// use embedded_hal_mock::eh1::spi::{Mock, Transaction};
/// use taut::control::device::{As504x, Encoder, Scale};
///
/// # fn frame(command: [u8; 2], answer: [u8; 2]) -> [Transaction<u8>; 3] {
/// #     let transfer = Transaction::transfer_in_place(command.to_vec(), answer.to_vec());
/// #     [Transaction::transaction_start(), transfer, Transaction::transaction_end()]
/// # }
/// // What comes first answers an earlier command; 0x9000 is a quarter of a turn with its parity bit.
/// let frames = [frame([0xFF, 0xFF], [0x00, 0x00]), frame([0xC0, 0x00], [0x90, 0x00])].concat();
/// let mut encoder = As504x::as5047(Mock::new(&frames), Scale::turn(14_u8));
///
/// assert_eq!(encoder.read(), Ok(core::f32::consts::FRAC_PI_2));
/// encoder.release().done();
/// ```
#[derive(Clone, Debug)]
pub struct As504x<Spi, T> {
    spi: Spi,
    position: Position<T, 14>,
    diagnostics: u16,
    pipelined: bool,
    /// The last command has asked for the angle, and the next answer is the angle.
    primed: bool,
}

impl<Spi: SpiDevice, T: Float> As504x<Spi, T> {
    /// An AS5047D or AS5047P, and what a count of 14 bits means.
    pub fn as5047(spi: Spi, scale: Scale<T>) -> Self {
        Self::new(spi, scale, AS5047_DIAGNOSTICS)
    }

    /// An AS5048A, and what a count of 14 bits means.
    pub fn as5048(spi: Spi, scale: Scale<T>) -> Self {
        Self::new(spi, scale, AS5048_DIAGNOSTICS)
    }

    fn new(spi: Spi, scale: Scale<T>, diagnostics: u16) -> Self {
        Self { spi, position: Position::new(scale), diagnostics, pipelined: false, primed: false }
    }

    /// One frame a read instead of two, and the angle that was there at the read before.
    ///
    /// The first read, and the one after an error, takes two frames.
    pub fn pipelined(self) -> Self {
        Self { pipelined: true, ..self }
    }

    /// Field and gain, in two frames; for the start, or now and then.
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

    /// The position at the last read that did not fail.
    pub fn last_good(&self) -> Option<T> {
        self.position.last_good()
    }

    /// Makes the position at the last read the zero; nothing before the first read.
    pub fn zero_here(&mut self) {
        self.position.zero_here();
    }

    /// Gives the bus back.
    pub fn release(self) -> Spi {
        self.spi
    }

    /// Sends a read command and receives the answer to the one before.
    fn exchange(&mut self, address: u16) -> Result<u16, As504xError> {
        self.primed = false;
        let mut bytes = read_command(address).to_be_bytes();
        self.spi.transfer_in_place(&mut bytes).map_err(|error| As504xError::Bus(error.kind()))?;
        self.primed = address == ANGLE;
        Ok(u16::from_be_bytes(bytes))
    }

    /// The data of an answer; after an error the pipeline starts afresh.
    fn data(&mut self, answer: u16) -> Result<u16, As504xError> {
        decode(answer).map_err(|error| {
            let error = match error {
                FrameError::Parity => As504xError::Parity { frame: answer },
                FrameError::Flagged => self.refusal().unwrap_or_else(|error| error),
            };
            self.primed = false;
            error
        })
    }

    /// Reads the error register, which clears it.
    fn refusal(&mut self) -> Result<As504xError, As504xError> {
        self.exchange(ERRORS)?;
        let frame = self.exchange(NOP)?;
        let register = decode_flagged(frame).map_err(|_| As504xError::Parity { frame })?;
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

impl<Spi: SpiDevice, T: Float> Encoder<T> for As504x<Spi, T> {
    type Error = As504xError;

    fn read(&mut self) -> Result<T, As504xError> {
        if !self.primed {
            self.exchange(ANGLE)?;
        }
        let answer = self.exchange(if self.pipelined { ANGLE } else { NOP })?;
        let count = self.data(answer)?;
        Ok(self.position.accept(u32::from(count)))
    }
}
