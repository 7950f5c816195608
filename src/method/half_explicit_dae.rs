//! Half-explicit Runge–Kutta methods on semi-explicit systems of index 1, 2 and both.
//!
//! ```text
//!     Y₁ = y_n;  for i = 1 … s, with the coefficients of stage i + 1 (those of the end for i = s):
//!     Y_i₊₁ = y_n + h Σ a_i₊₁,ⱼ f(t_j, Y_j, Z_j)
//!     index 2: Z_i such that 0 = g(t_i₊₁, Y_i₊₁)        index 1: Z_i such that 0 = g(t_i, Y_i, Z_i)
//! ```
//!
//! With a [mixed](crate::system::MIXED) index, each row of g has its own equation. Rows that are combined must be combined in the same way
//! at both ends of a stage. Else the end is off the constraint, and the step fails; if it is so small that this is within the limit, the
//! order is lost. Implicit methods have no such condition.
//!
//! At the end z follows from the hidden constraint g_y f + g_t = 0 (index 2) or from g = 0 (index 1). (Hairer, Lubich and Roche 1989;
//! Hairer & Wanner VII.6.)
//!
//! **Order** 1 to 4 in y and z; the tableaux are those of [`HalfExplicit`]. **Preserves** the constraint and the hidden one.
//!
//! **Choose it** for accuracy with f that is not stiff: it is explicit in y. **Cost**: s + 1 solutions of `Z` equations by a fixed number
//! of Newton iterations.

use super::converged::{last_correction, or_round_off, solved};
use super::error::StepError;
use super::finite::finite_numbers;
use super::half_explicit::HalfExplicit;
use super::judge::inconsistent;
use super::step::Step;
use crate::linalg::{Lu, Matrix, Vector};
use crate::project::Level;
use crate::scalar::{Dual, Float};
use crate::start::{SemiExplicitState, StepSize};
use crate::system::automatic::from_partials;
use crate::system::{MIXED, SemiExplicit, mixed};

/// In errors, the index of an unknown or of a number that is not finite counts y, then z.
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
/// use taut::method::{HalfExplicit, Step};
/// use taut::start::{Clock, SemiExplicitState};
///
/// let mut state = SemiExplicitState::start(&Cart, Clock::at_rate(100.0)?, [0.0], [1.0])?;
/// let order_four = HalfExplicit::order_four();
/// for _ in 0..50 {
///     order_four.step(&Cart, &mut state)?;
/// }
/// assert!((state.algebraic()[0] - 0.5_f64.sin() - 0.5_f64.cos()).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<System, T, const Y: usize, const Z: usize, const S: usize, const PROJECT: bool>
    Step<System, SemiExplicitState<T, Y, Z>> for HalfExplicit<T, S, PROJECT>
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
        let StepSize { h, inverse, .. } = state.clock.size;
        let tick = state.clock.tick;
        let [t, t_end] = state.clock.plain_times();
        state.start_residual(system, t).map_err(|residual| inconsistent(residual, tick))?;
        let limits = state.limits();

        let (mut t_here, mut y, mut z) = (t, state.y, state.z);
        let mut rates = [Vector::<T, Y>::zeros(); S];
        for i in 0..S {
            let row = &self.rows[i];
            let t_next = if i + 1 == S { t_end } else { t + self.nodes[i] * h };
            let mut known = Vector::<T, Y>::zeros();
            for (weight, rate) in row.iter().zip(&rates).take(i) {
                known += rate * *weight;
            }
            let known = state.y + known * h;
            let weight = row[i] * h;
            if System::INDEX == 2 {
                // g at the end of the stage, divided by the weight of the stage: its derivative is g_y f_z.
                let inverse = T::one() / weight;
                let leads_to = |z: Vector<Dual<T, Z>, Z>| {
                    let rate = system.rate(Dual::constant(t_here), &y.map(Dual::constant), &z);
                    let next = rate.zip_map(&known, |f, y| f * weight + y);
                    system.constraint(Dual::constant(t_next), &next, &z).map(|g| g * inverse)
                };
                z = solve::<_, Y, Z>(z, leads_to, weight, (Level::Position, limits), tick)?;
            } else if System::INDEX == MIXED {
                let equations = |z: Vector<Dual<T, Z>, Z>| {
                    // The elimination needs g_z, also where only values are wanted.
                    let z = Vector::from(Dual::<T, Z>::variables(z.map(|z| z.value).data.0[0]));
                    let (t, y) = (Dual::constant(t_here), y.map(Dual::constant));
                    let next = system.rate(t, &y, &z).zip_map(&known, |f, y| f * weight + y);
                    mixed(system.constraint(t, &y, &z), system.constraint(Dual::constant(t_next), &next, &z))
                };
                z = solve::<_, Y, Z>(z, equations, T::one(), (Level::Position, limits), tick)?;
            } else {
                let equations = |z| system.algebraic(t_here, &y, z);
                z = solve::<_, Y, Z>(z, equations, T::one(), (Level::Position, limits), tick)?;
            }
            rates[i] = system.rate(t_here, &y, &z);
            (t_here, y) = (t_next, known + rates[i] * weight);
        }
        let judged = judged_at_end::<System, T, Y, Z>(&limits, inverse);
        z = solve::<_, Y, Z>(z, |z| system.algebraic(t_end, &y, z), T::one(), judged, tick)?;
        if System::INDEX == MIXED {
            solved(Level::Position, &system.constraint(t_end, &y, &z), &limits, tick)?;
        }
        finite_numbers(Level::Position, y.iter().chain(&z), tick)?;
        (state.y, state.z) = (y, z);
        state.clock.advance_in_period();
        Ok(())
    }
}

