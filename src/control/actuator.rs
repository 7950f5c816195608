//! Limits of a motor: its largest effort and how fast the effort can change.

use super::checks::positive;
use super::error::ControlError;
use crate::linalg::Vector;
use crate::scalar::Float;

/// The largest effort of each of `U` actuators, and the largest change of effort per second.
///
/// ```
/// use nalgebra::vector;
/// use taut::control::{Actuators, Clip};
///
/// let motors = Actuators::new([2.0_f32])?.with_rate_limits([500.0])?; // 2 N m, 500 N m/s
/// let tick = 1e-3; // s
/// let (applied, clips) = motors.apply(&vector![0.0], &vector![3.0], tick);
/// assert_eq!((applied[0], clips[0]), (0.5, Clip::Rate));
/// let (applied, clips) = motors.apply(&vector![1.9], &vector![3.0], tick);
/// assert_eq!((applied[0], clips[0]), (2.0, Clip::Effort));
/// # Ok::<(), taut::control::ControlError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Actuators<T, const U: usize> {
    largest: [T; U],
    /// The largest change per second; infinite without a limit.
    change: [T; U],
}

/// The limit that clipped an actuator's effort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Clip {
    /// No limit.
    None,
    /// The largest change per tick.
    Rate,
    /// The largest effort.
    Effort,
}

impl<T: Float, const U: usize> Actuators<T, U> {
    /// From the largest efforts, finite and positive. Efforts may change at any rate.
    pub fn new(largest: [T; U]) -> Result<Self, ControlError<T>> {
        largest.iter().try_for_each(|limit| positive("largest effort", *limit).map(drop))?;
        Ok(Self { largest, change: [T::INFINITY; U] })
    }

    /// With the largest changes of effort per second, finite and positive.
    pub fn with_rate_limits(self, change: [T; U]) -> Result<Self, ControlError<T>> {
        change.iter().try_for_each(|limit| positive("largest change of effort", *limit).map(drop))?;
        Ok(Self { change, ..self })
    }

    /// The largest efforts.
    pub fn largest(&self) -> &[T; U] {
        &self.largest
    }

    /// Clips the `wanted` efforts, given the `last` ones and the length of a tick in seconds. Returns the efforts to apply, and which limit clipped each. A wanted effort
    /// that is NaN or infinite leaves the last one.
    #[inline]
    pub fn apply(&self, last: &Vector<T, U>, wanted: &Vector<T, U>, tick: T) -> (Vector<T, U>, [Clip; U]) {
        let (mut applied, mut clips) = (*last, [Clip::None; U]);
        for i in 0..U {
            let (wanted, last) = (wanted.data.0[0][i], last.data.0[0][i]);
            if !wanted.is_finite() {
                clips[i] = Clip::Effort;
                continue;
            }
            let mut effort = wanted;
            let change = wanted - last;
            let most = self.change[i] * tick;
            if change.abs() > most {
                effort = last + most.copysign(change);
                clips[i] = Clip::Rate;
            }
            if effort.abs() > self.largest[i] {
                effort = self.largest[i].copysign(effort);
                clips[i] = Clip::Effort;
            }
            applied.data.0[0][i] = effort;
        }
        (applied, clips)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn efforts_within_limits_pass_unchanged() {
        let motors = Actuators::new([1.0_f32, 4.0]).unwrap();
        let wanted = Vector::from([-0.5, 4.0]);
        let (applied, clips) = motors.apply(&Vector::from([0.5, -4.0]), &wanted, 0.01);
        assert_eq!((applied, clips), (wanted, [Clip::None; 2]));
        let motors = motors.with_rate_limits([100.0, 1_000.0]).unwrap();
        let (applied, clips) = motors.apply(&Vector::from([0.5, -4.0]), &wanted, 0.01);
        assert_eq!((applied, clips), (wanted, [Clip::None; 2]));
    }

    #[test]
    fn nan_and_infinite_efforts_are_not_applied() {
        let motors = Actuators::<f32, 2>::new([5.0; 2]).unwrap();
        let last = Vector::from([0.5, -4.0]);
        let (applied, clips) = motors.apply(&last, &Vector::from([f32::NAN, f32::INFINITY]), 1e-3);
        assert_eq!((applied, clips), (last, [Clip::Effort; 2]));
    }

    #[test]
    fn limits_that_are_not_finite_and_positive_are_refused() {
        let motors = Actuators::new([1.0_f32]).unwrap();
        for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(Actuators::new([bad]).is_err() && motors.with_rate_limits([bad]).is_err(), "{bad}");
        }
    }
}
