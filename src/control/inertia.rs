//! The inertia that a motor feels.

use super::actuated::Actuated;
use super::error::ControlError;
use super::feedforward::{Feedforward, Reference};
use super::singularity::Singularity;
use super::tangent::Tangent;
use crate::linalg::{Ldlt, Vector, product_of};
use crate::scalar::Float;

/// J: the inertia at each motor where a plan begins, with the other motors held.
///
/// The diagonal of (Bᵀ P B)⁻¹, where P maps forces to accelerations on the constraints. Call it when a loop is made, not in a tick: it
/// starts the plan.
///
/// ```
/// use mechanisms::Crane;
/// use taut::control::{FlatInverse, inertia_at_motors};
/// use taut::trajectory::Nonic;
///
/// let path = Nonic::point_to_point([0.0, -4.0], [5.0_f64, -1.0], 6.0)?;
/// let plan = FlatInverse::new(Crane::standard(), path, 1e-3)?;
/// let [trolley, winch] = inertia_at_motors(&plan)?; // the load swings freely below the trolley
/// assert!((trolley - 10.0).abs() < 1e-9 && (winch - 110.0).abs() < 1e-9);
/// # Ok::<(), taut::control::ControlError<f64>>(())
/// ```
pub fn inertia_at_motors<Plan, System, T, const N: usize, const M: usize, const U: usize>(
    plan: &Plan,
) -> Result<[T; U], ControlError<T>>
where
    T: Float,
    System: Actuated<N, M, U, Base = T>,
    Plan: Feedforward<Base = T, System = System, Reference = Reference<T, N, M, U>>,
{
    let (state, system) = (plan.start()?, plan.system());
    let pose = &Plan::last(&state).position;
    let tangent = Tangent::<System, N, M, Ldlt<T, M>>::at(system, pose, 0)?;
    let actuation = system.actuation(pose);
    let mobility = product_of(&actuation.transpose(), &tangent.effect(&actuation));
    let singular = |cause| ControlError::Singular { tick: 0, kind: Singularity::Actuation, cause };
    let factors = Ldlt::<T, U>::factor(mobility).map_err(singular)?;
    Ok(core::array::from_fn(|motor| {
        let mut unit = Vector::<T, U>::zeros();
        unit.data.0[0][motor] = T::one();
        factors.solve(unit).data.0[0][motor]
    }))
}
