//! Implicit Euler on the general index-3 form p' = U(t, q), q' = F(t, p, q) + G(t, p, q) Λ, 0 = R(t, p).
//!
//! ```text
//!     p₁ = p₀ + h U(t₁, q₁),    q₁ = q₀ + h (F + G Λ₁),    0 = R(t₁, p₁)
//! ```
//!
//! **Order** 1. From exact initial values the multipliers of the first step are wrong by O(1).
//! [`make_consistent`](Step::make_consistent) changes q₀ so that they are right (Arévalo, (4.2b)):
//!
//! ```text
//!     q₀ ← q₀ − A U_q (q₁ − q₀) − h A U_t,    A = G (R_p U_q G)⁻¹ R_p at (t₁, p₁, q₁)
//! ```
//!
//! **Preserves** the constraint R = 0. **Choose it** for servo constraints and other systems whose multipliers do not act along the
//! gradients; for mechanical systems [`Mechanical`](crate::system::Mechanical) has more methods.
//!
//! **Cost**: each Newton iteration evaluates the equations with first derivatives and factorises a Q×Q and an S×S matrix. Unknowns are q₁
//! and h Λ₁, and the constraint is divided by h, so that the matrix is O(1) in h.
//!
//! If K = R_p U_q G is singular between two steps, no pivot shows it: the multipliers grow and the numerical solution turns back. So a
//! step is refused if K changes by more than half of itself, ‖K₀⁻¹ K₁ − I‖ > 1/2, at the predicted or at the computed end. Below that,
//! no matrix in between is singular.

use super::converged::{balanced, last_displacement, solved};
use super::error::StepError;
use super::finite::{finite_numbers, finite_or};
use super::implicit_euler::ImplicitEuler;
use super::iterations;
use super::judge::{inconsistent, is_projected, velocity_reached};
use super::step::Step;
use crate::linalg::{FactorError, Lu, Matrix, Vector, magnitude, product, product_of, subtract_product};
use crate::project::{Level, within};
use crate::scalar::{Dual, Float, Increment, Real};
use crate::start::{Coordinates, IndexThreeState, Precision, StepSize, Wide};
use crate::system::IndexThree;
use crate::system::automatic::from_partials;

/// The result of a step.
struct Found<T: Float, const P: usize, const Q: usize, const S: usize, D: Precision> {
    p: Coordinates<T, P, D>,
    q: Coordinates<T, Q, D>,
    multipliers: Vector<T, S>,
    /// G and R_p U_q at the end.
    coupling: Matrix<T, Q, S>,
    gradient: Matrix<T, S, Q>,
}

/// The report is the multipliers Λ at the end of the step.
///
/// ```
/// # use nalgebra::{matrix, vector};
/// # use taut::linalg::{Matrix, Vector};
/// # use taut::scalar::Real;
/// # use taut::system::IndexThree;
/// # struct Servo;
/// # impl IndexThree<1, 1, 1> for Servo {
/// #     type Base = f64;
/// #     fn rate<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 1>) -> Vector<S, 1> { *q }
/// #     fn force<S: Real<Base = f64>>(&self, _t: S, _p: &Vector<S, 1>, q: &Vector<S, 1>) -> Vector<S, 1> {
/// #         vector![q[0] * -0.1]
/// #     }
/// #     fn coupling<S: Real<Base = f64>>(&self, _t: S, _p: &Vector<S, 1>, _q: &Vector<S, 1>) -> Matrix<S, 1, 1> {
/// #         matrix![S::from(2.0)]
/// #     }
/// #     fn constraint<S: Real<Base = f64>>(&self, t: S, p: &Vector<S, 1>) -> Vector<S, 1> {
/// #         vector![p[0] - t.sin()]
/// #     }
/// # }
/// use taut::method::{ImplicitEuler, Step};
/// use taut::start::{Clock, IndexThreeState};
///
/// // The force that keeps a cart on its path: 2 F = −sin t + 0.1 cos t.
/// let mut state = IndexThreeState::start(&Servo, Clock::with_step(1e-3)?, [0.0], [1.0])?;
/// let euler = ImplicitEuler::new();
/// euler.make_consistent(&Servo, &mut state)?;
/// let force = euler.step(&Servo, &mut state)?;
/// assert!((force[0] - 0.05).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<System, T, const P: usize, const Q: usize, const S: usize, D, const K: usize>
    Step<System, IndexThreeState<T, P, Q, S, D>> for ImplicitEuler<3, false, K>
where
    T: Float,
    System: IndexThree<P, Q, S, Base = T>,
    D: Precision,
{
    type Report = Vector<T, S>;
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn step(&self, system: &System, state: &mut IndexThreeState<T, P, Q, S, D>) -> Result<Vector<T, S>, StepError<T>> {
        let found = solve(system, state, iterations::<T, K>())?;
        state.p = found.p;
        state.q = found.q;
        state.multipliers = found.multipliers;
        state.clock.advance_in_period();
        Ok(found.multipliers)
    }

    /// Changes the velocities q₀: projects them onto R_p U + R_t = 0 along G, then corrects them. Call it after a start, or during a run
    /// after a change of the motion of the constraint, for example for a new target. A second call changes q₀ by O(h²).
    fn make_consistent(&self, system: &System, state: &mut IndexThreeState<T, P, Q, S, D>) -> Result<(), StepError<T>> {
        let given = state.q;
        let made = make_velocity_consistent(system, state, iterations::<T, K>());
        if made.is_err() {
            state.q = given;
        }
        made
    }
}

