//! Runge–Kutta of order 4 with projection for serial mechanisms: the formulas of [`runge_kutta`](super::runge_kutta), in linear time and
//! memory.
//!
//! A second file for the same reason as [`serial_rattle`](super::serial_rattle): there are no matrices. A stage is one pass forward,
//! which evaluates and factorises, and one backward, which projects the free accelerations onto G a + g_qq(v, v) = 0.
//!
//! **Cost**: four stages and an end, each with one evaluation of G and one factorisation along the mechanism.

use super::error::StepError;
use super::runge_kutta::RungeKutta4;
use super::serial_judge::SerialJudge;
use super::serial_rattle::unwind;
use super::serial_report::SerialReport;
use super::step::Step;
use crate::linalg::Vector;
use crate::linalg::blocks::{add_scaled, sum};
use crate::project::serial::{Element, Grounds, Rows, Side};
use crate::scalar::{Float, Jet};
use crate::start::{SerialState, StepSize};
use crate::system::Serial;
use crate::system::serial::{acceleration_terms, before_joint, uniform_motion};

impl<System, T, const N: usize, const D: usize, const E: usize> Step<System, SerialState<T, N, D, E>> for RungeKutta4<T>
where
    T: Float,
    System: Serial<N, D, E, Base = T>,
{
    type Report = SerialReport<T, N, E>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        "runge_kutta_4"
    }

    #[inline]
    fn step(
        &self,
        system: &System,
        state: &mut SerialState<T, N, D, E>,
    ) -> Result<SerialReport<T, N, E>, StepError<T>> {
        let StepSize { h, half, .. } = state.clock.size;
        let [t, t_next] = state.clock.plain_times();
        let (here, ahead, rows) = (state.side, state.side.other(), &mut state.rows);
        let judge = SerialJudge::<T, N, D, E>::of(&state.clock, here);
        judge.start(system, rows, t, rows.squares(here, system, &Grounds::at(system, t)))?;

        // With q' = v the positions need only sums of accelerations, which the velocities need as well.
        let mut stage = Stage { system, judge: &judge, ahead, motions: [[Vector::zeros(); 2]; N] };
        // a₁ + a₂ + a₃, and a₂ + a₃.
        let (mut first_three, mut middle) = ([Vector::zeros(); N], [Vector::zeros(); N]);
        stage.accelerate(rows, t, |from, _| [from.q, from.v])?;
        rows.keep_multipliers::<System>(ahead);
        for i in 0..N {
            first_three[i] = rows.elements[i].at(ahead).v;
        }
        let t_half = t + half;
        // q₂ = q + h/2 v, v₂ = v + h/2 a₁.
        stage
            .accelerate(rows, t_half, |from, a| [add_scaled(&from.q, &from.v, half), add_scaled(&from.v, &a, half)])?;
        for i in 0..N {
            let a2 = rows.elements[i].at(ahead).v;
            // q₃ = q + h/2 v₂ needs a₁, which is still the sum.
            stage.motions[i][0] = add_scaled(&stage.motions[i][0], &first_three[i], half * half);
            first_three[i] = sum(&first_three[i], &a2);
            middle[i] = a2;
        }
        // v₃ = v + h/2 a₂.
        let third = stage.motions.map(|[q, _]| q);
        stage.accelerate_at(rows, t_half, |i, from, a| [third[i], add_scaled(&from.v, &a, half)])?;
        for i in 0..N {
            let a3 = rows.elements[i].at(ahead).v;
            first_three[i] = sum(&first_three[i], &a3);
            middle[i] = sum(&middle[i], &a3);
        }
        // q₄ = q + h v₃, v₄ = v + h a₃.
        let fourth = stage.motions.map(|[_, v]| v);
        stage.accelerate_at(rows, t_next, |i, from, a| {
            [add_scaled(&from.q, &fourth[i], h), add_scaled(&from.v, &a, h)]
        })?;

        // v₁ + 2 v₂ + 2 v₃ + v₄ = 6 v + h (a₁ + a₂ + a₃).
        let sixth = half * T::from_f64(1.0 / 3.0);
        for (i, row) in rows.elements.iter_mut().enumerate() {
            let (from, to) = row.from(here);
            let change = sum(&sum(&first_three[i], &middle[i]), &to.v);
            to.q = add_scaled(&add_scaled(&from.q, &from.v, h), &first_three[i], h * sixth);
            to.v = add_scaled(&from.v, &change, sixth);
        }

        // Project positions along the gradients of the last stage, which differ by O(h²) from those here.
        let grounds = Grounds::at(system, t_next);
        for _ in 0..T::POLISHING_ITERATIONS {
            rows.forward::<System>(ahead, |rows, joint| rows.position_residual(ahead, system, &grounds, joint));
            rows.correct::<System>(ahead);
        }
        for row in &mut rows.elements {
            let (from, to) = row.from(here);
            unwind::<System, T, N, D, E>(from, to);
        }
        // Project velocities, with the geometry that the next step begins with.
        let sums = rows.factorise(ahead, system, &grounds, |_| Vector::repeat(-T::zero()));
        judge.end(system, rows, &grounds, sums, false)?;
        let velocity = rows.project::<System>(ahead, &grounds, false);
        judge.velocity::<System>(rows, &grounds, velocity, false)?;

        state.advance(T::one());
        Ok(SerialReport::of(system, state, &grounds, T::POLISHING_ITERATIONS, |[_, here]| here.impulse))
    }
}

