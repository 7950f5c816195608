//! Detects readings that do not change although the target moves.

use core::fmt;

use super::setup::{SetupError, between};
use crate::scalar::Float;

/// A reading has not changed while its target moved.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Stuck<T> {
    /// The reading.
    pub reading: T,
    /// For how many ticks it has not changed.
    pub ticks: u32,
    /// How far the target has moved meanwhile.
    pub travel: T,
    /// How far the target may move before the reading does.
    pub limit: T,
}

impl<T: Float> fmt::Display for Stuck<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reading, ticks, travel, limit } = self;
        write!(f, "stuck at {reading:e} for {ticks} ticks, but the target moved by {travel:e}, limit {limit:e}")
    }
}

impl<T: Float> core::error::Error for Stuck<T> {}

/// Refuses a reading that stays the same, bit for bit, while its target moves away.
///
/// It compares with the target, not with the effort: a motor that holds a load has an effort and stands still. An encoder that gets
/// stuck while the machine stands still is found when the machine is to move. A blocked axis is found too.
///
/// ```
/// use taut::device::StuckDetector;
///
/// let mut detector = StuckDetector::new(0.05_f32)?; // rad, some counts and the usual lag
/// detector.check(1.0, 1.00)?;
/// detector.check(1.0, 1.04)?;
/// assert_eq!(detector.check(1.0, 1.08).unwrap_err().ticks, 2);
/// detector.check(1.01, 1.08)?; // it has moved after all
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StuckDetector<T> {
    limit: T,
    /// The reading, and the target when the reading last changed.
    since: Option<(T, T)>,
    ticks: u32,
}

impl<T: Float> StuckDetector<T> {
    /// `limit` is how far a target may move before the reading does: finite and positive.
    pub fn new(limit: T) -> Result<Self, SetupError<T>> {
        let limit = between("motion without a change of the reading", limit, T::zero(), T::INFINITY)?;
        Ok(Self { limit, since: None, ticks: 0 })
    }

    /// Checks a reading against its target, in the same units; their zeros may differ.
    pub fn check(&mut self, reading: T, command: T) -> Result<(), Stuck<T>> {
        match self.since {
            Some((before, at)) if before == reading => {
                self.ticks = self.ticks.saturating_add(1);
                let (travel, limit) = ((command - at).abs(), self.limit);
                if travel <= limit { Ok(()) } else { Err(Stuck { reading, ticks: self.ticks, travel, limit }) }
            }
            _ => {
                self.since = Some((reading, command));
                self.ticks = 0;
                Ok(())
            }
        }
    }

    /// Forgets the last reading and target.
    pub fn restart(&mut self) {
        self.since = None;
        self.ticks = 0;
    }
}
