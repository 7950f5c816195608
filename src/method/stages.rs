//! Shared by the Runge–Kutta methods that project the end of a step onto positions and velocities: explicit stages on the acceleration
//! level, which leave the constraints, and the projection: (2.5), (2.10) and (2.11) of Hairer & Wanner VII.2.

use super::acceleration::{Feedback, acceleration};
use super::ending::Ending;
use super::error::StepError;
use super::judge::Judge;
use super::report::Report;
use crate::linalg::{Pivots, SymmetricFactors, Vector};
use crate::project::Correction;
use crate::scalar::Float;
use crate::start::{Precision, State, Time};
use crate::system::{Equations, Inertia, InertiaOf, Mass, Mechanical};

/// A step between its first stage and its end.
pub(super) struct Stages<System: Mechanical<N, M>, const N: usize, const M: usize, F> {
    /// The times of its begin and its end.
    times: [Time<System::Base>; 2],
    /// The position residual where it began.
    start_residual: Vector<System::Base, M>,
    /// The mass at the latest stage.
    inertia: InertiaOf<System, N, M>,
    correction: Correction<System::Base, N, M, F>,
    /// The sum over all stages of the obliqueness of the constraints.
    obliqueness: System::Base,
    feedback: Option<Feedback<System::Base>>,
    /// The rank where the step began.
    rank: usize,
}

/// The weighted sums of all stages.
pub(super) struct Sum<T, const N: usize, const M: usize> {
    /// The displacement minus h v.
    pub(super) beyond: Vector<T, N>,
    /// The change of the velocities.
    pub(super) change: Vector<T, N>,
    /// The multipliers of the first and of the last stage.
    pub(super) multipliers: [Vector<T, M>; 2],
}

