//! Second-order derivatives along a curve: the value, first and second derivative of x(s) at one s.
//!
//! With q(s) = q + s v + s² a/2, a constraint g(q(s)) has the second derivative g_qq(v, v) + g_q a: the terms of the
//! acceleration constraint, without a Hessian. With s the time, a path gives its velocity and acceleration.

use core::marker::PhantomData;

use super::dual::{one_minus_square, power_slope};
use super::operators::operators;
use super::real::{Float, Real};

/// A value with its first and second derivative along a curve.
///
/// ```
/// use taut::scalar::{Jet, Real};
///
/// // A path x(t) = sin(2 t) at t = 0.3: position, velocity, acceleration.
/// let t = Jet::variable(0.3_f64);
/// let x = (t * 2.0).sin();
/// assert!((x.first - 2.0 * 0.6_f64.cos()).abs() < 1e-15);
/// assert!((x.second + 4.0 * x.value).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Jet<T, B = T> {
    /// The value.
    pub value: T,
    /// The first derivative.
    pub first: T,
    /// The second derivative.
    pub second: T,
    base: PhantomData<B>,
}

impl<T: Real<Base = B>, B: Float> Jet<T, B> {
    /// A value with its two derivatives.
    #[inline]
    pub fn new(value: T, first: T, second: T) -> Self {
        Self { value, first, second, base: PhantomData }
    }

    /// A number that does not move along the curve.
    #[inline]
    pub fn constant(value: T) -> Self {
        Self::new(value, T::zero(), T::zero())
    }

    /// The parameter of the curve itself.
    #[inline]
    pub fn variable(value: T) -> Self {
        Self::new(value, T::one(), T::zero())
    }

    /// f(x(s)), given f, f' and f'': f' x' and f'' x'² + f' x''.
    #[inline]
    fn chain(self, value: T, slope: T, curvature: T) -> Self {
        Self::new(value, slope * self.first, curvature * self.first * self.first + slope * self.second)
    }
}

operators!([T: Real<Base = B>, B: Float] Jet<T, B>, B, |a, b, n| {
    a + b => Self::new(a.value + b.value, a.first + b.first, a.second + b.second),
    a - b => Self::new(a.value - b.value, a.first - b.first, a.second - b.second),
    a * b => {
        let cross = a.first * b.first;
        let second = a.second * b.value + (cross + cross) + a.value * b.second;
        Self::new(a.value * b.value, a.first * b.value + a.value * b.first, second)
    },
    a / b => {
        // From q · b = a, differentiated once and twice.
        let value = a.value / b.value;
        let first = (a.first - value * b.first) / b.value;
        let cross = first * b.first;
        Self::new(value, first, (a.second - (cross + cross) - value * b.second) / b.value)
    },
    a + n => Self::new(a.value + n, a.first, a.second),
    a - n => Self::new(a.value - n, a.first, a.second),
    a * n => Self::new(a.value * n, a.first * n, a.second * n),
    a / n => Self::new(a.value / n, a.first / n, a.second / n),
    -a => Self::new(-a.value, -a.first, -a.second),
    from n => Self::constant(T::from(n)),
    a is zero => a.value.is_zero() && a.first.is_zero() && a.second.is_zero(),
    compare => a.value,
});

impl<T: Real<Base = B>, B: Float> Real for Jet<T, B> {
    type Base = B;

    #[inline]
    fn value(self) -> B {
        self.value.value()
    }
    #[inline]
    fn sqrt(self) -> Self {
        // From r² = x: r' = x'/(2r), r'' = (x'' − 2 r'²)/(2r).
        let root = self.value.sqrt();
        let twice = root + root;
        let first = self.first / twice;
        let square = first * first;
        Self::new(root, first, (self.second - (square + square)) / twice)
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value.sin_cos();
        (self.chain(sin, cos, -sin), self.chain(cos, -sin, -cos))
    }
    #[inline]
    fn tan(self) -> Self {
        let tan = self.value.tan();
        let slope = tan * tan + T::one();
        self.chain(tan, slope, (tan + tan) * slope)
    }
    #[inline]
    fn asin(self) -> Self {
        let rest = one_minus_square(self.value);
        let slope = T::one() / rest.sqrt();
        self.chain(self.value.asin(), slope, self.value * slope / rest)
    }
    #[inline]
    fn acos(self) -> Self {
        let rest = one_minus_square(self.value);
        let slope = -(T::one() / rest.sqrt());
        self.chain(self.value.acos(), slope, self.value * slope / rest)
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        // θ' = (x y' − y x')/r², and once more with r² = x² + y².
        let y = self;
        let square = x.value * x.value + y.value * y.value;
        let first = (x.value * y.first - y.value * x.first) / square;
        let growth = x.value * x.first + y.value * y.first;
        let turning = x.value * y.second - y.value * x.second;
        Self::new(y.value.atan2(x.value), first, (turning - first * (growth + growth)) / square)
    }
    #[inline]
    fn exp(self) -> Self {
        let exp = self.value.exp();
        self.chain(exp, exp, exp)
    }
    #[inline]
    fn ln(self) -> Self {
        let slope = T::one() / self.value;
        self.chain(self.value.ln(), slope, -(slope * slope))
    }
    #[inline]
    fn powi(self, exponent: i32) -> Self {
        let slope = power_slope(self.value, exponent);
        let curvature = if exponent == 0 {
            T::zero()
        } else {
            power_slope(self.value, exponent.saturating_sub(1)) * T::constant(f64::from(exponent))
        };
        self.chain(self.value.powi(exponent), slope, curvature)
    }
    #[inline]
    fn abs(self) -> Self {
        self * B::one().copysign(self.value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_derivative_of_a_product_and_a_quotient() {
        let t = Jet::variable(2.0_f64);
        let cube = t * t * t;
        assert_eq!((cube.value, cube.first, cube.second), (8.0, 12.0, 12.0));
        let inverse = Jet::constant(1.0) / t;
        assert_eq!((inverse.value, inverse.first, inverse.second), (0.5, -0.25, 0.25));
    }

    #[test]
    fn curvature_of_a_circle_along_a_velocity() {
        // g = (x² + y² − 1)/2 along q + s v: g_qq(v, v) = v·v.
        let x = Jet::new(0.6_f32, 3.0, 0.0);
        let y = Jet::new(0.8_f32, -2.0, 0.0);
        let g = (x * x + y * y - 1.0) * 0.5;
        assert_eq!(g.first, 0.6 * 3.0 - 0.8 * 2.0);
        assert_eq!(g.second, 13.0);
    }

    #[test]
    fn powers_at_zero() {
        let t = Jet::variable(0.0_f64);
        assert_eq!((t.powi(1).first, t.powi(1).second), (1.0, 0.0));
        assert_eq!((t.powi(2).first, t.powi(2).second), (0.0, 2.0));
        assert_eq!((t.powi(0).first, t.powi(0).second), (0.0, 0.0));
    }
}
