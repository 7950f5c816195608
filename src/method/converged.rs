//! Judges whether Newton's iterations have solved the equations of an implicit method.
//!
//! Residuals do not see every unknown: in y₁ = y₀ + h f(y₁, z₁) that of z is multiplied by h, and so is that of the velocity in
//! q₁ = q₀ + h v₁. So implicit methods also judge the last correction of the unknown itself. RATTLE, its compositions, symplectic Euler
//! and the projections need no such check: their only unknown is the shift along the gradients, and the residual at the end divided by
//! the gradient is the distance by which it is wrong.

use super::error::StepError;
use crate::linalg::{Matrix, Vector, magnitude, product};
use crate::project::{Level, Residual, within, within_times};
use crate::scalar::Float;

/// Refuses differential equations that Newton has not solved. The constraints do not see all coordinates, so their residuals are not
/// enough.
#[inline(always)]
pub(super) fn balanced<T: Float, const N: usize>(
    residuals: &Vector<T, N>,
    limit: T,
    tick: u64,
) -> Result<(), StepError<T>> {
    solved(Level::Equation, residuals, &Vector::repeat(limit), tick)
}

/// Refuses equations that Newton has not solved: a residual above its limit.
#[inline(always)]
pub(crate) fn solved<T: Float, const M: usize>(
    level: Level,
    residuals: &Vector<T, M>,
    limits: &Vector<T, M>,
    tick: u64,
) -> Result<(), StepError<T>> {
    within(level, residuals, limits).map_err(|residual| StepError::NotConverged { tick, residual })
}

/// Refuses unknowns x that Newton is still moving: a last correction above ⁴√ε (1 + |x|). `before` is the number of unknowns before x.
///
/// Newton converges quadratically: relative to 1 + |x|, a last correction δ leaves an error of about δ². So ⁴√ε leaves √ε, the default
/// limit of all residuals.
#[inline(always)]
pub(crate) fn last_correction<T: Float, const N: usize>(
    correction: &Vector<T, N>,
    x: &Vector<T, N>,
    before: usize,
    tick: u64,
) -> Result<(), StepError<T>> {
    corrected_within(correction, T::FOURTH_ROOT_EPSILON * (T::one() + magnitude(x)), before, tick)
}

/// The same for a matrix that is frozen over the step: the iterations converge linearly, and a last correction δ leaves an error of about
/// δ. So its limit is √ε (1 + |x|). It is also the judgement of the residual, which this matrix has turned into δ.
#[inline(always)]
pub(super) fn last_frozen_correction<T: Float, const N: usize>(
    correction: &Vector<T, N>,
    x: &Vector<T, N>,
    before: usize,
    tick: u64,
) -> Result<(), StepError<T>> {
    corrected_within(correction, T::ROOT_EPSILON * (T::one() + magnitude(x)), before, tick)
}

/// The same for the velocities of index 3, with round-off: positions are known to ε (1 + |q|), velocities to that divided by h. Given the
/// velocities, the multipliers follow from linear equations. `displacement` is h times the last correction.
#[inline(always)]
pub(super) fn last_displacement<T: Float, const N: usize, const Q: usize>(
    displacement: &Vector<T, N>,
    v: &Vector<T, N>,
    q: &Vector<T, Q>,
    h: T,
    tick: u64,
) -> Result<(), StepError<T>> {
    let sum = |numbers: &Vector<T, N>| numbers.iter().fold(T::zero(), |sum, x| sum + x.abs());
    // Fast accept: the mean of |v| instead of the largest, and |q| = 0.
    let speed = T::one() + sum(v) * T::from_f64(1.0 / N as f64);
    if sum(displacement) <= T::FOURTH_ROOT_EPSILON * h * speed + T::EPSILON * T::from_f64(ROUNDINGS) {
        Ok(())
    } else {
        last_velocity_correction(*displacement / h, *v, *q, h, tick)
    }
}

/// By value: references would force the numbers into memory in a step that succeeds.
#[cold]
fn last_velocity_correction<T: Float, const N: usize, const Q: usize>(
    correction: Vector<T, N>,
    v: Vector<T, N>,
    q: Vector<T, Q>,
    h: T,
    tick: u64,
) -> Result<(), StepError<T>> {
    let round_off = T::EPSILON * T::from_f64(ROUNDINGS) * (T::one() + magnitude(&q)) / h;
    corrected_within(&correction, T::FOURTH_ROOT_EPSILON * (T::one() + magnitude(&v)) + round_off, 0, tick)
}

/// The judgement of a last correction of variables that index 2 multiplies by h, with round-off, which no iteration can reduce: a
/// correction is accepted if it changes the equations by no more than their round-off. `limits`, those of the residuals, are √ε times the
/// size of the equations.
///
/// `first_matrix` is that of the **first** iteration, and `unit` its factor. The last one may vanish where there is no solution.
pub(super) fn or_round_off<T: Float, const N: usize>(
    judged: Result<(), StepError<T>>,
    correction: &Vector<T, N>,
    (first_matrix, unit): (&Option<Matrix<T, N, N>>, T),
    limits: &Vector<T, N>,
) -> Result<(), StepError<T>> {
    let is_round_off = |matrix: &Matrix<T, N, N>| {
        let change = product(matrix, correction) * unit;
        within_times(Level::Correction, &change, limits, T::ROOT_EPSILON * T::from_f64(ROUNDINGS)).is_ok()
    };
    match judged {
        Err(_) if first_matrix.as_ref().is_some_and(is_round_off) => Ok(()),
        result => result,
    }
}

/// How many roundings of size ε an equation may have.
pub(super) const ROUNDINGS: f64 = 16.0;

#[inline(always)]
fn corrected_within<T: Float, const N: usize>(
    correction: &Vector<T, N>,
    limit: T,
    before: usize,
    tick: u64,
) -> Result<(), StepError<T>> {
    within(Level::Correction, correction, &Vector::repeat(limit)).map_err(|residual| StepError::NotConverged {
        tick,
        residual: Residual { row: before + residual.row, ..residual },
    })
}
