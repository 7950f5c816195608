//! Radau IIA on semi-explicit systems of index 1, 2 and both, and on M u' = F(t, u).
//!
//! ```text
//!     Σ w_ij (Y_j − y_n) = h f(t_i, Y_i, Z_i),   0 = g(t_i, Y_i, Z_i);      Σ w_ij M (U_j − u_n) = h F(t_i, U_i)
//! ```
//!
//! Equations are scaled as in implicit Euler, so that the matrix is O(1) in h. Its derivatives are those where the step begins. Nothing in a
//! step but the start of its iterations depends on z_n.

use super::converged::{last_frozen_correction, or_round_off, solved};
use super::error::StepError;
use super::finite::finite_numbers;
use super::half_explicit::weighted;
use super::half_explicit_dae::{judged_at_end, solve};
use super::judge::inconsistent;
use super::radau::RadauIia;
use super::step::Step;
use crate::linalg::{Linear, Matrix, Vector, product, product_of};
use crate::project::Level;
use crate::scalar::{Dual, Float};
use crate::start::{ImplicitState, SemiExplicitState, StepSize};
use crate::system::automatic::from_partials;
use crate::system::{Implicit, MIXED, SemiExplicit};

/// The report is z of the last stage, of order s for index 2. The state has z from the hidden constraint, of order 2s − 1.
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
/// use taut::method::{RadauIia, Step};
/// use taut::start::{Clock, SemiExplicitState};
///
/// let mut state = SemiExplicitState::start(&Cart, Clock::with_step(0.1)?, [0.0], [1.0])?;
/// let radau = RadauIia::order_three();
/// for _ in 0..5 {
///     let last_stage = radau.step(&Cart, &mut state)?;
///     assert!((last_stage - state.algebraic()).amax() < 1e-2); // of order h²
/// }
/// assert!((state.algebraic()[0] - 0.5_f64.sin() - 0.5_f64.cos()).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<System, T, const Y: usize, const Z: usize, const S: usize, const PROJECT: bool, const K: usize>
    Step<System, SemiExplicitState<T, Y, Z>> for RadauIia<T, S, PROJECT, K>
where
    T: Float,
    System: SemiExplicit<Y, Z, Base = T>,
{
    type Report = Vector<T, Z>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn step(&self, system: &System, state: &mut SemiExplicitState<T, Y, Z>) -> Result<Vector<T, Z>, StepError<T>> {
        let StepSize { h, inverse, .. } = state.clock.size;
        let tick = state.clock.tick;
        let [t_start, t_end] = state.clock.plain_times();
        state.start_residual(system, t_start).map_err(|residual| inconsistent(residual, tick))?;
        let (weight, unit) = if System::INDEX == 2 { (inverse, h) } else { (T::one(), T::one()) };

        let mut equations = Linear::<T, Y, Z>::zeros();
        let time = (Dual::constant(t_start), Dual::constant(t_start));
        let by_y = (Vector::from(Dual::<T, Y>::variables(state.y.data.0[0])), state.z.map(Dual::constant));
        let by_z = (state.y.map(Dual::constant), Vector::from(Dual::<T, Z>::variables(state.z.data.0[0])));
        let rate = system.rate(time.0, &by_y.0, &by_y.1);
        equations.of_rates = Matrix::identity();
        equations.of_stages = from_partials(&rate) * -h;
        equations.coupling = from_partials(&system.rate(time.1, &by_z.0, &by_z.1)) * -h;
        equations.gradient = from_partials(&system.constraint(time.0, &by_y.0, &by_y.1)) * weight;
        equations.own = from_partials(&system.constraint(time.1, &by_z.0, &by_z.1)) * weight;
        let factors = self.factor(&equations).map_err(|cause| {
            let finite = finite_numbers(Level::Position, rate.iter().map(|f| &f.value).chain(&state.z), tick);
            finite.err().unwrap_or(StepError::Singular { tick, cause })
        })?;

        let (mut changes, mut z) = ([Vector::<T, Y>::zeros(); S], [state.z; S]);
        let (mut corrections, mut z_corrections) = (changes, z);
        for _ in 0..Self::ITERATIONS {
            for i in 0..S {
                let t = if i + 1 == S { t_end } else { t_start + self.nodes[i] * h };
                let y = state.y + changes[i];
                corrections[i] = weighted(&self.inverse[i], &changes) - system.rate(t, &y, &z[i]) * h;
                z_corrections[i] = system.constraint(t, &y, &z[i]) * weight;
            }
            factors.solve(&mut corrections, &mut z_corrections);
            for i in 0..S {
                changes[i] -= corrections[i];
                z[i] -= z_corrections[i];
            }
        }

        let (y, last_stage, limits) = (state.y + changes[S - 1], z[S - 1], state.limits());
        finite_numbers(Level::Position, y.iter().chain(&last_stage), tick)?;
        solved(Level::Position, &system.constraint(t_end, &y, &last_stage), &limits, tick)?;
        // By how much z changes the constraint: g_z, or g_y f_z for index 2.
        let matrix = Some(equations.own - product_of(&equations.gradient, &equations.coupling));
        for i in 0..S {
            last_frozen_correction(&corrections[i], &y, 0, tick)?;
            let judged = last_frozen_correction(&z_corrections[i], &z[i], Y, tick);
            or_round_off(judged, &z_corrections[i], (&matrix, unit), &limits)?;
        }
        let mut z = last_stage;
        if System::INDEX != 1 {
            let judged = judged_at_end::<System, T, Y, Z>(&limits, inverse);
            z = solve::<_, Y, Z>(z, |z| system.algebraic(t_end, &y, z), T::one(), judged, tick)?;
            if System::INDEX == MIXED {
                solved(Level::Position, &system.constraint(t_end, &y, &z), &limits, tick)?;
            }
            finite_numbers(Level::Position, y.iter().chain(&z), tick)?;
        }
        (state.y, state.z) = (y, z);
        state.clock.advance_in_period();
        Ok(last_stage)
    }
}

