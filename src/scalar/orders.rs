//! A number that remembers which derivatives of which unknowns it was computed from.

use super::operators::operators;
use super::real::Real;

/// A number, and a bit for each derivative of each unknown that it depends on. The analysis of structure evaluates a model with it.
///
/// A product with a constant zero is a constant zero: a mass matrix has zeros beside its blocks, and so has the gradient of a constraint. A
/// variable that happens to be zero is not constant, and the time is a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Orders {
    value: f64,
    /// `seen[k]` has the unknowns whose derivative k was used, the last entry whether the time was.
    seen: [u128; Self::MAX_ORDER + 2],
}

impl Orders {
    /// How many unknowns are told apart.
    pub(crate) const MAX_UNKNOWNS: usize = 128;
    /// The highest derivative.
    pub(crate) const MAX_ORDER: usize = 5;

    /// A derivative of an unknown.
    pub(crate) fn derivative(value: f64, unknown: usize, order: usize) -> Self {
        let mut seen = [0; Self::MAX_ORDER + 2];
        seen[order] = 1 << unknown;
        Self { value, seen }
    }

    /// The time.
    pub(crate) fn time(value: f64) -> Self {
        Self::derivative(value, 0, Self::MAX_ORDER + 1)
    }

    /// The highest derivative of an unknown that the number depends on.
    pub(crate) fn highest(&self, unknown: usize) -> Option<usize> {
        (0..=Self::MAX_ORDER).rev().find(|order| self.seen[*order] >> unknown & 1 == 1)
    }

    fn is_constant_zero(&self) -> bool {
        self.value == 0.0 && self.seen.iter().all(|seen| *seen == 0)
    }

    fn with(self, value: f64) -> Self {
        Self { value, ..self }
    }

    fn and(self, other: Self, value: f64) -> Self {
        Self { value, seen: core::array::from_fn(|order| self.seen[order] | other.seen[order]) }
    }

    fn times(self, other: Self) -> Self {
        let is_zero = self.is_constant_zero() || other.is_constant_zero();
        if is_zero { Self::from(0.0) } else { self.and(other, self.value * other.value) }
    }
}

operators!([] Orders, f64, |a, b, n| {
    a + b => a.and(b, a.value + b.value),
    a - b => a.and(b, a.value - b.value),
    a * b => a.times(b),
    a / b => if a.is_constant_zero() { a } else { a.and(b, a.value / b.value) },
    a + n => a.with(a.value + n),
    a - n => a.with(a.value - n),
    a * n => a.times(Self::from(n)),
    a / n => a.with(a.value / n),
    -a => a.with(-a.value),
    from n => Self { value: n, seen: [0; Self::MAX_ORDER + 2] },
    a is zero => a.is_constant_zero(),
    compare => a.value,
});

/// Functions of one number, by their names.
macro_rules! of_the_value {
    ($($function:ident),*) => {$(
        fn $function(self) -> Self {
            self.with(Real::$function(self.value))
        }
    )*};
}

impl Real for Orders {
    type Base = f64;

    fn value(self) -> f64 {
        self.value
    }
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = Real::sin_cos(self.value);
        (self.with(sin), self.with(cos))
    }
    fn atan2(self, x: Self) -> Self {
        self.and(x, Real::atan2(self.value, x.value))
    }
    fn powi(self, exponent: i32) -> Self {
        if exponent == 0 { Self::from(1.0) } else { self.with(Real::powi(self.value, exponent)) }
    }
    of_the_value!(sqrt, tan, asin, acos, exp, ln, abs);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Dual;

    #[test]
    fn the_highest_derivative_of_each_unknown_is_found() {
        let x = |unknown, order| Orders::derivative(0.0, unknown, order);
        let f = x(0, 2) * x(1, 0).cos() - x(0, 0) / (x(2, 1) + 1.0) + Orders::time(0.0) * x(3, 5);
        assert_eq!([0, 1, 2, 3, 4].map(|unknown| f.highest(unknown)), [Some(2), Some(0), Some(1), Some(5), None]);
        assert_eq!((x(0, 1) * 0.0 + x(1, 0)).highest(0), None);
        assert_eq!((Orders::from(0.0) / x(0, 1)).highest(0), None);
    }

    #[test]
    fn a_gradient_has_zeros_where_the_function_does_not_use_the_variable() {
        let [x, y] = Dual::<Orders, 2, f64>::variables([0, 1].map(|unknown| Orders::derivative(0.0, unknown, 0)));
        let slopes = (x * x + y.sin()).partials;
        assert_eq!([0, 1].map(|unknown| slopes[0].highest(unknown)), [Some(0), None]);
        assert_eq!([0, 1].map(|unknown| slopes[1].highest(unknown)), [None, Some(0)]);
    }
}
