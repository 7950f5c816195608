//! A delta robot: three motors, three arms, one tip.

use nalgebra::{matrix, vector};
use taut::control::Actuated;
use taut::linalg::{Matrix, Vector};
use taut::scalar::{Float, Real};
use taut::system::{Equations, Mechanical, Pattern, Varying};

/// q = (θ₁, θ₂, θ₃, x, y, z): the angles of the arms below the horizontal, which the motors turn, and the tip; the output is the tip.
///
/// Arm i moves in the vertical plane through the axis in the direction dᵢ, 0°, 120° or 240°. Its elbow is E = (r + l cos θ) d − l sin θ z.
/// A rod from there to the tip P closes the loop: 0 = (|P − E|² − L²)/2. A uniform rod of mass m between points that move with a
/// and b has the kinetic energy m (a² + a·b + b²)/6, so that no angle of a rod is needed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delta<T> {
    /// r: the distance from the axis to the motors.
    pub base: T,
    /// l: the length of the arms.
    pub arm: T,
    /// L: the length of the rods.
    pub rod: T,
    /// The mass of each arm.
    pub arm_mass: T,
    /// The mass of each rod.
    pub rod_mass: T,
    /// The mass at the tip.
    pub tip_mass: T,
    /// The acceleration of gravity, along −z.
    pub gravity: T,
}

impl<T: Float> Delta<T> {
    /// Motors at a radius of 0.05 m, arms of 0.10 m and 0.05 kg, rods of 0.25 m and 0.04 kg, 0.10 kg at the tip, g = 9.81 m/s².
    pub fn standard() -> Self {
        Self {
            base: T::from_f64(0.05),
            arm: T::from_f64(0.10),
            rod: T::from_f64(0.25),
            arm_mass: T::from_f64(0.05),
            rod_mass: T::from_f64(0.04),
            tip_mass: T::from_f64(0.10),
            gravity: T::from_f64(9.81),
        }
    }

    /// The pose with the tip at a point and the elbows out; NaN if the point is out of reach. In the plane of an arm, with the tip at
    /// (X, Z) from the motor, X cos θ − Z sin θ is known.
    pub fn elbows_out(&self, tip: Vector<T, 3>) -> Vector<T, 6> {
        let angle = |arm: usize| {
            let (cos, sin) = direction::<T>(arm);
            let (along, across) = (tip[0] * cos + tip[1] * sin - self.base, tip[1] * cos - tip[0] * sin);
            let square = along * along + tip[2] * tip[2];
            let known = square + across * across + self.arm * self.arm - self.rod * self.rod;
            let cosine = known / (self.arm * square.sqrt() * T::from_f64(2.0));
            (-tip[2]).atan2(along) - cosine.acos()
        };
        vector![angle(0), angle(1), angle(2), tip[0], tip[1], tip[2]]
    }

    /// From the elbow to the tip.
    #[inline]
    fn rod<S: Real<Base = T>>(&self, q: &Vector<S, 6>, arm: usize, (sin, cos): (S, S)) -> [S; 3] {
        let (x, y) = direction::<T>(arm);
        let out = cos * self.arm + self.base;
        [q[3] - out * x, q[4] - out * y, q[5] + sin * self.arm]
    }

    /// A sixth of the mass of a rod times l: how it couples an angle with the tip.
    #[inline]
    fn coupling(&self) -> T {
        self.rod_mass * self.arm * T::from_f64(1.0 / 6.0)
    }

    #[inline(always)]
    fn mass_with<S: Real<Base = T>>(&self, sines: &Sines<S>) -> Matrix<S, 6, 6> {
        let arm = (self.arm_mass + self.rod_mass) * T::from_f64(1.0 / 3.0) * self.arm * self.arm;
        let mut mass = Matrix::from([[S::zero(); 6]; 6]);
        for i in 0..3 {
            let ((x, y), (sin, cos)) = (direction::<T>(i), sines[i]);
            mass[(i, i)] = S::from(arm);
            mass[(3 + i, 3 + i)] = S::from(self.tip_mass + self.rod_mass);
            let couple = [-sin * (x * self.coupling()), -sin * (y * self.coupling()), -cos * self.coupling()];
            for (j, couple) in couple.into_iter().enumerate() {
                mass[(i, 3 + j)] = couple;
                mass[(3 + j, i)] = couple;
            }
        }
        mass
    }

