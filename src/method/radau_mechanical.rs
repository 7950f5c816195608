//! Radau IIA on mechanical systems: the stages on the velocity level.

use super::converged::{balanced, last_frozen_correction};
use super::error::StepError;
use super::finite::solvable_or;
use super::half_explicit::weighted;
use super::radau::RadauIia;
use super::report::Report;
use super::stages::{Stages, Sum};
use super::step::Step;
use crate::linalg::{Linear, SymmetricFactors, Vector, sum_of_products};
use crate::scalar::{Dual, Float};
use crate::start::{Precision, State, StepSize};
use crate::system::automatic::from_partials;
use crate::system::{Equations, Mass, Mechanical};

impl<System, T, const N: usize, const M: usize, F, P, const S: usize, const PROJECT: bool, const K: usize>
    Step<System, State<T, N, M, F, P>> for RadauIia<T, S, PROJECT, K>
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

    fn step(&self, system: &System, state: &mut State<T, N, M, F, P>) -> Result<Report<T, M>, StepError<T>> {
        let StepSize { h, half, .. } = state.clock.size;
        let tick = state.clock.tick;
        let mut stages = Stages::from(system, state, None);
        stages.begin(state)?;
        let (q, v) = (state.node.q.rounded(), state.node.v.rounded());

        // Derivatives in the middle of the step: there they differ least from those at the stages.
        let middle = q + v * half;
        let (equations, force) = linearise(system, (stages.after(half), &middle, v), h, &state.node.correction.factors);
        let factors = self
            .factor(&equations)
            .map_err(|cause| solvable_or(StepError::Singular { tick, cause }, middle, force, tick))?;

        // Unknowns: the changes of the velocities x_i = V_i − v, and the impulses h Λ_i.
        let mut changes = [Vector::<T, N>::zeros(); S];
        let mut impulses = [state.multipliers * h; S];
        let mut corrections = changes;
        // A stage by its node, its row and its own change, not by its index, which would be checked.
        let place = |changes: &[Vector<T, N>; S], (node, row): (T, &[T; S]), change: &Vector<T, N>, is_last: bool| {
            let t = if is_last { stages.end() } else { stages.after(node * h) };
            (t, q + v * (node * h) + weighted(row, changes) * h, v + change)
        };
        for _ in 0..Self::ITERATIONS {
            let mut missing = impulses;
            for i in 0..S {
                let (t, q, v) = place(&changes, (self.nodes[i], &self.rows[i]), &changes[i], i + 1 == S);
                let equations = system.equations(t, &q);
                let jacobian = equations.jacobian();
                let rate = weighted(&self.inverse[i], &changes);
                let mut balance = system.mass().times(|| equations.mass_matrix(), &rate) - equations.force(&v) * h;
                for k in 0..N {
                    balance.data.0[0][k] +=
                        sum_of_products::<T, M>(|row| (jacobian.data.0[k][row], impulses[i].data.0[0][row]));
                }
                corrections[i] = balance;
                missing[i] = system.velocity_residual(&jacobian, t, &q, &v);
            }
            factors.solve(&mut corrections, &mut missing);
            for i in 0..S {
                changes[i] -= corrections[i];
                impulses[i] -= missing[i];
            }
        }
        for (correction, change) in corrections.iter().zip(&changes) {
            last_frozen_correction(correction, &(v + change), 0, tick)
                .and(balanced(&(correction * h), state.limit, tick))
                .map_err(|error| solvable_or(error, middle, force, tick))?;
        }

        let last = (self.nodes[S - 1], &self.rows[S - 1]);
        let (t, q_last, v_last) = place(&changes, last, &changes[S - 1], true);
        let (_, multipliers) = stages.stage(system, state, (t, &q_last, &v_last))?;
        let beyond = weighted(&self.rows[S - 1], &changes) * h;
        // The last stage has the velocity of its own positions already: if these are not projected, it changes by round-off only.
        let sum = Sum { beyond, change: changes[S - 1], multipliers: [multipliers; 2] };
        let report = stages.project_end::<P, PROJECT, true>(system, state, sum)?;
        Ok(Report { iterations: Self::ITERATIONS as u16, ..report })
    }
}

/// The derivatives of M x' − h f + Gᵀ h Λ and of G V + g_t with respect to x', x and its integral; and f.
///
/// Left out are those of M and Gᵀ h Λ with respect to the positions. They are O(h²), less than what freezing the matrix changes.
fn linearise<System, T, F, const N: usize, const M: usize>(
    system: &System,
    (t, q, v): (T, &Vector<T, N>, &Vector<T, N>),
    h: T,
    independent: &F,
) -> (Linear<T, N, M>, Vector<T, N>)
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    let mut equations = Linear::zeros();
    let time = Dual::constant(t);
    let positions = Vector::from(Dual::<T, N>::variables(q.data.0[0]));
    let velocities = v.map(Dual::constant);
    let force = system.force(time, &positions, &velocities);
    equations.of_rates = system.mass_matrix_at(t, q);
    equations.of_integrals = from_partials(&force) * -(h * h);
    if System::VELOCITY_DEPENDENT {
        let variables = Vector::from(Dual::<T, N>::variables(v.data.0[0]));
        equations.of_stages = from_partials(&system.force(time, &q.map(Dual::constant), &variables)) * -h;
    }
    // G v + g_t is the derivative of g along (1, v).
    let along = positions.zip_map(&velocities, |q, v| Dual::<Dual<T, N>, 1, T>::new(q, [v]));
    let constraint = system.constraint(Dual::new(time, [Dual::constant(T::one())]), &along);
    equations.gradient = from_partials(&constraint.map(|g| g.value));
    equations.gradient_of_integrals = from_partials(&constraint.map(|g| g.partials[0])) * h;
    equations.coupling = equations.gradient.transpose();
    for row in 0..M {
        equations.independent[row] = independent.is_independent(row);
    }
    (equations, force.map(|f| f.value))
}
