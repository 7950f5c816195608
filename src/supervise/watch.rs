//! The limits of a loop.

use super::belief::Belief;
use crate::control::checks::{not_negative, positive};
use crate::control::{Actuators, ControlError};
use crate::scalar::Float;

/// The largest [`Watch::max_skipped`]: feedforward and observer do not predict over more ticks.
pub const MAX_SKIPPED: u32 = 8;

/// The limits of a loop with `E` encoders and `U` motors: for readings, efforts, stopping, homing and late ticks.
///
/// An infinite limit of an encoder switches its check off. Only `pose` must be finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watch<T, const E: usize, const U: usize> {
    /// The limits of the motors.
    pub motors: Actuators<T, U>,
    /// For how many ticks in a row a motor may be at a limit.
    pub patience: u32,
    /// The largest tracking error of each encoder.
    pub largest_error: [T; E],
    /// The furthest that each encoder moves in one tick, noise and a count included.
    pub largest_step: [T; E],
    /// How far each target may move while its encoder reads the same.
    pub stuck_travel: [T; E],
    /// How far each reading may be from that of the pose which the alignment finds.
    pub pose: [T; E],
    /// The braking time τ of the hold, in seconds.
    pub braking: T,
    /// The largest distance that each encoder moves in the hold; infinite if τ alone decides.
    pub stopping_distance: [T; E],
    /// The targets in homing and hold of encoders without a motor, for example the angle of a load at rest. The first `U` entries are not
    /// used.
    pub rest: [T; E],
    /// The largest speed of each motor in homing.
    pub homing_speed: [T; U],
    /// The shortest duration of homing, in seconds.
    pub shortest_homing: T,
    /// The largest error of each motor at the end of homing.
    pub arrival: [T; U],
    /// How many late ticks in a row may be skipped; at most [`MAX_SKIPPED`].
    pub max_skipped: u32,
}

impl<T: Float, const E: usize, const U: usize> Watch<T, E, U> {
    /// No limits of motors, readings, errors and stopping distance; poses to 0.01 rad or 0.01 m; twenty ticks at a limit; a braking time
    /// of 50 ms; zero at rest; homing at 1 rad/s or 1 m/s in at least 0.5 s, to 0.05 rad or 0.05 m; four late ticks in a row.
    pub fn standard() -> Self {
        let any = [T::INFINITY; E];
        Self {
            motors: Actuators::unlimited(),
            patience: 20,
            largest_error: any,
            largest_step: any,
            stuck_travel: any,
            pose: [T::from_f64(0.01); E],
            braking: T::from_f64(0.05),
            stopping_distance: any,
            rest: [T::zero(); E],
            homing_speed: [T::one(); U],
            shortest_homing: T::from_f64(0.5),
            arrival: [T::from_f64(0.05); U],
            max_skipped: 4,
        }
    }

    pub(super) fn checked(mut self) -> Result<Self, ControlError<T>> {
        positive("braking time", self.braking)?;
        for (what, limits) in [("largest error", &self.largest_error), ("stopping distance", &self.stopping_distance)] {
            for limit in limits.iter().filter(|limit| **limit != T::INFINITY) {
                not_negative(what, *limit)?;
            }
        }
        for index in U..E {
            if !self.rest[index].is_finite() {
                return Err(ControlError::NonFinite { tick: 0, what: "reading at rest", index });
            }
        }
        for limit in self.pose {
            not_negative("distance from a pose", limit)?;
        }
        for index in 0..U {
            positive("speed of homing", self.homing_speed[index])?;
            not_negative("distance at arrival", self.arrival[index])?;
        }
        not_negative("time of homing", self.shortest_homing)?;
        self.max_skipped = self.max_skipped.min(MAX_SKIPPED);
        self.belief()?;
        Ok(self)
    }

    /// The detectors, before the first reading.
    pub(super) fn belief(&self) -> Result<Belief<T, E>, ControlError<T>> {
        Belief::new(&self.largest_step, &self.stuck_travel)
    }
}
