//! What a supervisor allows.

use super::belief::Belief;
use crate::control::controller::{not_negative, positive};
use crate::control::error::ControlError;
use crate::scalar::Float;

/// The most late ticks in a row that a loop can be asked to bear: over more, neither feedforward nor observer predict.
pub const MOST_SKIPPED: u32 = 8;

/// What is believed of `E` encoders, how `U` motors go home, and how many ticks may be lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Supervision<T, const E: usize, const U: usize> {
    /// The furthest that an encoder moves in one tick, noise and a count included; infinite where nobody looks.
    pub largest_step: [T; E],
    /// How far a target may move while its encoder reads the same; infinite where nobody looks.
    pub stuck_travel: [T; E],
    /// How far a reading may be from that of a pose which the constraints allow, when the machine's pose is sought.
    pub pose: [T; E],
    /// How many ticks in a row may be skipped; at most [`MOST_SKIPPED`].
    pub most_skipped: u32,
    /// How fast each motor goes home.
    pub homing_speed: [T; U],
    /// How long homing takes at least, in seconds.
    pub shortest_homing: T,
    /// How far each motor may be from where the path begins when homing ends.
    pub arrival: [T; U],
}

impl<T: Float, const E: usize, const U: usize> Supervision<T, E, U> {
    /// Any reading that is finite, poses to 0.01 rad or 0.01 m, four late ticks in a row, home at 1 rad/s or 1 m/s in at least half a
    /// second, to 0.05 rad or 0.05 m.
    pub fn standard() -> Self {
        Self {
            largest_step: [T::INFINITY; E],
            stuck_travel: [T::INFINITY; E],
            pose: [T::from_f64(0.01); E],
            most_skipped: 4,
            homing_speed: [T::one(); U],
            shortest_homing: T::from_f64(0.5),
            arrival: [T::from_f64(0.05); U],
        }
    }

    pub(super) fn checked(mut self) -> Result<(Self, Belief<T, E>), ControlError<T>> {
        for (what, limits) in [("motion in one tick", &self.largest_step), ("travel of a target", &self.stuck_travel)] {
            for limit in limits {
                if *limit != T::INFINITY {
                    positive(what, *limit)?;
                }
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
        self.most_skipped = self.most_skipped.min(MOST_SKIPPED);
        let belief = Belief::new(&self.largest_step, &self.stuck_travel)
            .map_err(|_| ControlError::NotPositive { what: "limit of a reading", given: T::NAN })?;
        Ok((self, belief))
    }
}
