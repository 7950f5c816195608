//! Runge–Kutta of order 4 in local coordinates on the constraints: dummy derivatives with pivoting, and tangent space coordinates.
//!
//! ```text
//!     partitioned:  η = q_I, q_D from g(t, q) = 0,                 v_D from G v + g_t = 0       D: dependent, I: independent coordinates
//!     tangent:      η = P q, q = η − M⁻¹ G₀ᵀ μ, g(t, q) = 0,       v = ν − M⁻¹ G₀ᵀ σ, G v + g_t = 0
//!     η' = ν,  ν' = a_I or P a                                    P = 1 − M⁻¹ G₀ᵀ (G₀ M⁻¹ G₀ᵀ)⁻¹ G₀, from the begin of the step
//! ```
//!
//! (Hairer & Wanner VII.2, (2.22) and (2.23)–(2.24); Hairer, *Solving Differential Equations on Manifolds*, III.2.) The first is the method of
//! dummy derivatives of Mattsson and Söderlind: dummies are the velocities and accelerations of the dependent coordinates. P belongs to the
//! left inverse (Q₀ᵀ M Q₀)⁻¹ Q₀ᵀ M; with the one printed in (2.24) the method converges only if M is a multiple of 1.
//!
//! Both are the same: stages and the end are moved onto the constraints in directions that leave η as it is. These are M⁻¹ G₀ᵀ of the begin of
//! the step, for the partition with infinite masses of the independent coordinates. So η needs no type of its own.
//!
//! The partition is chosen at the begin of a step and never within it: by Gram–Schmidt with pivoting on the columns of G, in the metric of the
//! mass. It changes if the smallest pivot of the present one is below half of that of the best ([`hysteresis`](LocalRungeKutta4::hysteresis)).
//!
//! **Order** 4 in positions, velocities and multipliers. The energy drifts linearly. **Preserves** both constraints to round-off at small
//! steps. The number of iterations is fixed (`f32` 2, `f64` 12), and each leaves a part of the distance: 1 − cos θ in tangent coordinates,
//! θ the angle of the step; in partitioned ones the relative change of G_D. For a pendulum with a period of 2.4 s the steps may be 0.05 s
//! (`f32`) and 0.1 s (`f64`) in tangent coordinates, 0.02 s and 0.01 s in partitioned ones. At larger steps the constraints hold to the
//! limit of the state, or the step returns an error.
//!
//! **Choose it** if forces are not defined off the constraints, or if you need to know which coordinates are independent. Otherwise
//! choose [`RungeKutta4`](super::RungeKutta4), which is cheaper. Tangent coordinates are more accurate than the partition, and never
//! switch.
//!
//! **Cost**: that of [`RungeKutta4`](super::RungeKutta4), and for each of three stages an evaluation of g and two solutions with known
//! factors; in `f64` eleven times that. The partition also takes one factorisation and two choices of coordinates.

use super::error::StepError;
use super::judge::Judge;
use super::report::Report;
use super::runge_kutta::classical_sum;
use super::stages::Stages;
use super::step::Step;
use crate::linalg::{FactorError, Pivots, SymmetricFactors, pivot_tolerance};
use crate::project::{Correction, choose, diagonal, immobile};
use crate::scalar::Float;
use crate::start::{Precision, State};
use crate::system::Mechanical;

/// Runge–Kutta of order 4 in local coordinates: those of a partition, or of the tangent space.
///
/// ```
/// # use mechanisms::Pendulum;
/// use taut::method::{LocalRungeKutta4, Partitioned, Step};
/// use taut::start::{Clock, Start};
///
/// let pendulum = Pendulum::<f64>::standard();
/// let start = Start::at(&pendulum, Clock::at_rate(100.0)?, [1.0, 0.0]).at_rest()?;
/// let mut state = Partitioned::new(start);
/// let report = LocalRungeKutta4::partitioned().step(&pendulum, &mut state)?;
/// assert_eq!(report.dependent, [true, false]); // x from y
/// for _ in 1..55 {
///     LocalRungeKutta4::partitioned().step(&pendulum, &mut state)?;
/// }
/// assert_eq!(state.dependent(), &[false, true]); // it has fallen: y from x
///
/// let mut state = start;
/// LocalRungeKutta4::tangent().step(&pendulum, &mut state)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LocalRungeKutta4<T, const PARTITIONED: bool> {
    /// The square of the hysteresis.
    switching: T,
}

