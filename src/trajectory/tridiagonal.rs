//! The velocities and accelerations at the waypoints of a spline for which higher derivatives do not jump.
//!
//! With Δ the way and h the duration of a piece, from (v₀, a₀) to (v₁, a₁):
//!
//! ```text
//!     third degree   x''(0) = (6Δ − 4h v₀ − 2h v₁)/h²,   x''(1) = (−6Δ + 2h v₀ + 4h v₁)/h²
//!     fifth degree   x'''(0) = (60Δ − 36h v₀ − 24h v₁ − 9h² a₀ + 3h² a₁)/h³
//!                    x''''(0) = (−360Δ + 192h v₀ + 168h v₁ + 36h² a₀ − 24h² a₁)/h⁴
//! ```
//!
//! and at the other end by reversing time. Equal values from both sides at every waypoint make a (block) tridiagonal system.
//! It is that of the least integral of the acceleration (jerk) squared, so it is positive definite, and elimination needs no
//! exchanges.

use heapless::Vec;

use super::motion::Motion;
use crate::linalg::{Matrix, Vector, product_of};
use crate::scalar::Float;

/// Fills in the velocities between the first and the last.
pub(super) fn accelerations_continuous<T: Float, const D: usize, const N: usize>(
    motions: &mut Vec<Motion<T, D>, N>,
    durations: &Vec<T, N>,
) {
    let Some(first) = motions.first() else { return };
    // What elimination leaves of each row: v_i = rest_i − gain_i v_i₊₁.
    let mut rows = Vec::<(Vector<T, D>, T), N>::new();
    let (mut rest, mut gain) = (first.velocity, T::zero());
    let _ = rows.push((rest, gain));
    let (two, three) = (T::from_f64(2.0), T::from_f64(3.0));
    for (points, spans) in motions.windows(3).zip(durations.windows(2)) {
        let ([before, here, after], [a, b]) = (points, spans) else { return };
        // b v_i₋₁ + 2 (a + b) v_i + a v_i₊₁ = 3 (b Δ_a/a + a Δ_b/b), divided by a + b against overflow.
        let (weight_before, weight_after) = (*b / (*a + *b), *a / (*a + *b));
        let slopes = (here.position - before.position) * (weight_before / *a)
            + (after.position - here.position) * (weight_after / *b);
        let pivot = two - weight_before * gain;
        rest = (slopes * three - rest * weight_before) / pivot;
        gain = weight_after / pivot;
        let _ = rows.push((rest, gain));
    }
    let mut next = motions.last().map_or_else(Vector::zeros, |motion| motion.velocity);
    let count = motions.len();
    for i in (1..count.saturating_sub(1)).rev() {
        let (Some(motion), Some((rest, gain))) = (motions.get_mut(i), rows.get(i)) else { return };
        next = rest - next * *gain;
        motion.velocity = next;
    }
}

/// Fills in the velocities and accelerations between the first and the last.
pub(super) fn snaps_continuous<T: Float, const D: usize, const N: usize>(
    motions: &mut Vec<Motion<T, D>, N>,
    durations: &Vec<T, N>,
) {
    let count = motions.len();
    // In units of the mean duration, so that fourth powers do not overflow.
    let total = durations.iter().fold(T::zero(), |sum, duration| sum + *duration);
    let unit = if count > 1 { total / T::from_ticks(count as u64 - 1) } else { T::one() };
    for motion in motions.iter_mut() {
        motion.velocity *= unit;
        motion.acceleration *= unit * unit;
    }
    let c = T::from_f64;
    let Some(first) = motions.first() else { return };
    // Rows are (v, a): (v, a)_i = rest_i − gain_i (v, a)_i₊₁.
    let mut rows = Vec::<(Matrix<T, D, 2>, Matrix<T, 2, 2>), N>::new();
    let mut rest = pair(first);
    let mut gain = Matrix::<T, 2, 2>::zeros();
    let _ = rows.push((rest, gain));
    for (points, spans) in motions.windows(3).zip(durations.windows(2)) {
        let ([before, here, after], [a, b]) = (points, spans) else { return };
        let (p, q) = (unit / *a, unit / *b);
        let (p2, q2) = (p * p, q * q);
        let (way_a, way_b) = (here.position - before.position, after.position - here.position);
        // Snap, then jerk: symmetric in this order.
        let lower = Matrix::<T, 2, 2>::new(c(168.0) * p2 * p, c(24.0) * p2, c(-24.0) * p2, c(-3.0) * p);
        let upper = Matrix::<T, 2, 2>::new(c(168.0) * q2 * q, c(-24.0) * q2, c(24.0) * q2, c(-3.0) * q);
        let mixed = c(36.0) * (q2 - p2);
        let diagonal = Matrix::<T, 2, 2>::new(c(192.0) * (p2 * p + q2 * q), mixed, mixed, c(9.0) * (p + q));
        let snap = (way_b * (q2 * q2) + way_a * (p2 * p2)) * c(360.0);
        let jerk = (way_b * (q2 * q) - way_a * (p2 * p)) * c(60.0);
        let inverse = inverted(&(diagonal - lower * gain));
        rest = applied(&inverse, &(Matrix::from_columns(&[snap, jerk]) - applied(&lower, &rest)));
        gain = inverse * upper;
        let _ = rows.push((rest, gain));
    }
    let mut next = motions.last().map_or_else(Matrix::zeros, pair);
    for i in (1..count.saturating_sub(1)).rev() {
        let (Some(motion), Some((rest, gain))) = (motions.get_mut(i), rows.get(i)) else { return };
        next = rest - applied(gain, &next);
        [motion.velocity, motion.acceleration] = next.data.0.map(Vector::from);
    }
    for motion in motions.iter_mut() {
        motion.velocity /= unit;
        motion.acceleration /= unit * unit;
    }
}

/// Velocity and acceleration at a waypoint, as columns.
fn pair<T: Float, const D: usize>(motion: &Motion<T, D>) -> Matrix<T, D, 2> {
    Matrix::from_columns(&[motion.velocity, motion.acceleration])
}

/// M applied to the velocity and the acceleration of each coordinate.
fn applied<T: Float, const D: usize>(m: &Matrix<T, 2, 2>, pair: &Matrix<T, D, 2>) -> Matrix<T, D, 2> {
    product_of(pair, &m.transpose())
}

/// The inverse of a matrix with a determinant.
fn inverted<T: Float>(m: &Matrix<T, 2, 2>) -> Matrix<T, 2, 2> {
    let [[a, c], [b, d]] = m.data.0;
    let determinant = a * d - b * c;
    Matrix::<T, 2, 2>::new(d / determinant, -b / determinant, -c / determinant, a / determinant)
}
