//! Radau IIA on the general index-3 form p' = U(t, q), q' = F(t, p, q) + G(t, p, q) Λ, 0 = R(t, p): the stages on the velocity level.
//!
//! ```text
//!     P_i = p_n + h Σ a_ij U(t_j, Q_j),    Σ w_ij (Q_j − q_n) = h F(t_i, P_i, Q_i) + G(t_i, P_i, Q_i) h Λ_i,    R_p U + R_t = 0 at i
//! ```
//!
//! The end is the last stage, p projected along R_pᵀ and q along G, as by the start. With R = 0 at the stages instead, q and Λ would lose
//! orders. The step is refused if R_p U_q G changes by more than half of itself; see implicit Euler on this form.

use super::converged::{balanced, last_frozen_correction, solved};
use super::error::StepError;
use super::finite::finite_numbers;
use super::half_explicit::weighted;
use super::implicit_euler_general::{change, not_solved};
use super::judge::inconsistent;
use super::radau::RadauIia;
use super::step::Step;
use crate::linalg::{FactorError, Linear, Lu, Matrix, Vector, product};
use crate::project::{Level, within};
use crate::scalar::{Dual, Float, Real};
use crate::start::{IndexThreeState, Precision, StartError, StepSize};
use crate::system::IndexThree;
use crate::system::automatic::from_partials;

/// The report is the multipliers Λ at the end of the step, from the second derivative of the constraint: of order 2s − 1.
impl<System, T, const P: usize, const Q: usize, const C: usize, D, const S: usize, const PROJECT: bool, const K: usize>
    Step<System, IndexThreeState<T, P, Q, C, D>> for RadauIia<T, S, PROJECT, K>
where
    T: Float,
    System: IndexThree<P, Q, C, Base = T>,
    D: Precision,
{
    type Report = Vector<T, C>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn step(&self, system: &System, state: &mut IndexThreeState<T, P, Q, C, D>) -> Result<Vector<T, C>, StepError<T>> {
        let StepSize { h, half, .. } = state.clock.size;
        let tick = state.clock.tick;
        let [t_start, t_end] = [0, 1].map(|ahead| state.clock.time_after::<D>(ahead).high);
        let (p_start, q_start) = (state.position(), state.velocity());
        let singular = |cause: FactorError<T>| StepError::Singular { tick, cause };
        let limits = Vector::<T, C>::repeat(state.limit);
        within(Level::Position, &system.constraint(t_start, p_start), &limits)
            .map_err(|residual| inconsistent(residual, tick))?;
        let first_matrix = Lu::factor(system.multiplier_matrix(t_start, p_start, q_start)).map_err(singular)?;

        let middle = p_start + system.rate(t_start, q_start) * half;
        let (equations, force) = linearise(system, (t_start + half, &middle, q_start), h);
        let factors = self.factor(&equations).map_err(|cause| not_solved(cause, *q_start, force, tick))?;
        // Unknowns: the changes of the velocities Q_i − q_n, and the impulses h Λ_i.
        let mut changes = [Vector::<T, Q>::zeros(); S];
        let mut impulses = [state.multipliers * h; S];
        let mut corrections = changes;
        let time = |i: usize| if i + 1 == S { t_end } else { t_start + self.nodes[i] * h };
        let rates = |changes: &[Vector<T, Q>; S]| {
            let mut rates = [Vector::<T, P>::zeros(); S];
            for i in 0..S {
                rates[i] = system.rate(time(i), &(q_start + changes[i]));
            }
            rates
        };
        for _ in 0..Self::ITERATIONS {
            let (rates, mut missing) = (rates(&changes), impulses);
            for i in 0..S {
                let (t, q) = (time(i), q_start + changes[i]);
                let p = p_start + weighted(&self.rows[i], &rates) * h;
                corrections[i] = weighted(&self.inverse[i], &changes)
                    - system.force(t, &p, &q) * h
                    - product(&system.coupling(t, &p, &q), &impulses[i]);
                missing[i] = hidden(system, t, &p, &rates[i]);
            }
            factors.solve(&mut corrections, &mut missing);
            for i in 0..S {
                changes[i] -= corrections[i];
                impulses[i] -= missing[i];
            }
        }

        let mut next = *state;
        next.p = state.p.begin().by(&(weighted(&self.rows[S - 1], &rates(&changes)) * h)).finish();
        next.q = state.q.begin().by(&changes[S - 1]).finish();
        finite_numbers(Level::Position, next.position(), tick)?;
        finite_numbers(Level::Velocity, next.velocity(), tick)?;
        for correction in &corrections {
            last_frozen_correction(correction, next.velocity(), 0, tick)?;
            balanced(&(correction * h), state.limit, tick)?;
        }
        next.clock.advance_in_period();
        let matrix = system.multiplier_matrix(t_end, next.position(), next.velocity());
        let (measure, limit) = (change(&first_matrix, &matrix), T::from_f64(0.5));
        if !(measure <= limit) {
            return Err(StepError::SingularWithin { tick, measure, limit });
        }
        let failed = |error| match error {
            StartError::Constraints(cause) => StepError::Singular { tick, cause },
            _ => StepError::NonFinite { tick, level: Level::Multiplier, index: 0 },
        };
        if PROJECT {
            next.settle(system, &Lu::factor(matrix).map_err(singular)?).map_err(failed)?;
        }
        finite_numbers(Level::Position, next.position(), tick)?;
        finite_numbers(Level::Velocity, next.velocity(), tick)?;
        solved(Level::Position, &system.constraint(t_end, next.position()), &limits, tick)?;
        next.multipliers = next.multipliers(system).map_err(failed)?;
        *state = next;
        Ok(state.multipliers)
    }
}

