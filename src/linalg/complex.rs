//! Complex numbers, as entries of a matrix that is factorised.
//!
//! The Newton matrix of an implicit Runge–Kutta method with two or three stages becomes block diagonal in the eigenvectors of its
//! coefficients. Two of the eigenvalues are complex conjugates, so one complex N×N matrix takes the place of a real 2N×2N one, at half of
//! the multiplications.

use core::fmt::Debug;
use core::ops::{Add, Mul, Neg, Sub};

use crate::scalar::Float;

/// An entry of a matrix that [`Lu`](super::Lu) factorises: a float, or a complex number.
pub trait Entry:
    Copy + Debug + PartialEq + 'static + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// The float that it consists of.
    type Base: Float;

    /// A real number.
    fn real(number: Self::Base) -> Self;

    /// The larger of |Re x| and |Im x|. Infinite or NaN if the entry is not finite.
    fn size(self) -> Self::Base;

    /// 1/x.
    fn inverse(self) -> Self;

    /// x a.
    fn scaled(self, factor: Self::Base) -> Self;
}

impl<T: Float> Entry for T {
    type Base = T;

    #[inline(always)]
    fn real(number: T) -> T {
        number
    }
    #[inline(always)]
    fn size(self) -> T {
        self.abs()
    }
    #[inline(always)]
    fn inverse(self) -> T {
        T::one() / self
    }
    #[inline(always)]
    fn scaled(self, factor: T) -> T {
        self * factor
    }
}

/// A complex number.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Complex<T> {
    /// The real part.
    pub re: T,
    /// The imaginary part.
    pub im: T,
}

impl<T: Float> Add for Complex<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

impl<T: Float> Sub for Complex<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

impl<T: Float> Mul for Complex<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

impl<T: Float> Neg for Complex<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { re: -self.re, im: -self.im }
    }
}

impl<T: Float> Entry for Complex<T> {
    type Base = T;

    #[inline(always)]
    fn real(number: T) -> Self {
        Self { re: number, im: T::zero() }
    }
    #[inline(always)]
    fn size(self) -> T {
        let (re, im) = (self.re.abs(), self.im.abs());
        // A NaN must not be lost in the comparison.
        if im > re || im.is_nan() { im } else { re }
    }
    /// Scaled by the larger part, so that squares neither overflow nor vanish.
    #[inline(always)]
    fn inverse(self) -> Self {
        let scale = T::one() / self.size();
        let (re, im) = (self.re * scale, self.im * scale);
        let factor = scale / (re * re + im * im);
        Self { re: re * factor, im: -im * factor }
    }
    #[inline(always)]
    fn scaled(self, factor: T) -> Self {
        Self { re: self.re * factor, im: self.im * factor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{FactorError, Lu, Matrix, Vector};

    const fn c(re: f64, im: f64) -> Complex<f64> {
        Complex { re, im }
    }

    #[test]
    fn a_complex_system_is_solved() {
        let a = Matrix::<Complex<f64>, 2, 2>::from([[c(0.0, 0.0), c(2.0, 1.0)], [c(1.0, -1.0), c(3.0, 0.0)]]);
        // x = (1, i): the columns of a are those above.
        let b = Vector::from([c(1.0, 1.0), c(2.0, 4.0)]);
        let x = Lu::factor(a).unwrap().solve(b);
        for (found, exact) in x.iter().zip([c(1.0, 0.0), c(0.0, 1.0)]) {
            // A few roundings.
            assert!((*found - exact).size() < 1e-15, "{found:?}");
        }
        let singular = Matrix::<Complex<f64>, 2, 2>::from([[c(1.0, 1.0), c(2.0, 2.0)], [c(0.0, 1.0), c(0.0, 2.0)]]);
        assert!(matches!(Lu::factor(singular), Err(FactorError::SmallPivot { index: 1, .. })));
        let bad = Matrix::<Complex<f64>, 1, 1>::from([[c(f64::NAN, 1.0)]]);
        assert_eq!(Lu::factor(bad), Err(FactorError::NonFinite { index: 0 }));
        let bad = Matrix::<Complex<f64>, 1, 1>::from([[c(1.0, f64::NAN)]]);
        assert_eq!(Lu::factor(bad), Err(FactorError::NonFinite { index: 0 }));
    }

    #[test]
    fn neither_large_nor_small_numbers_lose_their_inverse() {
        for size in [1e-200, 1.0, 1e200] {
            let x = c(3.0 * size, -4.0 * size);
            assert!((x * x.inverse() - c(1.0, 0.0)).size() < 1e-15);
        }
    }
}
