//! Elementary functions of the double-float.
//!
//! Sine, cosine and the exponential reduce their argument with a three-part constant and sum a Taylor series in
//! double-float arithmetic; the inverse functions correct the float's result by one Newton step. Errors over `f32`,
//! measured by the tests below:
//!
//! | function | error at most | where |
//! |---|---|---|
//! | sin, cos | 2⁻⁴⁴ absolute | x up to 1000; beyond 2²² only that of the float, about 2⁻²³ |
//! | tan | 2⁻⁴³ relative | away from the poles |
//! | asin, acos, atan2 | 2⁻⁴³ relative to the larger of 1 and the result | everywhere |
//! | exp | 2⁻⁴³ relative | result above 2⁻¹⁰⁰, below which the low part has no room |
//! | ln | 2⁻⁴³ relative to the larger of 1 and the result | x a normal number |
//! | powi | 2⁻⁴⁵ for each multiplication | |
//!
//! A sine and cosine together cost about a thousand float operations.

use super::double::DoubleFloat;
use super::real::{Float, Real};

impl<T: Float> Real for DoubleFloat<T> {
    type Base = T;

    #[inline]
    fn value(self) -> T {
        self.high()
    }

    /// One Newton step from the rounded root: s + (x − s²)/(2 s).
    #[inline]
    fn sqrt(self) -> Self {
        let root = self.high().sqrt();
        if root == T::zero() {
            return Self::from(root);
        }
        let square = Self::from_product(root, root);
        let remainder = ((self.high() - square.high()) - square.low()) + self.low();
        Self::normalised(root, remainder / (root + root))
    }

    fn sin_cos(self) -> (Self, Self) {
        let reach = T::DOUBLE.reduction_reach;
        if self.high().abs() <= reach {
            sin_cos_reduced(self)
        } else {
            // No digit beyond the float's is left; the low part turns the high part's angle.
            let (sin, cos) = self.high().sin_cos();
            let (low_sin, low_cos) = self.low().sin_cos();
            (Self::from(sin * low_cos + cos * low_sin), Self::from(cos * low_cos - sin * low_sin))
        }
    }

    fn tan(self) -> Self {
        let (sin, cos) = self.sin_cos();
        sin / cos
    }

    fn asin(self) -> Self {
        self.atan2(complement(self))
    }

    fn acos(self) -> Self {
        complement(self).atan2(self)
    }

    fn atan2(self, x: Self) -> Self {
        let y = self;
        let angle = y.high().atan2(x.high());
        let axis = y.high() == T::zero() && x.high() == T::zero();
        if axis || !y.high().is_finite() || !x.high().is_finite() {
            return Self::from(angle);
        }
        // Turned back by the float's angle, the point lies within 2⁻²² of the axis: the rest is the tangent itself.
        let (sin, cos) = Self::from(angle).sin_cos();
        (y * cos - x * sin) / (x * cos + y * sin) + angle
    }

    fn exp(self) -> Self {
        let rounded = self.high().exp();
        // Where the float's result is zero, subnormal, infinite or NaN there are no digits to add.
        if !(rounded >= T::MIN_POSITIVE && rounded.is_finite()) {
            return Self::from(rounded);
        }
        let turns = (self.high() * T::DOUBLE.inverse_ln_2).round();
        let rest = remove_multiple(self, turns, &T::DOUBLE.ln_2);
        let series = taylor(T::DOUBLE.exponential_degree, 1, rest, false);
        // In two factors, each of which is a normal number.
        let exponent = turns.to_f64() as i32;
        let half = exponent / 2;
        series * T::power_of_two(half) * T::power_of_two(exponent - half)
    }

    fn ln(self) -> Self {
        let rounded = self.high().ln();
        if !rounded.is_finite() {
            return Self::from(rounded);
        }
        // ln x = y + ln(x e⁻ʸ), the last logarithm by its series to second order.
        let rest = self * Self::from(-rounded).exp() - T::one();
        rest - rest * rest * T::from_f64(0.5) + rounded
    }

    #[inline]
    fn abs(self) -> Self {
        if T::one().copysign(self.high()) < T::zero() { -self } else { self }
    }
}

/// √(1 − x²), without cancellation near ±1.
fn complement<T: Float>(x: DoubleFloat<T>) -> DoubleFloat<T> {
    super::dual::one_minus_square(x).sqrt()
}

/// x − k c for a constant c in three parts: exact products, and the largest cancels first.
fn remove_multiple<T: Float>(x: DoubleFloat<T>, k: T, c: &[T; 3]) -> DoubleFloat<T> {
    x - DoubleFloat::from_product(k, c[0]) - DoubleFloat::from_product(k, c[1]) - DoubleFloat::from_product(k, c[2])
}

/// Σ xʲ/n! over n = degree, degree − stride, …, with j counting from zero, by Horner's rule; signs alternate for the
/// circular functions.
fn taylor<T: Float>(degree: usize, stride: usize, x: DoubleFloat<T>, alternating: bool) -> DoubleFloat<T> {
    let table = T::DOUBLE.inverse_factorials;
    let mut sum = DoubleFloat::from(T::zero());
    for &[high, low] in table.iter().take(degree + 1).rev().step_by(stride) {
        let term = DoubleFloat { high, low };
        sum = if alternating { term - sum * x } else { term + sum * x };
    }
    sum
}

