//! A double behind the base of another scalar: equations with `f32` parameters, evaluated in `f64`.
//!
//! A model whose base is `f32` asks its scalars for `Base = f32`. This one says so, and computes with doubles, or with duals and
//! jets over doubles: parameters and constants are those of the model, each as it was rounded, and everything else has twice the
//! digits. That is what a run in `f32` is to be compared with: the same equations, without the round-off.

use core::cmp::Ordering;
use core::marker::PhantomData;

use super::operators::operators;
use super::real::{Float, Real};

/// A number over `f64` for equations whose base is `T`.
///
/// ```
/// use taut::scalar::{Lifted, Real};
///
/// fn height<S: Real<Base = f32>>(angle: S, length: f32) -> S {
///     (angle.cos() - 1.0) * -length
/// }
///
/// let exact = (1.0 - 0.3_f64.cos()) * f64::from(0.1_f32);
/// assert_eq!(height(Lifted::new(0.3_f64), 0.1).double(), exact);
/// assert!((f64::from(height(0.3_f32, 0.1)) - exact).abs() > 1e-10);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Lifted<S, T> {
    number: S,
    base: PhantomData<T>,
}

impl<S, T> Lifted<S, T> {
    /// The same number for equations with another base.
    #[inline(always)]
    pub fn new(number: S) -> Self {
        Self { number, base: PhantomData }
    }

    /// The number in doubles again.
    #[inline(always)]
    pub fn double(self) -> S {
        self.number
    }
}

impl<S: Real<Base = f64>, T: Float> Lifted<S, T> {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self::new(self.number + other.number)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self::new(self.number - other.number)
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Self::new(self.number * other.number)
    }

    #[inline(always)]
    fn over(self, other: Self) -> Self {
        Self::new(self.number / other.number)
    }

    #[inline(always)]
    fn negative(self) -> Self {
        Self::new(-self.number)
    }

    #[inline(always)]
    fn plus_base(self, number: T) -> Self {
        Self::new(self.number + number.to_f64())
    }

    #[inline(always)]
    fn minus_base(self, number: T) -> Self {
        Self::new(self.number - number.to_f64())
    }

    #[inline(always)]
    fn times_base(self, number: T) -> Self {
        Self::new(self.number * number.to_f64())
    }

    #[inline(always)]
    fn over_base(self, number: T) -> Self {
        Self::new(self.number / number.to_f64())
    }

    #[inline(always)]
    fn all_zero(&self) -> bool {
        self.number.is_zero()
    }

    #[inline(always)]
    fn from_base(number: T) -> Self {
        Self::new(S::from(number.to_f64()))
    }
}

operators!([S: Real<Base = f64>, T: Float] Lifted<S, T>, T);

impl<S: PartialEq, T> PartialEq for Lifted<S, T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<S: PartialOrd, T> PartialOrd for Lifted<S, T> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.number.partial_cmp(&other.number)
    }
}

impl<S: Real<Base = f64>, T: Float> Real for Lifted<S, T> {
    type Base = T;

    #[inline]
    fn value(self) -> T {
        T::from_f64(self.number.value())
    }
    #[inline]
    fn sqrt(self) -> Self {
        Self::new(self.number.sqrt())
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.number.sin_cos();
        (Self::new(sin), Self::new(cos))
    }
    #[inline]
    fn tan(self) -> Self {
        Self::new(self.number.tan())
    }
    #[inline]
    fn asin(self) -> Self {
        Self::new(self.number.asin())
    }
    #[inline]
    fn acos(self) -> Self {
        Self::new(self.number.acos())
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        Self::new(self.number.atan2(x.number))
    }
    #[inline]
    fn exp(self) -> Self {
        Self::new(self.number.exp())
    }
    #[inline]
    fn ln(self) -> Self {
        Self::new(self.number.ln())
    }
    #[inline]
    fn powi(self, exponent: i32) -> Self {
        Self::new(self.number.powi(exponent))
    }
    #[inline]
    fn abs(self) -> Self {
        Self::new(self.number.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Dual;

    /// Something of every function and operator, with parameters of the base.
    fn everything<S: Real>(x: S, parameter: S::Base) -> S {
        let (sin, cos) = x.sin_cos();
        let mut sum = (x * parameter + sin / parameter - cos).sqrt() - x.tan() + parameter;
        sum += (x * S::constant(0.1)).asin() * (x / S::constant(4.0)).acos();
        sum -= x.atan2(S::one() - parameter) * x.exp();
        sum *= x.ln().abs() + x.powi(3);
        sum /= -x + S::zero();
        sum
    }

    #[test]
    fn computes_what_doubles_do_with_the_parameters_of_the_base() {
        let (x, parameter) = (0.7, 1.3_f32);
        // A constant is rounded to the base, so the double is given the rounded one.
        let [lifted] = Dual::<f64, 1>::variables([x]).map(|x| everything(Lifted::<_, f32>::new(x), parameter).double());
        let [double] = Dual::<f64, 1>::variables([x]).map(|x| everything(x, f64::from(parameter)));
        let tenth = f64::from(0.1_f32) - 0.1;
        // d/dc of asin(c x) acos(x/4) (|ln x| + x³)/(−x), at c = 0.1.
        let slope = (x / (1.0 - 0.01 * x * x).sqrt()) * (x / 4.0).acos() * (x.ln().abs() + x.powi(3)) / -x;
        assert!((lifted.value - double.value - slope * tenth).abs() < 1e-15, "{lifted:?} {double:?}");
        assert!((lifted.partials[0] - double.partials[0]).abs() < 1e-7);
        let lifted = Lifted::<_, f32>::new(lifted.value);
        assert_eq!(lifted > Lifted::new(double.value), slope * tenth > 0.0);
    }
}
