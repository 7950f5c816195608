//! Accelerations and multipliers at the acceleration level (index 1):
//!
//! ```text
//!     M v' = f − Gᵀ λ,    G v' + g_qq(v, v) + 2 g_qt v + g_tt + 2 α (G v + g_t) + β² g = 0
//! ```
//!
//! with α = β = 0 unless Baumgarte's stabilisation is switched on (Hairer & Wanner VII.2, (2.5) and (2.7)).

use crate::linalg::{Matrix, SymmetricFactors, Vector};
use crate::project::{Correction, add_along};
use crate::scalar::Float;
use crate::system::{Equations, Inertia, Mechanical};

/// The coefficients of Baumgarte's stabilisation: 2 α and β².
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Feedback<T> {
    pub(super) twice_alpha: T,
    pub(super) beta_square: T,
}

/// v' and λ at (t, q, v), with the equations, the Jacobian and the correction there.
#[inline(always)]
pub(super) fn acceleration<System, T, const N: usize, const M: usize, F>(
    (system, equations): (&System, &impl Equations<T, N, M>),
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
    let acceleration = inertia.acceleration(&equations.force(v));
    constrained(system, correction, jacobian, (t, q, v), acceleration, equations.acceleration_terms(v), feedback)
}

/// The same with g_qq(v, v) + 2 g_qt v + g_tt given.
#[inline(always)]
pub(super) fn acceleration_with<System, T, const N: usize, const M: usize, F>(
    (system, equations): (&System, &impl Equations<T, N, M>),
    inertia: &impl Inertia<T, N>,
    correction: &Correction<T, N, M, F>,
    jacobian: &Matrix<T, M, N>,
    place: (T, &Vector<T, N>, &Vector<T, N>),
    terms: impl FnOnce() -> Vector<T, M>,
    feedback: Option<Feedback<T>>,
) -> (Vector<T, N>, Vector<T, M>)
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    let acceleration = inertia.acceleration(&equations.force(place.2));
    constrained(system, correction, jacobian, place, acceleration, terms(), feedback)
}

/// The same from M⁻¹ f, too.
#[inline(always)]
fn constrained<System, T, const N: usize, const M: usize, F>(
    system: &System,
    correction: &Correction<T, N, M, F>,
    jacobian: &Matrix<T, M, N>,
    (t, q, v): (T, &Vector<T, N>, &Vector<T, N>),
    mut acceleration: Vector<T, N>,
    terms: Vector<T, M>,
    feedback: Option<Feedback<T>>,
) -> (Vector<T, N>, Vector<T, M>)
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    let mut residual = terms;
    add_along::<System, T, N, M>(&mut residual, jacobian, &acceleration);
    if let Some(Feedback { twice_alpha, beta_square }) = feedback {
        residual += system.velocity_residual(jacobian, t, q, v) * twice_alpha + system.constraint(t, q) * beta_square;
    }
    let multipliers = correction.multipliers::<System>(&residual);
    correction.subtract::<System>(&mut acceleration, &multipliers);
    (acceleration, multipliers)
}
