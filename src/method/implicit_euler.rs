//! Implicit Euler on the position level (index 3), the velocity level (index 2) or the acceleration level (index 1).
//!
//! ```text
//!     q_n₊₁ = q_n + h v_n₊₁,    M(q_n₊₁) (v_n₊₁ − v_n) = h f − h G(q_n₊₁)ᵀ λ_n₊₁,    and at n + 1
//!     index 3: g = 0        index 2: G v + g_t = 0        index 1: G v' + g_qq(v, v) + 2 g_qt v + g_tt = 0
//! ```
//!
//! The equations are solved by full Newton iterations with automatic derivatives of forces and constraints.
//!
//! **Order** 1 in positions, velocities and multipliers. The report gives the multipliers at the **end** of the step. From exact initial
//! values, those of the first step on the position level are wrong by O(1). [`make_consistent`](Step::make_consistent) changes the
//! velocity so that they are right, after a start and in mid-run (Arévalo, "numerically consistent initial values", (3.3)).
//!
//! **Preserves** the constraint of its level. On the position level velocities are off by O(h);
//! [`projecting_velocities`](ImplicitEuler::projecting_velocities) corrects that. It is the stabilised form of Gear, Gupta and Leimkuhler
//! (Hairer & Wanner VII.2, (1.48)): with w = (q_n₊₁ − q_n)/h in place of v_n₊₁ above, and f at the projected velocity v_n₊₁ = w − M⁻¹ Gᵀ ν. On
//! the velocity and acceleration levels positions drift, and the limit of the start must allow it. The method damps: a pendulum loses its
//! energy.
//!
//! **Choose it** to compare with other codes, or for stiff forces if accuracy does not matter: it is [`RadauIia`](super::RadauIia) with one
//! stage, and those of order 3 and 5 are far more accurate. Without stiff forces [`Rattle`](super::Rattle) and
//! [`RungeKutta4`](super::RungeKutta4) are more accurate and cheaper. It works with a varying mass.
//!
//! **Cost**: each Newton iteration evaluates forces and constraints with second derivatives and factorises an N×N and an M×M matrix;
//! another M×M one if velocities are projected and the forces use them.
//! The [pattern](Mechanical::PATTERN) of G saves work in the projection only: Newton's matrix M − h ∂f/∂v − h² ∂f/∂q + … contains the
//! derivatives of the force, whose zeros a model does not declare, and its inverse couples all constraints. Both count as dense.
//! With more than one constraint it is the most expensive method per step: [which method when](crate#which-method-when).

use super::converged::{balanced, last_displacement};
use super::ending::Ending;
use super::error::StepError;
use super::finite::{finite, finite_numbers, solvable_or};
use super::judge::{Judge, is_projected, velocity_reached};
use super::linearised::{Linearised, Trial, linearise};
use super::report::Report;
use super::step::Step;
use super::{DEFAULT_ITERATIONS, iterations};
use crate::linalg::{FactorError, Lu, Matrix, Pivots, SymmetricFactors, Vector, product, product_of, subtract_product};
use crate::project::{Correction, Level};
use crate::scalar::Float;
use crate::start::{Carried, Precision, State, StepSize, Time, settle_velocity};
use crate::system::{Equations, Inertia, Mass, Mechanical};

/// Implicit Euler with `K` Newton iterations, the constraint at the level of `INDEX`.
///
/// ```
/// # use mechanisms::Pendulum;
/// use taut::method::{ImplicitEuler, Step};
/// use taut::start::{Clock, Start};
///
/// let pendulum = Pendulum::<f64>::standard();
/// let euler = ImplicitEuler::new();
/// let mut state = Start::at(&pendulum, Clock::with_step(1e-3)?, [1.0, 0.0]).at_rest()?;
/// euler.make_consistent(&pendulum, &mut state)?;
/// for _ in 0..100 {
///     let report = euler.step(&pendulum, &mut state)?;
///     assert!(report.position_residual[0].abs() < 1e-14);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ImplicitEuler<const INDEX: usize = 3, const PROJECT: bool = false, const K: usize = DEFAULT_ITERATIONS>;

impl ImplicitEuler {
    /// On the position level (index 3): g = 0 holds. Also the one to use for systems that are not mechanical.
    pub const fn new() -> Self {
        Self
    }
}

