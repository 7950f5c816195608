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
/// let motors = Actuators::new([2.0_f32], [500.0], 1e-3)?; // 2 N m, 500 N m/s, at 1 kHz
/// let (applied, clips) = motors.apply(&vector![0.0], &vector![3.0]);
/// assert_eq!((applied[0], clips[0]), (0.5, Clip::Rate));
/// let (applied, clips) = motors.apply(&vector![1.9], &vector![3.0]);
/// assert_eq!((applied[0], clips[0]), (2.0, Clip::Effort));
/// # Ok::<(), taut::control::ControlError<f32>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Actuators<T, const U: usize> {
    largest: [T; U],
    /// The largest change per tick.
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
    /// From the largest efforts, the largest changes per second and the length of a tick in seconds. Limits must be positive; they may
    /// be infinite.
    pub fn new(largest: [T; U], change_a_second: [T; U], tick: T) -> Result<Self, ControlError<T>> {
        let above_zero =
            |what, given| if given > T::zero() { Ok(()) } else { Err(ControlError::NotPositive { what, given }) };
        positive("tick", tick)?;
        for index in 0..U {
            above_zero("largest effort", largest[index])?;
            above_zero("largest change of effort", change_a_second[index])?;
        }
        Ok(Self { largest, change: change_a_second.map(|change| change * tick) })
    }

    /// Without limits.
    pub fn unlimited() -> Self {
        Self { largest: [T::INFINITY; U], change: [T::INFINITY; U] }
    }

    /// Clips the `wanted` efforts, given the `last` ones. Returns the efforts to apply, and which limit clipped each. A wanted effort
    /// that is NaN or infinite leaves the last one.
    #[inline]
    pub fn apply(&self, last: &Vector<T, U>, wanted: &Vector<T, U>) -> (Vector<T, U>, [Clip; U]) {
        let (mut applied, mut clips) = (*last, [Clip::None; U]);
        for i in 0..U {
            let (wanted, last) = (wanted.data.0[0][i], last.data.0[0][i]);
            if !wanted.is_finite() {
                clips[i] = Clip::Effort;
                continue;
            }
            let mut effort = wanted;
            let change = wanted - last;
            if change.abs() > self.change[i] {
                effort = last + self.change[i].copysign(change);
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
        let motors = Actuators::new([1.0_f32, 4.0], [100.0, f32::INFINITY], 0.01).unwrap();
        let (applied, clips) = motors.apply(&Vector::from([0.5, -4.0]), &Vector::from([-0.5, 4.0]));
        assert_eq!((applied, clips), (Vector::from([-0.5, 4.0]), [Clip::None; 2]));
    }

    #[test]
    fn nan_and_infinite_efforts_are_not_applied() {
        let motors = Actuators::<f32, 2>::unlimited();
        let last = Vector::from([0.5, -4.0]);
        let (applied, clips) = motors.apply(&last, &Vector::from([f32::NAN, f32::INFINITY]));
        assert_eq!((applied, clips), (last, [Clip::Effort; 2]));
    }

    #[test]
    fn limits_that_are_not_positive_are_refused() {
        assert!(Actuators::new([0.0_f32], [1.0], 1e-3).is_err());
        assert!(Actuators::new([1.0_f32], [f32::NAN], 1e-3).is_err());
        for tick in [0.0, -1e-3, f32::NAN, f32::INFINITY] {
            // An infinite tick would do away with the limit of the rate.
            assert!(Actuators::new([1.0_f32], [1.0], tick).is_err(), "{tick}");
        }
    }
}
