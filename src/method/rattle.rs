//! RATTLE (Andersen 1983), in Hairer's form V.(5.2)–(5.3), with velocities for momenta and constraints that may move:
//!
//! ```text
//!     v½   = v_n + h/2 M⁻¹ (f(t_n, q_n, v_n) − G(q_n)ᵀ λ_n)
//!     q_n₊₁ = q_n + h v½,                      0 = g(t_n₊₁, q_n₊₁)
//!     v_n₊₁ = v½ + h/2 M⁻¹ (f(t_n₊₁, q_n₊₁, ṽ) − G(q_n₊₁)ᵀ μ_n),   0 = G v_n₊₁ + g_t at n + 1
//! ```
//!
//! where ṽ is v½ + h/2 M⁻¹ f(t_n₊₁, q_n₊₁, v½), projected onto the velocity constraint; a force that does not use the
//! velocity does not need it.
//!
//! Order 2, symmetric, symplectic; conserves linear and angular momentum; the energy oscillates with h² and does not drift.
//! With forces that use the velocity it keeps its order, but is neither symmetric nor symplectic. λ_n and μ_n are one-sided values of first order, their mean (μ_n₋₁ + λ_n)/2 at a node is of second
//! order, and that is what the report gives.
//!
//! Choose it for large steps, long runs and cheap force evaluations. At small steps a Runge–Kutta method with projection
//! is more accurate per instruction. Damping is explicit: a rate c of decay asks for h c < 2.
//!
//! The Newton iteration for λ_n uses the factors of G M⁻¹ Gᵀ at q_n, made for the velocity projection of the step before:
//! one factorisation a step. It contracts like O(h), so its number of iterations matters: too few drift.

use super::error::StepError;
use super::report::Report;
use super::size::{InvalidStep, StepSize};
use super::stage::{Settings, Stage, consistent, not_factorised, on_constraint, reach};
use super::{DEFAULT_ITERATIONS, iterations};
use crate::linalg::{Pivots, SymmetricFactors, Vector};
use crate::project::{Correction, FEW};
use crate::scalar::Float;
use crate::start::{Moving, Node, Precision, State, Time};
use crate::system::{ConstantMass, Inertia, Mechanical};

/// RATTLE with a fixed step and `K` Newton iterations.
///
/// ```
/// # use systems::Pendulum;
/// use taut::method::Rattle;
/// use taut::start::Start;
///
/// let pendulum = Pendulum { mass: 0.2_f64, length: 0.5, gravity: 9.81 };
/// let rattle = Rattle::at_rate(1_000.0)?;
/// let mut state = Start::at(&pendulum, [0.5, 0.0]).at_rest()?;
/// for _ in 0..1_000 {
///     let report = rattle.step(&pendulum, &mut state)?;
///     assert!(report.position_residual[0].abs() < 1e-15);
/// }
/// assert_eq!(state.tick(), 1_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The mass has to be constant; a system whose mass varies does not compile:
///
/// ```compile_fail,E0277
/// # use nalgebra::{matrix, vector};
/// # use taut::linalg::{Matrix, Vector};
/// # use taut::scalar::Real;
/// # use taut::start::Start;
/// # use taut::system::{Mechanical, Varying};
/// # struct Polar;
/// # impl Mechanical<2, 0> for Polar {
/// #     type Base = f64;
/// #     type Mass = Varying;
/// #     fn mass(&self) -> Varying {
/// #         Varying
/// #     }
/// #     fn mass_matrix<S: Real<Base = f64>>(&self, q: &Vector<S, 2>) -> Matrix<S, 2, 2> {
/// #         matrix![S::one(), S::zero(); S::zero(), q.x * q.x]
/// #     }
/// #     fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
/// #         Vector::zeros()
/// #     }
/// #     fn constraint<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>) -> Vector<S, 0> {
/// #         Vector::zeros()
/// #     }
/// # }
/// # let mut state = Start::at(&Polar, [1.0, 0.0]).at_rest().unwrap();
/// taut::method::Rattle::at_rate(1_000.0).unwrap().step(&Polar, &mut state);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Rattle<T, const K: usize = DEFAULT_ITERATIONS> {
    size: StepSize<T>,
}

impl<T: Float> Rattle<T> {
    /// Steps at this rate, in hertz.
    pub fn at_rate(rate: T) -> Result<Self, InvalidStep<T>> {
        Ok(Self::with_step(StepSize::at_rate(rate)?))
    }

    /// Steps of this size.
    pub fn with_step(size: StepSize<T>) -> Self {
        Self { size }
    }
}

