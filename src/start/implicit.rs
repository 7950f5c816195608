//! The state of an implicit system, and how it starts.

use super::begin::all_finite;
use super::clock::Clock;
use super::consistent::{ITERATIONS, near};
use super::error::{Part, StartError};
use super::gradients::row_sums;
use super::pencil::{Pencil, PencilIndex, derivative, eliminate, regular};
use crate::linalg::{Matrix, Qr, Vector, magnitude, product, product_of};
use crate::project::{Level, Residual, within};
use crate::scalar::{Dual, Float};
use crate::system::Implicit;

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
/// use taut::start::{Clock, ImplicitState};
///
/// let clock = Clock::at_rate(1_000.0)?;
/// // From a guess: the voltage of the capacitor, u₁ − u₂ = 0.8, is kept, and u₁ = cos t.
/// let state = ImplicitState::start(&Circuit, clock, [0.9, 0.1])?;
/// assert!((state.variables() - vector![1.0, 0.2]).norm() < 1e-15);
/// assert_eq!(state.rank(), 1);
/// // As it is, the guess is not consistent.
/// assert!(ImplicitState::given(&Circuit, clock, [0.9, 0.1]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImplicitState<T, const N: usize> {
    pub(crate) u: Vector<T, N>,
    /// E. The rows of E M are zero from row `rank` on.
    pub(crate) elimination: Matrix<T, N, N>,
    pub(crate) rank: usize,
    pub(crate) clock: Clock<T>,
    /// The sums of the magnitudes in the rows of E M, and of E F_u at the start: the sizes of the equations.
    inertia: Vector<T, N>,
    slopes: Vector<T, N>,
}

impl<T: Float, const N: usize> ImplicitState<T, N> {
    /// Starts at the time of the clock, from a guess.
    ///
    /// The guess is split into y, the part of u that M u' contains, and z, the part in the kernel of M. y is changed as little as the
    /// constraints require. Then z is solved for, from the constraints that use it and from the hidden constraints.
    ///
    /// Errors:
    /// - [`Pencil`](StartError::Pencil): M − s F_u is singular for every s.
    /// - [`Index`](StartError::Index): the pencil has an index above 2 where the search ended.
    /// - [`Constraints`](StartError::Constraints): the matrix that determines u is singular (g_z, g_y f_z or g_y of the corresponding
    ///   [`SemiExplicit`](crate::system::SemiExplicit) system), although the index is at most 2.
    /// - [`NotAssembled`](StartError::NotAssembled), [`Velocity`](StartError::Velocity): no u near the guess satisfies the constraints, or
    ///   the hidden ones, within the limits of [`given`](Self::given).
    pub fn start<System: Implicit<N, Base = T>>(
        system: &System,
        clock: Clock<T>,
        guess: impl Into<Vector<T, N>>,
    ) -> Result<Self, StartError<T>> {
        let (guess, t) = (guess.into(), clock.time());
        all_finite(Part::Variable, &guess)?;
        all_finite(Part::Time, [&t])?;
        let mass = system.mass();
        let pencil = eliminate(&mass).map_err(StartError::Pencil)?;
        regular(&mass, &derivative(system, t, &guess)).map_err(StartError::Pencil)?;
        let u = near(system, t, &mass, &pencil, guess)?;
        Self::given(system, clock, u).map_err(|error| match error {
            StartError::NotAssembled { residual, .. } => StartError::NotAssembled { residual, iterations: ITERATIONS },
            other => other,
        })
    }

    /// Starts at the time of the clock, with exactly these values. An error unless
    /// - M − s F_u is regular for some s,
    /// - F(t, u) is in the range of M,
    /// - a derivative u' exists with which it stays there: the hidden constraint of index 2.
    ///
    /// A higher index has more hidden constraints, which are not checked: if [`index`](Self::index) is above 2, the values must come from
    /// elsewhere.
    ///
    /// The limit of each equation is the change that √ε (1 + |u|) in each variable makes in it **at the start**. It also holds for the
    /// steps that follow.
    pub fn given<System: Implicit<N, Base = T>>(
        system: &System,
        clock: Clock<T>,
        u: impl Into<Vector<T, N>>,
    ) -> Result<Self, StartError<T>> {
        let (u, t) = (u.into(), clock.time());
        all_finite(Part::Variable, &u)?;
        all_finite(Part::Time, [&t])?;
        let mass = system.mass();
        let Pencil { elimination, rank } = eliminate(&mass).map_err(StartError::Pencil)?;
        let derivative = derivative(system, t, &u);
        regular(&mass, &derivative).map_err(StartError::Pencil)?;
        let inertia = row_sums(&product_of(&elimination, &mass));
        let slopes = row_sums(&product_of(&elimination, &derivative));
        let state = Self { u, elimination, rank, clock, inertia, slopes };
        let reduced = product(&elimination, &system.force(t, &u));
        state.algebraic_rows(&reduced).map_err(|residual| StartError::NotAssembled { residual, iterations: 0 })?;
        state.slope(system, t)?;
        Ok(state)
    }

    /// u' at the present state, from M u' = F and the derivatives of the constraints. For index 2 these do not determine u' completely; the
    /// undetermined part is zero.
    pub fn derivative<System: Implicit<N, Base = T>>(&self, system: &System) -> Result<Vector<T, N>, StartError<T>> {
        self.slope(system, self.clock.time())
    }

    /// The same at a time. An error if no u' exists: then the hidden constraint does not hold.
    fn slope<System: Implicit<N, Base = T>>(&self, system: &System, t: T) -> Result<Vector<T, N>, StartError<T>> {
        let (u, elimination, rank) = (&self.u, &self.elimination, self.rank);
        // The rows of E M u' = E F, then the algebraic rows of the derivative of 0 = E F along (u', 1).
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
        // Each row is divided by its size, so that units do not matter.
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
        // The limits overflow with it.
        all_finite(Part::Variable, &slope)?;
        Ok(slope)
    }

    /// The variables u.
    #[inline]
    pub fn variables(&self) -> &Vector<T, N> {
        &self.u
    }

    /// Index and dimension of the dynamics at the present state. Three factorisations of N × N matrices and more: not for every step.
    pub fn index<System: Implicit<N, Base = T>>(&self, system: &System) -> Result<PencilIndex<N>, StartError<T>> {
        PencilIndex::at(system, self.clock.time(), &self.u)
    }

    /// The rank of M: the number of differential equations.
    #[inline]
    pub fn rank(&self) -> usize {
        self.rank
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

    /// Refuses algebraic rows of E F above their limits.
    pub(crate) fn algebraic_rows(&self, reduced: &Vector<T, N>) -> Result<(), Residual<T>> {
        let limits = self.limits(T::zero());
        let mut algebraic = *reduced;
        for residual in algebraic.iter_mut().take(self.rank) {
            *residual = T::zero();
        }
        within(Level::Position, &algebraic, &limits)
    }

    /// The limits of E M (u − u₀) − h E F, and of the algebraic rows of E F: the change that √ε (1 + |u|) in u makes.
    pub(crate) fn limits(&self, h: T) -> Vector<T, N> {
        let limit = T::ROOT_EPSILON * (T::one() + magnitude(&self.u));
        let mut limits = self.slopes * limit;
        for (row_limit, inertia) in limits.iter_mut().zip(&self.inertia).take(self.rank) {
            *row_limit = *row_limit * h + *inertia * limit;
        }
        limits
    }
}
