//! The way back from what was saved.

use super::begin::{Start, all_finite};
use super::error::{Part, StartError};
use super::precision::{Carried, Coordinates, Precision};
use super::saved::Saved;
use super::state::{Clock, Node, State, strictness};
use crate::linalg::{Ldlt, Semidefinite, SymmetricFactors, Vector};
use crate::scalar::Float;
use crate::system::Mechanical;

/// What was saved, on its way to a state; made by [`Start::restore`].
#[derive(Clone, Copy, Debug)]
pub struct Restore<'a, System, T: Float, const N: usize, const M: usize, F, P: Precision> {
    pub(super) start: Start<'a, System, T, N, M, F, P>,
    pub(super) saved: Saved<T, N, M, P>,
}

impl<'a, System, T, const N: usize, const M: usize, P> Restore<'a, System, T, N, M, Ldlt<T, M>, P>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    P: Precision,
{
    /// For constraints that may depend on each other, as [`Start::redundant`].
    pub fn redundant(self) -> Restore<'a, System, T, N, M, Semidefinite<T, M>, P> {
        Restore { start: self.start.redundant(), saved: self.saved }
    }
}

impl<System, T, const N: usize, const M: usize, F, P> Restore<'_, System, T, N, M, F, P>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    /// The state as it was saved, to the last bit, so that the run goes on as if it had not been interrupted; an error if it is
    /// not on the constraints, or is not what a state can have been. `h` is the step of the method that will go on, for the
    /// model's time. An example is at [`Start::unchanged`].
    ///
    /// The velocity has to be consistent up to the limit of the state. That of implicit Euler on the position level without
    /// projection is off by O(h): such a state needs a limit that allows it from the start.
    pub fn unchanged(self, h: T) -> Result<State<T, N, M, F, P>, StartError<T>> {
        let Self { start, saved } = self;
        let Saved { q, v, leftover, multipliers, next_multipliers_weight, limits, turns, .. } = saved;
        let state = start.unchanged(h)?;
        normalised(Part::Position, &q)?;
        normalised(Part::Velocity, &v)?;
        all_finite(&multipliers)?;
        let is_limit = |limit: T| limit > T::zero() && limit.is_finite();
        if let Some(index) = limits.iter().position(|limit| !is_limit(*limit)) {
            return Err(StartError::Corrupted { part: Part::Limits, index });
        }
        let left = leftover.kept();
        if let Some(index) = (0..M).find(|row| !(left[*row].abs() <= limits[*row])) {
            return Err(StartError::Corrupted { part: Part::Leftover, index });
        }
        let weights = [T::zero(), T::from_f64(0.5)];
        if !weights.contains(&next_multipliers_weight) {
            return Err(StartError::Corrupted { part: Part::Weight, index: 0 });
        }
        let node = Node { leftover, ..state.node };
        let strictness = strictness(&limits);
        let clock = Clock { next_multipliers_weight, ..state.clock };
        Ok(State { node, clock, multipliers, limits, strictness, turns: turns.into(), ..state })
    }
}

/// Refuses a low part above the last digit of the high one.
fn normalised<T: Float, const N: usize, P: Precision>(
    part: Part,
    coordinates: &Coordinates<T, N, P>,
) -> Result<(), StartError<T>> {
    let (high, low): (&Vector<T, N>, Vector<T, N>) = (coordinates.rounded(), coordinates.low.kept());
    let is_below = |i: usize| low[i].abs() <= high[i].abs() * (T::EPSILON + T::EPSILON);
    match (0..N).find(|i| !is_below(*i)) {
        Some(index) => Err(StartError::Corrupted { part, index }),
        None => Ok(()),
    }
}
