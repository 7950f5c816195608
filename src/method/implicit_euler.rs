//! Implicit Euler on the position level (index 3), the velocity level (index 2) or the acceleration level (index 1).
//!
//! ```text
//!     q_n₊₁ = q_n + h v_n₊₁,    M(q_n₊₁) (v_n₊₁ − v_n) = h f − h G(q_n₊₁)ᵀ λ_n₊₁,    and at n + 1
//!     index 3: g = 0        index 2: G v + g_t = 0        index 1: G v' + g_qq(v, v) + 2 g_qt v + g_tt = 0
//! ```
//!
//! solved by full Newton iterations with automatic derivatives of forces and constraints. Order 1 in positions, velocities
//! and multipliers; damps: a pendulum loses its energy. On the position level the constraint holds and velocities are off by
//! O(h); [`projecting_velocities`](ImplicitEuler::projecting_velocities) mends that, which is step by step the stabilised form
//! of Gear, Gupta and Leimkuhler. On the other levels the positions drift, and the limit of the start has to allow it.
//!
//! Choose it for stiff forces, or to reproduce what others compute; RATTLE and Runge–Kutta are more accurate everywhere else.
//!
//! The report gives the multipliers where the step **ends**. From exact initial values, those of the first step on the
//! position level are wrong by O(1): [`make_consistent`](ImplicitEuler::make_consistent) changes the velocity as the method
//! needs it (Arévalo, "numerically consistent initial values", (3.3)), and they are right from the first step.

use super::error::StepError;
use super::linearised::{Linearised, Trial, linearise};
use super::report::Report;
use super::size::{InvalidStep, StepSize};
use super::stage::{Stage, balanced, enter, not_factorised, not_reached};
use super::{DEFAULT_ITERATIONS, iterations};
use crate::linalg::{
    FactorError, GeneralFactors, Lu, Matrix, Pivots, SymmetricFactors, Vector, product, product_of, subtract_product,
};
use crate::project::{Correction, Level, within};
use crate::scalar::Float;
use crate::start::{Approach, Carried, Moving, Precision, State};
use crate::system::{Inertia, Mechanical};

/// Implicit Euler with a fixed step and `K` Newton iterations, the constraint at the level of `INDEX`.
///
/// ```
/// # use systems::Pendulum;
/// use taut::method::{ImplicitEuler, StepSize};
/// use taut::start::Start;
///
/// let pendulum = Pendulum::<f64>::standard();
/// let euler = ImplicitEuler::position_level(StepSize::seconds(1e-3)?).projecting_velocities();
/// let mut state = Start::at(&pendulum, [1.0, 0.0]).at_rest()?;
/// euler.make_consistent(&pendulum, &mut state)?;
/// for _ in 0..100 {
///     let report = euler.step(&pendulum, &mut state)?;
///     assert!(report.position_residual[0].abs() < 1e-14);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ImplicitEuler<T, const INDEX: usize = 3, const PROJECT: bool = false, const K: usize = DEFAULT_ITERATIONS> {
    size: StepSize<T>,
}

impl<T: Float> ImplicitEuler<T, 3> {
    /// On the position level (index 3): g = 0 holds.
    pub fn position_level(size: StepSize<T>) -> Self {
        Self { size }
    }

    /// On the position level at this rate, in hertz.
    pub fn at_rate(rate: T) -> Result<Self, InvalidStep<T>> {
        Ok(Self { size: StepSize::at_rate(rate)? })
    }
}

impl<T: Float> ImplicitEuler<T, 2> {
    /// On the velocity level (index 2): G v + g_t = 0 holds, positions drift by O(h) in a unit of time.
    pub fn velocity_level(size: StepSize<T>) -> Self {
        Self { size }
    }
}

impl<T: Float> ImplicitEuler<T, 1> {
    /// On the acceleration level (index 1): positions and velocities drift.
    pub fn acceleration_level(size: StepSize<T>) -> Self {
        Self { size }
    }
}

impl<T: Float, const INDEX: usize, const PROJECT: bool, const K: usize> ImplicitEuler<T, INDEX, PROJECT, K> {
    /// Projects the velocity onto its constraint after each step; the multipliers reported are then λ + μ, the physical ones.
    pub fn projecting_velocities(self) -> ImplicitEuler<T, INDEX, true, K> {
        ImplicitEuler { size: self.size }
    }