impl ImplicitEuler<2> {
    /// On the velocity level (index 2): G v + g_t = 0 holds, positions drift by O(h) per second.
    pub const fn velocity_level() -> Self {
        Self
    }
}

impl ImplicitEuler<1> {
    /// On the acceleration level (index 1): positions and velocities drift.
    pub const fn acceleration_level() -> Self {
        Self
    }
}

impl<const INDEX: usize, const PROJECT: bool, const K: usize> ImplicitEuler<INDEX, PROJECT, K> {
    /// Projects the velocity onto its constraint after each step. The report then gives λ + μ, the multipliers of the system.
    pub const fn projecting_velocities(self) -> ImplicitEuler<INDEX, true, K> {
        ImplicitEuler
    }

    /// Sets the number of Newton iterations; by default two in `f32`, six in `f64`.
    pub const fn iterations<const ITERATIONS: usize>(self) -> ImplicitEuler<INDEX, PROJECT, ITERATIONS> {
        ImplicitEuler
    }

    pub(super) const NAME: &'static str = match (INDEX, PROJECT) {
        (3, true) => "implicit_euler",
        (3, false) => "implicit_euler_positions",
        (2, false) => "implicit_euler_velocities",
        (2, true) => "implicit_euler_velocities_projected",
        (_, false) => "implicit_euler_accelerations",
        (_, true) => "implicit_euler_accelerations_projected",
    };
}

impl<System, T, const N: usize, const M: usize, F, P, const INDEX: usize, const PROJECT: bool, const K: usize>
    Step<System, State<T, N, M, F, P>> for ImplicitEuler<INDEX, PROJECT, K>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    type Report = Report<T, M>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        Self::NAME
    }

    #[inline]
    fn step(&self, system: &System, state: &mut State<T, N, M, F, P>) -> Result<Report<T, M>, StepError<T>> {
        let mut correction = Correction::workspace();
        let times = state.clock.times::<P>();
        let next = solve::<_, _, N, M, F, P, INDEX, PROJECT, true>(
            system,
            state,
            times,
            iterations::<T, K>(),
            &mut correction,
        )?;
        finite(&next, state.clock.tick)?;
        if INDEX == 2 {
            let tick = state.clock.tick;
            Judge::of(state).velocity(&next).map_err(|residual| StepError::NotConverged { tick, residual })?;
        } else if PROJECT {
            Judge::of(state).projected_velocity::<N, P, F>(&next)?;
        }
        state.advance::<System>(&next, &correction);
        Ok(next.report(&correction, next.second_half, iterations::<T, K>()))
    }

    /// Changes the velocity so that the multipliers of the next step are right (Arévalo, (3.2b) and (3.3)): projects it onto its
    /// constraint, then subtracts the part of the step's velocity change that lies along the gradients of the constraints. The velocity
    /// constraint then holds up to O(h).
    ///
    /// Call it after a start, or during a run after a change of the motion of the constraints, for example for a new target. A second call
    /// changes the velocity by O(h²), as much as the error of a step. If the position is off the new constraints, it returns [`StepError::Inconsistent`]: call
    /// [`resume`](crate::start::resume) first.
    ///
    /// Only the position level without projection of velocities needs it; otherwise it does nothing.
    fn make_consistent(&self, system: &System, state: &mut State<T, N, M, F, P>) -> Result<(), StepError<T>> {
        if INDEX != 3 || PROJECT {
            return Ok(());
        }
        let given = state.node.v;
        let made = make_velocity_consistent(system, state, iterations::<T, K>());
        if made.is_err() {
            state.node.v = given;
        }
        made
    }
}

