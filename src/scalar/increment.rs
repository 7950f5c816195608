//! How much a function changes between two points, without the cancellation of subtracting two values.
//!
//! f(a + d) − f(a), computed from a and d, has an error of ε |f' d|. The difference of two rounded values has an error of ε |f|. At small
//! steps that error would hide the multipliers.
//!
//! | function | change |
//! |---|---|
//! | x y | x Δy + Δx (y + Δy) |
//! | x² | Δx (2 x + Δx) |
//! | x/y | (Δx − (x/y) Δy)/(y + Δy) |
//! | √x | Δx/(√x + √(x + Δx)) |
//! | sin x | cos x sin Δx − sin x (1 − cos Δx) |
//! | atan2(y, x) | atan2(x Δy − y Δx, x x' + y y'), x' = x + Δx, y' = y + Δy |
//! | eˣ, ln x | eˣ expm1(Δx), log1p(Δx/x) |
//!
//! A branch in an equation is decided by value + change, the end of the step. Value and change then belong to the piece that holds
//! there. So value + change is right even if a step passes from one piece to the next.

use super::operators::operators;
use super::real::{Float, Real};

/// A number and by how much it changes.
///
/// ```
/// use taut::scalar::{Increment, Real};
///
/// // sin(1 + 1e-6) − sin(1): the difference of two f32 has one digit, the increment seven.
/// let x = Increment::new(1.0_f32, 1e-6);
/// let exact = (1.0_f64 + f64::from(1e-6_f32)).sin() - 1.0_f64.sin();
/// assert!((f64::from(Real::sin(x).change) - exact).abs() < 1e-6 * exact);
/// assert!((f64::from(Real::sin(1.000_001_f32) - Real::sin(1.0_f32)) - exact).abs() > 1e-3 * exact);
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Increment<T> {
    /// The number where it starts.
    pub value: T,
    /// How far it moves from there.
    pub change: T,
}

impl<T: Float> Increment<T> {
    /// From `value` to `value` + `change`.
    #[inline(always)]
    pub fn new(value: T, change: T) -> Self {
        Self { value, change }
    }

    /// The number after the change, rounded.
    #[inline(always)]
    pub fn end(self) -> T {
        self.value + self.change
    }

    /// √(1 − x²), from (1 − x)(1 + x), which does not cancel near one.
    #[inline]
    fn complement(self) -> Self {
        ((-self + T::one()) * (self + T::one())).sqrt()
    }
}

operators!([T: Float] Increment<T>, T, |a, b, n| {
    a + b => Self::new(a.value + b.value, a.change + b.change),
    a - b => Self::new(a.value - b.value, a.change - b.change),
    a * b => Self::new(a.value * b.value, a.value * b.change + a.change * b.end()),
    a / b => {
        let quotient = a.value / b.value;
        Self::new(quotient, (a.change - quotient * b.change) / b.end())
    },
    a + n => Self::new(a.value + n, a.change),
    a - n => Self::new(a.value - n, a.change),
    a * n => Self::new(a.value * n, a.change * n),
    a / n => Self::new(a.value / n, a.change / n),
    -a => Self::new(-a.value, -a.change),
    from n => Self::new(n, T::zero()),
    a is zero => a.value == T::zero() && a.change == T::zero(),
    // The numbers after the change.
    compare => a.end(),
});

impl<T: Float> Real for Increment<T> {
    type Base = T;

