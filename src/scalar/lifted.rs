//! Evaluates equations with `f32` parameters in `f64`.
//!
//! A model whose base is `f32` needs scalars with `Base = f32`. [`Lifted`] is such a scalar, but computes with doubles, or with duals and
//! jets over doubles. Parameters and constants are rounded to `f32`; all operations are in `f64`. Compare a run in `f32`
//! with it: the equations are the same, without the round-off.

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

operators!([S: Real<Base = f64>, T: Float] Lifted<S, T>, T, |a, b, n| {
    a + b => Self::new(a.number + b.number),
    a - b => Self::new(a.number - b.number),
    a * b => Self::new(a.number * b.number),
    a / b => Self::new(a.number / b.number),
    a + n => Self::new(a.number + n.to_f64()),
    a - n => Self::new(a.number - n.to_f64()),
    a * n => Self::new(a.number * n.to_f64()),
    a / n => Self::new(a.number / n.to_f64()),
    -a => Self::new(-a.number),
    from n => Self::new(S::from(n.to_f64())),
    a is zero => a.number.is_zero(),
    compare => a.number,
});

/// Functions of one number, by their names.
macro_rules! of_the_number {
    ($($function:ident),*) => {$(
        #[inline]
        fn $function(self) -> Self {
            Self::new(self.number.$function())
        }
    )*};
}

impl<S: Real<Base = f64>, T: Float> Real for Lifted<S, T> {
    type Base = T;

    #[inline]
    fn value(self) -> T {
        T::from_f64(self.number.value())
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.number.sin_cos();
        (Self::new(sin), Self::new(cos))
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        Self::new(self.number.atan2(x.number))
    }
    #[inline]
    fn powi(self, exponent: i32) -> Self {
        Self::new(self.number.powi(exponent))
    }
    of_the_number!(sqrt, tan, asin, acos, exp, ln, abs);
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
