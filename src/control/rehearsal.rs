//! Checks a whole motion before it begins.

use core::ops::RangeInclusive;

use super::actuated::Actuated;
use super::checks::between;
use super::course::ticks_since;
use super::error::ControlError;
use super::feedforward::{Feedforward, Reference};
use super::inverse::{Following, Inverse};
use crate::linalg::Vector;
use crate::scalar::Float;
use crate::trajectory::Trajectory;

/// Evaluates a plan at all ticks without moving a machine. Returns the first error with its tick, or the largest magnitude of each
/// entry of the references.
///
/// So a target that is out of reach, too near to a singular pose, too fast or too strong is refused before the machine is half-way there. Call it when the plan is
/// made, not in the loop: it costs as much as the whole motion.
///
/// ```
/// use mechanisms::Crane;
/// use taut::control::{ControlError, FlatInverse, rehearse};
/// use taut::trajectory::Nonic;
///
/// let plan = |seconds| {
///     let path = Nonic::point_to_point([0.0, -4.0], [5.0_f32, -1.0], seconds)?;
///     FlatInverse::new(Crane::standard(), path, 1e-3)
/// };
/// let demand = rehearse(&plan(6.0)?, 0..=6_000)?;
/// assert!(demand.inputs[0] > 140.0 && demand.inputs[0] < 141.0); // N at the trolley
///
/// // In 1.5 s the rope would have to push.
/// assert!(matches!(rehearse(&plan(1.5)?, 0..=1_500), Err(ControlError::Slack { .. })));
/// # Ok::<(), ControlError<f32>>(())
/// ```
pub fn rehearse<Plan, T, const N: usize, const M: usize, const U: usize>(
    plan: &Plan,
    ticks: RangeInclusive<u64>,
) -> Result<Reference<T, N, M, U>, ControlError<T>>
where
    T: Float,
    Plan: Feedforward<Base = T, Reference = Reference<T, N, M, U>>,
{
    demand(plan, plan.start()?, ticks)
}

impl<System, Path, T, const N: usize, const M: usize, const U: usize, const K: usize> Inverse<System, Path, N, M, U, K>
where
    T: Float,
    System: Actuated<N, M, U, Base = T>,
    Path: Trajectory<U, Base = T>,
{
    /// Follows the present trajectory up to `tick` and another one from there to its end, or over its period, on a copy of the state. Returns the first error with its
    /// tick, or the largest magnitude of each entry of the references. The machine does not move and `state` is unchanged.
    ///
    /// Call it before [`replan`](Self::replan), outside of the control loop: it costs as much as the whole motion. So choose a tick in
    /// the future, and call `replan` when that tick has come. A singular pose between two ticks is found by its
    /// [pivots](Self::with_pivot_limit), which are small around it. A path that neither ends nor repeats itself is an error.
    ///
    /// ```
    /// use mechanisms::FiveBar;
    /// use taut::control::{Feedforward, InverseDynamics};
    /// use taut::trajectory::MinimumJerk;
    ///
    /// let linkage = FiveBar::<f32>::standard();
    /// let path = MinimumJerk::point_to_point([0.05, 0.12], [0.05, 0.15], 0.5)?;
    /// let plan = InverseDynamics::new(linkage, path, 1e-3, linkage.elbows_out([0.05, 0.12].into()))?;
    /// let plan = plan.with_pivot_limit(0.02)?;
    /// let state = plan.start()?;
    /// // Both ends are within reach, but the way goes over a motor, where the tip cannot be.
    /// let across = MinimumJerk::point_to_point([0.05, 0.12], [0.05, -0.15], 1.0)?;
    /// assert!(plan.look_ahead(&state, across, 0).is_err());
    /// # Ok::<(), taut::control::ControlError<f32>>(())
    /// ```
    pub fn look_ahead<Aid>(
        &self,
        state: &Following<Path, T, N, M, U, Aid>,
        path: Path,
        tick: u64,
    ) -> Result<Reference<T, N, M, U>, ControlError<T>>
    where
        Self: Feedforward<Base = T, Reference = Reference<T, N, M, U>, State = Following<Path, T, N, M, U, Aid>>,
        Following<Path, T, N, M, U, Aid>: Clone,
    {
        let (duration, h) = (path.duration(), self.tick_length());
        let ticks = match path.period() {
            Some(period) => period.get(),
            None => {
                // A longer path has more ticks than can be counted.
                between("duration of the path", duration, T::zero(), h * T::from_ticks(u64::from(u32::MAX / 2)))?;
                u64::from((duration / h).to_count()) + 1
            }
        };
        let mut ahead = state.clone();
        // On the present trajectory until then.
        for passed in 1..ticks_since(state.tick, tick) {
            self.at(&mut ahead, state.tick.wrapping_add(passed))?;
        }
        self.replan(&mut ahead, path, tick)?;
        demand(self, ahead, (0..=ticks).map(|passed| tick.wrapping_add(passed)))
    }
}

/// The largest magnitude of each entry of the references at some ticks.
fn demand<Plan, T, const N: usize, const M: usize, const U: usize>(
    plan: &Plan,
    mut state: Plan::State,
    ticks: impl Iterator<Item = u64>,
) -> Result<Reference<T, N, M, U>, ControlError<T>>
where
    T: Float,
    Plan: Feedforward<Base = T, Reference = Reference<T, N, M, U>>,
{
    let mut largest = Reference::at_rest(Vector::zeros());
    for tick in ticks {
        let now = plan.at(&mut state, tick)?;
        raise(&mut largest.position, &now.position);
        raise(&mut largest.velocity, &now.velocity);
        raise(&mut largest.acceleration, &now.acceleration);
        raise(&mut largest.inputs, &now.inputs);
        raise(&mut largest.multipliers, &now.multipliers);
    }
    Ok(largest)
}

/// The larger magnitude of each entry.
fn raise<T: Float, const D: usize>(largest: &mut Vector<T, D>, now: &Vector<T, D>) {
    for (largest, now) in largest.iter_mut().zip(now) {
        if now.abs() > *largest {
            *largest = now.abs();
        }
    }
}
