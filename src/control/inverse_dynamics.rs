//! Inverse dynamics of a system whose inputs act along its outputs: index 3.
//!
//! ```text
//!     positions:       0 = g(t, q),  0 = s(q) − γ(t)                       Newton, from the last tick
//!     velocities:      [G; S] v   = [−g_t; γ']                             S = ∂s/∂q
//!     accelerations:   [G; S] q'' = [−g_qq(v, v) − …; γ'' − s_qq(v, v)]
//!     inputs:          [B, −Gᵀ] [u; λ] = M q'' − f
//! ```
//!
//! With as many outputs as degrees of freedom, N = M + U, both matrices are square. Inputs follow from γ, γ' and γ'' at the
//! tick alone: there is no history in them, hence no error at a start or a re-plan, and the round-off is that of a linear solve
//! (index 1). Discretising the servo constraint instead would bring differences of γ, half the input at the first tick and ε/h² of
//! noise.
//!
//! **Singular poses.** [G; S] is singular where an arm is stretched, at the edge of the reach. [B, −Gᵀ] is singular where the
//! linkage can give way although all actuators hold. Both are errors, as is a velocity or an input above its limit.
//!
//! **Cost.** One factorisation of [G; S], one of [B, −Gᵀ], and a number of Newton iterations that the scalar fixes
//! ([`NEWTON_ITERATIONS`](Float::NEWTON_ITERATIONS)): the same at every tick. The pose of the next tick is predicted from
//! position, velocity and acceleration, so that the iterations begin O(h³) away; with the matrix of the last tick each
//! brings them nearer by a factor of O(h).

use super::actuated::Actuated;
use super::bounds::{Bounds, finite};
use super::course::{Course, ticks_since};
use super::error::{ControlError, Singularity};
use super::feedforward::{Feedforward, Reference};
use crate::linalg::{Lu, Matrix, Vector, magnitude};
use crate::scalar::{Float, Jet};
use crate::system::Mass;
use crate::trajectory::Trajectory;

/// Newton iterations from a guess.
const START_ITERATIONS: usize = 50;
/// After more ticks than these, the next pose is sought from the last one, not predicted.
const PREDICTED_TICKS: u64 = 8;

/// The motion and the inputs with which the output of a system follows a trajectory, where N = M + U: as many outputs as degrees
/// of freedom.
///
/// ```
/// use nalgebra::vector;
/// use systems::FiveBar;
/// use taut::control::{Feedforward, InverseDynamics};
/// use taut::trajectory::Circle;
///
/// let h = 1e-3_f32;
/// let linkage = FiveBar::standard();
/// let circle = Circle::around([0.0, 0.17], 0.03, 2, 1_000, h)?; // two revolutions per second
/// let guess = linkage.elbows_out(vector![0.03, 0.17]); // decides where the elbows are
/// let mut feedforward = InverseDynamics::new(linkage, circle, h, guess)?.with_input_limits([0.5, 0.5])?;
/// for tick in 0..1_000 {
///     let reference = feedforward.at(tick)?;
///     assert!(reference.inputs.norm() < 0.5); // Nm
/// }
/// # Ok::<(), taut::control::ControlError<f32>>(())
/// ```
///
/// Two derivatives of the trajectory must be continuous, or torques would jump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InverseDynamics<System, Path, T, const N: usize, const M: usize, const U: usize> {
    system: System,
    course: Course<Path, T>,
    bounds: Bounds<T, N, U>,
    last: Reference<T, N, M, U>,
    tick: u64,
    /// Of the gradients at the last pose: solving with the transpose of what they are of is solving with [G; S].
    servo: Lu<T, N>,
}

