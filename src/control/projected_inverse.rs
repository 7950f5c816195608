//! Inverse dynamics through a flat output by implicit Euler: a servo constraint of index 5, reduced to index 3.
//!
//! ```text
//!     (q_n, λ_n) = c(γ_n, γ''_n)                       what the model says of its flat output
//!     v_n = (q_n − q_n₋₁)/h,   a_n = (v_n − v_n₋₁)/h
//!     B u_n = M a_n − f(t_n, q_n, v_n) + G_nᵀ λ_n
//! ```
//!
//! This is implicit Euler on the projected form s(q) = γ(t), 0 = hidden constraint, of order 1 (Blajer and Kołodziejczyk 2004). From
//! exact initial values its first input has an O(1) error: v₁ is the velocity at h/2, so that a₁ is half of what it should be.
//! The numerically consistent start (Arévalo and Lötstedt 1995) takes that step from a velocity that is as much earlier,
//! v₀ ← v₀ − (v₁ − v₀).
//!
//! Choose it in `f64` where a trajectory has three continuous derivatives but not four: two for each tick and one for the
//! start. Round-off enters the inputs as ε/h²: 3e-8 N for the crane at 1 kHz in `f64`, 3 N in `f32`
//! and 15 N where the path is evaluated in `f32`, too. With four derivatives
//! [`FlatInverse`](super::FlatInverse) is exact.

use core::mem;

use super::bounds::{Bounds, finite};
use super::course::Course;
use super::error::ControlError;
use super::feedforward::{Feedforward, Reference};
use super::flat::{Flat, configured, inputs};
use crate::linalg::Vector;
use crate::scalar::{Dual, Float};
use crate::trajectory::Trajectory;

/// The motion and the inputs with which a flat output follows a trajectory of three continuous derivatives.
///
/// ```
/// use systems::TwoMasses;
/// use taut::control::{Feedforward, ProjectedInverse};
/// use taut::trajectory::Septic;
///
/// let path = Septic::point_to_point([0.0], [0.5_f64], 1.0)?;
/// let mut feedforward = ProjectedInverse::new(TwoMasses::standard(), path, 1e-3)?;
/// for tick in 0..1_000 {
///     assert!(feedforward.at(tick)?.inputs[0].abs() < 7.0);
/// }
/// # Ok::<(), taut::control::ControlError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProjectedInverse<System, Path, T, const N: usize, const M: usize, const U: usize> {
    system: System,
    course: Course<Path, T>,
    bounds: Bounds<T, N, U>,
    inverse_h: T,
    tick: u64,
    last: Reference<T, N, M, U>,
    /// That of the last tick as the next difference needs it.
    velocity: Vector<T, N>,
}

/// q, its velocity and λ at a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Configuration<T, const N: usize, const M: usize> {
    tick: u64,
    t: T,
    position: Vector<T, N>,
    velocity: Vector<T, N>,
    multipliers: Vector<T, M>,
}