/// In errors, rows are those of implicit Euler on this form.
impl<System, T, const N: usize, const S: usize, const PROJECT: bool, const K: usize> Step<System, ImplicitState<T, N>>
    for RadauIia<T, S, PROJECT, K>
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
        let (h, tick) = (state.clock.size.h, state.clock.tick);
        let [t_start, t_end] = state.clock.plain_times();
        let variables = Vector::from(Dual::<T, N>::variables(state.u.data.0[0]));
        let force = system.force(Dual::constant(t_start), &variables);
        let reduced = product(&state.elimination, &force.map(|f| f.value));
        state.algebraic_rows(&reduced).map_err(|residual| inconsistent(residual, tick))?;
        // The differential rows of E F times h, the algebraic rows as they are.
        let scale = |row: usize| if row < state.rank { h } else { T::one() };

        let mut equations = Linear::<T, N, 0>::zeros();
        equations.of_rates = product_of(&state.elimination, &system.mass());
        equations.of_stages = -product_of(&state.elimination, &from_partials(&force));
        for column in 0..N {
            for row in 0..N {
                equations.of_stages.data.0[column][row] *= scale(row);
                if row >= state.rank {
                    equations.of_rates.data.0[column][row] = T::zero();
                }
            }
        }
        let factors = self.factor(&equations).map_err(|cause| {
            let finite = finite_numbers(Level::Position, force.iter().map(|f| &f.value), tick);
            finite.err().unwrap_or(StepError::Singular { tick, cause })
        })?;

        let mut changes = [Vector::<T, N>::zeros(); S];
        let mut corrections = changes;
        for _ in 0..Self::ITERATIONS {
            for i in 0..S {
                let t = if i + 1 == S { t_end } else { t_start + self.nodes[i] * h };
                let force = product(&state.elimination, &system.force(t, &(state.u + changes[i])));
                let mut balance = product(&equations.of_rates, &weighted(&self.inverse[i], &changes));
                for row in 0..N {
                    balance.data.0[0][row] -= force.data.0[0][row] * scale(row);
                }
                corrections[i] = balance;
            }
            factors.solve(&mut corrections, &mut [Vector::zeros(); S]);
            for i in 0..S {
                changes[i] -= corrections[i];
            }
        }

        let u = state.u + changes[S - 1];
        finite_numbers(Level::Position, &u, tick)?;
        let reduced = product(&state.elimination, &system.force(t_end, &u));
        state.algebraic_rows(&reduced).map_err(|residual| StepError::NotConverged { tick, residual })?;
        let (matrix, limits) = (Some(equations.of_rates + equations.of_stages), state.limits(h));
        for correction in &corrections {
            let judged = last_frozen_correction(correction, &u, 0, tick);
            or_round_off(judged, correction, (&matrix, T::one()), &limits)?;
        }
        state.u = u;
        state.clock.advance_in_period();
        Ok(())
    }
}
