//! A motion gone through before it begins.

use core::ops::RangeInclusive;

use super::error::ControlError;
use super::feedforward::{Feedforward, Reference};
use crate::linalg::Vector;
use crate::scalar::Float;

/// What a motion takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand<T, const N: usize, const U: usize> {
    /// The largest magnitude of each velocity.
    pub velocities: Vector<T, N>,
    /// The largest magnitude of each input.
    pub inputs: Vector<T, U>,
}

/// Goes through all ticks of a motion without moving anything: the first error, with its tick, or what it takes.
///
/// So a target that is out of reach, too fast or too strong is refused before the machine is half-way there. To be called where a plan is
/// made, not in the loop: it costs as much as the whole motion. The feedforward is not changed; a copy goes through.
///
/// ```
/// use systems::Crane;
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
pub fn rehearse<Feed, const N: usize, const M: usize, const U: usize>(
    feedforward: &Feed,
    ticks: RangeInclusive<u64>,
) -> Result<Demand<Feed::Base, N, U>, ControlError<Feed::Base>>
where
    Feed: Feedforward<N, M, U> + Clone,
{
    let mut feedforward = feedforward.clone();
    let mut demand = Demand { velocities: Vector::zeros(), inputs: Vector::zeros() };
    for tick in ticks {
        let Reference { velocity, inputs, .. } = feedforward.at(tick)?;
        raise(&mut demand.velocities, &velocity);
        raise(&mut demand.inputs, &inputs);
    }
    Ok(demand)
}

/// The larger magnitude of each entry.
fn raise<T: Float, const D: usize>(largest: &mut Vector<T, D>, now: &Vector<T, D>) {
    for (largest, now) in largest.iter_mut().zip(now) {
        if now.abs() > *largest {
            *largest = now.abs();
        }
    }
}
