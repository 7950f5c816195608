//! Assembly of a serial mechanism: [`assemble`](super::assemble), with the elimination along the mechanism and in linear memory.

use super::error::StartError;
use crate::linalg::Vector;
use crate::linalg::blocks::{add_scaled, product_of_entries};
use crate::project::serial::{Behind, Grounds, Links, SerialNode, joints};
use crate::scalar::{Float, Jet};
use crate::system::Serial;
use crate::system::serial::{acceleration_terms, uniform_motion};

use super::assemble::{MAX_HALVINGS, MAX_ITERATIONS};

/// Moves the positions of `node` onto the constraints, and evaluates the geometry there. Returns the number of iterations. The caller
/// checks the residuals. `scratch` holds the trial positions, and as its velocities the correction.
pub(super) fn assemble<System: Serial<N, D, E, Base = T>, T: Float, const N: usize, const D: usize, const E: usize>(
    system: &System,
    links: &Links<T, N, D, E>,
    grounds: &Grounds<T, D>,
    node: &mut SerialNode<T, N, D, E>,
    scratch: &mut SerialNode<T, N, D, E>,
) -> Result<usize, StartError<T>> {
    // The ground stands still during the assembly.
    let still = Grounds { near: [grounds.near[0], Vector::zeros()], far: [grounds.far[0], Vector::zeros()] };
    let mut iterations = 0;
    loop {
        node.factorise(system, links, &still, |_| Vector::zeros());
        if let Err(cause) = node.judge_pivots::<System>(links) {
            // A pose out of reach ends where the constraints become dependent: rods in a line.
            return if iterations > 0 && !is_assembled(system, &still, node) {
                Ok(iterations)
            } else {
                Err(StartError::Constraints(cause))
            };
        }
        let linear = node.forward::<System>(|node, joint| node.position_residual(system, &still, joint));
        if iterations == MAX_ITERATIONS || linear == T::zero() {
            return Ok(iterations);
        }
        iterations += 1;
        correction::<System, T, N, D, E>(links, node, scratch);

        // The second-order term along the correction is at most half of the first-order term.
        let quadratic = node.forward::<System>(|node, joint| {
            let motion = |i: Option<usize>, ground: &Vector<T, D>| {
                let moving = i.and_then(|i| Some((node.elements.get(i)?.q, scratch.elements.get(i)?.v)));
                let (q, v) = moving.unwrap_or((*ground, Vector::zeros()));
                uniform_motion(&q, &v)
            };
            let before: Vector<Jet<T>, D> = motion(joint.checked_sub(1), &still.near[0]);
            acceleration_terms(system, joint, &before, &motion(Some(joint), &still.far[0]))
        });
        let mut scale = if quadratic > linear { (linear / quadratic).sqrt() } else { T::one() };
        let mut halvings = 0;
        loop {
            for i in 0..N {
                let trial = &mut scratch.elements[i];
                trial.q = add_scaled(&node.elements[i].q, &trial.v, -scale);
            }
            // The distance to the constraint, in the metric of the present geometry.
            if node.forward::<System>(|_, joint| scratch.position_residual(system, &still, joint)) < linear {
                break;
            }
            halvings += 1;
            if halvings > MAX_HALVINGS {
                return Ok(iterations);
            }
            scale *= T::from_f64(0.5);
        }
        for i in 0..N {
            node.elements[i].q = scratch.elements[i].q;
        }
    }
}

/// Writes W Gᵀ S⁻¹ r into the velocities of `scratch`.
fn correction<System: Serial<N, D, E, Base = T>, T: Float, const N: usize, const D: usize, const E: usize>(
    links: &Links<T, N, D, E>,
    node: &SerialNode<T, N, D, E>,
    scratch: &mut SerialNode<T, N, D, E>,
) {
    let mut behind = Behind::nothing();
    for index in (0..joints::<System, N, D, E>()).rev() {
        let joint = node.joint(index);
        let solution = joint.backward(&joint.rest, &behind);
        let pull = joint.pull::<System, N>(&solution, &solution, &mut behind);
        if let Some(element) = scratch.elements.get_mut(index) {
            element.v = product_of_entries(&pull, &links.get(index).inverse_masses);
        }
    }
}

/// Whether each residual is within √ε times the norm of its gradient.
fn is_assembled<System: Serial<N, D, E, Base = T>, T: Float, const N: usize, const D: usize, const E: usize>(
    system: &System,
    grounds: &Grounds<T, D>,
    node: &SerialNode<T, N, D, E>,
) -> bool {
    (0..joints::<System, N, D, E>()).all(|joint| {
        let (residual, squares) =
            (node.position_residual(system, grounds, joint), node.joint(joint).squared_gradients::<System, N>());
        (0..E).all(|k| residual[k].abs() <= squares[k].sqrt() * T::ROOT_EPSILON)
    })
}
