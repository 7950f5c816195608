//! Checks readings before the loop uses them.

use super::reason::Reason;
use crate::control::ControlError;
use crate::control::checks::positive;
use crate::device::{JumpDetector, StuckDetector};
use crate::linalg::Vector;
use crate::scalar::{Float, Jet};

/// Detectors of jumps and of stuck readings, one of each for every encoder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Belief<T, const E: usize> {
    jump: [Option<JumpDetector<T>>; E],
    stuck: [Option<StuckDetector<T>>; E],
    /// Whether any encoder has a detector.
    detects: bool,
}

impl<T: Float, const E: usize> Belief<T, E> {
    /// `step` is the furthest that each encoder moves in a tick, `travel` how far its target may move before its reading does. Infinity
    /// switches a detector off.
    pub(super) fn new(step: &[T; E], travel: &[T; E]) -> Result<Self, ControlError<T>> {
        let mut this = Self { jump: [None; E], stuck: [None; E], detects: false };
        for index in 0..E {
            if step[index] != T::INFINITY {
                this.jump[index] = JumpDetector::new(positive("motion in one tick", step[index])?).ok();
            }
            if travel[index] != T::INFINITY {
                this.stuck[index] = StuckDetector::new(positive("travel of a target", travel[index])?).ok();
            }
        }
        this.detects = this.jump.iter().any(Option::is_some) || this.stuck.iter().any(Option::is_some);
        Ok(this)
    }

    /// Checks the readings of a tick; with a target, also for stuck readings.
    #[inline(always)]
    pub(super) fn judge(
        &mut self,
        readings: &Vector<T, E>,
        target: Option<&Vector<Jet<T>, E>>,
    ) -> Result<(), Reason<T>> {
        for index in 0..E {
            if !readings.data.0[0][index].is_finite() {
                self.miss();
                return Err(Reason::Reading { index });
            }
        }
        if self.detects { self.detect(readings, target) } else { Ok(()) }
    }

    fn detect(&mut self, readings: &Vector<T, E>, target: Option<&Vector<Jet<T>, E>>) -> Result<(), Reason<T>> {
        for index in 0..E {
            let reading = readings.data.0[0][index];
            if let Some(detector) = &mut self.jump[index] {
                detector.check(reading).map_err(|cause| Reason::Jump { index, cause })?;
            }
            if let (Some(detector), Some(target)) = (&mut self.stuck[index], target) {
                detector
                    .check(reading, target.data.0[0][index].value)
                    .map_err(|cause| Reason::Stuck { index, cause })?;
            }
        }
        Ok(())
    }

    /// Counts a tick without readings.
    pub(super) fn miss(&mut self) {
        self.jump.iter_mut().flatten().for_each(JumpDetector::miss);
    }

    /// Accepts any finite reading next.
    pub(super) fn restart(&mut self) {
        self.jump.iter_mut().flatten().for_each(JumpDetector::restart);
        self.stuck.iter_mut().flatten().for_each(StuckDetector::restart);
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

    /// NaN, missing readings, jumps and stuck readings of one encoder, one after another.
    #[test]
    fn bad_readings_are_named_and_compared_with_the_last_good_one() {
        let mut belief = Belief::new(&[1.0], &[0.5]).unwrap();
        let target = |value: f32| Vector::from([Jet::constant(value)]);
        assert_eq!(belief.judge(&reading(f32::NAN), None), Err(Reason::Reading { index: 0 }));
        assert_eq!(belief.judge(&reading(1.0), None), Ok(()));
        belief.miss();
        assert_eq!(belief.judge(&reading(f32::INFINITY), None), Err(Reason::Reading { index: 0 }));
        // Three ticks after the last good one.
        assert_eq!(belief.judge(&reading(3.5), None), Ok(()));
        assert_eq!(belief.judge(&reading(4.0), Some(&target(4.0))), Ok(()));
        let cause = Jump::Implausible { from: 4.0, to: 9.0, limit: 1.0 };
        assert_eq!(belief.judge(&reading(9.0), Some(&target(4.5))), Err(Reason::Jump { index: 0, cause }));
        assert_eq!(belief.judge(&reading(4.5), Some(&target(4.5))), Ok(()));
        let cause = Stuck { reading: 4.5, ticks: 1, travel: 0.75, limit: 0.5 };
        assert_eq!(belief.judge(&reading(4.5), Some(&target(5.25))), Err(Reason::Stuck { index: 0, cause }));
        // Targets from before a restart are forgotten.
        belief.restart();
        assert_eq!(belief.judge(&reading(-50.0), Some(&target(-60.0))), Ok(()));
        belief.restart();
        assert_eq!(belief.judge(&reading(-50.0), Some(&target(-70.0))), Ok(()));
    }

    #[test]
    fn nothing_is_stuck_without_a_target() {
        let mut belief = Belief::new(&[f32::INFINITY], &[0.5]).unwrap();
        assert!((0..100).all(|_| belief.judge(&reading(1.0), None).is_ok()));
    }
}
