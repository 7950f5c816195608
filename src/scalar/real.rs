//! The traits of scalars.

use core::fmt::{Debug, Display, LowerExp};
use core::ops::{Add, Div, Mul, Neg, Sub};

use nalgebra::{ClosedAddAssign, ClosedDivAssign, ClosedMulAssign, ClosedSubAssign};
use num_traits::{One, Zero};

use super::double_constants::DoubleConstants;

/// A number that equations are written in.
///
/// A model that is generic over `S: Real` can be evaluated with plain floats, with [`Dual`](super::Dual) or
/// [`Jet`](super::Jet) for derivatives and with [`DoubleFloat`](super::DoubleFloat) for digits beyond the base scalar.
/// Its parameters stay in the *base* scalar, the plain float underneath, and mix freely with `S`, on the right of an
/// operator:
///
/// ```
/// use taut::scalar::{Dual, Real};
///
/// /// Height of a pendulum's bob.
/// fn height<S: Real<Base = f32>>(angle: S, length: f32) -> S {
///     (angle.cos() - 1.0) * -length
/// }
///
/// let plain = height(0.3_f32, 2.0);
/// let [with_slope] = Dual::variables([0.3_f32]);
/// let dual = height(with_slope, 2.0);
/// assert_eq!(dual.value, plain);
/// assert!((dual.partials[0] - 2.0 * 0.3_f32.sin()).abs() < 1e-6);
/// ```
///
/// Where the base is a type parameter as well, so that one model runs in `f32` and in `f64`, literals go through
/// [`Real::constant`].
///
/// Comparisons look at the value alone, so that a branch in an equation is taken alike with every scalar.
///
/// All functions give the same bits on every machine: they come from this crate or from `libm`, never from the
/// platform, and nothing is contracted into a fused multiply-add. In code with `std` in scope, call
/// `Real::sin(x)` on an `f32`; `x.sin()` there means the platform's function.
pub trait Real:
    nalgebra::Scalar
    + Copy
    + PartialOrd
    + Zero
    + One
    + Neg<Output = Self>
    + ClosedAddAssign
    + ClosedSubAssign
    + ClosedMulAssign
    + ClosedDivAssign
    + Add<<Self as Real>::Base, Output = Self>
    + Sub<<Self as Real>::Base, Output = Self>
    + Mul<<Self as Real>::Base, Output = Self>
    + Div<<Self as Real>::Base, Output = Self>
    + From<<Self as Real>::Base>
{
    /// The plain float underneath, in which parameters are given.
    type Base: Float;

    /// The number itself, without derivatives, rounded to the base scalar.
    fn value(self) -> Self::Base;

    /// A constant of an equation, rounded to the base scalar (also in a double-float, so that the equation stays
    /// the same function whatever it is evaluated with).
    #[inline]
    fn constant(literal: f64) -> Self {
        Self::from(Self::Base::from_f64(literal))
    }

    /// The number times itself. Written so, it costs an [`Increment`](super::Increment) fewer operations.
    #[inline]
    fn square(self) -> Self {
        self * self
    }
    /// Square root; NaN for a negative number.
    fn sqrt(self) -> Self;
    /// Sine of an angle in radians.
    #[inline]
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    /// Cosine of an angle in radians.
    #[inline]
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    /// Sine and cosine together, for little more than the price of one.
    fn sin_cos(self) -> (Self, Self);
    /// Tangent of an angle in radians.
    fn tan(self) -> Self;
    /// Inverse sine, in [−π/2, π/2].
    fn asin(self) -> Self;
    /// Inverse cosine, in [0, π].
    fn acos(self) -> Self;
    /// The angle of the point (`x`, `self`), in [−π, π].
    fn atan2(self, x: Self) -> Self;
    /// The exponential function.
    fn exp(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// A whole power, by repeated multiplication. `powi(0)` is one.
    #[inline]
    fn powi(self, exponent: i32) -> Self {
        powi(self, exponent)
    }
    /// Magnitude. Its derivative at zero is taken from the sign of the zero.
    fn abs(self) -> Self;
}

/// A plain floating-point number: `f32` or `f64`, the base of every other scalar.
pub trait Float: Real<Base = Self> + Debug + Display + LowerExp + Default + Send + Sync {
    /// 0, for arrays in constants.
    const ZERO: Self;
    /// −0: −0 + x is x for every x, and costs nothing.
    const NEGATIVE_ZERO: Self;
    /// Distance from one to the next larger number.
    const EPSILON: Self;
    /// √ε, half the digits: the default limit for how far a state may be off its constraints.
    const ROOT_EPSILON: Self;
    /// ⁴√ε, a quarter of the digits: the largest last correction of a Newton iteration, relative to its unknown. It leaves √ε.
    const FOURTH_ROOT_EPSILON: Self;
    /// Newton iterations that leave no drift at the usual steps of this scalar, with a matrix frozen over the step: in
    /// `f32` two, because polishing at the round-off level is biased; in `f64` six (double pendulum, h = 1e-2).
    const NEWTON_ITERATIONS: usize;
    /// Newton iterations that bring a drift of one step of high order back to round-off.
    const POLISHING_ITERATIONS: usize;
    /// Largest finite number.
    const MAX: Self;
    /// Smallest positive normal number.
    const MIN_POSITIVE: Self;
    /// Infinity.
    const INFINITY: Self;
    /// Not a number.
    const NAN: Self;
    /// π.
    const PI: Self;
    /// π less [`PI`](Self::PI).
    const PI_LOW: Self;
    /// 2ˢ + 1 with s half the bits of the significand, rounded up: Veltkamp's splitting constant.
    #[doc(hidden)]
    const SPLITTER: Self;
    /// Tables for the elementary functions of the double-float.
    #[doc(hidden)]
    const DOUBLE: &'static DoubleConstants<Self>;

    /// Rounds a double to this type.
    fn from_f64(number: f64) -> Self;
    /// Rounds a count of ticks to this type.
    fn from_ticks(ticks: u64) -> Self;
    /// Rounds towards zero to a count. Negative numbers and NaN give zero; numbers above the largest count give it.
    fn to_count(self) -> u32;
    /// This number as a double.
    fn to_f64(self) -> f64;
    /// The bits of this number, for a checksum: −0 and 0 differ.
    fn bit_pattern(self) -> u64;
    /// Whether the number is neither infinite nor NaN.
    fn is_finite(self) -> bool;
    /// Whether the number is NaN.
    fn is_nan(self) -> bool;
    /// Nearest whole number, ties to even.
    fn round(self) -> Self;
    /// This magnitude with the sign of `sign`.
    fn copysign(self, sign: Self) -> Self;
    /// sin x and cos x − 1, with all their digits also near zero.
    fn sin_cos_m1(self) -> (Self, Self);
    /// eˣ − 1, with all its digits also near zero.
    fn exp_m1(self) -> Self;
    /// ln (1 + x), with all its digits also near zero.
    fn ln_1p(self) -> Self;
    /// 2ⁿ; zero or infinity if it is not a normal number.
    fn power_of_two(n: i32) -> Self;
}

/// xⁿ by repeated squaring, in one order of operations for every scalar.
#[inline]
pub(super) fn powi<S: Real>(x: S, exponent: i32) -> S {
    let mut remaining = exponent.unsigned_abs();
    let mut square = x;
    let mut product = S::one();
    while remaining > 0 {
        if remaining & 1 == 1 {
            product *= square;
        }
        remaining >>= 1;
        if remaining > 0 {
            square *= square;
        }
    }
    if exponent < 0 { S::one() / product } else { product }
}
