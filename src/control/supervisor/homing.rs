//! The way to where a path begins.
//!
//! First the loop finds out where the machine is, with the motors off ([`Alignment`]). Then the motors' encoders go
//! from there to where the path begins, and arrive with its velocity and acceleration, or at rest where the loop is to hold there: a polynomial of the fifth
//! degree in each, in a time T that keeps every motor below its speed, (15/8) d/T for a way d from rest to rest. A path that begins with a velocity v
//! takes a run-up: the motor goes back by up to v T/5, with 4 v/T of acceleration. Best begin a path at rest. For the
//! controllers that use a feedforward, it is what holds the machine at both ends of the way and accelerates it there, blended as
//! the way is.

use super::alignment::{Alignment, Statics};
use crate::control::controller::Target;
use crate::control::sensed::Shafts;
use crate::linalg::{Vector, product};
use crate::scalar::{Float, Jet};
use crate::trajectory::{MinimumJerk, Motion, Trajectory, TrajectoryError};

/// How far homing is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Homing<T, const N: usize, const U: usize> {
    /// Finds out where the machine is.
    Aligning(Alignment<T, N>),
    /// Goes home.
    Moving(Way<T, U>),
}

/// A way of the motors' encoders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Way<T, const U: usize> {
    path: MinimumJerk<T, U>,
    begin: u64,
    ticks: u32,
    h: T,
    statics: [Statics<T, U>; 2],
}

impl<T: Float, const U: usize> Way<T, U> {
    /// From one target to another, beginning at a tick, at most this fast and at least this long.
    pub(super) fn between<const E: usize>(
        from: &Target<T, E, U>,
        to: &Target<T, E, U>,
        begin: u64,
        h: T,
        (speeds, shortest): (&[T; U], T),
        statics: [Statics<T, U>; 2],
    ) -> Result<Self, TrajectoryError<T>> {
        let (start, end) = (motion(&from.shafts), motion(&to.shafts));
        let mut time = shortest;
        for index in 0..U {
            let way = (end.position.data.0[0][index] - start.position.data.0[0][index]).abs();
            let needed = way * T::from_f64(15.0 / 8.0) / speeds[index];
            time = if needed > time { needed } else { time };
        }
        let ticks = (time / h).to_count().saturating_add(1);
        let path = MinimumJerk::between(&start, &end, T::from_ticks(u64::from(ticks)) * h)?;
        Ok(Self { path, begin, ticks, h, statics })
    }

    /// Whether it has ended at a tick.
    pub(super) fn ended(&self, tick: u64) -> bool {
        tick.saturating_sub(self.begin) >= u64::from(self.ticks)
    }

    /// The target of a tick; encoders without a motor are to read what they read at rest.
    pub(super) fn target<const E: usize>(&self, tick: u64, rest: &[T; E]) -> Target<T, E, U> {
        let passed = T::from_ticks(tick.saturating_sub(self.begin));
        let path = self.path.at(Jet::variable(passed * self.h));
        let zero = Vector::zeros();
        let mut shafts = Shafts { position: Vector::from(*rest), velocity: zero, acceleration: zero };
        for index in 0..U.min(E) {
            let jet = path.data.0[0][index];
            shafts.position.data.0[0][index] = jet.value;
            shafts.velocity.data.0[0][index] = jet.first;
            shafts.acceleration.data.0[0][index] = jet.second;
        }
        // c₅, as the way itself from rest to rest.
        let part = passed / T::from_ticks(u64::from(self.ticks));
        let [six, ten, fifteen] = [6.0, 10.0, 15.0].map(T::from_f64);
        let part = part * part * part * ((part * six - fifteen) * part + ten);
        let [from, to] = &self.statics;
        let holding = from.holding + (to.holding - from.holding) * part;
        let inertia = from.inertia + (to.inertia - from.inertia) * part;
        Target { shafts, inputs: holding + product(&inertia, &path.map(|jet| jet.second)) }
    }
}

/// How the motors' encoders move.
fn motion<T: Float, const E: usize, const U: usize>(shafts: &Shafts<T, E>) -> Motion<T, U> {
    let mut motion = Motion::at_rest(Vector::zeros());
    for index in 0..U.min(E) {
        motion.position.data.0[0][index] = shafts.position.data.0[0][index];
        motion.velocity.data.0[0][index] = shafts.velocity.data.0[0][index];
        motion.acceleration.data.0[0][index] = shafts.acceleration.data.0[0][index];
    }
    motion
}

/// The same target at rest.
pub(super) fn resting<T: Float, const E: usize, const U: usize>(target: &Target<T, E, U>) -> Target<T, E, U> {
    let zero = Vector::zeros();
    let shafts = Shafts { velocity: zero, acceleration: zero, ..target.shafts };
    Target { shafts, ..*target }
}
