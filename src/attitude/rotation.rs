//! Rotations as unit quaternions, and the maps between rotations and rotation vectors.
//!
//! ```text
//!     exp θ = (cos(a/2), θ sin(a/2)/a),    a = |θ|                     the rotation by the angle a about θ
//!     cay θ = (1, θ/2)/√(1 + a²/4)                                     the rotation by 2 atan(a/2) about θ
//!     (exp θ)' = exp θ · Ω  ⇔  θ' = dexp⁻¹(Ω) = Ω + ½ θ×Ω + κ θ×(θ×Ω),   κ = (1 − (a/2) cot(a/2))/a²
//! ```
//!
//! (Hairer, *Solving Differential Equations on Manifolds*, III.3, III.4.) Ω is the angular velocity in the body frame. For |θ| ≤ 1 the
//! sine and the cosine are polynomials in a², without a square root or a division: that is the case of every usual step.

use core::ops::Mul;

use crate::linalg::entries::{each, pairs};
use crate::linalg::written_out::written_out;
use crate::linalg::{FactorError, Matrix, Vector, magnitude, sum_of_products};
use crate::project::{Level, ProjectError, check_rotation, onto_orthogonal};
use crate::scalar::{Float, Real};

/// A rotation, as the unit quaternion (w, x, y, z). It turns vectors of the body frame into the space frame.
///
/// ```
/// use nalgebra::vector;
/// use taut::attitude::Rotation;
///
/// // A quarter turn about z, then one about x: both about the axes of the space frame.
/// let [x, z] = [vector![1.0, 0.0, 0.0], vector![0.0, 0.0, 1.0]].map(|axis| axis * std::f64::consts::FRAC_PI_2);
/// let attitude = Rotation::exp(&x) * Rotation::exp(&z);
/// assert!((attitude.rotate(&vector![1.0, 0.0, 0.0]) - vector![0.0, 0.0, 1.0]).norm() < 1e-15);
/// assert!(((attitude.inverse() * attitude).quaternion() - vector![1.0, 0.0, 0.0, 0.0]).norm() < 1e-15);
/// assert!((attitude.matrix() * attitude.matrix().transpose()).is_identity(1e-15));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation<S>(Vector<S, 4>);

impl<S: Real> Rotation<S> {
    /// The rotation that turns nothing.
    pub fn identity() -> Self {
        Self(plus_one(&Vector::from([S::zero(); 4])))
    }

    /// The rotation by |θ| about θ.
    #[inline]
    pub fn exp(theta: &Vector<S, 3>) -> Self {
        Self(plus_one(&exp_m1(theta)))
    }

    /// The Cayley map: the rotation by 2 atan(|θ|/2) about θ. It agrees with the exponential map up to |θ|³/12.
    #[inline]
    pub fn cayley(theta: &Vector<S, 3>) -> Self {
        Self(plus_one(&cayley_m1(theta)))
    }

    /// Half way to the Cayley map: applied twice, it is [`cayley`](Self::cayley).
    #[inline]
    pub(super) fn half_cayley(theta: &Vector<S, 3>) -> Self {
        let root = (S::one() + half_square(theta)).sqrt();
        let real = root + S::one();
        let scale = S::one() / ((root * real) * S::constant(2.0)).sqrt();
        let [x, y, z] = each(theta, |x| x * S::constant(0.5) * scale).into();
        Self(Vector::from([real * scale, x, y, z]))
    }

    /// The unit quaternion (w, x, y, z).
    #[inline]
    pub fn quaternion(&self) -> &Vector<S, 4> {
        &self.0
    }

    /// A rotation with this quaternion, whose norm must be one up to round-off.
    #[inline]
    pub(super) fn from_unit(quaternion: Vector<S, 4>) -> Self {
        Self(quaternion)
    }

    /// The inverse rotation.
    #[inline]
    pub fn inverse(&self) -> Self {
        let [w, x, y, z] = self.0.into();
        Self(Vector::from([w, -x, -y, -z]))
    }

    /// A vector of the body frame in the space frame.
    #[inline]
    pub fn rotate(&self, vector: &Vector<S, 3>) -> Vector<S, 3> {
        let [w, x, y, z] = self.0.into();
        add(vector, &displaced(w, &Vector::from([x, y, z]), vector))
    }

    /// A vector of the space frame in the body frame.
    #[inline]
    pub fn rotate_back(&self, vector: &Vector<S, 3>) -> Vector<S, 3> {
        self.inverse().rotate(vector)
    }

    /// The rotation as a matrix. Its columns are the axes of the body in the space frame.
    pub fn matrix(&self) -> Matrix<S, 3, 3> {
        let axis = |i| Vector::from_fn(|row, _| if row == i { S::one() } else { S::zero() });
        let [x, y, z] = [0, 1, 2].map(|i| self.rotate(&axis(i)).data.0[0]);
        Matrix::from([x, y, z])
    }

