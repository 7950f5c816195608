//! Which readings are believed.

use super::reason::Reason;
use crate::control::device::{JumpDetector, SetupError, StuckDetector};
use crate::linalg::Vector;
use crate::scalar::Float;

/// Detectors of jumps and of stuck readings, one at each of `E` encoders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Belief<T, const E: usize> {
    jump: [Option<JumpDetector<T>>; E],
    stuck: [Option<StuckDetector<T>>; E],
}

impl<T: Float, const E: usize> Belief<T, E> {
    /// From how far an encoder moves in a tick, and how far its target may move before it does; infinite where nobody looks.
    pub(super) fn new(step: &[T; E], travel: &[T; E]) -> Result<Self, SetupError<T>> {
        let mut this = Self { jump: [None; E], stuck: [None; E] };
        for index in 0..E {
            if step[index] != T::INFINITY {
                this.jump[index] = Some(JumpDetector::new(step[index])?);
            }
            if travel[index] != T::INFINITY {
                this.stuck[index] = Some(StuckDetector::new(travel[index])?);
            }
        }
        Ok(this)
    }

    /// Judges the readings of a tick; of encoders that are to follow a target, also against that.
    pub(super) fn judge(&mut self, readings: &Vector<T, E>, target: Option<&Vector<T, E>>) -> Result<(), Reason<T>> {
        for index in 0..E {
            let reading = readings.data.0[0][index];
            if !reading.is_finite() {
                self.miss();
                return Err(Reason::Reading { index });
            }
            if let Some(detector) = &mut self.jump[index] {
                detector.check(reading).map_err(|cause| Reason::Jump { index, cause })?;
            }
            if let (Some(detector), Some(target)) = (&mut self.stuck[index], target) {
                detector.check(reading, target.data.0[0][index]).map_err(|cause| Reason::Stuck { index, cause })?;
            }
        }
        Ok(())
    }

    /// A tick without readings.
    pub(super) fn miss(&mut self) {
        self.jump.iter_mut().flatten().for_each(JumpDetector::miss);
    }

    /// Believes whatever is read next.
    pub(super) fn restart(&mut self) {
        self.jump.iter_mut().flatten().for_each(JumpDetector::restart);
        self.stuck.iter_mut().flatten().for_each(StuckDetector::restart);
    }
}