    /// Weights, and the centrifugal forces of the arms.
    #[inline(always)]
    fn force_with<S: Real<Base = T>>(&self, sines: &Sines<S>, v: &Vector<S, 6>) -> Vector<S, 6> {
        let half = T::from_f64(0.5);
        let weight = (self.arm_mass + self.rod_mass) * half * self.gravity * self.arm;
        let rods = self.rod_mass * T::from_f64(1.5);
        let mut force = vector![
            S::zero(),
            S::zero(),
            S::zero(),
            S::zero(),
            S::zero(),
            S::from(-(self.tip_mass + rods) * self.gravity)
        ];
        for i in 0..3 {
            let ((x, y), (sin, cos)) = (direction::<T>(i), sines[i]);
            let outwards = v[i] * v[i] * self.coupling();
            force[i] = cos * weight;
            force[3] += cos * outwards * x;
            force[4] += cos * outwards * y;
            force[5] -= sin * outwards;
        }
        force
    }

    #[inline(always)]
    fn jacobian_with(&self, sines: &Sines<T>, q: &Vector<T, 6>) -> Matrix<T, 3, 6> {
        let row = |arm: usize| {
            let ((dx, dy), (sin, cos)) = (direction::<T>(arm), sines[arm]);
            let [x, y, z] = self.rod(q, arm, (sin, cos));
            (((x * dx + y * dy) * sin + z * cos) * self.arm, x, y, z)
        };
        let ((a1, x1, y1, z1), (a2, x2, y2, z2), (a3, x3, y3, z3)) = (row(0), row(1), row(2));
        let o = T::zero();
        matrix![a1, o, o, x1, y1, z1; o, a2, o, x2, y2, z2; o, o, a3, x3, y3, z3]
    }

    /// |P' − E'|² − (P − E)·E'' with E'' = −l θ'² (cos θ d − sin θ z).
    #[inline(always)]
    fn acceleration_terms_with(&self, sines: &Sines<T>, q: &Vector<T, 6>, v: &Vector<T, 6>) -> Vector<T, 3> {
        let row = |arm: usize| {
            let ((dx, dy), (sin, cos)) = (direction::<T>(arm), sines[arm]);
            let [x, y, z] = self.rod(q, arm, (sin, cos));
            let speed = v[arm] * self.arm;
            let (vx, vy, vz) = (v[3] + sin * speed * dx, v[4] + sin * speed * dy, v[5] + cos * speed);
            vx * vx + vy * vy + vz * vz + ((x * dx + y * dy) * cos - z * sin) * speed * v[arm]
        };
        vector![row(0), row(1), row(2)]
    }
}

/// Sine and cosine of the three angles.
type Sines<S> = [(S, S); 3];

#[inline(always)]
fn sines<S: Real>(q: &Vector<S, 6>) -> Sines<S> {
    [q[0].sin_cos(), q[1].sin_cos(), q[2].sin_cos()]
}

/// Cosine and sine of the direction of an arm.
#[inline]
pub(crate) fn direction<T: Float>(arm: usize) -> (T, T) {
    let (cos, sin) = match arm {
        0 => (1.0, 0.0),
        1 => (-0.5, 0.866_025_403_784_438_6),
        _ => (-0.5, -0.866_025_403_784_438_6),
    };
    (T::from_f64(cos), T::from_f64(sin))
}

impl<T: Float> Mechanical<6, 3> for Delta<T> {
    type Base = T;
    type Mass = Varying;

