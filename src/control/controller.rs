//! What a controller is asked at each tick.

use super::error::ControlError;
use super::feedforward::Reference;
use super::sensed::Shafts;
use crate::linalg::Vector;
use crate::scalar::Float;

/// What a controller is to follow at a tick: the encoders' positions and how they move, and the inputs that this takes if the
/// model is right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target<T, const E: usize, const U: usize> {
    /// What the encoders are to read.
    pub shafts: Shafts<T, E>,
    /// The feedforward.
    pub inputs: Vector<T, U>,
}

/// Feedback around a feedforward, for a `System` with `E` encoders and `U` motors.
///
/// At each tick the [loop](super::Tracking) asks for the inputs and then says which ones were applied, after the limits of the
/// actuators: what integrates must know (anti-windup), and so must what predicts.
pub trait Controller<System, T: Float, const N: usize, const M: usize, const E: usize, const U: usize> {
    /// The length of the ticks that it is made for, in seconds; `None` if it is made for any.
    fn tick_length(&self) -> Option<T> {
        None
    }

    /// Begins anew with a machine that moves like the reference, as far as is known.
    fn begin(&mut self, reference: &Reference<T, N, M, U>);

    /// The inputs that are wanted at a tick. An error changes nothing.
    fn follow(
        &mut self,
        system: &System,
        tick: u64,
        target: &Target<T, E, U>,
        readings: &Vector<T, E>,
    ) -> Result<Vector<T, U>, ControlError<T>>;

    /// The inputs that act from this tick to the next.
    fn applied(&mut self, wanted: &Vector<T, U>, applied: &Vector<T, U>);
}

/// How the readings of encoders are smoothed: the gains of an observer of second order,
///
/// ```text
///     x ← x + ℓ₁ r,    x' ← x' + ℓ₂/h r,    ℓ₁ = 1 − p²,    ℓ₂ = (1 − p)²,    p = e^(−ω h)
/// ```
///
/// where r is what a reading differs from its prediction: both poles are at p (Benedict and Bordner's family of α–β filters,
/// critically damped). A large ω believes the readings, a small one the model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) struct Smoothing<T> {
    /// The length of a tick.
    pub(super) h: T,
    /// ℓ₁.
    position: T,
    /// ℓ₂/h.
    velocity: T,
    /// How many of the first readings are still to come. Nothing was predicted before them: they say where a machine is, and
    /// nothing of its velocity.
    first: u8,
}

/// How many readings it takes to know where a machine is: each is a step of Newton's method.
const FIRST_READINGS: u8 = 4;

impl<T: Float> Smoothing<T> {
    /// With the bandwidth ω in radians a second.
    pub(super) fn new(h: T, bandwidth: T) -> Result<Self, ControlError<T>> {
        positive("tick", h)?;
        positive("bandwidth of the observer", bandwidth)?;
        let pole = (-(bandwidth * h)).exp();
        let rest = T::one() - pole;
        // So small a bandwidth that rounding leaves nothing of it would never listen to a reading.
        let velocity = positive("bandwidth of the observer, as a gain", rest * rest / h)?;
        Ok(Self { h, position: T::one() - pole * pole, velocity, first: FIRST_READINGS })
    }

    /// ℓ₁ and ℓ₂/h at this tick.
    #[inline]
    pub(super) fn gains(&self) -> (T, T) {
        if self.first > 0 { (T::one(), T::zero()) } else { (self.position, self.velocity) }
    }

    /// Begins anew.
    pub(super) fn begin(&mut self) {
        self.first = FIRST_READINGS;
    }

    /// A reading has been used.
    #[inline]
    pub(super) fn advance(&mut self) {
        self.first = self.first.saturating_sub(1);
    }
}

/// Refuses a number that is not finite and positive.
pub(super) fn positive<T: Float>(what: &'static str, given: T) -> Result<T, ControlError<T>> {
    if given > T::zero() && given.is_finite() { Ok(given) } else { Err(ControlError::NotPositive { what, given }) }
}

/// Refuses a number that is not finite or is negative.
pub(super) fn not_negative<T: Float>(what: &'static str, given: T) -> Result<T, ControlError<T>> {
    if given >= T::zero() && given.is_finite() { Ok(given) } else { Err(ControlError::NotPositive { what, given }) }
}