    /// The rotation vector θ with [`exp`](Self::exp)(θ) = this rotation and |θ| ≤ π.
    pub fn log(&self) -> Vector<S, 3> {
        let [w, x, y, z] = self.0.into();
        let sign = if w < S::zero() { -S::one() } else { S::one() };
        let vector = Vector::from([x * sign, y * sign, z * sign]);
        let sine = square(&vector).sqrt();
        // Half the angle over its sine; one where the square has underflowed.
        let factor = if sine > S::zero() { sine.atan2(w * sign) / sine } else { S::one() };
        each(&vector, |x| x * factor * S::constant(2.0))
    }
}

impl<T: Float> Rotation<T> {
    /// From a quaternion (w, x, y, z) of any length, which is normalised. An error if it is zero or not finite.
    pub fn from_quaternion(quaternion: impl Into<Vector<T, 4>>) -> Result<Self, ProjectError<T>> {
        let quaternion = quaternion.into();
        if let Some(index) = quaternion.iter().position(|x| !x.is_finite()) {
            return Err(ProjectError::NonFinite { level: Level::Position, index });
        }
        // Divided by the largest entry, so that no square overflows. A subnormal number has too few digits for a direction.
        let largest = magnitude(&quaternion);
        if largest < T::MIN_POSITIVE {
            let cause = FactorError::SmallPivot { index: 0, pivot: largest, limit: T::MIN_POSITIVE };
            return Err(ProjectError::Constraints(cause));
        }
        let scaled = each(&quaternion, |x| x / largest);
        let norm = square(&scaled).sqrt();
        Ok(Self(each(&scaled, |x| x / norm)))
    }

    /// The rotation nearest to a matrix, by this many iterations of [`onto_orthogonal`]. A matrix that is singular, or whose determinant is
    /// negative, is refused.
    pub fn nearest(matrix: &Matrix<T, 3, 3>, iterations: usize) -> Result<Self, ProjectError<T>> {
        check_rotation(matrix)?;
        Self::from_matrix(&onto_orthogonal(matrix, iterations)?)
    }

    /// From a rotation matrix. Of a matrix that is not orthogonal, take the [nearest rotation](Self::nearest).
    pub fn from_matrix(m: &Matrix<T, 3, 3>) -> Result<Self, ProjectError<T>> {
        let [[xx, yx, zx], [xy, yy, zy], [xz, yz, zz]] = m.data.0;
        let one = T::one();
        // Four times the products of the entries of the quaternion. The row of the largest square has the most digits.
        let products = [
            [one + xx + yy + zz, zy - yz, xz - zx, yx - xy],
            [zy - yz, one + xx - yy - zz, xy + yx, xz + zx],
            [xz - zx, xy + yx, one - xx + yy - zz, yz + zy],
            [yx - xy, xz + zx, yz + zy, one - xx - yy + zz],
        ];
        let [a, b, c, d] = [products[0][0], products[1][1], products[2][2], products[3][3]];
        let [ab, cd] = [if a >= b { (a, 0) } else { (b, 1) }, if c >= d { (c, 2) } else { (d, 3) }];
        let row = if ab.0 >= cd.0 { ab.1 } else { cd.1 };
        Self::from_quaternion(products.get(row).copied().unwrap_or([T::NAN; 4]))
    }
}

/// First the right, then the left rotation, both about axes of the space frame; or first the left, then the right one about axes of the
/// body.
impl<S: Real> Mul for Rotation<S> {
    type Output = Self;

    #[inline]
    fn mul(self, right: Self) -> Self {
        Self(quaternion_product(&self.0, &right.0))
    }
}

#[inline(always)]
pub(super) fn quaternion_product<S: Real>(left: &Vector<S, 4>, right: &Vector<S, 4>) -> Vector<S, 4> {
    let ([[a, b, c, d]], [[w, x, y, z]]) = (left.data.0, right.data.0);
    Vector::from([
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y + c * w + d * x - b * z,
        a * z + d * w + b * y - c * x,
    ])
}

/// What the rotation (w, v) adds to x: 2 w v×x + 2 v×(v×x).
#[inline(always)]
pub(super) fn displaced<S: Real>(w: S, v: &Vector<S, 3>, x: &Vector<S, 3>) -> Vector<S, 3> {
    let half = cross(v, x);
    let twice = pairs(&half, &half, |a, b| a + b);
    pairs(&twice, &cross(v, &twice), |a, b| a * w + b)
}