    const TIME_DEPENDENT: bool = false;
    const ANGLES: [bool; 6] = [true, true, true, false, false, false];

    const PATTERN: Pattern<6, 3> = Pattern::rows(["x..xxx", ".x.xxx", "..xxxx"]);

    #[inline]
    fn mass(&self) -> Varying {
        Varying
    }

    #[inline]
    fn mass_matrix<S: Real<Base = T>>(&self, q: &Vector<S, 6>) -> Matrix<S, 6, 6> {
        self.mass_with(&sines(q))
    }

    #[inline]
    fn force<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 6>, v: &Vector<S, 6>) -> Vector<S, 6> {
        self.force_with(&sines(q), v)
    }

    #[inline]
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 6>) -> Vector<S, 3> {
        let closure = |arm: usize| {
            let [x, y, z] = self.rod(q, arm, q[arm].sin_cos());
            (x * x + y * y + z * z - self.rod * self.rod) * T::from_f64(0.5)
        };
        vector![closure(0), closure(1), closure(2)]
    }

    #[inline]
    fn jacobian(&self, _t: T, q: &Vector<T, 6>) -> Matrix<T, 3, 6> {
        self.jacobian_with(&sines(q), q)
    }

    #[inline]
    fn acceleration_terms(&self, _t: T, q: &Vector<T, 6>, v: &Vector<T, 6>) -> Vector<T, 3> {
        self.acceleration_terms_with(&sines(q), q, v)
    }

    #[inline(always)]
    fn equations<'a>(&'a self, _t: T, q: &'a Vector<T, 6>) -> impl Equations<T, 6, 3> {
        Posed { robot: self, q, sines: sines(q) }
    }
}

/// The robot in a pose. Three sines and cosines instead of twelve.
struct Posed<'a, T> {
    robot: &'a Delta<T>,
    q: &'a Vector<T, 6>,
    sines: Sines<T>,
}

impl<T: Float> Equations<T, 6, 3> for Posed<'_, T> {
    #[inline]
    fn mass_matrix(&self) -> Matrix<T, 6, 6> {
        self.robot.mass_with(&self.sines)
    }

    #[inline]
    fn force(&self, v: &Vector<T, 6>) -> Vector<T, 6> {
        self.robot.force_with(&self.sines, v)
    }

    #[inline]
    fn jacobian(&self) -> Matrix<T, 3, 6> {
        self.robot.jacobian_with(&self.sines, self.q)
    }

    #[inline]
    fn acceleration_terms(&self, v: &Vector<T, 6>) -> Vector<T, 3> {
        self.robot.acceleration_terms_with(&self.sines, self.q, v)
    }
}

impl<T: Float> Actuated<6, 3, 3> for Delta<T> {
    const OUTPUT_PATTERN: Pattern<6, 3> = Pattern::rows(["...x..", "....x.", ".....x"]);
    const ACTUATION_PATTERN: Pattern<6, 3> = Pattern::rows(["x.....", ".x....", "..x..."]);

    #[inline]
    fn actuation<S: Real<Base = T>>(&self, _q: &Vector<S, 6>) -> Matrix<S, 6, 3> {
        let (o, l) = (S::zero(), S::one());
        matrix![l, o, o; o, l, o; o, o, l; o, o, o; o, o, o; o, o, o]
    }

    #[inline]
    fn output<S: Real<Base = T>>(&self, q: &Vector<S, 6>) -> Vector<S, 3> {
        vector![q[3], q[4], q[5]]
    }

    #[inline]
    fn output_jacobian(&self, _q: &Vector<T, 6>) -> Matrix<T, 3, 6> {
        let (o, l) = (T::zero(), T::one());
        matrix![o, o, o, l, o, o; o, o, o, o, l, o; o, o, o, o, o, l]
    }

    #[inline]
    fn output_terms(&self, _q: &Vector<T, 6>, _v: &Vector<T, 6>) -> Vector<T, 3> {
        Vector::zeros()
    }
}