/// Arévalo, (3.2b) and (3.3). On an error the velocity may have changed.
fn make_velocity_consistent<System, T, const N: usize, const M: usize, F, P>(
    system: &System,
    state: &mut State<T, N, M, F, P>,
    iterations: usize,
) -> Result<(), StepError<T>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    // The steps of this method leave the velocity off its constraint by O(h), and an error ε of it is an error ε/h of the multipliers.
    let (tick, [time, t_next]) = (state.clock.tick, [0, 1].map(|ahead| state.clock.time_after::<P>(ahead)));
    let node = &mut state.node;
    let q = node.q.rounded();
    let jacobian = system.jacobian(time.high, q);
    let residual = |v: &Vector<T, N>| system.velocity_residual(&jacobian, time.high, q, v);
    let v = node.v.rounded();
    if !is_projected::<_, N, M, P>(&residual(v), (&state.limits, state.limit), v) {
        // The second pass removes the round-off of the first.
        for _ in 0..2 {
            settle_velocity(system, time, &node.q, &mut node.v, &node.correction);
        }
        let v = node.v.rounded();
        velocity_reached(&residual(v), &state.limits, v, tick)?;
    }

    let mut correction = Correction::workspace();
    let next = solve::<_, _, N, M, F, P, 3, false, true>(system, state, [time, t_next], iterations, &mut correction)?;
    finite(&next, tick)?;
    let jacobian = system.jacobian(t_next.high, next.q.rounded());
    let along = product(&jacobian, &next.v.minus(&state.node.v));
    let multipliers = correction.multipliers::<System>(&along);
    let velocity = state.node.v.begin().shift(|v| correction.subtract::<System>(v, &multipliers)).finish();
    finite_numbers(Level::Velocity, velocity.rounded(), tick)?;
    state.node.v = velocity;
    Ok(())
}

/// Computes the end of a step, and the correction there. `FROM_NODE` says that the step begins on the constraints; BDF2 begins elsewhere.
#[inline(always)]
pub(super) fn solve<
    System,
    T,
    const N: usize,
    const M: usize,
    F,
    P,
    const INDEX: usize,
    const PROJECT: bool,
    const FROM_NODE: bool,
>(
    system: &System,
    state: &State<T, N, M, F, P>,
    times: [Time<T>; 2],
    iterations: usize,
    correction: &mut Correction<T, N, M, F>,
) -> Result<Ending<T, N, M, P>, StepError<T>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let StepSize { h, inverse, .. } = state.clock.size;
    let judge = Judge { iterates: INDEX == 3, ..Judge::at_once(state) };
    let (tick, node) = (state.clock.tick, &state.node);
    let t_next = times[1].high;
    // Drift by round-off is corrected in the positions at the end, and must not enter velocities and multipliers.
    let mut drift = Vector::zeros();
    let separates_drift = FROM_NODE && P::separates_drift(System::TIME_DEPENDENT);
    if FROM_NODE {
        let start_residual = P::start_residual(system, times[0], &node.q);
        judge.start(&start_residual)?;
        if separates_drift {
            drift = start_residual - node.last_residual.kept();
        }
    }

    let (q, v) = (node.q.rounded(), node.v.rounded());
    let mut approach = P::predict(system, times, &node.q, &node.v.begin(), h);
    let mut residual = approach.predicted_residual;
    let (mut change, mut last_step) = (Vector::zeros(), Vector::zeros());
    let mut multipliers = state.multipliers * (h * h);
    // (1.48) evaluates the force at the projected velocity; on the other levels the projection comes after the step.
    let projects_within = INDEX == 3 && PROJECT && System::VELOCITY_DEPENDENT;
    let mut projected = *v;
    for _ in 0..iterations {
        if projects_within {
            // Less than v by what the projection of the present velocity removes. Its derivative is left out: it is O(h), or along the
            // gradients, where the constraint determines the positions.
            let (place, rate) = (q + v * h + change, v + change * inverse);
            let jacobian = system.jacobian(t_next, &place);
            let inertia = judge.mass(system.inertia_at(t_next, &place), &place)?;
            let mut pivots = Pivots::none();
            let made = correction.update::<System>(&jacobian, &inertia, node.correction.rank(), &mut pivots);
            judge.constraints(made.and_then(|()| pivots.judge()), &place)?;
            let residual = system.velocity_residual(&jacobian, t_next, &place, &rate);
            projected = *v;
            correction.subtract::<System>(&mut projected, &correction.multipliers::<System>(&residual));
        }
        let force_velocity = if projects_within { &projected } else { v };
        let trial = Trial { t: t_next, h, inverse, q, v, force_velocity, change: &change, multipliers: &multipliers };
        let mut linearised = linearise::<System, T, N, M, INDEX>(system, &trial);
        if INDEX == 3 {
            linearised.constraint = residual - drift;
        }
        let (step, multiplier_step) = newton_step::<T, N, M, F>(&linearised, node.correction.rank())
            .map_err(|cause| solvable_or(StepError::Singular { tick, cause }, change, linearised.balance, tick))?;
        change -= step;
        approach.by(&-step);
        multipliers += multiplier_step;
        residual = approach.residual(system);
        last_step = step;
    }
    if separates_drift && INDEX == 3 {
        let multipliers = node.correction.multipliers::<System>(&drift);
        approach.shift(|x| node.correction.subtract::<System>(x, &multipliers));
        residual = approach.residual(system);
    }
    let q_next = approach.finish();
    let q = q_next.rounded();
    judge.position(&residual, q)?;

    let equations = system.equations(t_next, q);
    let inertia = judge.mass(system.mass().inertia(|| equations.mass_matrix()), q)?;
    let jacobian = equations.jacobian();
    // Off the constraint, redundant constraints look independent: keep the rank of the last node.
    let max_rank = if INDEX == 3 { M } else { node.correction.rank() };
    let mut pivots = Pivots::none();
    let made = correction.update::<System>(&jacobian, &inertia, max_rank, &mut pivots);
    judge.constraints(made.and_then(|()| pivots.judge()), q)?;
    // The residual d − h v_n − h² M⁻¹ f + M⁻¹ Gᵀ Λ after the last iteration.
    let end_velocity = v + change * inverse;
    let mut force_velocity = end_velocity;
    if projects_within {
        let residual = system.velocity_residual(&jacobian, t_next, q, &end_velocity);
        correction.subtract::<System>(&mut force_velocity, &correction.multipliers::<System>(&residual));
    }
    let force = equations.force(&force_velocity);
    let mut balance = change - inertia.acceleration(&force) * (h * h);
    subtract_product(&mut balance, &correction.directions, &(-multipliers));
    balanced(&balance, state.limit, tick).map_err(|error| solvable_or(error, *q, force, tick))?;
    last_displacement(&last_step, &end_velocity, q, h, tick)?;

    let mut velocity = node.v.begin().by(&(change * inverse));
    let mut multipliers = multipliers * (inverse * inverse);
    if PROJECT {
        let impulse =
            correction.multipliers::<System>(&system.velocity_residual(&jacobian, t_next, q, &velocity.here()));
        velocity = velocity.shift(|v| correction.subtract::<System>(v, &impulse));
        multipliers += impulse * inverse;
    }
    let v_next = velocity.finish();
    let change = || (jacobian, (v_next.rounded() - v) * inverse);
    multipliers = system.own_multipliers(multipliers, change, Some((t_next, q, &force_velocity)));
    if F::DECIDES_RANK {
        // The iterations may add to λ a part with Gᵀ λ = 0. Remove it: of all λ with the same Gᵀ λ, take the smallest.
        multipliers =
            correction.multipliers::<System>(&product(&jacobian, &product(&correction.directions, &multipliers)));
    }
    Ok(Ending {
        pivots,
        first_half: multipliers,
        second_half: multipliers,
        predicted_residual: approach.predicted_residual,
        position_residual: residual,
        velocity_residual: system.velocity_residual(&jacobian, t_next, q, v_next.rounded()),
        q: q_next,
        v: v_next,
    })
}

