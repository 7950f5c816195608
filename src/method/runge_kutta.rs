//! The classical Runge–Kutta method of order 4 on the acceleration level, with projection onto positions and velocities.
//!
//! ```text
//!     (q', v') = (v, a(t, q, v)) with a from M a = f − Gᵀ λ, G a + … = 0      four times
//!     q ← q − M⁻¹ Gᵀ μ, g(t, q) = 0                                           (Hairer & Wanner VII.2, (2.10))
//!     v ← v − M⁻¹ Gᵀ ν, G v + g_t = 0                                         ((2.11))
//! ```
//!
//! The position projection uses the gradients of the last stage, whose factors are known. (2.10) has those at the unprojected end,
//! which differ by O(h²).
//!
//! **Order** 4 in positions, velocities and multipliers. **Preserves** both constraints. It is not symplectic: the energy drifts, but at
//! small steps by far less than the energy of RATTLE oscillates.
//!
//! **Choose it** for small steps and accuracy. Choose [`Rattle`](super::Rattle) for large steps and long runs. It works with a varying
//! mass and with forces that use velocities at no extra cost.
//!
//! **Cost**: four evaluations of forces and second-derivative terms, five Jacobians, four factorisations.
//!
//! Without projection only the acceleration constraint holds, and the solution leaves the position constraint quadratically in time
//! (Hairer & Wanner VII.2, Figs. 2.1–2.2). [`RungeKutta4::bare`], [`RungeKutta4::baumgarte`] and each projection alone exist to show
//! that, and to compare with other codes.

use super::acceleration::Feedback;
use super::error::StepError;
use super::report::Report;
use super::stages::{Stages, Sum};
use super::step::Step;
use crate::linalg::{SymmetricFactors, Vector};
use crate::project::Correction;
use crate::scalar::Float;
use crate::start::{Precision, State, StepSize};
use crate::system::Mechanical;

/// Runge–Kutta of order 4 with projection.
///
/// ```
/// # use mechanisms::Pendulum;
/// use taut::method::{RungeKutta4, Step};
/// use taut::start::{Clock, Start};
///
/// let pendulum = Pendulum::<f64>::standard();
/// let runge_kutta = RungeKutta4::new();
/// let mut state = Start::at(&pendulum, Clock::at_rate(1_000.0)?, [1.0, 0.0]).at_rest()?;
/// for _ in 0..1_000 {
///     let report = runge_kutta.step(&pendulum, &mut state)?;
///     assert!(report.position_residual[0].abs() < 1e-15);
/// }
/// let energy = state.velocity().norm_squared() / 2.0 + 9.81 * state.position().y;
/// assert!(energy.abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RungeKutta4<T, const POSITIONS: bool = true, const VELOCITIES: bool = true> {
    /// Baumgarte's 2 α and β²; zero switches them off.
    twice_alpha: T,
    beta_square: T,
}

impl<T: Float> RungeKutta4<T> {
    /// With projection onto positions and velocities.
    pub fn new() -> Self {
        Self { twice_alpha: T::zero(), beta_square: T::zero() }
    }
}

impl<T: Float, const POSITIONS: bool, const VELOCITIES: bool> RungeKutta4<T, POSITIONS, VELOCITIES> {
    /// Chooses the projections: onto positions, onto velocities.
    fn projecting<const P: bool, const V: bool>(self) -> RungeKutta4<T, P, V> {
        let Self { twice_alpha, beta_square } = self;
        RungeKutta4 { twice_alpha, beta_square }
    }

    /// Without projection: positions and velocities drift off their constraints. A step that ends off by more than the limit fails with
    /// [`OffConstraint`](StepError::OffConstraint).
    pub fn bare(self) -> RungeKutta4<T, false, false> {
        self.projecting()
    }

    /// Projects onto positions only.
    pub fn positions_only(self) -> RungeKutta4<T, true, false> {
        self.projecting()
    }

    /// Projects onto velocities only.
    pub fn velocities_only(self) -> RungeKutta4<T, false, true> {
        self.projecting()
    }

