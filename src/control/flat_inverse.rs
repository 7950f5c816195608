//! Inverse dynamics through a flat output: a servo constraint of index 5, reduced to index 1.
//!
//! ```text
//!     (q, λ) = c(γ, γ'')                        what the model says of its flat output
//!     v = d/dt c,   q'' = d²/dt² c              along γ, with γ' … γ'''' supplied
//!     B u = M q'' − f + Gᵀ λ
//! ```
//!
//! Everything follows from the trajectory at the tick alone, without a difference over time: the right input at the first tick, at every
//! re-plan, and after any pause, with the round-off of plain arithmetic. That makes it the form for `f32` (two masses:
//! 1e-6 N of noise, where backward differences have 100 N at 1 kHz). The price is four continuous derivatives: a
//! [`Nonic`](crate::trajectory::Nonic) has them. With three, [`ProjectedInverse`](super::ProjectedInverse), in `f64`.

use super::bounds::Bounds;
use super::course::Course;
use super::error::ControlError;
use super::feedforward::{Feedforward, Reference};
use super::flat::{Flat, configured, inputs};
use crate::linalg::Vector;
use crate::scalar::{Float, Jet};
use crate::trajectory::Trajectory;

/// The motion and the inputs with which a flat output follows a trajectory.
///
/// ```
/// use systems::Crane;
/// use taut::control::{Feedforward, FlatInverse};
/// use taut::trajectory::Nonic;
///
/// // A load of 100 kg, by 5 m and up by 3 m, in 6 s.
/// let path = Nonic::point_to_point([0.0, -4.0], [5.0_f32, -1.0], 6.0)?;
/// let mut feedforward = FlatInverse::new(Crane::standard(), path, 1e-3)?;
/// let first = feedforward.at(0)?;
/// assert!(first.inputs[0] == 0.0 && (first.inputs[1] + 981.0).abs() < 1e-3); // the winch holds the load
/// let reference = feedforward.at(1_000)?;
/// assert!((reference.inputs[0] - 68.211_36).abs() < 1e-3);
/// # Ok::<(), taut::control::ControlError<f32>>(())
/// ```
///
/// A kind of trajectory that has fewer derivatives is refused by the compiler:
///
/// ```compile_fail
/// # use systems::Crane;
/// # use taut::control::FlatInverse;
/// # use taut::trajectory::MinimumJerk;
/// let path = MinimumJerk::point_to_point([0.0, -4.0], [5.0_f32, -1.0], 6.0).unwrap();
/// let feedforward = FlatInverse::new(Crane::standard(), path, 1e-3).unwrap();
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatInverse<System, Path, T, const N: usize, const M: usize, const U: usize> {
    system: System,
    course: Course<Path, T>,
    bounds: Bounds<T, N, U>,
}

impl<System, Path, T, const N: usize, const M: usize, const U: usize> FlatInverse<System, Path, T, N, M, U>
where
    T: Float,
    System: Flat<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T>,
{
    /// How many derivatives of the trajectory must be continuous.
    pub const DERIVATIVES: usize = 4;

    /// Follows a trajectory from tick zero on, in ticks of `h` seconds.
    pub fn new(mut system: System, path: Path, h: T) -> Result<Self, ControlError<T>> {
        system.drive(&Vector::zeros());
        let mut this = Self { system, course: Course::new::<U, 4>(path, h)?, bounds: Bounds::none() };
        this.at(0)?;
        Ok(this)
    }

    /// Refuses motions in which a coordinate is faster than its limit.
    pub fn with_velocity_limits(mut self, limits: [T; N]) -> Result<Self, ControlError<T>> {
        self.bounds = self.bounds.with_velocities(limits)?;
        Ok(self)
    }

    /// Refuses motions that take a larger input than its limit.
    pub fn with_input_limits(mut self, limits: [T; U]) -> Result<Self, ControlError<T>> {
        self.bounds = self.bounds.with_inputs(limits)?;
        Ok(self)
    }

    /// The same trajectory, begun at a tick instead of tick zero.
    pub fn beginning_at(mut self, tick: u64) -> Self {
        self.course.begin_at(tick);
        self
    }

    /// What is followed.
    pub fn path(&self) -> &Path {
        self.course.path()
    }

    /// The time at a tick since the trajectory began, for a trajectory that is to depart from this one.
    pub fn time(&self, tick: u64) -> T {
        self.course.time::<U>(tick)
    }

    /// Follows another trajectory from a tick on. Position and four derivatives must be what they are on the present one, so that
    /// neither coordinates nor inputs jump.
    pub fn replan(&mut self, path: Path, tick: u64) -> Result<(), ControlError<T>> {
        self.course = self.course.replanned::<U, 4>(path, tick)?;
        Ok(())
    }
}

impl<System, Path, T, const N: usize, const M: usize, const U: usize> Feedforward<N, M, U>
    for FlatInverse<System, Path, T, N, M, U>
where
    T: Float,
    System: Flat<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T>,
{
    type Base = T;

    fn tick_length(&self) -> T {
        self.course.tick_length()
    }

    fn at(&mut self, tick: u64) -> Result<Reference<T, N, M, U>, ControlError<T>> {
        let t = self.course.time::<U>(tick);
        let motion = self.course.motion::<U>(t, tick)?;
        let mut output = motion.position.map(Jet::constant);
        let mut acceleration = motion.acceleration.map(Jet::constant);
        for i in 0..U {
            let [velocity, second, jerk, snap] =
                [motion.velocity, motion.acceleration, motion.jerk, motion.snap].map(|d| d.data.0[0][i]);
            output.data.0[0][i] = Jet::new(motion.position.data.0[0][i], velocity, second);
            acceleration.data.0[0][i] = Jet::new(second, jerk, snap);
        }
        let (q, multipliers) = self.system.configuration(&output, &acceleration);
        let mut reference = Reference {
            position: q.map(|q| q.value),
            velocity: q.map(|q| q.first),
            acceleration: q.map(|q| q.second),
            inputs: Vector::zeros(),
            multipliers: multipliers.map(|multiplier| multiplier.value),
        };
        self.bounds.check::<System, M>(&reference, tick)?;
        configured(&self.system, (t, &reference.position), &motion.position, tick)?;
        let motion = (t, &reference.position, &reference.velocity, &reference.acceleration);
        let (inputs, balance) = inputs(&self.system, motion, &reference.multipliers, tick)?;
        balance.check(tick)?;
        reference.inputs = inputs;
        self.bounds.check::<System, M>(&reference, tick)?;
        Ok(reference)
    }
}
