//! A polynomial between two motions, in unit time.
//!
//! With `COUNT` = 2 n coefficients it takes over n derivatives at either end, the position counted:
//!
//! ```text
//!     x(τ) = Σ c_k τᵏ + τⁿ R(τ),    c_k = x⁽ᵏ⁾(0)/k!,    k < n
//!     R = Σ ρ_k (τ − 1)ᵏ,           ρ = (what the first sum lacks at τ = 1) · τ⁻ⁿ, expanded about 1 up to the power n − 1
//! ```
//!
//! Near τ = 1 the powers of τ cancel: nine-degree coefficients of 540 leave 1e-4 of the distance as round-off in `f32`. So the
//! polynomial is kept twice, in powers of τ for the first half and of 1 − τ for the second.

use super::error::{TrajectoryError, finite};
use super::motion::Motion;
use crate::linalg::Vector;
use crate::linalg::written_out::for_each;
use crate::scalar::{Float, Real};

/// Pascal's triangle, as far as the ninth degree needs it.
const BINOMIAL: [[u32; 10]; 10] = {
    let mut table = [[0; 10]; 10];
    let mut n = 0;
    while n < 10 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

fn binomial<T: Float>(n: usize, k: usize) -> T {
    // From whole numbers: one instruction, where a conversion from a double takes 19.
    T::from_ticks(u64::from(BINOMIAL.get(n).and_then(|row| row.get(k)).copied().unwrap_or(0)))
}

/// (−1)ⁿ x.
fn alternating<T: Float>(n: usize, x: T) -> T {
    if n.is_multiple_of(2) { x } else { -x }
}

/// The polynomial, from both of its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece<T, const D: usize, const COUNT: usize> {
    from_start: [Vector<T, D>; COUNT],
    from_end: [Vector<T, D>; COUNT],
}

impl<T: Float, const D: usize, const COUNT: usize> Piece<T, D, COUNT> {
    /// From one motion to another in a duration.
    pub(super) fn between(start: &Motion<T, D>, end: &Motion<T, D>, duration: T) -> Self {
        const { assert!(COUNT == 4 || COUNT == 6 || COUNT == 8 || COUNT == 10, "of degree 3, 5, 7 or 9") };
        let (start, end) = (scaled(start, duration), scaled(end, duration));
        let mut piece = Self { from_start: [Vector::zeros(); COUNT], from_end: [Vector::zeros(); COUNT] };
        for i in 0..D {
            let here = start.map(|x| x.data.0[0][i]);
            let there = end.map(|x| x.data.0[0][i]);
            let forwards: [T; COUNT] = coefficients(here, there);
            let backwards: [T; COUNT] = coefficients(reversed(there), reversed(here));
            for k in 0..COUNT {
                piece.from_start[k].data.0[0][i] = forwards[k];
                piece.from_end[k].data.0[0][i] = backwards[k];
            }
        }
        piece
    }

    /// Whether distances and velocities do not overflow in the coefficients, or on the way.
    pub(super) fn check(&self, what: &'static str) -> Result<(), TrajectoryError<T>> {
        for unit in [0.0, 0.25, 0.5, 0.75, 1.0].map(T::from_f64) {
            finite(what, &self.at(unit).data.0[0])?;
        }
        Ok(())
    }

    /// The position at τ in [0, 1].
    #[inline]
    pub(super) fn at<S: Real<Base = T>>(&self, unit: S) -> Vector<S, D> {
        let half = T::one() / (T::one() + T::one());
        let (coefficients, x) =
            if unit.value() <= half { (&self.from_start, unit) } else { (&self.from_end, -unit + T::one()) };
        horner(coefficients, x)
    }

    /// A bound on the norm of a derivative with respect to time, for one over the duration: against roundings in the bound and in
    /// the evaluation, a little larger.
    pub(super) fn largest(&self, derivative: usize, inverse: T) -> T {
        // A polynomial of degree COUNT − 1 has no more derivatives. This also bounds the loops.
        if derivative >= COUNT {
            return T::zero();
        }
        let mut bound = self.bound(derivative);
        for _ in 0..derivative {
            bound *= inverse;
        }
        bound + bound * T::EPSILON * T::from_f64(64.0)
    }

    /// A bound on the norm of a derivative with respect to τ, from the control points of the Bernstein form on sixteen parts: a
    /// polynomial stays within their convex hull. Above the true maximum by a percent or so.
    fn bound(&self, derivative: usize) -> T {
        let parts = 16;
        let width = T::one() / T::from_ticks(parts);
        let mut largest = T::zero();
        for part in 0..parts / 2 {
            for half in [&self.from_start, &self.from_end] {
                let mut c = *half;
                // Powers of the distance from the beginning of the part, in its own unit.
                let begin = T::from_ticks(part) * width;
                for first in 0..COUNT {
                    for k in (first..COUNT - 1).rev() {
                        let next = c[k + 1];
                        c[k] += next * begin;
                    }
                }
                let mut power = T::one();
                for k in 0..COUNT {
                    c[k] *= power;
                    power *= width;
                }
                let mut degree = COUNT - 1;
                for _ in 0..derivative {
                    for k in 0..COUNT - 1 {
                        c[k] = c[k + 1] * T::from_ticks(k as u64 + 1);
                    }
                    c[COUNT - 1] = Vector::zeros();
                    degree = degree.saturating_sub(1);
                }
                for j in 0..=degree {
                    let mut control = Vector::<T, D>::zeros();
                    for (k, coefficient) in c.iter().enumerate().take(j + 1) {
                        control += coefficient * (binomial::<T>(j, k) / binomial::<T>(degree, k));
                    }
                    let norm = control.dot(&control).sqrt();
                    if !(norm <= largest) {
                        largest = norm;
                    }
                }
            }
        }
        // From the unit of a part back to that of the piece.
        for _ in 0..derivative {
            largest *= T::from_ticks(parts);
        }
        largest
    }
}