/// The stages of a step, evaluated in the node ahead.
struct Stage<'a, System, T, const N: usize, const D: usize, const E: usize> {
    system: &'a System,
    judge: &'a SerialJudge<'a, T, N, D, E>,
    ahead: Side,
    /// Position and velocity of each element at the present stage.
    motions: [[Vector<T, D>; 2]; N],
}

impl<System, T, const N: usize, const D: usize, const E: usize> Stage<'_, System, T, N, D, E>
where
    T: Float,
    System: Serial<N, D, E, Base = T>,
{
    /// As [`accelerate_at`](Self::accelerate_at), where the motion does not depend on the number of the element.
    #[inline(always)]
    fn accelerate(
        &mut self,
        rows: &mut Rows<T, N, D, E>,
        t: T,
        motion: impl Fn(&Element<T, D, E>, Vector<T, D>) -> [Vector<T, D>; 2],
    ) -> Result<(), StepError<T>> {
        self.accelerate_at(rows, t, |_, from, acceleration| motion(from, acceleration))
    }

    /// Accelerations and multipliers at a stage: M a = f − Gᵀ λ, G a + g_qq(v, v) + … = 0. `motion` gives position and velocity there, from
    /// the element where the step began and the acceleration of the stage before. The accelerations become the velocities ahead.
    #[inline(always)]
    fn accelerate_at(
        &mut self,
        rows: &mut Rows<T, N, D, E>,
        t: T,
        motion: impl Fn(usize, &Element<T, D, E>, Vector<T, D>) -> [Vector<T, D>; 2],
    ) -> Result<(), StepError<T>> {
        for (i, (row, place)) in rows.elements.iter_mut().zip(&mut self.motions).enumerate() {
            let inverse_masses = row.inverse_masses;
            let (from, to) = row.from(self.ahead.other());
            let [q, v] = motion(i, from, to.v);
            (to.q, to.v) = (q, self.system.free_acceleration(i, t, &q, &v, &inverse_masses));
            *place = [q, v];
        }
        // The acceleration of the ground is part of the second derivative of the constraint.
        let Grounds { near: [near, _], far: [far, _] } = Grounds::at(self.system, t);
        let grounds = Grounds { near: [near, Vector::zeros()], far: [far, Vector::zeros()] };
        let (system, motions) = (self.system, &self.motions);
        let moving = |i: Option<usize>| i.and_then(|i| motions.get(i)).map(|[q, v]| uniform_motion(q, v));
        let sums = rows.factorise(self.ahead, system, &grounds, |joint| {
            let before =
                moving(before_joint::<System, N, D, E>(joint)).unwrap_or_else(|| system.ground(Jet::variable(t)));
            let behind = moving(Some(joint)).unwrap_or_else(|| system.far_ground(Jet::variable(t)));
            acceleration_terms(system, joint, &before, &behind)
        });
        self.judge.stage::<System>(rows, sums)?;
        rows.project::<System>(self.ahead, &grounds, true);
        Ok(())
    }
}