impl<System, T, const N: usize, const M: usize, F> Stages<System, N, M, F>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    /// Begins a step at the state.
    #[inline(always)]
    pub(super) fn from<P: Precision>(
        system: &System,
        state: &State<T, N, M, F, P>,
        feedback: Option<Feedback<T>>,
    ) -> Self {
        let times = state.clock.times::<P>();
        Self {
            times,
            start_residual: P::start_residual(system, times[0], &state.node.q),
            inertia: system.mass().workspace(),
            correction: Correction::workspace(),
            obliqueness: -T::zero(),
            feedback,
            rank: state.node.correction.rank(),
        }
    }

    /// Refuses a step that begins off the constraints.
    #[inline(always)]
    pub(super) fn begin<P: Precision>(&self, state: &State<T, N, M, F, P>) -> Result<(), StepError<T>> {
        Judge::of(state).start(&self.start_residual)
    }

    /// v' and λ at the first stage. Its geometry is known from the step before.
    #[inline(always)]
    pub(super) fn first<P: Precision>(
        &mut self,
        system: &System,
        state: &State<T, N, M, F, P>,
    ) -> Result<(Vector<T, N>, Vector<T, M>), StepError<T>> {
        self.begin(state)?;
        let (judge, node) = (Judge::of(state), &state.node);
        let (t, q, v) = (self.times[0].high, node.q.rounded(), node.v.rounded());
        let equations = system.equations(t, q);
        judge.mass(system.mass().update(&mut self.inertia, || equations.mass_matrix()), q)?;
        let jacobian = equations.jacobian();
        Ok(acceleration((system, &equations), &self.inertia, &node.correction, &jacobian, (t, q, v), self.feedback))
    }

    /// The time at the end of the step.
    #[inline(always)]
    pub(super) fn end(&self) -> T {
        self.times[1].high
    }

    /// The time a `duration` after the begin of the step.
    #[inline(always)]
    pub(super) fn after(&self, duration: T) -> T {
        self.times[0].later(duration).high
    }

    /// v' and λ at a stage.
    #[inline(always)]
    pub(super) fn stage<P: Precision>(
        &mut self,
        system: &System,
        state: &State<T, N, M, F, P>,
        (t, q, v): (T, &Vector<T, N>, &Vector<T, N>),
    ) -> Result<(Vector<T, N>, Vector<T, M>), StepError<T>> {
        self.lifted_stage(system, state, None, (t, *q, *v))
    }

    /// v' and λ at a stage that is first moved onto the constraints in the directions `along`, if they are given.
    #[inline(always)]
    pub(super) fn lifted_stage<P: Precision>(
        &mut self,
        system: &System,
        state: &State<T, N, M, F, P>,
        along: Option<&Correction<T, N, M, F>>,
        (t, mut q, mut v): (T, Vector<T, N>, Vector<T, N>),
    ) -> Result<(Vector<T, N>, Vector<T, M>), StepError<T>> {
        let judge = Judge::of(state);
        if let Some(along) = along {
            for _ in 0..stage_iterations::<T>() {
                let residual = system.constraint(t, &q);
                along.subtract::<System>(&mut q, &along.multipliers::<System>(&residual));
            }
        }
        let equations = system.equations(t, &q);
        judge.mass(system.mass().update(&mut self.inertia, || equations.mass_matrix()), &q)?;
        let jacobian = equations.jacobian();
        if let Some(along) = along {
            for _ in 0..stage_iterations::<T>() {
                let residual = system.velocity_residual(&jacobian, t, &q, &v);
                along.subtract::<System>(&mut v, &along.multipliers::<System>(&residual));
            }
        }
        let mut pivots = Pivots::none();
        let made = self.correction.update::<System>(&jacobian, &self.inertia, self.rank, &mut pivots);
        judge.constraints(made, &q)?;
        self.obliqueness += pivots.obliqueness;
        Ok(acceleration((system, &equations), &self.inertia, &self.correction, &jacobian, (t, &q, &v), self.feedback))
    }

    /// Ends the step, with the projections that are switched on.
    #[inline(always)]
    pub(super) fn project_end<P: Precision, const POSITIONS: bool, const VELOCITIES: bool>(
        self,
        system: &System,
        state: &mut State<T, N, M, F, P>,
        sum: Sum<T, N, M>,
    ) -> Result<Report<T, M>, StepError<T>> {
        self.end_along::<P, POSITIONS, VELOCITIES>(system, state, None, sum)
    }

    /// The same. If directions `along` are given, both projections move in these only.
    #[inline(always)]
    pub(super) fn end_along<P: Precision, const POSITIONS: bool, const VELOCITIES: bool>(
        self,
        system: &System,
        state: &mut State<T, N, M, F, P>,
        along: Option<&Correction<T, N, M, F>>,
        sum: Sum<T, N, M>,
    ) -> Result<Report<T, M>, StepError<T>> {
        let Self { times, start_residual, mut inertia, mut correction, rank, .. } = self;
        let obliqueness = self.obliqueness.abs();
        let judge = Judge { iterates: POSITIONS, ..Judge::of(state) };
        let (node, h) = (&state.node, state.clock.size.h);
        let (t_next, iterations) = (
            times[1].high,
            match along {
                Some(_) => end_iterations::<T>(),
                None if POSITIONS => T::POLISHING_ITERATIONS,
                None => 0,
            },
        );

        // Project positions along the gradients of the last stage, which differ by O(h²) from those here.
        let mut approach = P::predict(system, times, &node.q, &node.v.begin(), h);
        approach.by(&sum.beyond);
        let predicted_residual = approach.residual(system);
        let mut residual = predicted_residual;
        for _ in 0..iterations {
            let direction = along.unwrap_or(&correction);
            let multipliers = direction.multipliers::<System>(&residual);
            approach.shift(|x| direction.subtract::<System>(x, &multipliers));
            residual = approach.residual(system);
        }
        let q_next = approach.finish();
        let q = q_next.rounded();
        judge.position(&residual, q)?;

        // Project velocities, with the geometry that the next step begins with.
        let mut velocity = node.v.begin().by(&sum.change);
        let equations = system.equations(t_next, q);
        judge.mass(system.mass().update(&mut inertia, || equations.mass_matrix()), q)?;
        let jacobian = equations.jacobian();
        // Off the constraint, redundant constraints look independent: keep the rank of the last node.
        let max_rank = if POSITIONS { M } else { rank };
        let mut pivots = Pivots::none();
        judge.constraints(correction.update::<System>(&jacobian, &inertia, max_rank, &mut pivots), q)?;
        if VELOCITIES {
            let direction = along.unwrap_or(&correction);
            for _ in 0..if along.is_some() { iterations } else { 1 } {
                let residual = system.velocity_residual(&jacobian, t_next, q, &velocity.here());
                let multipliers = direction.multipliers::<System>(&residual);
                velocity = velocity.shift(|v| direction.subtract::<System>(v, &multipliers));
            }
        }
        let v_next = velocity.finish();

        let [first, last] = sum.multipliers;
        let ending = Ending {
            pivots,
            first_half: first,
            second_half: last,
            predicted_residual,
            position_residual: residual,
            velocity_residual: system.velocity_residual(&jacobian, t_next, q, v_next.rounded()),
            q: q_next,
            v: v_next,
        };
        if !judge.accepts(&start_residual, &ending, obliqueness, InertiaOf::<System, N, M>::POSITIVE)
            && let Some(refused) = judge.refusal(&start_residual, &ending, obliqueness)
        {
            return refused;
        }
        if VELOCITIES {
            judge.projected_velocity::<N, P, F>(&ending)?;
        }
        if along.is_some() {
            let tick = judge.tick;
            judge.velocity(&ending).map_err(|residual| StepError::NotConverged { tick, residual })?;
        }
        state.advance::<System>(&ending, &correction);
        Ok(ending.report(&correction, first, iterations))
    }
}

/// How often the end of a step in local coordinates is moved towards the constraints: the directions are those where it began, so that
/// each time leaves O(h) of the distance.
const fn end_iterations<T: Float>() -> usize {
    T::NEWTON_ITERATIONS * T::POLISHING_ITERATIONS
}

/// The same for a stage: one time less.
const fn stage_iterations<T: Float>() -> usize {
    end_iterations::<T>() - 1
}