    #[inline]
    fn value(self) -> T {
        self.end()
    }
    /// Δx (2 x + Δx). During a step 2 x is constant, so it can be computed once.
    #[inline]
    fn square(self) -> Self {
        Self::new(self.value * self.value, self.change * ((self.value + self.value) + self.change))
    }
    #[inline]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        let sum = root + self.end().sqrt();
        // Both roots are zero: so is the change.
        Self::new(root, if sum == T::zero() { T::zero() } else { self.change / sum })
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value.sin_cos();
        let (turn, fall) = self.change.sin_cos_m1();
        (Self::new(sin, cos * turn + sin * fall), Self::new(cos, cos * fall - sin * turn))
    }
    #[inline]
    fn tan(self) -> Self {
        let (sin, cos) = self.sin_cos();
        Self::new(self.value.tan(), (sin / cos).change)
    }
    #[inline]
    fn asin(self) -> Self {
        // The angle between (x, √(1 − x²)) and (x', √(1 − x'²)).
        Self::new(self.value.asin(), self.atan2(self.complement()).change)
    }
    #[inline]
    fn acos(self) -> Self {
        Self::new(self.value.acos(), -self.asin().change)
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        let y = self;
        let sine = x.value * y.change - y.value * x.change;
        let cosine = x.value * x.end() + y.value * y.end();
        Self::new(y.value.atan2(x.value), sine.atan2(cosine))
    }
    #[inline]
    fn exp(self) -> Self {
        let exp = self.value.exp();
        Self::new(exp, exp * self.change.exp_m1())
    }
    #[inline]
    fn ln(self) -> Self {
        Self::new(self.value.ln(), (self.change / self.value).ln_1p())
    }
    #[inline]
    fn abs(self) -> Self {
        let sign = T::one().copysign(self.value);
        let end = self.end();
        // Without a change of sign the change keeps all its digits. Across zero the difference is as accurate as the change.
        let change = if end * sign >= T::zero() { self.change * sign } else { end.abs() - self.value.abs() };
        Self::new(self.value.abs(), change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every function at points and changes of many sizes, against the difference in double precision: each rounding of the
    /// formulas above costs an ε of the change, and eight are enough for the longest of them.
    #[test]
    fn changes_are_as_accurate_as_the_increments() {
        type Single = fn(Increment<f32>) -> Increment<f32>;
        type Double = fn(f64) -> f64;
        let functions: [(&str, Single, Double); 13] = [
            ("product", |x| x * x, |x| x * x),
            ("square", Real::square, |x| x * x),
            ("inverse", |x| Increment::from(1.0) / x, |x| 1.0 / x),
            ("quotient", |x| (x + 2.0) / (x * x + 1.0), |x| (x + 2.0) / (x * x + 1.0)),
            ("root", Real::sqrt, f64::sqrt),
            ("sine", Real::sin, f64::sin),
            ("cosine", Real::cos, f64::cos),
            ("tangent", Real::tan, f64::tan),
            ("inverse sine", Real::asin, f64::asin),
            ("inverse cosine", Real::acos, f64::acos),
            ("exponential", Real::exp, f64::exp),
            ("logarithm", Real::ln, f64::ln),
            ("cube", |x| x.powi(3), |x| x.powi(3)),
        ];
        for (name, single, double) in functions {
            for x in [0.1_f32, 0.3, 0.7] {
                for exponent in 1..12 {
                    for sign in [-1.0, 1.0] {
                        let change = sign * 0.2 * f32::power_of_two(-2 * exponent);
                        let found = f64::from(single(Increment::new(x, change)).change);
                        let (from, to) = (f64::from(x), f64::from(x) + f64::from(change));
                        let exact = double(to) - double(from);
                        // What the subtraction in double precision leaves uncertain.
                        let known = f64::EPSILON * double(from).abs();
                        // The slope may vanish inside: the change is judged against the larger of itself and slope · d.
                        let scale = exact.abs().max(f64::from(change).abs() * 0.1);
                        assert!(
                            (found - exact).abs() <= 8.0 * f64::from(f32::EPSILON) * scale + 2.0 * known,
                            "{name} at {x} by {change}: {found} instead of {exact}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn two_arguments_change_together() {
        let (y, x) = (Increment::new(0.3_f32, 1e-5), Increment::new(-0.4_f32, 2e-5));
        let exact = (f64::from(y.value) + f64::from(y.change)).atan2(f64::from(x.value) + f64::from(x.change))
            - f64::from(y.value).atan2(f64::from(x.value));
        assert!((f64::from(y.atan2(x).change) - exact).abs() < 4e-7 * exact.abs());
        let exact = (0.3 + 1e-5) * (-0.4 + 2e-5) + 0.3 * 0.4;
        assert!((f64::from((y * x).change) - exact).abs() < 4e-7 * 1e-5);
    }

    #[test]
    fn magnitudes_on_either_side_of_zero() {
        assert_eq!(Increment::new(-2.0_f32, 0.5).abs().change, -0.5);
        assert_eq!(Increment::new(2.0_f32, -3.0).abs().change, -1.0);
        assert_eq!(Increment::new(0.0_f32, -3.0).abs().change, 3.0);
        assert_eq!(Increment::new(0.0_f32, 0.0).sqrt().change, 0.0);
    }
}
