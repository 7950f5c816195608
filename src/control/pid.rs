//! A PID controller at each motor around a feedforward:
//!
//! ```text
//!     u = u_ff + K_p ε + K_i ∫ ε + K_d ε',    ε = target − reading
//! ```
//!
//! The derivative is that of the error, from an observer of second order, and not that of the reading: while a machine follows,
//! the error is small and smooth, and the filter has nothing to lag behind. Each motor is controlled on its own; what the others
//! do to it is left to the feedforward. Compare [`ComputedTorque`](super::ComputedTorque), which knows.
//!
//! **Anti-windup** by back-calculation (Åström and Hägglund, *Advanced PID Control*, 3.5): what an actuator did not apply is taken
//! off the integral with the time constant K_p/K_i. A saturated integral so stays within what is needed to saturate.

use super::controller::{Controller, Smoothing, Target, not_negative, positive};
use super::error::ControlError;
use super::feedforward::Reference;
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
    error: Vector<T, U>,
    rate: Vector<T, U>,
    integral: Vector<T, U>,
}

/// The gains at one motor.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Gains<T> {
    /// K_p: effort for an error.
    pub proportional: T,
    /// K_i: effort for an error that lasts a second; zero for a PD controller.
    pub integral: T,
    /// K_d: effort for an error that grows by its unit in a second.
    pub derivative: T,
}

impl<T: Float, const U: usize> Pid<T, U> {
    /// With gains, the length of a tick and the bandwidth of the error's observer in radians a second.
    pub fn new(gains: [Gains<T>; U], tick: T, bandwidth: T) -> Result<Self, ControlError<T>> {
        for Gains { proportional, integral, derivative } in gains {
            positive("proportional gain", proportional)?;
            not_negative("integral gain", integral)?;
            not_negative("derivative gain", derivative)?;
        }
        let (smoothing, zero) = (Smoothing::new(tick, bandwidth)?, Vector::zeros());
        Ok(Self { gains, smoothing, error: zero, rate: zero, integral: zero })
    }

    /// The integral parts, in the units of the inputs.
    pub fn integral(&self) -> &Vector<T, U> {
        &self.integral
    }
}

impl<System, T, const N: usize, const M: usize, const E: usize, const U: usize> Controller<System, T, N, M, E, U>
    for Pid<T, U>
where
    T: Float,
{
    fn tick_length(&self) -> Option<T> {
        Some(self.smoothing.h)
    }

    fn begin(&mut self, _: &Reference<T, N, M, U>) {
        self.error = Vector::zeros();
        self.rate = Vector::zeros();
        self.integral = Vector::zeros();
        self.smoothing.begin();
    }

    #[inline]
    fn follow(
        &mut self,
        _: &System,
        tick: u64,
        target: &Target<T, E, U>,
        readings: &Vector<T, E>,
    ) -> Result<Vector<T, U>, ControlError<T>> {
        const { assert!(U <= E, "every motor has an encoder") };
        let (h, (position, velocity)) = (self.smoothing.h, self.smoothing.gains());
        let (mut errors, mut rates, mut inputs) = (self.error, self.rate, target.inputs);
        for i in 0..U {
            let Gains { proportional, derivative, .. } = self.gains[i];
            let measured = target.shafts.position.data.0[0][i] - readings.data.0[0][i];
            let predicted = errors.data.0[0][i] + rates.data.0[0][i] * h;
            let innovation = measured - predicted;
            let error = predicted + innovation * position;
            let rate = rates.data.0[0][i] + innovation * velocity;
            let input = &mut inputs.data.0[0][i];
            *input += error * proportional + rate * derivative + self.integral.data.0[0][i];
            if !input.is_finite() {
                return Err(ControlError::NonFinite { tick, what: "input", index: i });
            }
            errors.data.0[0][i] = error;
            rates.data.0[0][i] = rate;
        }
        self.error = errors;
        self.rate = rates;
        self.smoothing.advance();
        Ok(inputs)
    }

    #[inline]
    fn applied(&mut self, wanted: &Vector<T, U>, applied: &Vector<T, U>) {
        for i in 0..U {
            let Gains { proportional, integral, .. } = self.gains[i];
            let missing = applied.data.0[0][i] - wanted.data.0[0][i];
            let lost = missing / proportional;
            self.integral.data.0[0][i] += (self.error.data.0[0][i] + lost) * (integral * self.smoothing.h);
        }
    }
}
