//! The wanted motion at a tick, and the inputs that it takes if the model is exact.

use super::error::ControlError;
use crate::linalg::Vector;
use crate::scalar::Float;

/// The wanted motion of a system with `N` coordinates, `M` constraints and `U` inputs at one tick, and the inputs that it takes.
///
/// Position and velocity satisfy the constraints, and M q'' = f + B u − Gᵀ λ holds. So feedback starts from a possible motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference<T, const N: usize, const M: usize, const U: usize> {
    /// q. Angles are continuous from tick to tick; whole turns are not taken off as in a [`State`](crate::start::State).
    pub position: Vector<T, N>,
    /// v = q'.
    pub velocity: Vector<T, N>,
    /// q''.
    pub acceleration: Vector<T, N>,
    /// u: the forces and torques of the actuators.
    pub inputs: Vector<T, U>,
    /// λ, with the sign of [`Mechanical`](crate::system::Mechanical).
    pub multipliers: Vector<T, M>,
}

impl<T: Float, const N: usize, const M: usize, const U: usize> Reference<T, N, M, U> {
    /// At rest at a position, with zero inputs and multipliers.
    pub fn at_rest(position: impl Into<Vector<T, N>>) -> Self {
        Self {
            position: position.into(),
            velocity: Vector::zeros(),
            acceleration: Vector::zeros(),
            inputs: Vector::zeros(),
            multipliers: Vector::zeros(),
        }
    }
}

/// A plan: it gives a [`Reference`] at each tick.
///
/// The plan is immutable configuration. Its state holds the present trajectory and what changes from tick to tick. Ask for ticks in
/// order; a tick may be asked for twice, and a few may be left out. An error leaves the state unchanged: hold the last good
/// reference, and ask for the next tick.
pub trait Feedforward {
    /// The float type of parameters and results.
    type Base: Float;
    /// The model.
    type System;
    /// The [`Reference`] with the model's sizes.
    type Reference;
    /// What changes from tick to tick.
    type State: Clone;

    /// The model.
    fn system(&self) -> &Self::System;

    /// The length of a tick in seconds.
    fn tick_length(&self) -> Self::Base;

    /// Refuses motions that take more than these inputs, unless the plan already has limits of its own. A
    /// [loop](crate::supervise::Supervisor) gives the limits of its motors. Does nothing by default.
    fn limit_inputs(&mut self, largest: &[Self::Base]) {
        let _ = largest;
    }

    /// The state at the beginning of the motion. Do not call it in the control loop: it may take many iterations.
    fn start(&self) -> Result<Self::State, ControlError<Self::Base>>;

    /// The reference at a tick.
    fn at<'s>(&self, state: &'s mut Self::State, tick: u64) -> Result<&'s Self::Reference, ControlError<Self::Base>>;

    /// The last reference that [`at`](Self::at) gave; before the first call, that of the [start](Self::start).
    fn last(state: &Self::State) -> &Self::Reference;
}
