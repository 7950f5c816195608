//! The passes of [`serial_rattle`](super::serial_rattle) for states that carry more digits than their scalar.
//!
//! The formulas are those of [`rattle`](super::rattle): the unknown of the iterations is the sum of the corrections, g there is g at the
//! prediction plus its change along the corrections, and one solve for the sum of all residuals gives the impulse.
//!
//! ```text
//!     forward    v½ without λ, q + h v½, g there and at q_n                          predict
//!     backward   the corrections, then forward g at them, for all iterations         correct, evaluate
//!     backward   the impulse, v½, q_n₊₁ with all digits, and the second kick         land
//!     forward    g, G and the factors at q_n₊₁, G v                                  Rows::factorise
//!     backward   v_n₊₁ with all digits and G v_n₊₁ = 0, μ_n                          Rows::project_by
//! ```

use super::error::StepError;
use super::rattle::MAX_CORRECTION;
use super::serial_judge::SerialJudge;
use super::serial_rattle::Pass;
use crate::linalg::Vector;
use crate::linalg::blocks::{add_squares, difference, dot, subtract_weighted, sum};
use crate::linalg::entries::{each, negative_zeros, pairs};
use crate::project::serial::{Behind, Grounds, Joint, Rows, Trail};
use crate::scalar::{Float, Increment, Real};
use crate::start::{Carried, Coordinates, Digits, Moving, Precision, Time};
use crate::system::Serial;
use crate::system::serial::before_joint;

/// The passes of a step.
pub(super) struct DigitsPass<'a, System, T: Float, const N: usize, const D: usize, const E: usize, P: Precision> {
    pub(super) pass: Pass<'a, System, T>,
    pub(super) times: [Time<T>; 2],
    pub(super) rows: &'a mut Rows<T, N, D, E>,
    pub(super) digits: &'a mut Digits<T, N, D, E, P>,
    pub(super) trials: &'a mut [Trial<T, D, E, P>; N],
    pub(super) closing: Answer<T, E>,
}

/// An element on its way to the end of the step.
#[derive(Clone, Copy)]
pub(super) struct Trial<T: Float, const D: usize, const E: usize, P: Precision> {
    /// The velocity, begun with v_n.
    velocity: Moving<T, D, P>,
    /// The prediction q_n + h v. Rounded, it is the position of the node ahead until the step has landed.
    position: Moving<T, D, P>,
    /// The sum of the corrections of the position.
    corrections: Vector<T, D>,
    joint: Answer<T, E>,
}

/// The residuals of a joint.
#[derive(Clone, Copy)]
pub(super) struct Answer<T, const E: usize> {
    /// g at the prediction.
    predicted: Vector<T, E>,
    /// The sum of the residuals that the impulse answers: of all iterations, without the drift of the last step.
    answered: Vector<T, E>,
}

impl<T: Float, const D: usize, const E: usize, P: Precision> Trial<T, D, E, P> {
    #[inline(always)]
    pub(super) fn workspace() -> Self {
        let still = Coordinates::new(Vector::zeros()).begin();
        Self { velocity: still, position: still, corrections: Vector::zeros(), joint: Answer::workspace() }
    }
}

impl<T: Float, const E: usize> Answer<T, E> {
    #[inline(always)]
    pub(super) fn workspace() -> Self {
        Self { predicted: Vector::zeros(), answered: Vector::zeros() }
    }

    /// g at the corrections, from its change since the prediction. Returns it and the right-hand side of the next solve: g itself, or
    /// after the last iteration the sum of all residuals before it.
    #[inline(always)]
    fn evaluate(&mut self, g: &Vector<Increment<T>, E>, is_last: bool) -> [Vector<T, E>; 2] {
        let residual = pairs(&self.predicted, g, |predicted, g| predicted + g.change);
        if is_last {
            return [residual, self.answered];
        }
        self.answered = sum(&self.answered, &residual);
        [residual, residual]
    }
}

