//! What of a state has to survive: everything that cannot be computed again.

use super::precision::{Compensated, Coordinates, Precision};
use crate::linalg::Vector;
use crate::scalar::Float;

/// The positions, velocities and time of a state, for flash memory or a log.
///
/// Made by [`State::save`](super::State::save); [`Start::restore`](super::Start::restore) checks it and makes a state of it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: Float + serde::Serialize, P::Low<T, N>: serde::Serialize, P::Leftover<T, M>: serde::Serialize",
        deserialize = "T: Float + serde::Deserialize<'de>, P::Low<T, N>: serde::Deserialize<'de>, P::Leftover<T, M>: serde::Deserialize<'de>"
    ))
)]
pub struct Saved<T: Float, const N: usize, const M: usize, P: Precision = Compensated> {
    /// The positions.
    pub q: Coordinates<T, N, P>,
    /// The velocities.
    pub v: Coordinates<T, N, P>,
    /// What the last step has left of the constraints, where the precision asks for it.
    pub leftover: P::Leftover<T, M>,
    /// The multipliers of the last step, and what those of the next one count at this node.
    pub multipliers: Vector<T, M>,
    /// See `multipliers`.
    pub next_multipliers_weight: T,
    /// What the residual of each position constraint may be.
    pub limits: Vector<T, M>,
    /// Whole turns taken off the coordinates that are angles.
    pub turns: Vector<i32, N>,
    /// The tick.
    pub tick: u64,
    /// The tick from which the model's time counts.
    pub epoch: u64,
    /// The model's time at the epoch.
    pub origin: T,
    /// The ticks after which the model's time begins anew; the largest number for never.
    pub period: u64,
    /// How far off a constraint, in the units of the coordinates, is an error.
    pub limit: T,
}
