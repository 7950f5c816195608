//! Detects readings that are further apart than the machine can move.

use core::fmt;

use super::setup::{SetupError, between};
use crate::scalar::Float;

/// Why a reading is not believed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Jump<T> {
    /// The reading is further from the last good one than the machine can move in between, or it is NaN or infinite.
    Implausible {
        /// The last good reading; NaN before the first.
        from: T,
        /// This reading.
        to: T,
        /// How far the machine can move in the ticks between them.
        limit: T,
    },
    /// There was no good reading for so long that the encoder may have wrapped unseen. Its position is unknown until a
    /// [restart](JumpDetector::restart).
    TurnsLost {
        /// The last good reading.
        from: T,
        /// How many ticks ago that was.
        ticks: u32,
    },
}

impl<T: Float> fmt::Display for Jump<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Implausible { from, to, limit } => {
                write!(f, "the reading jumps from {from:e} to {to:e}, limit {limit:e}")
            }
            Self::TurnsLost { from, ticks } => {
                write!(f, "no good reading for {ticks} ticks since {from:e}: turns may be lost, home again")
            }
        }
    }
}

impl<T: Float> core::error::Error for Jump<T> {}

/// Refuses readings that are further from the last good one than the machine can move.
///
/// With v the limit for one tick, a reading n ticks after the last good one is accepted within n v of it. So one bad reading costs
/// one reading, and errors do not accumulate.
///
/// ```
/// use taut::device::{Jump, JumpDetector};
///
/// let mut detector = JumpDetector::new(0.125_f32)?; // 125 rad/s at 1 kHz
/// detector.check(1.0)?;
/// assert_eq!(detector.check(2.0), Err(Jump::Implausible { from: 1.0, to: 2.0, limit: 0.125 }));
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
    /// How far the machine moves in these ticks.
    reach: T,
}

impl<T: Float> JumpDetector<T> {
    /// `limit` is the furthest that the machine moves in one tick, plus noise and one count: finite and positive.
    pub fn new(limit: T) -> Result<Self, SetupError<T>> {
        let limit = between("motion in one tick", limit, T::zero(), T::INFINITY)?;
        Ok(Self { limit, half_range: T::INFINITY, last: None, missed: 0, reach: T::zero() })
    }

    /// For an encoder that wraps: half its range, π for an encoder of one turn. It must exceed the motion of one tick.
    ///
    /// After so many bad readings that the encoder may have wrapped unseen, every reading is [`Jump::TurnsLost`].
    pub fn within(self, half_range: T) -> Result<Self, SetupError<T>> {
        Ok(Self { half_range: between("half an encoder's range", half_range, self.limit, T::INFINITY)?, ..self })
    }

    /// Checks the reading of one tick. A refused reading changes only the time since the last good one.
    #[inline]
    pub fn check(&mut self, reading: T) -> Result<(), Jump<T>> {
        let Some(from) = self.last else {
            // Without a last reading there is no distance to check, but NaN is never accepted.
            if !reading.is_finite() {
                return Err(Jump::Implausible { from: T::NAN, to: reading, limit: self.limit });
            }
            self.accept(reading);
            return Ok(());
        };
        self.miss();
        let limit = self.reach;
        if !(limit < self.half_range) {
            return Err(Jump::TurnsLost { from, ticks: self.missed });
        }
        if !((reading - from).abs() <= limit) {
            return Err(Jump::Implausible { from, to: reading, limit });
        }
        self.accept(reading);
        Ok(())
    }

    #[inline(always)]
    fn accept(&mut self, reading: T) {
        (self.last, self.missed, self.reach) = (Some(reading), 0, T::zero());
    }

    /// Counts a tick without a reading.
    pub fn miss(&mut self) {
        self.missed = self.missed.saturating_add(1);
        self.reach += self.limit;
    }

    /// Forgets the last reading, so that any finite reading is accepted next.
    pub fn restart(&mut self) {
        (self.last, self.missed, self.reach) = (None, 0, T::zero());
    }
}
