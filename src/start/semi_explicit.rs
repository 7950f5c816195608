//! The state of a semi-explicit system, and how it starts.

use super::begin::all_finite;
use super::clock::Clock;
use super::error::{Part, StartError};
use super::gradients::Gradients;
use crate::linalg::{FactorError, Lu, Matrix, Qr, Vector, pivot_tolerance, product_of, subtract_product};
use crate::project::{Level, Residual, check_limit, within};
use crate::scalar::{Dual, Float};
use crate::system::automatic::from_partials;
use crate::system::{MIXED, SemiExplicit, eliminate, subtract_row};

/// The number of Newton iterations of a start; enough for a rough guess.
const ITERATIONS: usize = 32;

/// Differential and algebraic variables of a [`SemiExplicit`] system, on its constraint and on the hidden one.
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
/// use taut::start::{Clock, SemiExplicitState};
///
/// let clock = Clock::at_rate(1_000.0)?.at_time(0.5);
/// // From a guess: y is projected onto the constraint, z keeps it there.
/// let state = SemiExplicitState::start(&Cart, clock, [0.4], [0.0])?;
/// assert!((state.differential()[0] - 0.5_f64.sin()).abs() < 1e-15);
/// assert!((state.algebraic()[0] - 0.5_f64.sin() - 0.5_f64.cos()).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SemiExplicitState<T, const Y: usize, const Z: usize> {
    pub(crate) y: Vector<T, Y>,
    pub(crate) z: Vector<T, Z>,
    pub(crate) clock: Clock<T>,
    /// The gradients of the constraint at the start.
    gradients: Gradients<T, Z>,
    /// The limit where a step begins, relative to 1 + |y| and 1 + |z|.
    limit: T,
}

impl<T: Float, const Y: usize, const Z: usize> SemiExplicitState<T, Y, Z> {
    /// Starts at the time of the clock, from guesses. For index 2, y is projected onto the constraint, for a mixed index onto the rows that do
    /// not use z. Then z is solved for.
    ///
    /// Errors:
    /// - [`WrongIndex`](StartError::WrongIndex): a constraint of index 2 uses z.
    /// - [`Constraints`](StartError::Constraints): g_z (index 1), or g_y f_z or g_y (index 2), is singular.
    /// - [`NotAssembled`](StartError::NotAssembled), [`Algebraic`](StartError::Algebraic): no y, or no z, was found near the guess.
    ///
    /// The limit of a residual is the change that √ε (1 + |x|) in each variable x makes in it, with the gradients **at the start**. It also
    /// holds for the steps that follow.
    pub fn start<System: SemiExplicit<Y, Z, Base = T>>(
        system: &System,
        clock: Clock<T>,
        y: impl Into<Vector<T, Y>>,
        z: impl Into<Vector<T, Z>>,
    ) -> Result<Self, StartError<T>> {
        let (mut y, mut z, t) = (y.into(), z.into(), clock.time());
        all_finite(Part::Variable, y.iter().chain(&z))?;
        all_finite(Part::Time, [&t])?;
        Gradients::of_constraint(system, t, &y, &z)?;
        let limit = T::ROOT_EPSILON;
        if System::INDEX == MIXED {
            for _ in 0..ITERATIONS {
                y -= nearest(system, t, &y, &z)?;
            }
        }
        if System::INDEX == 2 {
            for _ in 0..ITERATIONS {
                let variables = Vector::from(Dual::<T, Y>::variables(y.data.0[0]));
                let constraint = system.constraint(Dual::constant(t), &variables, &z.map(Dual::constant));
                let gradient: Matrix<T, Z, Y> = from_partials(&constraint);
                let transposed = gradient.transpose();
                let factors = Lu::factor(product_of(&gradient, &transposed)).map_err(StartError::Constraints)?;
                subtract_product(&mut y, &transposed, &factors.solve(constraint.map(|g| g.value)));
            }
            let limits = Gradients::of_constraint(system, t, &y, &z)?.limits(limit, &y, &z);
            within(Level::Position, &system.constraint(t, &y, &z), &limits)
                .map_err(|residual| StartError::NotAssembled { residual, iterations: ITERATIONS })?;
        }
        for _ in 0..ITERATIONS {
            if System::INDEX == MIXED {
                y -= nearest(system, t, &y, &z)?;
            }
            let algebraic = system.algebraic(t, &y, Dual::variables(z.data.0[0]).into());
            let factors = Lu::factor(from_partials(&algebraic)).map_err(StartError::Constraints)?;
            z -= factors.solve(algebraic.map(|g| g.value));
        }
        all_finite(Part::Variable, y.iter().chain(&z))?;
        let state = Self { y, z, clock, gradients: Gradients::of_constraint(system, t, &y, &z)?, limit };
        if System::INDEX == MIXED {
            let assembled = |residual| StartError::NotAssembled { residual, iterations: ITERATIONS };
            state.start_residual(system, t).map_err(assembled)?;
        }
        state.check_algebraic(system, t)?;
        Lu::factor(system.algebraic_matrix(t, &y, &z)).map_err(StartError::Constraints)?;
        Ok(state)
    }

