//! `f32` and `f64` as scalars: the functions of `libm`, except for the `f32` sine, cosine and inverse tangent, which are ours.

use super::atan2;
use super::double_constants::{DOUBLE_F32, DOUBLE_F64, DoubleConstants};
use super::real::{self, Float, Real};
use super::sincos;

macro_rules! float {
    ($float:ident, root_epsilon: $root_epsilon:expr, pi_low: $pi_low:expr, newton: $newton:literal, polishing: $polishing:literal, splitter: $splitter:expr, double: $double:ident, bits: $bits:ident, mantissa: $mantissa:literal,
     bias: $bias:literal, sin_cos: $sin_cos:path, rint: $rint:path,
     $sqrt:path, $tan:path, $asin:path, $acos:path, $atan2:path, $exp:path, $ln:path, $exp_m1:path, $ln_1p:path) => {
        impl Real for $float {
            type Base = $float;

            #[inline]
            fn value(self) -> $float {
                self
            }
            #[inline]
            fn sqrt(self) -> Self {
                $sqrt(self)
            }
            #[inline]
            fn sin_cos(self) -> (Self, Self) {
                $sin_cos(self)
            }
            #[inline]
            fn tan(self) -> Self {
                $tan(self)
            }
            #[inline]
            fn asin(self) -> Self {
                $asin(self)
            }
            #[inline]
            fn acos(self) -> Self {
                $acos(self)
            }
            #[inline]
            fn atan2(self, x: Self) -> Self {
                $atan2(self, x)
            }
            #[inline]
            fn exp(self) -> Self {
                $exp(self)
            }
            #[inline]
            fn ln(self) -> Self {
                $ln(self)
            }
            #[inline]
            fn powi(self, exponent: i32) -> Self {
                real::powi(self, exponent)
            }
            #[inline]
            fn abs(self) -> Self {
                $float::from_bits(self.to_bits() & ($bits::MAX >> 1))
            }
        }

        impl Float for $float {
            const EPSILON: Self = $float::EPSILON;
            const ROOT_EPSILON: Self = $root_epsilon;
            const NEWTON_ITERATIONS: usize = $newton;
            const POLISHING_ITERATIONS: usize = $polishing;
            const MAX: Self = $float::MAX;
            const MIN_POSITIVE: Self = $float::MIN_POSITIVE;
            const INFINITY: Self = $float::INFINITY;
            const NAN: Self = $float::NAN;
            const PI: Self = core::$float::consts::PI;
            const PI_LOW: Self = $pi_low;
            const SPLITTER: Self = $splitter;
            const DOUBLE: &'static DoubleConstants<Self> = &$double;

            #[inline]
            fn from_f64(number: f64) -> Self {
                number as $float
            }
            #[inline]
            fn from_ticks(ticks: u64) -> Self {
                ticks as $float
            }
            #[inline]
            fn to_count(self) -> u32 {
                self as u32
            }
            #[inline]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[inline]
            fn is_finite(self) -> bool {
                Real::abs(self) <= $float::MAX
            }
            #[inline]
            fn is_nan(self) -> bool {
                self != self
            }
            #[inline]
            fn round(self) -> Self {
                $rint(self)
            }
            #[inline]
            fn copysign(self, sign: Self) -> Self {
                let magnitude = self.to_bits() & ($bits::MAX >> 1);
                $float::from_bits(magnitude | (sign.to_bits() & !($bits::MAX >> 1)))
            }
            #[inline]
            fn exp_m1(self) -> Self {
                $exp_m1(self)
            }
            #[inline]
            fn ln_1p(self) -> Self {
                $ln_1p(self)
            }
            #[inline]
            fn power_of_two(n: i32) -> Self {
                if n < 1 - $bias {
                    0.0
                } else if n > $bias {
                    $float::INFINITY
                } else {
                    $float::from_bits(((n + $bias) as $bits) << $mantissa)
                }
            }
        }
    };
}

float!(
    f32,
    root_epsilon: 3.452_669_8e-4,
    pi_low: -8.742_278e-8,
    newton: 2,
    polishing: 1,
    splitter: 4097.0,
    double: DOUBLE_F32,
    bits: u32,
    mantissa: 23,
    bias: 127,
    sin_cos: sincos::sin_cos,
    rint: libm::rintf,
    libm::sqrtf,
    libm::tanf,
    libm::asinf,
    libm::acosf,
    atan2::atan2,
    libm::expf,
    libm::logf,
    libm::expm1f,
    libm::log1pf
);

float!(
    f64,
    root_epsilon: 1.490_116_119_384_765_6e-8,
    pi_low: 1.224_646_799_147_353_2e-16,
    newton: 6,
    polishing: 2,
    splitter: 134_217_729.0,
    double: DOUBLE_F64,
    bits: u64,
    mantissa: 52,
    bias: 1023,
    sin_cos: libm::sincos,
    rint: libm::rint,
    libm::sqrt,
    libm::tan,
    libm::asin,
    libm::acos,
    libm::atan2,
    libm::exp,
    libm::log,
    libm::expm1,
    libm::log1p
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_powers_are_repeated_products() {
        assert_eq!(Real::powi(3.0_f32, 5), 243.0);
        assert_eq!(Real::powi(-2.0_f64, -3), -0.125);
        assert_eq!(Real::powi(0.0_f64, 0), 1.0);
        assert_eq!(Real::powi(1.0_f32, i32::MIN), 1.0);
    }

    #[test]
    fn powers_of_two_are_exact_and_saturate() {
        for n in -126..=127 {
            assert_eq!(f64::from(f32::power_of_two(n)), f64::power_of_two(n));
        }
        assert_eq!(f32::power_of_two(128), f32::INFINITY);
        assert_eq!(f32::power_of_two(-127), 0.0);
        assert_eq!(f64::power_of_two(-1022), f64::MIN_POSITIVE);
    }

    #[test]
    fn only_finite_numbers_are_finite() {
        assert!(Float::is_finite(f32::MAX) && Float::is_finite(-0.0_f64));
        assert!(!Float::is_finite(f32::NEG_INFINITY) && !Float::is_finite(f64::NAN));
        assert!(Float::is_nan(f32::NAN) && !Float::is_nan(f32::INFINITY));
    }
}
