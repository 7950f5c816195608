//! Refuses results that are NaN or infinite, and names the first one.

use super::ending::Ending;
use super::error::StepError;
use crate::linalg::written_out::for_each;
use crate::linalg::{Vector, sum_of_products};
use crate::project::Level;
use crate::scalar::Float;
use crate::start::Precision;

/// Fast accept: a finite sum has only finite terms. `false` means: ask [`is_finite`], because the products of large numbers overflow.
#[inline(always)]
pub(super) fn is_surely_finite<T: Float, const N: usize, const M: usize, P: Precision>(
    ending: &Ending<T, N, M, P>,
) -> bool {
    let ([q], [v]) = (&ending.q.rounded().data.0, &ending.v.rounded().data.0);
    let ([first], [second]) = (&ending.first_half.data.0, &ending.second_half.data.0);
    let sum = sum_of_products::<T, N>(|i| (q[i], v[i]))
        + sum_of_products::<T, M>(|row| (first[row], first[row]))
        + sum_of_products::<T, M>(|row| (second[row], second[row]));
    sum.is_finite()
}

/// Whether all positions, velocities and multipliers are finite. If not, [`not_finite`] says which is not.
///
/// Twice a multiplier must be finite, too: the report has the mean of two, computed from their difference. `skips_first` says that the
/// first multipliers have been checked.
#[inline(always)]
pub(super) fn is_finite<T: Float, const N: usize, const M: usize, P: Precision>(
    ending: &Ending<T, N, M, P>,
    skips_first: bool,
) -> bool {
    let (q, v) = (ending.q.rounded(), ending.v.rounded());
    // The product is zero if all factors are finite, else NaN.
    let mut probe = T::zero();
    for_each!(I < N => { probe = probe * v.data.0[0][I] * q.data.0[0][I]; });
    for_each!(ROW < M => {
        let (first, second) = (ending.first_half.data.0[0][ROW], ending.second_half.data.0[0][ROW]);
        let first = if skips_first { T::one() } else { first };
        probe = probe * (first + first) * (second + second);
    });
    probe == T::zero()
}

/// Refuses the end of a step with a position, a velocity or a multiplier that is NaN or infinite.
#[inline(always)]
pub(super) fn finite<T: Float, const N: usize, const M: usize, P: Precision>(
    ending: &Ending<T, N, M, P>,
    tick: u64,
) -> Result<(), StepError<T>> {
    if is_finite(ending, false) { Ok(()) } else { Err(not_finite(ending, tick)) }
}

/// Refuses numbers that are NaN or infinite.
#[inline(always)]
pub(super) fn finite_numbers<'a, T: Float>(
    level: Level,
    numbers: impl IntoIterator<Item = &'a T>,
    tick: u64,
) -> Result<(), StepError<T>> {
    match numbers.into_iter().position(|x| !x.is_finite()) {
        Some(index) => Err(StepError::NonFinite { tick, level, index }),
        None => Ok(()),
    }
}

/// Names the first number that is not finite.
#[inline(always)]
pub(super) fn not_finite<T: Float, const N: usize, const M: usize, P: Precision>(
    ending: &Ending<T, N, M, P>,
    tick: u64,
) -> StepError<T> {
    first_not_finite(*ending.q.rounded(), *ending.v.rounded(), [ending.first_half, ending.second_half], tick)
}

/// By value: references would force the numbers into memory in a step that succeeds.
#[cold]
fn first_not_finite<T: Float, const N: usize, const M: usize>(
    q: Vector<T, N>,
    v: Vector<T, N>,
    multipliers: [Vector<T, M>; 2],
    tick: u64,
) -> StepError<T> {
    let first = |numbers: &[T]| numbers.iter().position(|x| !x.is_finite());
    let (level, index) = if let Some(index) = first(q.as_slice()) {
        (Level::Position, index)
    } else if let Some(index) = first(v.as_slice()) {
        (Level::Velocity, index)
    } else {
        let [first, second] = multipliers.map(|multipliers| multipliers + multipliers);
        let row = first.iter().zip(&second).position(|(first, second)| !(first.is_finite() && second.is_finite()));
        (Level::Multiplier, row.unwrap_or(0))
    };
    StepError::NonFinite { tick, level, index }
}

/// `NonFinite` if a position is not finite, else `error`.
#[cold]
pub(super) fn finite_or<T: Float, const N: usize>(error: StepError<T>, q: Vector<T, N>, tick: u64) -> StepError<T> {
    match q.iter().position(|x| !x.is_finite()) {
        Some(index) => StepError::NonFinite { tick, level: Level::Position, index },
        None => error,
    }
}

/// `NonFinite` if a position or a force is not finite, else `error`.
#[cold]
pub(super) fn solvable_or<T: Float, const N: usize>(
    error: StepError<T>,
    positions: Vector<T, N>,
    forces: Vector<T, N>,
    tick: u64,
) -> StepError<T> {
    let error = finite_numbers(Level::Velocity, &forces, tick).err().unwrap_or(error);
    finite_or(error, positions, tick)
}
