//! The state of an implicit system, and how it starts.

use core::num::NonZeroU64;

use super::error::StartError;
use super::gradients::row_sums;
use super::precision::Plain;
use super::state::Clock;
use crate::linalg::{FactorError, Lu, Matrix, Qr, Vector, magnitude, product, product_of};
use crate::project::{Level, Residual, within};
use crate::scalar::{Dual, Float};
use crate::system::Implicit;
use crate::system::automatic::from_partials;

/// The variables of an [`Implicit`] system, on its constraints.
///
/// A start is checked: that the pencil M − s F_u is regular for some s, that F(t, u) is in the range of M, and that a
/// derivative u' exists with which it stays there, which is the hidden constraint of an index of 2. (An index of 3 has one more,
/// which is not checked.)
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
/// let state = ImplicitState::start(&Circuit, 0.0, [1.0, 0.2])?;
/// assert_eq!(state.rank(), 1);
/// assert!(ImplicitState::start(&Circuit, 0.0, [0.9, 0.2]).is_err()); // u₁ = cos t
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
    /// From consistent values at time `t`, up to what a change of each u by √ε (1 + |u|) makes of the equations **here**; that is the
    /// limit of the steps that follow as well.
    pub fn start<System: Implicit<N, Base = T>>(
        system: &System,
        t: T,
        u: impl Into<Vector<T, N>>,
    ) -> Result<Self, StartError<T>> {
        let u = u.into();
        if let Some(index) = u.iter().chain([&t]).position(|number| !number.is_finite()) {
            return Err(StartError::NonFinite { index });
        }
        let mass = system.mass();
        let (elimination, rank) = eliminate(&mass).map_err(StartError::Pencil)?;
        let force = system.force(Dual::constant(t), &Vector::from(Dual::<T, N>::variables(u.data.0[0])));
        let derivative: Matrix<T, N, N> = from_partials(&force);
        regular(&mass, &derivative).map_err(StartError::Pencil)?;

        let (mut matrix, below) = (product_of(&elimination, &mass), product_of(&elimination, &derivative));
        let (inertia, slopes) = (row_sums(&matrix), row_sums(&below));
        let state = Self { u, elimination, rank, clock: Clock::from(0, t), inertia, slopes };
        let reduced = product(&elimination, &force.map(|f| f.value));
        state.algebraic_rows(&reduced).map_err(|residual| StartError::NotAssembled { residual, iterations: 0 })?;

        // The rows of E M u' = E F, and below them those of the derivative of 0 = E F along (u', 1): is there a u'?
        let [time] = Dual::variables([t]);
        let moved = product(&elimination, &system.force(time, &u.map(Dual::constant)).map(|f| f.partials[0]));
        let mut right = reduced;
        for row in rank..N {
            for column in 0..N {
                matrix.data.0[column][row] = below.data.0[column][row];
            }
            right.data.0[0][row] = -moved.data.0[0][row];
        }
        // Each divided by its size, so that rows in any units count alike.
        let mut sizes = inertia;
        for row in 0..N {
            let size = if row < rank { inertia.data.0[0][row] } else { slopes.data.0[0][row] };
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
        Ok(state)
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

/// E and the rank of M, by elimination with pivots from the whole of what is left: from the row of the rank on, E M is zero.
fn eliminate<T: Float, const N: usize>(mass: &Matrix<T, N, N>) -> Result<(Matrix<T, N, N>, usize), FactorError<T>> {
    let mut left = mass.transpose().data.0; // left[row][column]
    let mut elimination = Matrix::<T, N, N>::identity().data.0; // elimination[row][column], symmetric to begin with
    let mut largest = T::zero();
    for (index, row) in left.iter().enumerate() {
        for entry in row {
            if !entry.is_finite() {
                return Err(FactorError::NonFinite { index });
            }
            largest = if entry.abs() > largest { entry.abs() } else { largest };
        }
    }
    let limit = largest * crate::linalg::pivot_tolerance(N);
    let mut rank = 0;
    for k in 0..N {
        let (mut size, mut at) = (limit, None);
        for (i, row) in left.iter().enumerate().skip(k) {
            for (j, entry) in row.iter().enumerate() {
                if entry.abs() > size {
                    (size, at) = (entry.abs(), Some((i, j)));
                }
            }
        }
        let Some((i, j)) = at else { break };
        if i < N && k < N {
            left.swap(i, k);
            elimination.swap(i, k);
        }
        let (pivot_row, pivot_elimination) = (left[k], elimination[k]);
        let pivot = pivot_row.get(j).copied().unwrap_or_else(T::one);
        for (row, entries) in left.iter_mut().zip(elimination.iter_mut()).skip(k + 1) {
            let factor = row.get(j).copied().unwrap_or_else(T::zero) / pivot;
            for c in 0..N {
                row[c] -= pivot_row[c] * factor;
                entries[c] -= pivot_elimination[c] * factor;
            }
            if let Some(entry) = row.get_mut(j) {
                *entry = T::zero();
            }
        }
        rank = k + 1;
    }
    let mut matrix = Matrix::zeros();
    for i in 0..N {
        for j in 0..N {
            matrix.data.0[j][i] = elimination[i][j];
        }
    }
    Ok((matrix, rank))
}

/// Whether M − s F_u is regular for some s, of a few that are of the size of their quotient.
fn regular<T: Float, const N: usize>(
    mass: &Matrix<T, N, N>,
    derivative: &Matrix<T, N, N>,
) -> Result<(), FactorError<T>> {
    // Both with a largest entry of one, or zero.
    let scaled = |matrix: &Matrix<T, N, N>| {
        let size = matrix.iter().fold(T::zero(), |size, entry| if entry.abs() > size { entry.abs() } else { size });
        if size > T::zero() { matrix.map(|entry| entry / size) } else { *matrix }
    };
    let (mass, derivative) = (scaled(mass), scaled(derivative));
    let mut outcome = Ok(());
    for factor in [0.137, -0.71, 1.93] {
        outcome = Lu::factor(mass - derivative * T::from_f64(factor)).map(|_| ());
        if outcome.is_ok() {
            break;
        }
    }
    outcome
}
