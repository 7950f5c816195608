//! The state of a linear system in Hessenberg form: its consistent start, its steps, and boundary values.
//!
//! [`RungeKutta4`] integrates v' = Â v + g, and applies v ← (I − P) v at the end of each step. P v = 0 is invariant for the exact solution, but
//! not for a method. [`RungeKutta4::bare`] leaves the projection out. **Order** 4 in all unknowns. **Preserves** all constraints, hidden
//! ones too: they are met at every tick to round-off, also without projection except for A_r,r−1 v_r−1. **Cost**: two state spaces a step.

use super::checks::{not_finite, too_large};
use super::hessenberg::{Hessenberg, StateSpace};
use super::hessenberg_error::HessenbergError;
use crate::linalg::{FactorError, Matrix, Qr, Vector};
use crate::method::classical;
use crate::method::{RungeKutta4, Step};
use crate::scalar::Float;
use crate::start::Clock;

/// The unknowns of a [`Hessenberg`] system, consistent with all constraints.
///
/// ```
/// # use nalgebra::{matrix, vector};
/// # use taut::control::{ConstantHessenberg, Hessenberg};
/// # use taut::linalg::{Matrix, Vector};
/// # use taut::scalar::Real;
/// # struct Prescribed;
/// # impl Hessenberg<3, 3, 1> for Prescribed {
/// #     type Base = f64;
/// #     const SIZES: [usize; 3] = [1, 1, 1];
/// #     fn matrix<E: Real<Base = f64>>(&self, _t: E) -> Matrix<E, 3, 3> {
/// #         let (o, l) = (E::zero(), E::one());
/// #         matrix![o, o, l * 0.5; l, o, o; o, l, o]
/// #     }
/// #     fn input<E: Real<Base = f64>>(&self, t: E) -> Vector<E, 3> {
/// #         vector![E::zero(), E::zero(), -t.sin()]
/// #     }
/// # }
/// use taut::control::HessenbergState;
/// use taut::method::{RungeKutta4, Step};
/// use taut::start::Clock;
///
/// let plant = ConstantHessenberg::new(Prescribed)?; // a mass on a path, v, p and the force
/// let mut state = HessenbergState::start(&plant, Clock::at_rate(1_000.0)?, [0.0; 3])?;
/// assert_eq!(*state.unknowns(), vector![1.0, 0.0, 0.0]);
/// RungeKutta4::new().step(&plant, &mut state)?;
/// assert!((state.inputs()[0] + 2.0 * 1e-3).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HessenbergState<T, const S: usize, const R: usize, const U: usize> {
    clock: Clock<T>,
    states: Vector<T, S>,
    unknowns: Vector<T, S>,
    space: StateSpace<T, S, U>,
}

impl<T: Float, const S: usize, const R: usize, const U: usize> HessenbergState<T, S, R, U> {
    /// Starts at the time of the clock, with the state components of a guess. All other components follow from them.
    pub fn start<System: Hessenberg<S, R, U, Base = T>>(
        system: &System,
        clock: Clock<T>,
        guess: impl Into<Vector<T, S>>,
    ) -> Result<Self, HessenbergError<T>> {
        let space = system.state_space(clock.time())?;
        Self::at(clock, space, &space.states(&guess.into()))
    }

    /// At the states v, if all unknowns are finite.
    fn at(clock: Clock<T>, space: StateSpace<T, S, U>, states: &Vector<T, S>) -> Result<Self, HessenbergError<T>> {
        let unknowns = space.unknowns(states);
        match unknowns.iter().position(|z| !z.is_finite()) {
            Some(index) => Err(HessenbergError::NonFinite { time: clock.time(), index }),
            None => Ok(Self { clock, states: *states, unknowns, space }),
        }
    }

    /// z = (z_1, …, z_{r−1}, u).
    pub fn unknowns(&self) -> &Vector<T, S> {
        &self.unknowns
    }

    /// u: the last unknowns.
    pub fn inputs(&self) -> Vector<T, U> {
        Vector::from(core::array::from_fn(|k| self.unknowns.data.0[0][S - U + k]))
    }

    /// v: the state components, zero for u.
    pub fn states(&self) -> &Vector<T, S> {
        &self.states
    }

    /// The clock.
    pub fn clock(&self) -> &Clock<T> {
        &self.clock
    }
}

impl<System, T, const S: usize, const R: usize, const U: usize, const P: bool, const V: bool>
    Step<System, HessenbergState<T, S, R, U>> for RungeKutta4<T, P, V>