    /// Another number of Newton iterations than the default (two in `f32`, six in `f64`).
    pub fn iterations<const ITERATIONS: usize>(self) -> ImplicitEuler<T, INDEX, PROJECT, ITERATIONS> {
        ImplicitEuler { size: self.size }
    }

    /// The step size.
    pub fn step_size(&self) -> T {
        self.size.get()
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
        let mut correction = Correction::blank();
        let next = self.solve(system, state, &mut correction)?;
        next.check_finite(state.clock.tick)?;
        if INDEX == 2 {
            // What the iterations are to meet here, and the residual that they are judged by.
            next.velocity_within(&state.limits, state.clock.tick)?;
        } else if PROJECT {
            next.check_velocity::<F>(&state.limits, state.clock.tick)?;
        }
        state.advance::<System>(&next, &correction);
        Ok(next.report(&correction, next.second_half, iterations::<T, K>()))
    }

    /// Changes the velocity of a state so that the multipliers of the next step are right: by the part of the step's change of
    /// velocity that lies along the constraints' gradients (Arévalo, (3.2b) and (3.3)). To be called after a start, a restart
    /// or a change of the constraints, and only for the position level without projection of velocities, where it matters.
    /// The velocity constraint then holds up to O(h).
    ///
    /// It asks for a velocity that satisfies its constraint, which a start leaves behind and a step of this method does not: in
    /// mid-run, as for a new target, [`resume`](crate::start::resume) comes first.
    pub fn make_consistent<System, const N: usize, const M: usize, F, P>(
        &self,
        system: &System,
        state: &mut State<T, N, M, F, P>,
    ) -> Result<(), StepError<T>>
    where
        System: Mechanical<N, M, Base = T>,
        F: SymmetricFactors<T, M>,
        P: Precision,
    {
        let mut correction = Correction::blank();
        let next = self.solve(system, state, &mut correction)?;
        next.check_finite(state.clock.tick)?;
        let t = state.clock.time::<P>(1, self.size.h).high;
        let jacobian = system.jacobian(t, next.q.rounded());
        let along = product(&jacobian, &next.v.minus(&state.node.v));
        let multipliers = correction.multipliers(&along);
        let velocity = state.node.v.depart().shift(|v| correction.move_back::<System>(v, &multipliers)).arrive();
        if let Some(index) = velocity.rounded().iter().position(|x| !x.is_finite()) {
            return Err(StepError::NonFinite { tick: state.clock.tick, level: Level::Velocity, index });
        }
        state.node.v = velocity;
        Ok(())
    }

