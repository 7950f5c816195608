//! AS5600: a magnetic encoder of 12 bits on I²C.
//!
//! One transfer reads the status at 0x0B and the raw angle at 0x0C and 0x0D, most significant byte first (ams, AS5600 data sheet,
//! registers): six bytes with the addresses, 150 µs at 400 kHz and 60 µs at 1 MHz.

use core::fmt;

use embedded_hal::i2c::{Error, ErrorKind, I2c};

use super::machine::Encoder;
use super::position::Position;
use super::scale::Scale;
use crate::scalar::Float;

/// The address that all AS5600 have.
const ADDRESS: u8 = 0x36;
/// The register of the status; the angle follows.
const STATUS: u8 = 0x0B;
/// The field is too strong for the smallest gain.
const TOO_STRONG: u8 = 1 << 3;
/// The field is too weak for the largest gain.
const TOO_WEAK: u8 = 1 << 4;
/// There is a magnet.
const DETECTED: u8 = 1 << 5;

/// Why there is no angle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum As5600Error {
    /// The bus failed; no acknowledge means that nobody is there.
    Bus(ErrorKind),
    /// There is no magnet.
    NoMagnet {
        /// The status register.
        status: u8,
    },
    /// The magnet is too weak or too far away.
    TooWeak {
        /// The status register.
        status: u8,
    },
    /// The magnet is too strong or too near.
    TooStrong {
        /// The status register.
        status: u8,
    },
    /// The magnet would be too weak and too strong at once: nobody drives the bus.
    Contradiction {
        /// The status register.
        status: u8,
    },
}

impl fmt::Display for As5600Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bus(kind) => write!(f, "encoder: I2C: {kind}"),
            Self::NoMagnet { status } => write!(f, "encoder: no magnet, status {status:#04x}"),
            Self::TooWeak { status } => write!(f, "encoder: magnet too weak, status {status:#04x}"),
            Self::TooStrong { status } => write!(f, "encoder: magnet too strong, status {status:#04x}"),
            Self::Contradiction { status } => write!(f, "encoder: impossible status {status:#04x}"),
        }
    }
}

impl core::error::Error for As5600Error {}

/// An AS5600; turns are counted.
///
/// ```
/// use embedded_hal_mock::eh1::i2c::{Mock, Transaction};
/// use taut::control::device::{As5600, Encoder, Scale};
///
/// // A magnet is detected, and stands at a quarter of a turn.
/// let mut encoder = As5600::new(Mock::new(&[Transaction::write_read(0x36, vec![0x0B], vec![0x20, 0x04, 0x00])]), Scale::turn(12_u8));
/// assert_eq!(encoder.read(), Ok(core::f32::consts::FRAC_PI_2));
/// encoder.release().done();
/// ```
#[derive(Clone, Debug)]
pub struct As5600<Bus, T> {
    bus: Bus,
    position: Position<T, 12>,
    any_strength: bool,
}

impl<Bus: I2c, T: Float> As5600<Bus, T> {
    /// An AS5600 and what a count of 12 bits means.
    pub fn new(bus: Bus, scale: Scale<T>) -> Self {
        Self { bus, position: Position::new(scale), any_strength: false }
    }

    /// Accepts a magnet of any strength, as long as there is one: angles are valid but noisier.
    pub fn with_any_strength(self) -> Self {
        Self { any_strength: true, ..self }
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
    pub fn release(self) -> Bus {
        self.bus
    }

    fn judge(&self, status: u8) -> Result<(), As5600Error> {
        let (weak, strong) = (status & TOO_WEAK != 0, status & TOO_STRONG != 0);
        if weak && strong {
            Err(As5600Error::Contradiction { status })
        } else if status & DETECTED == 0 {
            Err(As5600Error::NoMagnet { status })
        } else if weak && !self.any_strength {
            Err(As5600Error::TooWeak { status })
        } else if strong && !self.any_strength {
            Err(As5600Error::TooStrong { status })
        } else {
            Ok(())
        }
    }
}

impl<Bus: I2c, T: Float> Encoder<T> for As5600<Bus, T> {
    type Error = As5600Error;

    fn read(&mut self) -> Result<T, As5600Error> {
        let mut bytes = [0; 3];
        self.bus.write_read(ADDRESS, &[STATUS], &mut bytes).map_err(|error| As5600Error::Bus(error.kind()))?;
        let [status, high, low] = bytes;
        self.judge(status)?;
        Ok(self.position.accept(u32::from(u16::from_be_bytes([high, low]))))
    }
}