where
    T: Float,
    System: Hessenberg<S, R, U, Base = T>,
{
    type Report = ();
    type Error = HessenbergError<T>;

    fn name(&self) -> &'static str {
        if P || V { "runge_kutta_4" } else { "runge_kutta_4_bare" }
    }

    fn step(&self, system: &System, state: &mut HessenbergState<T, S, R, U>) -> Result<(), HessenbergError<T>> {
        let mut space = state.space;
        let mut states = classical(&state.clock, &state.states, |stage, t, states| {
            // The second and the third stage are at the same time.
            if stage == 1 || stage == 3 {
                space = system.state_space(t)?;
            }
            Ok(space.rate(states))
        })?;
        if P || V {
            states = space.states(&states);
        }
        let mut clock = state.clock;
        clock.advance_in_period();
        *state = HessenbergState::at(clock, space, &states)?;
        Ok(())
    }
}

/// The solution of a boundary value problem, at its beginning: B₀ z(t₀) + B₁ z(t₁) = β, where t₁ is `ticks` steps after the time t₀ of the
/// clock. With as many conditions as the system has free values they hold exactly; with more of them, they must agree. An entry that is not
/// finite is refused with its place.
///
/// By shooting from each component of z. Use it on the host: it takes as many runs as there are unknowns, and one more.
pub fn boundary_value<System, T: Float, const S: usize, const R: usize, const U: usize, const C: usize>(
    system: &System,
    clock: Clock<T>,
    ticks: usize,
    [begin, end]: [&Matrix<T, C, S>; 2],
    beta: &Vector<T, C>,
) -> Result<HessenbergState<T, S, R, U>, HessenbergError<T>>
where
    System: Hessenberg<S, R, U, Base = T>,
{
    let shooting = Shooting::new(system, clock, ticks, [begin, end], beta)?;
    let (guess, residual) = shooting.solve(clock.time())?;
    let limit = T::ROOT_EPSILON * (T::one() + beta.dot(beta).sqrt());
    if residual <= limit {
        HessenbergState::start(system, clock, guess)
    } else {
        Err(HessenbergError::Contradictory { residual, limit })
    }
}

/// The conditions as a function of the guess z from which a run starts: `slope` z = `needed`.
pub(super) struct Shooting<T, const S: usize, const R: usize, const U: usize, const C: usize> {
    pub(super) slope: Matrix<T, C, S>,
    pub(super) needed: Vector<T, C>,
}

impl<T: Float, const S: usize, const R: usize, const U: usize, const C: usize> Shooting<T, S, R, U, C> {
    /// Runs from zero and from each unit vector.
    pub(super) fn new<System: Hessenberg<S, R, U, Base = T>>(
        system: &System,
        clock: Clock<T>,
        ticks: usize,
        [begin, end]: [&Matrix<T, C, S>; 2],
        beta: &Vector<T, C>,
    ) -> Result<Self, HessenbergError<T>> {
        for (what, matrix) in [("conditions at the begin", begin), ("conditions at the end", end)] {
            if let Some([row, column]) = not_finite(matrix) {
                return Err(HessenbergError::Argument { what, row, column });
            }
        }
        if let Some(row) = too_large(beta, C) {
            return Err(HessenbergError::Argument { what: "right-hand sides of the conditions", row, column: 0 });
        }
        let conditions = |guess: Vector<T, S>| {
            let mut state = HessenbergState::start(system, clock, guess)?;
            let at_begin = begin * state.unknowns;
            for _ in 0..ticks {
                RungeKutta4::new().step(system, &mut state)?;
            }
            Ok(at_begin + end * state.unknowns)
        };
        let offset = conditions(Vector::zeros())?;
        let mut slope = Matrix::zeros();
        for k in 0..S {
            let mut unit = Vector::zeros();
            unit.data.0[0][k] = T::one();
            slope.data.0[k] = (conditions(unit)? - offset).data.0[0];
        }
        Ok(Self { slope, needed: beta - offset })
    }

    /// The guess that meets the conditions best, and the norm of what is left of them.
    pub(super) fn solve(&self, time: T) -> Result<(Vector<T, S>, T), HessenbergError<T>> {
        let free = S - R * U;
        let factors = Qr::factor_to_rank(self.slope, free).map_err(|cause| match cause {
            FactorError::NonFinite { index } => HessenbergError::NonFinite { time, index },
            FactorError::SmallPivot { .. } => HessenbergError::Boundary { determined: 0, free },
        })?;
        if factors.rank() < free {
            return Err(HessenbergError::Boundary { determined: factors.rank(), free });
        }
        let guess = factors.solve_least_squares(self.needed);
        let left = self.needed - self.slope * guess;
        let residual = left.dot(&left).sqrt();
        if residual.is_finite() {
            return Ok((guess, residual));
        }
        // The run from zero, or the guess, overflows.
        let index = guess.iter().position(|z| !z.is_finite()).unwrap_or(0);
        Err(HessenbergError::NonFinite { time, index })
    }
}