/// A place beside a joint: where the step begins, rounded and with all digits, and the prediction.
#[derive(Clone, Copy)]
struct Place<T: Float, const D: usize, P: Precision> {
    rounded: Vector<T, D>,
    start: Vector<P::Predicted<T>, D>,
    predicted: Vector<P::Predicted<T>, D>,
}

impl<System, T, const N: usize, const D: usize, const E: usize, P> DigitsPass<'_, System, T, N, D, E, P>
where
    T: Float,
    System: Serial<N, D, E, Base = T>,
    P: Precision,
{
    /// All passes of a step.
    #[inline(always)]
    pub(super) fn go(
        &mut self,
        grounds: &Grounds<T, D>,
        judge: &SerialJudge<'_, T, N, D, E>,
        iterations: usize,
    ) -> Result<(), StepError<T>> {
        let (system, ahead) = (self.pass.system, self.pass.side.other());
        let start = self.predict();
        judge.start(system, self.rows, self.times[0].high, start)?;
        let mut squares = T::zero();
        for k in 1..=iterations {
            // NaN is left to the judge of the end.
            if self.correct() > T::from_f64(MAX_CORRECTION) {
                return Err(judge.corrections::<System>(self.trials.iter().map(|trial| &trial.corrections)));
            }
            squares = self.evaluate(k == iterations);
        }
        let digits = &*self.digits;
        judge.residuals::<System>(self.rows, squares, |joint| digits.get(joint).at(ahead).last_residual.kept())?;
        let probe = self.land();

        if System::VELOCITY_DEPENDENT {
            self.kick_again(false);
        }
        let mut sums = self.rows.factorise(ahead, system, grounds, |_| Vector::repeat(-T::zero()));
        sums.probe += probe;
        judge.end(system, self.rows, grounds, sums, true)?;
        if System::VELOCITY_DEPENDENT {
            // The velocities are ṽ before its projection.
            self.rows.project::<System>(ahead, grounds, false);
            self.kick_again(true);
            self.rows.forward::<System>(ahead, |rows, joint| rows.velocity_residual::<System>(ahead, grounds, joint));
        }
        let (digits, trials) = (&mut self.digits.elements, &*self.trials);
        let squares = self.rows.project_by::<System>(ahead, grounds, true, |i, v, w, pull| {
            let (Some(low), Some(trial)) = (digits.get_mut(i), trials.get(i)) else { return *v };
            let end = trial.velocity.shift(|change| *change = subtract_weighted(change, w, pull)).finish();
            low.at_mut(ahead).v = end.low;
            end.high
        });
        judge.velocity::<System>(self.rows, grounds, squares, true)
    }

    /// v_n + h/2 M⁻¹ f(t_n, q_n, v_n), then q_n + h v, and g there. Returns the weighted squares of g at q_n.
    #[inline(always)]
    fn predict(&mut self) -> T {
        let Self { pass, times, rows, digits, trials, closing } = self;
        let (system, side, [start, _]) = (pass.system, pass.side, *times);
        let at_start = P::predicted_time([start, start]);
        let at_end = P::predicted_time(*times);
        let mut trail = Trail::new::<System, D, E>(Place::<T, D, P> {
            rounded: system.ground(start.high),
            start: system.ground(at_start),
            predicted: system.ground(at_end),
        });
        let (mut rest, mut squares) = (Vector::zeros(), Vector::zeros());
        // g at q_n, and where the impulse begins: with the drift of the last step, which moves the positions but is not an impulse.
        // Only the ground moves with the time.
        let begin = |joint: usize, before: &Place<T, D, P>, behind: &Place<T, D, P>, last: P::Low<T, E>| {
            if !P::separates_drift(joint == N || before_joint::<System, N, D, E>(joint).is_none()) {
                return [system.constraint(joint, &before.rounded, &behind.rounded), negative_zeros()];
            }
            let residual = each(&system.constraint(joint, &before.start, &behind.start), Real::value);
            [residual, difference(&last.kept(), &residual)]
        };
        for (i, ((row, low), trial)) in
            rows.elements.iter_mut().zip(&digits.elements).zip(trials.iter_mut()).enumerate()
        {
            let (inverse_masses, low) = (row.inverse_masses, low.at(side));
            let q = Coordinates::<T, D, P> { high: row.at(side).q, low: low.q };
            let v = Coordinates::<T, D, P> { high: row.at(side).v, low: low.v };
            let velocity = v.begin().by(&pass.kick(i, start.high, &q.high, &v.high, &inverse_masses));
            let position = P::drift(&q, &velocity, pass.size.h);
            let here = Place::<T, D, P> {
                rounded: q.high,
                start: P::predicted(&q.begin()),
                predicted: P::predicted(&position),
            };
            let before = trail.before::<System, D, E>(i);
            let [residual, drift] = begin(i, &before, &here, low.last_residual);
            squares = add_squares(&squares, &residual);
            let predicted = each(&system.constraint(i, &before.predicted, &here.predicted), Real::value);
            let joint = Answer { predicted, answered: sum(&drift, &predicted) };
            *trial = Trial { velocity, position, corrections: negative_zeros(), joint };
            let (from, to) = row.from(side);
            rest = from.joint.forward::<System, N>(&predicted, &rest);
            (to.q, to.joint.rest) = (P::point(&position), rest);
            trail.leave::<System, D, E>(i, here);
        }
        if System::CLOSED {
            let before = trail.before::<System, D, E>(N);
            let ground = Place::<T, D, P> {
                rounded: system.far_ground(start.high),
                start: system.far_ground(at_start),
                predicted: system.far_ground(at_end),
            };
            let [residual, drift] = begin(N, &before, &ground, digits.closing.at(side).last_residual);
            squares = add_squares(&squares, &residual);
            let predicted = each(&system.constraint(N, &before.predicted, &ground.predicted), Real::value);
            *closing = Answer { predicted, answered: sum(&drift, &predicted) };
            let (from, to) = rows.closing.from(side);
            to.joint.rest = from.joint.forward::<System, N>(&predicted, &rest);
        }
        rows.weighted(&squares)
    }

    /// The backward pass of an iteration: corrections ← corrections − M⁻¹ Gᵀ ν. Returns the largest of an angle.
    #[inline(always)]
    fn correct(&mut self) -> T {
        let Self { pass, rows, trials, .. } = self;
        let (mut behind, mut largest) = (Behind::last::<System>(rows, pass.side, pass.side.other()), T::zero());
        if System::CLOSED {
            let (from, to) = rows.closing.from(pass.side);
            let solution = from.joint.backward::<System, N>(N, &to.joint.rest, &behind);
            from.joint.pull::<System, N>(N, &solution, &solution, &mut behind);
        }
        for ((i, row), trial) in rows.backward().zip(trials.iter_mut().rev()) {
            let inverse_masses = row.inverse_masses;
            let (from, to) = row.from(pass.side);
            let solution = from.joint.backward::<System, N>(i, &to.joint.rest, &behind);
            let pull = from.joint.pull::<System, N>(i, &solution, &solution, &mut behind);
            trial.corrections = subtract_weighted(&trial.corrections, &inverse_masses, &pull);
            for k in 0..D {
                if System::ANGLES[k] {
                    let size = trial.corrections.data.0[0][k].abs();
                    largest = if size > largest { size } else { largest };
                }
            }
        }
        largest
    }

    /// The forward pass of an iteration: g at the corrections. Returns its weighted squares.
    #[inline(always)]
    fn evaluate(&mut self, is_last: bool) -> T {
        let Self { pass, times, rows, digits, trials, closing } = self;
        let (system, side, t) = (pass.system, pass.side, Increment::from(times[1].high));
        let mut trail = Trail::new::<System, D, E>(system.ground(t));
        let (mut rest, mut squares) = (Vector::zeros(), Vector::zeros());
        let forward = |joint: &Joint<T, D, E>, answer: [Vector<T, E>; 2], rest: &Vector<T, E>| {
            (P::Low::keep(answer[0]), joint.forward::<System, N>(&answer[1], rest))
        };
        for (i, ((row, low), trial)) in
            rows.elements.iter_mut().zip(&mut digits.elements).zip(trials.iter_mut()).enumerate()
        {
            let here = pairs(&row.at(side.other()).q, &trial.corrections, Increment::new);
            let before = trail.before::<System, D, E>(i);
            let answer = trial.joint.evaluate(&system.constraint(i, &before, &here), is_last);
            squares = add_squares(&squares, &answer[0]);
            let (from, to) = row.from(side);
            (low.at_mut(side.other()).last_residual, rest) = forward(&from.joint, answer, &rest);
            to.joint.rest = rest;
            trail.leave::<System, D, E>(i, here);
        }
        if System::CLOSED {
            let before = trail.before::<System, D, E>(N);
            let answer = closing.evaluate(&system.constraint(N, &before, &system.far_ground(t)), is_last);
            squares = add_squares(&squares, &answer[0]);
            let (from, to) = rows.closing.from(side);
            (digits.closing.at_mut(side.other()).last_residual, to.joint.rest) = forward(&from.joint, answer, &rest);
        }
        rows.weighted(&squares)
    }

    /// The impulse, v½ from it, and q_n₊₁ from the corrections. Forces that do not use the velocity also kick the second time. Returns
    /// the sum of the squares of h/2 λ_n, as in [`serial_rattle`](super::serial_rattle).
    #[inline(always)]
    fn land(&mut self) -> T {
        let Self { pass, times, rows, digits, trials, .. } = self;
        let (side, size, t) = (pass.side, pass.size, times[1].high);
        let (mut behind, mut probe) = (Behind::last::<System>(rows, side, side.other()), T::zero());
        let mut per_step = |impulse: &Vector<T, E>| {
            let impulse = size.velocity::<P, E>(*impulse);
            probe = dot(probe, &impulse, &impulse);
            impulse
        };
        if System::CLOSED {
            let (from, to) = rows.closing.from(side);
            to.joint.impulse = from.joint.backward::<System, N>(N, &to.joint.rest, &behind);
            from.joint.pull::<System, N>(N, &to.joint.impulse, &per_step(&to.joint.impulse), &mut behind);
        }
        let rows = rows.backward().zip(digits.elements.iter_mut().rev()).zip(trials.iter_mut().rev());
        for (((i, row), low), trial) in rows {
            let inverse_masses = row.inverse_masses;
            let (from, to) = row.from(side);
            to.joint.impulse = from.joint.backward::<System, N>(i, &to.joint.rest, &behind);
            let pull = from.joint.pull::<System, N>(i, &to.joint.impulse, &per_step(&to.joint.impulse), &mut behind);
            let mut velocity = trial.velocity.shift(|v| *v = subtract_weighted(v, &inverse_masses, &pull));
            let mut q = trial.position.by(&trial.corrections).finish();
            for k in 0..D {
                if System::ANGLES[k] {
                    to.turns[k] = from.turns[k].wrapping_add(q.unwind(k));
                }
            }
            (to.q, low.at_mut(side.other()).q) = (q.high, q.low);
            if !System::VELOCITY_DEPENDENT {
                velocity = velocity.by(&pass.kick(i, t, &to.q, &velocity.here(), &inverse_masses));
            }
            to.v = velocity.here();
            trial.velocity = velocity;
        }
        probe
    }

    /// v½ + h/2 M⁻¹ f(t_n₊₁, q_n₊₁, v), with the present velocities v: the prediction ṽ, or the velocity of the step.
    #[inline(always)]
    fn kick_again(&mut self, is_final: bool) {
        let Self { pass, times, rows, trials, .. } = self;
        for (i, (row, trial)) in rows.elements.iter_mut().zip(trials.iter_mut()).enumerate() {
            let inverse_masses = row.inverse_masses;
            let to = row.at_mut(pass.side.other());
            let velocity = trial.velocity.by(&pass.kick(i, times[1].high, &to.q, &to.v, &inverse_masses));
            to.v = velocity.here();
            if is_final {
                trial.velocity = velocity;
            }
        }
    }
}
