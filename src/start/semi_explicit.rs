//! The state of a semi-explicit system, and how it starts.

use core::num::NonZeroU64;

use super::error::StartError;
use super::gradients::Gradients;
use super::precision::Plain;
use super::state::Clock;
use crate::linalg::{Lu, Matrix, Vector, product_of, subtract_product};
use crate::project::{Level, Residual, within};
use crate::scalar::{Dual, Float};
use crate::system::SemiExplicit;
use crate::system::automatic::from_partials;

/// Newton iterations of a start, which may come from a rough guess.
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
/// use taut::start::SemiExplicitState;
///
/// // From a guess: y onto the constraint, z such that y stays there.
/// let state = SemiExplicitState::start(&Cart, 0.5, [0.4], [0.0])?;
/// assert!((state.differential()[0] - 0.5_f64.sin()).abs() < 1e-15);
/// assert!((state.algebraic()[0] - 0.5_f64.sin() - 0.5_f64.cos()).abs() < 1e-15);
/// # Ok::<(), taut::start::StartError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SemiExplicitState<T, const Y: usize, const Z: usize> {
    pub(crate) y: Vector<T, Y>,
    pub(crate) z: Vector<T, Z>,
    pub(crate) clock: Clock<T>,
    /// Those of the constraint at the start.
    gradients: Gradients<T, Z>,
    /// How far off its constraint a step may find the state, relative to 1 + |y| and 1 + |z|.
    entry: T,
}

impl<T: Float, const Y: usize, const Z: usize> SemiExplicitState<T, Y, Z> {
    /// At time `t`, from guesses: with index 2, y is brought onto its constraint by the shortest way; then z is solved for.
    ///
    /// [`StartError::WrongIndex`] says that a constraint of index 2 uses z, [`StartError::Constraints`] that g_z (index 1), g_y f_z or
    /// g_y (index 2) is singular, [`StartError::NotAssembled`] that no y, [`StartError::Algebraic`] that no z was found near the
    /// guess: that a residual is larger than if each variable x were off by √ε (1 + |x|). Gradients that make it a residual are those
    /// **here**, in the steps that follow as well.
    pub fn start<System: SemiExplicit<Y, Z, Base = T>>(
        system: &System,
        t: T,
        y: impl Into<Vector<T, Y>>,
        z: impl Into<Vector<T, Z>>,
    ) -> Result<Self, StartError<T>> {
        let (mut y, mut z) = (y.into(), z.into());
        finite(t, &y, &z)?;
        Gradients::of_constraint(system, t, &y, &z)?;
        let entry = T::ROOT_EPSILON;
        if System::INDEX == 2 {
            for _ in 0..ITERATIONS {
                let variables = Vector::from(Dual::<T, Y>::variables(y.data.0[0]));
                let constraint = system.constraint(Dual::constant(t), &variables, &z.map(Dual::constant));
                let gradient: Matrix<T, Z, Y> = from_partials(&constraint);
                let transposed = gradient.transpose();
                let factors = Lu::factor(product_of(&gradient, &transposed)).map_err(StartError::Constraints)?;
                subtract_product(&mut y, &transposed, &factors.solve(constraint.map(|g| g.value)));
            }
            let limits = Gradients::of_constraint(system, t, &y, &z)?.limits(entry, &y, &z);
            within(Level::Position, &system.constraint(t, &y, &z), &limits)
                .map_err(|residual| StartError::NotAssembled { residual, iterations: ITERATIONS })?;
        }
        for _ in 0..ITERATIONS {
            let algebraic = system.algebraic(t, &y, Dual::variables(z.data.0[0]).into());
            let factors = Lu::factor(from_partials(&algebraic)).map_err(StartError::Constraints)?;
            z -= factors.solve(algebraic.map(|g| g.value));
        }
        finite(t, &y, &z)?;
        let state =
            Self { y, z, clock: Clock::from(0, t), gradients: Gradients::of_constraint(system, t, &y, &z)?, entry };
        state.check_algebraic(system, t)?;
        Lu::factor(system.algebraic_matrix(t, &y, &z)).map_err(StartError::Constraints)?;
        Ok(state)
    }

