//! A number as the unevaluated sum of two floats: twice the digits, on the hardware of one.
//!
//! Built on error-free transformations (Dekker, Knuth; bounds by Joldes, Muller and Popescu 2017) without a fused
//! multiply-add, so that every machine computes the same bits. With u half an ulp of one (2⁻²⁴ for `f32`):
//!
//! | operation | relative error | for `f32` |
//! |---|---|---|
//! | + − | 3 u² | 2⁻⁴⁶ |
//! | × | 5 u² | 2⁻⁴⁵·⁶ |
//! | ÷ | 3 u² | 2⁻⁴⁶ |
//! | square root | 3.2 u² | 2⁻⁴⁶ |
//!
//! as long as nothing leaves the range in which the low part of a product is a normal number and the splitting does not
//! overflow: results between about 1e-24 and 8e34 for `f32`, 1e-270 and 1e300 for `f64`. Infinities become NaN.
//! The other functions are in the module beside, `double_elementary`.

use super::operators::operators;
use super::real::Float;

/// The sum of a high and a low part, the low one at most half an ulp of the high one.
///
/// ```
/// use taut::scalar::{DoubleFloat, Real};
///
/// // x² − 1 just above 1: an f32 keeps two digits of it, a double-float all of them.
/// let x = 1.000_001_f32;
/// let residual = DoubleFloat::from(x) * x - 1.0;
/// let exact = (f64::from(x) - 1.0) * (f64::from(x) + 1.0);
/// assert!((residual.to_f64() - exact).abs() < 1e-13 * exact);
/// assert!((f64::from(x * x - 1.0) - exact).abs() > 1e-8 * exact);
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DoubleFloat<T> {
    pub(super) high: T,
    pub(super) low: T,
}

/// a = high + low, each with half the digits (Veltkamp).
#[inline]
fn split<T: Float>(a: T) -> (T, T) {
    let stretched = a * T::SPLITTER;
    let high = stretched - (stretched - a);
    (high, a - high)
}

impl<T: Float> DoubleFloat<T> {
    /// a + b, exactly: the sum and what the addition rounded away, in any order of magnitudes (Knuth).
    #[inline]
    pub fn from_sum(a: T, b: T) -> Self {
        let high = a + b;
        let b_part = high - a;
        Self { high, low: (a - (high - b_part)) + (b - b_part) }
    }

    /// a b, exactly: the product and what the multiplication rounded away (Dekker).
    #[inline]
    pub fn from_product(a: T, b: T) -> Self {
        let high = a * b;
        let (a_high, a_low) = split(a);
        let (b_high, b_low) = split(b);
        Self { high, low: ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low }
    }

    /// As [`from_sum`](Self::from_sum), for |a| ≥ |b| (Dekker).
    #[inline]
    pub(crate) fn normalised(a: T, b: T) -> Self {
        let high = a + b;
        Self { high, low: b - (high - a) }
    }

    /// From parts that are already normalised.
    #[inline(always)]
    pub(crate) fn from_normalised(high: T, low: T) -> Self {
        Self { high, low }
    }

    /// The number rounded to one float.
    #[inline]
    pub fn high(self) -> T {
        self.high
    }

    /// What [`high`](Self::high) leaves out.
    #[inline]
    pub fn low(self) -> T {
        self.low
    }

    /// The number as a double (exact for a double-float over `f32` whose parts are close to each other).
    #[inline]
    pub fn to_f64(self) -> f64 {
        self.high.to_f64() + self.low.to_f64()
    }
}