impl<T: Float, const K: usize> Rattle<T, K> {
    /// Another number of Newton iterations than the default (two in `f32`, six in `f64`).
    ///
    /// In `f32` two are best at 1 kHz and above, where more only polish round-off. At large steps they are too few: a double
    /// pendulum at 100 Hz gains 1% of its energy in 1e5 steps with two, and nothing with four.
    pub fn iterations<const ITERATIONS: usize>(self) -> Rattle<T, ITERATIONS> {
        Rattle { size: self.size }
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
        System::Mass: ConstantMass<T, N>,
        F: SymmetricFactors<T, M>,
        P: Precision,
    {
        let tick = state.clock.tick;
        let times = [0, 1].map(|ahead| state.clock.time::<P>(ahead, self.size.h));
        let iterations = iterations::<T, K>();
        let settings = Settings { size: self.size, iterations, predictions: 1, tick };
        let anchor = P::anchor(system, times[0], &state.node.q);
        let (mut correction, limits) = (Correction::blank(), &state.limits);
        if M > FEW {
            consistent::<P, T, M>(&anchor, limits, tick)?;
        }
        let next = stage(system, &system.mass(), &state.node, &anchor, times, limits, settings, &mut correction)?;
        if M > FEW {
            next.check_finite(tick)?;
        } else if M < 2 {
            // A single constraint leaves registers enough for the numbers of an error.
            if !next.is_surely_sound::<System::Mass>(&anchor, &state.strictness) {
                consistent::<P, T, M>(&anchor, limits, tick)?;
                next.judge(limits, tick)?;
            }
        } else {
            // Where more digits are carried, comparisons with each limit would keep too many numbers at hand.
            let is_sound = P::CARRIES_MORE && next.is_surely_sound::<System::Mass>(&anchor, &state.strictness)
                || next.keeps_constraints(&anchor, limits) && next.finite_probe() == T::zero();
            if !is_sound {
                return Err(next.refusal(&anchor, limits, tick));
            }
        }
        next.check_velocity::<F>(limits, tick)?;

        let next = next.per_time_now(&self.size);
        let multipliers = state.node_multipliers(&next.first_half);
        state.advance::<System>(&next, &correction);
        Ok(next.report(&correction, multipliers, settings.iterations))
    }
}

/// One step of RATTLE from a node to the next, also as a stage of a composition. `correction` becomes that of the next node.
/// The multipliers of the result are impulses until it has been judged, in a state that carries more than its scalar does.
#[expect(clippy::too_many_arguments)]
#[inline(always)]
pub(super) fn stage<System, T, const N: usize, const M: usize, F, P>(
    system: &System,
    mass: &System::Mass,
    node: &Node<T, N, M, F, P>,
    anchor: &Vector<T, M>,
    times: [Time<T>; 2],
    limits: &Vector<T, M>,
    settings: Settings<T>,
    correction: &mut Correction<T, N, M, F>,
) -> Result<Stage<T, N, M, P>, StepError<T>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let Settings { size, iterations, predictions, tick } = settings;
    let [t, t_next] = times.map(|time| time.high);

    // First kick and the way to the constraint.
    let kick = mass.kick(&system.force(t, node.q.rounded(), node.v.rounded()), size.half);
    let velocity = node.v.depart().by(&kick);
    let reached = reach(system, node, anchor, &velocity, times, size.h, iterations);
    let q = reached.q.rounded();
    // A step of a system with few constraints is judged at its end and nowhere in between: code without branches stays in
    // registers. With more of them the numbers live in memory anyway, and a step that fails ends where it fails: angles that
    // have flown off would make all that follows take longer than a step that succeeds.
    if M > FEW {
        on_constraint(&reached.residual, limits, q, tick)?;
    }
    // The velocity from the multipliers, not from the displacement: times h and over h again, rounded each time, would
    // stretch it by the same factor in every step.
    let velocity = velocity.shift(|v| node.correction.move_back::<System>(v, &(reached.impulse * size.inverse)));

    // Second kick and the projection of the velocity.
    let jacobian = system.jacobian(t_next, q);
    let mut pivots = Pivots::none();
    correction
        .update_unjudged::<System>(&jacobian, mass, M, &mut pivots)
        .map_err(|cause| not_factorised(StepError::Singular { tick, cause }, *q, tick))?;
    let project =
        |velocity: &Vector<T, N>| correction.multipliers(&system.velocity_residual(&jacobian, t_next, q, velocity));
    let mut predicted = velocity.here();
    if System::VELOCITY_DEPENDENT {
        for _ in 0..predictions {
            predicted = velocity.here() + mass.kick(&system.force(t_next, q, &predicted), size.half);
            let impulse = project(&predicted);
            correction.move_back::<System>(&mut predicted, &impulse);
        }
    }
    let kick = mass.kick(&system.force(t_next, q, &predicted), size.half);
    let velocity = velocity.by(&kick);
    let impulse = project(&velocity.here());
    let v_next = velocity.shift(|v| correction.move_back::<System>(v, &impulse)).arrive();

    let next = Stage {
        first_half: reached.impulse,
        second_half: impulse,
        predicted_residual: reached.predicted_residual,
        position_residual: reached.residual,
        velocity_residual: system.velocity_residual(&jacobian, t_next, q, v_next.rounded()),
        pivots,
        q: reached.q,
        v: v_next,
    };
    // A state that carries more digits leaves no registers for the factors before it has been judged.
    Ok(if P::CARRIES_MORE { next } else { next.per_time(&size) })
}
