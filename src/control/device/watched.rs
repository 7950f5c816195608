//! An encoder whose readings are judged before they are believed.

use core::fmt;

use super::jump::{Jump, JumpDetector};
use super::machine::Encoder;
use super::stuck::{Stuck, StuckDetector};
use crate::scalar::Float;

/// Why a reading is not believed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum WatchError<E, T> {
    /// The encoder gave none.
    Encoder(E),
    /// It is NaN or infinite.
    NonFinite,
    /// It is further from the last one than the machine can move.
    Jump(Jump<T>),
    /// It does not change although the command does.
    Stuck(Stuck<T>),
}

impl<E: fmt::Display, T: Float> fmt::Display for WatchError<E, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encoder(cause) => cause.fmt(f),
            Self::NonFinite => f.write_str("encoder: reading is not finite"),
            Self::Jump(cause) => cause.fmt(f),
            Self::Stuck(cause) => cause.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display, T: Float> core::error::Error for WatchError<E, T> {}

/// Any encoder, real or simulated, that is read once a tick, with a detector of jumps and one of stuck readings.
///
/// ```
/// use taut::control::device::{Encoder, JumpDetector, StuckDetector, WatchError, Watched};
///
/// struct Readings(std::vec::IntoIter<f32>);
/// impl Encoder<f32> for Readings {
///     type Error = &'static str;
///     fn read(&mut self) -> Result<f32, Self::Error> {
///         self.0.next().ok_or("no more")
///     }
/// }
///
/// let encoder = Readings(vec![0.10, 0.11, f32::NAN, 0.13].into_iter());
/// let mut watched = Watched::new(encoder).against_jumps(JumpDetector::new(0.02)?).against_sticking(StuckDetector::new(0.05)?);
/// watched.expect(0.1); // where the loop commands it to be
///
/// assert_eq!(watched.read(), Ok(0.10));
/// assert_eq!(watched.read(), Ok(0.11));
/// assert_eq!(watched.read(), Err(WatchError::NonFinite));
/// assert_eq!(watched.last_good(), Some(0.11));
/// assert_eq!(watched.read(), Ok(0.13));
/// assert_eq!(watched.read(), Err(WatchError::Encoder("no more")));
/// # Ok::<(), taut::control::device::SetupError<f32>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Watched<Inner, T> {
    encoder: Inner,
    jump: Option<JumpDetector<T>>,
    stuck: Option<StuckDetector<T>>,
    command: Option<T>,
    last_good: Option<T>,
}

impl<Inner: Encoder<T>, T: Float> Watched<Inner, T> {
    /// An encoder of which only readings that are not finite are refused.
    pub fn new(encoder: Inner) -> Self {
        Self { encoder, jump: None, stuck: None, command: None, last_good: None }
    }

    /// With a detector of jumps.
    pub fn against_jumps(self, detector: JumpDetector<T>) -> Self {
        Self { jump: Some(detector), ..self }
    }

    /// With a detector of stuck readings, which judges from the first [command](Self::expect) on.
    pub fn against_sticking(self, detector: StuckDetector<T>) -> Self {
        Self { stuck: Some(detector), ..self }
    }

    /// Says where the machine is commanded to be at the next reading; it holds until it is said anew.
    pub fn expect(&mut self, command: T) {
        self.command = Some(command);
    }

    /// The last reading that was believed.
    pub fn last_good(&self) -> Option<T> {
        self.last_good
    }

    /// Accepts whatever is read next, as at the restart of a loop. The last good reading is kept until then.
    pub fn restart(&mut self) {
        self.command = None;
        if let Some(detector) = &mut self.jump {
            detector.restart();
        }
        if let Some(detector) = &mut self.stuck {
            detector.restart();
        }
    }

    /// The encoder itself.
    pub fn encoder(&mut self) -> &mut Inner {
        &mut self.encoder
    }

    /// Gives the encoder back.
    pub fn release(self) -> Inner {
        self.encoder
    }

    /// A reading of the encoder that is a number.
    fn finite(&mut self) -> Result<T, WatchError<Inner::Error, T>> {
        let reading = self.encoder.read().map_err(WatchError::Encoder)?;
        if reading.is_finite() { Ok(reading) } else { Err(WatchError::NonFinite) }
    }
}

impl<Inner: Encoder<T>, T: Float> Encoder<T> for Watched<Inner, T> {
    type Error = WatchError<Inner::Error, T>;

    fn read(&mut self) -> Result<T, Self::Error> {
        let reading = self.finite().inspect_err(|_| {
            if let Some(detector) = &mut self.jump {
                detector.miss();
            }
        })?;
        if let Some(detector) = &mut self.jump {
            detector.check(reading).map_err(WatchError::Jump)?;
        }
        if let (Some(detector), Some(command)) = (&mut self.stuck, self.command) {
            detector.check(reading, command).map_err(WatchError::Stuck)?;
        }
        self.last_good = Some(reading);
        Ok(reading)
    }
}
