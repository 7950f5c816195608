//! RATTLE for serial mechanisms: the formulas of [`rattle`](super::rattle), in linear time and memory.
//!
//! A second file, because nothing here is a matrix: positions, velocities and blocks of G stand element by element, and a stage of the
//! formulas is a pass along the mechanism. A pass does all that can be done with an element while it is in registers:
//!
//! ```text
//!     forward    v½ without λ, q + h v½, g there and at q_n                          predict
//!     backward   q ← q − W Gᵀ ν, then forward g again, for all iterations but one    correct
//!     backward   the last ν, v½, q_n₊₁ = q_n + h v½, and the second kick             land
//!     forward    g, G and the factors at q_n₊₁, G v                                  Rows::factorise
//!     backward   v_n₊₁ with G v_n₊₁ = 0, μ_n                                         Rows::project
//! ```
//!
//! **Cost**: linear in the number of elements. Each iteration is one pass forward and one backward. A state with more digits has passes of
//! its own, [`serial_digits`](super::serial_digits).

use super::error::StepError;
use super::iterations_for;
use super::rattle::Rattle;
use super::serial_digits::{Answer, DigitsPass, Trial};
use super::serial_judge::SerialJudge;
use super::serial_report::SerialReport;
use super::step::Step;
use crate::linalg::Vector;
use crate::linalg::blocks::{add_scaled, add_squares, dot, scaled, subtract_weighted, sum};
use crate::linalg::entries::negative_zeros;
use crate::project::serial::{Behind, Element, Grounds, Rows, Side, Trail, along, joints};
use crate::scalar::Float;
use crate::start::{Coordinates, Plain, Precision, SerialState, StepSize, Time};
use crate::system::Serial;

impl<System, T, const N: usize, const D: usize, const E: usize, P, const K: usize>
    Step<System, SerialState<T, N, D, E, P>> for Rattle<K>
where
    T: Float,
    System: Serial<N, D, E, Base = T>,
    P: Precision,
{
    type Report = SerialReport<T, N, E>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        "rattle"
    }

    // Inlined, so that the report costs nothing where the caller uses only `is_ok`.
    #[inline(always)]
    fn step(
        &self,
        system: &System,
        state: &mut SerialState<T, N, D, E, P>,
    ) -> Result<SerialReport<T, N, E>, StepError<T>> {
        let (size, times, weight, per_impulse) =
            (state.clock.size, state.clock.times::<P>(), state.clock.next_multipliers_weight, state.per_impulse);
        let grounds = Grounds::at(system, times[1].high);
        let iterations = serial_iterations::<System, T, N, D, E, P, K>();
        go::<_, _, _, _, _, _, K>(system, state, times, &grounds)?;
        state.advance(size.twice_inverse);
        // The mean of both one-sided values at the node where the step began; after a start, those of the acceleration level.
        Ok(SerialReport::of(system, state, &grounds, iterations, |[before, here]| {
            let (ended, begun) = (before.multipliers * per_impulse, here.impulse * size.twice_inverse_square);
            ended + (begun - ended) * weight
        }))
    }
}

/// The number of Newton iterations.
#[inline(always)]
fn serial_iterations<System, T, const N: usize, const D: usize, const E: usize, P, const K: usize>() -> usize
where
    T: Float,
    System: Serial<N, D, E, Base = T>,
    P: Precision,
{
    iterations_for::<T, P, K>(joints::<System, N, D, E>() * E).max(1)
}

/// All passes of a step.
#[inline]
fn go<System, T, const N: usize, const D: usize, const E: usize, P, const K: usize>(
    system: &System,
    state: &mut SerialState<T, N, D, E, P>,
    times: [Time<T>; 2],
    grounds: &Grounds<T, D>,
) -> Result<(), StepError<T>>
where
    T: Float,
    System: Serial<N, D, E, Base = T>,
    P: Precision,
{
    let iterations = serial_iterations::<System, T, N, D, E, P, K>();
    // The side is a constant in each branch: its elements are at fixed offsets.
    match state.side {
        Side::First => go_from(system, state, Side::First, times, grounds, iterations),
        Side::Second => go_from(system, state, Side::Second, times, grounds, iterations),
    }
}

/// All passes of a step that begins at this side.
#[inline(always)]
fn go_from<System, T, const N: usize, const D: usize, const E: usize, P>(
    system: &System,
    state: &mut SerialState<T, N, D, E, P>,
    side: Side,
    times: [Time<T>; 2],
    grounds: &Grounds<T, D>,
    iterations: usize,
) -> Result<(), StepError<T>>
where
    T: Float,
    System: Serial<N, D, E, Base = T>,
    P: Precision,
{
    let SerialState { rows, digits, clock, .. } = state;
    let (judge, pass) = (SerialJudge::of(clock, side), Pass { system, size: clock.size, side });
    if P::CARRIES_MORE {
        let (mut trials, closing) = ([Trial::workspace(); N], Answer::workspace());
        DigitsPass { pass, times, rows, digits, trials: &mut trials, closing }.go(grounds, &judge, iterations)
    } else {
        pass.go(rows, times.map(|time| time.high), grounds, &judge, iterations)
    }
}