/// Arévalo, (4.2b). On an error the velocity may have changed.
fn make_velocity_consistent<
    System: IndexThree<P, Q, S, Base = T>,
    T: Float,
    const P: usize,
    const Q: usize,
    const S: usize,
    D: Precision,
>(
    system: &System,
    state: &mut IndexThreeState<T, P, Q, S, D>,
    iterations: usize,
) -> Result<(), StepError<T>> {
    let (tick, h, t_start) = (state.clock.tick, state.clock.size.h, state.clock.time());
    let t = state.clock.time_after::<D>(1).high;
    let singular = |cause| StepError::Singular { tick, cause };
    // A step leaves the velocities off the hidden constraint by O(h).
    let limits = Vector::repeat(state.limit);
    if !is_projected::<_, Q, S, D>(&state.velocity_residual(system), (&limits, state.limit), state.velocity()) {
        let matrix = system.multiplier_matrix(t_start, state.position(), state.velocity());
        state.settle_velocity(system, &Lu::factor(matrix).map_err(singular)?);
        velocity_reached(&state.velocity_residual(system), &limits, state.velocity(), tick)?;
    }

    let found = solve(system, state, iterations)?;
    // R_p U_t: the derivative of R along U_t.
    let [moving] = Dual::variables([t]);
    let rate = system.rate(moving, &found.q.rounded().map(Dual::constant));
    let along = found.p.rounded().zip_map(&rate, |p, u| Dual::<T, 1>::new(p, [u.partials[0]]));
    let moved = system.constraint(Dual::constant(t), &along).map(|r| r.partials[0]);
    let change = product(&found.gradient, &found.q.minus(&state.q)) + moved * h;
    let matrix = product_of(&found.gradient, &found.coupling);
    let multipliers = Lu::factor(matrix).map_err(singular)?.solve(change);
    let velocity = state.q.begin().shift(|q| subtract_product(q, &found.coupling, &multipliers)).finish();
    finite_numbers(Level::Velocity, velocity.rounded(), tick)?;
    state.q = velocity;
    Ok(())
}

/// Computes the end of a step.
fn solve<
    System: IndexThree<P, Q, S, Base = T>,
    T: Float,
    const P: usize,
    const Q: usize,
    const S: usize,
    D: Precision,
