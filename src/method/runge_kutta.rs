//! The classical Runge–Kutta method of order 4 on the acceleration level, with projection onto positions and velocities.
//!
//! ```text
//!     (q', v') = (v, a(t, q, v)) with a from M a = f − Gᵀ λ, G a + … = 0      four times
//!     q ← q − M⁻¹ Gᵀ μ, g(t, q) = 0                                           (Hairer & Wanner VII.2, (2.10))
//!     v ← v − M⁻¹ Gᵀ ν, G v + g_t = 0                                         ((2.11))
//! ```
//!
//! Order 4 in positions, velocities and multipliers. Not symplectic: the energy drifts, at small steps by far less than
//! RATTLE's oscillates. Choose it for small steps; choose RATTLE for large steps and long runs. Works with a mass that varies
//! and with forces that depend on velocities, at no extra cost.
//!
//! Without projection the acceleration constraint alone holds and the solution leaves the constraints quadratically in time
//! (Hairer & Wanner VII.2, Figs. 2.1–2.2). [`RungeKutta4::bare`], [`RungeKutta4::baumgarte`] and each projection alone are there
//! to show that, and to reproduce what others compute.

use super::acceleration::Feedback;
use super::error::StepError;
use super::flight::{Flight, Sum};
use super::report::Report;
use super::size::{InvalidStep, StepSize};
use crate::linalg::SymmetricFactors;
use crate::scalar::Float;
use crate::start::{Precision, State};
use crate::system::Mechanical;

/// Runge–Kutta of order 4 with projection, at a fixed step.
///
/// ```
/// # use systems::Pendulum;
/// use taut::method::RungeKutta4;
/// use taut::start::Start;
///
/// let pendulum = Pendulum::<f64>::standard();
/// let runge_kutta = RungeKutta4::at_rate(1_000.0)?;
/// let mut state = Start::at(&pendulum, [1.0, 0.0]).at_rest()?;
/// for _ in 0..1_000 {
///     let report = runge_kutta.step(&pendulum, &mut state)?;
///     assert!(report.position_residual[0].abs() < 1e-15);
/// }
/// let energy = state.velocity().norm_squared() / 2.0 + 9.81 * state.position().y;
/// assert!(energy.abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RungeKutta4<T, const POSITIONS: bool = true, const VELOCITIES: bool = true> {
    size: StepSize<T>,
    /// h/6.
    sixth: T,
    /// Baumgarte's 2 α and β²; zero without.
    twice_alpha: T,
    beta_square: T,
}

impl<T: Float> RungeKutta4<T> {
    /// Steps at this rate, in hertz.
    pub fn at_rate(rate: T) -> Result<Self, InvalidStep<T>> {
        Ok(Self::with_step(StepSize::at_rate(rate)?))
    }

    /// Steps of this size.
    pub fn with_step(size: StepSize<T>) -> Self {
        let sixth = size.half * T::from_f64(1.0 / 3.0);
        Self { size, sixth, twice_alpha: T::zero(), beta_square: T::zero() }
    }
}

impl<T: Float, const POSITIONS: bool, const VELOCITIES: bool> RungeKutta4<T, POSITIONS, VELOCITIES> {
    /// Another choice of projections: onto positions, onto velocities.
    fn projecting<const P: bool, const V: bool>(self) -> RungeKutta4<T, P, V> {
        let Self { size, sixth, twice_alpha, beta_square } = self;
        RungeKutta4 { size, sixth, twice_alpha, beta_square }
    }

    /// Without projection: the constraints drift away. Limits still hold, so a run ends in an error when it is too far off.
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

    /// Without projection, but with Baumgarte's stabilisation g'' + 2 α g' + β² g = 0 in place of g'' = 0.
    pub fn baumgarte(self, alpha: T, beta: T) -> RungeKutta4<T, false, false> {
        RungeKutta4 { twice_alpha: alpha + alpha, beta_square: beta * beta, ..self.bare() }
    }

    /// The step size.
    pub fn step_size(&self) -> T {
        self.size.get()
    }

    #[inline(always)]
    fn feedback(&self) -> Option<Feedback<T>> {
        let Self { twice_alpha, beta_square, .. } = *self;
        let asked_for = !POSITIONS && !VELOCITIES && (twice_alpha != T::zero() || beta_square != T::zero());
        asked_for.then_some(Feedback { twice_alpha, beta_square })
    }

    /// Makes a step; on an error the state is as it was.
    #[inline]
    pub fn step<System, const N: usize, const M: usize, F, P>(
        &self,
        system: &System,
        state: &mut State<T, N, M, F, P>,
    ) -> Result<Report<T, M>, StepError<T>>
    where
        System: Mechanical<N, M, Base = T>,
        F: SymmetricFactors<T, M>,
        P: Precision,
    {
        let StepSize { h, half, .. } = self.size;
        // With q' = v the positions need sums of the accelerations only, which the velocities need as well.
        let mut flight = Flight::from(system, state, h, self.feedback());
        let (a1, first) = flight.first_stage(system, state)?;
        let (q, v) = (state.node.q.rounded(), state.node.v.rounded());
        let (t_half, t_next) = (flight.after(half), flight.end());
        let q2 = q + v * half;
        let v2 = v + a1 * half;
        let (a2, _) = flight.stage(system, (t_half, &q2, &v2))?;
        let q3 = q2 + a1 * (half * half);
        let v3 = v + a2 * half;
        let (a3, _) = flight.stage(system, (t_half, &q3, &v3))?;
        let q4 = q + v3 * h;
        let v4 = v + a3 * h;
        let (a4, last) = flight.stage(system, (t_next, &q4, &v4))?;

        // v₁ + 2 v₂ + 2 v₃ + v₄ = 6 v + h (a₁ + a₂ + a₃).
        let sixth = self.sixth;
        let middle = a2 + a3;
        let sum = a1 + middle;
        let sum = Sum { beyond: sum * (h * sixth), change: (sum + middle + a4) * sixth, multipliers: [first, last] };
        flight.land::<P, POSITIONS, VELOCITIES>(system, state, h, sum)
    }
}
