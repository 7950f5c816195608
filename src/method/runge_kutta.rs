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

use super::acceleration::{Feedback, acceleration, acceleration_at};
use super::error::StepError;
use super::report::Report;
use super::size::{InvalidStep, StepSize};
use super::stage::{Stage, consistent, not_factorised, not_finite, not_reached};
use crate::linalg::{Pivots, SymmetricFactors, Vector, pivot_tolerance};
use crate::project::{Correction, FEW, Level, within};
use crate::scalar::Float;
use crate::start::{Approach, Moving, Precision, State};
use crate::system::{InertiaOf, Mass, Mechanical};

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
        let (tick, node) = (state.clock.tick, &state.node);
        let times = [0, 1].map(|ahead| state.clock.time::<P>(ahead, h));
        let [t, t_next] = times.map(|time| time.high);
        let t_half = times[0].later(half).high;
        let (iterations, feedback) = (T::POLISHING_ITERATIONS, self.feedback());
        let anchor = P::anchor(system, times[0], &node.q);
        if M > FEW {
            consistent::<P, T, M>(&anchor, &state.limits, tick)?;
        }

        // Four stages; the geometry of the first is known from the step before. With q' = v the positions need sums of the
        // accelerations only, which the velocities need as well.
        let (q, v) = (node.q.rounded(), node.v.rounded());
        let mut inertia = system.mass().room();
        system.update_inertia(&mut inertia, q).map_err(|cause| StepError::Mass { tick, cause })?;
        let jacobian = system.jacobian(t, q);
        let (a1, multipliers) = acceleration(system, &inertia, &node.correction, &jacobian, (t, q, v), feedback);
        let rank = node.correction.rank();
        let (mut correction, mut inverses) = (Correction::<T, N, M, F>::blank(), Vector::repeat(-T::zero()));
        let mut stage = |t, q: &Vector<T, N>, v: &Vector<T, N>| {
            let judgement = (rank, &mut inverses);
            acceleration_at(system, &mut inertia, &mut correction, (t, q, v), feedback, judgement, tick)
        };
        let q2 = q + v * half;
        let v2 = v + a1 * half;
        let (a2, _) = stage(t_half, &q2, &v2)?;
        let q3 = q2 + a1 * (half * half);
        let v3 = v + a2 * half;
        let (a3, _) = stage(t_half, &q3, &v3)?;
        let q4 = q + v3 * h;
        let v4 = v + a3 * h;
        let (a4, last_multipliers) = stage(t_next, &q4, &v4)?;
        let sixth = self.sixth;
        let middle = a2 + a3;
        let sum = a1 + middle;

        // Onto the positions, along the gradients of the last stage, which are within O(h²) of those here.
        // v₁ + 2 v₂ + 2 v₃ + v₄ = 6 v + h (a₁ + a₂ + a₃).
        let (mut approach, _) = P::Approach::<T, N, M>::along(system, times, &node.q, &node.v.depart(), h);
        approach.by(&(sum * (h * sixth)));
        let predicted_residual = approach.residual(system);
        let mut residual = predicted_residual;
        if POSITIONS {
            for _ in 0..iterations {
                let multipliers = correction.multipliers(&residual);
                approach.shift(|x| correction.move_back::<System>(x, &multipliers));
                residual = approach.residual(system);
            }
        }
        let q_next = approach.arrive();
        let q = q_next.rounded();

        // Onto the velocities, with the geometry that the next step begins with.
        let mut velocity = node.v.depart().by(&((sum + middle + a4) * sixth));
        system
            .update_inertia(&mut inertia, q)
            .map_err(|cause| not_factorised(StepError::Mass { tick, cause }, *q, tick))?;
        let jacobian = system.jacobian(t_next, q);
        // Where positions drift, constraints that depend on each other where they hold do not quite do so.
        let most = if POSITIONS { M } else { rank };
        let mut pivots = Pivots::none();
        correction
            .update_unjudged::<System>(&jacobian, &inertia, most, &mut pivots)
            .map_err(|cause| not_factorised(StepError::Singular { tick, cause }, *q, tick))?;
        let obliqueness = pivots.obliqueness_before(&inverses);
        pivots.count_before(obliqueness);
        if VELOCITIES {
            let residual = system.velocity_residual(&jacobian, t_next, q, &velocity.here());
            let multipliers = correction.multipliers(&residual);
            velocity = velocity.shift(|v| correction.move_back::<System>(v, &multipliers));
        }
        let v_next = velocity.arrive();

        let next = Stage {
            pivots,
            first_half: multipliers,
            second_half: last_multipliers,
            predicted_residual,
            position_residual: residual,
            velocity_residual: system.velocity_residual(&jacobian, t_next, q, v_next.rounded()),
            q: q_next,
            v: v_next,
        };

        // Judged at the end and nothing in between: code without branches stays in registers.
        if !next.is_surely_sound::<InertiaOf<System, N, M>>(&anchor, &state.strictness) {
            let limits = &state.limits;
            consistent::<P, T, M>(&anchor, limits, tick)?;
            let limit = most_oblique::<T, M>();
            if let Err(residual) = within(Level::Position, &next.position_residual, limits)
                && (M < 2 || obliqueness <= limit)
            {
                return Err(not_reached(residual, *next.q.rounded(), tick));
            }
            if let Err(cause) = next.pivots.judge() {
                return Err(not_factorised(StepError::Singular { tick, cause }, *next.q.rounded(), tick));
            }
            if !(next.finite_probe() == T::zero()) {
                return Err(not_finite(*next.q.rounded(), *next.v.rounded(), tick));
            }
            if M > 1 && !(obliqueness <= limit) {
                return Err(StepError::SingularStage { tick, obliqueness, limit });
            }
        }
        if VELOCITIES {
            next.check_velocity::<F>(&state.limits, tick)?;
        }
        state.advance::<System>(&next, &correction);
        Ok(next.report(&correction, multipliers, if POSITIONS { iterations } else { 0 }))
    }
}

/// What the obliqueness of all stages may be.
#[inline(always)]
fn most_oblique<T: Float, const M: usize>() -> T {
    T::one() / pivot_tolerance(M)
}
