//! What explicit Runge–Kutta methods on the acceleration level have in common: stages that leave the constraints, and a landing on
//! positions and velocities.
//!
//! ```text
//!     (q', v') = (v, a(t, q, v)) with a from M a = f − Gᵀ λ, G a + … = 0      at each stage
//!     q ← q − M⁻¹ Gᵀ μ, g(t, q) = 0                                           (Hairer & Wanner VII.2, (2.10))
//!     v ← v − M⁻¹ Gᵀ ν, G v + g_t = 0                                         ((2.11))
//! ```

use super::acceleration::{Feedback, acceleration, acceleration_at};
use super::error::StepError;
use super::report::Report;
use super::stage::{Stage, consistent, not_factorised, not_finite, not_reached};
use crate::linalg::{Pivots, SymmetricFactors, Vector, pivot_tolerance};
use crate::project::{Correction, FEW, Level, within};
use crate::scalar::Float;
use crate::start::{Approach, Moving, Precision, State, Time};
use crate::system::{InertiaOf, Mass, Mechanical};

/// A step between its first stage and its end.
pub(super) struct Flight<System: Mechanical<N, M>, const N: usize, const M: usize, F> {
    /// Where the step begins and where it ends.
    times: [Time<System::Base>; 2],
    /// How far off the constraints it began.
    anchor: Vector<System::Base, M>,
    /// At the latest stage.
    inertia: InertiaOf<System, N, M>,
    correction: Correction<System::Base, N, M, F>,
    /// The sum of the inverse pivots of all stages.
    inverses: Vector<System::Base, M>,
    feedback: Option<Feedback<System::Base>>,
    rank: usize,
    tick: u64,
}

/// Where all stages together lead to.
pub(super) struct Sum<T, const N: usize, const M: usize> {
    /// How much further than h v the positions go.
    pub(super) beyond: Vector<T, N>,
    /// The change of the velocities.
    pub(super) change: Vector<T, N>,
    /// The multipliers of the first and of the last stage.
    pub(super) multipliers: [Vector<T, M>; 2],
}

impl<System, T, const N: usize, const M: usize, F> Flight<System, N, M, F>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    /// From where the state is.
    #[inline(always)]
    pub(super) fn from<P: Precision>(
        system: &System,
        state: &State<T, N, M, F, P>,
        h: T,
        feedback: Option<Feedback<T>>,
    ) -> Self {
        // Not by a closure for both: one that two methods share may not be inlined, and then remains where nothing uses the time.
        let times = [state.clock.time::<P>(0, h), state.clock.time::<P>(1, h)];
        Self {
            times,
            anchor: P::anchor(system, times[0], &state.node.q),
            inertia: system.mass().room(),
            correction: Correction::blank(),
            inverses: Vector::repeat(-T::zero()),
            feedback,
            rank: state.node.correction.rank(),
            tick: state.clock.tick,
        }
    }

    /// v' and λ at the first stage, whose geometry is known from the step before.
    #[inline(always)]
    pub(super) fn first_stage<P: Precision>(
        &mut self,
        system: &System,
        state: &State<T, N, M, F, P>,
    ) -> Result<(Vector<T, N>, Vector<T, M>), StepError<T>> {
        let (tick, node) = (self.tick, &state.node);
        if M > FEW {
            consistent::<P, T, M>(&self.anchor, &state.limits, tick)?;
        }
        let (t, q, v) = (self.times[0].high, node.q.rounded(), node.v.rounded());
        system.update_inertia(&mut self.inertia, q).map_err(|cause| StepError::Mass { tick, cause })?;
        let jacobian = system.jacobian(t, q);
        Ok(acceleration(system, &self.inertia, &node.correction, &jacobian, (t, q, v), self.feedback))
    }

    /// When the step ends.
    #[inline(always)]
    pub(super) fn end(&self) -> T {
        self.times[1].high
    }

    /// A time after the step has begun.
    #[inline(always)]
    pub(super) fn after(&self, duration: T) -> T {
        self.times[0].later(duration).high
    }

    /// v' and λ at a stage.
    #[inline(always)]
    pub(super) fn stage(
        &mut self,
        system: &System,
        at: (T, &Vector<T, N>, &Vector<T, N>),
    ) -> Result<(Vector<T, N>, Vector<T, M>), StepError<T>> {
        let judgement = (self.rank, &mut self.inverses);
        acceleration_at(system, &mut self.inertia, &mut self.correction, at, self.feedback, judgement, self.tick)
    }

    /// Ends the step on the constraints, unless they are to drift.
    #[inline(always)]
    pub(super) fn land<P: Precision, const POSITIONS: bool, const VELOCITIES: bool>(
        self,
        system: &System,
        state: &mut State<T, N, M, F, P>,
        h: T,
        sum: Sum<T, N, M>,
    ) -> Result<Report<T, M>, StepError<T>> {
        let Self { times, anchor, mut inertia, mut correction, inverses, rank, tick, .. } = self;
        let (node, t_next, iterations) = (&state.node, times[1].high, T::POLISHING_ITERATIONS);

        // Onto the positions, along the gradients of the last stage, which are within O(h²) of those here.
        let (mut approach, _) = P::Approach::<T, N, M>::along(system, times, &node.q, &node.v.depart(), h);
        approach.by(&sum.beyond);
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
        let mut velocity = node.v.depart().by(&sum.change);
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

        let [first, last] = sum.multipliers;
        let next = Stage {
            pivots,
            first_half: first,
            second_half: last,
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
        Ok(next.report(&correction, first, if POSITIONS { iterations } else { 0 }))
    }
}

/// What the obliqueness of all stages may be.
#[inline(always)]
fn most_oblique<T: Float, const M: usize>() -> T {
    T::one() / pivot_tolerance(M)
}
