//! The delta robot in natural coordinates: points only, no angles.

use nalgebra::{matrix, vector};
use taut::control::{Actuated, Sensed};
use taut::linalg::{FactorError, Matrix, Vector};
use taut::scalar::{Float, Jet, Real};
use taut::system::{Mechanical, Pattern, Points};

use crate::Delta;
use crate::delta::direction;

/// q = (E₁, E₂, E₃, P): the elbows and the tip in space; the output is the tip, the inputs are the torques of the arms.
///
/// The rods of a [`Delta`] close the loops, then each arm has its length, and each elbow stays in the plane of its arm, with the normal n:
///
/// ```text
///     0 = (|P − E|² − L²)/2,    0 = (|E − A|² − l²)/2,    0 = n·E
/// ```
///
/// The mass is constant. Arms and rods are uniform, so that no angle is needed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeltaPoints<T> {
    /// The lengths and the masses.
    robot: Delta<T>,
    mass: Points<T, 4, 3>,
}

impl<T: Float> DeltaPoints<T> {
    /// The robot as points. An error if a mass is not positive.
    pub fn new(robot: Delta<T>) -> Result<Self, FactorError<T>> {
        let (third, sixth) = (T::from_f64(1.0 / 3.0), T::from_f64(1.0 / 6.0));
        let (elbow, rod, o) = ((robot.arm_mass + robot.rod_mass) * third, robot.rod_mass * sixth, T::zero());
        let tip = robot.tip_mass + robot.rod_mass;
        let mass = Points::new(matrix![elbow, o, o, rod; o, elbow, o, rod; o, o, elbow, rod; rod, rod, rod, tip])?;
        Ok(Self { robot, mass })
    }

    /// The pose with the tip at a point and the elbows out; NaN if the point is out of reach.
    pub fn elbows_out(&self, tip: Vector<T, 3>) -> Vector<T, 12> {
        let pose = self.robot.elbows_out(tip);
        let mut points = Vector::zeros();
        for arm in 0..3 {
            let ((x, y), (sin, cos)) = (direction::<T>(arm), pose[arm].sin_cos());
            let out = cos * self.robot.arm + self.robot.base;
            (points[3 * arm], points[3 * arm + 1]) = (out * x, out * y);
            (points[3 * arm + 2], points[9 + arm]) = (-sin * self.robot.arm, tip[arm]);
        }
        points
    }

    /// The elbow of an arm.
    #[inline(always)]
    fn elbow<S: Real<Base = T>>(q: &Vector<S, 12>, arm: usize) -> [S; 3] {
        [q[3 * arm], q[3 * arm + 1], q[3 * arm + 2]]
    }

    /// From the elbow to the tip.
    #[inline(always)]
    fn rod<S: Real<Base = T>>(q: &Vector<S, 12>, arm: usize) -> [S; 3] {
        let [x, y, z] = Self::elbow(q, arm);
        [q[9] - x, q[10] - y, q[11] - z]
    }

    /// From the motor to the elbow: outwards and upwards in the plane of the arm.
    #[inline(always)]
    fn reach<S: Real<Base = T>>(&self, q: &Vector<S, 12>, arm: usize) -> (S, S) {
        let ((dx, dy), [x, y, z]) = (direction::<T>(arm), Self::elbow(q, arm));
        (x * dx + y * dy - self.robot.base, z)
    }
}

impl<T: Float> Mechanical<12, 9> for DeltaPoints<T> {
    type Base = T;
    type Mass = Points<T, 4, 3>;

    const VELOCITY_DEPENDENT: bool = false;
    const TIME_DEPENDENT: bool = false;

    const PATTERN: Pattern<12, 9> = Pattern::rows([
        "xxx......xxx",
        "...xxx...xxx",
        "......xxxxxx",
        "xxx.........",
        "...xxx......",
        "......xxx...",
        "xx..........",
        "...xx.......",
        "......xx....",
    ]);

    #[inline]
    fn mass(&self) -> Points<T, 4, 3> {
        self.mass
    }

    #[inline]
    fn force<S: Real<Base = T>>(&self, _t: S, _q: &Vector<S, 12>, _v: &Vector<S, 12>) -> Vector<S, 12> {
        let Delta { arm_mass, rod_mass, tip_mass, gravity, .. } = self.robot;
        let o = S::zero();
        let elbow = S::from(-(arm_mass + rod_mass) * T::from_f64(0.5) * gravity);
        let tip = S::from(-(tip_mass + rod_mass * T::from_f64(1.5)) * gravity);
        vector![o, o, elbow, o, o, elbow, o, o, elbow, o, o, tip]
    }

