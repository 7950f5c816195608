//! Linear-quadratic control: the feedback that costs least (Hairer & Wanner VII.1, (1.33)–(1.39)).
//!
//! ```text
//!     x' = A x + B u,   J = ½ x(t₁)ᵀ C x(t₁) + ½ ∫ (xᵀ H x + uᵀ R u) dt
//!     −S' = S A + Aᵀ S − S B R⁻¹ Bᵀ S + H,   S(t₁) = C,   u = −R⁻¹ Bᵀ S(t) x
//! ```
//!
//! λ = S x is the costate, ½ xᵀ S x the cost from x on. The Riccati equation is integrated backwards by the classical method of order 4 at a
//! fixed step; a solution from t₀ onwards by shooting loses digits like exp(R^{−1/2}).
//!
//! **Choose it** where several inputs and states must be traded against each other, and where there are fewer motors than degrees of
//! freedom: no rule places such gains. [`linearise`](super::linearise) gives A and B of a mechanism around its motion. **Cost**: 4 N³ products
//! a Riccati step, made once; N U products a tick. The Riccati step must resolve the closed loop: h ‖B R⁻¹ Bᵀ S‖ below one.
//!
//! **R = 0** is a problem of index 3: [`SingularArc`](super::SingularArc).

use core::fmt;

use super::checks::not_finite;
use super::hessenberg_error::HessenbergError;
use crate::linalg::entries::transposed;
use crate::linalg::{FactorError, Ldlt, Matrix, Vector, product, product_of};
use crate::project::ProjectError;
use crate::scalar::Float;
use crate::start::Clock;

/// A plant and what its states and inputs cost, at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearQuadratic<T, const N: usize, const U: usize> {
    /// A.
    pub dynamics: Matrix<T, N, N>,
    /// B.
    pub actuation: Matrix<T, N, U>,
    /// H, symmetric and positive semidefinite.
    pub state_weight: Matrix<T, N, N>,
    /// R, symmetric and positive definite.
    pub input_weight: Matrix<T, U, U>,
}

impl<T: Float, const N: usize, const U: usize> LinearQuadratic<T, N, U> {
    /// Refuses the first entry that is NaN or infinite.
    pub(super) fn check(&self, time: T) -> Result<(), QuadraticError<T, N>> {
        let Self { dynamics, actuation, state_weight, input_weight } = self;
        finite("dynamics", dynamics, time)?;
        finite("actuation", actuation, time)?;
        finite("state weight", state_weight, time)?;
        finite("input weight", input_weight, time)
    }
}

/// Refuses the first entry that is NaN or infinite.
pub(super) fn finite<T: Float, const N: usize, const R: usize, const C: usize>(
    what: &'static str,
    matrix: &Matrix<T, R, C>,
    time: T,
) -> Result<(), QuadraticError<T, N>> {
    match not_finite(matrix) {
        Some([row, column]) => Err(QuadraticError::Argument { time, what, row, column }),
        None => Ok(()),
    }
}

/// Gains at `K` times at equal distances: the feedback u = −K(t) x of least cost.
///
/// ```
/// use nalgebra::{matrix, vector};
/// use taut::control::{GainTable, LinearQuadratic};
/// use taut::linalg::Matrix;
///
/// // A mass of 1 kg, for ten seconds: after the last ones, the gains for ever are 1 and √3.
/// let problem = LinearQuadratic {
///     dynamics: matrix![0.0, 1.0; 0.0, 0.0],
///     actuation: matrix![0.0; 1.0],
///     state_weight: Matrix::identity(),
///     input_weight: matrix![1.0],
/// };
/// let table = GainTable::<f64, 2, 1, 11>::solve(|_| Ok(problem), Matrix::zeros(), 1.0, 100)?;
/// assert!((table.gains[0] - matrix![1.0, 3.0_f64.sqrt()]).norm() < 1e-5);
/// let force = table.input(0.0, &vector![0.1, 0.0]);
/// assert!((force[0] + 0.1).abs() < 1e-6);
/// # Ok::<(), taut::control::QuadraticError<f64, 2>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GainTable<T, const N: usize, const U: usize, const K: usize> {
    /// R⁻¹ Bᵀ S at the times 0, d, 2 d, …
    pub gains: [Matrix<T, U, N>; K],
    /// S(0): ½ xᵀ S(0) x is the cost of the whole run.
    pub cost: Matrix<T, N, N>,
    /// d.
    pub interval: T,
}