    /// At time `t`, with exactly these values, which may be off the constraint and the hidden one as if each variable x were off
    /// by `limit` times 1 + |x|.
    ///
    /// A step may fail from there: with index 2, implicit Euler has a solution only if y is O(h²) close to the constraint
    /// (Hairer, V.6, exercise 5).
    pub fn given<System: SemiExplicit<Y, Z, Base = T>>(
        system: &System,
        t: T,
        y: impl Into<Vector<T, Y>>,
        z: impl Into<Vector<T, Z>>,
        limit: T,
    ) -> Result<Self, StartError<T>> {
        let (y, z) = (y.into(), z.into());
        finite(t, &y, &z)?;
        if !(limit > T::zero() && limit.is_finite()) {
            return Err(StartError::InvalidLimit { given: limit });
        }
        let gradients = Gradients::of_constraint(system, t, &y, &z)?;
        let state = Self { y, z, clock: Clock::from(0, t), gradients, entry: limit };
        state.entry_residual(system, t).map_err(|residual| StartError::NotAssembled { residual, iterations: 0 })?;
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

    /// The number of steps made.
    #[inline]
    pub fn tick(&self) -> u64 {
        self.clock.tick
    }

    /// The time of the system, for a method that steps by `h`.
    #[inline]
    pub fn time(&self, h: T) -> T {
        self.clock.time::<Plain>(0, h).high
    }

    /// Lets the system's time count from here: from now on t = `origin` + (ticks since now) h.
    #[inline]
    pub fn set_epoch(&mut self, origin: T) {
        self.clock = Clock { epoch: self.clock.tick, origin, ..self.clock };
    }

    /// Lets the system's time begin anew every so many ticks, counted from the epoch, for a system that is periodic: after hours
    /// its path is as accurate as at the start. `None` lets the time grow.
    #[inline]
    pub fn set_period(&mut self, ticks: Option<NonZeroU64>) {
        self.clock.repeat(ticks.map_or(u64::MAX, NonZeroU64::get));
    }

    /// The first row of the constraint that is off by more than its entry limit.
    pub(crate) fn entry_residual<System>(&self, system: &System, t: T) -> Result<(), Residual<T>>
    where
        System: SemiExplicit<Y, Z, Base = T>,
    {
        let limits = self.gradients.limits(self.entry, &self.y, &self.z);
        within(Level::Position, &system.constraint(t, &self.y, &self.z), &limits)
    }

    /// Refuses a z with which what determines it, g or the hidden constraint, is off by more than its entry limit.
    fn check_algebraic<System>(&self, system: &System, t: T) -> Result<(), StartError<T>>
    where
        System: SemiExplicit<Y, Z, Base = T>,
    {
        if System::INDEX == 1 {
            return self.entry_residual(system, t).map_err(StartError::Algebraic);
        }
        let limits = self.gradients.hidden_limits(system, self.entry, t, &self.y, &self.z)?;
        within(Level::Velocity, &system.hidden_constraint(t, &self.y, &self.z), &limits).map_err(StartError::Algebraic)
    }

    /// What the iterations of a step may leave of the constraint.
    #[inline]
    pub(crate) fn limits(&self) -> Vector<T, Z> {
        self.gradients.limits(T::ROOT_EPSILON, &self.y, &self.z)
    }
}

/// All numbers are finite; counted are y, then z, then t.
fn finite<T: Float, const Y: usize, const Z: usize>(
    t: T,
    y: &Vector<T, Y>,
    z: &Vector<T, Z>,
) -> Result<(), StartError<T>> {
    match y.iter().chain(z.iter()).chain([&t]).position(|number| !number.is_finite()) {
        Some(index) => Err(StartError::NonFinite { index }),
        None => Ok(()),
    }
}
