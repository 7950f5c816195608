//! A trajectory and the tick at which it began.

use super::error::ControlError;
use crate::linalg::{Vector, magnitude};
use crate::scalar::{Float, Jet};
use crate::trajectory::{Motion, Trajectory, TrajectoryError};

/// A trajectory that is followed from a tick on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Course<Path, T> {
    path: Path,
    h: T,
    epoch: u64,
}

impl<Path, T: Float> Course<Path, T> {
    /// From tick zero on, in ticks of length `h`. The trajectory must have `K` continuous derivatives.
    pub(super) fn new<const D: usize, const K: usize>(path: Path, h: T) -> Result<Self, ControlError<T>>
    where
        Path: Trajectory<D, Base = T>,
    {
        path.require::<K>()?;
        let valid = h > T::zero() && (T::one() / (h * h)).is_finite() && (h * h).is_finite();
        if valid { Ok(Self { path, h, epoch: 0 }) } else { Err(ControlError::NotPositive { what: "tick", given: h }) }
    }

    pub(super) fn tick_length(&self) -> T {
        self.h
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The same from another tick on.
    pub(super) fn begin_at(&mut self, epoch: u64) {
        self.epoch = epoch;
    }

    /// The time at a tick, since the trajectory began; whole periods are left out.
    #[inline]
    pub(super) fn time<const D: usize>(&self, tick: u64) -> T
    where
        Path: Trajectory<D, Base = T>,
    {
        T::from_ticks(self.path.reduced(ticks_since(self.epoch, tick), self.h)) * self.h
    }

    /// Position, velocity and acceleration at a time.
    #[inline]
    pub(super) fn jets<const D: usize>(&self, t: T, tick: u64) -> Result<Vector<Jet<T>, D>, ControlError<T>>
    where
        Path: Trajectory<D, Base = T>,
    {
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
    #[inline]
    pub(super) fn motion<const D: usize>(&self, t: T, tick: u64) -> Result<Motion<T, D>, ControlError<T>>
    where
        Path: Trajectory<D, Base = T>,
    {
        let motion = self.path.motion(t);
        for order in 0..=4 {
            let derivative = motion.derivative(order);
            for index in 0..D {
                if !derivative.data.0[0][index].is_finite() {
                    return Err(ControlError::NonFinite { tick, what: "target", index });
                }
            }
        }
        Ok(motion)
    }

    /// The course along another trajectory that begins at a tick, where position and `K` derivatives must be what they are on
    /// this one: to √ε of the size of the motion, brought to one unit by the duration of the new one.
    pub(super) fn replanned<const D: usize, const K: usize>(
        &self,
        path: Path,
        tick: u64,
    ) -> Result<Self, ControlError<T>>
    where
        Path: Trajectory<D, Base = T>,
    {
        path.require::<K>()?;
        let before = self.motion::<D>(self.time::<D>(tick), tick)?;
        let next = Self { path, h: self.h, epoch: tick };
        let after = next.motion::<D>(T::zero(), tick)?;
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

/// How many ticks have passed from one to another: none if the other is earlier. Ticks go on from zero after the largest number.
#[inline]
pub(super) fn ticks_since(epoch: u64, tick: u64) -> u64 {
    let passed = tick.wrapping_sub(epoch);
    if passed > u64::MAX / 2 { 0 } else { passed }
}
