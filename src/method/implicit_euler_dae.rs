//! Implicit Euler on semi-explicit systems of index 1, 2 and both, and on M u' = F(t, u).
//!
//! ```text
//!     y₁ = y₀ + h f(t₁, y₁, z₁),   0 = g(t₁, y₁, z₁)                (Hairer, V, (2.3), (3.3))
//!     M (u₁ − u₀) = h F(t₁, u₁)                                     (V, (1.1))
//! ```
//!
//! **Order** 1 in y and z, for index 1 and 2. Both forms give the same numbers: the method commutes with linear transformations of
//! variables and equations (V, (1.7)–(1.10)). y₁ does not depend on z₀.
//!
//! **Preserves** the constraints at every step. **Choose it** for stiff systems; [`HalfExplicit`](super::HalfExplicit) is more accurate
//! for others.
//!
//! **Cost**: each Newton iteration evaluates the equations with first derivatives and factorises a Y×Y and a Z×Z (or an N×N) matrix.
//! Equations are scaled so that the matrix is O(1) in h: g is divided by h for index 2, and so are the algebraic rows of M u' = F.
//!
//! For index 2, y₀ should be on the constraint. If it is within O(h²), a solution exists and z₁ is accurate to O(h). If it is O(h) off,
//! z₁ is wrong by O(1), or there is no solution: y' = (exp(z − 1) + 1)/2, 0 = y − t can be solved for y₀ = 0.49 h (tested with 12
//! iterations; the default number is too small, and the step says so), but not for y₀ ≥ 0.5 h (V.6, exercise 5). Without a solution the
//! step returns an error at any h at which round-off, ε (1 + |y|), is far below h: the last correction of z is judged, because h makes
//! its residual small.

use super::converged::{balanced, last_correction, or_round_off, solved};
use super::error::StepError;
use super::finite::finite_numbers;
use super::implicit_euler::ImplicitEuler;
use super::iterations;
use super::judge::inconsistent;
use super::step::Step;
use crate::linalg::{Lu, Matrix, Vector, magnitude, product, product_of, subtract_product};
use crate::project::{Level, Residual, within};
use crate::scalar::{Dual, Float};
use crate::start::{ImplicitState, SemiExplicitState, StepSize};
use crate::system::automatic::from_partials;
use crate::system::{Implicit, SemiExplicit};

/// In errors, [`Level::Equation`] is a row of y' = f, and the index of an unknown or of a number that is not finite counts y, then z.
///
/// ```
/// # use nalgebra::vector;
/// # use taut::linalg::Vector;
/// # use taut::scalar::Real;
/// # use taut::system::SemiExplicit;
/// # struct Cart;
/// # impl SemiExplicit<1, 1> for Cart {
/// #     type Base = f64;
/// #     const INDEX: usize = 2;
/// #     fn rate<S: Real<Base = f64>>(&self, _t: S, y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
/// #         vector![z[0] - y[0]]
/// #     }
/// #     fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 1>, _z: &Vector<S, 1>) -> Vector<S, 1> {
/// #         vector![y[0] - t.sin()]
/// #     }
/// # }
/// use taut::method::{ImplicitEuler, Step};
/// use taut::start::{Clock, SemiExplicitState};
///
/// let mut state = SemiExplicitState::start(&Cart, Clock::with_step(1e-3)?, [0.0], [1.0])?;
/// let euler = ImplicitEuler::new();
/// for _ in 0..500 {
///     euler.step(&Cart, &mut state)?;
/// }
/// assert!((state.algebraic()[0] - 0.5_f64.sin() - 0.5_f64.cos()).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<System, T, const Y: usize, const Z: usize, const K: usize> Step<System, SemiExplicitState<T, Y, Z>>
    for ImplicitEuler<3, false, K>
where
    T: Float,
    System: SemiExplicit<Y, Z, Base = T>,
{
    type Report = ();
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn step(&self, system: &System, state: &mut SemiExplicitState<T, Y, Z>) -> Result<(), StepError<T>> {
        let ([t_start, t], tick) = (state.clock.plain_times(), state.clock.tick);
        state.start_residual(system, t_start).map_err(|residual| inconsistent(residual, tick))?;
        let (y, z) = solve(system, state, (t, &state.y, state.clock.size), iterations::<T, K>())?;
        (state.y, state.z) = (y, z);
        state.clock.advance_in_period();
        Ok(())
    }
}

