//! RATTLE for serial mechanisms: the formulas of [`rattle`](super::rattle), in linear time and memory.
//!
//! A second file, because nothing here is a matrix: positions, velocities and blocks of G stand element by element, and a stage of the
//! formulas is a pass along the mechanism. A pass does all that can be done with an element while it is in registers:
//!
//! ```text
//!     forward    v½ without λ, q + h v½, g there and at q_n                          predict
//!     backward   q ← q − W Gᵀ ν, then forward g again, for all iterations but one    correct
//!     backward   the last ν, v½, q_n₊₁ = q_n + h v½, and the second kick             land
//!     forward    g, G and the factors at q_n₊₁, G v                                  SerialNode::factorise
//!     backward   v_n₊₁ with G v_n₊₁ = 0, μ_n                                         SerialNode::project
//! ```
//!
//! **Cost**: linear in the number of elements. Each iteration is one pass forward and one backward.

use super::error::StepError;
use super::iterations;
use super::rattle::Rattle;
use super::serial_judge::SerialJudge;
use super::serial_report::SerialReport;
use super::step::Step;
use crate::linalg::Vector;
use crate::linalg::blocks::{add_scaled, dot, scaled, subtract_weighted, sum};
use crate::project::serial::{Behind, Element, Grounds, Link, Links, SerialNode};
use crate::scalar::Float;
use crate::start::{Coordinates, Plain, SerialState, StepSize};
use crate::system::Serial;

impl<System, T, const N: usize, const D: usize, const E: usize, const K: usize> Step<System, SerialState<T, N, D, E>>
    for Rattle<K>
where
    T: Float,
    System: Serial<N, D, E, Base = T>,
{
    type Report = SerialReport<T, N, E>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        "rattle"
    }

    #[inline]
    fn step(
        &self,
        system: &System,
        state: &mut SerialState<T, N, D, E>,
    ) -> Result<SerialReport<T, N, E>, StepError<T>> {
        let judge = SerialJudge::<T, N, D, E>::of(state);
        let [t, t_next] = state.clock.plain_times();
        let size = state.clock.size;
        let iterations = iterations::<T, K>();
        let (links, here, ahead) = state.parts();
        let pass = Pass { system, links, size };
        let grounds = Grounds::at(system, t_next);

        let start = pass.predict(here, ahead, [t, t_next]);
        judge.start(system, links, here, t, start)?;
        for k in 1..iterations {
            pass.correct(here, ahead, &grounds, k == 1);
        }
        let probe = pass.land(here, ahead, t_next, iterations > 1);

        let mut half = [Vector::zeros(); N];
        if System::VELOCITY_DEPENDENT {
            pass.kick_again(ahead, &mut half, t_next);
        }
        let mut sums = ahead.factorise(system, links, &grounds, |_| Vector::repeat(-T::zero()));
        sums.probe += probe;
        judge.end(system, links, &grounds, ahead, sums)?;
        if System::VELOCITY_DEPENDENT {
            // So far the velocities are ṽ before its projection.
            ahead.project::<System>(links, &grounds, T::one());
            pass.kick_from(ahead, &half, t_next);
            ahead.forward::<System>(|node, joint| node.velocity_residual::<System>(&grounds, joint));
        }
        let velocity = ahead.project::<System>(links, &grounds, size.twice_inverse);
        judge.velocity::<System>(links, &grounds, ahead, velocity)?;

        let weight = state.clock.next_multipliers_weight;
        state.advance();
        // The mean of both one-sided values at the node where the step began; after a start, those of the acceleration level.
        Ok(SerialReport::of(system, state, &grounds, iterations, |before, here, joint| {
            let (ended, begun) =
                (before.joint(joint).multipliers, here.joint(joint).impulse * size.twice_inverse_square);
            ended + (begun - ended) * weight
        }))
    }
}

/// The passes of a step.
struct Pass<'a, System, T, const N: usize, const D: usize, const E: usize> {
    system: &'a System,
    links: &'a Links<T, N, D, E>,
    size: StepSize<T>,
}

