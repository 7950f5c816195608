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
//! No choice has a larger pivot than G M⁻¹ Gᵀ. So a step looks for a better one only if that of the present choice, squared, is below a
//! quarter of that.
//!
//! In `f64`, four iterations of Newton's method with the matrix G D, D the directions, move a stage and the end onto the constraints, and the
//! end is judged. In `f32`, with half the digits, stages are moved by the first term of that in h: positions to O(h³); velocities stay those of
//! the prediction, O(h²) off. The end is that of [`RungeKutta4`](super::RungeKutta4): a projection along the gradients of the last stage,
//! and one of the velocities. The order remains.
//!
//! **Order** 4 in positions, velocities and multipliers. The energy drifts linearly. **Preserves** both constraints: in `f64` to round-off
//! at every step that succeeds; a step too large for Newton's method is [`NotConverged`](StepError::NotConverged). For a pendulum with a
//! period of 2.4 s the steps may be 0.12 s in tangent coordinates and 0.07 s in partitioned ones. In `f32` they are at round-off up to 0.05 s,
//! and at larger steps within the limit of the state, or the step returns that error.
//!
//! **Choose it** if forces are not defined off the constraints, or if you need to know which coordinates are independent. Otherwise
//! choose [`RungeKutta4`](super::RungeKutta4), which is cheaper. Tangent coordinates are more accurate than the partition, and never
//! switch.
//!
//! **Cost**: in `f32` that of [`RungeKutta4`](super::RungeKutta4) and a tenth more in tangent coordinates; in partitioned ones up to three
//! tenths more, for the factors of G_D. A step that looks for a better choice takes more: on a Cortex-M4F 2.0 times that of
//! [`RungeKutta4`](super::RungeKutta4) for a pendulum, 1.9 times for two rods, 3.6 times for a four-bar with eight constraints (rows
//! `runge_kutta_4_choosing_*` of `tests/on-target/budget.toml`). In `f64` each stage takes four Jacobians and five factorisations more.

use super::error::StepError;
use super::judge::Judge;
use super::report::Report;
use super::runge_kutta::{Along, classical_sum};
use super::stages::Stages;
use super::step::Step;
use crate::linalg::{FactorError, Matrix, Pivots, SymmetricFactors, Vector, pivot_tolerance};
use crate::project::{Correction, choose, diagonal, immobile};
use crate::scalar::Float;
use crate::start::{Precision, State, StepSize};
use crate::system::{Inertia, InertiaOf, Mechanical};

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
/// LocalRungeKutta4::partitioned().step(&pendulum, &mut state)?;
/// assert_eq!(state.dependent(), &[true, false]); // x from y
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
    /// Whether a step has made or checked the choice.
    is_checked: bool,
    changes: u32,
}

impl<State, const N: usize> Partitioned<State, N> {
    /// From a state. The first step chooses the coordinates.
    pub const fn new(state: State) -> Self {
        Self { state, dependent: [false; N], is_checked: false, changes: 0 }
    }

    /// From a state, with a known choice: to continue a run.
    pub const fn with_dependent(state: State, dependent: [bool; N]) -> Self {
        Self { state, dependent, is_checked: false, changes: 0 }
    }

    /// The present state.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The dependent coordinates of the last step; none before the first.
    pub const fn dependent(&self) -> &[bool; N] {
        &self.dependent
    }

    /// How often a step has changed them.
    pub const fn changes(&self) -> u32 {
        self.changes
    }
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
        let correction = state.node.correction;
        let mut stages = Stages::from(system, state, None);
        let (first, bend) = stages.first_with(system, state, |_, _, terms| {
            let terms = terms();
            Ok((bend::<System, T, N, M, F>(&correction, &terms, state.clock.size), Some(terms)))
        })?;
        let along = Along { correction, bend };
        let sum = classical_sum(system, state, &mut stages, first, Some(&along))?;
        stages.end_along::<P, true, true>(system, state, Some(&along.correction), sum)
    }
}

