//! The common part of the three inverses: the model, the trajectory, the limits and the re-plan.

use super::actuated::Actuated;
use super::checks::{between, finite, positive, within};
use super::course::Course;
use super::error::ControlError;
use super::feedforward::Reference;
use crate::linalg::written_out::for_each;
use crate::linalg::{BlockFactors, Vector};
use crate::scalar::Float;
use crate::system::Mechanical;
use crate::trajectory::Trajectory;

/// The inputs with which the output of a system follows a trajectory: a servo constraint solved for u.
///
/// `K` is the number of continuous derivatives that the trajectory must have. It selects the method: 2 for
/// [`InverseDynamics`](super::InverseDynamics), 4 for [`FlatInverse`](super::FlatInverse), 3 for
/// [`ProjectedInverse`](super::ProjectedInverse).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inverse<System: Mechanical<N, M>, Path, const N: usize, const M: usize, const U: usize, const K: usize> {
    pub(super) system: System,
    pub(super) course: Course<Path, System::Base, U>,
    /// Limits of a reference; `MAX` if there is no limit.
    velocity_limits: [System::Base; N],
    input_limits: [System::Base; U],
    /// The lowest and the highest position of each coordinate.
    position_limits: [(System::Base, System::Base); N],
    /// The smallest pivot, relative to the largest entry of its column.
    pub(super) pivot_limit: System::Base,
    /// The initial guess of the first pose.
    pub(super) guess: Vector<System::Base, N>,
}

/// The state of an [`Inverse`]: the present trajectory, the last reference, and what the method keeps for the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Following<Path, T, const N: usize, const M: usize, const U: usize, Aid> {
    pub(super) course: Course<Path, T, U>,
    pub(super) last: Reference<T, N, M, U>,
    pub(super) tick: u64,
    /// Whether the last reference belongs to another trajectory.
    pub(super) replanned: bool,
    pub(super) aid: Aid,
}

/// The state of an [`InverseDynamics`](super::InverseDynamics).
pub(super) type Posed<Path, T, const N: usize, const M: usize, const U: usize> =
    Following<Path, T, N, M, U, BlockFactors<T, N>>;

