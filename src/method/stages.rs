//! Shared by the Runge–Kutta methods that project the end of a step onto positions and velocities: explicit stages on the acceleration
//! level, which leave the constraints, and the projection: (2.5), (2.10) and (2.11) of Hairer & Wanner VII.2.

use super::acceleration::{Feedback, acceleration, acceleration_with};
use super::converged::solved;
use super::ending::Ending;
use super::error::StepError;
use super::judge::Judge;
use super::report::Report;
use crate::linalg::{Matrix, Pivots, SymmetricFactors, Vector, magnitude, product_of};
use crate::project::{Correction, Level};
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

/// v' and λ.
type AccelerationAndMultipliers<T, const N: usize, const M: usize> = (Vector<T, N>, Vector<T, M>);

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
        let (first, ()) = self.first_with(system, state, |_, _, _| Ok(((), None)))?;
        Ok(first)
    }

    /// The same, and what follows from M⁻¹, from G and from g_qq(v, v) + 2 g_qt v + g_tt there. These terms may be given back.
    #[inline(always)]
    pub(super) fn first_with<P: Precision, R>(
        &mut self,
        system: &System,
        state: &State<T, N, M, F, P>,
        what_follows: impl FnOnce(
            &InertiaOf<System, N, M>,
            &Matrix<T, M, N>,
            &dyn Fn() -> Vector<T, M>,
        ) -> Result<(R, Option<Vector<T, M>>), StepError<T>>,
    ) -> Result<(AccelerationAndMultipliers<T, N, M>, R), StepError<T>> {
        self.begin(state)?;
        let (judge, node) = (Judge::of(state), &state.node);
        let (t, q, v) = (self.times[0].high, node.q.rounded(), node.v.rounded());
        let equations = system.equations(t, q);
        judge.mass(system.mass().update(&mut self.inertia, || equations.mass_matrix()), q)?;
        let (jacobian, terms) = (equations.jacobian(), || equations.acceleration_terms(v));
        let (more, known) = what_follows(&self.inertia, &jacobian, &terms)?;
        let (here, place, terms) = ((system, &equations), (t, q, v), || known.unwrap_or_else(terms));
        let first = acceleration_with(here, &self.inertia, &node.correction, &jacobian, place, terms, self.feedback);
        Ok((first, more))
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
        let along = along.filter(|_| lifts::<T>() > 0);
        if let Some(along) = along {
            Judge::at_once(state).start(&self.start_residual)?;
            for _ in 0..lifts::<T>() {
                let (jacobian, residual) = (system.jacobian(t, &q), system.constraint(t, &q));
                let multipliers = multipliers_along::<System, T, N, M, F>(&judge, along, &jacobian, &residual, &q)?;
                along.subtract::<System>(&mut q, &multipliers);
            }
            Judge::at_once(state).position(&system.constraint(t, &q), &q)?;
        }
        let equations = system.equations(t, &q);
        judge.mass(system.mass().update(&mut self.inertia, || equations.mass_matrix()), &q)?;
        let jacobian = equations.jacobian();
        if let Some(along) = along {
            let residual = system.velocity_residual(&jacobian, t, &q, &v);
            along.subtract::<System>(
                &mut v,
                &multipliers_along::<System, T, N, M, F>(&judge, along, &jacobian, &residual, &q)?,
            );
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
        let (t_next, polishes) = (times[1].high, if POSITIONS { T::POLISHING_ITERATIONS } else { 0 });
        let along = along.filter(|_| lifts::<T>() > 0);
        let at_once = Judge::at_once(state);

        let mut approach = P::predict(system, times, &node.q, &node.v.begin(), h);
        approach.by(&sum.beyond);
        let predicted_residual = approach.residual(system);
        let mut residual = predicted_residual;
        if let Some(along) = along {
            for _ in 0..lifts::<T>() {
                let here = approach.finish();
                let (q, jacobian) = (here.rounded(), system.jacobian(t_next, here.rounded()));
                let multipliers = multipliers_along::<System, T, N, M, F>(&judge, along, &jacobian, &residual, q)?;
                approach.shift(|x| along.subtract::<System>(x, &multipliers));
                residual = approach.residual(system);
            }
            at_once.position(&residual, approach.finish().rounded())?;
        }
        // Project positions along the gradients of the last stage, which differ by O(h²) from those here.
        for _ in 0..polishes {
            let multipliers = correction.multipliers::<System>(&residual);
            approach.shift(|x| correction.subtract::<System>(x, &multipliers));
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
            if let Some(along) = along {
                let residual = system.velocity_residual(&jacobian, t_next, q, &velocity.here());
                let multipliers = multipliers_along::<System, T, N, M, F>(&judge, along, &jacobian, &residual, q)?;
                velocity = velocity.shift(|v| along.subtract::<System>(v, &multipliers));
            }
            let residual = system.velocity_residual(&jacobian, t_next, q, &velocity.here());
            let multipliers = correction.multipliers::<System>(&residual);
            velocity = velocity.shift(|v| correction.subtract::<System>(v, &multipliers));
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
        state.advance::<System>(&ending, &correction);
        Ok(ending.report(&correction, first, if along.is_some() { lifts::<T>() } else { 0 } + polishes))
    }
}

/// The multipliers that move a point along given directions D onto the constraints, to first order: G D μ = residual.
///
/// Refuses them if μ is less than half of what the matrix where the step began gives, or has another sign: then the directions are no
/// longer good coordinates, although a solution may exist.
fn multipliers_along<System, T, const N: usize, const M: usize, F>(
    judge: &Judge<'_, T, M>,
    along: &Correction<T, N, M, F>,
    jacobian: &Matrix<T, M, N>,
    residual: &Vector<T, M>,
    q: &Vector<T, N>,
) -> Result<Vector<T, M>, StepError<T>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    let matrix = product_of(jacobian, &along.directions);
    let multipliers = judge.constraints(F::solve_general(matrix, along.rank(), *residual), q)?;
    let moved = |multipliers: &Vector<T, M>| {
        let mut moved = Vector::<T, N>::zeros();
        along.subtract::<System>(&mut moved, multipliers);
        moved
    };
    let limit = magnitude(&moved(&multipliers)) + T::ROOT_EPSILON * (T::one() + magnitude(q));
    let difference = moved(&(along.multipliers::<System>(residual) - multipliers));
    // The end of the step refuses NaN.
    if magnitude(&difference) > limit {
        solved(Level::Correction, &difference, &Vector::repeat(limit), judge.tick)?;
    }
    Ok(multipliers)
}

/// How many of Newton's iterations move a stage or an end onto the constraints in local coordinates: four in `f64`, none in `f32`.
const fn lifts<T: Float>() -> usize {
    T::NEWTON_ITERATIONS - 2
}