impl<System, Path, T, const N: usize, const M: usize, const U: usize> InverseDynamics<System, Path, T, N, M, U>
where
    T: Float,
    System: Actuated<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T>,
{
    /// How many derivatives of the trajectory must be continuous.
    pub const DERIVATIVES: usize = 2;

    /// Follows a trajectory from tick zero on, in ticks of `h` seconds. The first pose is sought from a guess; where several
    /// have their output at the target, elbows out or in, the guess decides.
    pub fn new(mut system: System, path: Path, h: T, guess: impl Into<Vector<T, N>>) -> Result<Self, ControlError<T>> {
        const { assert!(N == M + U, "as many outputs as degrees of freedom: N = M + U") };
        system.drive(&Vector::zeros());
        let course = Course::new::<U, 2>(path, h)?;
        let last = Reference::at_rest(guess);
        finite("guess", &last.position, 0)?;
        let servo = factors(gradients(&system, T::zero(), &last.position), Singularity::Reach, 0)?;
        let mut this = Self { system, course, bounds: Bounds::none(), last, tick: 0, servo };
        this.seek(0)?;
        Ok(this)
    }

    /// Refuses motions in which a coordinate is faster than its limit.
    pub fn with_velocity_limits(mut self, limits: [T; N]) -> Result<Self, ControlError<T>> {
        self.bounds = self.bounds.with_velocities(limits)?;
        Ok(self)
    }

    /// Refuses motions that take a larger input than its limit.
    pub fn with_input_limits(mut self, limits: [T; U]) -> Result<Self, ControlError<T>> {
        self.bounds = self.bounds.with_inputs(limits)?;
        Ok(self)
    }

    /// The same trajectory, begun at a tick instead of tick zero.
    pub fn beginning_at(mut self, tick: u64) -> Self {
        self.course.begin_at(tick);
        self.tick = tick;
        self
    }

    /// What is followed.
    pub fn path(&self) -> &Path {
        self.course.path()
    }

    /// The time at a tick since the trajectory began, for a trajectory that is to depart from this one.
    pub fn time(&self, tick: u64) -> T {
        self.course.time::<U>(tick)
    }

    /// Follows another trajectory from a tick on. Position, velocity and acceleration must be what they are on the present one.
    pub fn replan(&mut self, path: Path, tick: u64) -> Result<(), ControlError<T>> {
        self.course = self.course.replanned::<U, 2>(path, tick)?;
        Ok(())
    }

    /// Seeks the pose at a tick from the last one with as many iterations as it takes: after a pause too long for
    /// [`at`](Feedforward::at). Not for the control loop.
    pub fn seek(&mut self, tick: u64) -> Result<Reference<T, N, M, U>, ControlError<T>> {
        let t = self.course.time::<U>(tick);
        let target = self.course.jets::<U>(t, tick)?;
        let mut q = self.last.position;
        let mut step = Vector::zeros();
        for _ in 0..START_ITERATIONS {
            let servo = factors(gradients(&self.system, t, &q), Singularity::Reach, tick)?;
            step = servo.solve_transposed(self.residual(t, &q, &target));
            q -= step;
            if magnitude(&step) <= accuracy() {
                break;
            }
        }
        reached(&step, tick)?;
        self.complete(t, &q, &target, tick)
    }

    /// g(t, q) and s(q) − γ.
    #[inline]
    fn residual(&self, t: T, q: &Vector<T, N>, target: &Vector<Jet<T>, U>) -> Vector<T, N> {
        let off = self.system.output(q).zip_map(target, |output, target| output - target.value);
        stacked(&self.system.constraint(t, q), &off)
    }

    /// The pose at a tick, by a fixed number of Newton iterations with the matrix of the last tick.
    #[inline]
    fn pose(&self, t: T, target: &Vector<Jet<T>, U>, tick: u64) -> Result<Vector<T, N>, ControlError<T>> {
        let mut q = self.last.position;
        let elapsed = ticks_since(self.tick, tick);
        if elapsed <= PREDICTED_TICKS {
            let time = T::from_ticks(elapsed) * self.course.tick_length();
            let half = T::from_f64(0.5);
            q += (self.last.velocity + self.last.acceleration * (time * half)) * time;
        }
        let mut step = Vector::zeros();
        let mut first = T::zero();
        for iteration in 0..T::NEWTON_ITERATIONS {
            step = self.servo.solve_transposed(self.residual(t, &q, target));
            q -= step;
            // Corrections that shrink by half lead to the one pose nearby (Deuflhard, Newton Methods for Nonlinear Problems, 2.1);
            // others might end anywhere, on the other side of the elbow. Below the accuracy there is only round-off.
            let size = magnitude(&step);
            if iteration == 0 {
                first = size;
            } else if iteration == 1 && !(size + size <= first || size <= accuracy()) {
                return Err(ControlError::TooFar { tick, before: first, after: size });
            }
        }
        // What is left to go is less than the last correction.
        reached(&step, tick)?;
        Ok(q)
    }

    /// Velocities, accelerations and inputs at a pose that has its output at the target; the last from now on.
    #[inline]
    fn complete(
        &mut self,
        t: T,
        q: &Vector<T, N>,
        target: &Vector<Jet<T>, U>,
        tick: u64,
    ) -> Result<Reference<T, N, M, U>, ControlError<T>> {
        let outwards = self.system.jacobian(t, q).transpose();
        let gradients = beside(&outwards, &self.system.output_jacobian(q).transpose());
        let servo = factors(gradients, Singularity::Reach, tick)?;

        let mut moving = Vector::zeros();
        if System::TIME_DEPENDENT {
            moving = -self.system.time_derivative(t, q);
        }
        let v = servo.solve_transposed(stacked(&moving, &target.map(|target| target.first)));
        let along = target.map(|target| target.second) - self.system.output_terms(q, &v);
        let a = servo.solve_transposed(stacked(&-self.system.acceleration_terms(t, q, &v), &along));

        let inertia = self.system.mass().times(|| self.system.mass_matrix(q), &a);
        let needed = inertia - self.system.force(t, q, &v);
        let directions = beside(&self.system.actuation(q), &-outwards);
        let forces = factors(directions, Singularity::Actuation, tick)?.solve(needed);
        let (inputs, multipliers) = split(&forces);
        let reference = Reference { position: *q, velocity: v, acceleration: a, inputs, multipliers };
        self.bounds.check::<System, M>(&reference, tick)?;
        (self.last, self.tick, self.servo) = (reference, tick, servo);
        Ok(reference)
    }
}

