//! Looking at a state, and the way back when the model has changed under it.

use super::assemble::assemble;
use super::begin::{consistent_velocity, settle, state as complete};
use super::error::StartError;
use super::precision::Precision;
use super::state::State;
use crate::linalg::SymmetricFactors;
use crate::scalar::Float;
use crate::system::{Mass, Mechanical};

/// How far a state is off its constraints.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Consistency<T, const M: usize> {
    /// g(t, q) of each constraint.
    pub position_residual: [T; M],
    /// G v + g_t of each constraint.
    pub velocity_residual: [T; M],
}

/// Evaluates the constraints at a state, with the model as it is now. Changes nothing and judges nothing.
///
/// `h` is the step of the method that moves the state, for the model's time.
///
/// ```
/// # use systems::Pendulum;
/// use taut::start::{Start, check};
///
/// let mut pendulum = Pendulum::<f64>::standard();
/// let state = Start::at(&pendulum, [1.0, 0.0]).at_rest()?;
/// assert_eq!(check(&pendulum, &state, 1e-3).position_residual, [0.0]);
/// pendulum.length = 2.0;
/// assert_eq!(check(&pendulum, &state, 1e-3).position_residual, [-1.5]);
/// # Ok::<(), taut::start::StartError<f64>>(())
/// ```
pub fn check<System, T, const N: usize, const M: usize, F, P>(
    system: &System,
    state: &State<T, N, M, F, P>,
    h: T,
) -> Consistency<T, M>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let time = state.clock.time::<P>(0, h);
    let t = time.high;
    let (q, v) = (state.position(), state.velocity());
    let position = P::anchor(system, time, &state.node.q);
    let velocity = system.velocity_residual(&system.jacobian(t, q), t, q, v);
    Consistency { position_residual: position.data.0[0], velocity_residual: velocity.data.0[0] }
}

/// Brings a state back onto constraints that have moved under it: assembles from its position, makes its velocity
/// consistent, computes the multipliers anew. The tick stays.
///
/// On an error the state is untouched. `h` is the step of the method that moves the state, for the model's time.
///
/// ```
/// # use systems::Pendulum;
/// use taut::start::{Start, check, resume};
///
/// let mut pendulum = Pendulum::<f64>::standard();
/// let mut state = Start::at(&pendulum, [1.0, 0.0]).at_rest()?;
/// pendulum.length = 1.1;
/// assert!(check(&pendulum, &state, 1e-3).position_residual[0].abs() > 0.1);
/// resume(&pendulum, &mut state, 1e-3)?;
/// assert!((state.position().norm() - 1.1).abs() < 1e-15);
/// # Ok::<(), taut::start::StartError<f64>>(())
/// ```
pub fn resume<System, T, const N: usize, const M: usize, F, P>(
    system: &System,
    state: &mut State<T, N, M, F, P>,
    h: T,
) -> Result<(), StartError<T>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let time = state.clock.time::<P>(0, h);
    let t = time.high;
    system.mass().check().map_err(StartError::Mass)?;
    let (q, geometry) = assemble(system, t, state.position(), state.limit)?;
    let v = consistent_velocity(system, t, &q, state.velocity(), &geometry, state.limit)?;
    let (q, v) = settle(system, time, q, v, &geometry.correction);
    let resumed = complete(system, t, q, v, geometry, state.limit, state.clock)?;
    *state = State { turns: state.turns, ..resumed };
    Ok(())
}