/// Sine and cosine of an angle within reach of the three-part π/2.
fn sin_cos_reduced<T: Float>(x: DoubleFloat<T>) -> (DoubleFloat<T>, DoubleFloat<T>) {
    let half_pi = &T::DOUBLE.half_pi;
    let k = (x.high() / half_pi[0]).round();
    let r = remove_multiple(x, k, half_pi);
    let square = r * r;
    let degree = T::DOUBLE.circular_degree;
    let sin = taylor(degree - 1, 2, square, true) * r;
    let cos = taylor(degree, 2, square, true);
    match (k.to_f64() as i64) & 3 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Largest error of a function over a range of double-floats, judged in `f64` and divided by `unit(exact)`.
    fn worst(
        range: core::ops::Range<f64>,
        function: impl Fn(DoubleFloat<f32>) -> DoubleFloat<f32>,
        exact: impl Fn(f64) -> f64,
        unit: impl Fn(f64) -> f64,
    ) -> f64 {
        let mut worst = 0.0_f64;
        for i in 0..20_000 {
            let x = range.start + (range.end - range.start) * (f64::from(i) + 0.5) / 20_000.0;
            let x = DoubleFloat::from_sum(x as f32, (x - f64::from(x as f32)) as f32);
            let expected = exact(x.to_f64());
            let error = (function(x).to_f64() - expected).abs() / unit(expected);
            assert!(error.is_finite(), "at {x:?}");
            worst = worst.max(error);
        }
        worst
    }

    const ABSOLUTE: fn(f64) -> f64 = |_| 1.0;
    const RELATIVE: fn(f64) -> f64 = |y| y.abs();
    const MIXED: fn(f64) -> f64 = |y| y.abs().max(1.0);

    fn two_to_the_minus(n: i32) -> f64 {
        f64::power_of_two(-n)
    }

    #[test]
    fn sine_and_cosine() {
        for range in [-1.0..1.0, -30.0..30.0, -1000.0..1000.0] {
            assert!(worst(range.clone(), |x| x.sin(), libm::sin, ABSOLUTE) <= two_to_the_minus(44));
            assert!(worst(range, |x| x.cos(), libm::cos, ABSOLUTE) <= two_to_the_minus(44));
        }
        // Near a zero the error is relative: the reduction keeps its digits.
        assert!(worst(3.1..3.2, |x| x.sin(), libm::sin, RELATIVE) <= two_to_the_minus(43));
        assert!(worst(-1.4..1.4, |x| x.tan(), libm::tan, RELATIVE) <= two_to_the_minus(43));
        // Beyond the reach of the reduction: the float's accuracy.
        assert!(worst(5e6..1e7, |x| x.sin(), libm::sin, ABSOLUTE) <= two_to_the_minus(21));
    }

    #[test]
    fn inverse_circular_functions() {
        assert!(worst(-1.0..1.0, |x| x.asin(), libm::asin, MIXED) <= two_to_the_minus(43));
        assert!(worst(-1.0..1.0, |x| x.acos(), libm::acos, MIXED) <= two_to_the_minus(43));
        for x in [-3.0, -1e-3, 0.0, 1e-3, 0.7, 5.0] {
            let function = |y: DoubleFloat<f32>| y.atan2(DoubleFloat::from(x as f32));
            let exact = |y: f64| libm::atan2(y, f64::from(x as f32));
            assert!(worst(-2.0..2.0, function, exact, MIXED) <= two_to_the_minus(43));
        }
    }

    #[test]
    fn exponential_and_logarithm() {
        assert!(worst(-69.0..88.7, |x| x.exp(), libm::exp, RELATIVE) <= two_to_the_minus(43));
        for range in [1e-30..1e-20, 0.01..3.0, 3.0..1e6, 1e20..1e30] {
            assert!(worst(range, |x| x.ln(), libm::log, MIXED) <= two_to_the_minus(43));
        }
    }

    #[test]
    fn special_values_are_those_of_the_float() {
        let double = DoubleFloat::from;
        assert_eq!(double(0.0_f32).exp().to_f64(), 1.0);
        assert_eq!(double(f32::INFINITY).exp().high(), f32::INFINITY);
        assert_eq!(double(f32::NEG_INFINITY).exp().high(), 0.0);
        assert_eq!(double(0.0_f32).ln().high(), f32::NEG_INFINITY);
        assert!(double(-1.0_f32).ln().high().is_nan());
        assert!(double(2.0_f32).asin().high().is_nan());
        assert_eq!(double(0.0_f32).atan2(double(0.0)).high(), 0.0);
        assert!(double(f32::NAN).sin().high().is_nan());
        assert!(double(f32::INFINITY).cos().high().is_nan());
        assert_eq!(double(-2.0_f32).abs().high(), 2.0);
    }

    #[test]
    fn pairs_of_doubles_reach_thirty_digits() {
        // Identities, because no wider arithmetic is at hand to judge.
        for i in 0..200 {
            let x = DoubleFloat::from_sum(0.1 * f64::from(i) - 10.0, 1e-18 * f64::from(i));
            let (sin, cos) = x.sin_cos();
            assert!((sin * sin + cos * cos - 1.0).high().abs() < 1e-30);
            let (twice_sin, _) = (x * 2.0).sin_cos();
            assert!((twice_sin - sin * cos * 2.0).high().abs() < 1e-30);
            assert!((x.exp() * (-x).exp() - 1.0).high().abs() < 1e-30);
            assert!((x.exp().ln() - x).high().abs() < 1e-29);
            assert!((sin.atan2(cos).sin() - sin).high().abs() < 1e-30);
        }
    }
}