/// M⁻¹ G₀ᵀ μ of the way there, in h/2, to second order: g(t + h/2, q + h v/2) = h²/8 (g_qq(v, v) + 2 g_qt v + g_tt) + O(h³).
///
/// The second stage lies that much off the constraints, and the third as much on the other side: its acceleration moves it by
/// h²/4 a, and G a = −(g_qq(v, v) + …). The fourth is O(h³) off.
#[inline(always)]
fn bend<System, T, const N: usize, const M: usize, F>(
    correction: &Correction<T, N, M, F>,
    terms: &Vector<T, M>,
    size: StepSize<T>,
) -> Vector<T, N>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    let mut bend = Vector::zeros();
    let minus = terms * -(size.half * size.half * T::from_f64(0.5));
    correction.subtract::<System>(&mut bend, &correction.multipliers::<System>(&minus));
    bend
}

impl<System, T, const N: usize, const M: usize, F, P> Step<System, Partitioned<State<T, N, M, F, P>, N>>
    for LocalRungeKutta4<T, true>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    type Report = Report<T, M>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        "runge_kutta_4_partitioned"
    }

    #[inline]
    fn step(
        &self,
        system: &System,
        partitioned: &mut Partitioned<State<T, N, M, F, P>, N>,
    ) -> Result<Report<T, M>, StepError<T>> {
        let Partitioned { state, dependent, is_checked, changes } = partitioned;
        let (judge, q, rank) = (Judge::of(state), state.node.q.rounded(), state.node.correction.rank());
        let (t, size) = (state.clock.times::<P>()[0].high, state.clock.size);
        let least = state.node.correction.smallest_pivot() * self.switching;
        let mut stages = Stages::from(system, state, None);
        let (first, (anew, along)) = stages.first_with(system, state, |inertia, jacobian, terms| {
            let inverses = core::array::from_fn(|i| match InertiaOf::<System, N, M>::KEEPS_INVERSE {
                true => inertia.inverse(i, i),
                false => T::one() / diagonal(&system.mass_matrix_at(t, q))[i],
            });
            let (mut correction, mut pivots, mut anew) = (Correction::workspace(), Pivots::none(), None);
            let mut made = correction.update::<System>(jacobian, &immobile(dependent, &inverses), rank, &mut pivots);
            // No choice has a larger pivot than all coordinates together.
            if !(*is_checked && made.is_ok() && pivots.smallest > least) {
                let choice = chosen(*jacobian, inverses, rank, *dependent, self.switching);
                (anew, pivots) = (Some(choice), Pivots::none());
                made = correction.update::<System>(jacobian, &immobile(&choice, &inverses), rank, &mut pivots);
            }
            if M > 1 || anew.is_some() {
                judge.constraints(made.and_then(|()| pivots.judge()), q)?;
            }
            if correction.rank() < rank {
                let (index, limit) = (correction.rank(), pivot_tolerance(M));
                let cause = FactorError::SmallPivot { index, pivot: T::zero(), limit };
                return Err(StepError::Singular { tick: judge.tick, cause });
            }
            let terms = terms();
            let bend = bend::<System, T, N, M, F>(&correction, &terms, size);
            Ok(((anew, Along { correction, bend }), Some(terms)))
        })?;
        let sum = classical_sum(system, state, &mut stages, first, Some(&along))?;
        let report = stages.end_along::<P, true, true>(system, state, Some(&along.correction), sum)?;
        if let Some(anew) = anew {
            *changes = changes.wrapping_add(u32::from(anew != *dependent && dependent.contains(&true)));
            (*dependent, *is_checked) = (anew, true);
        }
        Ok(report)
    }
}

/// The best choice, or the present one if it is good enough. Of a given one with too many coordinates, as many are kept as there are
/// constraints. By value, as in [`finite_or`](super::finite::finite_or).
#[cold]
#[inline(never)]
fn chosen<T: Float, const N: usize, const M: usize>(
    jacobian: Matrix<T, M, N>,
    inverses: [T; N],
    rank: usize,
    before: [bool; N],
    switching: T,
) -> [bool; N] {
    let masses = inverses.map(|inverse| T::one() / inverse);
    let (best, best_pivot) = choose(&jacobian, &masses, rank, &[true; N]);
    let (kept, pivot) = choose(&jacobian, &masses, rank, &before);
    if !before.contains(&true) || pivot < best_pivot * switching { best } else { kept }
}
