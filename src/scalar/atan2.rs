//! The angle of a point, in single precision, with the same operations wherever the point is.
//!
//! ```text
//!     atan r = r + r³ P(r²),    r = min(|x|, |y|)/max(|x|, |y|)
//! ```
//!
//! The octant gives the angle that this is added to or subtracted from. The `atan2f` of `libm` has separate branches for the axes, for
//! small angles and for five intervals: a rope that hangs straight down would cost less than one that swings.
//!
//! At most 2 units in the last place off (measured 1.6). Zeros and infinities have the angles of IEEE 754, NaN gives NaN.

use core::f32::consts::{FRAC_PI_2, PI};

use super::real::{Float, Real};

/// (atan r − r)/r³ as a polynomial in r²: minimax for the relative error of atan r on [0, 1], 1.7e-8.
const ARCTANGENT: [f32; 8] = [
    -0.333_331_53,
    0.199_937_73,
    -0.142_110_56,
    0.106_660_046,
    -0.075_522_14,
    0.043_211_86,
    -0.016_367_927,
    0.002_920_691_9,
];

/// π/2 and π less their floats.
const FRAC_PI_2_LOW: f32 = -4.371_139e-8;
const PI_LOW: f32 = -8.742_278e-8;

/// The angle of the point (x, y) from the x axis, in (−π, π].
#[inline]
pub(super) fn atan2(y: f32, x: f32) -> f32 {
    let (up, along) = (Real::abs(y), Real::abs(x));
    let (steep, behind) = (up > along, x.is_sign_negative());
    let (small, large) = if steep { (along, up) } else { (up, along) };
    let mut ratio = small / large;
    // The quotient of two zeros or two infinities is NaN.
    if small == large {
        ratio = if large == 0.0 { 0.0 } else { 1.0 };
    }

    let z = ratio * ratio;
    let mut sum = ARCTANGENT[7];
    for coefficient in ARCTANGENT[..7].iter().rev() {
        sum = sum * z + coefficient;
    }
    let angle = sum * z * ratio + ratio;

    let (high, low) = match (steep, behind) {
        (false, false) => (0.0, 0.0),
        (true, _) => (FRAC_PI_2, FRAC_PI_2_LOW),
        (false, true) => (PI, PI_LOW),
    };
    let angle = high + (low + if steep == behind { angle } else { -angle });
    Float::copysign(angle, y)
}

#[cfg(test)]
mod tests {
    use super::atan2;

    /// How many units in the last place it is off.
    fn error(y: f32, x: f32) -> f64 {
        let exact = libm::atan2(f64::from(y), f64::from(x));
        let near = (exact.abs() as f32).max(f32::MIN_POSITIVE);
        (f64::from(atan2(y, x)) - exact).abs() / (f64::from(near.next_up()) - f64::from(near))
    }

    #[test]
    fn error_is_at_most_two_ulp() {
        let mut worst = 0.0_f64;
        let mut check = |y: f32, x: f32| worst = worst.max(error(y, x));
        // All around, at radii of every size, and along the axes and diagonals.
        for i in 0..1_000_000 {
            let angle = f64::from(i) * (core::f64::consts::TAU / 1e6);
            let radius = f64::from(f32::from_bits(0x0100_0000 + (i as u32).wrapping_mul(2_654_435_761) % 0x7d00_0000));
            let (sin, cos) = libm::sincos(angle);
            check((radius * sin) as f32, (radius * cos) as f32);
        }
        for i in 0..1_000_000_u32 {
            let tiny = f32::from_bits(i * 1_065);
            for x in [1.0, -1.0, 3.0, -0.7] {
                check(tiny, x);
                check(x, tiny);
                check(-tiny, x);
            }
        }
        assert!(worst <= 2.0, "{worst}");
    }

    #[test]
    fn special_points_have_the_angles_of_ieee_754() {
        let numbers = [0.0, f32::from_bits(1), f32::MIN_POSITIVE, 1e-30, 1.0, 1e30, f32::MAX, f32::INFINITY];
        for y in numbers {
            for x in numbers {
                for (y, x) in [(y, x), (-y, x), (y, -x), (-y, -x)] {
                    let (ours, theirs) = (atan2(y, x), libm::atan2f(y, x));
                    assert!(
                        (ours - theirs).abs() <= theirs.abs() * f32::EPSILON
                            && ours.is_sign_negative() == theirs.is_sign_negative(),
                        "atan2({y:e}, {x:e}) = {ours:e}, not {theirs:e}"
                    );
                }
            }
            assert!(atan2(f32::NAN, y).is_nan() && atan2(y, f32::NAN).is_nan());
            assert!(atan2(f32::NAN, -y).is_nan() && atan2(-y, f32::NAN).is_nan());
        }
    }

    #[test]
    fn the_diagonal_is_an_eighth_of_a_turn() {
        assert_eq!(atan2(2.0, 2.0), core::f32::consts::FRAC_PI_4);
        assert_eq!(atan2(f32::MAX, f32::MAX), core::f32::consts::FRAC_PI_4);
        assert_eq!(atan2(1.0, 0.0), core::f32::consts::FRAC_PI_2);
        assert_eq!(atan2(0.0, -1.0), core::f32::consts::PI);
    }
}
