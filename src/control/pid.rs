//! A PID controller at each motor around a feedforward:
//!
//! ```text
//!     u = u_ff + K_p ε + K_i ∫ ε + K_d ε',    ε = target − reading
//! ```
//!
//! An observer of second order estimates the derivative of the error, not of the reading: the error of a machine that follows is small
//! and smooth, so the filter adds little lag. Each motor is controlled on its own; the feedforward alone accounts for the coupling of
//! the motors. [`ComputedTorque`](super::ComputedTorque) also corrects for it in the feedback.
//!
//! **Anti-windup** by back-calculation (Åström and Hägglund, *Advanced PID Control*, 3.5): the effort that an actuator did not apply
//! is taken off the integral with the time constant K_p/K_i. So the integral of a saturated motor stays bounded.

use super::checks::{not_negative, positive};
use super::controller::{Controller, FIRST_READINGS, Smoothing, Stateful, Target};
use super::error::ControlError;
use super::feedforward::Reference;
use super::sensed::Sensed;
use super::turns::off_by_at;
use crate::linalg::Vector;
use crate::scalar::Float;

/// PID controllers with feedforward, one for each motor.
///
/// ```
/// use taut::control::{Gains, Pid};
///
/// // 1 kHz; gains in N m/rad, N m/(rad s), N m s/rad; the error's derivative up to 300 rad/s.
/// let gains = Gains { proportional: 80.0_f32, integral: 200.0, derivative: 4.0 };
/// let pid = Pid::new([gains], 1e-3, 300.0)?;
/// assert!(Pid::new([Gains { proportional: -1.0, ..gains }], 1e-3, 300.0).is_err());
/// # Ok::<(), taut::control::ControlError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pid<T, const U: usize> {
    gains: [Gains<T>; U],
    smoothing: Smoothing<T>,
}

/// The state of a [`Pid`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PidState<T, const U: usize> {
    error: Vector<T, U>,
    rate: Vector<T, U>,
    integral: Vector<T, U>,
    /// How many of the [`FIRST_READINGS`] are still to come.
    first: u8,
}

/// The gains at one motor.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Gains<T> {
    /// K_p: effort per error.
    pub proportional: T,
    /// K_i: effort per error and second; zero for a PD controller.
    pub integral: T,
    /// K_d: effort per rate of the error.
    pub derivative: T,
}

impl<T: Float, const U: usize> Pid<T, U> {
    /// From the gains, the length of a tick in seconds and the bandwidth of the error's observer in rad/s. An
    /// error if the bandwidth is above the tick rate, 2π/tick. Choose it several times as high as the frequency of the loop, which the
    /// gains alone do not tell.
    pub fn new(gains: [Gains<T>; U], tick: T, bandwidth: T) -> Result<Self, ControlError<T>> {
        for Gains { proportional, integral, derivative } in gains {
            positive("proportional gain", proportional)?;
            not_negative("integral gain", integral)?;
            not_negative("derivative gain", derivative)?;
        }
        Ok(Self { gains, smoothing: Smoothing::new(tick, bandwidth, T::zero())? })
    }
}

impl<T, const U: usize> PidState<T, U> {
    /// The integral parts, in the units of the inputs.
    pub fn integral(&self) -> &Vector<T, U> {
        &self.integral
    }
}

impl<T: Float, const U: usize> Stateful for Pid<T, U> {
    type State = PidState<T, U>;
}

impl<System, T: Float, const N: usize, const M: usize, const E: usize, const U: usize> Controller<System, T, N, M, E, U>
    for Pid<T, U>
where
    System: Sensed<N, M, E, Base = T>,
{
    fn tick_length(&self) -> Option<T> {
        Some(self.smoothing.h)
    }

    fn start(&self, _: &Reference<T, N, M, U>) -> PidState<T, U> {
        let zero = Vector::zeros();
        PidState { error: zero, rate: zero, integral: zero, first: FIRST_READINGS }
    }

    #[inline]
    fn follow(
        &self,
        state: &mut PidState<T, U>,
        _: &System,
        tick: u64,
        target: &Target<T, E, U>,
        readings: &Vector<T, E>,
    ) -> Result<Vector<T, U>, ControlError<T>> {
        const { assert!(U <= E, "every motor has an encoder") };
        let (mut errors, mut rates, mut inputs) = (state.error, state.rate, target.inputs);
        for i in 0..U {
            let Gains { proportional, derivative, .. } = self.gains[i];
            let measured = target.shafts.data.0[0][i].value - readings.data.0[0][i];
            let measured = off_by_at::<System, N, M, E>(i, measured);
            let before = (errors.data.0[0][i], rates.data.0[0][i]);
            let (error, rate) = self.smoothing.correct(before, measured, state.first);
            let input = &mut inputs.data.0[0][i];
            *input += error * proportional + rate * derivative + state.integral.data.0[0][i];
            if !input.is_finite() {
                return Err(ControlError::NonFinite { tick, what: "input", index: i });
            }
            errors.data.0[0][i] = error;
            rates.data.0[0][i] = rate;
        }
        state.error = errors;
        state.rate = rates;
        state.first = state.first.saturating_sub(1);
        Ok(inputs)
    }

    #[inline]
    fn applied(&self, state: &mut PidState<T, U>, wanted: &Vector<T, U>, applied: &Vector<T, U>) {
        for i in 0..U {
            let Gains { proportional, integral, .. } = self.gains[i];
            let missing = applied.data.0[0][i] - wanted.data.0[0][i];
            let lost = missing / proportional;
            state.integral.data.0[0][i] += (state.error.data.0[0][i] + lost) * (integral * self.smoothing.h);
        }
    }
}
