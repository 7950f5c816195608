//! A delta robot: three motors on the base turn three arms, and three rods from their elbows carry the tip.
//!
//! q = (θ₁, θ₂, θ₃, x, y, z): the angles of the arms below the horizontal, and the tip. Arm i turns in the vertical plane of the direction
//! uᵢ = (cos αᵢ, sin αᵢ, 0); its elbow is E = (r + l cos θ) uᵢ − l sin θ e_z, and the rod closes the loop: 0 = (|P − E|² − L²)/2. A uniform rod of mass m
//! whose ends move with the velocities a and b has the kinetic energy m (a² + a·b + b²)/6, so no angle of a rod is needed.

use nalgebra::{matrix, vector};
use taut::control::{Actuated, Sensed};
use taut::linalg::{Matrix, Vector};
use taut::scalar::Real;
use taut::system::{Mechanical, Varying};

/// The directions of the arms: 0°, 120° and 240°.
const DIRECTIONS: [(f32, f32); 3] = [(1.0, 0.0), (-0.5, 0.866_025_4), (-0.5, -0.866_025_4)];
/// The distance from the axis to the motors: r in m.
const BASE: f32 = 0.05;
/// The length of an arm and its mass: l in m, kg.
const ARM: f32 = 0.10;
const ARM_MASS: f32 = 0.05;
/// The length of a rod and its mass: L in m, kg.
const ROD: f32 = 0.25;
const ROD_MASS: f32 = 0.04;
/// m/s².
const GRAVITY: f32 = 9.81;
/// The term of the mass matrix by which a rod couples the angle of its arm with the tip.
const COUPLING: f32 = ROD_MASS * ARM / 6.0;

/// A delta robot with a load at its tip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delta {
    /// kg.
    pub tip_mass: f32,
}

impl Delta {
    /// With this mass at its tip.
    pub fn new(tip_mass: f32) -> Self {
        Self { tip_mass }
    }

    /// The pose with the tip at a point and the elbows out: in the plane of an arm, X cos θ − Z sin θ is known.
    pub fn elbows_out(tip: [f32; 3]) -> [f32; 6] {
        let angles = DIRECTIONS.map(|(cos, sin)| {
            let (along, across) = (tip[0] * cos + tip[1] * sin - BASE, tip[1] * cos - tip[0] * sin);
            let square = along * along + tip[2] * tip[2];
            let known = (square + across * across + ARM * ARM - ROD * ROD) / (2.0 * ARM);
            Real::atan2(-tip[2], along) - Real::acos(known / Real::sqrt(square))
        });
        [angles[0], angles[1], angles[2], tip[0], tip[1], tip[2]]
    }
}

impl Mechanical<6, 3> for Delta {
    type Base = f32;
    type Mass = Varying;

    const TIME_DEPENDENT: bool = false;
    const ANGLES: [bool; 6] = [true, true, true, false, false, false];

    fn mass(&self) -> Varying {
        Varying
    }

    fn mass_matrix<S: Real<Base = f32>>(&self, q: &Vector<S, 6>) -> Matrix<S, 6, 6> {
        let mut mass = Matrix::zeros();
        for (i, (cos, sin)) in DIRECTIONS.into_iter().enumerate() {
            let (s, c) = q[i].sin_cos();
            let couple = [s * (-COUPLING * cos), s * (-COUPLING * sin), c * -COUPLING];
            mass[(i, i)] = S::from((ARM_MASS + ROD_MASS) * ARM * ARM / 3.0);
            mass[(3 + i, 3 + i)] = S::from(self.tip_mass + ROD_MASS);
            for (j, couple) in couple.into_iter().enumerate() {
                mass[(i, 3 + j)] = couple;
                mass[(3 + j, i)] = couple;
            }
        }
        mass
    }

    /// Weights, and the centrifugal force of the turning arms on the tip.
    fn force<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 6>, v: &Vector<S, 6>) -> Vector<S, 6> {
        let mut force = Vector::zeros();
        force[5] = S::from(-(self.tip_mass + 1.5 * ROD_MASS) * GRAVITY);
        for (i, (cos, sin)) in DIRECTIONS.into_iter().enumerate() {
            let (s, c) = q[i].sin_cos();
            let outwards = v[i] * v[i] * COUPLING;
            force[i] = c * ((ARM_MASS + ROD_MASS) * 0.5 * GRAVITY * ARM);
            force[3] += c * outwards * cos;
            force[4] += c * outwards * sin;
            force[5] -= s * outwards;
        }
        force
    }

    fn constraint<S: Real<Base = f32>>(&self, _t: S, q: &Vector<S, 6>) -> Vector<S, 3> {
        let mut closure = Vector::zeros();
        for (i, (cos, sin)) in DIRECTIONS.into_iter().enumerate() {
            let (s, c) = q[i].sin_cos();
            let reach = c * ARM + BASE;
            let rod: Vector<S, 3> = vector![q[3] - reach * cos, q[4] - reach * sin, q[5] + s * ARM];
            closure[i] = (rod[0] * rod[0] + rod[1] * rod[1] + rod[2] * rod[2] - ROD * ROD) * 0.5;
        }
        closure
    }
}

impl Actuated<6, 3, 3> for Delta {
    fn actuation<S: Real<Base = f32>>(&self, _q: &Vector<S, 6>) -> Matrix<S, 6, 3> {
        let (o, l) = (S::zero(), S::one());
        matrix![l, o, o; o, l, o; o, o, l; o, o, o; o, o, o; o, o, o]
    }

    fn output<S: Real<Base = f32>>(&self, q: &Vector<S, 6>) -> Vector<S, 3> {
        vector![q[3], q[4], q[5]]
    }
}

impl Sensed<6, 3, 3> for Delta {
    fn sensors<S: Real<Base = f32>>(&self, q: &Vector<S, 6>) -> Vector<S, 3> {
        vector![q[0], q[1], q[2]]
    }
}