    /// Starts at the time of the clock, with exactly these values. Their residuals may be as large as an error of `limit` (1 + |x|) in each
    /// variable x makes them.
    ///
    /// A step may fail from there. For index 2, implicit Euler is sure to have a solution only if y is within O(h²) of the constraint; O(h)
    /// off it, z is wrong by O(1) or there is no solution (Hairer, V.6, exercise 5).
    pub fn given<System: SemiExplicit<Y, Z, Base = T>>(
        system: &System,
        clock: Clock<T>,
        y: impl Into<Vector<T, Y>>,
        z: impl Into<Vector<T, Z>>,
        limit: T,
    ) -> Result<Self, StartError<T>> {
        let (y, z, t) = (y.into(), z.into(), clock.time());
        all_finite(Part::Variable, y.iter().chain(&z))?;
        all_finite(Part::Time, [&t])?;
        // This limit is relative to the size of the variables.
        check_limit(limit, T::zero()).map_err(|largest| StartError::InvalidLimit { given: limit, largest })?;
        let gradients = Gradients::of_constraint(system, t, &y, &z)?;
        let state = Self { y, z, clock, gradients, limit };
        state.start_residual(system, t).map_err(|residual| StartError::NotAssembled { residual, iterations: 0 })?;
        state.check_algebraic(system, t)?;
        Lu::factor(system.algebraic_matrix(t, &y, &z)).map_err(StartError::Constraints)?;
        Ok(state)
    }

    /// The differential variables y.
    #[inline]
    pub fn differential(&self) -> &Vector<T, Y> {
        &self.y
    }

    /// The algebraic variables z.
    #[inline]
    pub fn algebraic(&self) -> &Vector<T, Z> {
        &self.z
    }

    /// The clock: tick, time and step size.
    #[inline]
    pub fn clock(&self) -> &Clock<T> {
        &self.clock
    }

    /// The clock, to move its epoch, to give it a period or another step size.
    #[inline]
    pub fn clock_mut(&mut self) -> &mut Clock<T> {
        &mut self.clock
    }

    /// Refuses a constraint above its limit where a step begins.
    pub(crate) fn start_residual<System>(&self, system: &System, t: T) -> Result<(), Residual<T>>
    where
        System: SemiExplicit<Y, Z, Base = T>,
    {
        let limits = self.gradients.limits(self.limit, &self.y, &self.z);
        within(Level::Position, &system.constraint(t, &self.y, &self.z), &limits)
    }

    /// Refuses a z that does not satisfy the equation that determines it: g, or the hidden constraint.
    fn check_algebraic<System>(&self, system: &System, t: T) -> Result<(), StartError<T>>
    where
        System: SemiExplicit<Y, Z, Base = T>,
    {
        if System::INDEX == 1 {
            return self.start_residual(system, t).map_err(StartError::Algebraic);
        }
        let mut limits = self.gradients.hidden_limits(system, self.limit, t, &self.y, &self.z)?;
        let residual = if System::INDEX == MIXED {
            limits += self.gradients.limits(self.limit, &self.y, &self.z);
            system.algebraic(t, &self.y, Dual::variables(self.z.data.0[0]).into()).map(|g| g.value)
        } else {
            system.hidden_constraint(t, &self.y, &self.z)
        };
        within(Level::Velocity, &residual, &limits).map_err(StartError::Algebraic)
    }

    /// The limits of the constraint where a step ends.
    #[inline]
    pub(crate) fn limits(&self) -> Vector<T, Z> {
        self.gradients.limits(T::ROOT_EPSILON, &self.y, &self.z)
    }
}

/// The smallest change of y, to be subtracted, that satisfies the rows of a constraint of mixed index that do not use z.
fn nearest<System, T: Float, const Y: usize, const Z: usize>(
    system: &System,
    t: T,
    y: &Vector<T, Y>,
    z: &Vector<T, Z>,
) -> Result<Vector<T, Y>, StartError<T>>
where
    System: SemiExplicit<Y, Z, Base = T>,
{
    let (by_y, by_z) = (Vector::from(Dual::variables(y.data.0[0])), Vector::from(Dual::variables(z.data.0[0])));
    let by_z: Matrix<T, Z, Z> = from_partials(&system.constraint(Dual::constant(t), &y.map(Dual::constant), &by_z));
    let mut g: Vector<Dual<T, Y>, Z> = system.constraint(Dual::constant(t), &by_y, &z.map(Dual::constant));
    let determines = eliminate(by_z, |row, pivot, factor| subtract_row(&mut g.data.0[0], row, pivot, factor));
    let mut independent = 0;
    for (row, determines) in g.iter_mut().zip(determines) {
        if determines {
            *row = Dual::constant(T::zero());
            independent += 1;
        }
    }
    let gradient: Matrix<T, Z, Y> = from_partials(&g);
    let onto = Qr::factor(gradient.transpose()).map_err(StartError::Constraints)?;
    if onto.rank() + independent < Z {
        let (index, pivot, limit) = (onto.rank() + independent, T::zero(), pivot_tolerance(Z));
        return Err(StartError::Constraints(FactorError::SmallPivot { index, pivot, limit }));
    }
    Ok(onto.solve_transposed(g.map(|g| g.value)))
}
