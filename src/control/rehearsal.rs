//! Checks a whole motion before it begins.

use core::ops::RangeInclusive;

use super::error::ControlError;
use super::feedforward::{Feedforward, Reference};
use crate::linalg::Vector;
use crate::scalar::Float;

/// Evaluates a plan at all ticks without moving a machine. Returns the first error with its tick, or the largest magnitude of each
/// entry of the references.
///
/// So a target that is out of reach, too fast or too strong is refused before the machine is half-way there. Call it when the plan is
/// made, not in the loop: it costs as much as the whole motion.
///
/// ```
/// use mechanisms::Crane;
/// use taut::control::{ControlError, FlatInverse, rehearse};
/// use taut::trajectory::Nonic;
///
/// let plan = |seconds| {
///     let path = Nonic::point_to_point([0.0, -4.0], [5.0_f32, -1.0], seconds)?;
///     FlatInverse::new(Crane::standard(), path, 1e-3)
/// };
/// let demand = rehearse(&plan(6.0)?, 0..=6_000)?;
/// assert!(demand.inputs[0] > 140.0 && demand.inputs[0] < 141.0); // N at the trolley
///
/// // In 1.5 s the rope would have to push.
/// assert!(matches!(rehearse(&plan(1.5)?, 0..=1_500), Err(ControlError::Slack { .. })));
/// # Ok::<(), ControlError<f32>>(())
/// ```
pub fn rehearse<Plan, T, const N: usize, const M: usize, const U: usize>(
    plan: &Plan,
    ticks: RangeInclusive<u64>,
) -> Result<Reference<T, N, M, U>, ControlError<T>>
where
    T: Float,
    Plan: Feedforward<Base = T, Reference = Reference<T, N, M, U>>,
{
    let mut state = plan.start()?;
    let mut largest = Reference::at_rest(Vector::zeros());
    for tick in ticks {
        let now = plan.at(&mut state, tick)?;
        raise(&mut largest.position, &now.position);
        raise(&mut largest.velocity, &now.velocity);
        raise(&mut largest.acceleration, &now.acceleration);
        raise(&mut largest.inputs, &now.inputs);
        raise(&mut largest.multipliers, &now.multipliers);
    }
    Ok(largest)
}

/// The larger magnitude of each entry.
fn raise<T: Float, const D: usize>(largest: &mut Vector<T, D>, now: &Vector<T, D>) {
    for (largest, now) in largest.iter_mut().zip(now) {
        if now.abs() > *largest {
            *largest = now.abs();
        }
    }
}
