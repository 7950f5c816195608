//! A four-bar linkage in maximal coordinates.

use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Diagonal, Equations, Mechanical, Pattern};

use crate::HandWritten;

/// Half the length of crank, coupler and rocker; the rods are uniform, 1 kg/m.
const HALF: [f64; 3] = [0.1, 0.35, 0.3];

/// The mass of each rod for x and y, and its moment of inertia for θ.
const MASSES: [f64; 9] = {
    let (mut masses, mut rod) = ([0.0; 9], 0);
    while rod < 3 {
        let length = 2.0 * HALF[rod];
        masses[3 * rod] = length;
        masses[3 * rod + 1] = length;
        masses[3 * rod + 2] = length * length * length / 12.0;
        rod += 1;
    }
    masses
};

/// Half the lengths in a scalar. Entry by entry: optimised for size, `map` would convert them in every step.
#[inline(always)]
fn half_lengths<T: Float>() -> [T; 3] {
    [T::from_f64(HALF[0]), T::from_f64(HALF[1]), T::from_f64(HALF[2])]
}

/// The distance of the two ground pivots.
const GROUND: f64 = 0.8;

/// Crank 0.2 m, coupler 0.7 m, rocker 0.6 m, ground 0.8 m; each rod by (x, y, θ) of its centre; gravity along −y.
///
/// Constraints: both components of the joints ground–crank, crank–coupler, coupler–rocker, rocker–ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FourBar<T> {
    /// The acceleration of gravity.
    pub gravity: T,
}

impl<T: Float> FourBar<T> {
    /// Under 9.81 m/s².
    pub fn standard() -> Self {
        Self { gravity: T::from_f64(9.81) }
    }

    /// A guess with the crank at 90° and the coupler above, for `start` to assemble.
    pub fn guess() -> [T; 9] {
        // The crank's end is at (0, 0.2), the rocker's at distance 0.6 from (0.8, 0) and 0.7 from there.
        [0.0, 0.1, 1.571, 0.32, 0.34, 0.4, 0.72, 0.24, 1.83].map(T::from_f64)
    }

    /// A guess with the crank at 90° and the coupler below, the other branch.
    pub fn guess_below() -> [T; 9] {
        [0.0, 0.1, 1.571, 0.2, -0.1, -1.0, 0.6, -0.2, -2.4].map(T::from_f64)
    }

    /// The velocity at an assembled position with the crank turning at 10 rad/s.
    pub fn turning(q: &Vector<T, 9>) -> [T; 9] {
        let half = half_lengths::<T>();
        let [one, two, three] = [q[2], q[5], q[8]];
        // The loop crank + coupler = ground + rocker, differentiated, along the rocker and along the coupler.
        let crank = T::from_f64(10.0);
        let across = half[0] * crank / (two - three).sin();
        let coupler = across * (three - one).sin() / half[1];
        let rocker = across * (two - one).sin() / half[2];
        let centre = |angle: T, half: T, rate: T| {
            let (sin, cos) = angle.sin_cos();
            [-sin * half * rate, cos * half * rate]
        };
        let (first, second, third) =
            (centre(one, half[0], crank), centre(two, half[1], coupler), centre(three, half[2], rocker));
        let end = [first[0] + first[0], first[1] + first[1]];
        [first[0], first[1], crank, end[0] + second[0], end[1] + second[1], coupler, third[0], third[1], rocker]
    }

    /// Kinetic plus potential energy, evaluated in double precision.
    pub fn energy(&self, q: &Vector<T, 9>, v: &Vector<T, 9>) -> f64 {
        let mut energy = 0.0;
        for i in 0..9 {
            energy += MASSES[i] * v[i].to_f64() * v[i].to_f64() / 2.0;
        }
        for rod in 0..3 {
            energy += MASSES[3 * rod] * self.gravity.to_f64() * q[3 * rod + 1].to_f64();
        }
        energy
    }
}

impl<T: Float> Mechanical<9, 8> for FourBar<T> {
    type Base = T;
    type Mass = Diagonal<T, 9>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;
    const ANGLES: [bool; 9] = [false, false, true, false, false, true, false, false, true];
    const PATTERN: Pattern<9, 8> = Pattern::rows([
        "x.x......",
        ".xx......",
        "x.xx.x...",
        ".xx.xx...",
        "...x.xx.x",
        "....xx.xx",
        "......x.x",
        ".......xx",
    ]);

    #[inline]
    fn mass(&self) -> Diagonal<T, 9> {
        let mass = |i: usize| T::from_f64(MASSES[i]);
        Diagonal::new([mass(0), mass(1), mass(2), mass(3), mass(4), mass(5), mass(6), mass(7), mass(8)])
    }

