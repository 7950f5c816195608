//! The four-bar linkage in natural coordinates: two points, no angles.

use nalgebra::{matrix, vector};
use taut::linalg::{FactorError, Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Mechanical, Pattern, Points};

/// Crank, coupler, rocker and ground in metres, as in [`FourBar`](crate::FourBar).
const LENGTHS: [f64; 4] = [0.2, 0.7, 0.6, 0.8];

/// q = (A, B): the end of the crank and the end of the rocker. The pivots are at the origin and at (0.8, 0) = D; the rods are uniform, 1 kg/m.
///
/// ```text
///     0 = (|A|² − a²)/2,    0 = (|B − A|² − b²)/2,    0 = (|B − D|² − c²)/2
/// ```
///
/// The linkage of [`FourBar`](crate::FourBar) with four coordinates instead of nine, a constant mass and no sine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FourBarPoints<T> {
    /// The acceleration of gravity.
    pub gravity: T,
    mass: Points<T, 2, 2>,
}

impl<T: Float> FourBarPoints<T> {
    /// Under 9.81 m/s². An error if a mass is not positive.
    pub fn standard() -> Result<Self, FactorError<T>> {
        let [crank, coupler, rocker, _] = LENGTHS;
        let third = |mass: f64| T::from_f64(mass / 3.0);
        let between = T::from_f64(coupler / 6.0);
        let mass = Points::new(matrix![third(crank + coupler), between; between, third(coupler + rocker)])?;
        Ok(Self { gravity: T::from_f64(9.81), mass })
    }

    /// The points of a [`FourBar`](crate::FourBar): the centres of crank and rocker are halfway between their ends.
    pub fn position(bodies: &Vector<T, 9>) -> [T; 4] {
        let [ax, ay, bx, by] = Self::velocity(bodies);
        [ax, ay, bx - T::from_f64(LENGTHS[3]), by]
    }

    /// The velocities of the points from those of a [`FourBar`](crate::FourBar).
    pub fn velocity(bodies: &Vector<T, 9>) -> [T; 4] {
        [bodies[0], bodies[1], bodies[6], bodies[7]].map(|x| x + x)
    }

    /// The vectors along crank, coupler and rocker, with the distance of the pivots or, for velocities, zero.
    #[inline(always)]
    fn rods<S: Real<Base = T>>(q: &Vector<S, 4>, ground: T) -> [[S; 2]; 3] {
        [[q[0], q[1]], [q[2] - q[0], q[3] - q[1]], [q[2] - ground, q[3]]]
    }
}

impl<T: Float> Mechanical<4, 3> for FourBarPoints<T> {
    type Base = T;
    type Mass = Points<T, 2, 2>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;
    const PATTERN: Pattern<4, 3> = Pattern::rows(["xx..", "xxxx", "..xx"]);

    #[inline]
    fn mass(&self) -> Points<T, 2, 2> {
        self.mass
    }

    /// Half the weight of a rod acts at each of its ends.
    #[inline]
    fn force<S: Real<Base = T>>(&self, _t: S, _q: &Vector<S, 4>, _v: &Vector<S, 4>) -> Vector<S, 4> {
        let [crank, coupler, rocker, _] = LENGTHS;
        let weight = |rods: f64| S::from(-self.gravity * T::from_f64(rods / 2.0));
        vector![S::zero(), weight(crank + coupler), S::zero(), weight(coupler + rocker)]
    }

    #[inline]
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 4>) -> Vector<S, 3> {
        let rods = Self::rods(q, T::from_f64(LENGTHS[3]));
        let stretch = |rod: usize| {
            let ([x, y], length) = (rods[rod], T::from_f64(LENGTHS[rod]));
            (x * x + y * y - length * length) * T::from_f64(0.5)
        };
        vector![stretch(0), stretch(1), stretch(2)]
    }

    #[inline]
    fn jacobian(&self, _t: T, q: &Vector<T, 4>) -> Matrix<T, 3, 4> {
        let ([[ax, ay], [x, y], [bx, by]], o) = (Self::rods(q, T::from_f64(LENGTHS[3])), T::zero());
        matrix![ax, ay, o, o; -x, -y, x, y; o, o, bx, by]
    }

    #[inline]
    fn acceleration_terms(&self, _t: T, _q: &Vector<T, 4>, v: &Vector<T, 4>) -> Vector<T, 3> {
        let [a, along, b] = Self::rods(v, T::zero()).map(|[x, y]| x * x + y * y);
        vector![a, along, b]
    }
}
