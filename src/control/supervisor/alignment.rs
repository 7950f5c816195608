//! Where a machine is, from what its encoders read.
//!
//! ```text
//!     0 = g(q),   e(q) = y:    q ← q + P Cᵀ (C P Cᵀ)⁻¹ (y − e(q))/k,   then onto the constraints,   k = 12, 11, … 1, 1, 1, 1
//! ```
//!
//! with C = ∂e/∂q and P = M⁻¹ − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G M⁻¹: the smallest motion in the metric of the mass that explains the readings, as in
//! the observer of [`ComputedTorque`](crate::control::ComputedTorque). From a pose that is known, where the path begins, the readings are approached in equal parts, so
//! that the way leads past no other pose with the same readings; the last iterations are Newton's. One iteration a tick: the cost of a
//! tick stays what it is.

use super::reason::Reason;
use crate::control::actuated::Actuated;
use crate::control::error::{ControlError, Singularity};
use crate::control::sensed::Sensed;
use crate::control::tangent::Tangent;
use crate::linalg::{Ldlt, Lu, Matrix, Semidefinite, Vector, product, product_of};
use crate::scalar::Float;
use crate::system::Mechanical;

/// Constraints may depend on each other.
type Around<System, const N: usize, const M: usize> =
    Tangent<System, N, M, Semidefinite<<System as Mechanical<N, M>>::Base, M>>;

/// In how many parts the readings are approached.
const PARTS: u32 = 12;
/// How many iterations follow.
const NEWTON: u32 = 4;

/// A pose on its way to the one that has the readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Alignment<T, const N: usize> {
    pose: Vector<T, N>,
    done: u32,
}

impl<T: Float, const N: usize> Alignment<T, N> {
    /// From a pose that is near, or at least on the same side of every elbow.
    pub(super) fn from(pose: Vector<T, N>) -> Self {
        Self { pose, done: 0 }
    }

    pub(super) fn pose(&self) -> &Vector<T, N> {
        &self.pose
    }

    /// An iteration towards these readings; whether it was the last.
    pub(super) fn approach<System, const M: usize, const E: usize>(
        &mut self,
        system: &System,
        readings: &Vector<T, E>,
        tick: u64,
    ) -> Result<bool, Reason<T>>
    where
        System: Sensed<N, M, E, Base = T>,
    {
        let tangent = Around::at(system, &self.pose, tick).map_err(Reason::Control)?;
        let (predicted, sensing) = system.sensor_jacobian(&self.pose);
        let spread = tangent.spread(&sensing);
        let mobility = Ldlt::<T, E>::factor(product_of(&sensing, &spread))
            .map_err(|cause| Reason::Control(ControlError::Singular { tick, kind: Singularity::Sensing, cause }))?;
        let part = T::one() / T::from_ticks(u64::from(PARTS.saturating_sub(self.done).max(1)));
        self.pose += product(&spread, &mobility.solve((readings - predicted) * part));
        tangent.onto(system, &mut self.pose);
        self.done += 1;
        Ok(self.done >= PARTS + NEWTON)
    }

    /// Whether the pose has these readings, to what each may be off.
    pub(super) fn check<System, const M: usize, const E: usize>(
        &self,
        system: &System,
        readings: &Vector<T, E>,
        limits: &[T; E],
    ) -> Result<(), Reason<T>>
    where
        System: Sensed<N, M, E, Base = T>,
    {
        let off = readings - system.sensors(&self.pose);
        for index in 0..E {
            let (error, limit) = (off.data.0[0][index], limits[index]);
            if !(error.abs() <= limit) {
                return Err(Reason::Lost { index, error, limit });
            }
        }
        Ok(())
    }
}

/// What it takes to hold the motors' encoders at a pose, and to accelerate them from rest:
///
/// ```text
///     u = K (c'' − C a),    K = (C P B)⁻¹
/// ```
///
/// with the acceleration a without inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Statics<T, const U: usize> {
    /// −K C a.
    pub(super) holding: Vector<T, U>,
    /// K.
    pub(super) inertia: Matrix<T, U, U>,
}

impl<T: Float, const U: usize> Statics<T, U> {
    pub(super) fn at<System, const N: usize, const M: usize, const E: usize>(
        system: &System,
        pose: &Vector<T, N>,
        tick: u64,
    ) -> Result<Self, ControlError<T>>
    where
        System: Actuated<N, M, U, Base = T> + Sensed<N, M, E>,
    {
        const { assert!(U <= E, "every motor has an encoder") };
        let tangent = Around::<System, N, M>::at(system, pose, tick)?;
        let (_, sensing) = system.sensor_jacobian(pose);
        let of_motors = |motion: &Vector<T, N>| {
            let all = product(&sensing, motion);
            let mut motors = Vector::<T, U>::zeros();
            for (motor, sensor) in motors.iter_mut().zip(&all) {
                *motor = *sensor;
            }
            motors
        };
        let free = of_motors(&tangent.along(&system.force(T::zero(), pose, &Vector::zeros())));
        let actuation = system.actuation(pose);
        let mut effect = Matrix::<T, U, U>::zeros();
        for input in 0..U {
            effect.data.0[input] = of_motors(&tangent.along(&Vector::from(actuation.data.0[input]))).data.0[0];
        }
        let factors =
            Lu::factor(effect).map_err(|cause| ControlError::Singular { tick, kind: Singularity::Actuation, cause })?;
        let mut inertia = Matrix::zeros();
        for motor in 0..U {
            let mut unit = Vector::zeros();
            unit.data.0[0][motor] = T::one();
            inertia.data.0[motor] = factors.solve(unit).data.0[0];
        }
        Ok(Self { holding: factors.solve(-free), inertia })
    }
}
