//! Taylor series along a curve: the value and the first `K` derivatives of x(s) at one s.
//!
//! It is a [`Jet`](super::Jet) with `K` derivatives instead of two. A path evaluated at a Taylor series of the time gives velocity,
//! acceleration, jerk and snap in one pass. Each function follows from a recurrence between the coefficients (Griewank and Walther,
//! *Evaluating Derivatives*, chapter 13). Example: y = ln x follows from y' x = x'.

use super::operators::operators;
use super::real::{Float, Real};
use crate::linalg::written_out::for_each;

/// A value and `K` Taylor coefficients x⁽ᵏ⁾/k! along a curve.
///
/// ```
/// use taut::scalar::{Real, Taylor};
///
/// // sin 2t at t = 0 and its first four derivatives.
/// let t = Taylor::<f64, 4>::variable(0.0);
/// assert_eq!((t * 2.0).sin().derivatives(), [2.0, 0.0, -8.0, 0.0]);
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Taylor<T, const K: usize> {
    /// The value.
    pub value: T,
    /// The coefficients of s, s², …, sᴷ.
    pub coefficients: [T; K],
}

impl<T: Float, const K: usize> Taylor<T, K> {
    /// A number that does not move along the curve.
    #[inline]
    pub fn constant(value: T) -> Self {
        Self { value, coefficients: [T::zero(); K] }
    }

    /// The parameter of the curve itself.
    #[inline]
    pub fn variable(value: T) -> Self {
        Self::build(value, |_, k| if k == 1 { T::one() } else { T::zero() })
    }

    /// The first `K` derivatives.
    #[inline]
    pub fn derivatives(&self) -> [T; K] {
        let (mut derivatives, mut factorial, mut order) = (self.coefficients, T::one(), T::zero());
        for_each!(I < K => {
            order += T::one();
            factorial *= order;
            derivatives[I] *= factorial;
        });
        derivatives
    }

    /// The series of the derivative. Its last coefficient, which would take one more, is zero.
    #[inline]
    pub fn derivative(&self) -> Self {
        Self::build(self.get(1), |_, k| self.get(k + 1) * whole(k + 1))
    }

    /// The coefficient of sᵏ.
    #[inline(always)]
    fn get(&self, k: usize) -> T {
        if k == 0 { self.value } else { self.coefficients.get(k - 1).copied().unwrap_or_else(T::zero) }
    }

    /// A series whose coefficient of sᵏ follows from those before it.
    #[inline(always)]
    fn build(value: T, next: impl Fn(&Self, usize) -> T) -> Self {
        let mut series = Self::constant(value);
        for_each!(I < K => { series.coefficients[I] = next(&series, I + 1); });
        series
    }

    /// Σ i x_i y_k₋ᵢ / k over i = 1 … last: the coefficient k of the integral of x' y.
    #[inline(always)]
    fn integral(x: &Self, y: &Self, k: usize, last: usize) -> T {
        let mut sum = T::zero();
        let mut order = T::zero();
        for i in 1..=last {
            order += T::one();
            sum += x.get(i) * y.get(k - i) * order;
        }
        sum / whole::<T>(k)
    }

    /// The series y with y' w = x' and the given value. `x` returns the coefficients of x.
    #[inline(always)]
    fn quotient_integral(value: T, w: &Self, x: impl Fn(usize) -> T) -> Self {
        Self::build(value, |y, k| (x(k) - Self::integral(y, w, k, k - 1)) / w.value)
    }
}

/// Σ x_i y_k₋ᵢ over i = first … k − first.
#[inline(always)]
#[allow(clippy::int_plus_one, reason = "a series has K + 1 coefficients")]
fn convolution<T: Float, const K: usize>(x: &Taylor<T, K>, y: &Taylor<T, K>, first: usize, k: usize) -> T {
    let mut sum = T::zero();
    for_each!(I < K + 1 => {
        if (first..=k.saturating_sub(first)).contains(&I) {
            sum += x.get(I) * y.get(k - I);
        }
    });
    sum
}

/// x y. Not by [`build`](Taylor::build): the order of each coefficient is a constant here, also at opt-level "s".
#[inline]
fn multiply<T: Float, const K: usize>(x: &Taylor<T, K>, y: &Taylor<T, K>) -> Taylor<T, K> {
    let mut product = Taylor::constant(x.value * y.value);
    for_each!(I < K => { product.coefficients[I] = convolution(x, y, 0, I + 1); });
    product
}

/// A small whole number, by counting: exact, and without a conversion from a double on the target.
#[inline(always)]
fn whole<T: Float>(n: usize) -> T {
    let mut number = T::zero();
    for _ in 0..n {
        number += T::one();
    }
    number
}