/// τ = 1, exactly, with whatever `unit` carries besides its value.
#[inline]
pub(super) fn last<T: Float, S: Real<Base = T>>(unit: S) -> S {
    unit - S::from(unit.value()) + T::one()
}

/// x⁽ᵏ⁾ Tᵏ / k!.
fn scaled<T: Float, const D: usize>(motion: &Motion<T, D>, duration: T) -> [Vector<T, D>; 5] {
    let mut factor = T::one();
    core::array::from_fn(|k| {
        if k > 0 {
            factor *= duration / T::from_ticks(k as u64);
        }
        motion.derivative(k) * factor
    })
}

/// Seen from the end, time runs backwards and odd derivatives change sign.
fn reversed<T: Float>([x, v, a, j, s]: [T; 5]) -> [T; 5] {
    [x, -v, a, -j, s]
}

/// The coefficients of the polynomial with these Taylor coefficients at 0 and 1.
fn coefficients<T: Float, const COUNT: usize>(here: [T; 5], there: [T; 5]) -> [T; COUNT] {
    let n = COUNT / 2;
    let mut lacking = [T::zero(); 5];
    let mut rest = [T::zero(); 5];
    // Loops run to the size of the arrays, so that no index has to be checked.
    for k in 0..5 {
        // The position first: a short way far from the origin keeps its digits.
        let mut sum = there[k] - here[k];
        for i in k + 1..5 {
            if i < n {
                sum -= here[i] * binomial(i, k);
            }
        }
        lacking[k] = if k < n { sum } else { T::zero() };
    }
    for k in 0..5 {
        for i in 0..5 {
            if i <= k && k < n {
                rest[k] += alternating(k - i, lacking[i] * binomial(n - 1 + k - i, k - i));
            }
        }
    }
    core::array::from_fn(|j| {
        if j < n {
            return here.get(j).copied().unwrap_or_else(T::zero);
        }
        let mut sum = T::zero();
        for (k, rho) in rest.iter().enumerate().skip(j - n).take(n - (j - n)) {
            sum += alternating(k - (j - n), *rho * binomial(k, j - n));
        }
        sum
    })
}

/// Σ c_k xᵏ.
#[inline]
fn horner<S: Real, const D: usize, const COUNT: usize>(
    coefficients: &[Vector<S::Base, D>; COUNT],
    x: S,
) -> Vector<S, D> {
    let mut sums = [S::zero(); D];
    for_each!(I < D => {
        for coefficient in coefficients.iter().rev() {
            sums[I] = sums[I] * x + coefficient.data.0[0][I];
        }
    });
    Vector::from(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rest_to_rest_has_the_coefficients_of_the_literature() {
        let (start, end) = (Motion::at_rest([0.0_f64]), Motion::at_rest([1.0]));
        let of = |coefficients: &[Vector<f64, 1>]| coefficients.iter().map(|c| c[0]).collect::<std::vec::Vec<_>>();
        let cubic = Piece::<f64, 1, 4>::between(&start, &end, 3.0);
        assert_eq!(of(&cubic.from_start), [0.0, 0.0, 3.0, -2.0]);
        // Flash and Hogan (1985).
        let quintic = Piece::<f64, 1, 6>::between(&start, &end, 3.0);
        assert_eq!(of(&quintic.from_start), [0.0, 0.0, 0.0, 10.0, -15.0, 6.0]);
        let septic = Piece::<f64, 1, 8>::between(&start, &end, 3.0);
        assert_eq!(of(&septic.from_start), [0.0, 0.0, 0.0, 0.0, 35.0, -84.0, 70.0, -20.0]);
        let nonic = Piece::<f64, 1, 10>::between(&start, &end, 3.0);
        assert_eq!(of(&nonic.from_start), [0.0, 0.0, 0.0, 0.0, 0.0, 126.0, -420.0, 540.0, -315.0, 70.0]);
        assert_eq!(of(&nonic.from_end), [1.0, 0.0, 0.0, 0.0, 0.0, -126.0, 420.0, -540.0, 315.0, -70.0]);
    }

    #[test]
    fn bounds_are_above_the_maxima_and_close() {
        // c₅: velocity 15/8 at 1/2, acceleration 10/√3, jerk 60 at the ends; c₃: velocity 3/2, acceleration 6.
        let (start, end) = (Motion::at_rest([0.0_f64]), Motion::at_rest([1.0]));
        let quintic = Piece::<f64, 1, 6>::between(&start, &end, 1.0);
        let cubic = Piece::<f64, 1, 4>::between(&start, &end, 1.0);
        let cases = [
            (quintic.bound(1), 1.875),
            (quintic.bound(2), 10.0 / 3.0_f64.sqrt()),
            (quintic.bound(3), 60.0),
            (cubic.bound(1), 1.5),
            (cubic.bound(2), 6.0),
            (cubic.bound(3), 12.0),
            (Piece::<f64, 1, 10>::between(&start, &end, 1.0).bound(0), 1.0),
            // c₉' = 630 τ⁴ (1 − τ)⁴.
            (Piece::<f64, 1, 10>::between(&start, &end, 1.0).bound(1), 630.0 / 256.0),
        ];
        for (bound, maximum) in cases {
            assert!(bound >= maximum * (1.0 - 1e-15) && bound < maximum * 1.02, "{bound} {maximum}");
        }
    }
}