/// Solves A δd + Gᵀ δΛ = r₁, C δd = r₂ by the Schur complement C A⁻¹ Gᵀ. Returns δd, to be subtracted, and −δΛ, to be added.
#[inline(always)]
fn newton_step<T: Float, const N: usize, const M: usize, F: SymmetricFactors<T, M>>(
    equations: &Linearised<T, N, M>,
    rank: usize,
) -> Result<(Vector<T, N>, Vector<T, M>), FactorError<T>> {
    let factored = Lu::factor(equations.stiffness);
    // By reference: `?` would copy the factors.
    let stiffness = factored.as_ref().map_err(|cause| *cause)?;
    let mut step = stiffness.solve(equations.balance);
    let mut columns = Matrix::<T, N, M>::zeros();
    for column in 0..M {
        let mut gradient = Vector::<T, N>::zeros();
        for i in 0..N {
            gradient.data.0[0][i] = equations.jacobian.data.0[i][column];
        }
        columns.data.0[column] = stiffness.solve(gradient).data.0[0];
    }
    let schur = product_of(&equations.gradient, &columns);
    let missing = equations.constraint - product(&equations.gradient, &step);
    let multipliers = F::solve_general(schur, rank, missing)?;
    // δd = A⁻¹ r₁ + A⁻¹ Gᵀ (−δΛ).
    subtract_product(&mut step, &columns, &(-multipliers));
    Ok((step, multipliers))
}