impl<System, Path, T, const N: usize, const M: usize, const U: usize, const K: usize> Inverse<System, Path, N, M, U, K>
where
    T: Float,
    System: Actuated<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T>,
{
    pub(super) fn from_guess(system: System, path: Path, h: T, guess: Vector<T, N>) -> Result<Self, ControlError<T>> {
        finite("guess", &guess, 0)?;
        let course = Course::new::<K>(path, h)?;
        Ok(Self {
            system,
            course,
            velocity_limits: [T::MAX; N],
            input_limits: [T::MAX; U],
            position_limits: [(-T::MAX, T::MAX); N],
            pivot_limit: T::ROOT_EPSILON,
            guess,
        })
    }

    /// Refuses motions in which a coordinate exceeds its velocity limit.
    pub fn with_velocity_limits(self, velocity_limits: [T; N]) -> Result<Self, ControlError<T>> {
        velocity_limits.iter().try_for_each(|limit| positive("limit of a velocity", *limit).map(drop))?;
        Ok(Self { velocity_limits, ..self })
    }

    /// Refuses motions in which an input exceeds its limit. A loop gives the limits of its motors to a plan without such limits.
    pub fn with_input_limits(self, input_limits: [T; U]) -> Result<Self, ControlError<T>> {
        input_limits.iter().try_for_each(|limit| positive("limit of an input", *limit).map(drop))?;
        Ok(Self { input_limits, ..self })
    }

    /// Refuses motions in which a coordinate leaves its travel, from its lowest to its highest position. An entry of (−MAX, MAX) is no
    /// limit. An error if a lowest position is not below its highest, or is NaN or infinite.
    pub fn with_position_limits(self, position_limits: [(T, T); N]) -> Result<Self, ControlError<T>> {
        for (lowest, highest) in position_limits {
            between("lowest position", lowest, -T::MAX, highest)?;
            between("highest position", highest, lowest, T::MAX)?;
        }
        Ok(Self { position_limits, ..self })
    }

    /// Refuses poses nearer to a singular one than this: a pivot of [G; S] or of [B, −Gᵀ], over the largest entry of its gradient. One
    /// is as far from singular as possible. From √ε, the default, to 1; a few hundredths keep a linkage out of poses where its motors
    /// must turn fast or push hard. A flat plan has BᵀB instead of these matrices, and the square of the limit.
    pub fn with_pivot_limit(self, pivot_limit: T) -> Result<Self, ControlError<T>> {
        between("limit of a pivot", pivot_limit, T::ROOT_EPSILON, T::one())?;
        Ok(Self { pivot_limit, ..self })
    }

    /// Takes these input limits, unless there are some.
    pub(super) fn take_input_limits(&mut self, largest: &[T]) {
        for (limit, largest) in self.input_limits.iter_mut().zip(largest).filter(|(limit, _)| **limit == T::MAX) {
            *limit = *largest;
        }
    }

    /// The same trajectory, begun at a tick instead of tick zero.
    pub fn beginning_at(mut self, tick: u64) -> Self {
        self.course.epoch = tick;
        self
    }

    /// Follows another trajectory, beginning at `tick`. There its position and `K` derivatives must agree with the present trajectory, so
    /// that neither coordinates nor inputs jump. Nothing else is checked: the cost is that of a tick. Before, and outside of the control
    /// loop, [`look_ahead`](Self::look_ahead) finds out whether the machine can follow to the end.
    #[inline(never)]
    pub fn replan<Aid>(
        &self,
        state: &mut Following<Path, T, N, M, U, Aid>,
        path: Path,
        tick: u64,
    ) -> Result<(), ControlError<T>> {
        state.course = state.course.replanned::<K>(path, tick)?;
        state.replanned = true;
        Ok(())
    }

    /// Checks that a motion is finite, within the limits of velocity and position, and that ropes pull.
    #[inline]
    pub(super) fn check_motion(&self, reference: &Reference<T, N, M, U>, tick: u64) -> Result<(), ControlError<T>> {
        finite("position", &reference.position, tick)?;
        finite("velocity", &reference.velocity, tick)?;
        finite("acceleration", &reference.acceleration, tick)?;
        finite("multiplier", &reference.multipliers, tick)?;
        limited("velocity", &reference.velocity, &self.velocity_limits, tick)?;
        for_each!(INDEX < N => { self.check_position(INDEX, reference.position.data.0[0][INDEX], tick)?; });
        for_each!(ROW < M => {
            let multiplier = reference.multipliers.data.0[0][ROW];
            if System::PULLS[ROW] && !(multiplier >= T::zero()) {
                return Err(ControlError::Slack { tick, row: ROW, multiplier });
            }
        });
        Ok(())
    }

    /// Checks that a coordinate is within its travel.
    #[inline(always)]
    fn check_position(&self, index: usize, value: T, tick: u64) -> Result<(), ControlError<T>> {
        let (lowest, highest) = self.position_limits[index];
        if value >= lowest && value <= highest {
            return Ok(());
        }
        let limit = if value < lowest { lowest } else { highest };
        Err(ControlError::Exceeded { tick, what: "position", index, value, limit })
    }

    /// Checks that the inputs are finite and within their limits.
    #[inline]
    pub(super) fn check_inputs(&self, inputs: &Vector<T, U>, tick: u64) -> Result<(), ControlError<T>> {
        finite("input", inputs, tick)?;
        limited("input", inputs, &self.input_limits, tick)
    }
}

impl<Path, T: Float, const N: usize, const M: usize, const U: usize, Aid> Following<Path, T, N, M, U, Aid> {
    pub(super) fn begin(course: Course<Path, T, U>, last: Reference<T, N, M, U>, aid: Aid) -> Self {
        let tick = course.epoch;
        Self { course, last, tick, replanned: false, aid }
    }

    #[inline(always)]
    pub(super) fn advance(&mut self, tick: u64, reference: Reference<T, N, M, U>, aid: Aid) {
        self.keep(tick, reference);
        self.aid = aid;
    }

    /// The same, without what the method keeps.
    #[inline(always)]
    pub(super) fn keep(&mut self, tick: u64, reference: Reference<T, N, M, U>) {
        self.tick = tick;
        self.last = reference;
        self.replanned = false;
    }

    /// The present trajectory.
    pub fn path(&self) -> &Path {
        &self.course.path
    }

    /// The time at a tick since the trajectory began. Use it to begin another trajectory with `departing`.
    pub fn time(&self, tick: u64) -> T
    where
        Path: Trajectory<U, Base = T>,
    {
        self.course.time(tick)
    }
}

/// Refuses numbers above their limits.
#[inline(always)]
fn limited<T: Float, const D: usize>(
    what: &'static str,
    numbers: &Vector<T, D>,
    limits: &[T; D],
    tick: u64,
) -> Result<(), ControlError<T>> {
    let exceeded = |index, value, limit| ControlError::Exceeded { tick, what, index, value, limit };
    within(&numbers.data.0[0], limits, exceeded)
}