/// The passes of a step.
pub(super) struct Pass<'a, System, T> {
    pub(super) system: &'a System,
    pub(super) size: StepSize<T>,
    /// The side where the step begins.
    pub(super) side: Side,
}

impl<System, T: Float> Pass<'_, System, T> {
    /// All passes of a step.
    #[inline(always)]
    fn go<const N: usize, const D: usize, const E: usize>(
        &self,
        rows: &mut Rows<T, N, D, E>,
        [t, t_next]: [T; 2],
        grounds: &Grounds<T, D>,
        judge: &SerialJudge<'_, T, N, D, E>,
        iterations: usize,
    ) -> Result<(), StepError<T>>
    where
        System: Serial<N, D, E, Base = T>,
    {
        let (system, ahead) = (self.system, self.side.other());
        let start = self.predict(rows, [t, t_next]);
        judge.start(system, rows, t, start)?;
        for k in 1..iterations {
            self.correct(rows, grounds, k == 1);
        }
        let probe = self.land(rows, t_next, iterations > 1);

        let mut half = [Vector::zeros(); N];
        if System::VELOCITY_DEPENDENT {
            for i in 0..N {
                half[i] = rows.elements[i].at(ahead).v;
            }
            self.kick_from(&half, rows, t_next);
        }
        let mut sums = rows.factorise(ahead, system, grounds, |_| Vector::repeat(-T::zero()));
        sums.probe += probe;
        judge.end(system, rows, grounds, sums, true)?;
        if System::VELOCITY_DEPENDENT {
            // The velocities are ṽ before its projection.
            rows.project::<System>(ahead, grounds, false);
            self.kick_from(&half, rows, t_next);
            rows.forward::<System>(ahead, |rows, joint| rows.velocity_residual::<System>(ahead, grounds, joint));
        }
        let velocity = rows.project::<System>(ahead, grounds, true);
        judge.velocity::<System>(rows, grounds, velocity, true)
    }

    /// h/2 M⁻¹ f at an element.
    #[inline(always)]
    pub(super) fn kick<const N: usize, const D: usize, const E: usize>(
        &self,
        i: usize,
        t: T,
        q: &Vector<T, D>,
        v: &Vector<T, D>,
        inverse_masses: &Vector<T, D>,
    ) -> Vector<T, D>
    where
        System: Serial<N, D, E, Base = T>,
    {
        scaled(&self.system.free_acceleration(i, t, q, v, inverse_masses), self.size.half)
    }

    /// v_n + h/2 M⁻¹ f(t_n, q_n, v_n), then q_n + h v, and g there. Returns the weighted squares of g at q_n.
    #[inline(always)]
    fn predict<const N: usize, const D: usize, const E: usize>(
        &self,
        rows: &mut Rows<T, N, D, E>,
        [t, t_next]: [T; 2],
    ) -> T
    where
        System: Serial<N, D, E, Base = T>,
    {
        let system = self.system;
        let mut trail = Trail::new::<System, D, E>([system.ground(t), system.ground(t_next)]);
        let (mut rest, mut squares) = (Vector::zeros(), negative_zeros());
        along!(i, row in rows => {
            let Element { q: q_start, v: v_start, .. } = *row.at(self.side);
            let [q_before, before] = trail.before::<System, D, E>(i);
            squares = add_squares(&squares, &system.constraint(i, &q_before, &q_start));
            let v = sum(&v_start, &self.kick(i, t, &q_start, &v_start, &row.inverse_masses));
            let q = add_scaled(&q_start, &v, self.size.h);
            let (from, to) = row.from(self.side);
            rest = from.joint.forward::<System, N>(&system.constraint(i, &before, &q), &rest);
            (to.q, to.v, to.joint.rest) = (q, v, rest);
            trail.leave::<System, D, E>(i, [q_start, q]);
        });
        if System::CLOSED {
            let [q_before, before] = trail.before::<System, D, E>(N);
            squares = add_squares(&squares, &system.constraint(N, &q_before, &system.far_ground(t)));
            let (from, to) = rows.closing.from(self.side);
            let g = system.constraint(N, &before, &system.far_ground(t_next));
            to.joint.rest = from.joint.forward::<System, N>(&g, &rest);
        }
        rows.weighted(&squares)
    }

    /// One iteration: q ← q − M⁻¹ Gᵀ ν with G M⁻¹ Gᵀ ν = g, and g at the corrected positions. The geometry is that of q_n.
    #[inline(always)]
    fn correct<const N: usize, const D: usize, const E: usize>(
        &self,
        rows: &mut Rows<T, N, D, E>,
        grounds: &Grounds<T, D>,
        is_first: bool,
    ) where
        System: Serial<N, D, E, Base = T>,
    {
        let mut behind = Behind::last::<System>(rows, self.side, self.side.other());
        if System::CLOSED {
            let (from, to) = rows.closing.from(self.side);
            let solution = from.joint.backward::<System, N>(N, &to.joint.rest, &behind);
            from.joint.pull::<System, N>(N, &solution, &solution, &mut behind);
            to.joint.impulse = if is_first { solution } else { sum(&to.joint.impulse, &solution) };
        }
        along!(backward i, row in rows => {
            let inverse_masses = row.inverse_masses;
            let (from, to) = row.from(self.side);
            let solution = from.joint.backward::<System, N>(i, &to.joint.rest, &behind);
            let pull = from.joint.pull::<System, N>(i, &solution, &solution, &mut behind);
            to.joint.impulse = if is_first { solution } else { sum(&to.joint.impulse, &solution) };
            to.q = subtract_weighted(&to.q, &inverse_masses, &pull);
        });
        let (mut trail, mut rest) = (Trail::new::<System, D, E>(grounds.near[0]), Vector::zeros());
        along!(i, row in rows => {
            let (from, to) = row.from(self.side);
            let g = self.system.constraint(i, &trail.before::<System, D, E>(i), &to.q);
            rest = from.joint.forward::<System, N>(&g, &rest);
            to.joint.rest = rest;
            trail.leave::<System, D, E>(i, to.q);
        });
        if System::CLOSED {
            let (from, to) = rows.closing.from(self.side);
            let g = self.system.constraint(N, &trail.before::<System, D, E>(N), &grounds.far[0]);
            to.joint.rest = from.joint.forward::<System, N>(&g, &rest);
        }
    }

    /// The last iteration: v½ from the sum of all corrections, and q_n₊₁ = q_n + h v½. Forces that do not use the velocity also kick the
    /// second time. Returns the sum of the squares of h/2 λ_n. While it is finite, so are 2 λ_n: 512/h² is
    /// finite.
    ///
    /// The velocity comes from the multipliers, as in [`rattle`](super::rattle).
    #[inline(always)]
    fn land<const N: usize, const D: usize, const E: usize>(
        &self,
        rows: &mut Rows<T, N, D, E>,
        t_next: T,
        has_impulse: bool,
    ) -> T
    where
        System: Serial<N, D, E, Base = T>,
    {
        let StepSize { h, inverse, .. } = self.size;
        let (mut behind, mut probe) = (Behind::last::<System>(rows, self.side, self.side.other()), T::zero());
        let mut per_step = |solution: &Vector<T, E>, impulse: &mut Vector<T, E>| {
            *impulse = if has_impulse { sum(impulse, solution) } else { *solution };
            let impulse = scaled(impulse, inverse);
            probe = dot(probe, &impulse, &impulse);
            impulse
        };
        if System::CLOSED {
            let (from, to) = rows.closing.from(self.side);
            let solution = from.joint.backward::<System, N>(N, &to.joint.rest, &behind);
            from.joint.pull::<System, N>(N, &solution, &per_step(&solution, &mut to.joint.impulse), &mut behind);
        }
        along!(backward i, row in rows => {
            let inverse_masses = row.inverse_masses;
            let (from, to) = row.from(self.side);
            let solution = from.joint.backward::<System, N>(i, &to.joint.rest, &behind);
            let pull =
                from.joint.pull::<System, N>(i, &solution, &per_step(&solution, &mut to.joint.impulse), &mut behind);
            let v = subtract_weighted(&to.v, &inverse_masses, &pull);
            to.q = add_scaled(&from.q, &v, h);
            unwind::<System, T, N, D, E>(from, to);
            to.v =
                if System::VELOCITY_DEPENDENT { v } else { sum(&v, &self.kick(i, t_next, &to.q, &v, &inverse_masses)) };
        });
        probe
    }

    /// v½ + h/2 M⁻¹ f(t_n₊₁, q_n₊₁, v), with the present velocities v.
    #[inline(always)]
    fn kick_from<const N: usize, const D: usize, const E: usize>(
        &self,
        half: &[Vector<T, D>; N],
        rows: &mut Rows<T, N, D, E>,
        t_next: T,
    ) where
        System: Serial<N, D, E, Base = T>,
    {
        for (i, (row, half)) in rows.elements.iter_mut().zip(half).enumerate() {
            let inverse_masses = row.inverse_masses;
            let to = row.at_mut(self.side.other());
            to.v = sum(half, &self.kick(i, t_next, &to.q, &to.v, &inverse_masses));
        }
    }
}

/// Takes whole turns out of the angles; `from` is where the step began.
#[inline(always)]
pub(super) fn unwind<System: Serial<N, D, E, Base = T>, T: Float, const N: usize, const D: usize, const E: usize>(
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