/// R_p u + R_t: the derivative of R along (1, u).
fn hidden<System, N: Real<Base = T>, T: Float, const P: usize, const Q: usize, const C: usize>(
    system: &System,
    t: N,
    p: &Vector<N, P>,
    rate: &Vector<N, P>,
) -> Vector<N, C>
where
    System: IndexThree<P, Q, C, Base = T>,
{
    let along = p.zip_map(rate, |p, u| Dual::<N, 1, T>::new(p, [u]));
    system.constraint(Dual::new(t, [N::one()]), &along).map(|r| r.partials[0])
}

/// The derivatives of x' − h F − G h Λ and of R_p U + R_t with respect to x', x and its integral; and F. Left out are those of G h Λ: they
/// are O(h), as much as freezing the matrix changes.
fn linearise<System: IndexThree<P, Q, C, Base = T>, T: Float, const P: usize, const Q: usize, const C: usize>(
    system: &System,
    (t, p, q): (T, &Vector<T, P>, &Vector<T, Q>),
    h: T,
) -> (Linear<T, Q, C>, Vector<T, Q>) {
    let mut equations = Linear::zeros();
    let time = Dual::<T, Q>::constant(t);
    let q_moving = Vector::from(Dual::<T, Q>::variables(q.data.0[0]));
    let (p_fixed, q_fixed) = (p.map(Dual::constant), q.map(Dual::constant));
    let rate = system.rate(time, &q_moving);
    let p_moving = p.zip_map(&rate, |p, u| Dual::<T, Q>::new(p, u.partials));
    let force = system.force(time, &p_fixed, &q_moving);
    equations.of_rates = Matrix::identity();
    equations.of_stages = from_partials(&force) * -h;
    equations.of_integrals = from_partials(&system.force(time, &p_moving, &q_fixed)) * -(h * h);
    equations.coupling = -system.coupling(t, p, q);
    equations.gradient = from_partials(&hidden(system, time, &p_fixed, &rate));
    let rate_fixed = rate.map(|u| Dual::constant(u.value));
    equations.gradient_of_integrals = from_partials(&hidden(system, time, &p_moving, &rate_fixed)) * h;
    (equations, force.map(|f| f.value))
}