    /// The end of a step, and the correction there.
    #[inline(always)]
    fn solve<System, const N: usize, const M: usize, F, P>(
        &self,
        system: &System,
        state: &State<T, N, M, F, P>,
        correction: &mut Correction<T, N, M, F>,
    ) -> Result<Stage<T, N, M, P>, StepError<T>>
    where
        System: Mechanical<N, M, Base = T>,
        F: SymmetricFactors<T, M>,
        P: Precision,
    {
        let StepSize { h, inverse, .. } = self.size;
        let (tick, node) = (state.clock.tick, &state.node);
        let times = [0, 1].map(|ahead| state.clock.time::<P>(ahead, h));
        let t_next = times[1].high;
        let anchor = enter(system, node, times[0], &state.limits, tick)?;

        let (q, v) = (node.q.rounded(), node.v.rounded());
        let (mut approach, predicted_residual) =
            P::Approach::<T, N, M>::along(system, times, &node.q, &node.v.depart(), h);
        let mut residual = predicted_residual;
        // What the positions have come off by round-off moves them back at the end, but no velocities and multipliers.
        let drift =
            if P::separates_drift(System::TIME_DEPENDENT) { anchor - node.leftover.kept() } else { Vector::zeros() };
        let mut change = Vector::zeros();
        let mut multipliers = state.multipliers * (h * h);
        for _ in 0..iterations::<T, K>() {
            let trial = Trial { t: t_next, h, inverse, q, v, change: &change, multipliers: &multipliers };
            let mut linearised = linearise::<System, T, N, M, INDEX>(system, &trial);
            if INDEX == 3 {
                linearised.constraint = residual - drift;
            }
            let (step, multiplier_step) = newton_step::<T, N, M, F>(&linearised, node.correction.rank())
                .map_err(|cause| not_solved(cause, change, linearised.balance, tick))?;
            change -= step;
            approach.by(&-step);
            multipliers += multiplier_step;
            residual = approach.residual(system);
        }
        if P::separates_drift(System::TIME_DEPENDENT) && INDEX == 3 {
            let multipliers = node.correction.multipliers(&drift);
            approach.shift(|x| node.correction.move_back::<System>(x, &multipliers));
            residual = approach.residual(system);
        }
        let q_next = approach.arrive();
        let q = q_next.rounded();
        within(Level::Position, &residual, &state.limits).map_err(|r| not_reached(r, *q, tick))?;

        let inertia = system.inertia(q).map_err(|cause| not_factorised(StepError::Mass { tick, cause }, *q, tick))?;
        let jacobian = system.jacobian(t_next, q);
        // Where positions drift, constraints that depend on each other where they hold do not quite do so.
        let most = if INDEX == 3 { M } else { node.correction.rank() };
        correction
            .update(&jacobian, &inertia, most)
            .map_err(|cause| not_factorised(StepError::Singular { tick, cause }, *q, tick))?;
        // d − h v_n − h² M⁻¹ f + M⁻¹ Gᵀ Λ, as the iterations have left it.
        let force = system.force(t_next, q, &(v + change * inverse));
        let mut balance = change - inertia.acceleration(&force) * (h * h);
        subtract_product(&mut balance, &correction.directions, &(-multipliers));
        balanced(&balance, state.limit, tick).map_err(|error| not_finite(error, *q, &force, tick))?;

        let mut velocity = node.v.depart().by(&(change * inverse));
        let mut multipliers = multipliers * (inverse * inverse);
        if PROJECT {
            let impulse = correction.multipliers(&system.velocity_residual(&jacobian, t_next, q, &velocity.here()));
            velocity = velocity.shift(|v| correction.move_back::<System>(v, &impulse));
            multipliers += impulse * inverse;
        }
        if F::DECIDES_RANK {
            // The iterations leave in λ what the gradients of this node do not see; of all with this Gᵀ λ, the smallest.
            multipliers = correction.multipliers(&product(&jacobian, &product(&correction.directions, &multipliers)));
        }
        let v_next = velocity.arrive();
        Ok(Stage {
            pivots: Pivots::accepted(correction.smallest_pivot()),
            first_half: multipliers,
            second_half: multipliers,
            predicted_residual,
            position_residual: residual,
            velocity_residual: system.velocity_residual(&jacobian, t_next, q, v_next.rounded()),
            q: q_next,
            v: v_next,
        })
    }
}

/// Why Newton's matrix could not be factorised: the iterations have left the numbers, a force is none, or it is singular.
#[cold]
fn not_solved<T: Float, const N: usize>(
    cause: FactorError<T>,
    displacement: Vector<T, N>,
    balance: Vector<T, N>,
    tick: u64,
) -> StepError<T> {
    not_finite(StepError::Singular { tick, cause }, displacement, &balance, tick)
}

/// The iterations have left the numbers, a force is none, or else `error`.
#[cold]
fn not_finite<T: Float, const N: usize>(
    error: StepError<T>,
    positions: Vector<T, N>,
    forces: &Vector<T, N>,
    tick: u64,
) -> StepError<T> {
    let error = match forces.iter().position(|x| !x.is_finite()) {
        Some(index) => StepError::NonFinite { tick, level: Level::Velocity, index },
        None => error,
    };
    not_factorised(error, positions, tick)
}

/// Solves A δd + Gᵀ δΛ = r₁, C δd = r₂ by the Schur complement C A⁻¹ Gᵀ; returns δd, and δΛ with the sign that adds.
#[inline(always)]
fn newton_step<T: Float, const N: usize, const M: usize, F: SymmetricFactors<T, M>>(
    equations: &Linearised<T, N, M>,
    rank: usize,
) -> Result<(Vector<T, N>, Vector<T, M>), FactorError<T>> {
    let stiffness = Lu::factor(equations.stiffness)?;
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
    let multipliers = F::General::factor(schur, rank)?.solve(missing);
    // δd = A⁻¹ r₁ + A⁻¹ Gᵀ δΛ.
    subtract_product(&mut step, &columns, &(-multipliers));
    Ok((step, multipliers))
}
