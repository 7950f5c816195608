//! Sine and cosine of an `f32`, both at once, in single precision throughout.
//!
//! The angle is reduced to r in [−π/4, π/4] by Cody and Waite's three-part π/2, then two short minimax polynomials give
//! sin r and cos r, and the quadrant says which is which.
//!
//! - |x| ≤ 3215: absolute error at most 1e-7 (measured 5.9e-8), at most 2 units in the last place near the zeros within
//!   |x| ≤ π.
//! - Beyond, up to the largest float: Payne and Hanek's reduction in 64-bit integers, at a higher price; absolute error
//!   at most 1.5e-7, because r is rounded twice more.
//! - NaN and ±∞ give NaN.

/// 2²³ + 2048: adding it leaves a number's nearest whole number k, plus 2048, in the low bits of the significand.
const ROUND: f32 = 8_390_656.0;

/// The bits of 2²³: what is above them is k + 2048 if −2048 ≤ k < 2048, and no such number for any other sum.
const ROUND_BASE: u32 = 8_388_608.0_f32.to_bits();

/// π/2 in three parts. Eight and thirteen significant bits, so that k times the first two is exact for k < 2048.
const HALF_PI: [f32; 3] = [1.570_312_5, 4.838_109e-4, 1.589_325_5e-8];

/// (r − sin r)/r³ as a polynomial in r², error of the sine 8e-11 on [−π/4, π/4].
const SIN: [f32; 4] = [0.166_666_67, -0.008_333_37, 0.000_198_492_55, -2.795_038_9e-6];

/// (cos r − 1 + r²/2)/r⁴ as a polynomial in r², error of the cosine 3e-11 on [−π/4, π/4].
const COS: [f32; 4] = [0.041_666_668, -0.001_388_892_4, 2.479_933_4e-5, -2.663_249_8e-7];

/// Sine and cosine of an angle in radians.
///
/// Not inlined: of two calls with the same angle, in a constraint and in its Jacobian, the compiler keeps one. It does not find two
/// inlined copies to be the same, because of their branches.
#[inline(never)]
pub(super) fn sin_cos(x: f32) -> (f32, f32) {
    let shifted = x * core::f32::consts::FRAC_2_PI + ROUND;
    let quadrant = shifted.to_bits().wrapping_sub(ROUND_BASE);
    let (r, excess, quadrant) = if quadrant < 4096 {
        let k = shifted - ROUND;
        // The first two products and differences are exact. The last difference rounds r by up to 3e-8, in the same direction for a
        // whole range of angles: floats near π are spaced wider than floats near r. `excess` is what it adds.
        let (rest, last) = ((x - k * HALF_PI[0]) - k * HALF_PI[1], k * HALF_PI[2]);
        let r = rest - last;
        (r, last - (rest - r), quadrant)
    } else {
        let (r, quadrant) = reduce_integer(x);
        (r, 0.0, quadrant)
    };

    let z = r * r;
    // Sine and cosine of r − excess. The small terms are added first.
    let sin_rest = (((SIN[3] * z + SIN[2]) * z + SIN[1]) * z + SIN[0]) * z * r;
    let cos =
        1.0 - (z * 0.5 - ((((COS[3] * z + COS[2]) * z + COS[1]) * z + COS[0]) * (z * z) + excess * (r - sin_rest)));
    let sin = r - (sin_rest + excess * cos);

    // A turn by π/2 takes (sin, cos) to (cos, −sin), a turn by π changes both signs. The shifts leave the sign bit alone: what
    // they shift is even.
    if quadrant & 1 == 0 {
        (flip(sin, quadrant << 30), flip(cos, quadrant << 30))
    } else {
        (flip(cos, quadrant.wrapping_sub(1) << 30), flip(sin, quadrant.wrapping_add(1) << 30))
    }
}

/// sin x and cos x − 1, with all their digits also near zero. The half-angle formulas would round cos (x/2) near one, in the same
/// direction for all angles that differ by little.
#[inline]
pub(super) fn sin_cos_m1(x: f32) -> (f32, f32) {
    if x.abs() <= core::f32::consts::FRAC_PI_4 {
        let z = x * x;
        let sin = x - (((SIN[3] * z + SIN[2]) * z + SIN[1]) * z + SIN[0]) * z * x;
        (sin, ((((COS[3] * z + COS[2]) * z + COS[1]) * z + COS[0]) * z - 0.5) * z)
    } else {
        let (half_sin, half_cos) = sin_cos(x * 0.5);
        (half_sin * half_cos * 2.0, half_sin * half_sin * -2.0)
    }
}

/// The same of an `f64`.
#[inline]
pub(super) fn sin_cos_m1_f64(x: f64) -> (f64, f64) {
    let (half_sin, half_cos) = libm::sincos(x * 0.5);
    (half_sin * half_cos * 2.0, half_sin * half_sin * -2.0)
}

/// Changes the sign of a number if the sign bit is set in `sign`.
#[inline(always)]
fn flip(number: f32, sign: u32) -> f32 {
    f32::from_bits(number.to_bits() ^ sign)
}

/// The bits of 2/π, behind 32 zeros so that a window may begin before the binary point.
const TWO_OVER_PI: [u32; 8] =
    [0, 0xa2f9_836e, 0x4e44_1529, 0xfc27_57d1, 0xf534_ddc0, 0xdb62_9599, 0x3c43_9041, 0xfe51_63ab];

