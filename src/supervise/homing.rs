//! Homing: the way to where a path begins.
//!
//! First the loop finds the pose of the machine, with the motors off ([`Alignment`]). Then the motors' encoders go from there to where
//! the path begins. They arrive with the velocity and acceleration of the path, or at rest if the loop is to hold there. Each follows
//! a polynomial of the fifth degree. The time T keeps every motor below its speed, which is (15/8) d/T for a distance d from
//! rest to rest.
//!
//! A path that begins with a velocity v takes a run-up: the motor goes back by up to v T/5, with an acceleration of 4 v/T. Prefer paths
//! that begin at rest. The feedforward of the way blends the inputs that hold and accelerate the machine at both ends.

use super::alignment::{Alignment, Statics};
use crate::control::Target;
use crate::linalg::{Vector, product};
use crate::scalar::{Float, Jet};
use crate::trajectory::{MinimumJerk, Motion, Trajectory, TrajectoryError};

/// The two phases of homing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Homing<T, const N: usize, const U: usize> {
    /// Finds the pose of the machine.
    Aligning(Alignment<T, N>),
    /// Moves to where the path begins.
    Moving(Way<T, U>),
}

/// The motion of the motors' encoders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Way<T, const U: usize> {
    path: MinimumJerk<T, U>,
    begin: u64,
    ticks: u32,
    h: T,
    statics: [Statics<T, U>; 2],
}

impl<T: Float, const U: usize> Way<T, U> {
    /// From one motion to another, beginning at a tick, with the largest speeds and the shortest duration.
    #[inline(always)]
    pub(super) fn between(
        start: &Motion<T, U>,
        end: &Motion<T, U>,
        begin: u64,
        h: T,
        (speeds, shortest): (&[T; U], T),
        statics: [Statics<T, U>; 2],
    ) -> Result<Self, TrajectoryError<T>> {
        let mut time = shortest;
        for index in 0..U {
            let way = (end.position.data.0[0][index] - start.position.data.0[0][index]).abs();
            let needed = way * T::from_f64(15.0 / 8.0) / speeds[index];
            time = if needed > time { needed } else { time };
        }
        let ticks = (time / h).to_count().saturating_add(1);
        let path = MinimumJerk::between(start, end, T::from_ticks(u64::from(ticks)) * h)?;
        Ok(Self { path, begin, ticks, h, statics })
    }

    /// Whether the motion has ended at a tick.
    pub(super) fn ended(&self, tick: u64) -> bool {
        tick.saturating_sub(self.begin) >= u64::from(self.ticks)
    }

    /// The target of a tick. Encoders without a motor have their readings at rest as targets.
    pub(super) fn target<const E: usize>(&self, tick: u64, rest: &[T; E]) -> Target<T, E, U> {
        let passed = T::from_ticks(tick.saturating_sub(self.begin));
        let path = self.path.at(Jet::variable(passed * self.h));
        let mut shafts = Vector::from(*rest).map(Jet::constant);
        for index in 0..U.min(E) {
            shafts.data.0[0][index] = path.data.0[0][index];
        }
        // The blend c₅ of a motion from rest to rest.
        let part = passed / T::from_ticks(u64::from(self.ticks));
        let [six, ten, fifteen] = [6.0, 10.0, 15.0].map(T::from_f64);
        let part = part * part * part * ((part * six - fifteen) * part + ten);
        let [from, to] = &self.statics;
        let holding = from.holding + (to.holding - from.holding) * part;
        let inertia = from.inertia + (to.inertia - from.inertia) * part;
        Target { shafts, inputs: holding + product(&inertia, &path.map(|jet| jet.second)) }
    }
}

/// The wanted motion of the motors' encoders.
pub(super) fn motion<T: Float, const E: usize, const U: usize>(target: &Target<T, E, U>) -> Motion<T, U> {
    let mut motion = Motion::at_rest(Vector::zeros());
    for index in 0..U.min(E) {
        let Jet { value, first, second, .. } = target.shafts.data.0[0][index];
        motion.position.data.0[0][index] = value;
        motion.velocity.data.0[0][index] = first;
        motion.acceleration.data.0[0][index] = second;
    }
    motion
}
