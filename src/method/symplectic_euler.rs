//! Symplectic Euler with projection, Hairer's V.(4.4)–(4.5), with velocities for momenta and constraints that may move:
//!
//! ```text
//!     v̂     = v_n + h M⁻¹ (f(t_n, q_n, v_n) − G(q_n)ᵀ λ)
//!     q_n₊₁ = q_n + h v̂,                  0 = g(t_n₊₁, q_n₊₁)
//!     v_n₊₁ = v̂ − h M⁻¹ G(q_n₊₁)ᵀ μ,      0 = G v_n₊₁ + g_t at n + 1
//! ```
//!
//! **Order** 1. λ holds all of the reaction to the applied force and half of the reaction to the curvature of the constraint, g_qq(v, v);
//! μ holds the other half. So the multiplier of the system is λ + μ, to order 1; the report gives this sum.
//!
//! **Preserves** both constraints. It is symplectic, but not symmetric. The energy oscillates with h.
//!
//! **Choose it** if one force evaluation a step is all you can afford. Otherwise choose [`Rattle`](super::Rattle), which has order 2.
//! The mass must be constant.
//!
//! **Cost**: one force evaluation, one Jacobian, one factorisation and a fixed number of Newton iterations.

use super::ending::Ending;
use super::error::StepError;
use super::judge::Judge;
use super::rattle::{Beginning, Reached, reach};
use super::report::Report;
use super::step::Step;
use super::{DEFAULT_ITERATIONS, reach_iterations};
use crate::linalg::entries::{each, pairs};
use crate::linalg::{Pivots, SymmetricFactors};
use crate::project::Correction;
use crate::scalar::Float;
use crate::start::{Precision, State, Time};
use crate::system::{ConstantMass, Inertia, Mass, Mechanical};

/// Symplectic Euler with `K` Newton iterations.
///
/// ```
/// # use mechanisms::Pendulum;
/// use taut::method::{Step, SymplecticEuler};
/// use taut::start::{Clock, Start};
///
/// let pendulum = Pendulum::<f64>::standard();
/// let euler = SymplecticEuler::new();
/// let mut state = Start::at(&pendulum, Clock::at_rate(1_000.0)?, [0.0, -1.0]).moving([0.1, 0.0])?;
/// let report = euler.step(&pendulum, &mut state)?;
/// // Near the bottom the rod carries the weight.
/// assert!((report.multipliers[0] - 9.81).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SymplecticEuler<const K: usize = DEFAULT_ITERATIONS>;

impl SymplecticEuler {
    /// With the [default number](DEFAULT_ITERATIONS) of Newton iterations.
    pub const fn new() -> Self {
        Self
    }
}

impl<const K: usize> SymplecticEuler<K> {
    /// Sets the number of Newton iterations.
    pub const fn iterations<const ITERATIONS: usize>(self) -> SymplecticEuler<ITERATIONS> {
        SymplecticEuler
    }
}

impl<System, T, const N: usize, const M: usize, F, P, const K: usize> Step<System, State<T, N, M, F, P>>
    for SymplecticEuler<K>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    type Report = Report<T, M>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        "symplectic_euler"
    }

    #[inline]
    fn step(&self, system: &System, state: &mut State<T, N, M, F, P>) -> Result<Report<T, M>, StepError<T>> {
        let (judge, size, times) = (Judge::of(state), state.clock.size, state.clock.times::<P>());
        let [Time { high: t, .. }, Time { high: t_next, .. }] = times;
        let (mut mass, node, iterations) = (system.mass(), &state.node, reach_iterations::<T, P, M, K>());
        let start = Beginning::of(system, times[0], &node.q);
        judge.start(&start.residual)?;

        // With massless parts, the mass has a part that varies.
        let (place, v) = (node.q.rounded(), node.v.rounded());
        judge.mass(system.mass().update(&mut mass, || system.mass_matrix_at(t, place)), place)?;
        // v̂ without the constraint forces, then q_n₊₁ on the constraint.
        let kick = mass.kick(&system.force(t, node.q.rounded(), node.v.rounded()), size.h);
        let kicked = node.v.begin().by(&kick);
        let Reached { q: q_next, impulse: displacement, predicted_residual, residual: position_residual } =
            reach(system, node, &start, &kicked, times, size.h, iterations);
        let q = q_next.rounded();
        judge.position(&position_residual, q)?;

        // v̂ itself, then v_n₊₁ on the velocity constraint, with the geometry at q_n₊₁.
        let mut ahead = Correction::workspace();
        let jacobian = system.jacobian(t_next, q);
        judge.mass(system.mass().update(&mut mass, || system.mass_matrix_at(t_next, q)), q)?;
        let mut pivots = Pivots::none();
        judge.constraints(ahead.update::<System>(&jacobian, &mass, M, &mut pivots), q)?;
        let velocity = kicked.shift(|v| node.correction.subtract::<System>(v, &size.velocity::<P, M>(displacement)));
        let impulse = ahead.multipliers::<System>(&system.velocity_residual(&jacobian, t_next, q, &velocity.here()));
        let v_next = velocity.shift(|v| ahead.subtract::<System>(v, &impulse)).finish();

        let inverse_square = size.inverse * size.inverse;
        let middle = velocity.here();
        let first_half = system.own_multipliers(
            each(&displacement, |c| c * inverse_square),
            || (system.jacobian(t, place), (middle - v) * size.inverse),
            Some((t, place, v)),
        );
        let both = pairs(&first_half, &impulse, |first, second| first + second * size.inverse);
        let change = || (jacobian, (v_next.rounded() - middle) * size.inverse);
        let ending = Ending {
            first_half,
            // λ + μ, the multiplier of the system.
            second_half: system.own_multipliers(both, change, None),
            predicted_residual,
            position_residual,
            velocity_residual: system.velocity_residual(&jacobian, t_next, q, v_next.rounded()),
            pivots,
            q: q_next,
            v: v_next,
        };
        if !judge.accepts(&start.residual, &ending, T::zero(), System::Mass::POSITIVE)
            && let Some(refused) = judge.refusal(&start.residual, &ending, T::zero())
        {
            return refused;
        }
        judge.projected_velocity::<N, P, F>(&ending)?;
        state.advance::<System>(&ending, &ahead);
        Ok(ending.report(&ahead, ending.second_half, iterations))
    }
}
