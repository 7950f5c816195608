//! Runge–Kutta of order 4 on semi-explicit systems of index 1 and 2, and the classical tableau that other forms share.
//!
//! ```text
//!     y' = f(t, y, z(t, y)) by the classical method: z from g = 0 (index 1), from the hidden constraint g_y f + g_t = 0 (index 2)
//!     index 2: y ← ỹ + f_z(ỹ, z̃) μ,   0 = g(t, y)            (Hairer & Wanner VII.2, (2.8))
//! ```
//!
//! The projection acts along f_z, the directions in which z can move y: simplified Newton iterations with g_y f_z at ỹ. z̃ is that of the
//! last stage.
//!
//! **Order** 4 in y and z. **Preserves** the constraint and the hidden one. A [mixed](crate::system::MIXED) index does not compile.
//! **Choose it** for f that is not stiff: it takes one solution of
//! `Z` equations less than [`HalfExplicit`](super::HalfExplicit) of order 4, whose errors are smaller.
//!
//! **Cost**: four solutions of `Z` equations by a fixed number of Newton iterations, and for index 2 one more matrix and the iterations of the
//! projection.

use super::converged::solved;
use super::error::StepError;
use super::finite::finite_numbers;
use super::half_explicit_dae::{judged_at_end, solve};
use super::judge::inconsistent;
use super::runge_kutta::RungeKutta4;
use super::step::Step;
use crate::linalg::{Lu, Matrix, Vector, product_of, subtract_product};
use crate::project::Level;
use crate::scalar::{Dual, Float};
use crate::start::{Clock, SemiExplicitState};
use crate::system::automatic::from_partials;
use crate::system::{MIXED, SemiExplicit};

/// In errors, the index of an unknown or of a number that is not finite counts y, then z.
impl<System, T, const Y: usize, const Z: usize> Step<System, SemiExplicitState<T, Y, Z>> for RungeKutta4<T>
where
    T: Float,
    System: SemiExplicit<Y, Z, Base = T>,
{
    type Report = ();
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        "runge_kutta_4"
    }

    fn step(&self, system: &System, state: &mut SemiExplicitState<T, Y, Z>) -> Result<(), StepError<T>> {
        let tick = state.clock.tick;
        let [t, t_end] = state.clock.plain_times();
        state.start_residual(system, t).map_err(|residual| inconsistent(residual, tick))?;
        let limits = state.limits();
        const { assert!(System::INDEX != MIXED, "not for constraints of index 1 and 2 together") };
        let judged = judged_at_end::<System, T, Y, Z>(&limits, state.clock.size.inverse);
        let algebraic =
            |t, y: &Vector<T, Y>, z| solve::<_, Y, Z>(z, |z| system.algebraic(t, y, z), T::one(), judged, tick);

        let mut z = state.z;
        let mut y = classical(&state.clock, &state.y, |stage, t, y| {
            if stage > 0 {
                z = algebraic(t, y, z)?;
            }
            Ok(system.rate(t, y, &z))
        })?;
        if System::INDEX == 2 {
            let by_z = Vector::from(Dual::<T, Z>::variables(z.data.0[0]));
            let by_y = Vector::from(Dual::<T, Y>::variables(y.data.0[0]));
            let directions: Matrix<T, Y, Z> =
                from_partials(&system.rate(Dual::constant(t_end), &y.map(Dual::constant), &by_z));
            let gradient: Matrix<T, Z, Y> =
                from_partials(&system.constraint(Dual::constant(t_end), &by_y, &z.map(Dual::constant)));
            let factors = Lu::factor(product_of(&gradient, &directions)).map_err(|cause| {
                let finite = finite_numbers(Level::Position, y.iter().chain(&z), tick);
                finite.err().unwrap_or(StepError::Singular { tick, cause })
            })?;
            for _ in 0..T::NEWTON_ITERATIONS {
                let shift = factors.solve(system.constraint(t_end, &y, &z));
                subtract_product(&mut y, &directions, &shift);
            }
            solved(Level::Position, &system.constraint(t_end, &y, &z), &limits, tick)?;
        }
        z = algebraic(t_end, &y, z)?;
        finite_numbers(Level::Position, y.iter().chain(&z), tick)?;
        (state.y, state.z) = (y, z);
        state.clock.advance_in_period();
        Ok(())
    }
}

/// The classical method of order 4 on y' = `rate`(stage, t, y).
#[inline(always)]
pub(crate) fn classical<T: Float, E, const N: usize>(
    clock: &Clock<T>,
    y: &Vector<T, N>,
    mut rate: impl FnMut(usize, T, &Vector<T, N>) -> Result<Vector<T, N>, E>,
) -> Result<Vector<T, N>, E> {
    let (h, half) = (clock.size.h, clock.size.half);
    let [t, t_end] = clock.plain_times();
    let first = rate(0, t, y)?;
    let second = rate(1, t + half, &(y + first * half))?;
    let third = rate(2, t + half, &(y + second * half))?;
    let fourth = rate(3, t_end, &(y + third * h))?;
    let middle = second + third;
    Ok(y + (first + middle + middle + fourth) * (half * T::from_f64(1.0 / 3.0)))
}
