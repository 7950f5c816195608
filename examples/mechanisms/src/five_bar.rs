//! A five-bar linkage: two motors, two arms, one tip.

use nalgebra::{matrix, vector};
use taut::control::Actuated;
use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Equations, Mechanical, Pattern, Varying};

/// q = (θ₁, θ₂, x, y): the angles of the two proximal rods, which the motors turn, and the tip; the output is the tip.
///
/// The motors stand at (∓d, 0). The elbow of an arm is E = (∓d, 0) + l (cos θ, sin θ), and the distal rod from there to
/// the tip P closes the loop: 0 = (|P − E|² − L²)/2. A uniform rod of mass m between points that move with a and b has the kinetic
/// energy m (a² + a·b + b²)/6, so that no angle of a distal rod is needed: the model has only two sines and cosines, and the
/// output is two of the coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiveBar<T> {
    /// d: half the distance of the motors.
    pub half_base: T,
    /// l: the length of the proximal rods.
    pub proximal: T,
    /// L: the length of the distal rods.
    pub distal: T,
    /// The mass of each proximal rod.
    pub proximal_mass: T,
    /// The mass of each distal rod.
    pub distal_mass: T,
    /// The mass at the tip.
    pub tip_mass: T,
    /// The acceleration of gravity, along −y.
    pub gravity: T,
}

impl<T: Float> FiveBar<T> {
    /// Motors at (±0.05, 0), rods of 0.10 m and 0.16 m, 0.05 kg each, 0.10 kg at the tip, g = 9.81 m/s².
    pub fn standard() -> Self {
        Self {
            half_base: T::from_f64(0.05),
            proximal: T::from_f64(0.10),
            distal: T::from_f64(0.16),
            proximal_mass: T::from_f64(0.05),
            distal_mass: T::from_f64(0.05),
            tip_mass: T::from_f64(0.10),
            gravity: T::from_f64(9.81),
        }
    }

    /// The pose with the tip at a point and the elbows out, from the triangles of the two arms; NaN if the point is out of reach.
    pub fn elbows_out(&self, tip: Vector<T, 2>) -> Vector<T, 4> {
        let angle = |side: T| {
            let (across, up) = (tip[0] - side * self.half_base, tip[1]);
            let distance = (across * across + up * up).sqrt();
            let cosine = (self.proximal * self.proximal + distance * distance - self.distal * self.distal)
                / (self.proximal * distance * T::from_f64(2.0));
            up.atan2(across) - cosine.acos() * side
        };
        vector![angle(-T::one()), angle(T::one()), tip[0], tip[1]]
    }

    /// From the elbow to the tip, in one arm.
    #[inline]
    fn distal_rod<S: Real<Base = T>>(&self, q: &Vector<S, 4>, (sin, cos): (S, S), side: T) -> (S, S) {
        (q[2] - cos * self.proximal - side * self.half_base, q[3] - sin * self.proximal)
    }

    /// A sixth of the mass of a distal rod times l: how it couples an angle with the tip.
    #[inline]
    fn coupling(&self) -> T {
        self.distal_mass * self.proximal * T::from_f64(1.0 / 6.0)
    }

    #[inline(always)]
    fn mass_with<S: Real<Base = T>>(&self, sines: &Sines<S>) -> Matrix<S, 4, 4> {
        let third = T::from_f64(1.0 / 3.0);
        let arm = S::from((self.proximal_mass + self.distal_mass) * third * self.proximal * self.proximal);
        let tip = S::from(self.tip_mass + self.distal_mass * third + self.distal_mass * third);
        let [(x1, y1), (x2, y2)] = sines.map(|(sin, cos)| (-sin * self.coupling(), cos * self.coupling()));
        let o = S::zero();
        matrix![arm, o, x1, y1; o, arm, x2, y2; x1, x2, tip, o; y1, y2, o, tip]
    }

    /// Weights, and the centrifugal forces of the proximal rods.
    #[inline(always)]
    fn force_with<S: Real<Base = T>>(&self, sines: &Sines<S>, v: &Vector<S, 4>) -> Vector<S, 4> {
        let half = T::from_f64(0.5);
        let weight = -(self.proximal_mass + self.distal_mass) * half * self.gravity * self.proximal;
        let [(sin_1, cos_1), (sin_2, cos_2)] = *sines;
        let (square_1, square_2) = (v[0] * v[0] * self.coupling(), v[1] * v[1] * self.coupling());
        vector![
            cos_1 * weight,
            cos_2 * weight,
            cos_1 * square_1 + cos_2 * square_2,
            sin_1 * square_1 + sin_2 * square_2 - (self.tip_mass + self.distal_mass) * self.gravity
        ]
    }

    #[inline(always)]
    fn jacobian_with(&self, sines: &Sines<T>, q: &Vector<T, 4>) -> Matrix<T, 2, 4> {
        let row = |(sin, cos): (T, T), side: T| {
            let (x, y) = self.distal_rod(q, (sin, cos), side);
            ((x * sin - y * cos) * self.proximal, x, y)
        };
        let ((a1, x1, y1), (a2, x2, y2)) = (row(sines[0], -T::one()), row(sines[1], T::one()));
        let o = T::zero();
        matrix![a1, o, x1, y1; o, a2, x2, y2]
    }