impl<T: Float> LocalRungeKutta4<T, true> {
    /// In the coordinates of a partition; steps a [`Partitioned`] state.
    pub fn partitioned() -> Self {
        Self { switching: T::from_f64(0.25) }
    }

    /// Sets the hysteresis: the partition changes if its smallest pivot is below this times that of the best; by default ½. One takes the best
    /// in every step, zero keeps the first.
    pub fn hysteresis(self, hysteresis: T) -> Self {
        Self { switching: hysteresis * hysteresis }
    }
}

impl<T: Float> LocalRungeKutta4<T, false> {
    /// In coordinates of the tangent space where the step begins; steps a [`State`].
    pub fn tangent() -> Self {
        Self { switching: T::zero() }
    }
}

/// A state, and which of its coordinates depend on the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partitioned<State, const N: usize> {
    state: State,
    dependent: [bool; N],
}

impl<State, const N: usize> Partitioned<State, N> {
    /// From a state. The first step chooses the coordinates.
    pub const fn new(state: State) -> Self {
        Self { state, dependent: [false; N] }
    }

    /// From a state, with a known choice: to continue a run.
    pub const fn with_dependent(state: State, dependent: [bool; N]) -> Self {
        Self { state, dependent }
    }

    /// The present state.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The dependent coordinates of the last step; none before the first.
    pub const fn dependent(&self) -> &[bool; N] {
        &self.dependent
    }
}

/// The report of a step with partitioned coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartitionReport<T, const N: usize, const M: usize> {
    /// Multipliers, residuals and rank.
    pub step: Report<T, M>,
    /// The dependent coordinates of this step.
    pub dependent: [bool; N],
    /// Whether they were others in the step before.
    pub changed: bool,
}

impl<System, T, const N: usize, const M: usize, F, P> Step<System, State<T, N, M, F, P>> for LocalRungeKutta4<T, false>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    type Report = Report<T, M>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        "runge_kutta_4_tangent"
    }

    #[inline]
    fn step(&self, system: &System, state: &mut State<T, N, M, F, P>) -> Result<Report<T, M>, StepError<T>> {
        let along = state.node.correction;
        let mut stages = Stages::from(system, state, None);
        let sum = classical_sum(system, state, &mut stages, Some(&along))?;
        stages.end_along::<P, true, true>(system, state, Some(&along), sum)
    }
}

impl<System, T, const N: usize, const M: usize, F, P> Step<System, Partitioned<State<T, N, M, F, P>, N>>
    for LocalRungeKutta4<T, true>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    type Report = PartitionReport<T, N, M>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        "runge_kutta_4_partitioned"
    }

    #[inline]
    fn step(
        &self,
        system: &System,
        partitioned: &mut Partitioned<State<T, N, M, F, P>, N>,
    ) -> Result<PartitionReport<T, N, M>, StepError<T>> {
        let Partitioned { state, dependent: before } = partitioned;
        let (judge, q, rank) = (Judge::of(state), state.node.q.rounded(), state.node.correction.rank());
        let t = state.clock.times::<P>()[0].high;
        let jacobian = system.jacobian(t, q);
        let masses = diagonal(&system.mass_matrix_at(t, q));
        let (best, best_pivot) = choose(&jacobian, &masses, rank, &[true; N]);
        // The first step chooses; it makes the same comparison as the others, so that it costs the same.
        let is_first = !before.contains(&true);
        // Of a given choice with too many coordinates, as many are kept as there are constraints.
        let (kept, pivot) = choose(&jacobian, &masses, rank, if is_first { &[true; N] } else { before });
        let dependent = if is_first || pivot < best_pivot * self.switching { best } else { kept };
        let (mut along, mut pivots) = (Correction::workspace(), Pivots::none());
        let made = along.update::<System>(&jacobian, &immobile(&dependent, &masses), rank, &mut pivots);
        judge.constraints(made.and_then(|()| pivots.judge()), q)?;
        if along.rank() < rank {
            let cause = FactorError::SmallPivot { index: along.rank(), pivot: T::zero(), limit: pivot_tolerance(M) };
            return Err(StepError::Singular { tick: judge.tick, cause });
        }

        let mut stages = Stages::from(system, state, None);
        let sum = classical_sum(system, state, &mut stages, Some(&along))?;
        let step = stages.end_along::<P, true, true>(system, state, Some(&along), sum)?;
        let changed = dependent != *before && !is_first;
        *before = dependent;
        Ok(PartitionReport { step, dependent, changed })
    }
}