    #[inline]
    fn force<S: Real<Base = T>>(&self, _t: S, _q: &Vector<S, 9>, _v: &Vector<S, 9>) -> Vector<S, 9> {
        let weight = |rod: usize| S::from(-self.gravity * T::from_f64(2.0 * HALF[rod]));
        let zero = S::zero();
        vector![zero, weight(0), zero, zero, weight(1), zero, zero, weight(2), zero]
    }

    #[inline(always)]
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 9>) -> Vector<S, 8> {
        let half = half_lengths::<T>();
        let (s1, c1) = q[2].sin_cos();
        let (s2, c2) = q[5].sin_cos();
        let (s3, c3) = q[8].sin_cos();
        vector![
            q[0] - c1 * half[0],
            q[1] - s1 * half[0],
            q[0] + c1 * half[0] - q[3] + c2 * half[1],
            q[1] + s1 * half[0] - q[4] + s2 * half[1],
            q[3] + c2 * half[1] - q[6] - c3 * half[2],
            q[4] + s2 * half[1] - q[7] - s3 * half[2],
            q[6] - c3 * half[2] - T::from_f64(GROUND),
            q[7] - s3 * half[2]
        ]
    }
}

impl<T: Float> HandWritten<9, 8> for FourBar<T> {
    #[inline(always)]
    fn jacobian_by_hand(&self, _t: T, q: &Vector<T, 9>) -> Matrix<T, 8, 9> {
        Turned::at(self, q).jacobian()
    }

    #[inline(always)]
    fn acceleration_terms_by_hand(&self, _t: T, q: &Vector<T, 9>, v: &Vector<T, 9>) -> Vector<T, 8> {
        Turned::at(self, q).acceleration_terms(v)
    }

    #[inline(always)]
    fn equations_by_hand<'a>(&'a self, _t: T, q: &'a Vector<T, 9>) -> impl Equations<T, 9, 8> {
        Turned::at(self, q)
    }
}

/// The linkage at one configuration, with the sine and cosine of each angle.
struct Turned<'a, T> {
    linkage: &'a FourBar<T>,
    q: &'a Vector<T, 9>,
    sines: [(T, T); 3],
}

impl<'a, T: Float> Turned<'a, T> {
    #[inline(always)]
    fn at(linkage: &'a FourBar<T>, q: &'a Vector<T, 9>) -> Self {
        Self { linkage, q, sines: [q[2].sin_cos(), q[5].sin_cos(), q[8].sin_cos()] }
    }
}

impl<T: Float> Equations<T, 9, 8> for Turned<'_, T> {
    #[inline(always)]
    fn mass_matrix(&self) -> Matrix<T, 9, 9> {
        self.linkage.mass_matrix(self.q)
    }

    #[inline(always)]
    fn force(&self, v: &Vector<T, 9>) -> Vector<T, 9> {
        self.linkage.force(T::zero(), self.q, v)
    }

    #[inline(always)]
    fn jacobian(&self) -> Matrix<T, 8, 9> {
        let (half, [(sin_1, cos_1), (sin_2, cos_2), (sin_3, cos_3)]) = (half_lengths::<T>(), self.sines);
        let (x1, y1) = (sin_1 * half[0], cos_1 * half[0]);
        let (x2, y2) = (sin_2 * half[1], cos_2 * half[1]);
        let (x3, y3) = (sin_3 * half[2], cos_3 * half[2]);
        let (o, l) = (T::zero(), T::one());
        matrix![
            l, o, x1, o, o, o, o, o, o;
            o, l, -y1, o, o, o, o, o, o;
            l, o, -x1, -l, o, -x2, o, o, o;
            o, l, y1, o, -l, y2, o, o, o;
            o, o, o, l, o, -x2, -l, o, x3;
            o, o, o, o, l, y2, o, -l, -y3;
            o, o, o, o, o, o, l, o, x3;
            o, o, o, o, o, o, o, l, -y3
        ]
    }

    /// Towards the centre of each rod: half its length times the square of its rate.
    #[inline(always)]
    fn acceleration_terms(&self, v: &Vector<T, 9>) -> Vector<T, 8> {
        let half = half_lengths::<T>();
        let centripetal = |rod: usize, rate: T| {
            let ((sin, cos), size) = (self.sines[rod], half[rod] * rate * rate);
            (cos * size, sin * size)
        };
        let ((x1, y1), (x2, y2), (x3, y3)) = (centripetal(0, v[2]), centripetal(1, v[5]), centripetal(2, v[8]));
        vector![x1, y1, -x1 - x2, -y1 - y2, x3 - x2, y3 - y2, x3, y3]
    }
}
