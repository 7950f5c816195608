//! Readings that are further apart than the machine can move.

use core::fmt;

use super::setup::{SetupError, between};
use crate::scalar::Float;

/// Why a reading can not be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Jump<T> {
    /// It is further from the last good one than the machine can move in between.
    TooFar {
        /// The last good reading.
        from: T,
        /// This one.
        to: T,
        /// How far the machine can move in the ticks between them.
        limit: T,
    },
    /// There was no good reading for so long that the encoder may have turned over unseen: its position is unknown until a new
    /// [start](JumpDetector::restart).
    Lost {
        /// The last good reading.
        from: T,
        /// How many ticks ago that was.
        ticks: u32,
    },
}

impl<T: Float> fmt::Display for Jump<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFar { from, to, limit } => {
                write!(f, "encoder: jump from {from:e} to {to:e}, limit {limit:e}")
            }
            Self::Lost { from, ticks } => {
                write!(f, "encoder: position unknown, last reading {from:e} was {ticks} ticks ago")
            }
        }
    }
}

impl<T: Float> core::error::Error for Jump<T> {}

/// Refuses readings that are further from the last good one than the machine can move.
///
/// With v the limit for one tick, n ticks after the last good reading anything within n v of it is accepted, so that one bad
/// reading costs one reading, and nothing accumulates.
///
/// ```
/// use taut::control::device::{Jump, JumpDetector};
///
/// let mut detector = JumpDetector::new(0.125_f32)?; // 125 rad/s at 1 kHz
/// detector.check(1.0)?;
/// assert_eq!(detector.check(2.0), Err(Jump::TooFar { from: 1.0, to: 2.0, limit: 0.125 }));
/// detector.check(1.25)?; // two ticks after the last good one
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct JumpDetector<T> {
    limit: T,
    half_range: T,
    last: Option<T>,
    /// Ticks since the last good reading, up to and without this one.
    missed: u32,
}

impl<T: Float> JumpDetector<T> {
    /// From the furthest that the machine moves in one tick, with noise and one count added: finite and positive.
    pub fn new(limit: T) -> Result<Self, SetupError<T>> {
        let limit = between("motion in one tick", limit, T::zero(), T::INFINITY)?;
        Ok(Self { limit, half_range: T::INFINITY, last: None, missed: 0 })
    }

    /// For an encoder that turns over: half its range, π for one of a turn; more than the machine moves in one tick.
    ///
    /// So many bad readings in a row that it may have turned over unseen are [`Jump::Lost`].
    pub fn within(self, half_range: T) -> Result<Self, SetupError<T>> {
        Ok(Self { half_range: between("half an encoder's range", half_range, self.limit, T::INFINITY)?, ..self })
    }

    /// Judges the reading of one tick; a reading that is refused changes only the time since the last good one.
    pub fn check(&mut self, reading: T) -> Result<(), Jump<T>> {
        let Some(from) = self.last else {
            // NaN is at no distance from anything.
            if !reading.is_finite() {
                return Err(Jump::TooFar { from: T::NAN, to: reading, limit: self.limit });
            }
            self.last = Some(reading);
            return Ok(());
        };
        self.miss();
        let limit = self.limit * T::from_ticks(u64::from(self.missed));
        if !(limit < self.half_range) {
            return Err(Jump::Lost { from, ticks: self.missed });
        }
        if !((reading - from).abs() <= limit) {
            return Err(Jump::TooFar { from, to: reading, limit });
        }
        self.last = Some(reading);
        self.missed = 0;
        Ok(())
    }

    /// A tick without any reading.
    pub fn miss(&mut self) {
        self.missed = self.missed.saturating_add(1);
    }

    /// Accepts whatever comes next.
    pub fn restart(&mut self) {
        self.last = None;
        self.missed = 0;
    }
}
