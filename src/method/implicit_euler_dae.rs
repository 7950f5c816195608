//! Implicit Euler on semi-explicit systems of index 1 and 2, and on M u' = F(t, u).
//!
//! ```text
//!     y₁ = y₀ + h f(t₁, y₁, z₁),   0 = g(t₁, y₁, z₁)                (Hairer, V, (2.3), (3.3))
//!     M (u₁ − u₀) = h F(t₁, u₁)                                     (V, (1.1))
//! ```
//!
//! Order 1 in y and z, with index 1 and 2. The two forms give the same numbers: a linear transformation of the variables and
//! equations goes through the method (V, (1.7)–(1.10)). Constraints hold at every step; y does not depend on the z before.
//!
//! Newton's matrix is made O(1) in h: with index 2, g is divided by h; of M u' = F, the rows that M does not reach are divided
//! by h. With index 2 a solution exists only if y₀ is O(h²) close to the constraint (V.6, exercise 5): otherwise Newton's method runs
//! away, and the step ends in an error.

use super::error::StepError;
use super::size::StepSize;
use super::{DEFAULT_ITERATIONS, iterations};
use crate::linalg::{Lu, Matrix, Vector, magnitude, product, product_of, subtract_product};
use crate::project::{Level, Residual, within};
use crate::scalar::{Dual, Float};
use crate::start::{ImplicitState, Plain, SemiExplicitState};
use crate::system::automatic::from_partials;
use crate::system::{Implicit, SemiExplicit};

/// Implicit Euler for [`SemiExplicit`] and [`Implicit`] systems, with a fixed step and `K` Newton iterations.
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
/// use taut::method::{ImplicitEulerDae, StepSize};
/// use taut::start::SemiExplicitState;
///
/// let mut state = SemiExplicitState::start(&Cart, 0.0, [0.0], [1.0])?;
/// let euler = ImplicitEulerDae::with_step(StepSize::seconds(1e-3)?);
/// for _ in 0..500 {
///     euler.step_semi_explicit(&Cart, &mut state)?;
/// }
/// assert!((state.algebraic()[0] - 0.5_f64.sin() - 0.5_f64.cos()).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ImplicitEulerDae<T, const K: usize = DEFAULT_ITERATIONS> {
    size: StepSize<T>,
}

impl<T: Float> ImplicitEulerDae<T> {
    /// Steps of this size.
    pub fn with_step(size: StepSize<T>) -> Self {
        Self { size }
    }
}

impl<T: Float, const K: usize> ImplicitEulerDae<T, K> {
    /// Another number of Newton iterations than the default (two in `f32`, six in `f64`).
    pub fn iterations<const ITERATIONS: usize>(self) -> ImplicitEulerDae<T, ITERATIONS> {
        ImplicitEulerDae { size: self.size }
    }

    /// The step size.
    pub fn step_size(&self) -> T {
        self.size.get()
    }

    /// Makes a step; on an error the state is as it was.
    ///
    /// In errors, rows from `Z` on are those of the differential equations, and numbers that are not finite are counted
    /// through y and z.
    pub fn step_semi_explicit<System, const Y: usize, const Z: usize>(
        &self,
        system: &System,
        state: &mut SemiExplicitState<T, Y, Z>,
    ) -> Result<(), StepError<T>>
    where
        System: SemiExplicit<Y, Z, Base = T>,
    {
        let StepSize { h, inverse, .. } = self.size;
        let tick = state.clock.tick;
        let t = state.clock.time::<Plain>(1, h).high;
        state
            .entry_residual(system, state.clock.time::<Plain>(0, h).high)
            .map_err(|residual| StepError::Inconsistent { tick, residual })?;
        let weight = if System::INDEX == 2 { inverse } else { T::one() };

        let (mut y, mut z) = (state.y, state.z);
        for _ in 0..iterations::<T, K>() {
            let by_y = (Vector::from(Dual::<T, Y>::variables(y.data.0[0])), z.map(Dual::constant));
            let by_z = (y.map(Dual::constant), Vector::from(Dual::<T, Z>::variables(z.data.0[0])));
            let rate_y = system.rate(Dual::constant(t), &by_y.0, &by_y.1);
            let rate_z = system.rate(Dual::constant(t), &by_z.0, &by_z.1);
            let constraint_y = system.constraint(Dual::constant(t), &by_y.0, &by_y.1).map(|g| g * weight);
            let constraint_z = system.constraint(Dual::constant(t), &by_z.0, &by_z.1).map(|g| g * weight);

            // With y − δ, z − ζ: A δ − h f_z ζ = r, g_y δ + g_z ζ = g; A = I − h f_y.
            let balance = by_y.0.zip_map(&rate_y, |y, f| y - f * h).zip_map(&state.y, |r, y| r - y);
            let singular =
                |cause| match balance.iter().map(|r| r.value).chain(z.iter().copied()).position(|x| !x.is_finite()) {
                    Some(index) => StepError::NonFinite { tick, level: Level::Position, index },
                    None => StepError::Singular { tick, cause },
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
            let factors = Lu::factor(own + product_of(&gradient, &columns)).map_err(singular)?;
            let missing = constraint_y.map(|g| g.value) - product(&gradient, &step);
            let change = factors.solve(missing);
            subtract_product(&mut step, &columns, &(-change));
            y -= step;
            z -= change;
        }

        if let Some(index) = y.iter().chain(z.iter()).position(|number| !number.is_finite()) {
            return Err(StepError::NonFinite { tick, level: Level::Position, index });
        }
        within(Level::Position, &system.constraint(t, &y, &z), &state.limits())
            .map_err(|residual| StepError::NotConverged { tick, residual })?;
        let balance = y - state.y - system.rate(t, &y, &z) * h;
        let limit = T::ROOT_EPSILON * (T::one() + magnitude(&state.y));
        for (index, residual) in balance.iter().enumerate() {
            if !(residual.abs() <= limit) {
                let row = Z + index;
                let residual = Residual { level: Level::Position, row, residual: *residual, limit };
                return Err(StepError::NotConverged { tick, residual });
            }
        }
        (state.y, state.z) = (y, z);
        state.clock.advance_in_period();
        Ok(())
    }

    /// Makes a step; on an error the state is as it was.
    ///
    /// In errors, rows are those after elimination in M: the differential ones first.
    pub fn step_implicit<System, const N: usize>(
        &self,
        system: &System,
        state: &mut ImplicitState<T, N>,
    ) -> Result<(), StepError<T>>
    where
        System: Implicit<N, Base = T>,
    {
        let h = self.size.h;
        let tick = state.clock.tick;
        let (t_start, t) = (state.clock.time::<Plain>(0, h).high, state.clock.time::<Plain>(1, h).high);
        let reduced = product(&state.elimination, &system.force(t_start, &state.u));
        state.algebraic_rows(&reduced).map_err(|residual| StepError::Inconsistent { tick, residual })?;
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
            let factors =
                Lu::factor(matrix).map_err(|cause| match force.iter().position(|f| !f.value.is_finite()) {
                    Some(index) => StepError::NonFinite { tick, level: Level::Position, index },
                    None => StepError::Singular { tick, cause },
                })?;
            u -= factors.solve(balance(&u, &force.map(|f| f.value)));
        }

        if let Some(index) = u.iter().position(|number| !number.is_finite()) {
            return Err(StepError::NonFinite { tick, level: Level::Position, index });
        }
        within(Level::Position, &balance(&u, &system.force(t, &u)), &state.limits(h))
            .map_err(|residual| StepError::NotConverged { tick, residual })?;
        state.u = u;
        state.clock.advance_in_period();
        Ok(())
    }
}
