//! Checking a state, and resuming after the model has changed.

use super::begin::Start;
use super::error::StartError;
use super::precision::Precision;
use super::state::State;
use crate::linalg::SymmetricFactors;
use crate::scalar::Float;
use crate::system::{Mass, Mechanical};

/// The residuals of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Consistency<T, const M: usize> {
    /// g(t, q) of each constraint.
    pub position_residual: [T; M],
    /// G v + g_t of each constraint.
    pub velocity_residual: [T; M],
}

/// Evaluates the constraints at a state, with the model as it is now. It changes nothing and compares with no limit.
///
/// ```
/// # use mechanisms::Pendulum;
/// use taut::start::{Clock, Start, check};
///
/// let mut pendulum = Pendulum::<f64>::standard();
/// let state = Start::at(&pendulum, Clock::at_rate(1_000.0)?, [1.0, 0.0]).at_rest()?;
/// assert_eq!(check(&pendulum, &state).position_residual, [0.0]);
/// pendulum.length = 2.0;
/// assert_eq!(check(&pendulum, &state).position_residual, [-1.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check<System, T, const N: usize, const M: usize, F, P>(
    system: &System,
    state: &State<T, N, M, F, P>,
) -> Consistency<T, M>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let time = state.clock.time_after::<P>(0);
    let t = time.high;
    let (q, v) = (state.position(), state.velocity());
    let position = P::start_residual(system, time, &state.node.q);
    let velocity = system.velocity_residual(&system.jacobian(t, q), t, q, v);
    Consistency { position_residual: position.data.0[0], velocity_residual: velocity.data.0[0] }
}

/// Brings a state back onto the constraints after the model has changed: assembles from its position, makes its velocity consistent and
/// computes multipliers and limits anew. The clock stays. On an error the state is unchanged.
///
/// ```
/// # use mechanisms::Pendulum;
/// use taut::start::{Clock, Start, check, resume};
///
/// let mut pendulum = Pendulum::<f64>::standard();
/// let mut state = Start::at(&pendulum, Clock::at_rate(1_000.0)?, [1.0, 0.0]).at_rest()?;
/// pendulum.length = 1.1;
/// assert!(check(&pendulum, &state).position_residual[0].abs() > 0.1);
/// resume(&pendulum, &mut state)?;
/// assert!((state.position().norm() - 1.1).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn resume<System, T, const N: usize, const M: usize, F, P>(
    system: &System,
    state: &mut State<T, N, M, F, P>,
) -> Result<(), StartError<T>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    system.mass().check().map_err(StartError::Mass)?;
    let start = Start::at(system, state.clock, *state.position()).choosing::<F, P>().limit(state.limit);
    let resumed = start.near_guess(state.velocity())?;
    *state = State { turns: state.turns, ..resumed };
    Ok(())
}
