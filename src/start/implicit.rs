//! The state of an implicit system, and how it starts.

use core::num::NonZeroU64;

use super::consistent::{ITERATIONS, near};
use super::error::StartError;
use super::gradients::row_sums;
use super::pencil::{Pencil, eliminate, regular};
use super::precision::Plain;
use super::state::Clock;
use crate::linalg::{Matrix, Qr, Vector, magnitude, product, product_of};
use crate::project::{Level, Residual, within};
use crate::scalar::{Dual, Float};
use crate::system::Implicit;
use crate::system::automatic::from_partials;

/// The variables of an [`Implicit`] system, on its constraints and on the hidden ones.
///
/// ```
/// # use nalgebra::{matrix, vector};
/// # use taut::linalg::{Matrix, Vector};
/// # use taut::scalar::Real;
/// # use taut::system::Implicit;
/// # struct Circuit;
/// # impl Implicit<2> for Circuit {
/// #     type Base = f64;
/// #     fn mass(&self) -> Matrix<f64, 2, 2> { matrix![1e-3, -1e-3; 0.0, 0.0] }
/// #     fn force<S: Real<Base = f64>>(&self, t: S, u: &Vector<S, 2>) -> Vector<S, 2> {
/// #         vector![u[1] / 100.0, u[0] - t.cos()]
/// #     }
/// # }
/// use taut::start::ImplicitState;
///
/// // From a guess: the voltage of the capacitor, u₁ − u₂ = 0.8, stays, and u₁ = cos t.
/// let state = ImplicitState::start(&Circuit, 0.0, [0.9, 0.1])?;
/// assert!((state.variables() - vector![1.0, 0.2]).norm() < 1e-15);
/// assert_eq!(state.rank(), 1);
/// // As it is, the guess is not consistent.
/// assert!(ImplicitState::given(&Circuit, 0.0, [0.9, 0.1]).is_err());
/// # Ok::<(), taut::start::StartError<f64>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImplicitState<T, const N: usize> {
    pub(crate) u: Vector<T, N>,
    /// E with rows of E M zero from the rank of M on.
    pub(crate) elimination: Matrix<T, N, N>,
    pub(crate) rank: usize,
    pub(crate) clock: Clock<T>,
    /// The sums of the magnitudes in the rows of E M, and in those of E F_u at the start: how large the equations are.
    inertia: Vector<T, N>,
    slopes: Vector<T, N>,
}

impl<T: Float, const N: usize> ImplicitState<T, N> {
    /// At time `t`, from a guess. What M keeps of u stays as it is as far as constraints do not tell it, and is otherwise brought onto
    /// them by the shortest way; then what M does not see of u is solved for, from constraints that use it and from the hidden ones,
    /// the derivatives of the others.
    ///
    /// [`StartError::Pencil`] says that M − s F_u is singular for every s, [`StartError::Constraints`] that the matrix which
    /// determines u is singular, g_z, g_y f_z or g_y in the terms of a [`SemiExplicit`](crate::system::SemiExplicit) system, which it always is
    /// with an index of 3; [`StartError::NotAssembled`] and [`StartError::Velocity`] that no u was found near the guess on the
    /// constraints, or none on the hidden ones, up to the limits of [`given`](Self::given).
    pub fn start<System: Implicit<N, Base = T>>(
        system: &System,
        t: T,
        guess: impl Into<Vector<T, N>>,
    ) -> Result<Self, StartError<T>> {
        let guess = guess.into();
        finite(t, &guess)?;
        let mass = system.mass();
        let pencil = eliminate(&mass).map_err(StartError::Pencil)?;
        regular(&mass, &derivative(system, t, &guess)).map_err(StartError::Pencil)?;
        let u = near(system, t, &mass, &pencil, guess)?;
        Self::given(system, t, u).map_err(|error| match error {
            StartError::NotAssembled { residual, .. } => StartError::NotAssembled { residual, iterations: ITERATIONS },
            other => other,
        })
    }

    /// At time `t`, with exactly these values. They are checked: that the pencil M − s F_u is regular for some s, that F(t, u) is in the
    /// range of M, and that a derivative u' exists with which it stays there, which is the hidden constraint of an index of 2: up to what a
    /// change of each u by √ε (1 + |u|) makes of the equations **here**; that is the limit of the steps that follow as well. (An index of
    /// 3 has one more hidden constraint, which is not checked.)
    pub fn given<System: Implicit<N, Base = T>>(
        system: &System,
        t: T,
        u: impl Into<Vector<T, N>>,
    ) -> Result<Self, StartError<T>> {
        let u = u.into();
        finite(t, &u)?;
        let mass = system.mass();
        let Pencil { elimination, rank } = eliminate(&mass).map_err(StartError::Pencil)?;
        let derivative = derivative(system, t, &u);
        regular(&mass, &derivative).map_err(StartError::Pencil)?;
        let inertia = row_sums(&product_of(&elimination, &mass));
        let slopes = row_sums(&product_of(&elimination, &derivative));
        let state = Self { u, elimination, rank, clock: Clock::from(0, t), inertia, slopes };
        let reduced = product(&elimination, &system.force(t, &u));
        state.algebraic_rows(&reduced).map_err(|residual| StartError::NotAssembled { residual, iterations: 0 })?;
        state.slope(system, t)?;
        Ok(state)
    }

