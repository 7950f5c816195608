//! A trajectory and the tick at which it began.

use super::checks::finite;
use super::error::ControlError;
use crate::linalg::written_out::for_each;
use crate::linalg::{Vector, magnitude};
use crate::scalar::{Float, Jet};
use crate::trajectory::{Motion, Trajectory, TrajectoryError};

/// A trajectory with the tick at which it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Course<Path, T, const D: usize> {
    pub(super) path: Path,
    pub(super) h: T,
    /// The tick at which it began.
    pub(super) epoch: u64,
}

impl<Path: Trajectory<D, Base = T>, T: Float, const D: usize> Course<Path, T, D> {
    /// From tick zero, in ticks of `h` seconds. The trajectory must have `K` continuous derivatives.
    pub(crate) fn new<const K: usize>(path: Path, h: T) -> Result<Self, ControlError<T>> {
        path.require::<K>()?;
        let valid = h > T::zero() && (T::one() / (h * h)).is_finite() && (h * h).is_finite();
        if valid { Ok(Self { path, h, epoch: 0 }) } else { Err(ControlError::NotPositive { what: "tick", given: h }) }
    }

    /// The time at a tick since the trajectory began, less whole periods.
    #[inline]
    pub(crate) fn time(&self, tick: u64) -> T {
        T::from_ticks(self.path.reduced(ticks_since(self.epoch, tick), self.h)) * self.h
    }

    /// Position, velocity and acceleration at a time.
    #[inline(always)]
    pub(crate) fn jets(&self, t: T, tick: u64) -> Result<Vector<Jet<T>, D>, ControlError<T>> {
        let jets = self.path.at(Jet::variable(t));
        for index in 0..D {
            let Jet { value, first, second, .. } = jets.data.0[0][index];
            if !(value.is_finite() && first.is_finite() && second.is_finite()) {
                return Err(ControlError::NonFinite { tick, what: "target", index });
            }
        }
        Ok(jets)
    }

    /// Position and four derivatives at a time.
    #[inline(always)]
    pub(crate) fn motion(&self, t: T, tick: u64) -> Result<Motion<T, D>, ControlError<T>> {
        let motion = self.path.motion(t);
        for_each!(ORDER < 5 => { finite("target", &motion.derivative(ORDER), tick)?; });
        Ok(motion)
    }

    /// Another trajectory that begins at a tick. There its position and `K` derivatives must agree with the present trajectory, to √ε of
    /// the size of the motion. To compare them, the derivative of order k is multiplied by the k-th power of the new
    /// trajectory's duration.
    pub(crate) fn replanned<const K: usize>(&self, path: Path, tick: u64) -> Result<Self, ControlError<T>> {
        path.require::<K>()?;
        let before = self.motion(self.time(tick), tick)?;
        let next = Self { path, h: self.h, epoch: tick };
        let after = next.motion(T::zero(), tick)?;
        let duration = next.path.duration();
        let (unit, way) = if duration.is_finite() && duration > T::zero() {
            (duration, next.path.within(duration) - after.position)
        } else {
            (T::one(), Vector::zeros())
        };
        let mut size = magnitude(&way) + T::MIN_POSITIVE;
        let mut power = T::one();
        for order in 0..=4 {
            for motion in [&before, &after] {
                let this = magnitude(&motion.derivative(order)) * power;
                size = if this > size { this } else { size };
            }
            power *= unit;
        }
        let mut power = T::one();
        for derivative in 0..=K {
            let limit = size * T::ROOT_EPSILON / power;
            for index in 0..D {
                let before = before.derivative(derivative).data.0[0][index];
                let after = after.derivative(derivative).data.0[0][index];
                if !((before - after).abs() <= limit) {
                    return Err(TrajectoryError::Jump { derivative, index, before, after, limit }.into());
                }
            }
            power *= unit;
        }
        Ok(next)
    }
}

/// How many ticks have passed since `epoch`; zero if `tick` is earlier. Tick numbers wrap.
#[inline]
pub(crate) fn ticks_since(epoch: u64, tick: u64) -> u64 {
    let passed = tick.wrapping_sub(epoch);
    if passed > u64::MAX / 2 { 0 } else { passed }
}
