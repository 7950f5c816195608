//! Forward-mode derivatives: a value with N partial derivatives, in one pass.

use core::marker::PhantomData;

use super::operators::operators;
use super::real::{self, Float, Real};
use crate::linalg::written_out::for_each;

/// A value and its partial derivatives with respect to `N` variables.
///
/// `T` is the scalar of value and partials, `B` the base scalar underneath; they differ only when scalars are nested,
/// as in `Dual<Jet<f32>, 3, f32>`.
///
/// ```
/// use taut::scalar::{Dual, Real};
///
/// // The gradient of x² y at (3, 2).
/// let [x, y] = Dual::variables([3.0_f64, 2.0]);
/// let f = x * x * y;
/// assert_eq!(f.value, 18.0);
/// assert_eq!(f.partials, [12.0, 9.0]);
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Dual<T, const N: usize, B = T> {
    /// The value.
    pub value: T,
    /// The partial derivatives.
    pub partials: [T; N],
    base: PhantomData<B>,
}

impl<T: Real<Base = B>, B: Float, const N: usize> Dual<T, N, B> {
    /// A value with given partial derivatives.
    #[inline]
    pub fn new(value: T, partials: [T; N]) -> Self {
        Self { value, partials, base: PhantomData }
    }

    /// A number that depends on none of the variables.
    #[inline]
    pub fn constant(value: T) -> Self {
        Self::new(value, [T::zero(); N])
    }

    /// The `N` variables at a point: each with the derivative one with respect to itself.
    #[inline]
    pub fn variables(point: [T; N]) -> [Self; N] {
        let mut variables = [Self::constant(T::zero()); N];
        for_each!(I < N => {
            variables[I].value = point[I];
            variables[I].partials[I] = T::one();
        });
        variables
    }

    /// f(self), given f and f' there: the chain rule.
    #[inline]
    fn chain(self, value: T, slope: T) -> Self {
        self.each(value, |d| d * slope)
    }

    /// The same change of each partial derivative.
    #[inline]
    fn each(mut self, value: T, partial: impl Fn(T) -> T) -> Self {
        for_each!(I < N => { self.partials[I] = partial(self.partials[I]); });
        Self::new(value, self.partials)
    }

    #[inline]
    fn zip(mut self, other: Self, value: T, partial: impl Fn(T, T) -> T) -> Self {
        for_each!(I < N => { self.partials[I] = partial(self.partials[I], other.partials[I]); });
        Self::new(value, self.partials)
    }
}

operators!([T: Real<Base = B>, B: Float, const N: usize] Dual<T, N, B>, B, |a, b, n| {
    a + b => a.zip(b, a.value + b.value, |da, db| da + db),
    a - b => a.zip(b, a.value - b.value, |da, db| da - db),
    a * b => a.zip(b, a.value * b.value, |da, db| da * b.value + db * a.value),
    a / b => {
        let quotient = a.value / b.value;
        // One division more instead of N: it takes 14 cycles on a Cortex-M4F, a product takes one.
        let inverse = T::one() / b.value;
        a.zip(b, quotient, |da, db| (da - quotient * db) * inverse)
    },
    a + n => Self::new(a.value + n, a.partials),
    a - n => Self::new(a.value - n, a.partials),
    a * n => a.each(a.value * n, |d| d * n),
    a / n => {
        let inverse = B::one() / n;
        a.each(a.value / n, |d| d * inverse)
    },
    -a => a.each(-a.value, |d| -d),
    from n => Self::constant(T::from(n)),
    a is zero => a.value.is_zero() && a.partials.iter().all(|d| d.is_zero()),
    compare => a.value,
});

impl<T: Real<Base = B>, B: Float, const N: usize> Real for Dual<T, N, B> {
    type Base = B;

    #[inline]
    fn value(self) -> B {
        self.value.value()
    }
    #[inline]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, T::one() / (root + root))
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value.sin_cos();
        (self.chain(sin, cos), self.chain(cos, -sin))
    }
    #[inline]
    fn tan(self) -> Self {
        let tan = self.value.tan();
        self.chain(tan, tan * tan + T::one())
    }
    #[inline]
    fn asin(self) -> Self {
        self.chain(self.value.asin(), T::one() / one_minus_square(self.value).sqrt())
    }
    #[inline]
    fn acos(self) -> Self {
        self.chain(self.value.acos(), -(T::one() / one_minus_square(self.value).sqrt()))
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        let (y, x_value) = (self.value, x.value);
        let inverse = T::one() / (x_value * x_value + y * y);
        self.zip(x, y.atan2(x_value), |dy, dx| (x_value * dy - y * dx) * inverse)
    }
    #[inline]
    fn exp(self) -> Self {
        let exp = self.value.exp();
        self.chain(exp, exp)
    }
    #[inline]
    fn ln(self) -> Self {
        self.chain(self.value.ln(), T::one() / self.value)
    }
    #[inline]
    fn powi(self, exponent: i32) -> Self {
        self.chain(self.value.powi(exponent), power_slope(self.value, exponent))
    }
    #[inline]
    fn abs(self) -> Self {
        self * B::one().copysign(self.value())
    }
}

/// 1 − x², without cancellation near ±1.
#[inline]
pub(super) fn one_minus_square<T: Real>(x: T) -> T {
    (T::one() - x) * (T::one() + x)
}

/// n xⁿ⁻¹, and exactly zero for n = 0.
#[inline]
pub(super) fn power_slope<T: Real>(x: T, exponent: i32) -> T {
    if exponent == 0 { T::zero() } else { real::powi(x, exponent.saturating_sub(1)) * T::constant(f64::from(exponent)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product_and_quotient_rules() {
        let [x, y] = Dual::variables([3.0_f64, 2.0]);
        assert_eq!((x * y).partials, [2.0, 3.0]);
        assert_eq!((x / y).partials, [0.5, -0.75]);
        assert_eq!((x * 4.0 - 1.0).partials, [4.0, 0.0]);
        assert_eq!((-x / 2.0).partials, [-0.5, 0.0]);
    }

    #[test]
    fn comparisons_see_the_value_alone() {
        let a = Dual::new(1.0_f32, [5.0]);
        let b = Dual::new(1.0_f32, [7.0]);
        assert!(a == b && a <= b && !(a < b));
    }

    #[test]
    fn zeroth_power_is_constant_even_at_zero() {
        let [x] = Dual::variables([0.0_f64]);
        assert_eq!(x.powi(0).value, 1.0);
        assert_eq!(x.powi(0).partials, [0.0]);
        assert_eq!(x.powi(1).partials, [1.0]);
        assert_eq!(x.powi(2).partials, [0.0]);
    }

    #[test]
    fn nesting_gives_the_hessian() {
        // f = x² y at (3, 2): f_xx = 2y, f_xy = 2x.
        let inner = Dual::variables([3.0_f64, 2.0]);
        let [x, y] = Dual::<Dual<f64, 2>, 2, f64>::variables(inner);
        let f = x * x * y;
        assert_eq!(f.partials[0].partials, [4.0, 6.0]);
        assert_eq!(f.partials[1].partials, [6.0, 0.0]);
    }

    #[test]
    fn no_variables_is_a_plain_number() {
        let x: Dual<f32, 0> = Dual::constant(2.0);
        assert_eq!((x * x).sqrt().value, 2.0);
    }
}
