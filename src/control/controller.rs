//! The interface of a controller.

use super::checks::{between, positive};
use super::error::ControlError;
use super::feedforward::Reference;
use crate::linalg::Vector;
use crate::scalar::{Float, Jet};

/// The target of a tick: positions, velocities and accelerations of the encoders, and the inputs that they take if the model is
/// exact.
#[derive(Clone, Copy, Debug)]
pub struct Target<T, const E: usize, const U: usize> {
    /// The readings that are wanted, with their first and second derivatives.
    pub shafts: Vector<Jet<T>, E>,
    /// The feedforward.
    pub inputs: Vector<T, U>,
}

impl<T: Float, const E: usize, const U: usize> Target<T, E, U> {
    /// The target speeds of the motors' shafts, which are those of the first `U` encoders. Zero for a motor without an encoder.
    #[inline(always)]
    pub fn speeds(&self) -> [T; U] {
        let mut speeds = [T::zero(); U];
        for (speed, shaft) in speeds.iter_mut().zip(&self.shafts.data.0[0]) {
            *speed = shaft.first;
        }
        speeds
    }
}

/// A type whose state is owned by the caller and passed in.
pub trait Stateful {
    /// What changes from tick to tick.
    type State: Clone;
}

/// Feedback around a feedforward, for a `System` with `E` encoders and `U` motors.
///
/// The controller is immutable configuration; its memory is in its state. At each tick the
/// [loop](crate::supervise::Supervisor) calls [`follow`](Self::follow) for the inputs, clips them to the limits of the actuators, and
/// calls [`applied`](Self::applied) with the result. Integrators need it against windup, observers for their prediction.
pub trait Controller<System, T: Float, const N: usize, const M: usize, const E: usize, const U: usize>:
    Stateful
{
    /// The length of a tick in seconds; `None` if the controller works with any.
    fn tick_length(&self) -> Option<T> {
        None
    }

    /// The initial state, for a machine that moves like the reference.
    fn start(&self, reference: &Reference<T, N, M, U>) -> Self::State;

    /// The wanted inputs of a tick. On an error the state is unchanged.
    fn follow(
        &self,
        state: &mut Self::State,
        system: &System,
        tick: u64,
        target: &Target<T, E, U>,
        readings: &Vector<T, E>,
    ) -> Result<Vector<T, U>, ControlError<T>>;

    /// Tells the controller the inputs that act from this tick to the next.
    fn applied(&self, state: &mut Self::State, wanted: &Vector<T, U>, applied: &Vector<T, U>);
}

/// The gains of an observer of second order, which smooths the readings of encoders:
///
/// ```text
///     x ← x + ℓ₁ r,    x' ← x' + ℓ₂/h r,    ℓ₁ = 1 − p²,    ℓ₂ = (1 − p)²,    p = e^(−ω h)
/// ```
///
/// r is the reading less its prediction. Both poles are at p: an α–β filter of Benedict and Bordner's family, critically damped. A
/// large ω trusts the readings, a small one the model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct Smoothing<T> {
    /// The length of a tick.
    pub(crate) h: T,
    /// ℓ₁.
    position: T,
    /// ℓ₂/h.
    velocity: T,
}

/// How many readings an observer takes to find the position of a machine; each is a step of Newton's method. They correct the
/// position only: without a prediction they say nothing about the velocity.
pub(crate) const FIRST_READINGS: u8 = 4;

impl<T: Float> Smoothing<T> {
    /// With the bandwidth ω in radians a second. It must be positive, at least `frequency`, that of the loop around it, and at most
    /// 2π/h, the tick rate: a slower observer makes the loop unstable, a faster one smooths nothing.
    pub(crate) fn new(h: T, bandwidth: T, frequency: T) -> Result<Self, ControlError<T>> {
        positive("tick", h)?;
        positive("bandwidth of the observer", bandwidth)?;
        let rate = (T::PI + T::PI) / h;
        between("bandwidth of the observer", bandwidth, frequency, rate)?;
        let pole = (-(bandwidth * h)).exp();
        let rest = T::one() - pole;
        // A bandwidth so small that the gain rounds to zero would ignore all readings.
        let velocity = positive("bandwidth of the observer, as a gain", rest * rest / h)?;
        Ok(Self { h, position: T::one() - pole * pole, velocity })
    }

    /// ℓ₁ and ℓ₂/h; one and zero while `first` of the first readings are still to come.
    #[inline]
    pub(crate) fn gains(&self, first: u8) -> (T, T) {
        if first > 0 { (T::one(), T::zero()) } else { (self.position, self.velocity) }
    }

    /// Predicts the error and its rate a tick later, then corrects both by the measured error.
    #[inline(always)]
    pub(crate) fn correct(&self, (error, rate): (T, T), measured: T, first: u8) -> (T, T) {
        let (position, velocity) = self.gains(first);
        let predicted = error + rate * self.h;
        let innovation = measured - predicted;
        (predicted + innovation * position, rate + innovation * velocity)
    }
}
