//! Checks of parameters and limits.

use super::error::ControlError;
use crate::linalg::Vector;
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
    match numbers.data.0[0].iter().position(|number| !number.is_finite()) {
        Some(index) => Err(ControlError::NonFinite { tick, what, index }),
        None => Ok(()),
    }
}

/// Refuses the first number whose magnitude is above its limit, or that is NaN.
#[inline(always)]
pub(crate) fn within<T: Float, E>(
    numbers: &[T],
    limits: impl IntoIterator<Item = T>,
    error: impl Fn(usize, T, T) -> E,
) -> Result<(), E> {
    for (index, (number, limit)) in numbers.iter().zip(limits).enumerate() {
        if !(number.abs() <= limit) {
            return Err(error(index, *number, limit));
        }
    }
    Ok(())
}
