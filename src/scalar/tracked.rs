//! A number that remembers which variables it was computed from.

use super::operators::operators;
use super::real::{Float, Real};

/// A number and the set of variables that it depends on, as bits. [`Pattern::of`](crate::system::Pattern::of) evaluates a model with it.
///
/// ```
/// use taut::scalar::{Real, Tracked};
///
/// let [x, y, z] = Tracked::variables([1.0_f32, 2.0, 3.0]);
/// let length = (x * x + y.sin()).sqrt() + 0.5;
/// assert!(length.uses(0) && length.uses(1) && !length.uses(2));
/// assert!((z * 0.0).uses(2)); // for another parameter it does
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tracked<T> {
    value: T,
    variables: u128,
}

impl<T: Float> Tracked<T> {
    /// How many variables are told apart. Later ones share the last bit.
    pub const MAX_VARIABLES: usize = 128;

    /// Independent variables, numbered from zero.
    pub fn variables<const N: usize>(values: [T; N]) -> [Self; N] {
        let mut index = 0;
        values.map(|value| {
            let variables = 1 << index;
            index = if index + 1 < Self::MAX_VARIABLES { index + 1 } else { index };
            Self { value, variables }
        })
    }

    /// Whether the number depends on a variable.
    pub fn uses(&self, variable: usize) -> bool {
        let last = Self::MAX_VARIABLES - 1;
        self.variables >> (if variable < last { variable } else { last }) & 1 == 1
    }

    #[inline]
    fn with(self, value: T) -> Self {
        Self { value, ..self }
    }

    #[inline]
    fn and(self, other: Self, value: T) -> Self {
        Self { value, variables: self.variables | other.variables }
    }
}

operators!([T: Float] Tracked<T>, T, |a, b, n| {
    a + b => a.and(b, a.value + b.value),
    a - b => a.and(b, a.value - b.value),
    a * b => a.and(b, a.value * b.value),
    a / b => a.and(b, a.value / b.value),
    a + n => a.with(a.value + n),
    a - n => a.with(a.value - n),
    a * n => a.with(a.value * n),
    a / n => a.with(a.value / n),
    -a => a.with(-a.value),
    from n => Self { value: n, variables: 0 },
    a is zero => a.value == T::zero(),
    compare => a.value,
});

/// Functions of one number, by their names.
macro_rules! of_the_value {
    ($($function:ident),*) => {$(
        #[inline]
        fn $function(self) -> Self {
            self.with(self.value.$function())
        }
    )*};
}

impl<T: Float> Real for Tracked<T> {
    type Base = T;

    #[inline]
    fn value(self) -> T {
        self.value
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value.sin_cos();
        (self.with(sin), self.with(cos))
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        self.and(x, self.value.atan2(x.value))
    }
    #[inline]
    fn powi(self, exponent: i32) -> Self {
        self.with(self.value.powi(exponent))
    }
    of_the_value!(sqrt, tan, asin, acos, exp, ln, abs);
}
