//! BDF2: the backward differentiation formula of two steps, at a fixed step.
//!
//! ```text
//!     q̂ = (4 q_n − q_n₋₁)/3,   v̂ = (4 v_n − v_n₋₁)/3,   then implicit Euler from (q̂, v̂) with the step 2h/3     (Hairer & Wanner VII.2, (2.25), (2.26))
//! ```
//!
//! (In the source, q̂ lacks its sign.) Velocities are projected within the step, which is the stabilised form of Gear, Gupta and Leimkuhler;
//! [`position_level`](Bdf2::position_level) leaves that out. Semi-explicit systems of index 1 and 2 are stepped likewise.
//!
//! **Order** 2 in positions, velocities and multipliers; the report gives those at the **end** of the step. On the position level,
//! multipliers have this order after three steps.
//!
//! **Preserves** both constraints, on the position level that of the positions. It damps stiff forces completely.
//!
//! **Choose it** for stiff forces where [`RadauIia`] is too expensive: it is the cheapest implicit method of order 2. The force must be smooth
//! in time: after a jump of an input the order is lost for a few steps, unless the history [begins](Bdf2::begin) anew.
//!
//! **Cost**: 1.08 times that of [`ImplicitEuler`](super::ImplicitEuler) with projected velocities, for a double pendulum on a Cortex-M4F
//! (`cargo xtask budget`). The history of two nodes takes 2N more numbers: [`TwoNodes`].

use super::ending::Ending;
use super::error::StepError;
use super::finite::finite;
use super::implicit_euler::solve;
use super::judge::{Judge, inconsistent};
use super::radau::RadauIia;
use super::report::Report;
use super::step::Step;
use super::{DEFAULT_ITERATIONS, implicit_euler_dae, iterations};
use crate::linalg::{SymmetricFactors, Vector};
use crate::project::Correction;
use crate::scalar::Float;
use crate::start::{Precision, SemiExplicitState, State, StepSize};
use crate::system::{Mechanical, SemiExplicit};

/// BDF2 with `K` Newton iterations, in the stabilised form or on the position level.
///
/// ```
/// # use mechanisms::Pendulum;
/// use taut::method::{Bdf2, Step};
/// use taut::start::{Clock, Start};
///
/// let pendulum = Pendulum::<f64>::standard();
/// let bdf2 = Bdf2::new();
/// let start = Start::at(&pendulum, Clock::at_rate(1_000.0)?, [1.0, 0.0]).at_rest()?;
/// let mut nodes = bdf2.begin(&pendulum, start)?; // the first step, by Radau IIA
/// for _ in 1..100 {
///     bdf2.step(&pendulum, &mut nodes)?;
/// }
/// assert_eq!(nodes.state().clock().tick(), 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Bdf2<const PROJECT: bool = true, const K: usize = DEFAULT_ITERATIONS>;

impl Bdf2 {
    /// In the stabilised form.
    pub const fn new() -> Self {
        Self
    }

    /// On the position level (index 3): velocities are off their constraint by O(h²).
    pub const fn position_level() -> Bdf2<false> {
        Bdf2
    }
}

/// A state and the change of the last step: the history of BDF2. A change of the step size or of the model between two steps makes it invalid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoNodes<State, Change> {
    state: State,
    change: Change,
}

impl<State, Change> TwoNodes<State, Change> {
    /// From a state and the change from the node before it: of positions and velocities, or of y.
    pub const fn new(state: State, change: Change) -> Self {
        Self { state, change }
    }

    /// The present state.
    pub const fn state(&self) -> &State {
        &self.state
    }
}

/// The two nodes of a mechanical system: changes of positions and velocities.
type Nodes<T, const N: usize, const M: usize, F, P> = TwoNodes<State<T, N, M, F, P>, [Vector<T, N>; 2]>;

impl<const PROJECT: bool, const K: usize> Bdf2<PROJECT, K> {
    /// Sets the number of Newton iterations; by default two in `f32`, six in `f64`.
    pub const fn iterations<const ITERATIONS: usize>(self) -> Bdf2<PROJECT, ITERATIONS> {
        Bdf2
    }