impl<System, Path, T, const N: usize, const M: usize, const U: usize> Feedforward<N, M, U>
    for InverseDynamics<System, Path, T, N, M, U>
where
    T: Float,
    System: Actuated<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T>,
{
    type Base = T;

    fn tick_length(&self) -> T {
        self.course.tick_length()
    }

    fn at(&mut self, tick: u64) -> Result<Reference<T, N, M, U>, ControlError<T>> {
        let t = self.course.time::<U>(tick);
        let target = self.course.jets::<U>(t, tick)?;
        let q = self.pose(t, &target, tick)?;
        self.complete(t, &q, &target, tick)
    }
}

/// How exact a pose must be, in the units of the coordinates: √ε/32, which is 1e-5 in `f32` and 5e-10 in `f64`.
#[inline]
fn accuracy<T: Float>() -> T {
    T::ROOT_EPSILON * T::from_f64(1.0 / 32.0)
}

/// Whether a last correction is within the accuracy; NaN is not.
#[inline]
fn reached<T: Float, const N: usize>(step: &Vector<T, N>, tick: u64) -> Result<(), ControlError<T>> {
    for index in 0..N {
        let (distance, limit) = (step.data.0[0][index], accuracy());
        if !(distance.abs() <= limit) {
            return Err(ControlError::Unreachable { tick, index, distance, limit });
        }
    }
    Ok(())
}

/// The gradients of constraints and outputs, as columns.
#[inline]
fn gradients<System, T, const N: usize, const M: usize, const U: usize>(
    system: &System,
    t: T,
    q: &Vector<T, N>,
) -> Matrix<T, N, N>
where
    T: Float,
    System: Actuated<N, M, U, Base = T>,
{
    beside(&system.jacobian(t, q).transpose(), &system.output_jacobian(q).transpose())
}

/// Factors of a matrix whose columns, as given, pivots are compared with: √ε of them would leave half the digits.
#[inline]
fn factors<T: Float, const N: usize>(
    matrix: Matrix<T, N, N>,
    kind: Singularity,
    tick: u64,
) -> Result<Lu<T, N>, ControlError<T>> {
    Lu::factor_with(matrix, T::ROOT_EPSILON).map_err(|cause| ControlError::Singular { tick, kind, cause })
}

/// One vector below the other; N is the sum of their sizes.
#[inline(always)]
fn stacked<T: Float, const N: usize, const A: usize, const B: usize>(
    above: &Vector<T, A>,
    below: &Vector<T, B>,
) -> Vector<T, N> {
    let mut both = Vector::zeros();
    for i in 0..N {
        both.data.0[0][i] = if i < A { above.data.0[0][i] } else { below.data.0[0][i - A] };
    }
    both
}

/// The two vectors of which one stands below the other.
#[inline(always)]
fn split<T: Float, const N: usize, const A: usize, const B: usize>(
    both: &Vector<T, N>,
) -> (Vector<T, A>, Vector<T, B>) {
    let (mut above, mut below) = (Vector::zeros(), Vector::zeros());
    for i in 0..N {
        *if i < A { &mut above.data.0[0][i] } else { &mut below.data.0[0][i - A] } = both.data.0[0][i];
    }
    (above, below)
}

/// One matrix beside the other; N is the sum of their columns.
#[inline(always)]
fn beside<T: Float, const N: usize, const A: usize, const B: usize>(
    left: &Matrix<T, N, A>,
    right: &Matrix<T, N, B>,
) -> Matrix<T, N, N> {
    let mut both = Matrix::zeros();
    for i in 0..N {
        both.data.0[i] = if i < A { left.data.0[i] } else { right.data.0[i - A] };
    }
    both
}