impl<T: Float, const N: usize, const U: usize, const K: usize> GainTable<T, N, U, K> {
    /// Solves the Riccati equation backwards from S(t₁) = `end_weight` at t₁ = (K − 1) `interval`, in `steps` steps between two gains.
    ///
    /// `problem` gives the plant at a time. A plant that does not vary has the gains of an endless run at the table's beginning, if the
    /// table is long enough.
    pub fn solve(
        problem: impl Fn(T) -> Result<LinearQuadratic<T, N, U>, QuadraticError<T, N>>,
        end_weight: Matrix<T, N, N>,
        interval: T,
        steps: u32,
    ) -> Result<Self, QuadraticError<T, N>> {
        let invalid = |_| QuadraticError::Interval { interval, steps };
        let mut clock = Clock::with_step(interval / T::from_ticks(u64::from(steps))).map_err(invalid)?;
        let end = T::from_ticks(K.saturating_sub(1) as u64) * interval;
        finite("end weight", &end_weight, end)?;
        let (mut cost, mut gains) = (end_weight, [Matrix::zeros(); K]);
        for (k, entry) in gains.iter_mut().enumerate().rev() {
            let time = end - clock.time();
            let feedback = Feedback::at(&problem, time)?;
            feedback.problem.check(time)?;
            let gain = feedback.gain(&cost);
            if not_finite(&gain).is_some() {
                return Err(QuadraticError::NonFinite { time });
            }
            *entry = gain;
            if k == 0 {
                break;
            }
            for _ in 0..steps {
                cost = riccati_step(&problem, end, &clock, &cost)?;
                clock.advance_in_period();
            }
        }
        Ok(Self { gains, cost, interval })
    }

    /// u = −K(t) x. Between two times, the gains are interpolated; before the first and after the last, they are held.
    #[inline]
    pub fn input(&self, t: T, x: &Vector<T, N>) -> Vector<T, U> {
        let place = t / self.interval;
        let index = place.to_count() as usize;
        let fraction = place - T::from_ticks(index as u64);
        let held = self.gains.last().copied().unwrap_or_else(Matrix::zeros);
        let gain = |k: usize| self.gains.get(k).copied().unwrap_or(held);
        let fraction = if fraction > T::zero() && fraction < T::one() { fraction } else { T::zero() };
        let (before, after) = (product(&gain(index), x), product(&gain(index.saturating_add(1)), x));
        before * (fraction - T::one()) - after * fraction
    }
}

/// The problem at a time, with R factorised.
struct Feedback<T, const N: usize, const U: usize> {
    problem: LinearQuadratic<T, N, U>,
    weight: Ldlt<T, U>,
}

impl<T: Float, const N: usize, const U: usize> Feedback<T, N, U> {
    fn at(
        problem: impl Fn(T) -> Result<LinearQuadratic<T, N, U>, QuadraticError<T, N>>,
        time: T,
    ) -> Result<Self, QuadraticError<T, N>> {
        let problem = problem(time)?;
        let weight = Ldlt::factor(problem.input_weight);
        Ok(Self { problem, weight: weight.map_err(|cause| QuadraticError::InputWeight { time, cause })? })
    }

    /// R⁻¹ Bᵀ S.
    fn gain(&self, cost: &Matrix<T, N, N>) -> Matrix<T, U, N> {
        let mut gain = product_of(&transposed(&self.problem.actuation), cost);
        for column in 0..N {
            gain.data.0[column] = self.weight.solve(Vector::from(gain.data.0[column])).data.0[0];
        }
        gain
    }
}

