//! Checks readings before the loop uses them.

use super::reason::Reason;
use crate::control::ControlError;
use crate::device::{JumpDetector, StuckDetector};
use crate::linalg::Vector;
use crate::scalar::{Float, Jet};

/// Detectors of jumps and of stuck readings, one of each for every encoder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Belief<T, const E: usize> {
    detectors: [(JumpDetector<T>, StuckDetector<T>); E],
}

impl<T: Float, const E: usize> Belief<T, E> {
    /// `step` is the furthest that each encoder moves in a tick, `travel` how far its target may move while its reading stays within the
    /// `window`.
    pub(super) fn new(step: [T; E], window: [T; E], travel: [T; E]) -> Result<Self, ControlError<T>> {
        let unusable = |what, given| ControlError::NotPositive { what, given };
        let jump = JumpDetector::new(T::one()).map_err(|_| unusable("motion in one tick", T::one()))?;
        let stuck = StuckDetector::new(T::EPSILON, T::one()).map_err(|_| unusable("travel of a target", T::one()))?;
        let mut detectors = [(jump, stuck); E];
        for index in 0..E {
            detectors[index] = (
                JumpDetector::new(step[index]).map_err(|_| unusable("motion in one tick", step[index]))?,
                StuckDetector::new(window[index], travel[index])
                    .map_err(|_| unusable("travel of a target", travel[index]))?,
            );
        }
        Ok(Self { detectors })
    }

    /// Checks the readings of a tick. The first `moving` of them are compared with their targets, too; the others are not stuck.
    #[inline(always)]
    pub(super) fn judge(
        &mut self,
        readings: &Vector<T, E>,
        targets: &Vector<Jet<T>, E>,
        moving: usize,
    ) -> Result<(), Reason<T>> {
        for index in 0..E {
            if !readings.data.0[0][index].is_finite() {
                self.miss();
                return Err(Reason::Reading { index });
            }
        }
        for (index, (jump, stuck)) in self.detectors.iter_mut().enumerate() {
            let reading = readings.data.0[0][index];
            jump.check(reading).map_err(|cause| Reason::Jump { index, cause })?;
            if index < moving {
                let target = targets.data.0[0][index].value;
                stuck.check(reading, target).map_err(|cause| Reason::Stuck { index, cause })?;
            } else {
                stuck.restart();
            }
        }
        Ok(())
    }

    /// Counts a tick without readings.
    pub(super) fn miss(&mut self) {
        self.detectors.iter_mut().for_each(|(jump, _)| jump.miss());
    }

    /// Accepts any finite reading next.
    pub(super) fn restart(&mut self) {
        for (jump, stuck) in &mut self.detectors {
            jump.restart();
            stuck.restart();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Jump, Stuck};
    use crate::linalg::Matrix;

    fn reading(value: f32) -> Vector<f32, 1> {
        Matrix::from([[value]])
    }

    fn target(value: f32) -> Vector<Jet<f32>, 1> {
        Vector::from([Jet::constant(value)])
    }

    /// NaN, missing readings, jumps and stuck readings of one encoder, one after another.
    #[test]
    fn bad_readings_are_named_and_compared_with_the_last_good_one() {
        let mut belief = Belief::new([1.0], [0.1], [0.5]).unwrap();
        let mut judge = |value: f32, at: Option<f32>| {
            belief.judge(&reading(value), &target(at.unwrap_or(0.0)), usize::from(at.is_some()))
        };
        assert_eq!(judge(f32::NAN, None), Err(Reason::Reading { index: 0 }));
        assert_eq!(judge(1.0, None), Ok(()));
        assert_eq!(judge(f32::INFINITY, None), Err(Reason::Reading { index: 0 }));
        // Two ticks after the last good one.
        assert_eq!(judge(2.75, None), Ok(()));
        assert_eq!(judge(3.5, Some(4.0)), Ok(()));
        let cause = Jump::Implausible { from: 3.5, to: 9.0, limit: 1.0 };
        assert_eq!(judge(9.0, Some(4.5)), Err(Reason::Jump { index: 0, cause }));
        assert_eq!(judge(4.5, Some(4.5)), Ok(()));
        let cause = Stuck { reading: 4.5625, ticks: 1, travel: 0.75, limit: 0.5 };
        assert_eq!(judge(4.5625, Some(5.25)), Err(Reason::Stuck { index: 0, cause }));
        // Targets from before a restart are forgotten.
        belief.restart();
        assert_eq!(belief.judge(&reading(-50.0), &target(-60.0), 1), Ok(()));
        belief.restart();
        assert_eq!(belief.judge(&reading(-50.0), &target(-70.0), 1), Ok(()));
    }

    #[test]
    fn a_missed_tick_allows_more_motion() {
        let mut belief = Belief::new([1.0], [0.1], [0.5]).unwrap();
        assert_eq!(belief.judge(&reading(0.0), &target(0.0), 0), Ok(()));
        belief.miss();
        assert_eq!(belief.judge(&reading(1.75), &target(0.0), 0), Ok(()));
    }

    /// Also after it was off for a while, though its target was elsewhere then.
    #[test]
    fn nothing_is_stuck_while_it_is_not_to_move() {
        let mut belief = Belief::new([1.0], [0.1], [0.5]).unwrap();
        assert!((0..100).all(|_| belief.judge(&reading(1.0), &target(7.0), 0).is_ok()));
        assert!((0..100).all(|_| belief.judge(&reading(1.0), &target(1.0), 1).is_ok()));
    }
}