/// The limits of the equations that determine z. The hidden constraint has the units of g over time: its limit is that of g over one step.
/// With a mixed index a row may be one of g; then g is judged, too.
#[inline(always)]
pub(super) fn judged_at_end<System: SemiExplicit<Y, Z, Base = T>, T: Float, const Y: usize, const Z: usize>(
    limits: &Vector<T, Z>,
    inverse: T,
) -> (Level, Vector<T, Z>) {
    match System::INDEX {
        1 => (Level::Position, *limits),
        2 => (Level::Velocity, limits * inverse),
        _ => (Level::Velocity, limits + limits * inverse),
    }
}

/// Newton's method for z with a fixed number of iterations. Afterwards the residuals times `unit` are compared with the limits, and the
/// last correction with z.
#[inline]
pub(super) fn solve<T: Float, const Y: usize, const Z: usize>(
    mut z: Vector<T, Z>,
    equations: impl Fn(Vector<Dual<T, Z>, Z>) -> Vector<Dual<T, Z>, Z>,
    unit: T,
    (level, limits): (Level, Vector<T, Z>),
    tick: u64,
) -> Result<Vector<T, Z>, StepError<T>> {
    let (mut last_step, mut first_matrix) = (Vector::zeros(), None);
    for _ in 0..T::NEWTON_ITERATIONS {
        let residual = equations(Dual::variables(z.data.0[0]).into());
        let matrix: Matrix<T, Z, Z> = from_partials(&residual);
        first_matrix.get_or_insert(matrix);
        let factors = Lu::factor(matrix).map_err(|cause| {
            // A rate or a constraint that is not finite is reported with the index of its equation.
            let finite = finite_numbers(Level::Position, residual.iter().map(|g| &g.value), tick);
            finite.err().unwrap_or(StepError::Singular { tick, cause })
        })?;
        last_step = factors.solve(residual.map(|g| g.value));
        z -= last_step;
    }
    let residual = equations(z.map(Dual::constant)).map(|g| g.value * unit);
    solved(level, &residual, &limits, tick)?;
    or_round_off(last_correction(&last_step, &z, Y, tick), &last_step, (&first_matrix, unit), &limits)?;
    Ok(z)
}