/// Solves y = y_start + h f(t, y, z), 0 = g(t, y, z) for y and z, with the guess and the limits of the state.
pub(super) fn solve<System, T, const Y: usize, const Z: usize>(
    system: &System,
    state: &SemiExplicitState<T, Y, Z>,
    (t, y_start, size): (T, &Vector<T, Y>, StepSize<T>),
    iterations: usize,
) -> Result<(Vector<T, Y>, Vector<T, Z>), StepError<T>>
where
    T: Float,
    System: SemiExplicit<Y, Z, Base = T>,
{
    let (StepSize { h, inverse, .. }, tick) = (size, state.clock.tick);
    let weight = if System::INDEX == 2 { inverse } else { T::one() };

    let (mut y, mut z) = (state.y, state.z);
    let (mut last_step, mut last_change, mut first_matrix) = (Vector::zeros(), Vector::zeros(), None);
    for _ in 0..iterations {
        let by_y = (Vector::from(Dual::<T, Y>::variables(y.data.0[0])), z.map(Dual::constant));
        let by_z = (y.map(Dual::constant), Vector::from(Dual::<T, Z>::variables(z.data.0[0])));
        let rate_y = system.rate(Dual::constant(t), &by_y.0, &by_y.1);
        let rate_z = system.rate(Dual::constant(t), &by_z.0, &by_z.1);
        let constraint_y = system.constraint(Dual::constant(t), &by_y.0, &by_y.1).map(|g| g * weight);
        let constraint_z = system.constraint(Dual::constant(t), &by_z.0, &by_z.1).map(|g| g * weight);

        // With y − δ, z − ζ: A δ − h f_z ζ = r, g_y δ + g_z ζ = g; A = I − h f_y.
        let balance = by_y.0.zip_map(&rate_y, |y, f| y - f * h).zip_map(y_start, |r, y| r - y);
        let singular = |cause| {
            let finite = finite_numbers(Level::Position, balance.iter().map(|r| &r.value).chain(&z), tick);
            finite.err().unwrap_or(StepError::Singular { tick, cause })
        };
        let stiffness = Lu::factor(from_partials(&balance)).map_err(singular)?;
        let gradient: Matrix<T, Z, Y> = from_partials(&constraint_y);
        let coupling: Matrix<T, Y, Z> = from_partials(&rate_z.map(|f| f * h));
        let mut step = stiffness.solve(balance.map(|r| r.value));
        let mut columns = Matrix::<T, Y, Z>::zeros();
        for column in 0..Z {
            columns.data.0[column] = stiffness.solve(Vector::from(coupling.data.0[column])).data.0[0];
        }
        let own: Matrix<T, Z, Z> = from_partials(&constraint_z);
        let matrix = own + product_of(&gradient, &columns);
        first_matrix.get_or_insert(matrix);
        let factors = Lu::factor(matrix).map_err(singular)?;
        let missing = constraint_y.map(|g| g.value) - product(&gradient, &step);
        let change = factors.solve(missing);
        subtract_product(&mut step, &columns, &(-change));
        y -= step;
        z -= change;
        (last_step, last_change) = (step, change);
    }

    finite_numbers(Level::Position, y.iter().chain(&z), tick)?;
    let limits = state.limits();
    solved(Level::Position, &system.constraint(t, &y, &z), &limits, tick)?;
    let balance = y - y_start - system.rate(t, &y, &z) * h;
    let limit = T::ROOT_EPSILON * (T::one() + magnitude(&state.y));
    balanced(&balance, limit, tick)?;
    last_correction(&last_step, &y, 0, tick)?;
    let judged = last_correction(&last_change, &z, Y, tick);
    or_round_off(judged, &last_change, (&first_matrix, T::one() / weight), &limits)?;
    Ok((y, z))
}

/// In errors, rows are those of E (M u' − F) after the elimination E in M: first the differential ones, at [`Level::Equation`], then
/// the algebraic ones, at [`Level::Position`].
impl<System, T, const N: usize, const K: usize> Step<System, ImplicitState<T, N>> for ImplicitEuler<3, false, K>
where
    T: Float,
    System: Implicit<N, Base = T>,
{
    type Report = ();
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn step(&self, system: &System, state: &mut ImplicitState<T, N>) -> Result<(), StepError<T>> {
        let h = state.clock.size.h;
        let tick = state.clock.tick;
        let [t_start, t] = state.clock.plain_times();
        let reduced = product(&state.elimination, &system.force(t_start, &state.u));
        state.algebraic_rows(&reduced).map_err(|residual| inconsistent(residual, tick))?;
        let mass = product_of(&state.elimination, &system.mass());
        let balance = |u: &Vector<T, N>, force: &Vector<T, N>| {
            let (inertia, force) = (product(&mass, &(u - state.u)), product(&state.elimination, force));
            let mut balance = Vector::<T, N>::zeros();
            for row in 0..N {
                balance.data.0[0][row] = if row < state.rank {
                    inertia.data.0[0][row] - force.data.0[0][row] * h
                } else {
                    -force.data.0[0][row]
                };
            }
            balance
        };

        let mut u = state.u;
        let (mut last_step, mut first_matrix) = (Vector::zeros(), None);
        for _ in 0..iterations::<T, K>() {
            let force = system.force(Dual::constant(t), &Vector::from(Dual::<T, N>::variables(u.data.0[0])));
            let slope = product_of(&state.elimination, &from_partials(&force));
            let mut matrix = Matrix::<T, N, N>::zeros();
            for column in 0..N {
                for row in 0..N {
                    let (m, f) = (mass.data.0[column][row], slope.data.0[column][row]);
                    matrix.data.0[column][row] = if row < state.rank { m - f * h } else { -f };
                }
            }
            first_matrix.get_or_insert(matrix);
            let factors = Lu::factor(matrix).map_err(|cause| {
                let finite = finite_numbers(Level::Position, force.iter().map(|f| &f.value), tick);
                finite.err().unwrap_or(StepError::Singular { tick, cause })
            })?;
            last_step = factors.solve(balance(&u, &force.map(|f| f.value)));
            u -= last_step;
        }

        finite_numbers(Level::Position, &u, tick)?;
        let limits = state.limits(h);
        within(Level::Position, &balance(&u, &system.force(t, &u)), &limits).map_err(|residual| {
            let level = if residual.row < state.rank { Level::Equation } else { Level::Position };
            StepError::NotConverged { tick, residual: Residual { level, ..residual } }
        })?;
        or_round_off(last_correction(&last_step, &u, 0, tick), &last_step, (&first_matrix, T::one()), &limits)?;
        state.u = u;
        state.clock.advance_in_period();
        Ok(())
    }
}