/// x = r + quadrant · π/2, the quadrant in the two lowest bits of the second result, for |x| > 2¹¹ up to the largest float.
///
/// |x| = m 2ᵉ with a whole m. Bits of 2ᵉ · 2/π that weigh 4 or more only add whole turns, so a window of 64 bits
/// from weight 2 down gives |x| · 2/π modulo 4 with an error below 2⁻³⁸.
#[cold]
#[inline(never)]
fn reduce_integer(x: f32) -> (f32, u32) {
    let bits = x.to_bits();
    let exponent = (bits >> 23) & 0xff;
    if exponent == 0xff {
        return (f32::NAN, 0);
    }
    let significand = u64::from((bits & 0x7f_ffff) | 0x80_0000);
    // The bit of weight 2 stands 30 + e places into the table: 32 zeros, then weight 1/2 of 2/π.
    let start = (exponent + 30).saturating_sub(150);
    let word = |i: u32| u64::from(TWO_OVER_PI.get(i as usize).copied().unwrap_or(0));
    let first = start / 32;
    let shift = start % 32;
    let high = (word(first) << 32) | word(first + 1);
    let window = if shift == 0 { high } else { (high << shift) | (word(first + 2) >> (32 - shift)) };

    let turns = significand.wrapping_mul(window);
    let quadrant = turns.wrapping_add(1 << 61) >> 62;
    let fraction = turns.wrapping_sub(quadrant << 62) as i64;
    const SCALE: f32 = core::f32::consts::FRAC_PI_2 / (1_u64 << 62) as f32;
    let r = fraction as f32 * SCALE;
    if bits >> 31 == 0 { (r, quadrant as u32) } else { (-r, (quadrant as u32).wrapping_neg()) }
}

#[cfg(test)]
mod tests {
    use super::sin_cos;

    /// Sweeps the floats of a range in equal strides of their bit patterns, both signs.
    fn sweep(from: f32, to: f32, points: u32, mut check: impl FnMut(f32)) {
        let (from, to) = (from.to_bits(), to.to_bits());
        for i in 0..=points {
            let bits = from + (u64::from(to - from) * u64::from(i) / u64::from(points)) as u32;
            check(f32::from_bits(bits));
            check(-f32::from_bits(bits));
        }
    }

    fn assert_within(x: f32, limit: f64) {
        let (sin, cos) = sin_cos(x);
        let (exact_sin, exact_cos) = libm::sincos(f64::from(x));
        let error = (f64::from(sin) - exact_sin).abs().max((f64::from(cos) - exact_cos).abs());
        assert!(error <= limit, "x = {x:e}: error {error:e}");
    }

    #[test]
    fn error_is_at_most_1e_7_up_to_a_thousand() {
        sweep(1e-3, 1000.0, 2_000_000, |x| assert_within(x, 1e-7));
        for i in 0..2_000_000 {
            assert_within(i as f32 * 5e-4, 1e-7);
        }
    }

    #[test]
    fn error_stays_small_for_every_larger_angle() {
        sweep(1000.0, 3215.0, 2_000_000, |x| assert_within(x, 1e-7));
        // r carries two more relative errors, 2⁻²⁴ of the conversion and 2.8e-8 of π/2, and |r cos r| ≤ 0.56.
        sweep(3215.0, f32::MAX, 2_000_000, |x| assert_within(x, 1.5e-7));
    }

    #[test]
    fn zeros_within_pi_are_good_to_two_ulp() {
        let ulp = |x: f64| f64::from((x.abs() as f32).next_up()) - f64::from(x.abs() as f32);
        let check = |x: f32| {
            let (sin, cos) = sin_cos(x);
            let (exact_sin, exact_cos) = libm::sincos(f64::from(x));
            let sin_error = (f64::from(sin) - exact_sin).abs() / ulp(exact_sin);
            let cos_error = (f64::from(cos) - exact_cos).abs() / ulp(exact_cos);
            assert!(sin_error <= 2.0 && cos_error <= 2.0, "x = {x:e}: {sin_error} and {cos_error} ulp");
        };
        sweep(1e-30, core::f32::consts::PI, 3_000_000, check);
        // Every float in a neighbourhood of the zeros of the cosine and the sine.
        for zero in [core::f32::consts::FRAC_PI_2, core::f32::consts::PI] {
            for offset in 0..100_000 {
                check(f32::from_bits(zero.to_bits() - offset));
            }
        }
        check(core::f32::consts::FRAC_PI_2.next_up());
    }

    #[test]
    fn special_values() {
        for x in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let (sin, cos) = sin_cos(x);
            assert!(sin.is_nan() && cos.is_nan());
        }
        assert_eq!(sin_cos(0.0).0.to_bits(), 0.0_f32.to_bits());
        assert_eq!(sin_cos(-0.0).0.to_bits(), (-0.0_f32).to_bits());
        assert_eq!(sin_cos(0.0).1, 1.0);
        let tiny = f32::from_bits(1);
        assert_eq!(sin_cos(tiny), (tiny, 1.0));
    }

    #[test]
    fn sine_is_odd_and_cosine_even_bit_for_bit() {
        // Except where k is 2048 on one side only, and the two reductions meet.
        let at_the_seam = |x: f32| (3215.0..3218.0).contains(&x.abs());
        sweep(1e-10, f32::MAX, 100_000, |x| {
            if at_the_seam(x) {
                return;
            }
            let ((s, c), (sn, cn)) = (sin_cos(x), sin_cos(-x));
            assert_eq!(s.to_bits(), (-sn).to_bits());
            assert_eq!(c.to_bits(), cn.to_bits());
        });
    }
}
