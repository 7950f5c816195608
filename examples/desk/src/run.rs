//! A run of a constrained system: steps, and what is seen at each node.

use taut::control::Steps;
use taut::linalg::{SymmetricFactors, Vector};
use taut::scalar::Float;
use taut::start::{Coordinates, Precision, State};
use taut::system::Mechanical;

use crate::Progress;
use crate::arguments::Desk;
use crate::method::reports_the_end;

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

/// Steps through the time that the command line asks for; `record` sees every node, the first and the last among them. A step that is
/// refused ends the run: what there is until then can be seen, and the program fails at its end.
pub fn run<System, T, F, P, const N: usize, const M: usize>(
    desk: &Desk,
    method: &impl Steps<System, T, N, M>,
    system: &System,
    state: &mut State<T, N, M, F, P>,
    mut record: impl FnMut(&Node<N, M>),
) where
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
        let report = match method.step_of(system, state) {
            Ok(report) => report,
            Err(error) => {
                desk.stop(node.time, &error);
                break;
            }
        };
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use systems::Pendulum;
    use taut::start::Start;

    fn nodes(arguments: &str) -> (Desk, Vec<Node<2, 1>>) {
        let desk = Desk::for_test(arguments);
        let pendulum = Pendulum::<f64>::standard();
        let mut state = Start::at(&pendulum, [1.0, 0.0]).at_rest().unwrap();
        let mut nodes = Vec::new();
        run(&desk, &desk.constant_mass().unwrap(), &pendulum, &mut state, |node| nodes.push(*node));
        (desk, nodes)
    }

    #[test]
    fn every_node_is_seen_with_the_multipliers_of_its_own_time() {
        let (desk, nodes) = nodes("--method rattle --rate 1000 --seconds 0.5");
        assert_eq!((nodes.len(), nodes[0].time, nodes[500].time, desk.stopped()), (501, 0.0, 0.5, false));
        // λ = 3 m g (−y)/l² from rest at y = 0. A node off by a step would be wrong by up to 3 g v h = 0.1; RATTLE is off by
        // O(h²), the last node, whose next step is missing, by O(h).
        for node in &nodes[..500] {
            assert!((node.multipliers[0] + 3.0 * 9.81 * node.position.y).abs() < 1e-3, "{node:?}");
        }
        assert!(nodes.iter().all(|node| node.rank == 1 && node.position_residual < 1e-12));
    }

    #[test]
    fn a_step_that_is_refused_ends_the_run_and_what_was_before_it_stays() {
        let (desk, nodes) = nodes("--method rattle --rate 2 --seconds 100");
        assert!(desk.stopped() && !nodes.is_empty() && nodes.len() < 200, "{}", nodes.len());
    }
}
