//! What coordinates and actuators can do.

use super::actuated::Actuated;
use super::error::ControlError;
use super::feedforward::Reference;
use crate::linalg::Vector;
use crate::scalar::Float;

/// Limits of the velocities and inputs of a reference; the largest number where there are none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds<T, const N: usize, const U: usize> {
    velocities: [T; N],
    inputs: [T; U],
}

impl<T: Float, const N: usize, const U: usize> Bounds<T, N, U> {
    pub(super) fn none() -> Self {
        Self { velocities: [T::MAX; N], inputs: [T::MAX; U] }
    }

    pub(super) fn with_velocities(self, velocities: [T; N]) -> Result<Self, ControlError<T>> {
        positive("limit of a velocity", &velocities)?;
        Ok(Self { velocities, ..self })
    }

    pub(super) fn with_inputs(self, inputs: [T; U]) -> Result<Self, ControlError<T>> {
        positive("limit of an input", &inputs)?;
        Ok(Self { inputs, ..self })
    }

    /// Whether a reference can be followed: it is finite, not too fast, not too strong, and ropes pull.
    #[inline]
    pub(super) fn check<System, const M: usize>(
        &self,
        reference: &Reference<T, N, M, U>,
        tick: u64,
    ) -> Result<(), ControlError<T>>
    where
        System: Actuated<N, M, U, Base = T>,
    {
        finite("position", &reference.position, tick)?;
        finite("velocity", &reference.velocity, tick)?;
        finite("acceleration", &reference.acceleration, tick)?;
        finite("multiplier", &reference.multipliers, tick)?;
        finite("input", &reference.inputs, tick)?;
        for index in 0..N {
            let (velocity, limit) = (reference.velocity.data.0[0][index], self.velocities[index]);
            if !(velocity.abs() <= limit) {
                return Err(ControlError::TooFast { tick, index, velocity, limit });
            }
        }
        for row in 0..M {
            let multiplier = reference.multipliers.data.0[0][row];
            if System::PULLS[row] && !(multiplier >= T::zero()) {
                return Err(ControlError::Slack { tick, row, multiplier });
            }
        }
        for index in 0..U {
            let (input, limit) = (reference.inputs.data.0[0][index], self.inputs[index]);
            if !(input.abs() <= limit) {
                return Err(ControlError::TooStrong { tick, index, input, limit });
            }
        }
        Ok(())
    }
}

/// Refuses limits that are not finite and positive.
fn positive<T: Float>(what: &'static str, limits: &[T]) -> Result<(), ControlError<T>> {
    match limits.iter().find(|&&limit| !(limit > T::zero() && limit.is_finite())) {
        Some(&given) => Err(ControlError::NotPositive { what, given }),
        None => Ok(()),
    }
}

/// Refuses numbers that are not finite.
#[inline]
pub(super) fn finite<T: Float, const D: usize>(
    what: &'static str,
    numbers: &Vector<T, D>,
    tick: u64,
) -> Result<(), ControlError<T>> {
    for index in 0..D {
        if !numbers.data.0[0][index].is_finite() {
            return Err(ControlError::NonFinite { tick, what, index });
        }
    }
    Ok(())
}