>(
    system: &System,
    state: &IndexThreeState<T, P, Q, S, D>,
    iterations: usize,
) -> Result<Found<T, P, Q, S, D>, StepError<T>> {
    let StepSize { h, inverse, .. } = state.clock.size;
    let tick = state.clock.tick;
    let (p_start, q_start) = (state.position(), state.velocity());
    let [t_start, t_end] = [0, 1].map(|ahead| state.clock.time_after::<D>(ahead));
    let t = t_end.high;
    let singular = |cause: FactorError<T>| StepError::Singular { tick, cause };

    let limits = Vector::<T, S>::repeat(state.limit);
    within(Level::Position, &system.constraint(t_start.high, p_start), &limits)
        .map_err(|residual| inconsistent(residual, tick))?;
    let matrix = Lu::factor(system.multiplier_matrix(t_start.high, p_start, q_start)).map_err(singular)?;
    let regular = |p: &Vector<T, P>, q: &Vector<T, Q>| {
        let (change, limit) = (change(&matrix, &system.multiplier_matrix(t, p, q)), T::from_f64(0.5));
        let error = StepError::SingularWithin { tick, measure: change, limit };
        if change <= limit { Ok(()) } else { Err(finite_or(error, *p, tick)) }
    };

    // With all digits for unchanged velocities; their change x adds O(h²) to p.
    let time = D::Wide::<T>::from_parts(t_end.high, t_end.low);
    let predicted = system.rate(time, &state.q.wide()).zip_map(&state.p.wide(), |u, p| u * h + p);
    let predicted_residual = system.constraint(time, &predicted).map(|r| r.value());
    let predicted = Coordinates::<T, P, D>::from_wide(&predicted);
    regular(predicted.rounded(), q_start)?;
    let moved_by = |x: &Vector<T, Q>| {
        let time = Increment::from(t);
        let p = system.rate(time, &q_start.zip_map(x, Increment::new)).map(|u| u.change * h);
        let r = system.constraint(time, &predicted.rounded().zip_map(&p, Increment::new)).map(|r| r.change);
        (p, predicted_residual + r)
    };

    let (mut x, mut last_step) = (Vector::<T, Q>::zeros(), Vector::zeros());
    let mut impulse = state.multipliers * h;
    for _ in 0..iterations {
        let change = Vector::from(Dual::<T, Q>::variables(x.data.0[0]));
        let Linear { p, q, coupling, gradient } = linear(system, t, h, p_start, q_start, &change);
        let balance =
            change - system.force(Dual::constant(t), &p, &q).map(|f| f * h) - coupling * impulse.map(Dual::constant);
        let constraint = moved_by(&x).1 * inverse;

        // With x − δ and hΛ + μ: A δ − G' μ = r₁ for G' = −G, C δ = r₂.
        let not_solved = |cause| not_solved(cause, x, balance.map(|r| r.value), tick);
        let stiffness = Lu::factor(from_partials(&balance)).map_err(not_solved)?;
        let mut step = stiffness.solve(balance.map(|r| r.value));
        let mut columns = Matrix::<T, Q, S>::zeros();
        for column in 0..S {
            let direction = coupling.column(column).map(|g| -g.value);
            columns.data.0[column] = stiffness.solve(direction).data.0[0];
        }
        let factors = Lu::factor(product_of(&gradient, &columns)).map_err(not_solved)?;
        let missing = constraint - product(&gradient, &step);
        let multiplier_step = factors.solve(missing);
        subtract_product(&mut step, &columns, &(-multiplier_step));
        x -= step;
        impulse += multiplier_step;
        last_step = step;
    }

    let (p_change, _) = moved_by(&x);
    let p = predicted.begin().by(&p_change).finish();
    let q = state.q.begin().by(&x).finish();
    finite_numbers(Level::Position, p.rounded(), tick)?;
    finite_numbers(Level::Velocity, q.rounded(), tick)?;
    // At p as the next step will see it: a displacement far larger than p loses the digits of p.
    solved(Level::Position, &system.constraint(t, p.rounded()), &limits, tick)?;
    regular(p.rounded(), q.rounded())?;
    let change = Vector::from(Dual::<T, Q>::variables(x.data.0[0]));
    let Linear { coupling, gradient, .. } = linear(system, t, h, p_start, q_start, &change);
    let coupling = coupling.map(|g| g.value);
    // The residual x − h F − G h Λ after the last iteration, times h: a displacement.
    let mut balance = x - system.force(t, p.rounded(), q.rounded()) * h;
    subtract_product(&mut balance, &coupling, &impulse);
    balanced(&(balance * h), state.limit, tick)?;
    last_displacement(&(last_step * h), q.rounded(), p.rounded(), h, tick)?;
    let multipliers = impulse * inverse;
    finite_numbers(Level::Multiplier, &multipliers, tick)?;
    Ok(Found { p, q, multipliers, coupling, gradient })
}

/// Positions, velocities, G and R_p U_q after a change of velocities.
struct Linear<T, const P: usize, const Q: usize, const S: usize> {
    p: Vector<Dual<T, Q>, P>,
    q: Vector<Dual<T, Q>, Q>,
    coupling: Matrix<Dual<T, Q>, Q, S>,
    gradient: Matrix<T, S, Q>,
}

fn linear<System: IndexThree<P, Q, S, Base = T>, T: Float, const P: usize, const Q: usize, const S: usize>(
    system: &System,
    t: T,
    h: T,
    p: &Vector<T, P>,
    q: &Vector<T, Q>,
    change: &Vector<Dual<T, Q>, Q>,
) -> Linear<T, P, Q, S> {
    let time = Dual::constant(t);
    let q = change.zip_map(q, |x, q| x + q);
    let rate = system.rate(time, &q);
    let p = rate.zip_map(p, |u, p| u * h + p);
    let coupling = system.coupling(time, &p, &q);
    // R along the partial derivatives of U.
    let along = p.zip_map(&rate, |p, u| Dual::<T, Q>::new(p.value, u.partials));
    Linear { p, q, coupling, gradient: from_partials(&system.constraint(time, &along)) }
}

/// ‖K₀⁻¹ K − I‖, the largest sum of magnitudes in a row.
pub(super) fn change<T: Float, const S: usize>(factors: &Lu<T, S>, matrix: &Matrix<T, S, S>) -> T {
    let mut sums = Vector::<T, S>::zeros();
    for column in 0..S {
        let solved = factors.solve(Vector::from(matrix.data.0[column]));
        for row in 0..S {
            let identity = if row == column { T::one() } else { T::zero() };
            sums.data.0[0][row] += (solved.data.0[0][row] - identity).abs();
        }
    }
    magnitude(&sums)
}

/// Why Newton's matrix cannot be factorised: Newton diverged, a force is NaN, or the matrix is singular.
#[cold]
pub(super) fn not_solved<T: Float, const Q: usize>(
    cause: FactorError<T>,
    x: Vector<T, Q>,
    balance: Vector<T, Q>,
    tick: u64,
) -> StepError<T> {
    let numbers = x.iter().position(|x| !x.is_finite()).or_else(|| balance.iter().position(|x| !x.is_finite()));
    match numbers {
        Some(index) => StepError::NonFinite { tick, level: Level::Velocity, index },
        None => StepError::Singular { tick, cause },
    }
}