operators!([T: Float, const K: usize] Taylor<T, K>, T, |a, b, n| {
    a + b => Self::build(a.value + b.value, |_, k| a.get(k) + b.get(k)),
    a - b => Self::build(a.value - b.value, |_, k| a.get(k) - b.get(k)),
    a * b => multiply(&a, &b),
    a / b => Self::build(a.value / b.value, |quotient, k| {
        let mut rest = a.get(k);
        for i in 1..=k {
            rest -= b.get(i) * quotient.get(k - i);
        }
        rest / b.value
    }),
    a + n => Self { value: a.value + n, ..a },
    a - n => Self { value: a.value - n, ..a },
    a * n => Self { value: a.value * n, coefficients: a.coefficients.map(|c| c * n) },
    a / n => Self { value: a.value / n, coefficients: a.coefficients.map(|c| c / n) },
    -a => Self { value: -a.value, coefficients: a.coefficients.map(|c| -c) },
    from n => Self::constant(n),
    a is zero => a.value.is_zero() && a.coefficients.iter().all(|c| c.is_zero()),
    compare => a.value,
});

impl<T: Float, const K: usize> Real for Taylor<T, K> {
    type Base = T;

    #[inline]
    fn value(self) -> T {
        self.value
    }
    #[inline]
    fn sqrt(self) -> Self {
        // From r² = x.
        Self::build(self.value.sqrt(), |root, k| {
            (self.get(k) - convolution(root, root, 1, k)) / (root.value + root.value)
        })
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value.sin_cos();
        let (mut sin, mut cos) = (Self::constant(sin), Self::constant(cos));
        for k in 1..=K {
            let (rise, fall) = (Self::integral(&self, &cos, k, k), Self::integral(&self, &sin, k, k));
            if let (Some(s), Some(c)) = (sin.coefficients.get_mut(k - 1), cos.coefficients.get_mut(k - 1)) {
                (*s, *c) = (rise, -fall);
            }
        }
        (sin, cos)
    }
    #[inline]
    fn tan(self) -> Self {
        Self::build(self.value.tan(), |tan, k| Self::integral(&self, &(*tan * *tan + T::one()), k, k))
    }
    #[inline]
    fn asin(self) -> Self {
        Self::quotient_integral(self.value.asin(), &one_minus_square(self).sqrt(), |k| self.get(k))
    }
    #[inline]
    fn acos(self) -> Self {
        Self::quotient_integral(self.value.acos(), &one_minus_square(self).sqrt(), |k| -self.get(k))
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        // θ' (x² + y²) = x y' − y x'.
        let square = x * x + self * self;
        Self::quotient_integral(self.value.atan2(x.value), &square, |k| {
            Self::integral(&self, &x, k, k) - Self::integral(&x, &self, k, k)
        })
    }
    #[inline]
    fn exp(self) -> Self {
        Self::build(self.value.exp(), |exp, k| Self::integral(&self, exp, k, k))
    }
    #[inline]
    fn ln(self) -> Self {
        Self::quotient_integral(self.value.ln(), &self, |k| self.get(k))
    }
    #[inline]
    fn abs(self) -> Self {
        self * T::one().copysign(self.value)
    }
}

/// 1 − x², without cancellation near ±1.
fn one_minus_square<T: Float, const K: usize>(x: Taylor<T, K>) -> Taylor<T, K> {
    (-x + T::one()) * (x + T::one())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Jet;

    /// Every function at t = 0.4 + t, against nested jets, which give derivatives up to the fourth.
    fn compare(
        function: impl Fn(Taylor<f64, 4>) -> Taylor<f64, 4>,
        jet: impl Fn(Jet<Jet<f64>, f64>) -> Jet<Jet<f64>, f64>,
    ) {
        let series = function(Taylor::variable(0.4));
        let nested = jet(Jet::new(Jet::variable(0.4), Jet::constant(1.0), Jet::constant(0.0)));
        let expected = [nested.value.first, nested.value.second, nested.second.first, nested.second.second];
        assert_eq!(series.value, nested.value.value);
        for (ours, theirs) in series.derivatives().into_iter().zip(expected) {
            // A few roundings, with fourth derivatives as large as a few hundred.
            assert!((ours - theirs).abs() <= 1e-13 * (1.0 + theirs.abs()), "{ours} {theirs}");
        }
    }

    #[test]
    fn four_derivatives_of_every_function() {
        macro_rules! check {
            ($($function:expr),*) => { $(compare($function, $function);)* };
        }
        check!(|t| t.sqrt(), |t| t.sin(), |t| (t * t * 3.0).cos(), |t| t.tan(), |t| t.asin(), |t| t.acos());
        check!(|t| t.exp(), |t| (t * t + 0.3).ln(), |t| t.atan2(t * t - 1.0), |t| (-t).abs() * t, |t| t
            / (t * t + 2.0));
    }

    #[test]
    fn powers_of_zero_and_their_derivatives() {
        assert_eq!(Taylor::<f32, 4>::variable(0.0).powi(3).derivatives(), [0.0, 0.0, 6.0, 0.0]);
        assert_eq!(Taylor::<f32, 4>::variable(0.0).powi(0).derivatives(), [0.0; 4]);
    }

    #[test]
    fn no_coefficients_is_a_plain_number() {
        assert_eq!((Taylor::<f32, 0>::variable(2.0) * 2.0).sqrt().value, 2.0);
    }
}