impl<System, Path, T, const N: usize, const M: usize, const U: usize> ProjectedInverse<System, Path, T, N, M, U>
where
    T: Float,
    System: Flat<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T>,
{
    /// How many derivatives of the trajectory must be continuous.
    pub const DERIVATIVES: usize = 3;

    /// Follows a trajectory from tick zero on, in ticks of `h` seconds.
    pub fn new(mut system: System, path: Path, h: T) -> Result<Self, ControlError<T>> {
        system.drive(&Vector::zeros());
        let course = Course::new::<U, 3>(path, h)?;
        let mut this = Self {
            system,
            course,
            bounds: Bounds::none(),
            inverse_h: T::one() / h,
            tick: 0,
            last: Reference::at_rest(Vector::zeros()),
            velocity: Vector::zeros(),
        };
        this.start(0)?;
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
        self.tick = tick;
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

    /// Follows another trajectory from a tick on, with a start there. Position and three derivatives must be what they are on the
    /// present one, so that coordinates and their velocities do not jump.
    pub fn replan(&mut self, path: Path, tick: u64) -> Result<(), ControlError<T>> {
        let next = self.course.replanned::<U, 3>(path, tick)?;
        let before = mem::replace(&mut self.course, next);
        if let Err(error) = self.start(tick) {
            self.course = before;
            return Err(error);
        }
        Ok(())
    }

    #[inline]
    fn configuration(&self, tick: u64) -> Result<Configuration<T, N, M>, ControlError<T>> {
        let t = self.course.time::<U>(tick);
        let motion = self.course.motion::<U>(t, tick)?;
        let along = |value: Vector<T, U>, slope: Vector<T, U>| value.zip_map(&slope, |x, v| Dual::new(x, [v]));
        let (q, multipliers) = self
            .system
            .configuration(&along(motion.position, motion.velocity), &along(motion.acceleration, motion.jerk));
        let (position, velocity) = (q.map(|q| q.value), q.map(|q| q.partials[0]));
        finite("position", &position, tick)?;
        configured(&self.system, (t, &position), &motion.position, tick)?;
        Ok(Configuration { tick, t, position, velocity, multipliers: multipliers.map(|multiplier| multiplier.value) })
    }

    /// The reference in a configuration, with a velocity and an acceleration that differences gave; the next difference is to be
    /// with the velocity `earlier`.
    #[inline]
    fn complete(
        &mut self,
        configuration: &Configuration<T, N, M>,
        (velocity, acceleration): (Vector<T, N>, Vector<T, N>),
        earlier: Vector<T, N>,
    ) -> Result<Reference<T, N, M, U>, ControlError<T>> {
        let Configuration { tick, t, position, multipliers, .. } = *configuration;
        let mut reference = Reference { position, velocity, acceleration, multipliers, inputs: Vector::zeros() };
        self.bounds.check::<System, M>(&reference, tick)?;
        // The equations without an input hold with γ'', not with the difference in its place.
        let motion = (t, &position, &velocity, &acceleration);
        (reference.inputs, _) = inputs(&self.system, motion, &multipliers, tick)?;
        self.bounds.check::<System, M>(&reference, tick)?;
        (self.last, self.velocity, self.tick) = (reference, earlier, tick);
        Ok(reference)
    }

    /// The numerically consistent start at a tick, from the step that follows it.
    fn start(&mut self, tick: u64) -> Result<Reference<T, N, M, U>, ControlError<T>> {
        let (now, next) = (self.configuration(tick)?, self.configuration(tick.wrapping_add(1))?);
        let gained = (next.position - now.position) * self.inverse_h - now.velocity;
        let acceleration = (gained + gained) * self.inverse_h;
        self.complete(&now, (now.velocity, acceleration), now.velocity - gained)
    }

    /// One step of implicit Euler to the tick after the last.
    fn step(&mut self, tick: u64) -> Result<Reference<T, N, M, U>, ControlError<T>> {
        let now = self.configuration(tick)?;
        let velocity = (now.position - self.last.position) * self.inverse_h;
        let acceleration = (velocity - self.velocity) * self.inverse_h;
        self.complete(&now, (velocity, acceleration), velocity)
    }
}

impl<System, Path, T, const N: usize, const M: usize, const U: usize> Feedforward<N, M, U>
    for ProjectedInverse<System, Path, T, N, M, U>
where
    T: Float,
    System: Flat<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T>,
{
    type Base = T;

    fn tick_length(&self) -> T {
        self.course.tick_length()
    }

    /// The reference at a tick: a step from the last one, or, where that was not the tick before, a start.
    fn at(&mut self, tick: u64) -> Result<Reference<T, N, M, U>, ControlError<T>> {
        match tick.wrapping_sub(self.tick) {
            0 => self.bounds.check::<System, M>(&self.last, tick).map(|()| self.last),
            1 => self.step(tick),
            _ => self.start(tick),
        }
    }
}