#[inline(always)]
pub(super) fn cross<S: Real>(a: &Vector<S, 3>, b: &Vector<S, 3>) -> Vector<S, 3> {
    let ([[a, b, c]], [[x, y, z]]) = (a.data.0, b.data.0);
    Vector::from([b * z - c * y, c * x - a * z, a * y - b * x])
}

#[inline(always)]
pub(super) fn add<S: Real, const N: usize>(a: &Vector<S, N>, b: &Vector<S, N>) -> Vector<S, N> {
    pairs(a, b, |a, b| a + b)
}

#[inline(always)]
pub(super) fn square<S: Real, const N: usize>(x: &Vector<S, N>) -> S {
    sum_of_products::<S, N>(|i| (x.data.0[0][i], x.data.0[0][i]))
}

#[inline(always)]
fn half_square<S: Real>(theta: &Vector<S, 3>) -> S {
    square(theta) * S::constant(0.25)
}

#[inline(always)]
fn plus_one<S: Real>(quaternion: &Vector<S, 4>) -> Vector<S, 4> {
    let [w, x, y, z] = (*quaternion).into();
    Vector::from([w + S::one(), x, y, z])
}

/// exp θ − 1, with all its digits near zero.
#[inline(always)]
pub(super) fn exp_m1<S: Real>(theta: &Vector<S, 3>) -> Vector<S, 4> {
    let (cos_m1, sinc) = half_angle(half_square(theta));
    let factor = sinc * S::constant(0.5);
    let [[x, y, z]] = theta.data.0;
    Vector::from([cos_m1, x * factor, y * factor, z * factor])
}

/// cay θ − 1, with all its digits near zero.
#[inline(always)]
pub(super) fn cayley_m1<S: Real>(theta: &Vector<S, 3>) -> Vector<S, 4> {
    let half_square = half_square(theta);
    let root = (S::one() + half_square).sqrt();
    let inverse = S::one() / root;
    let factor = inverse * S::constant(0.5);
    let [[x, y, z]] = theta.data.0;
    Vector::from([-half_square * inverse / (root + S::one()), x * factor, y * factor, z * factor])
}

/// cos b − 1 and (sin b)/b, from b².
#[inline(always)]
fn half_angle<S: Real>(square: S) -> (S, S) {
    if square.value() <= S::Base::from_f64(0.25) {
        // The first neglected term is b¹⁰/10! < 3e-10 in single, b¹⁶/16! < 1e-18 in double precision.
        #[rustfmt::skip]
        const COS: [f64; 7] = [
            -0.5, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, -1.0 / 3_628_800.0, 1.0 / 479_001_600.0, -1.0 / 87_178_291_200.0,
        ];
        #[rustfmt::skip]
        const SIN: [f64; 7] = [
            -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5_040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0, 1.0 / 6_227_020_800.0,
            -1.0 / 1_307_674_368_000.0,
        ];
        (polynomial(&COS, square) * square, polynomial(&SIN, square) * square + S::one())
    } else {
        let angle = square.sqrt();
        let (sin, cos) = angle.sin_cos();
        (cos - S::one(), sin / angle)
    }
}

/// A polynomial by Horner's rule. Single precision needs only the first four terms.
#[inline(always)]
fn polynomial<S: Real, const N: usize>(coefficients: &[f64; N], x: S) -> S {
    let needed = if S::Base::EPSILON > S::Base::from_f64(1e-10) { 4 } else { N };
    let mut sum = None;
    written_out!(down I where I < N => {
        if I < needed {
            let coefficient = S::Base::from_f64(coefficients[I]);
            sum = Some(sum.map_or(S::from(coefficient), |sum: S| sum * x + coefficient));
        }
    });
    sum.unwrap_or(S::zero())
}

/// The rate of the rotation vector θ of a body that turns with the angular velocity `rate`: Ω + ½ θ×Ω + κ θ×(θ×Ω), for |θ| < 2π.
#[inline(always)]
pub fn dexp_inverse<T: Float>(theta: &Vector<T, 3>, rate: &Vector<T, 3>) -> Vector<T, 3> {
    let (x, one) = (square(theta), T::one());
    // The first neglected term of the series, a⁸/1209600, is a twentieth of ε here.
    let kappa = if x <= T::FOURTH_ROOT_EPSILON * T::from_f64(16.0) {
        (x * T::from_f64(1.0 / 30_240.0) + T::from_f64(1.0 / 720.0)) * x + T::from_f64(1.0 / 12.0)
    } else {
        let (cos_m1, sinc) = half_angle(x * T::from_f64(0.25));
        (one - (cos_m1 + one) / sinc) / x
    };
    let first = cross(theta, rate);
    let second = cross(theta, &first);
    let sum = pairs(rate, &first, |rate, first| rate + first * T::from_f64(0.5));
    pairs(&sum, &second, |sum, second| sum + second * kappa)
}
