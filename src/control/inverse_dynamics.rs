//! Inverse dynamics of a system whose inputs act along its outputs: index 3.
//!
//! ```text
//!     positions:       0 = g(t, q),  0 = s(q) − γ(t)                       Newton, from the last tick
//!     velocities:      [G; S] v   = [−g_t; γ']                             S = ∂s/∂q
//!     accelerations:   [G; S] q'' = [−g_qq(v, v) − …; γ'' − s_qq(v, v)]
//!     inputs:          [B, −Gᵀ] [u; λ] = M q'' − f
//! ```
//!
//! With as many outputs as degrees of freedom, N = M + U, both matrices are square. Inputs depend only on γ, γ' and γ'' at the
//! tick, not on earlier ticks. So a start or a re-plan causes no error, and the round-off is that of a linear solve (index 1).
//! A discretised servo constraint would use differences of γ. Its first input would be half of the right one, with noise of ε/h².
//!
//! **Singular poses.** [G; S] is singular where an arm is stretched, at the edge of the reach. [B, −Gᵀ] is singular where the
//! linkage can move although all actuators hold. Both are errors, and so is a
//! pivot below its [limit](Inverse::with_pivot_limit) or a velocity, a position or an input beyond its own.
//!
//! **Blocks.** Most entries of both matrices are zero. The patterns of [constraints](crate::system::Mechanical::PATTERN),
//! [outputs](Actuated::OUTPUT_PATTERN) and [inputs](Actuated::ACTUATION_PATTERN) give an order in which they are block triangular, at
//! compile time. Only the blocks are factorised, with pivoting. If outputs and motors are coordinates, one matrix has blocks of one entry,
//! the other one block of M × M. LDLᵀ of a symmetric matrix, such as [G; S] M⁻¹ [G; S]ᵀ, would take more instructions and square the
//! condition: in `f32` a pivot limit of √ε would be round-off.
//!
//! **Cost.** One evaluation of the equations, one factorisation of [G; S], one of [B, −Gᵀ], and a number of Newton iterations that the scalar fixes
//! ([`NEWTON_ITERATIONS`](Float::NEWTON_ITERATIONS)): the same at every tick. The pose of the next tick is predicted from
//! position, velocity and acceleration, with an error of O(h³). Each iteration with the matrix of the last tick reduces the error
//! by a factor of O(h).
//!
//! **Evaluations.** In `f32` a tick takes two constraints and one set of equations: the constraint at the prediction and at the next iterate,
//! the equations at the last one. [`ComputedTorque`](super::ComputedTorque) adds two sets of equations, at its prediction and at its estimate,
//! and two constraints between them. All seven are at different poses and can share no sine.

use super::actuated::Actuated;
use super::blocks::{split, stacked};
use super::checks::within;
use super::course::ticks_since;
use super::error::ControlError;
use super::feedforward::{Feedforward, Reference};
use super::inverse::{Following, Inverse, Posed};
use super::singularity::Singularity;
use super::structure::{Directions, Gradients, check_patterns};
use super::turns::outputs_off_by;
use crate::linalg::entries::{add_scaled, each, pairs, zeros};
use crate::linalg::{BlockFactors, Matrix, Square, Vector, magnitude};
use crate::scalar::{Float, Jet};
use crate::system::{Equations, Mass};
use crate::trajectory::Trajectory;

/// Newton iterations from a guess.
pub(super) const START_ITERATIONS: usize = 50;
/// After a longer pause than this, iterations start at the last pose instead of a prediction.
const PREDICTED_TICKS: u64 = 8;

/// The motion and the inputs with which the output of a system follows a trajectory, for as many outputs as degrees of freedom:
/// N = M + U.
///
/// ```
/// use nalgebra::vector;
/// use mechanisms::FiveBar;
/// use taut::control::{Feedforward, InverseDynamics};
/// use taut::trajectory::Circle;
///
/// let h = 1e-3_f32;
/// let linkage = FiveBar::standard();
/// let circle = Circle::around([0.0, 0.17], 0.03, 2, 1_000, h)?; // two revolutions per second
/// let guess = linkage.elbows_out(vector![0.03, 0.17]); // decides where the elbows are
/// let plan = InverseDynamics::new(linkage, circle, h, guess)?.with_input_limits([0.5, 0.5])?;
/// let mut state = plan.start()?;
/// for tick in 0..1_000 {
///     let reference = plan.at(&mut state, tick)?;
///     assert!(reference.inputs.norm() < 0.5); // Nm
/// }
/// # Ok::<(), taut::control::ControlError<f32>>(())
/// ```
///
/// Two derivatives of the trajectory must be continuous, or torques would jump.
pub type InverseDynamics<System, Path, const N: usize, const M: usize, const U: usize> =
    Inverse<System, Path, N, M, U, 2>;