operators!([T: Float] DoubleFloat<T>, T, |a, b, n| {
    a + b => {
        let (high, low) = (Self::from_sum(a.high, b.high), Self::from_sum(a.low, b.low));
        let sum = Self::normalised(high.high, high.low + low.high);
        Self::normalised(sum.high, low.low + sum.low)
    },
    a - b => a + -b,
    a * b => {
        let product = Self::from_product(a.high, b.high);
        Self::normalised(product.high, product.low + (a.high * b.low + a.low * b.high))
    },
    // Long division with three partial quotients. The first remainder of two floats is itself a float, so only the products
    // with `b.low` are rounded.
    a / b => {
        let first = a.high / b.high;
        let product = Self::from_product(first, b.high);
        let remainder = Self::from_sum((a.high - product.high) - product.low, a.low);
        let rest = remainder.low;
        let remainder = Self::from_sum(remainder.high, -(first * b.low));

        let second = remainder.high / b.high;
        let product = Self::from_product(second, b.high);
        let left = ((remainder.high - product.high) - product.low) + (rest + remainder.low) - second * b.low;
        let third = left / b.high;

        let quotient = Self::normalised(first, second);
        Self::normalised(quotient.high, quotient.low + third)
    },
    a + n => {
        let sum = Self::from_sum(a.high, n);
        Self::normalised(sum.high, a.low + sum.low)
    },
    a - n => a + -n,
    a * n => {
        let product = Self::from_product(a.high, n);
        Self::normalised(product.high, product.low + a.low * n)
    },
    a / n => {
        let quotient = a.high / n;
        let product = Self::from_product(quotient, n);
        let remainder = ((a.high - product.high) - product.low) + a.low;
        Self::normalised(quotient, remainder / n)
    },
    -a => Self { high: -a.high, low: -a.low },
    from n => Self { high: n, low: T::zero() },
    a is zero => a.high == T::zero(),
    compare => (a.high, a.low),
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Real;

    /// A generator of test operands: pairs of floats with 48 random bits and varied exponents.
    struct Operands(u64);

    impl Operands {
        fn bits(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }

        fn next(&mut self) -> DoubleFloat<f32> {
            let unit = |bits: u64| (bits >> 40) as f32 / (1 << 23) as f32 - 1.0;
            let scale = f32::power_of_two((self.bits() % 20) as i32 - 10);
            let high = unit(self.bits()) * scale;
            DoubleFloat::from_sum(high, unit(self.bits()) * high * f32::EPSILON * 0.5)
        }
    }

    /// 2⁻⁴⁵. A double resolves 2⁻⁵³, so it can be the judge.
    const LIMIT: f64 = 2.842_170_943_040_401e-14;

    fn worst(operation: impl Fn(DoubleFloat<f32>, DoubleFloat<f32>) -> (DoubleFloat<f32>, f64)) -> f64 {
        let mut operands = Operands(0x9E37_79B9_7F4A_7C15);
        let mut worst = 0.0_f64;
        for _ in 0..1_000_000 {
            let (result, exact) = operation(operands.next(), operands.next());
            if exact != 0.0 {
                worst = worst.max(((result.to_f64() - exact) / exact).abs());
            }
        }
        worst
    }

    #[test]
    fn arithmetic_is_accurate_to_2_to_the_minus_45() {
        // a + b and a − b of two 49-bit numbers can need more than 53 bits; what the double drops is below 2⁻⁵³ of the
        // larger operand, so sums that cancel below 2⁻⁶ are left to the exact cases.
        let cancels = |a: f64, b: f64, sum: f64| sum.abs() < (a.abs() + b.abs()) / 64.0;
        let sum = |a: DoubleFloat<f32>, b: DoubleFloat<f32>| {
            let (x, y) = (a.to_f64(), b.to_f64());
            (a + b, if cancels(x, y, x + y) { 0.0 } else { x + y })
        };
        assert!(worst(sum) <= LIMIT);
        assert!(worst(|a, b| (a * b, a.to_f64() * b.to_f64())) <= LIMIT);
        assert!(worst(|a, b| (a / b, a.to_f64() / b.to_f64())) <= LIMIT);
        assert!(worst(|a, _| (a.sqrt(), if a.high < 0.0 { 0.0 } else { a.to_f64().sqrt() })) <= LIMIT);
        assert!(worst(|a, b| (a * b.high, a.to_f64() * f64::from(b.high))) <= LIMIT);
        assert!(worst(|a, b| (a / b.high, a.to_f64() / f64::from(b.high))) <= LIMIT);
    }

    #[test]
    fn exact_cases_come_out_exact() {
        let third = DoubleFloat::from(1.0_f32) / 3.0;
        assert_eq!((third * 3.0).to_f64(), 1.0);
        // Whole numbers below 2⁴⁸: 4097³, back to 4097² by division and to 4097 by a root.
        let square = DoubleFloat::from_product(4097.0_f32, 4097.0);
        let cube = square * 4097.0;
        assert_eq!(cube.to_f64(), 68_769_820_673.0);
        assert_eq!((cube / 4097.0).to_f64(), 16_785_409.0);
        assert_eq!((cube / square).to_f64(), 4097.0);
        assert_eq!(square.sqrt().to_f64(), 4097.0);
        // Complete cancellation of the high parts leaves the difference of the low ones.
        let y = DoubleFloat::from_sum(1.0_f32, f32::power_of_two(-40));
        assert_eq!((y - 1.0).to_f64(), f64::power_of_two(-40));
        // 22/7 · 7 − 22 = 0 within one unit of 2⁻⁴⁶.
        let ratio = DoubleFloat::from(22.0_f32) / 7.0;
        assert!((ratio * 7.0 - 22.0).to_f64().abs() <= 22.0 * LIMIT);
    }

    #[test]
    fn doubles_pair_as_well() {
        let third = DoubleFloat::from(1.0_f64) / 3.0;
        assert_eq!((third.high, third.low), (1.0 / 3.0, 1.850_371_707_708_594e-17));
        let root = DoubleFloat::from(2.0_f64).sqrt();
        let residual = root * root - 2.0;
        assert!(residual.high.abs() < 1e-31);
    }

    #[test]
    fn roots_of_zero_and_below() {
        assert_eq!(DoubleFloat::from(0.0_f32).sqrt().high, 0.0);
        assert!(DoubleFloat::from(-1.0_f32).sqrt().high.is_nan());
    }
}