impl<System, T, const N: usize, const D: usize, const E: usize> Pass<'_, System, T, N, D, E>
where
    T: Float,
    System: Serial<N, D, E, Base = T>,
{
    /// h/2 W f.
    #[inline(always)]
    fn kick(&self, i: usize, t: T, q: &Vector<T, D>, v: &Vector<T, D>, link: &Link<T, D, E>) -> Vector<T, D> {
        scaled(&self.system.free_acceleration(i, t, q, v, &link.inverse_masses), self.size.half)
    }

    /// v_n + h/2 W f(t_n, q_n, v_n), then q_n + h v, and g there. Returns the weighted squares of g at q_n.
    #[inline(always)]
    fn predict(&self, here: &SerialNode<T, N, D, E>, ahead: &mut SerialNode<T, N, D, E>, [t, t_next]: [T; 2]) -> T {
        let (system, links) = (self.system, self.links);
        let (mut q_before, mut before) = (system.ground(t), system.ground(t_next));
        let (mut rest, mut squares) = (Vector::zeros(), T::zero());
        for i in 0..N {
            let (from, to, link) = (&here.elements[i], &mut ahead.elements[i], &links.elements[i]);
            squares = link.add_squares(squares, &system.constraint(i, &q_before, &from.q));
            let v = sum(&from.v, &self.kick(i, t, &from.q, &from.v, link));
            let q = add_scaled(&from.q, &v, self.size.h);
            rest = from.joint.forward(&system.constraint(i, &before, &q), &rest);
            (to.q, to.v, to.joint.rest) = (q, v, rest);
            (q_before, before) = (from.q, q);
        }
        if System::CLOSED {
            let g = system.constraint(N, &q_before, &system.far_ground(t));
            squares = links.closing.add_squares(squares, &g);
            let g = system.constraint(N, &before, &system.far_ground(t_next));
            ahead.closing.rest = here.closing.forward(&g, &rest);
        }
        squares
    }

    /// One iteration: q ← q − W Gᵀ ν with S ν = g, and g at the corrected positions. The geometry is that of `here`.
    #[inline(always)]
    fn correct(
        &self,
        here: &SerialNode<T, N, D, E>,
        ahead: &mut SerialNode<T, N, D, E>,
        grounds: &Grounds<T, D>,
        is_first: bool,
    ) {
        let mut behind = Behind::nothing();
        if System::CLOSED {
            let (from, to) = (&here.closing, &mut ahead.closing);
            let solution = from.backward(&to.rest, &behind);
            from.pull::<System, N>(&solution, &solution, &mut behind);
            to.impulse = if is_first { solution } else { sum(&to.impulse, &solution) };
        }
        for ((from, to), link) in here.elements.iter().zip(&mut ahead.elements).zip(&self.links.elements).rev() {
            let solution = from.joint.backward(&to.joint.rest, &behind);
            let pull = from.joint.pull::<System, N>(&solution, &solution, &mut behind);
            to.joint.impulse = if is_first { solution } else { sum(&to.joint.impulse, &solution) };
            to.q = subtract_weighted(&to.q, &link.inverse_masses, &pull);
        }
        let (mut before, mut rest) = (grounds.near[0], Vector::zeros());
        for i in 0..N {
            let (from, to) = (&here.elements[i].joint, &mut ahead.elements[i]);
            rest = from.forward(&self.system.constraint(i, &before, &to.q), &rest);
            (before, to.joint.rest) = (to.q, rest);
        }
        if System::CLOSED {
            let g = self.system.constraint(N, &before, &grounds.far[0]);
            ahead.closing.rest = here.closing.forward(&g, &rest);
        }
    }

    /// The last iteration: v½ from the sum of all corrections, and q_n₊₁ = q_n + h v½. Forces that do not use the velocity also kick the
    /// second time. Returns the sum of all λ_n, which is not finite if one of them is not.
    ///
    /// The velocity comes from the multipliers, as in [`rattle`](super::rattle).
    #[inline(always)]
    fn land(
        &self,
        here: &SerialNode<T, N, D, E>,
        ahead: &mut SerialNode<T, N, D, E>,
        t_next: T,
        has_impulse: bool,
    ) -> T {
        let StepSize { h, inverse, twice_inverse, .. } = self.size;
        let (mut behind, mut probe) = (Behind::nothing(), T::zero());
        let mut per_step = |solution: &Vector<T, E>, impulse: &mut Vector<T, E>| {
            *impulse = if has_impulse { sum(impulse, solution) } else { *solution };
            let impulse = scaled(impulse, inverse);
            probe = dot(probe, &impulse, &Vector::repeat(twice_inverse));
            impulse
        };
        if System::CLOSED {
            let (from, to) = (&here.closing, &mut ahead.closing);
            let solution = from.backward(&to.rest, &behind);
            from.pull::<System, N>(&solution, &per_step(&solution, &mut to.impulse), &mut behind);
        }
        let elements = here.elements.iter().zip(&mut ahead.elements).zip(&self.links.elements);
        for (i, ((from, to), link)) in elements.enumerate().rev() {
            let solution = from.joint.backward(&to.joint.rest, &behind);
            let pull = from.joint.pull::<System, N>(&solution, &per_step(&solution, &mut to.joint.impulse), &mut behind);
            let mut v = subtract_weighted(&to.v, &link.inverse_masses, &pull);
            to.q = add_scaled(&from.q, &v, h);
            unwind::<System, T, N, D, E>(from, to);
            if !System::VELOCITY_DEPENDENT {
                v = sum(&v, &self.kick(i, t_next, &to.q, &v, link));
            }
            to.v = v;
        }
        probe
    }

    /// ṽ before its projection: v½ + h/2 W f(t_n₊₁, q_n₊₁, v½). Keeps v½ in `half`.
    #[inline(always)]
    fn kick_again(&self, ahead: &mut SerialNode<T, N, D, E>, half: &mut [Vector<T, D>; N], t_next: T) {
        for i in 0..N {
            half[i] = ahead.elements[i].v;
        }
        self.kick_from(ahead, half, t_next);
    }

    /// v½ + h/2 W f(t_n₊₁, q_n₊₁, v), with the present velocities v.
    #[inline(always)]
    fn kick_from(&self, ahead: &mut SerialNode<T, N, D, E>, half: &[Vector<T, D>; N], t_next: T) {
        for i in 0..N {
            let to = &mut ahead.elements[i];
            to.v = sum(&half[i], &self.kick(i, t_next, &to.q, &to.v, &self.links.elements[i]));
        }
    }
}

/// Takes whole turns out of the angles.
#[inline(always)]
fn unwind<System: Serial<N, D, E, Base = T>, T: Float, const N: usize, const D: usize, const E: usize>(
    from: &Element<T, D, E>,
    to: &mut Element<T, D, E>,
) {
    for k in 0..D {
        if System::ANGLES[k] {
            let mut q = Coordinates::<T, D, Plain>::new(to.q);
            to.turns[k] = from.turns[k].wrapping_add(q.unwind(k));
            to.q = *q.rounded();
        }
    }
}
