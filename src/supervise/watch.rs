//! The limits of a loop.

use super::belief::Belief;
use crate::control::checks::{between, not_negative, positive};
use crate::control::{Actuators, ControlError};
use crate::scalar::Float;

/// The largest [`Watch::max_skipped`]: feedforward and observer do not predict over more ticks.
pub const MAX_SKIPPED: u32 = 8;

/// How many counts a stuck reading may dither: neighbouring counts differ by one, a reading between two by two, rounding included.
const DITHER: f64 = 3.0;

/// The limits of one encoder, in its unit: radians or metres. All are finite and positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EncoderLimits<T> {
    /// One count, or the largest noise of a reading if that is more. For b bits a turn: 2π/2ᵇ, times the radius of a drum.
    pub resolution: T,
    /// No motion is faster, in units per second. Take twice the fastest motion of the path, which
    /// [`rehearse`](crate::control::rehearse) reports, or the speed of the motor without load if that is less.
    pub top_speed: T,
    /// The largest tracking error: target less reading. Take four times the largest error of a good run, and less than the space
    /// around the path.
    pub largest_error: T,
}

/// The limits of a loop with `E` encoders and `U` motors: for readings, efforts, stopping, homing and late ticks.
///
/// [`Watch::new`] takes what follows from motors, encoders and path, and derives the rest. Every field can be set afterwards:
///
/// ```
/// use taut::control::Actuators;
/// use taut::supervise::{EncoderLimits, Watch};
///
/// // A motor of 2 N m; 14 bits a turn; a path of up to 4 rad/s, which is followed to 0.01 rad.
/// let encoder = EncoderLimits { resolution: 4e-4_f32, top_speed: 8.0, largest_error: 0.04 };
/// let watch = Watch { braking: 0.1, ..Watch::new(Actuators::new([2.0])?, [encoder]) };
/// assert_eq!(watch.stuck_travel, [0.01]);
/// # Ok::<(), taut::control::ControlError<f32>>(())
/// ```
///
/// Limits that are NaN, infinite, or zero where that tells nothing, are refused by [`Supervisor::new`](super::Supervisor::new).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watch<T, const E: usize, const U: usize> {
    /// The limits of the motors.
    pub motors: Actuators<T, U>,
    /// The limits of the encoders. A reading jumps if it moves by more than top speed × tick plus two counts in a tick.
    pub encoders: [EncoderLimits<T>; E],
    /// For how many ticks in a row a motor may be at a limit. Default: 20.
    pub patience: u32,
    /// How far each target may move while its reading stays within three counts; at least six counts. Default: a quarter of the
    /// largest error.
    pub stuck_travel: [T; E],
    /// How far each motor may move after it was switched off, until the brake has stopped it included. `None` for a machine without
    /// brakes, which anything may move: then a motor that runs although it is off is not found. Default: `None`.
    pub off_travel: Option<[T; U]>,
    /// How far each reading may be from that of the pose which the alignment finds. Default: 0.01.
    pub pose: [T; E],
    /// The braking time τ of the hold, in seconds. Default: 0.05.
    pub braking: T,
    /// The largest distance that the target of each motor moves in the hold. Default: the largest error.
    pub stopping_distance: [T; U],
    /// The targets in homing and hold of encoders without a motor, for example the angle of a load at rest. The first `U` entries are not
    /// used. Default: zero.
    pub rest: [T; E],
    /// The largest speed of each motor in homing. Default: 1, at most a quarter of the top speed.
    pub homing_speed: [T; U],
    /// The furthest that homing may move each motor from the pose which the alignment finds. An encoder that is a turn off is found if the
    /// machine is within this distance of the path's beginning, and the distance is at most half a turn. Default: π.
    pub homing_distance: [T; U],
    /// The shortest duration of homing, in seconds. Default: 0.5.
    pub shortest_homing: T,
    /// The largest error of each motor at the end of homing. Default: half of the largest error.
    pub arrival: [T; U],
    /// How many late ticks in a row may be skipped; at most [`MAX_SKIPPED`]. Default: 4.
    pub max_skipped: u32,
}

impl<T: Float, const E: usize, const U: usize> Watch<T, E, U> {
    /// From the limits of motors and encoders. The fields list the defaults of the others.
    pub fn new(motors: Actuators<T, U>, encoders: [EncoderLimits<T>; E]) -> Self {
        const { assert!(U <= E, "every motor has an encoder") };
        let part = |part: f64| encoders.map(|encoder| encoder.largest_error * T::from_f64(part));
        let mut homing_speed = [T::one(); U];
        for (speed, encoder) in homing_speed.iter_mut().zip(&encoders) {
            let most = encoder.top_speed * T::from_f64(0.25);
            *speed = if *speed > most { most } else { *speed };
        }
        Self {
            motors,
            encoders,
            patience: 20,
            stuck_travel: part(0.25),
            off_travel: None,
            pose: [T::from_f64(0.01); E],
            braking: T::from_f64(0.05),
            stopping_distance: of_motors(&part(1.0)),
            rest: [T::zero(); E],
            homing_speed,
            homing_distance: [T::PI; U],
            shortest_homing: T::from_f64(0.5),
            arrival: of_motors(&part(0.5)),
            max_skipped: 4,
        }
    }

    pub(super) fn checked(mut self) -> Result<Self, ControlError<T>> {
        for index in 0..E {
            let EncoderLimits { resolution, top_speed, largest_error } = self.encoders[index];
            let window = positive("resolution of an encoder", resolution)? * T::from_f64(DITHER);
            positive("top speed of an encoder", top_speed)?;
            positive("largest error", largest_error)?;
            between("travel of a target", self.stuck_travel[index], window + window, T::MAX)?;
            not_negative("distance from a pose", self.pose[index])?;
            if index >= U && !self.rest[index].is_finite() {
                return Err(ControlError::NonFinite { tick: 0, what: "reading at rest", index });
            }
        }
        for index in 0..U {
            positive("stopping distance", self.stopping_distance[index])?;
            positive("speed of homing", self.homing_speed[index])?;
            positive("distance of homing", self.homing_distance[index])?;
            not_negative("distance at arrival", self.arrival[index])?;
            if let Some(travel) = self.off_travel {
                positive("travel of a motor that is off", travel[index])?;
            }
        }
        positive("braking time", self.braking)?;
        not_negative("time of homing", self.shortest_homing)?;
        self.max_skipped = self.max_skipped.min(MAX_SKIPPED);
        Ok(self)
    }

    /// How far a reading may dither.
    #[inline(always)]
    pub(super) fn window(&self, index: usize) -> T {
        self.encoders[index].resolution * T::from_f64(DITHER)
    }

    /// The detectors, before the first reading, for a tick of this length.
    pub(super) fn belief(&self, h: T) -> Result<Belief<T, E>, ControlError<T>> {
        let counts = |encoder: &EncoderLimits<T>, counts: f64| encoder.resolution * T::from_f64(counts);
        Belief::new(
            self.encoders.map(|encoder| encoder.top_speed * h + counts(&encoder, 2.0)),
            self.encoders.map(|encoder| counts(&encoder, DITHER)),
            self.stuck_travel,
        )
    }
}

/// The entries of the encoders at the motors.
fn of_motors<T: Float, const E: usize, const U: usize>(all: &[T; E]) -> [T; U] {
    let mut some = [T::zero(); U];
    for (one, given) in some.iter_mut().zip(all) {
        *one = *given;
    }
    some
}
