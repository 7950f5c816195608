//! What a controller is to bring about at a tick, and what that takes if the model is right.

use super::error::ControlError;
use crate::linalg::Vector;
use crate::scalar::Float;

/// How a system with `N` coordinates, `M` constraints and `U` inputs is to move at one tick, and the inputs that make it do so.
///
/// Position and velocity satisfy the constraints, and M q'' = f + B u − Gᵀ λ holds: a controller that adds feedback starts
/// from a motion that is possible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference<T, const N: usize, const M: usize, const U: usize> {
    /// q. Angles go on from tick to tick: no whole turns are taken off, as a [`State`](crate::start::State) does.
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
    /// At rest at a position, without inputs and multipliers.
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

/// What gives a [`Reference`] at each tick.
///
/// Ticks are asked for one after another, or the same one again; a few may be left out. After an error everything is as
/// before, so that the last good reference can be held, and the next tick asked for.
pub trait Feedforward<const N: usize, const M: usize, const U: usize> {
    /// The plain float of parameters and results.
    type Base: Float;

    /// The length of a tick in seconds.
    fn tick_length(&self) -> Self::Base;

    /// The reference at a tick.
    fn at(&mut self, tick: u64) -> Result<Reference<Self::Base, N, M, U>, ControlError<Self::Base>>;
}
