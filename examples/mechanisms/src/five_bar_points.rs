//! The five-bar linkage in natural coordinates: three points, no angles.

use nalgebra::{matrix, vector};
use taut::linalg::{FactorError, Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Mechanical, Pattern, Points};

use crate::FiveBar;

/// q = (A, B, P): the elbows and the tip. The motors stand at (∓d, 0); proximal rods of length l, distal rods of length L, all uniform.
///
/// ```text
///     0 = (|A − A₀|² − l²)/2,    0 = (|B − B₀|² − l²)/2,    0 = (|P − A|² − L²)/2,    0 = (|P − B|² − L²)/2
/// ```
///
/// The linkage of a [`FiveBar`] with a constant mass and no sine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiveBarPoints<T> {
    /// The lengths and the masses.
    linkage: FiveBar<T>,
    mass: Points<T, 3, 2>,
}

impl<T: Float> FiveBarPoints<T> {
    /// The linkage as points. An error if a mass is not positive.
    pub fn new(linkage: FiveBar<T>) -> Result<Self, FactorError<T>> {
        let (third, o) = (T::from_f64(1.0 / 3.0), T::zero());
        let between = linkage.distal_mass * T::from_f64(1.0 / 6.0);
        let elbow = (linkage.proximal_mass + linkage.distal_mass) * third;
        let tip = linkage.tip_mass + (linkage.distal_mass + linkage.distal_mass) * third;
        let mass = Points::new(matrix![elbow, o, between; o, elbow, between; between, between, tip])?;
        Ok(Self { linkage, mass })
    }

    /// The vectors along the proximal and the distal rods, with half the distance of the motors or, for velocities, zero.
    #[inline(always)]
    fn rods<S: Real<Base = T>>(q: &Vector<S, 6>, half_base: T) -> [[S; 2]; 4] {
        [[q[0] + half_base, q[1]], [q[2] - half_base, q[3]], [q[4] - q[0], q[5] - q[1]], [q[4] - q[2], q[5] - q[3]]]
    }
}

impl<T: Float> Mechanical<6, 4> for FiveBarPoints<T> {
    type Base = T;
    type Mass = Points<T, 3, 2>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;
    const PATTERN: Pattern<6, 4> = Pattern::rows(["xx....", "..xx..", "xx..xx", "..xxxx"]);

    #[inline]
    fn mass(&self) -> Points<T, 3, 2> {
        self.mass
    }

    /// Half the weight of a rod acts at each of its ends.
    #[inline]
    fn force<S: Real<Base = T>>(&self, _t: S, _q: &Vector<S, 6>, _v: &Vector<S, 6>) -> Vector<S, 6> {
        let FiveBar { proximal_mass, distal_mass, tip_mass, gravity, .. } = self.linkage;
        let (o, half) = (S::zero(), T::from_f64(0.5));
        let elbow = S::from(-(proximal_mass + distal_mass) * half * gravity);
        vector![o, elbow, o, elbow, o, S::from(-(tip_mass + distal_mass) * gravity)]
    }

    #[inline]
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 6>) -> Vector<S, 4> {
        let FiveBar { half_base, proximal, distal, .. } = self.linkage;
        let stretch = |[x, y]: [S; 2], length: T| (x * x + y * y - length * length) * T::from_f64(0.5);
        let [a, b, c, d] = Self::rods(q, half_base);
        vector![stretch(a, proximal), stretch(b, proximal), stretch(c, distal), stretch(d, distal)]
    }

    #[inline]
    fn jacobian(&self, _t: T, q: &Vector<T, 6>) -> Matrix<T, 4, 6> {
        let ([[ax, ay], [bx, by], [cx, cy], [dx, dy]], o) = (Self::rods(q, self.linkage.half_base), T::zero());
        matrix![ax, ay, o, o, o, o; o, o, bx, by, o, o; -cx, -cy, o, o, cx, cy; o, o, -dx, -dy, dx, dy]
    }

    #[inline]
    fn acceleration_terms(&self, _t: T, _q: &Vector<T, 6>, v: &Vector<T, 6>) -> Vector<T, 4> {
        let [a, b, c, d] = Self::rods(v, T::zero()).map(|[x, y]| x * x + y * y);
        vector![a, b, c, d]
    }
}
