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
//! The driver polls the diagnostics of the magnet and returns an error if they are bad. Without the pipeline this costs nothing: the
//! second frame of a read asks for them, the first frame of the next read receives them. In the pipeline every 64th read takes
//! two frames. The first read and the one after an error take three frames and check the diagnostics, too.
//!
//! After a bad command the chip sets a flag in its answers until its error register is read. The read that finds the flag reads the
//! register and returns its content as an error; the next read works again. A read sends at most five frames.
//!
//! A broken data line reads as ones or as zeros. Ones are the flag with an impossible error register: [`As504xError::NoAnswer`]. Zeros
//! are diagnostics of a chip that is not ready: [`As504xError::Magnet`].

use core::fmt;

use embedded_hal::spi::{Error, ErrorKind, SpiDevice};

use super::frame::{decode, read_command};
use super::magnet::Magnet;
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
/// In the pipeline one of so many reads polls the diagnostics.
const POLL: u8 = 64;

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
    /// Angles are not valid, or the field is too strong or too weak.
    Magnet(Magnet),
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
            Self::Magnet(Magnet { ready, overflow, too_strong, too_weak, gain }) => write!(
                f,
                "AS504x: bad magnet: ready {ready}, overflow {overflow}, too strong {too_strong}, too weak {too_weak}, gain {gain}"
            ),
        }
    }
}

impl core::error::Error for As504xError {}

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
/// // The first answer belongs to an earlier command. 0x0180 are good diagnostics, 0x9000 is a quarter of a turn with its parity bit.
/// let frames = [
///     frame([0xFF, 0xFC], [0x00, 0x00]), // diagnostics?
///     frame([0xFF, 0xFF], [0x01, 0x80]), // angle?
///     frame([0xFF, 0xFC], [0x90, 0x00]), // diagnostics, for the next read?
/// ]
/// .concat();
/// // At most a tenth of a radian per read.
/// let mut encoder = As504x::as5047(Mock::new(&frames)).scaled(Scale::turn(14_u8), 0.1)?;
///
/// assert_eq!(encoder.read(), Ok(core::f32::consts::FRAC_PI_2));
/// encoder.counter.spi.done();
/// # Ok::<(), taut::device::SetupError<f32>>(())
/// ```
#[derive(Clone, Debug)]
pub struct As504x<Spi> {
    /// The bus.
    pub spi: Spi,
    diagnostics: u16,
    any_strength: bool,
    pipelined: bool,
    /// What the next answer is.
    asked: Asked,
    /// How many reads of the pipeline do not poll the diagnostics.
    unpolled: u8,
}

/// What the last command asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Asked {
    /// Something else, or it is not known.
    Other,
    Angle,
    Diagnostics,
}

impl<Spi: SpiDevice> As504x<Spi> {
    /// An AS5047D or AS5047P.
    pub fn as5047(spi: Spi) -> Self {
        Self {
            spi,
            diagnostics: AS5047_DIAGNOSTICS,
            any_strength: false,
            pipelined: false,
            asked: Asked::Other,
            unpolled: 0,
        }
    }

    /// An AS5048A.
    pub fn as5048(spi: Spi) -> Self {
        Self { diagnostics: AS5048_DIAGNOSTICS, ..Self::as5047(spi) }
    }

    /// Accepts a magnet of any strength. Angles are valid, but noisier.
    pub fn with_any_strength(self) -> Self {
        Self { any_strength: true, ..self }
    }

    /// Takes one frame per read instead of two, and gives the angle of the read before.
    ///
    /// Every 64th read, which polls the diagnostics, takes two frames; the first read, and the one after an error, three.
    pub fn pipelined(self) -> Self {
        Self { pipelined: true, ..self }
    }

    /// Reads the diagnostics, in two frames: for the gain, when a magnet is mounted. Reads poll them without it.
    pub fn magnet(&mut self) -> Result<Magnet, As504xError> {
        self.exchange(self.diagnostics)?;
        let answer = self.exchange(NOP)?;
        let register = self.data(answer)?;
        Ok(Magnet::from_register(register))
    }

    /// Sends a read command and receives the answer to the one before.
    fn exchange(&mut self, address: u16) -> Result<u16, As504xError> {
        self.asked = Asked::Other;
        let mut bytes = read_command(address).to_be_bytes();
        self.spi.transfer_in_place(&mut bytes).map_err(|error| As504xError::Bus(error.kind()))?;
        self.asked = match address {
            ANGLE => Asked::Angle,
            _ if address == self.diagnostics => Asked::Diagnostics,
            _ => Asked::Other,
        };
        Ok(u16::from_be_bytes(bytes))
    }

    /// The data of an answer. An error restarts the pipeline.
    fn data(&mut self, frame: u16) -> Result<u16, As504xError> {
        let error = match decode(frame) {
            Some((data, false)) => return Ok(data),
            Some((_, true)) => self.refusal().unwrap_or_else(|error| error),
            None => As504xError::Parity { frame },
        };
        self.asked = Asked::Other;
        Err(error)
    }

    /// The answers of a read: the angle, and the diagnostics if this read polls them.
    fn answers(&mut self) -> Result<(u16, Option<u16>), As504xError> {
        if !self.pipelined {
            if self.asked != Asked::Diagnostics {
                self.exchange(self.diagnostics)?;
            }
            let diagnostics = self.exchange(ANGLE)?;
            return Ok((self.exchange(self.diagnostics)?, Some(diagnostics)));
        }
        if self.asked != Asked::Angle {
            self.exchange(ANGLE)?;
            self.unpolled = 0;
        }
        if let Some(left) = self.unpolled.checked_sub(1) {
            self.unpolled = left;
            return Ok((self.exchange(ANGLE)?, None));
        }
        let angle = self.exchange(self.diagnostics)?;
        self.unpolled = POLL - 1;
        Ok((angle, Some(self.exchange(ANGLE)?)))
    }

    /// Judges the content of the diagnostics. If they are bad, the next read polls them again.
    fn judge(&mut self, register: u16) -> Result<(), As504xError> {
        let magnet = Magnet::from_register(register);
        if magnet.is_good() || self.any_strength && magnet.is_valid() {
            return Ok(());
        }
        self.unpolled = 0;
        Err(As504xError::Magnet(magnet))
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
        let (angle, diagnostics) = self.answers()?;
        let angle = self.data(angle)?;
        if let Some(frame) = diagnostics {
            let register = self.data(frame)?;
            self.judge(register)?;
        }
        Ok(angle.into())
    }
}
