//! AS5600: a magnetic encoder of 12 bits on I²C.
//!
//! One transfer reads the status at 0x0B and the raw angle at 0x0C and 0x0D, most significant byte first (ams, AS5600 data sheet,
//! registers): six bytes with the addresses, 150 µs at 400 kHz and 60 µs at 1 MHz. So every read checks the magnet, at a cost of one byte.

use core::fmt;

use embedded_hal::i2c::{Error, ErrorKind, I2c};

use super::scaled::Counter;

/// The fixed address of an AS5600.
const ADDRESS: u8 = 0x36;
/// The register of the status; the angle follows.
const STATUS: u8 = 0x0B;
/// The field is too strong for the smallest gain.
const TOO_STRONG: u8 = 1 << 3;
/// The field is too weak for the largest gain.
const TOO_WEAK: u8 = 1 << 4;
/// There is a magnet.
const DETECTED: u8 = 1 << 5;

/// Why the chip gives no angle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum As5600Error {
    /// The bus failed. Without an acknowledge no chip answers.
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
    /// The status says too weak and too strong at once: nothing drives the bus.
    Contradiction {
        /// The status register.
        status: u8,
    },
}

impl fmt::Display for As5600Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bus(kind) => write!(f, "AS5600: I2C: {kind}"),
            Self::NoMagnet { status } => write!(f, "AS5600: no magnet, status {status:#04x}; mount one"),
            Self::TooWeak { status } => write!(f, "AS5600: magnet too weak, status {status:#04x}; move it nearer"),
            Self::TooStrong { status } => write!(f, "AS5600: magnet too strong, status {status:#04x}; move it away"),
            Self::Contradiction { status } => write!(f, "AS5600: impossible status {status:#04x}; check the wiring"),
        }
    }
}

impl core::error::Error for As5600Error {}

/// An AS5600.
///
/// ```
/// use embedded_hal_mock::eh1::i2c::{Mock, Transaction};
/// use taut::device::{As5600, Counter, Encoder, Scale};
///
/// // A magnet is detected, and stands at a quarter of a turn.
/// let bus = Mock::new(&[Transaction::write_read(0x36, vec![0x0B], vec![0x20, 0x04, 0x00])]);
/// let mut encoder = As5600::new(bus).scaled(Scale::turn(12_u8), 0.1)?; // at most a tenth of a radian per read
/// assert_eq!(encoder.read(), Ok(core::f32::consts::FRAC_PI_2));
/// encoder.counter.bus.done();
/// # Ok::<(), taut::device::SetupError<f32>>(())
/// ```
#[derive(Clone, Debug)]
pub struct As5600<Bus> {
    /// The bus.
    pub bus: Bus,
    any_strength: bool,
}

impl<Bus: I2c> As5600<Bus> {
    /// On this bus.
    pub fn new(bus: Bus) -> Self {
        Self { bus, any_strength: false }
    }

    /// Accepts a detected magnet of any strength. Angles are valid, but noisier.
    pub fn with_any_strength(self) -> Self {
        Self { any_strength: true, ..self }
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

impl<Bus: I2c> Counter<12> for As5600<Bus> {
    type Error = As5600Error;

    fn count(&mut self) -> Result<u32, As5600Error> {
        let mut bytes = [0; 3];
        self.bus.write_read(ADDRESS, &[STATUS], &mut bytes).map_err(|error| As5600Error::Bus(error.kind()))?;
        let [status, high, low] = bytes;
        self.judge(status)?;
        Ok(u32::from(u16::from_be_bytes([high, low])))
    }
}