    /// u' at the present state, for a method that steps by `h`: M u' = F, and the derivatives of the constraints along it vanish. With an index
    /// of 2 these do not tell how the algebraic variables move, and what they do not tell is zero.
    pub fn derivative<System: Implicit<N, Base = T>>(
        &self,
        system: &System,
        h: T,
    ) -> Result<Vector<T, N>, StartError<T>> {
        self.slope(system, self.time(h))
    }

    /// The same at a time; an error if there is none, which is the hidden constraint.
    fn slope<System: Implicit<N, Base = T>>(&self, system: &System, t: T) -> Result<Vector<T, N>, StartError<T>> {
        let (u, elimination, rank) = (&self.u, &self.elimination, self.rank);
        // The rows of E M u' = E F, and below them those of the derivative of 0 = E F along (u', 1).
        let mut matrix = product_of(elimination, &system.mass());
        let mut right = product(elimination, &system.force(t, u));
        let below = product_of(elimination, &derivative(system, t, u));
        let [time] = Dual::variables([t]);
        let moved = product(elimination, &system.force(time, &u.map(Dual::constant)).map(|f| f.partials[0]));
        for row in rank..N {
            for column in 0..N {
                matrix.data.0[column][row] = below.data.0[column][row];
            }
            right.data.0[0][row] = -moved.data.0[0][row];
        }
        // Each divided by its size, so that rows in any units count alike.
        let mut sizes = self.inertia;
        for row in 0..N {
            let size = if row < rank { self.inertia.data.0[0][row] } else { self.slopes.data.0[0][row] };
            sizes.data.0[0][row] = size;
            right.data.0[0][row] /= size;
            for column in 0..N {
                matrix.data.0[column][row] /= size;
            }
        }
        let slope = Qr::factor(matrix).map_err(StartError::Constraints)?.solve_least_squares(right);
        let lacking = (product(&matrix, &slope) - right).component_mul(&sizes);
        let limits = sizes * (T::ROOT_EPSILON * (T::one() + magnitude(&right) + magnitude(&slope)));
        within(Level::Velocity, &lacking, &limits).map_err(StartError::Velocity)?;
        Ok(slope)
    }

    /// The variables u.
    #[inline]
    pub fn variables(&self) -> &Vector<T, N> {
        &self.u
    }

    /// The rank of M: how many of the equations are differential.
    #[inline]
    pub fn rank(&self) -> usize {
        self.rank
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

    /// The first algebraic row of E F that is off by more than its limit.
    pub(crate) fn algebraic_rows(&self, reduced: &Vector<T, N>) -> Result<(), Residual<T>> {
        let limits = self.limits(T::zero());
        let mut algebraic = *reduced;
        for residual in algebraic.iter_mut().take(self.rank) {
            *residual = T::zero();
        }
        within(Level::Position, &algebraic, &limits)
    }

    /// What the rows of E M (u − u₀) − h E F may be off, and the algebraic ones of E F: as if u were off by √ε (1 + |u|).
    pub(crate) fn limits(&self, h: T) -> Vector<T, N> {
        let limit = T::ROOT_EPSILON * (T::one() + magnitude(&self.u));
        let mut limits = self.slopes * limit;
        for (row_limit, inertia) in limits.iter_mut().zip(&self.inertia).take(self.rank) {
            *row_limit = *row_limit * h + *inertia * limit;
        }
        limits
    }
}

/// F_u.
fn derivative<T: Float, System: Implicit<N, Base = T>, const N: usize>(
    system: &System,
    t: T,
    u: &Vector<T, N>,
) -> Matrix<T, N, N> {
    from_partials(&system.force(Dual::constant(t), &Vector::from(Dual::<T, N>::variables(u.data.0[0]))))
}

/// All numbers are finite; counted are u, then t.
fn finite<T: Float, const N: usize>(t: T, u: &Vector<T, N>) -> Result<(), StartError<T>> {
    match u.iter().chain([&t]).position(|number| !number.is_finite()) {
        Some(index) => Err(StartError::NonFinite { index }),
        None => Ok(()),
    }
}
