//! An [`Increment`] that keeps what its sums and products round away.
//!
//! Rounded sums and products with the lengths of a linkage have a small bias, and a linkage that turns in one sense gains or loses energy in
//! every turn. With their roundings kept, the four-bar linkage in a compensated state drifts a fifth as fast. The functions without
//! formulas here round as an `Increment` does.

use super::operators::operators;
use super::{DoubleFloat, Float, Increment, Real};

/// A number, by how much it changes, and what the change has lost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FineIncrement<T> {
    value: T,
    change: T,
    rest: T,
}

impl<T: Float> FineIncrement<T> {
    /// From `value` to `value` + `change`.
    #[inline(always)]
    pub(crate) fn new(value: T, change: T) -> Self {
        Self { value, change, rest: T::ZERO }
    }

    /// The change is a sum of two terms.
    #[inline(always)]
    fn of(value: T, a: DoubleFloat<T>, b: T, rest: T) -> Self {
        let sum = DoubleFloat::from_sum(a.high(), b);
        Self { value, change: sum.high(), rest: (sum.low() + a.low()) + rest }
    }

    #[inline(always)]
    fn end(self) -> T {
        self.value + (self.change + self.rest)
    }

    /// Without its rest.
    #[inline(always)]
    fn rounded(self) -> Increment<T> {
        Increment::new(self.value, self.change + self.rest)
    }
}

impl<T: Float> From<Increment<T>> for FineIncrement<T> {
    #[inline(always)]
    fn from(rounded: Increment<T>) -> Self {
        Self::new(rounded.value, rounded.change)
    }
}

operators!([T: Float] FineIncrement<T>, T, |a, b, n| {
    a + b => Self::of(a.value + b.value, DoubleFloat::from(a.change), b.change, a.rest + b.rest),
    a - b => a + -b,
    a * b => {
        let (left, right) = (DoubleFloat::from_product(a.value, b.change), DoubleFloat::from_product(a.change, b.value));
        let sum = Self::of(a.value * b.value, left, right.high(), right.low() + (a.value * b.rest + a.rest * b.value));
        Self::of(sum.value, DoubleFloat::from(sum.change), a.change * b.change, sum.rest)
    },
    a / b => (a.rounded() / b.rounded()).into(),
    a + n => Self { value: a.value + n, ..a },
    a - n => Self { value: a.value - n, ..a },
    a * n => {
        let product = DoubleFloat::from_product(a.change, n);
        Self { value: a.value * n, change: product.high(), rest: product.low() + a.rest * n }
    },
    a / n => (a.rounded() / n).into(),
    -a => Self { value: -a.value, change: -a.change, rest: -a.rest },
    from n => Self::new(n, T::zero()),
    a is zero => a.value == T::zero() && a.change == T::zero() && a.rest == T::zero(),
    // The numbers after the change.
    compare => a.end(),
});

impl<T: Float> Real for FineIncrement<T> {
    type Base = T;

    #[inline]
    fn value(self) -> T {
        self.end()
    }
    #[inline]
    fn square(self) -> Self {
        let twice = self.value + self.value;
        let product = DoubleFloat::from_product(self.change, twice);
        Self::of(self.value * self.value, product, self.change * self.change, self.rest * twice)
    }
    #[inline]
    fn sqrt(self) -> Self {
        self.rounded().sqrt().into()
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value.sin_cos();
        let (turn, fall) = self.change.sin_cos_m1();
        (
            Self::of(sin, DoubleFloat::from_product(cos, turn), sin * fall, cos * self.rest),
            Self::of(cos, DoubleFloat::from_product(-sin, turn), cos * fall, -sin * self.rest),
        )
    }
    #[inline]
    fn tan(self) -> Self {
        self.rounded().tan().into()
    }
    #[inline]
    fn asin(self) -> Self {
        self.rounded().asin().into()
    }
    #[inline]
    fn acos(self) -> Self {
        self.rounded().acos().into()
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        self.rounded().atan2(x.rounded()).into()
    }
    #[inline]
    fn exp(self) -> Self {
        self.rounded().exp().into()
    }
    #[inline]
    fn ln(self) -> Self {
        self.rounded().ln().into()
    }
    #[inline]
    fn abs(self) -> Self {
        if self.end() * self.value >= T::zero() {
            if self.value < T::zero() { -self } else { self }
        } else {
            self.rounded().abs().into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums and products of changes have twice the digits, sine and cosine those of the rounded sine and cosine.
    #[test]
    fn changes_keep_what_they_round_away() {
        let full = |x: FineIncrement<f32>| f64::from(x.change) + f64::from(x.rest);
        for (value, change) in [(0.3_f32, 1e-3_f32), (-1.7, 2.3e-4), (0.9, -7e-3)] {
            let x = FineIncrement::new(value, change);
            let (v, d) = (f64::from(value), f64::from(change));
            let length = f64::from(0.35_f32);
            // Errors of an ε of the rests, and of an ε of Δ² where it is rounded.
            let close = |found: f64, exact: f64| {
                assert!((found - exact).abs() <= 1e-13 * d.abs() + 1.2e-7 * d * d, "{value}: {found} {exact}");
            };
            close(full(x * 0.35), d * length);
            close(full(x * 0.35 - x), d * length - d);
            close(full(x * x), d * (2.0 * v + d));
            close(full(x.square()), d * (2.0 * v + d));
            let (sin, cos) = value.sin_cos();
            let (turn, fall) = (d.sin(), -2.0 * (d / 2.0).sin() * (d / 2.0).sin());
            // sin Δ itself is rounded.
            let rounded = 1.2e-7 * d.abs();
            let (s, c) = Real::sin_cos(x);
            assert!((full(s) - (f64::from(cos) * turn + f64::from(sin) * fall)).abs() < rounded);
            assert!((full(c) - (f64::from(cos) * fall - f64::from(sin) * turn)).abs() < rounded);
        }
        assert_eq!(FineIncrement::new(-2.0_f32, 0.5).abs().change, -0.5);
        assert_eq!(FineIncrement::new(2.0_f32, -3.0).abs().change, -1.0);
    }
}
