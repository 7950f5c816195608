//! Damping of what hangs from a motor's axis and no motor holds: a crane's load.
//!
//! A load at the angle φ on a rope of length l swings by l φ'' = −g φ − s'' under a trolley at s. A stiff trolley leaves it alone, for ever.
//! Here the trolley gives way: its target is moved by r, with ε the target of φ less its reading,
//!
//! ```text
//!     r'' = −k_r r − d_r r' + k_φ ε + d_φ ε'
//!     k_r = p⁴ l/g,    d_r = 4 p³ l/g,    d_φ = l (d_r − 4 p),    k_φ = l k_r + g − 6 l p²
//! ```
//!
//! which puts all four poles of trolley and load at −p. The controller around which this stands follows the moved target as stiffly
//! as it follows any, so that wrong masses and friction do no more harm than without: the swing itself depends on
//! length and gravity alone. At another length than l the poles are elsewhere; for l = 2 m and p = 1.5/s they stay to the left of
//! −0.67/s for ropes of 1 m to 4 m.

use super::controller::{Controller, Smoothing, Target, positive};
use super::error::ControlError;
use super::feedforward::Reference;
use crate::linalg::Vector;
use crate::scalar::Float;

/// A controller that moves the target of one motor so that a swing is damped.
///
/// ```
/// use taut::control::{ComputedTorque, Pendulous, SwingDamping};
///
/// let stiff = ComputedTorque::<f32, 4, 1, 2>::new([20.0; 2], 1e-3, 200.0)?;
/// // Motor 0 is the trolley's, encoder 2 that of the rope's angle.
/// let rope = Pendulous { motor: 0, encoder: 2, length: 2.0, gravity: 9.81 };
/// let damped = SwingDamping::around(stiff, rope, 1.5, 1e-3, 100.0)?;
/// # Ok::<(), taut::control::ControlError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwingDamping<Law, T> {
    law: Law,
    rope: Pendulous<T>,
    smoothing: Smoothing<T>,
    /// k_r, d_r, k_φ, d_φ.
    gains: [T; 4],
    /// r and r'.
    moved: T,
    speed: T,
    /// ε and ε'.
    error: T,
    rate: T,
}

/// What hangs from which motor's axis.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Pendulous<T> {
    /// The motor that moves the point from which it hangs, in metres.
    pub motor: usize,
    /// The encoder of its angle from the vertical, in radians, positive where it is ahead.
    pub encoder: usize,
    /// The length that the gains are made for.
    pub length: T,
    /// The acceleration of gravity.
    pub gravity: T,
}

impl<Law, T: Float> SwingDamping<Law, T> {
    /// Around a controller that is several times faster than `decay`, p, in 1/s; with the length of a tick and the bandwidth of the
    /// observer of the angle in radians a second. A motor or an encoder that the machine does not have is an error at the first tick.
    pub fn around(law: Law, rope: Pendulous<T>, decay: T, tick: T, bandwidth: T) -> Result<Self, ControlError<T>> {
        let (l, g, p) =
            (positive("length", rope.length)?, positive("gravity", rope.gravity)?, positive("decay", decay)?);
        let cube = p * p * p * l / g;
        let (stiffness, damping) = (cube * p, cube * T::from_f64(4.0));
        let of_angle = l * stiffness + g - l * p * p * T::from_f64(6.0);
        let of_rate = l * (damping - p * T::from_f64(4.0));
        let zero = T::zero();
        let gains = [stiffness, damping, of_angle, of_rate];
        if !gains.iter().all(|gain| gain.is_finite()) {
            return Err(ControlError::NotPositive { what: "decay", given: decay });
        }
        Ok(Self {
            law,
            rope,
            smoothing: Smoothing::new(tick, bandwidth)?,
            gains,
            moved: zero,
            speed: zero,
            error: zero,
            rate: zero,
        })
    }

    /// How far the motor's target is moved.
    pub fn moved(&self) -> T {
        self.moved
    }
}

impl<Law, System, T, const N: usize, const M: usize, const E: usize, const U: usize> Controller<System, T, N, M, E, U>
    for SwingDamping<Law, T>
where
    T: Float,
    Law: Controller<System, T, N, M, E, U>,
{
    fn tick_length(&self) -> Option<T> {
        Some(self.smoothing.h)
    }

    fn begin(&mut self, reference: &Reference<T, N, M, U>) {
        (self.moved, self.speed, self.error, self.rate) = (T::zero(), T::zero(), T::zero(), T::zero());
        self.smoothing.begin();
        self.law.begin(reference);
    }

    fn follow(
        &mut self,
        system: &System,
        tick: u64,
        target: &Target<T, E, U>,
        readings: &Vector<T, E>,
    ) -> Result<Vector<T, U>, ControlError<T>> {
        let Pendulous { motor, encoder, .. } = self.rope;
        for (what, index, count) in [("motor", motor, U), ("encoder", encoder, E)] {
            if index >= count {
                return Err(ControlError::NoSuch { what, index, count });
            }
        }
        let expected = self.smoothing.h;
        if let Some(given) = self.law.tick_length().filter(|given| *given != expected) {
            return Err(ControlError::OtherTick { what: "controller", given, expected });
        }
        let (h, (position, velocity)) = (self.smoothing.h, self.smoothing.gains());
        let [stiffness, damping, of_angle, of_rate] = self.gains;
        let measured = match (target.shafts.position.get(encoder), readings.get(encoder)) {
            (Some(target), Some(reading)) => *target - *reading,
            _ => T::zero(),
        };
        let predicted = self.error + self.rate * h;
        let innovation = measured - predicted;
        let (error, rate) = (predicted + innovation * position, self.rate + innovation * velocity);
        let change = error * of_angle + rate * of_rate - self.moved * stiffness - self.speed * damping;

        let mut moved = *target;
        let shafts = &mut moved.shafts;
        for (sum, more) in
            [(&mut shafts.position, self.moved), (&mut shafts.velocity, self.speed), (&mut shafts.acceleration, change)]
        {
            if let Some(sum) = sum.get_mut(motor) {
                *sum += more;
            }
        }
        let inputs = self.law.follow(system, tick, &moved, readings)?;
        self.moved += (self.speed + change * (h * T::from_f64(0.5))) * h;
        self.speed += change * h;
        (self.error, self.rate) = (error, rate);
        self.smoothing.advance();
        Ok(inputs)
    }

    fn applied(&mut self, wanted: &Vector<T, U>, applied: &Vector<T, U>) {
        self.law.applied(wanted, applied);
    }
}
