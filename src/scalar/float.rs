//! `f32` and `f64` as scalars: the functions of `libm`, except for the `f32` sine, cosine and inverse tangent, which are ours.

use super::atan2;
use super::double_constants::{DOUBLE_F32, DOUBLE_F64, DoubleConstants};
use super::real::{Float, Real};
use super::sincos;

/// Implements the traits for a float type, from its bits, its constants and the names of its functions.
macro_rules! float {
    ($float:ident, bits: $bits:ident, mantissa: $mantissa:literal, bias: $bias:literal,
     sin_cos: $sin_cos:path, sin_cos_m1: $sin_cos_m1:path, atan2: $atan2:path,
     Real: { $($real:ident: $real_function:path,)* }, Float: { $($plain:ident: $plain_function:path,)* },
     $($constants:item)*) => {
        impl Real for $float {
            type Base = $float;

            $(
                #[inline]
                fn $real(self) -> Self {
                    $real_function(self)
                }
            )*
            #[inline]
            fn value(self) -> $float {
                self
            }
            #[inline]
            fn sin_cos(self) -> (Self, Self) {
                $sin_cos(self)
            }
            #[inline]
            fn atan2(self, x: Self) -> Self {
                $atan2(self, x)
            }
            #[inline]
            fn abs(self) -> Self {
                $float::from_bits(self.to_bits() & ($bits::MAX >> 1))
            }
        }

        impl Float for $float {
            $($constants)*
            const ZERO: Self = 0.0;
            const NEGATIVE_ZERO: Self = -0.0;
            const EPSILON: Self = $float::EPSILON;
            const MAX: Self = $float::MAX;
            const MIN_POSITIVE: Self = $float::MIN_POSITIVE;
            const INFINITY: Self = $float::INFINITY;
            const NAN: Self = $float::NAN;
            const PI: Self = core::$float::consts::PI;

            $(
                #[inline]
                fn $plain(self) -> Self {
                    $plain_function(self)
                }
            )*
            #[inline]
            fn from_f64(number: f64) -> Self {
                number as $float
            }
            #[inline]
            fn sin_cos_m1(self) -> (Self, Self) {
                $sin_cos_m1(self)
            }
            #[inline]
            fn from_ticks(ticks: u64) -> Self {
                // One instruction of a Cortex-M4F converts 32 bits. For 64 bits it takes 33, in a function that the compiler must not call
                // before it knows that it has to.
                #[cold]
                #[inline(never)]
                fn long(ticks: u64) -> $float {
                    ticks as $float
                }
                if ticks >> 32 == 0 { ticks as u32 as $float } else { long(ticks) }
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
            fn bit_pattern(self) -> u64 {
                u64::from(self.to_bits())
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
            fn copysign(self, sign: Self) -> Self {
                let magnitude = self.to_bits() & ($bits::MAX >> 1);
                $float::from_bits(magnitude | (sign.to_bits() & !($bits::MAX >> 1)))
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

float! {
    f32, bits: u32, mantissa: 23, bias: 127, sin_cos: sincos::sin_cos, sin_cos_m1: sincos::sin_cos_m1, atan2: atan2::atan2,
    Real: {
        sqrt: libm::sqrtf,
        tan: libm::tanf,
        asin: libm::asinf,
        acos: libm::acosf,
        exp: libm::expf,
        ln: libm::logf,
    },
    Float: {
        round: libm::rintf,
        exp_m1: libm::expm1f,
        ln_1p: libm::log1pf,
    },
    const ROOT_EPSILON: Self = 3.452_669_8e-4;
    const FOURTH_ROOT_EPSILON: Self = 1.858_136e-2;
    const PI_LOW: Self = -8.742_278e-8;
    const NEWTON_ITERATIONS: usize = 2;
    const POLISHING_ITERATIONS: usize = 1;
    const SPLITTER: Self = 4097.0;
    const DOUBLE: &'static DoubleConstants<Self> = &DOUBLE_F32;
}

float! {
    f64, bits: u64, mantissa: 52, bias: 1023, sin_cos: libm::sincos, sin_cos_m1: sincos::sin_cos_m1_f64, atan2: libm::atan2,
    Real: {
        sqrt: libm::sqrt,
        tan: libm::tan,
        asin: libm::asin,
        acos: libm::acos,
        exp: libm::exp,
        ln: libm::log,
    },
    Float: {
        round: libm::rint,
        exp_m1: libm::expm1,
        ln_1p: libm::log1p,
    },
    const ROOT_EPSILON: Self = 1.490_116_119_384_765_6e-8;
    const FOURTH_ROOT_EPSILON: Self = 1.220_703_125e-4;
    const PI_LOW: Self = 1.224_646_799_147_353_2e-16;
    const NEWTON_ITERATIONS: usize = 6;
    const POLISHING_ITERATIONS: usize = 2;
    const SPLITTER: Self = 134_217_729.0;
    const DOUBLE: &'static DoubleConstants<Self> = &DOUBLE_F64;
}

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
