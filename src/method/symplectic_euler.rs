//! Symplectic Euler with projection, Hairer's V.(4.4)–(4.5), with velocities for momenta and constraints that may move:
//!
//! ```text
//!     v̂     = v_n + h M⁻¹ (f(t_n, q_n, v_n) − G(q_n)ᵀ λ)
//!     q_n₊₁ = q_n + h v̂,                  0 = g(t_n₊₁, q_n₊₁)
//!     v_n₊₁ = v̂ − h M⁻¹ G(q_n₊₁)ᵀ μ,      0 = G v_n₊₁ + g_t at n + 1
//! ```
//!
//! Order 1, symplectic, not symmetric. Neither λ nor μ is the physical multiplier (λ alone is about half of it); their sum
//! is, to order 1, and that is what the report gives.
//!
//! One force evaluation a step. Choose RATTLE unless that evaluation is what costs.

use super::error::StepError;
use super::report::Report;
use super::size::{InvalidStep, StepSize};
use super::stage::{Stage, consistent, not_factorised, reach};
use super::{DEFAULT_ITERATIONS, iterations};
use crate::linalg::{Pivots, SymmetricFactors};
use crate::project::Correction;
use crate::scalar::Float;
use crate::start::{Moving, Precision, State};
use crate::system::{ConstantMass, Inertia, Mechanical};

/// Symplectic Euler with a fixed step and `K` Newton iterations.
///
/// ```
/// # use systems::Pendulum;
/// use taut::method::SymplecticEuler;
/// use taut::start::Start;
///
/// let pendulum = Pendulum::<f64>::standard();
/// let euler = SymplecticEuler::at_rate(1_000.0)?;
/// let mut state = Start::at(&pendulum, [0.0, -1.0]).moving([0.1, 0.0])?;
/// let report = euler.step(&pendulum, &mut state)?;
/// // Near the bottom the rod carries the weight.
/// assert!((report.multipliers[0] - 9.81).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SymplecticEuler<T, const K: usize = DEFAULT_ITERATIONS> {
    size: StepSize<T>,
}

impl<T: Float> SymplecticEuler<T> {
    /// Steps at this rate, in hertz.
    pub fn at_rate(rate: T) -> Result<Self, InvalidStep<T>> {
        Ok(Self::with_step(StepSize::at_rate(rate)?))
    }

    /// Steps of this size.
    pub fn with_step(size: StepSize<T>) -> Self {
        Self { size }
    }
}

impl<T: Float, const K: usize> SymplecticEuler<T, K> {
    /// Another number of Newton iterations than the default (two in `f32`, six in `f64`).
    pub fn iterations<const ITERATIONS: usize>(self) -> SymplecticEuler<T, ITERATIONS> {
        SymplecticEuler { size: self.size }
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
        let size = self.size;
        let tick = state.clock.tick;
        let times = [0, 1].map(|ahead| state.clock.time::<P>(ahead, size.h));
        let [t, t_next] = times.map(|time| time.high);
        let mass = system.mass();
        let node = &state.node;
        let anchor = P::anchor(system, times[0], &node.q);

        let kick = mass.kick(&system.force(t, node.q.rounded(), node.v.rounded()), size.h);
        let velocity = node.v.depart().by(&kick);
        let reached = reach(system, node, &anchor, &velocity, times, size.h, iterations::<T, K>());
        let q = reached.q.rounded();
        let velocity = velocity.shift(|v| node.correction.move_back::<System>(v, &(reached.impulse * size.inverse)));

        let jacobian = system.jacobian(t_next, q);
        let mut correction = Correction::blank();
        let mut pivots = Pivots::none();
        correction
            .update_unjudged::<System>(&jacobian, &mass, M, &mut pivots)
            .map_err(|cause| not_factorised(StepError::Singular { tick, cause }, *q, tick))?;
        let residual = system.velocity_residual(&jacobian, t_next, q, &velocity.here());
        let impulse = correction.multipliers(&residual);
        let v_next = velocity.shift(|v| correction.move_back::<System>(v, &impulse)).arrive();

        let first_half = reached.impulse * (size.inverse * size.inverse);
        let next = Stage {
            first_half,
            // λ + μ, the physical multiplier.
            second_half: first_half + impulse * size.inverse,
            predicted_residual: reached.predicted_residual,
            position_residual: reached.residual,
            velocity_residual: system.velocity_residual(&jacobian, t_next, q, v_next.rounded()),
            pivots,
            q: reached.q,
            v: v_next,
        };
        consistent::<P, T, M>(&anchor, &state.limits, tick)?;
        next.judge(&state.limits, tick)?;
        next.check_velocity::<F>(&state.limits, tick)?;
        state.advance::<System>(&next, &correction);
        Ok(next.report(&correction, next.second_half, iterations::<T, K>()))
    }
}
