//! Checks of parameters and limits.

use super::error::ControlError;
use crate::linalg::written_out::for_each;
use crate::linalg::{Matrix, Vector};
use crate::scalar::Float;

/// Refuses a number that is not finite and positive.
pub(crate) fn positive<T: Float>(what: &'static str, given: T) -> Result<T, ControlError<T>> {
    if given > T::zero() && given.is_finite() { Ok(given) } else { Err(ControlError::NotPositive { what, given }) }
}

/// Refuses a number that is not finite or is negative.
pub(crate) fn not_negative<T: Float>(what: &'static str, given: T) -> Result<T, ControlError<T>> {
    if given >= T::zero() && given.is_finite() { Ok(given) } else { Err(ControlError::NotPositive { what, given }) }
}

/// Refuses a number that is not from `smallest` to `largest`, or is NaN.
pub(crate) fn between<T: Float>(what: &'static str, given: T, smallest: T, largest: T) -> Result<T, ControlError<T>> {
    if given >= smallest && given <= largest {
        Ok(given)
    } else {
        Err(ControlError::OutOfRange { what, given, smallest, largest })
    }
}

/// Refuses numbers that are not finite.
#[inline]
pub(crate) fn finite<T: Float, const D: usize>(
    what: &'static str,
    numbers: &Vector<T, D>,
    tick: u64,
) -> Result<(), ControlError<T>> {
    // Fast accept: zero times NaN or infinity is NaN.
    let mut probe = T::zero();
    for_each!(I < D => { probe += numbers.data.0[0][I] * T::zero(); });
    if probe == T::zero() {
        return Ok(());
    }
    let index = numbers.data.0[0].iter().position(|number| !number.is_finite()).unwrap_or(0);
    Err(ControlError::NonFinite { tick, what, index })
}

/// The row and the column of the first entry that is NaN or infinite.
pub(super) fn not_finite<T: Float, const R: usize, const C: usize>(matrix: &Matrix<T, R, C>) -> Option<[usize; 2]> {
    for row in 0..R {
        let is_wrong = |entries: &[T; R]| entries.get(row).is_some_and(|entry| !entry.is_finite());
        if let Some(column) = matrix.data.0.iter().position(is_wrong) {
            return Some([row, column]);
        }
    }
    None
}

/// The first of some numbers that is NaN or infinite, or so large that the sum of `count` such squares overflows.
pub(super) fn too_large<T: Float, const D: usize>(numbers: &Vector<T, D>, count: usize) -> Option<usize> {
    let count = T::from_ticks(count as u64);
    numbers.data.0[0].iter().position(|number| !(*number * *number * count).is_finite())
}

/// Refuses the first of the first `L` numbers whose magnitude is above its limit, or that is NaN.
#[inline(always)]
pub(crate) fn within<T: Float, E, const D: usize, const L: usize>(
    numbers: &[T; D],
    limits: &[T; L],
    error: impl Fn(usize, T, T) -> E,
) -> Result<(), E> {
    const { assert!(L <= D, "a number for each limit") };
    for_each!(I < L => {
        if !(numbers[I].abs() <= limits[I]) {
            return Err(error(I, numbers[I], limits[I]));
        }
    });
    Ok(())
}