    /// Without projection, but with Baumgarte's stabilisation: g'' + 2 α g' + β² g = 0 instead of g'' = 0.
    pub fn baumgarte(self, alpha: T, beta: T) -> RungeKutta4<T, false, false> {
        RungeKutta4 { twice_alpha: alpha + alpha, beta_square: beta * beta }
    }

    #[inline(always)]
    fn feedback(&self) -> Option<Feedback<T>> {
        let Self { twice_alpha, beta_square } = *self;
        let asked_for = !POSITIONS && !VELOCITIES && (twice_alpha != T::zero() || beta_square != T::zero());
        asked_for.then_some(Feedback { twice_alpha, beta_square })
    }
}

impl<System, T, const N: usize, const M: usize, F, P, const POSITIONS: bool, const VELOCITIES: bool>
    Step<System, State<T, N, M, F, P>> for RungeKutta4<T, POSITIONS, VELOCITIES>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    type Report = Report<T, M>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        match (POSITIONS, VELOCITIES, self.feedback()) {
            (true, true, _) => "runge_kutta_4",
            (true, false, _) => "runge_kutta_4_positions",
            (false, true, _) => "runge_kutta_4_velocities",
            (false, false, None) => "runge_kutta_4_bare",
            (false, false, Some(_)) => "runge_kutta_4_baumgarte",
        }
    }

    #[inline]
    fn step(&self, system: &System, state: &mut State<T, N, M, F, P>) -> Result<Report<T, M>, StepError<T>> {
        let mut stages = Stages::from(system, state, self.feedback());
        let first = stages.first(system, state)?;
        let sum = classical_sum(system, state, &mut stages, first, None)?;
        stages.project_end::<P, POSITIONS, VELOCITIES>(system, state, sum)
    }
}

/// Directions in which stages are moved onto the constraints, and by how much the way there bends within h/2, to second order.
pub(super) struct Along<T, const N: usize, const M: usize, F> {
    pub(super) correction: Correction<T, N, M, F>,
    pub(super) bend: Vector<T, N>,
}

/// Three stages after the first, and the sums of all. If `along` is given, stages are moved onto the constraints.
#[inline(always)]
pub(super) fn classical_sum<System, T, const N: usize, const M: usize, F, P>(
    system: &System,
    state: &State<T, N, M, F, P>,
    stages: &mut Stages<System, N, M, F>,
    (a1, first): (Vector<T, N>, Vector<T, M>),
    along: Option<&Along<T, N, M, F>>,
) -> Result<Sum<T, N, M>, StepError<T>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let StepSize { h, half, .. } = state.clock.size;
    // With q' = v the positions need only sums of accelerations, which the velocities need as well.
    let (q, v) = (state.node.q.rounded(), state.node.v.rounded());
    let (t_half, t_next) = (stages.after(half), stages.end());
    let (mut q2, v2) = (q + v * half, v + a1 * half);
    let mut q3 = q2 + a1 * (half * half);
    if let Some(Along { bend, .. }) = along {
        q2 -= bend;
        q3 += bend;
    }
    let along = along.map(|along| &along.correction);
    let (a2, _) = stages.lifted_stage(system, state, along, (t_half, q2, v2))?;
    let v3 = v + a2 * half;
    let (a3, _) = stages.lifted_stage(system, state, along, (t_half, q3, v3))?;
    let q4 = q + v3 * h;
    let v4 = v + a3 * h;
    let (a4, last) = stages.lifted_stage(system, state, along, (t_next, q4, v4))?;

    // v₁ + 2 v₂ + 2 v₃ + v₄ = 6 v + h (a₁ + a₂ + a₃).
    let sixth = half * T::from_f64(1.0 / 3.0);
    let middle = a2 + a3;
    let sum = a1 + middle;
    Ok(Sum { beyond: sum * (h * sixth), change: (sum + middle + a4) * sixth, multipliers: [first, last] })
}
