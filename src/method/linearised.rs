//! The equations of an implicit Euler step, linearised for Newton's method.
//!
//! Unknowns are x = h (v_n₊₁ − v_n) and Λ = h² λ, so that the matrix is O(1) in h. With d = h v_n + x:
//!
//! ```text
//!     M(q) x − h² f(t, q, v_n + x/h) + G(q)ᵀ Λ = 0,      q = q_n + d
//!     index 3:  g(t, q) = 0
//!     index 2:  G d + h g_t = 0
//!     index 1:  G x + g_qq(d, d) + 2 h g_qt d + h² g_tt = 0
//! ```
//!
//! All derivatives come from evaluating the model with nested dual numbers and jets.

use crate::linalg::{Matrix, Vector};
use crate::scalar::{Dual, Float, Jet};
use crate::system::{Mass, Mechanical};

/// Residuals and their derivatives with respect to x.
pub(super) struct Linearised<T, const N: usize, const M: usize> {
    /// The residual of the equations of motion, and its derivative.
    pub(super) balance: Vector<T, N>,
    pub(super) stiffness: Matrix<T, N, N>,
    /// G. Its transpose is the derivative of the equations of motion with respect to Λ.
    pub(super) jacobian: Matrix<T, M, N>,
    /// The residual of the constraint at its level, and its derivative.
    pub(super) constraint: Vector<T, M>,
    pub(super) gradient: Matrix<T, M, N>,
}

/// The start of a step and the current Newton iterate.
pub(super) struct Trial<'a, T, const N: usize, const M: usize> {
    /// The time at the end of the step.
    pub(super) t: T,
    pub(super) h: T,
    pub(super) inverse: T,
    pub(super) q: &'a Vector<T, N>,
    pub(super) v: &'a Vector<T, N>,
    /// v_n, less what is to be subtracted from the velocity in the force.
    pub(super) force_velocity: &'a Vector<T, N>,
    /// x = d − h v_n.
    pub(super) change: &'a Vector<T, N>,
    pub(super) multipliers: &'a Vector<T, M>,
}

/// Linearises at a trial, the constraint at the level of `INDEX`: 3 positions, 2 velocities, 1 accelerations.
#[inline]
pub(super) fn linearise<System, T, const N: usize, const M: usize, const INDEX: usize>(
    system: &System,
    trial: &Trial<'_, T, N, M>,
) -> Linearised<T, N, M>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
{
    let Trial { t, h, inverse, q, v, force_velocity, change, multipliers } = *trial;
    let change = Vector::from(Dual::<T, N>::variables(change.data.0[0]));
    let displacement = change.zip_map(v, |x, v| x + v * h);
    let positions = displacement.zip_map(q, |d, q| d + q);
    let velocities = change.zip_map(force_velocity, |x, v| x * inverse + v);

    let force = system.force(Dual::constant(t), &positions, &velocities);
    let momentum = system.mass().times(|| system.mass_matrix_at(Dual::constant(t), &positions), &change);
    let mut balance = momentum - force.map(|f| f * (h * h));

    // One evaluation with second derivatives gives g, G, Gᵀ Λ and its derivative.
    let nested = Vector::from(Dual::<Dual<T, N>, N, T>::variables(positions.data.0[0]));
    let g = system.constraint(Dual::constant(Dual::constant(t)), &nested);
    let mut jacobian = Matrix::zeros();
    for row in 0..M {
        for column in 0..N {
            let partial = g[row].partials[column];
            jacobian[(row, column)] = partial.value;
            balance[column] += partial * multipliers[row];
        }
    }

    let constraint = match INDEX {
        3 => g.map(|g| g.value),
        2 => total_derivative(system, t, h, &positions, &displacement),
        _ => {
            let path = positions.zip_map(&displacement, |q, d| Jet::new(q, d, Dual::constant(T::zero())));
            let time = Jet::new(Dual::constant(t), Dual::constant(h), Dual::constant(T::zero()));
            let curvature = system.constraint(time, &path).map(|g| g.second);
            curvature + total_derivative(system, t, T::zero(), &positions, &change)
        }
    };
    Linearised {
        balance: balance.map(|r| r.value),
        stiffness: derivative(&balance),
        jacobian,
        constraint: constraint.map(|r| r.value),
        gradient: derivative(&constraint),
    }
}

/// The derivative of g along (h, d): G d + h g_t.
#[inline]
fn total_derivative<System: Mechanical<N, M, Base = T>, T: Float, const N: usize, const M: usize>(
    system: &System,
    t: T,
    h: T,
    q: &Vector<Dual<T, N>, N>,
    d: &Vector<Dual<T, N>, N>,
) -> Vector<Dual<T, N>, M> {
    let path = q.zip_map(d, |q, d| Dual::<Dual<T, N>, 1, T>::new(q, [d]));
    let time = Dual::new(Dual::constant(t), [Dual::constant(h)]);
    system.constraint(time, &path).map(|g| g.partials[0])
}

/// The matrix whose rows are partial derivatives.
#[inline]
fn derivative<T: Float, const R: usize, const N: usize>(functions: &Vector<Dual<T, N>, R>) -> Matrix<T, R, N> {
    crate::system::automatic::from_partials(functions)
}
