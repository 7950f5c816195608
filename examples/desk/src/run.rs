//! A run of a constrained system: steps, and what is seen at each node.

use taut::control::Steps;
use taut::linalg::{SymmetricFactors, Vector};
use taut::scalar::Float;
use taut::start::{Coordinates, Precision, State};
use taut::system::Mechanical;

use crate::arguments::Desk;
use crate::method::reports_the_end;
use crate::{Outcome, Progress};

/// What is seen at a node, in double precision.
#[derive(Clone, Copy, Debug)]
pub struct Node<const N: usize, const M: usize> {
    /// s, since the start.
    pub time: f64,
    /// q with all digits that the state carries, and with the turns of its angles.
    pub position: Vector<f64, N>,
    /// v with all digits.
    pub velocity: Vector<f64, N>,
    /// λ, as the method reports it.
    pub multipliers: Vector<f64, M>,
    /// The largest of |g|, as the method reports it.
    pub position_residual: f64,
    /// The largest of |G v + g_t|.
    pub velocity_residual: f64,
    /// The number of independent constraints.
    pub rank: u16,
}

impl<const N: usize, const M: usize> Node<N, M> {
    fn at<T: Float, F: SymmetricFactors<T, M>, P: Precision>(state: &State<T, N, M, F, P>, time: f64) -> Self {
        let mut position = doubles(state.full_position());
        for (angle, turns) in position.iter_mut().zip(state.turns()) {
            *angle += std::f64::consts::TAU * f64::from(*turns);
        }
        Self {
            time,
            position,
            velocity: doubles(state.full_velocity()),
            multipliers: state.multipliers().map(|multiplier| multiplier.to_f64()),
            position_residual: 0.0,
            velocity_residual: 0.0,
            rank: state.correction().rank() as u16,
        }
    }
}

/// All digits of positions or velocities.
pub fn doubles<T: Float, const N: usize, P: Precision>(coordinates: &Coordinates<T, N, P>) -> Vector<f64, N> {
    coordinates.full().map(|number| number.to_f64())
}

/// Steps through the time that the command line asks for; `record` sees every node, the first and the last among them.
pub fn run<System, T, F, P, const N: usize, const M: usize>(
    desk: &Desk,
    method: &impl Steps<System, T, N, M>,
    system: &System,
    state: &mut State<T, N, M, F, P>,
    mut record: impl FnMut(&Node<N, M>),
) -> Outcome
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let at_end = reports_the_end(desk.method());
    let largest = |residuals: &Vector<T, M>| residuals.iter().map(|it| it.to_f64().abs()).fold(0.0, f64::max);
    let mut progress = Progress::of(desk.steps());
    let mut node = Node::at(state, 0.0);
    for step in 1..=desk.steps() {
        let refused = |error| format!("{error}\n  a higher --rate or another --method may get through");
        let report = method.step_of(system, state).map_err(refused)?;
        let mut next = Node::at(state, step as f64 / desk.rate());
        next.position_residual = largest(&report.position_residual);
        next.velocity_residual = largest(&report.velocity_residual);
        next.rank = report.rank;
        let multipliers = report.multipliers.map(|multiplier| multiplier.to_f64());
        if at_end {
            next.multipliers = multipliers;
        } else {
            node.multipliers = multipliers;
        }
        record(&node);
        node = next;
        progress.step();
    }
    record(&node);
    Ok(())
}
