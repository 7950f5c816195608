//! Detects readings that stay where they are although the target moves.

use core::fmt;

use super::setup::{SetupError, between};
use crate::scalar::Float;

/// A reading has stayed within its window while its target moved.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Stuck<T> {
    /// The reading.
    pub reading: T,
    /// For how many ticks it has stayed within the window, modulo 2³².
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

/// Refuses a reading that stays within a window while its target moves away.
///
/// The window makes it find an encoder that is stuck and dithers between neighbouring counts: choose three counts. An honest encoder
/// leaves the window as soon as it has moved by it, however slowly.
///
/// It compares with the target, not with the effort: a motor that holds a load has an effort and stands still. An encoder that gets
/// stuck while the machine stands still is found when the machine is to move. A blocked axis is found too. A stuck encoder whose noise
/// exceeds the window is not found.
///
/// ```
/// use taut::device::StuckDetector;
///
/// // Three counts of 1 mrad; a target may move by some counts and the usual lag.
/// let mut detector = StuckDetector::new(0.003_f32, 0.05)?;
/// detector.check(1.0, 1.00)?;
/// detector.check(1.001, 1.04)?; // dithers
/// assert_eq!(detector.check(1.0, 1.08).unwrap_err().ticks, 2);
/// detector.check(1.01, 1.08)?; // it has moved after all
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StuckDetector<T> {
    window: T,
    limit: T,
    /// Reading and target when the reading last left the window.
    since: Option<(T, T)>,
    ticks: u32,
}

impl<T: Float> StuckDetector<T> {
    /// `window` is how far a stuck reading may dither, `limit` how far a target may move before the reading leaves the window: both
    /// finite and positive. An honest encoder needs a limit above the window plus its lag.
    pub fn new(window: T, limit: T) -> Result<Self, SetupError<T>> {
        let window = between("window of a stuck reading", window, T::zero(), T::INFINITY)?;
        let limit = between("motion without a change of the reading", limit, window, T::INFINITY)?;
        Ok(Self { window, limit, since: None, ticks: 0 })
    }

    /// Checks a reading against its target, in the same units; their zeros may differ.
    #[inline]
    pub fn check(&mut self, reading: T, command: T) -> Result<(), Stuck<T>> {
        match self.since {
            Some((before, at)) if (reading - before).abs() <= self.window => {
                self.ticks = self.ticks.wrapping_add(1);
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
    #[inline]
    pub fn restart(&mut self) {
        self.since = None;
        self.ticks = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A count of 12 bits a turn.
    const COUNT: f32 = core::f32::consts::TAU / 4096.0;

    fn detector() -> StuckDetector<f32> {
        StuckDetector::new(3.0 * COUNT, 0.025).unwrap()
    }

    #[test]
    fn a_stuck_encoder_that_dithers_is_found() {
        let mut detector = detector();
        let dither = |tick: u16| [0.0, COUNT, 0.0, -COUNT][usize::from(tick % 4)];
        // 1 rad/s at 1 kHz: the limit is passed in the 26th tick.
        let found = (0..100).find(|tick| detector.check(1.0 + dither(*tick), f32::from(*tick) * 1e-3).is_err());
        assert_eq!(found, Some(26));
    }

    /// From a count in 15 s to the fastest, against a lag of 0.01 rad that comes and goes.
    #[test]
    fn an_honest_encoder_is_not_stuck_however_slow_it_is() {
        for speed in [1e-4_f32, 1e-3, 0.1, 10.0] {
            let mut detector = detector();
            for tick in 0..100_000_u32 {
                let target = speed * tick as f32 * 1e-3;
                let lag = if tick / 1_000 % 2 == 0 { 0.0 } else { 0.01 };
                let reading = ((target - lag) / COUNT).floor() * COUNT;
                assert_eq!(detector.check(reading, target), Ok(()), "{speed} {tick}");
            }
        }
    }

    #[test]
    fn limits_that_tell_nothing_are_refused() {
        for (window, limit) in
            [(0.0, 1.0), (f32::NAN, 1.0), (f32::INFINITY, 1.0), (0.1, 0.1), (0.1, f32::NAN), (0.1, f32::INFINITY)]
        {
            assert!(StuckDetector::new(window, limit).is_err(), "{window} {limit}");
        }
    }
}