    /// |P' − E'|² − (P − E)·E'' with E'' = −l θ'² (cos θ, sin θ).
    #[inline(always)]
    fn acceleration_terms_with(&self, sines: &Sines<T>, q: &Vector<T, 4>, v: &Vector<T, 4>) -> Vector<T, 2> {
        let row = |(sin, cos): (T, T), rate: T, side: T| {
            let (x, y) = self.distal_rod(q, (sin, cos), side);
            let (vx, vy) = (v[2] + sin * rate * self.proximal, v[3] - cos * rate * self.proximal);
            vx * vx + vy * vy + (x * cos + y * sin) * self.proximal * rate * rate
        };
        vector![row(sines[0], v[0], -T::one()), row(sines[1], v[1], T::one())]
    }
}

/// Sine and cosine of both angles.
type Sines<S> = [(S, S); 2];

#[inline(always)]
fn sines<S: Real>(q: &Vector<S, 4>) -> Sines<S> {
    [q[0].sin_cos(), q[1].sin_cos()]
}

impl<T: Float> Mechanical<4, 2> for FiveBar<T> {
    type Base = T;
    type Mass = Varying;

    const TIME_DEPENDENT: bool = false;
    const ANGLES: [bool; 4] = [true, true, false, false];

    const PATTERN: Pattern<4, 2> = Pattern::rows(["x.xx", ".xxx"]);

    #[inline]
    fn mass(&self) -> Varying {
        Varying
    }

    #[inline]
    fn mass_matrix<S: Real<Base = T>>(&self, q: &Vector<S, 4>) -> Matrix<S, 4, 4> {
        self.mass_with(&sines(q))
    }

    #[inline]
    fn force<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 4>, v: &Vector<S, 4>) -> Vector<S, 4> {
        self.force_with(&sines(q), v)
    }

    #[inline]
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 4>) -> Vector<S, 2> {
        let closure = |angle: S, side: T| {
            let (x, y) = self.distal_rod(q, angle.sin_cos(), side);
            (x * x + y * y - self.distal * self.distal) * T::from_f64(0.5)
        };
        vector![closure(q[0], -T::one()), closure(q[1], T::one())]
    }

    #[inline]
    fn jacobian(&self, _t: T, q: &Vector<T, 4>) -> Matrix<T, 2, 4> {
        self.jacobian_with(&sines(q), q)
    }

    #[inline]
    fn acceleration_terms(&self, _t: T, q: &Vector<T, 4>, v: &Vector<T, 4>) -> Vector<T, 2> {
        self.acceleration_terms_with(&sines(q), q, v)
    }

    #[inline(always)]
    fn equations<'a>(&'a self, _t: T, q: &'a Vector<T, 4>) -> impl Equations<T, 4, 2> {
        Posed { linkage: self, q, sines: sines(q) }
    }
}

/// The linkage in a pose. Two sines and cosines instead of eight.
struct Posed<'a, T> {
    linkage: &'a FiveBar<T>,
    q: &'a Vector<T, 4>,
    sines: Sines<T>,
}

impl<T: Float> Equations<T, 4, 2> for Posed<'_, T> {
    #[inline]
    fn mass_matrix(&self) -> Matrix<T, 4, 4> {
        self.linkage.mass_with(&self.sines)
    }

    #[inline]
    fn force(&self, v: &Vector<T, 4>) -> Vector<T, 4> {
        self.linkage.force_with(&self.sines, v)
    }

    #[inline]
    fn jacobian(&self) -> Matrix<T, 2, 4> {
        self.linkage.jacobian_with(&self.sines, self.q)
    }

    #[inline]
    fn acceleration_terms(&self, v: &Vector<T, 4>) -> Vector<T, 2> {
        self.linkage.acceleration_terms_with(&self.sines, self.q, v)
    }
}

impl<T: Float> Actuated<4, 2, 2> for FiveBar<T> {
    const OUTPUT_PATTERN: Pattern<4, 2> = Pattern::rows(["..x.", "...x"]);
    const ACTUATION_PATTERN: Pattern<4, 2> = Pattern::rows(["x...", ".x.."]);

    #[inline]
    fn actuation<S: Real<Base = T>>(&self, _q: &Vector<S, 4>) -> Matrix<S, 4, 2> {
        let (o, l) = (S::zero(), S::one());
        matrix![l, o; o, l; o, o; o, o]
    }

    #[inline]
    fn output<S: Real<Base = T>>(&self, q: &Vector<S, 4>) -> Vector<S, 2> {
        vector![q[2], q[3]]
    }

    #[inline]
    fn output_jacobian(&self, _q: &Vector<T, 4>) -> Matrix<T, 2, 4> {
        let (o, l) = (T::zero(), T::one());
        matrix![o, o, l, o; o, o, o, l]
    }

    #[inline]
    fn output_terms(&self, _q: &Vector<T, 4>, _v: &Vector<T, 4>) -> Vector<T, 2> {
        Vector::zeros()
    }
}