/// One step back from t = `end` − (the time of the clock). It keeps S symmetric.
fn riccati_step<T: Float, const N: usize, const U: usize>(
    problem: impl Fn(T) -> Result<LinearQuadratic<T, N, U>, QuadraticError<T, N>>,
    end: T,
    clock: &Clock<T>,
    cost: &Matrix<T, N, N>,
) -> Result<Matrix<T, N, N>, QuadraticError<T, N>> {
    let rate = |s: &Matrix<T, N, N>, t: T| -> Result<Matrix<T, N, N>, QuadraticError<T, N>> {
        let feedback = Feedback::at(&problem, end - t)?;
        let LinearQuadratic { dynamics, actuation, state_weight, .. } = &feedback.problem;
        // S A + (S A)ᵀ − S B K + H.
        let along = product_of(s, dynamics);
        let saved = product_of(&product_of(s, actuation), &feedback.gain(s));
        Ok(along + transposed(&along) - saved + state_weight)
    };
    let (h, half) = (clock.size.h, clock.size.half);
    let [t, t_end] = clock.plain_times();
    let first = rate(cost, t)?;
    let second = rate(&(cost + first * half), t + half)?;
    let third = rate(&(cost + second * half), t + half)?;
    let fourth = rate(&(cost + third * h), t_end)?;
    let middle = second + third;
    let next = cost + (first + middle + middle + fourth) * (half * T::from_f64(1.0 / 3.0));
    let next = (next + transposed(&next)) * T::from_f64(0.5);
    if next.iter().all(|x| x.is_finite()) {
        return Ok(next);
    }
    let check = |time| problem(time)?.check(time);
    check(end - t)?;
    check(end - (t + half))?;
    check(end - t_end)?;
    Err(QuadraticError::NonFinite { time: end - t_end })
}

/// Why a linear-quadratic problem is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum QuadraticError<T, const N: usize> {
    /// R is not positive definite; for R = 0, B^T H B is not.
    InputWeight {
        /// The time.
        time: T,
        /// The row, its pivot and the limit.
        cause: FactorError<T>,
    },
    /// R is not zero, or NaN: the problem has no singular arc. A [`GainTable`] solves it.
    NotSingular {
        /// The row of the entry.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// An entry of an argument is NaN or infinite; of x(t₀), also so large that its square overflows.
    Argument {
        /// The time.
        time: T,
        /// Which argument.
        what: &'static str,
        /// The row.
        row: usize,
        /// The column; 0 for a vector.
        column: usize,
    },
    /// The interval of a table is not positive, or it has no step.
    Interval {
        /// The interval.
        interval: T,
        /// The steps in it.
        steps: u32,
    },
    /// S or a gain has become NaN or infinite: the step is too long for the closed loop, or a weight is not semidefinite.
    NonFinite {
        /// The time.
        time: T,
    },
    /// With R = 0, the optimal control from this start begins with an impulse.
    Impulsive {
        /// The norm of what is left of x(t₀) = x₀ and λ(t₁) = C x(t₁).
        residual: T,
        /// The largest that is accepted.
        limit: T,
        /// The nearest start without an impulse.
        nearest: Vector<T, N>,
    },
    /// A matrix of the boundary conditions overflows.
    Boundary {
        /// The time.
        time: T,
        /// The row of its matrix, its pivot and the limit.
        cause: FactorError<T>,
    },
    /// The mechanism cannot be linearised.
    Mechanism(ProjectError<T>),
    /// The problem with R = 0 has no state space.
    Hessenberg(HessenbergError<T>),
}

impl<T: Float, const N: usize> fmt::Display for QuadraticError<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InputWeight { time, cause } => write!(f, "t = {time:e}: weight of the inputs: {cause}"),
            Self::NotSingular { row, column } => {
                write!(f, "input weight: the entry of row {row}, column {column} is not zero: not a singular problem")
            }
            Self::Argument { time, what, row, column } => {
                write!(f, "t = {time:e}: {what}: the entry of row {row}, column {column} is NaN, infinite or too large")
            }
            Self::Interval { interval, steps } => write!(f, "{steps} steps in {interval:e} s are not a step size"),
            Self::NonFinite { time } => {
                write!(f, "t = {time:e}: the cost is NaN or infinite; take more steps, check the weights")
            }
            Self::Impulsive { residual, limit, nearest } => {
                write!(f, "impulse at the start: residual {residual:e}, limit {limit:e}; start at")?;
                nearest.iter().try_for_each(|x| write!(f, " {x:e}"))
            }
            Self::Boundary { time, cause } => write!(f, "t = {time:e}: boundary conditions: {cause}"),
            Self::Mechanism(error) => error.fmt(f),
            Self::Hessenberg(error) => error.fmt(f),
        }
    }
}

impl<T: Float, const N: usize> core::error::Error for QuadraticError<T, N> {}

impl<T, const N: usize> From<HessenbergError<T>> for QuadraticError<T, N> {
    fn from(error: HessenbergError<T>) -> Self {
        Self::Hessenberg(error)
    }
}

impl<T, const N: usize> From<ProjectError<T>> for QuadraticError<T, N> {
    fn from(error: ProjectError<T>) -> Self {
        Self::Mechanism(error)
    }
}
