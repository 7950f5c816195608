//! Runs a constrained system and records every node.

use taut::linalg::{SymmetricFactors, Vector};
use taut::method::AnyMethod;
use taut::scalar::Float;
use taut::start::{Coordinates, Precision, State};
use taut::system::{ConstantMass, Mechanical};

use crate::{Desk, Outcome, Progress};

/// The values at a node, in double precision.
#[derive(Clone, Copy, Debug)]
pub struct Node<const N: usize, const M: usize> {
    /// s, since the start.
    pub time: f64,
    /// q with all digits of the state and the whole turns of its angles.
    pub position: Vector<f64, N>,
    /// v with all digits.
    pub velocity: Vector<f64, N>,
    /// λ at this node.
    pub multipliers: Vector<f64, M>,
    /// The largest of |g|, as the method reports it.
    pub position_residual: f64,
    /// The largest of |G v + g_t|.
    pub velocity_residual: f64,
    /// The number of independent constraints.
    pub rank: u16,
}

impl<const N: usize, const M: usize> Node<N, M> {
    fn at<System, T, F, P>(system: &System, state: &State<T, N, M, F, P>, time: f64) -> Self
    where
        T: Float,
        System: Mechanical<N, M, Base = T>,
        F: SymmetricFactors<T, M>,
        P: Precision,
    {
        let mut position = doubles(state.full_position());
        for (angle, turns) in position.iter_mut().zip(state.turns()) {
            *angle += std::f64::consts::TAU * f64::from(*turns);
        }
        // Without multipliers the next step fails and gives the reason.
        let multipliers = state.multipliers(system).unwrap_or(Vector::repeat(T::NAN));
        Self {
            time,
            position,
            velocity: doubles(state.full_velocity()),
            multipliers: multipliers.map(|multiplier| multiplier.to_f64()),
            position_residual: 0.0,
            velocity_residual: 0.0,
            rank: state.correction().rank() as u16,
        }
    }
}

/// Positions or velocities as `f64`, with all digits of the state.
pub fn doubles<T: Float, const N: usize, P: Precision>(coordinates: &Coordinates<T, N, P>) -> Vector<f64, N> {
    coordinates.full().map(|number| number.to_f64())
}

/// Runs with the method, rate and duration of the command line. `record` gets every node, including the first and the last. A step that
/// fails ends the run: the nodes before it are kept, and the program exits with a failure.
pub fn run<System, T, const N: usize, const M: usize, F, P>(
    desk: &Desk,
    system: &System,
    state: &mut State<T, N, M, F, P>,
    mut record: impl FnMut(&Node<N, M>),
) -> Outcome
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let largest = |residuals: &Vector<T, M>| residuals.iter().map(|it| it.to_f64().abs()).fold(0.0, f64::max);
    desk.with_method(|method: &AnyMethod<System, T, N, M, F, P>| {
        let mut progress = Progress::of(desk.steps());
        let mut node = Node::at(system, state, 0.0);
        record(&node);
        for step in 1..=desk.steps() {
            let report = match method.step(system, state) {
                Ok(report) => report,
                Err(error) => return desk.stop(node.time, &error),
            };
            node = Node::at(system, state, step as f64 / desk.rate());
            node.position_residual = largest(&report.position_residual);
            node.velocity_residual = largest(&report.velocity_residual);
            record(&node);
            progress.step();
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mechanisms::Pendulum;
    use taut::start::Start;

    fn nodes(arguments: &str) -> (Desk, Vec<Node<2, 1>>) {
        let desk = Desk::for_test(arguments);
        let pendulum = Pendulum::<f64>::standard();
        let mut state = Start::at(&pendulum, desk.clock().unwrap(), [1.0, 0.0]).at_rest().unwrap();
        let mut nodes = Vec::new();
        run(&desk, &pendulum, &mut state, |node| nodes.push(*node)).unwrap();
        (desk, nodes)
    }

    #[test]
    fn every_node_is_seen_with_the_multipliers_of_its_own_time() {
        let (desk, nodes) = nodes("--method rattle --rate 1000 --seconds 0.5");
        assert_eq!((nodes.len(), nodes[0].time, nodes[500].time, desk.stopped()), (501, 0.0, 0.5, false));
        // λ = 3 m g (−y)/l² from rest at y = 0. A node off by a step would be wrong by up to 3 g v h = 0.1; RATTLE is off by O(h²).
        for node in &nodes {
            assert!((node.multipliers[0] + 3.0 * 9.81 * node.position.y).abs() < 1e-3, "{node:?}");
        }
        assert!(nodes.iter().all(|node| node.rank == 1 && node.position_residual < 1e-12));
    }

    #[test]
    fn a_failed_step_ends_the_run_and_keeps_the_nodes_before_it() {
        let (desk, nodes) = nodes("--method rattle --rate 2 --seconds 100");
        assert!(desk.stopped() && !nodes.is_empty() && nodes.len() < 200, "{}", nodes.len());
    }
}
