//! Half-explicit Runge–Kutta methods on semi-explicit systems of index 1 and 2.
//!
//! ```text
//!     Y₁ = y_n;  for i = 1 … s, with the coefficients of stage i + 1 (those of the end for i = s):
//!     Y_i₊₁ = y_n + h Σ a_i₊₁,ⱼ f(t_j, Y_j, Z_j)
//!     index 2: Z_i such that 0 = g(t_i₊₁, Y_i₊₁)        index 1: Z_i such that 0 = g(t_i, Y_i, Z_i)
//! ```
//!
//! and z at the end from the hidden constraint g_y f + g_t = 0 (index 2) or from g = 0 (index 1). (Hairer, Lubich and
//! Roche 1989; Hairer & Wanner VII.6.) Explicit in y, so not for stiff f; each stage solves `Z` equations by a fixed
//! number of Newton iterations. Order 1 to 4 in y and z alike: the tableaux are those of [`HalfExplicit`].

use super::error::StepError;
use super::half_explicit::HalfExplicit;
use crate::linalg::{Lu, Vector};
use crate::project::{Level, within};
use crate::scalar::{Dual, Float};
use crate::start::{Plain, SemiExplicitState};
use crate::system::SemiExplicit;
use crate::system::automatic::from_partials;

impl<T: Float, const S: usize, const PROJECT: bool> HalfExplicit<T, S, PROJECT> {
    /// Makes a step of a [`SemiExplicit`] system; on an error the state is as it was.
    ///
    /// In errors, numbers that are not finite are counted through y and z.
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
    /// use taut::method::HalfExplicit;
    /// use taut::start::SemiExplicitState;
    ///
    /// let mut state = SemiExplicitState::start(&Cart, 0.0, [0.0], [1.0])?;
    /// let order_four = HalfExplicit::order_four_at_rate(100.0)?;
    /// for _ in 0..50 {
    ///     order_four.step_semi_explicit(&Cart, &mut state)?;
    /// }
    /// assert!((state.algebraic()[0] - 0.5_f64.sin() - 0.5_f64.cos()).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step_semi_explicit<System, const Y: usize, const Z: usize>(
        &self,
        system: &System,
        state: &mut SemiExplicitState<T, Y, Z>,
    ) -> Result<(), StepError<T>>
    where
        System: SemiExplicit<Y, Z, Base = T>,
    {
        let h = self.size.h;
        let tick = state.clock.tick;
        let (t, t_end) = (state.clock.time::<Plain>(0, h).high, state.clock.time::<Plain>(1, h).high);
        state.entry_residual(system, t).map_err(|residual| StepError::Inconsistent { tick, residual })?;
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
                // g of where the stage leads to, divided by its weight: its derivative is g_y f_z.
                let inverse = T::one() / weight;
                let leads_to = |z: Vector<Dual<T, Z>, Z>| {
                    let rate = system.rate(Dual::constant(t_here), &y.map(Dual::constant), &z);
                    let next = rate.zip_map(&known, |f, y| f * weight + y);
                    system.constraint(Dual::constant(t_next), &next, &z).map(|g| g * inverse)
                };
                z = solve(z, leads_to, weight, (Level::Position, limits), tick)?;
            } else {
                z = solve(z, |z| system.algebraic(t_here, &y, z), T::one(), (Level::Position, limits), tick)?;
            }
            rates[i] = system.rate(t_here, &y, &z);
            (t_here, y) = (t_next, known + rates[i] * weight);
        }
        // The hidden constraint has the units of g over time; over one step it is off by no more than g may be.
        let judged = match System::INDEX {
            2 => (Level::Velocity, limits * self.size.inverse),
            _ => (Level::Position, limits),
        };
        z = solve(z, |z| system.algebraic(t_end, &y, z), T::one(), judged, tick)?;
        if let Some(index) = y.iter().chain(z.iter()).position(|number| !number.is_finite()) {
            return Err(StepError::NonFinite { tick, level: Level::Position, index });
        }
        (state.y, state.z) = (y, z);
        state.clock.advance_in_period();
        Ok(())
    }
}

/// Newton's method for z, with a fixed number of iterations, judged afterwards: by the limits of the equations times `unit`.
#[inline]
fn solve<T: Float, const Z: usize>(
    mut z: Vector<T, Z>,
    equations: impl Fn(Vector<Dual<T, Z>, Z>) -> Vector<Dual<T, Z>, Z>,
    unit: T,
    (level, limits): (Level, Vector<T, Z>),
    tick: u64,
) -> Result<Vector<T, Z>, StepError<T>> {
    for _ in 0..T::NEWTON_ITERATIONS {
        let residual = equations(Dual::variables(z.data.0[0]).into());
        let factors = Lu::factor(from_partials(&residual)).map_err(|cause| {
            // A rate or a constraint that is no number is told as the equation it stands in.
            match residual.iter().position(|g| !g.value.is_finite()) {
                Some(index) => StepError::NonFinite { tick, level: Level::Position, index },
                None => StepError::Singular { tick, cause },
            }
        })?;
        z -= factors.solve(residual.map(|g| g.value));
    }
    let residual = equations(z.map(Dual::constant)).map(|g| g.value * unit);
    within(level, &residual, &limits).map_err(|residual| StepError::NotConverged { tick, residual })?;
    Ok(z)
}