    #[inline]
    fn constraint<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 12>) -> Vector<S, 9> {
        let (half, Delta { base, arm: length, rod, .. }) = (T::from_f64(0.5), self.robot);
        let mut g = Vector::from([S::zero(); 9]);
        for arm in 0..3 {
            let ((dx, dy), [x, y, z]) = (direction::<T>(arm), Self::elbow(q, arm));
            let [rx, ry, rz] = Self::rod(q, arm);
            let (ax, ay) = (x - dx * base, y - dy * base);
            g[arm] = (rx * rx + ry * ry + rz * rz - rod * rod) * half;
            g[3 + arm] = (ax * ax + ay * ay + z * z - length * length) * half;
            g[6 + arm] = y * dx - x * dy;
        }
        g
    }

    #[inline]
    fn jacobian(&self, _t: T, q: &Vector<T, 12>) -> Matrix<T, 9, 12> {
        // A constant: `zeros` of this size is a loop and a copy.
        let mut g = Matrix::from([[T::zero(); 9]; 12]);
        for arm in 0..3 {
            let ((dx, dy), [x, y, z]) = (direction::<T>(arm), Self::elbow(q, arm));
            let rod = Self::rod(q, arm);
            let arm_rod = [x - dx * self.robot.base, y - dy * self.robot.base, z];
            for k in 0..3 {
                g[(arm, 3 * arm + k)] = -rod[k];
                g[(arm, 9 + k)] = rod[k];
                g[(3 + arm, 3 * arm + k)] = arm_rod[k];
            }
            g[(6 + arm, 3 * arm)] = -dy;
            g[(6 + arm, 3 * arm + 1)] = dx;
        }
        g
    }

    #[inline]
    fn acceleration_terms(&self, _t: T, _q: &Vector<T, 12>, v: &Vector<T, 12>) -> Vector<T, 9> {
        let square = |[x, y, z]: [T; 3]| x * x + y * y + z * z;
        let o = T::zero();
        let [rods, arms] = [Self::rod::<T>, Self::elbow].map(|part| [0, 1, 2].map(|arm| square(part(v, arm))));
        vector![rods[0], rods[1], rods[2], arms[0], arms[1], arms[2], o, o, o]
    }
}

impl<T: Float> Actuated<12, 9, 3> for DeltaPoints<T> {
    const OUTPUT_PATTERN: Pattern<12, 3> = Pattern::rows([".........x..", "..........x.", "...........x"]);
    const ACTUATION_PATTERN: Pattern<12, 3> = Pattern::rows(["xxx.........", "...xxx......", "......xxx..."]);

    /// A torque, positive downwards, is a force across the arm, divided by its length.
    #[inline]
    fn actuation<S: Real<Base = T>>(&self, q: &Vector<S, 12>) -> Matrix<S, 12, 3> {
        let square = self.robot.arm * self.robot.arm;
        let mut actuation = Matrix::from([[S::zero(); 12]; 3]);
        for arm in 0..3 {
            let ((dx, dy), (out, up)) = (direction::<T>(arm), self.reach(q, arm));
            actuation[(3 * arm, arm)] = up * (dx / square);
            actuation[(3 * arm + 1, arm)] = up * (dy / square);
            actuation[(3 * arm + 2, arm)] = -out / square;
        }
        actuation
    }

    #[inline]
    fn output<S: Real<Base = T>>(&self, q: &Vector<S, 12>) -> Vector<S, 3> {
        vector![q[9], q[10], q[11]]
    }

    #[inline]
    fn output_jacobian(&self, _q: &Vector<T, 12>) -> Matrix<T, 3, 12> {
        let mut jacobian = Matrix::from([[T::zero(); 3]; 12]);
        for k in 0..3 {
            jacobian[(k, 9 + k)] = T::one();
        }
        jacobian
    }

    #[inline]
    fn output_terms(&self, _q: &Vector<T, 12>, _v: &Vector<T, 12>) -> Vector<T, 3> {
        Vector::zeros()
    }
}

/// The angles of the three motors, below the horizontal.
impl<T: Float> Sensed<12, 9, 3> for DeltaPoints<T> {
    #[inline]
    fn sensors<S: Real<Base = T>>(&self, q: &Vector<S, 12>) -> Vector<S, 3> {
        let angle = |arm: usize| {
            let (out, up) = self.reach(q, arm);
            (-up).atan2(out)
        };
        vector![angle(0), angle(1), angle(2)]
    }

    /// An angle turns by (out d(−up) + up d(out))/(out² + up²).
    #[inline]
    fn sensor_jacobian(&self, q: &Vector<T, 12>) -> (Vector<T, 3>, Matrix<T, 3, 12>) {
        let mut jacobian = Matrix::from([[T::zero(); 3]; 12]);
        for arm in 0..3 {
            let ((dx, dy), (out, up)) = (direction::<T>(arm), self.reach(q, arm));
            let inverse = T::one() / (out * out + up * up);
            jacobian[(arm, 3 * arm)] = up * dx * inverse;
            jacobian[(arm, 3 * arm + 1)] = up * dy * inverse;
            jacobian[(arm, 3 * arm + 2)] = -out * inverse;
        }
        (self.sensors(q), jacobian)
    }

    /// The jet of each angle, from the two jets that it depends on.
    #[inline]
    fn sensor_motion(&self, q: &Vector<T, 12>, v: &Vector<T, 12>, a: &Vector<T, 12>) -> Vector<Jet<T>, 3> {
        let rest = |x: &Vector<T, 12>, arm: usize| {
            let (out, up) = self.reach(x, arm);
            (out + self.robot.base, up)
        };
        let angle = |arm: usize| {
            let ((out, up), (out_1, up_1), (out_2, up_2)) = (self.reach(q, arm), rest(v, arm), rest(a, arm));
            Jet::new(-up, -up_1, -up_2).atan2(Jet::new(out, out_1, out_2))
        };
        vector![angle(0), angle(1), angle(2)]
    }
}