impl<System, Path, T, const N: usize, const M: usize, const U: usize> InverseDynamics<System, Path, N, M, U>
where
    T: Float,
    System: Actuated<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T>,
{
    /// Follows a trajectory from tick zero, in ticks of `h` seconds. Newton's method finds the first pose from a guess. If several
    /// poses have the same output, elbows out or in, the guess decides.
    pub fn new(system: System, path: Path, h: T, guess: impl Into<Vector<T, N>>) -> Result<Self, ControlError<T>> {
        const { assert!(N == M + U, "as many outputs as degrees of freedom: N = M + U") };
        let plan = Self::from_guess(system, path, h, guess.into())?;
        check_patterns(&plan.system, &plan.guess)?;
        Ok(plan)
    }

    /// Finds the pose at a tick from the last one with up to 50 iterations. Use it after a pause that is too long for
    /// [`at`](Feedforward::at), outside of the control loop.
    pub fn seek(&self, state: &mut Posed<Path, T, N, M, U>, tick: u64) -> Result<(), ControlError<T>> {
        let t = state.course.time(tick);
        let target = state.course.jets(t, tick)?;
        let mut q = state.last.position;
        let mut step = Vector::zeros();
        for _ in 0..START_ITERATIONS {
            let servo = self.gradients(&self.system.jacobian(t, &q), &q, tick)?;
            step = servo.solve_transposed::<Gradients<System, M, U>>(self.residual(t, &q, &target));
            q -= step;
            if magnitude(&step) <= accuracy() {
                break;
            }
        }
        reached(&step, tick)?;
        self.complete(state, (t, &q), &target, tick)
    }

    /// The factors of a matrix, from its entry in each row and column. A pivot must exceed its limit times the largest entry of its column. The default limit is √ε: a smaller
    /// pivot would lose more than half of the digits.
    #[inline(always)]
    fn factors<P: Square<N>>(
        &self,
        entry: impl Fn(usize, usize) -> T,
        kind: Singularity,
        tick: u64,
    ) -> Result<BlockFactors<T, N>, ControlError<T>> {
        let mut factors = BlockFactors::workspace();
        let made = factors.update::<P>(entry, self.pivot_limit);
        made.map_err(|cause| ControlError::Singular { tick, kind, cause })?;
        Ok(factors)
    }

    /// The factors of [G; S]ᵀ: the gradients of constraints and outputs are its columns.
    #[inline(always)]
    fn gradients(
        &self,
        jacobian: &Matrix<T, M, N>,
        q: &Vector<T, N>,
        tick: u64,
    ) -> Result<BlockFactors<T, N>, ControlError<T>> {
        let outputs = self.system.output_jacobian(q);
        let entry = |row: usize, column: usize| {
            if column < M { jacobian.data.0[row][column] } else { outputs.data.0[row][column - M] }
        };
        self.factors::<Gradients<System, M, U>>(entry, Singularity::Reach, tick)
    }

    /// g(t, q) and s(q) − γ.
    #[inline]
    fn residual(&self, t: T, q: &Vector<T, N>, target: &Vector<Jet<T>, U>) -> Vector<T, N> {
        let off = pairs(&self.system.output(q), target, |output, target| output - target.value);
        stacked(&self.system.constraint(t, q), &outputs_off_by::<System, N, M, U>(off))
    }

    /// The pose at a tick, by a fixed number of Newton iterations with the matrix of the last tick.
    #[inline(always)]
    fn pose(
        &self,
        state: &Posed<Path, T, N, M, U>,
        t: T,
        target: &Vector<Jet<T>, U>,
        tick: u64,
    ) -> Result<Vector<T, N>, ControlError<T>> {
        let Following { last, aid: servo, .. } = state;
        let mut q = last.position;
        let elapsed = ticks_since(state.tick, tick);
        if elapsed <= PREDICTED_TICKS {
            let time = T::from_ticks(elapsed) * state.course.h;
            let half = T::from_f64(0.5);
            q = add_scaled(&q, &add_scaled(&last.velocity, &last.acceleration, time * half), time);
        }
        let mut step = zeros();
        let mut first = T::zero();
        for iteration in 0..T::NEWTON_ITERATIONS {
            step = servo.solve_transposed::<Gradients<System, M, U>>(self.residual(t, &q, target));
            q = pairs(&q, &step, |q, step| q - step);
            // Corrections that shrink by half converge to the nearby pose (Deuflhard, Newton Methods for Nonlinear Problems, 2.1).
            // Others might converge to another pose, such as the other elbow. Below the accuracy there is only round-off.
            let size = magnitude(&step);
            if iteration == 0 {
                first = size;
            } else if iteration == 1 && !(size + size <= first || size <= accuracy()) {
                return Err(ControlError::NotContracting { tick, before: first, after: size });
            }
        }
        // The remaining error is less than the last correction.
        reached(&step, tick)?;
        Ok(q)
    }

    /// Computes velocities, accelerations and inputs at a pose that has its output at the target, and stores the reference.
    #[inline]
    fn complete(
        &self,
        state: &mut Posed<Path, T, N, M, U>,
        (t, q): (T, &Vector<T, N>),
        target: &Vector<Jet<T>, U>,
        tick: u64,
    ) -> Result<(), ControlError<T>> {
        let equations = self.system.equations(t, q);
        let jacobian = equations.jacobian();
        let servo = self.gradients(&jacobian, q, tick)?;

        let mut moving = zeros();
        if System::TIME_DEPENDENT {
            moving = opposite(&self.system.time_derivative(t, q));
        }
        let rates = stacked(&moving, &each(target, |target| target.first));
        let v = servo.solve_transposed::<Gradients<System, M, U>>(rates);
        let along = pairs(target, &self.system.output_terms(q, &v), |target, terms| target.second - terms);
        let rates = stacked(&opposite(&equations.acceleration_terms(&v)), &along);
        let a = servo.solve_transposed::<Gradients<System, M, U>>(rates);

        let inertia = self.system.mass().times(|| equations.mass_matrix(), &a);
        let needed = pairs(&inertia, &equations.force(&v), |inertia, force| inertia - force);
        // [B, Gᵀ] [u; −λ] = M q'' − f.
        let actuation = self.system.actuation(q);
        let entry = |row: usize, column: usize| {
            if column < U { actuation.data.0[column][row] } else { jacobian.data.0[row][column - U] }
        };
        let directions = self.factors::<Directions<System, M, U>>(entry, Singularity::Actuation, tick)?;
        let (inputs, forces) = split(&directions.solve::<Directions<System, M, U>>(needed));
        let multipliers = opposite(&forces);
        let reference = Reference { position: *q, velocity: v, acceleration: a, inputs, multipliers };
        self.check_motion(&reference, tick)?;
        self.check_inputs(&reference.inputs, tick)?;
        state.keep(tick, reference);
        state.aid.assign::<Gradients<System, M, U>>(&servo);
        Ok(())
    }
}

