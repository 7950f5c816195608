//! Accelerations and multipliers at the acceleration level (index 1):
//!
//! ```text
//!     M v' = f − Gᵀ λ,    G v' + g_qq(v, v) + 2 g_qt v + g_tt + 2 α (G v + g_t) + β² g = 0
//! ```
//!
//! with Baumgarte's α = β = 0 unless asked for (Hairer & Wanner VII.2, (2.5) and (2.7)).

use super::error::StepError;
use super::stage::not_factorised;
use crate::linalg::{Matrix, SymmetricFactors, Vector, add_product_where};
use crate::project::Correction;
use crate::scalar::Float;
use crate::system::{Inertia, InertiaOf, Mechanical};

/// Baumgarte's stabilisation, as it enters the equation: 2 α and β².
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Feedback<T> {
    pub(super) twice_alpha: T,
    pub(super) beta_square: T,
}

/// Updates the inertia and the correction at (t, q) and returns v' and λ at (t, q, v). `rank` is that of the node where the step began;
/// `inverses` grow by those of the pivots.
#[inline(always)]
pub(super) fn acceleration_at<System, T, const N: usize, const M: usize, F>(
    system: &System,
    inertia: &mut InertiaOf<System, N, M>,
    correction: &mut Correction<T, N, M, F>,
    (t, q, v): (T, &Vector<T, N>, &Vector<T, N>),
    feedback: Option<Feedback<T>>,
    (rank, inverses): (usize, &mut Vector<T, M>),
    tick: u64,
) -> Result<(Vector<T, N>, Vector<T, M>), StepError<T>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    system.update_inertia(inertia, q).map_err(|cause| not_factorised(StepError::Mass { tick, cause }, *q, tick))?;
    let jacobian = system.jacobian(t, q);
    correction
        .update_between::<System>(&jacobian, inertia, rank, inverses)
        .map_err(|cause| not_factorised(StepError::Singular { tick, cause }, *q, tick))?;
    Ok(acceleration(system, inertia, correction, &jacobian, (t, q, v), feedback))
}

/// v' and λ at (t, q, v), with the Jacobian and the correction there.
#[inline(always)]
pub(super) fn acceleration<System, T, const N: usize, const M: usize, F>(
    system: &System,
    inertia: &impl Inertia<T, N>,
    correction: &Correction<T, N, M, F>,
    jacobian: &Matrix<T, M, N>,
    (t, q, v): (T, &Vector<T, N>, &Vector<T, N>),
    feedback: Option<Feedback<T>>,
) -> (Vector<T, N>, Vector<T, M>)
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    let mut acceleration = inertia.acceleration(&system.force(t, q, v));
    let mut residual = system.acceleration_terms(t, q, v);
    add_product_where(&mut residual, jacobian, &acceleration, System::uses);
    if let Some(Feedback { twice_alpha, beta_square }) = feedback {
        residual += system.velocity_residual(jacobian, t, q, v) * twice_alpha + system.constraint(t, q) * beta_square;
    }
    let multipliers = correction.multipliers(&residual);
    correction.move_back::<System>(&mut acceleration, &multipliers);
    (acceleration, multipliers)
}
