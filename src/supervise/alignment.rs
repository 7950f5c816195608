//! Finds the pose of a machine from the readings of its encoders.
//!
//! ```text
//!     0 = g(q),   e(q) = y:    q ← q + P Cᵀ (C P Cᵀ)⁻¹ (y − e(q))/k,   then onto the constraints,   k = 12, 11, … 1, 1, 1, 1
//! ```
//!
//! with C = ∂e/∂q and P = M⁻¹ − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G M⁻¹. In the metric of the mass this is the smallest motion that explains the
//! readings, as in the observer of [`ComputedTorque`](crate::control::ComputedTorque). The iteration starts at the pose where the path
//! begins and approaches the readings in equal parts, so that it does not end at another pose with the same readings. The last
//! iterations are Newton's. Each tick does one iteration, to bound its cost.

use super::reason::Reason;
use crate::control::checks::within;
use crate::control::tangent::Tangent;
use crate::control::{Actuated, ControlError, Sensed, Singularity};
use crate::linalg::entries::{each, pairs, zero_matrix, zeros};
use crate::linalg::written_out::for_each;
use crate::linalg::{BlockFactors, Dense, Matrix, Semidefinite, Vector, pivot_tolerance, product, product_of};
use crate::scalar::Float;
use crate::system::Mechanical;

/// Accepts redundant constraints.
type Around<System, const N: usize, const M: usize> =
    Tangent<System, N, M, Semidefinite<<System as Mechanical<N, M>>::Base, M>>;

/// The number of parts in which the readings are approached.
const PARTS: u32 = 12;
/// The number of Newton iterations after that.
const NEWTON: u32 = 4;

/// The iterate of the alignment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Alignment<T, const N: usize> {
    pose: Vector<T, N>,
    done: u32,
}

impl<T: Float, const N: usize> Alignment<T, N> {
    /// Starts at a pose that is near, or at least has every elbow on the right side.
    pub(super) fn from(pose: Vector<T, N>) -> Self {
        Self { pose, done: 0 }
    }

    pub(super) fn pose(&self) -> &Vector<T, N> {
        &self.pose
    }

    /// One iteration towards these readings. Returns whether it was the last.
    #[inline(never)]
    pub(super) fn approach<System: Sensed<N, M, E, Base = T>, const M: usize, const E: usize>(
        &mut self,
        system: &System,
        readings: &Vector<T, E>,
        tick: u64,
    ) -> Result<bool, Reason<T>> {
        let tangent = Around::at(system, &self.pose, tick).map_err(Reason::Control)?;
        let (predicted, sensing) = system.sensor_jacobian(&self.pose);
        let part = T::one() / T::from_ticks(u64::from(PARTS.saturating_sub(self.done).max(1)));
        let innovation = each(&System::off_by(readings, &predicted), |off| off * part);
        let moved = tangent.explaining(&sensing, innovation, tick).map_err(Reason::Control)?;
        self.pose = pairs(&self.pose, &moved, |pose, moved| pose + moved);
        tangent.onto(system, &mut self.pose);
        self.done += 1;
        Ok(self.done >= PARTS + NEWTON)
    }

    /// Checks that the pose has these readings, within the limits.
    pub(super) fn check<System: Sensed<N, M, E, Base = T>, const M: usize, const E: usize>(
        &self,
        system: &System,
        readings: &Vector<T, E>,
        limits: &[T; E],
    ) -> Result<(), Reason<T>> {
        let off = System::off_by(readings, &system.sensors(&self.pose));
        within(&off.data.0[0], limits, |index, error, limit| Reason::NoPose { index, error, limit })
    }
}

/// The inputs that hold the motors at a pose, and those that accelerate them from rest:
///
/// ```text
///     u = K (c'' − C a),    K = (C P B)⁻¹
/// ```
///
/// a is the acceleration without inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Statics<T, const U: usize> {
    /// −K C a.
    pub(super) holding: Vector<T, U>,
    /// K.
    pub(super) inertia: Matrix<T, U, U>,
}

impl<T: Float, const U: usize> Statics<T, U> {
    #[inline(never)]
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
        let free = product(&sensing, &tangent.along(&system.force(T::zero(), pose, &zeros())));
        // C P B; only the rows of the motors are read.
        let effect = product_of(&sensing, &tangent.effect(&system.actuation(pose)));
        let mut factors = BlockFactors::<T, U>::workspace();
        let made = factors.update::<Dense>(|row, column| effect.data.0[column][row], pivot_tolerance(U));
        let kind = Singularity::Actuation;
        made.map_err(|cause| ControlError::Singular { tick, kind, cause })?;
        let (mut inertia, mut opposite) = (zero_matrix(), zeros());
        for_each!(MOTOR < U => {
            let mut unit = zeros();
            unit.data.0[0][MOTOR] = T::one();
            inertia.data.0[MOTOR] = factors.solve::<Dense>(unit).data.0[0];
            opposite.data.0[0][MOTOR] = -free.data.0[0][MOTOR];
        });
        Ok(Self { holding: factors.solve::<Dense>(opposite), inertia })
    }
}