    /// Makes the first step, with [`RadauIia`] of order 3. Call it again after a jump of an input, and after a change of the step size.
    pub fn begin<System, T, const N: usize, const M: usize, F, P>(
        &self,
        system: &System,
        start: State<T, N, M, F, P>,
    ) -> Result<Nodes<T, N, M, F, P>, StepError<T>>
    where
        T: Float,
        System: Mechanical<N, M, Base = T>,
        F: SymmetricFactors<T, M>,
        P: Precision,
    {
        let (mut state, turns) = (start, start.turns);
        RadauIia::order_three().step(system, &mut state)?;
        let mut moved = state.node.q.minus(&start.node.q);
        for i in 0..N {
            // An angle that has been brought back into [−π, π] has moved on.
            let turns = state.turns[i].wrapping_sub(turns[i]);
            moved.data.0[0][i] += (T::PI + T::PI) * T::from_f64(f64::from(turns));
        }
        let change = [moved, state.node.v.minus(&start.node.v)];
        Ok(TwoNodes { state, change })
    }

    /// The same for a semi-explicit system.
    pub fn begin_semi_explicit<System, T, const Y: usize, const Z: usize>(
        &self,
        system: &System,
        start: SemiExplicitState<T, Y, Z>,
    ) -> Result<TwoNodes<SemiExplicitState<T, Y, Z>, Vector<T, Y>>, StepError<T>>
    where
        T: Float,
        System: SemiExplicit<Y, Z, Base = T>,
    {
        let mut state = start;
        RadauIia::order_three().step(system, &mut state)?;
        Ok(TwoNodes { state, change: state.y - start.y })
    }

    const NAME: &'static str = if PROJECT { "bdf_2" } else { "bdf_2_positions" };
}

/// h γ, for the step of implicit Euler.
fn shortened<T: Float>(size: StepSize<T>) -> StepSize<T> {
    StepSize { h: size.h * T::from_f64(2.0 / 3.0), inverse: size.inverse * T::from_f64(1.5), ..size }
}

impl<System, T, const N: usize, const M: usize, F, P, const PROJECT: bool, const K: usize>
    Step<System, Nodes<T, N, M, F, P>> for Bdf2<PROJECT, K>
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

    fn step(&self, system: &System, nodes: &mut Nodes<T, N, M, F, P>) -> Result<Report<T, M>, StepError<T>> {
        let (state, third) = (&mut nodes.state, T::from_f64(1.0 / 3.0));
        let (tick, times) = (state.clock.tick, state.clock.times::<P>());
        Judge { defers: false, ..Judge::of(state) }.start(&P::start_residual(system, times[0], &state.node.q))?;
        let [moved, changed] = nodes.change;
        let mut from = *state;
        from.node.q = state.node.q.begin().by(&(moved * third)).finish();
        from.node.v = state.node.v.begin().by(&(changed * third)).finish();
        from.clock.size = shortened(state.clock.size);

        let mut correction = Correction::workspace();
        let next: Ending<T, N, M, P> =
            solve::<_, _, N, M, F, P, 3, PROJECT, false>(system, &from, times, iterations::<T, K>(), &mut correction)?;
        finite(&next, tick)?;
        if PROJECT {
            Judge::of(state).projected_velocity::<N, P, F>(&next)?;
        }
        nodes.change = [next.q.minus(&state.node.q), next.v.minus(&state.node.v)];
        state.advance::<System>(&next, &correction);
        Ok(next.report(&correction, next.second_half, iterations::<T, K>()))
    }
}

impl<System, T, const Y: usize, const Z: usize, const PROJECT: bool, const K: usize>
    Step<System, TwoNodes<SemiExplicitState<T, Y, Z>, Vector<T, Y>>> for Bdf2<PROJECT, K>
where
    T: Float,
    System: SemiExplicit<Y, Z, Base = T>,
{
    type Report = ();
    type Error = StepError<T>;

    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn step(
        &self,
        system: &System,
        nodes: &mut TwoNodes<SemiExplicitState<T, Y, Z>, Vector<T, Y>>,
    ) -> Result<(), StepError<T>> {
        let (tick, state) = (nodes.state.clock.tick, &mut nodes.state);
        let [t_start, t] = state.clock.plain_times();
        state.start_residual(system, t_start).map_err(|residual| inconsistent(residual, tick))?;
        let from = state.y + nodes.change * T::from_f64(1.0 / 3.0);
        let place = (t, &from, shortened(state.clock.size));
        let (y, z) = implicit_euler_dae::solve(system, state, place, iterations::<T, K>())?;
        nodes.change = y - state.y;
        (state.y, state.z) = (y, z);
        state.clock.advance_in_period();
        Ok(())
    }
}
