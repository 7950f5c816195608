//! Damps the swing of a load that no motor holds, such as a crane's.
//!
//! A load at the angle φ on a rope of length l swings by l φ'' = −g φ − s'' under a trolley at s. Under a stiff trolley it swings for
//! ever. This controller moves the target of the trolley by r. With ε the target of φ less its reading:
//!
//! ```text
//!     r'' = −k_r r − d_r r' + k_φ ε + d_φ ε'
//!     k_r = p⁴ l/g,    d_r = 4 p³ l/g,    d_φ = l (d_r − 4 p),    k_φ = l k_r + g − 6 l p²
//! ```
//!
//! This puts all four poles of trolley and load at −p. The inner controller follows the moved target as stiffly as any other, so wrong
//! masses and friction matter no more than without damping. The swing depends on length and gravity alone. With another length than l
//! the poles move: for l = 2 m and p = 1.5/s they stay to the left of −0.67/s for ropes of 1 m to 4 m.

use super::checks::positive;
use super::controller::{Controller, FIRST_READINGS, Smoothing, Stateful, Target};
use super::error::ControlError;
use super::feedforward::Reference;
use super::sensed::Sensed;
use super::turns::off_by_at;
use crate::linalg::Vector;
use crate::scalar::{Float, Jet};

/// A controller that damps a swing by moving the target of one motor; it wraps another controller.
///
/// ```
/// use taut::control::{ComputedTorque, Pendulous, SwingDamping};
///
/// let stiff = ComputedTorque::<f32, 4, 1, 2>::new([20.0; 2], 1e-3, 46.0)?;
/// // Motor 0 moves the trolley, encoder 2 measures the angle of the rope.
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
}

/// The state of a [`SwingDamping`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwingState<Inner, T> {
    /// The state of the inner controller.
    pub law: Inner,
    /// r and r'.
    moved: T,
    speed: T,
    /// ε and ε'.
    error: T,
    rate: T,
    /// How many of the [`FIRST_READINGS`] are still to come.
    first: u8,
}

/// A load that hangs from the axis of a motor.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Pendulous<T> {
    /// The motor that moves the suspension point, in metres.
    pub motor: usize,
    /// The encoder of the angle from the vertical in radians; positive if the load is ahead.
    pub encoder: usize,
    /// The length in metres that the gains are made for.
    pub length: T,
    /// The acceleration of gravity in m/s².
    pub gravity: T,
}

impl<Law, T: Float> SwingDamping<Law, T> {
    /// Wraps the controller `law`, which must be several times faster than `decay`, p in 1/s. `tick` is the length of a tick in seconds,
    /// `bandwidth` that of the angle's observer in rad/s: an error below `decay` or above the tick rate, 2π/tick. The first tick checks that the machine has this motor and this encoder.
    pub fn around(law: Law, rope: Pendulous<T>, decay: T, tick: T, bandwidth: T) -> Result<Self, ControlError<T>> {
        let (l, g, p) =
            (positive("length", rope.length)?, positive("gravity", rope.gravity)?, positive("decay", decay)?);
        let cube = p * p * p * l / g;
        let (stiffness, damping) = (cube * p, cube * T::from_f64(4.0));
        let of_angle = l * stiffness + g - l * p * p * T::from_f64(6.0);
        let of_rate = l * (damping - p * T::from_f64(4.0));
        let gains = [stiffness, damping, of_angle, of_rate];
        if !gains.iter().all(|gain| gain.is_finite()) {
            return Err(ControlError::NotPositive { what: "decay", given: decay });
        }
        Ok(Self { law, rope, smoothing: Smoothing::new(tick, bandwidth, p)?, gains })
    }
}

impl<Law: Stateful, T: Float> Stateful for SwingDamping<Law, T> {
    type State = SwingState<Law::State, T>;
}

impl<Law, System, T, const N: usize, const M: usize, const E: usize, const U: usize> Controller<System, T, N, M, E, U>
    for SwingDamping<Law, T>
where
    T: Float,
    System: Sensed<N, M, E, Base = T>,
    Law: Controller<System, T, N, M, E, U>,
{
    fn tick_length(&self) -> Option<T> {
        Some(self.smoothing.h)
    }

    fn start(&self, reference: &Reference<T, N, M, U>) -> Self::State {
        let zero = T::zero();
        let law = self.law.start(reference);
        SwingState { law, moved: zero, speed: zero, error: zero, rate: zero, first: FIRST_READINGS }
    }

    fn follow(
        &self,
        state: &mut Self::State,
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
        let h = self.smoothing.h;
        if let Some(given) = self.law.tick_length().filter(|given| *given != h) {
            return Err(ControlError::OtherTick { what: "controller", given, expected: h });
        }
        let [stiffness, damping, of_angle, of_rate] = self.gains;
        let measured = match (target.shafts.get(encoder), readings.get(encoder)) {
            (Some(target), Some(reading)) => off_by_at::<System, N, M, E>(encoder, target.value - *reading),
            _ => T::zero(),
        };
        let (error, rate) = self.smoothing.correct((state.error, state.rate), measured, state.first);
        let change = error * of_angle + rate * of_rate - state.moved * stiffness - state.speed * damping;

        let mut moved = *target;
        if let Some(shaft) = moved.shafts.get_mut(motor) {
            *shaft += Jet::new(state.moved, state.speed, change);
        }
        let inputs = self.law.follow(&mut state.law, system, tick, &moved, readings)?;
        state.moved += (state.speed + change * (h * T::from_f64(0.5))) * h;
        state.speed += change * h;
        (state.error, state.rate, state.first) = (error, rate, state.first.saturating_sub(1));
        Ok(inputs)
    }

    fn applied(&self, state: &mut Self::State, wanted: &Vector<T, U>, applied: &Vector<T, U>) {
        self.law.applied(&mut state.law, wanted, applied);
    }
}