impl<System, Path, T, const N: usize, const M: usize, const U: usize> Feedforward
    for InverseDynamics<System, Path, N, M, U>
where
    T: Float,
    System: Actuated<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T> + Clone,
{
    type Base = T;
    type System = System;
    type Reference = Reference<T, N, M, U>;
    type State = Posed<Path, T, N, M, U>;

    fn system(&self) -> &System {
        &self.system
    }

    fn limit_inputs(&mut self, largest: &[T]) {
        self.take_input_limits(largest);
    }

    fn tick_length(&self) -> T {
        self.course.h
    }

    fn start(&self) -> Result<Self::State, ControlError<T>> {
        let servo = self.gradients(&self.system.jacobian(T::zero(), &self.guess), &self.guess, 0)?;
        let mut state = Following::begin(self.course.clone(), Reference::at_rest(self.guess), servo);
        self.seek(&mut state, self.course.epoch)?;
        Ok(state)
    }

    fn at<'s>(&self, state: &'s mut Self::State, tick: u64) -> Result<&'s Self::Reference, ControlError<T>> {
        let t = state.course.time(tick);
        let target = state.course.jets(t, tick)?;
        let q = self.pose(state, t, &target, tick)?;
        self.complete(state, (t, &q), &target, tick)?;
        Ok(&state.last)
    }

    fn last(state: &Self::State) -> &Self::Reference {
        &state.last
    }
}

/// −x, entry by entry.
#[inline(always)]
fn opposite<T: Float, const D: usize>(x: &Vector<T, D>) -> Vector<T, D> {
    each(x, |x| -x)
}

/// How exact a pose must be, in the units of the coordinates: √ε/32, which is 1e-5 in `f32` and 5e-10 in `f64`.
#[inline]
pub(super) fn accuracy<T: Float>() -> T {
    T::ROOT_EPSILON * T::from_f64(1.0 / 32.0)
}

/// Checks that the last correction is within the accuracy; NaN is not.
#[inline]
pub(super) fn reached<T: Float, const N: usize>(step: &Vector<T, N>, tick: u64) -> Result<(), ControlError<T>> {
    let unreachable = |index, distance, limit| ControlError::Unreachable { tick, index, distance, limit };
    within(&step.data.0[0], &[accuracy(); N], unreachable)
}
