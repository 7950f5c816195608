//! Linear-quadratic control whose inputs cost nothing: R = 0 (Hairer & Wanner VII.1, exercise 8; Clark 1992, section 4.2).
//!
//! ```text
//!     x' = A x + B u,   λ' = −H x − Aᵀ λ,   0 = Bᵀ λ,   x(t₀) = x₀,   λ(t₁) = C x(t₁)
//! ```
//!
//! With Bᵀ H B positive definite it is a [`Hessenberg`] system of index 3. Its 2 (N − U) free values have 2 N conditions: only some x₀ have a
//! solution. From all others the optimal control begins with an impulse, which no motor has. They are refused, with the nearest x₀ that
//! has a solution.

use super::checks::too_large;
use super::hessenberg::Hessenberg;
use super::hessenberg_state::{HessenbergState, Shooting};
use super::linear_quadratic::{LinearQuadratic, QuadraticError, finite};
use crate::linalg::{Ldlt, Matrix, Qr, Vector};
use crate::scalar::{Float, Real};
use crate::start::Clock;

/// A [`LinearQuadratic`] problem with R = 0 as a system with the `S` = 2 N + U unknowns x, λ and u.
///
/// ```
/// use nalgebra::{matrix, vector};
/// use taut::control::{LinearQuadratic, QuadraticError, SingularArc};
/// use taut::linalg::Matrix;
/// use taut::start::Clock;
///
/// let problem = LinearQuadratic {
///     dynamics: matrix![0.0, 1.0; 0.0, 0.0],
///     actuation: matrix![0.0; 1.0],
///     state_weight: Matrix::identity(),
///     input_weight: matrix![0.0],
/// };
/// let arc = SingularArc::<f64, 2, 1, 5>::new(problem, Matrix::zeros())?;
/// let clock = Clock::with_step(0.01)?;
/// let x2 = match arc.start(clock, 100, vector![1.0, 0.0]) {
///     Err(QuadraticError::Impulsive { nearest, .. }) => nearest[1] / nearest[0],
///     _ => unreachable!(),
/// };
/// let state = arc.start(clock, 100, vector![1.0, x2])?;
/// assert!((x2 + 1.0_f64.tanh()).abs() < 1e-9 && (state.inputs()[0] - 1.0).abs() < 1e-9); // u = x₁
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingularArc<T, const N: usize, const U: usize, const S: usize> {
    problem: LinearQuadratic<T, N, U>,
    end_weight: Matrix<T, N, N>,
}

impl<T: Float, const N: usize, const U: usize, const S: usize> SingularArc<T, N, U, S> {
    /// With the weight C of the end. R must be zero, and Bᵀ H B positive definite.
    pub fn new(problem: LinearQuadratic<T, N, U>, end_weight: Matrix<T, N, N>) -> Result<Self, QuadraticError<T, N>> {
        for row in 0..U {
            for column in 0..U {
                if problem.input_weight.data.0[column][row] != T::zero() {
                    return Err(QuadraticError::NotSingular { row, column });
                }
            }
        }
        problem.check(T::zero())?;
        finite("end weight", &end_weight, T::zero())?;
        let b = &problem.actuation;
        Ldlt::factor(b.transpose() * problem.state_weight * b)
            .map_err(|cause| QuadraticError::InputWeight { time: T::zero(), cause })?;
        Ok(Self { problem, end_weight })
    }

    /// The optimal x, λ and u at x₀, for a run of `ticks` steps. [`RungeKutta4`](crate::method::RungeKutta4) steps it further. Use it on the
    /// host.
    pub fn start(
        &self,
        clock: Clock<T>,
        ticks: usize,
        x0: impl Into<Vector<T, N>>,
    ) -> Result<HessenbergState<T, S, 3, U>, QuadraticError<T, N>> {
        let x0 = x0.into();
        if let Some(row) = too_large(&x0, S) {
            return Err(QuadraticError::Argument { time: clock.time(), what: "x0", row, column: 0 });
        }
        let mut at_begin = Matrix::<T, S, S>::zeros();
        let mut at_end = Matrix::<T, S, S>::zeros();
        let mut needed = Vector::<T, S>::zeros();
        for i in 0..N {
            at_begin.data.0[i][i] = T::one();
            at_end.data.0[N + i][N + i] = T::one();
            needed.data.0[0][i] = x0.data.0[0][i];
            for j in 0..N {
                at_end.data.0[j][N + i] = -self.end_weight.data.0[j][i];
            }
        }
        let shooting = Shooting::new(self, clock, ticks, [&at_begin, &at_end], &needed)?;
        let (guess, residual) = shooting.solve(clock.time())?;
        let limit = T::ROOT_EPSILON * (T::one() + x0.dot(&x0).sqrt());
        if residual <= limit {
            return Ok(HessenbergState::start(self, clock, guess)?);
        }
        // The least-squares x(t₀) among the guesses that meet the condition at the end.
        let reached = Matrix::<T, N, S>::from_fn(|i, k| shooting.slope.data.0[k][i]);
        let ending = Matrix::<T, S, N>::from_fn(|k, i| shooting.slope.data.0[k][N + i]);
        let plant = |cause| QuadraticError::Boundary { time: clock.time(), cause };
        let ending = (Qr::factor_to_rank(ending, N - U).map_err(plant)?, ending.transpose());
        let allowed = Matrix::<T, S, S>::identity();
        let mut free = Matrix::<T, N, S>::zeros();
        for k in 0..S {
            let unit = Vector::from(allowed.data.0[k]);
            let kept = unit - ending.0.solve_transposed(ending.1 * unit);
            free.data.0[k] = (reached * kept).data.0[0];
        }
        let nearest = free * Qr::factor_to_rank(free, N - U).map_err(plant)?.solve_least_squares(x0);
        Err(QuadraticError::Impulsive { residual, limit, nearest })
    }
}

impl<T: Float, const N: usize, const U: usize, const S: usize> Hessenberg<S, 3, U> for SingularArc<T, N, U, S> {
    type Base = T;

    const SIZES: [usize; 3] = [N, N, U];

    fn matrix<E: Real<Base = T>>(&self, _t: E) -> Matrix<E, S, S> {
        let LinearQuadratic { dynamics, actuation, state_weight, .. } = &self.problem;
        let mut matrix = Matrix::<E, S, S>::zeros();
        for i in 0..N {
            for j in 0..N {
                matrix.data.0[j][i] = E::from(dynamics.data.0[j][i]);
                matrix.data.0[j][N + i] = E::from(-state_weight.data.0[j][i]);
                matrix.data.0[N + j][N + i] = E::from(-dynamics.data.0[i][j]);
            }
            for k in 0..U {
                matrix.data.0[2 * N + k][i] = E::from(actuation.data.0[k][i]);
                matrix.data.0[N + i][2 * N + k] = E::from(actuation.data.0[k][i]);
            }
        }
        matrix
    }

    fn input<E: Real<Base = T>>(&self, _t: E) -> Vector<E, S> {
        Vector::zeros()
    }
}
