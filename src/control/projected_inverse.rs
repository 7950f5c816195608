//! Inverse dynamics through a flat output by implicit Euler: a servo constraint of index 5, reduced to index 3.
//!
//! ```text
//!     (q_n, λ_n) = c(γ_n, γ''_n)                       the model: configuration
//!     v_n = (q_n − q_n₋₁)/h,   a_n = (v_n − v_n₋₁)/h
//!     B u_n = M a_n − f(t_n, q_n, v_n) + G_nᵀ λ_n
//! ```
//!
//! This is implicit Euler on the projected form s(q) = γ(t), 0 = hidden constraint, of order 1 (Blajer and Kołodziejczyk 2004). From
//! exact initial values its first input has an O(1) error: v₁ is the velocity at h/2, so that a₁ is half of what it should be.
//! The numerically consistent start (Arévalo and Lötstedt 1995) takes that step from the velocity at −h/2,
//! v₀ ← v₀ − (v₁ − v₀).
//!
//! Choose it in `f64` if a trajectory has three continuous derivatives but not four: each tick needs two, the start needs one more.
//! Round-off enters the inputs as ε/h². For the crane at 1 kHz that is 3e-8 N in `f64`, 3 N in `f32`, and 15 N if the path is
//! evaluated in `f32`, too. With four derivatives [`FlatInverse`](super::FlatInverse) is exact.

use super::checks::finite;
use super::course::Course;
use super::error::ControlError;
use super::feedforward::{Feedforward, Reference};
use super::flat::Flat;
use super::inverse::{Following, Inverse};
use crate::linalg::Vector;
use crate::scalar::{Dual, Float};
use crate::trajectory::Trajectory;

/// The motion and the inputs with which a flat output follows a trajectory of three continuous derivatives.
///
/// ```
/// use mechanisms::TwoMasses;
/// use taut::control::{Feedforward, ProjectedInverse};
/// use taut::trajectory::Septic;
///
/// let path = Septic::point_to_point([0.0], [0.5_f64], 1.0)?;
/// let plan = ProjectedInverse::new(TwoMasses::standard(), path, 1e-3)?;
/// let mut state = plan.start()?;
/// for tick in 0..1_000 {
///     assert!(plan.at(&mut state, tick)?.inputs[0].abs() < 7.0);
/// }
/// # Ok::<(), taut::control::ControlError<f64>>(())
/// ```
pub type ProjectedInverse<System, Path, const N: usize, const M: usize, const U: usize> =
    Inverse<System, Path, N, M, U, 3>;

/// The state, with the velocity that the next difference uses.
type Differences<Path, T, const N: usize, const M: usize, const U: usize> = Following<Path, T, N, M, U, Vector<T, N>>;

impl<System, Path, T, const N: usize, const M: usize, const U: usize> ProjectedInverse<System, Path, N, M, U>
where
    T: Float,
    System: Flat<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T>,
{
    /// Follows a trajectory from tick zero, in ticks of `h` seconds.
    pub fn new(system: System, path: Path, h: T) -> Result<Self, ControlError<T>> {
        Self::from_guess(system, path, h, Vector::zeros())
    }

    /// q, its velocity and λ at a tick, without accelerations and inputs.
    #[inline]
    fn configuration(&self, course: &Course<Path, T, U>, tick: u64) -> Result<Reference<T, N, M, U>, ControlError<T>> {
        let t = course.time(tick);
        let motion = course.motion(t, tick)?;
        let along = |value: Vector<T, U>, slope: Vector<T, U>| value.zip_map(&slope, |x, v| Dual::new(x, [v]));
        let (q, multipliers) = self
            .system
            .configuration(&along(motion.position, motion.velocity), &along(motion.acceleration, motion.jerk));
        let position = q.map(|q| q.value);
        finite("position", &position, tick)?;
        self.check_configuration(t, &position, &motion.position, tick)?;
        let (velocity, multipliers) = (q.map(|q| q.partials[0]), multipliers.map(|multiplier| multiplier.value));
        Ok(Reference { velocity, multipliers, ..Reference::at_rest(position) })
    }

    /// Completes a reference whose velocity and acceleration are differences, and stores it. The next difference uses the velocity
    /// `earlier`.
    #[inline]
    fn complete(
        &self,
        state: &mut Differences<Path, T, N, M, U>,
        mut reference: Reference<T, N, M, U>,
        earlier: Vector<T, N>,
        tick: u64,
    ) -> Result<(), ControlError<T>> {
        self.check_motion(&reference, tick)?;
        // The equations without an input hold with γ'' only, not with the difference: they are not checked.
        reference.inputs = self.inputs(state.course.time(tick), &reference, tick, false)?;
        state.advance(tick, reference, earlier);
        Ok(())
    }

    /// The numerically consistent start at a tick, from the step that follows it.
    fn consistent(&self, state: &mut Differences<Path, T, N, M, U>, tick: u64) -> Result<(), ControlError<T>> {
        let course = &state.course;
        let inverse_h = T::one() / course.h;
        let (now, next) = (self.configuration(course, tick)?, self.configuration(course, tick.wrapping_add(1))?);
        let gained = (next.position - now.position) * inverse_h - now.velocity;
        let acceleration = (gained + gained) * inverse_h;
        self.complete(state, Reference { acceleration, ..now }, now.velocity - gained, tick)
    }

    /// One step of implicit Euler to the tick after the last.
    fn step(&self, state: &mut Differences<Path, T, N, M, U>, tick: u64) -> Result<(), ControlError<T>> {
        let now = self.configuration(&state.course, tick)?;
        let inverse_h = T::one() / state.course.h;
        let velocity = (now.position - state.last.position) * inverse_h;
        let acceleration = (velocity - state.aid) * inverse_h;
        self.complete(state, Reference { velocity, acceleration, ..now }, velocity, tick)
    }
}

impl<System, Path, T, const N: usize, const M: usize, const U: usize> Feedforward
    for ProjectedInverse<System, Path, N, M, U>
where
    T: Float,
    System: Flat<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T> + Clone,
{
    type Base = T;
    type System = System;
    type Reference = Reference<T, N, M, U>;
    type State = Differences<Path, T, N, M, U>;

    fn system(&self) -> &System {
        &self.system
    }

    fn limit_inputs(&mut self, largest: &[T]) {
        self.take_input_limits(largest);
    }

    fn tick_length(&self) -> T {
        self.course.h
    }

    fn start(&self) -> Result<Self::State, ControlError<T>> {
        let mut state = Following::begin(self.course.clone(), Reference::at_rest(self.guess), Vector::zeros());
        self.consistent(&mut state, self.course.epoch)?;
        Ok(state)
    }

    /// The reference at a tick: a step if the last reference is that of the tick before, else a new start.
    fn at<'s>(&self, state: &'s mut Self::State, tick: u64) -> Result<&'s Self::Reference, ControlError<T>> {
        match tick.wrapping_sub(state.tick) {
            0 if !state.replanned => {}
            1 if !state.replanned => self.step(state, tick)?,
            _ => self.consistent(state, tick)?,
        }
        Ok(&state.last)
    }

    fn last(state: &Self::State) -> &Self::Reference {
        &state.last
    }
}
