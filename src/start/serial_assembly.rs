//! Assembly of a serial mechanism: [`assemble`](super::assemble), with the elimination along the mechanism and in linear memory.

use super::error::StartError;
use crate::linalg::Vector;
use crate::linalg::blocks::{add_scaled, product_of_entries};
use crate::project::serial::{Behind, Grounds, Rows, Side, every_joint};
use crate::scalar::{Float, Jet};
use crate::system::Serial;
use crate::system::serial::{acceleration_terms, before_joint, uniform_motion};

use super::assemble::{MAX_HALVINGS, MAX_ITERATIONS};

/// The side that is assembled, and the side that holds the trial positions and, as its velocities, the correction.
const NODE: Side = Side::First;
const TRIAL: Side = Side::Second;

/// Moves the positions onto the constraints, and evaluates the geometry there. Returns the number of iterations. The caller checks the
/// residuals.
#[inline(never)]
pub(super) fn assemble<System: Serial<N, D, E, Base = T>, T: Float, const N: usize, const D: usize, const E: usize>(
    system: &System,
    grounds: &Grounds<T, D>,
    rows: &mut Rows<T, N, D, E>,
) -> Result<usize, StartError<T>> {
    // The ground stands still during the assembly.
    let still = Grounds { near: [grounds.near[0], Vector::zeros()], far: [grounds.far[0], Vector::zeros()] };
    let mut iterations = 0;
    loop {
        rows.factorise(NODE, system, &still, |_| Vector::zeros());
        if let Err(cause) = rows.judge_pivots::<System>(NODE) {
            // A pose out of reach ends where the constraints become dependent: rods in a line.
            return if iterations > 0 && !is_assembled(system, &still, rows) {
                Ok(iterations)
            } else {
                Err(StartError::Constraints(cause))
            };
        }
        let linear = rows.forward::<System>(NODE, |rows, joint| rows.position_residual(NODE, system, &still, joint));
        if iterations == MAX_ITERATIONS || linear == T::zero() {
            return Ok(iterations);
        }
        iterations += 1;
        correction::<System, T, N, D, E>(rows);

        // The second-order term along the correction is at most half of the first-order term.
        let quadratic = rows.forward::<System>(NODE, |rows, joint| {
            let motion = |i: Option<usize>, ground: &Vector<T, D>| {
                let moving = i.and_then(|i| rows.elements.get(i)).map(|row| (row.at(NODE).q, row.at(TRIAL).v));
                let (q, v) = moving.unwrap_or((*ground, Vector::zeros()));
                uniform_motion(&q, &v)
            };
            let before: Vector<Jet<T>, D> = motion(before_joint::<System, N, D, E>(joint), &still.near[0]);
            acceleration_terms(system, joint, &before, &motion(Some(joint), &still.far[0]))
        });
        let mut scale = if quadratic > linear { (linear / quadratic).sqrt() } else { T::one() };
        let mut halvings = 0;
        loop {
            for row in &mut rows.elements {
                let (node, trial) = row.from(NODE);
                trial.q = add_scaled(&node.q, &trial.v, -scale);
            }
            // The distance to the constraint, in the metric of the present geometry.
            if rows.forward::<System>(NODE, |rows, joint| rows.position_residual(TRIAL, system, &still, joint)) < linear
            {
                break;
            }
            halvings += 1;
            if halvings > MAX_HALVINGS {
                return Ok(iterations);
            }
            scale *= T::from_f64(0.5);
        }
        for row in &mut rows.elements {
            row.at_mut(NODE).q = row.at(TRIAL).q;
        }
    }
}

/// Writes W Gᵀ S⁻¹ r into the velocities of the trial.
fn correction<System: Serial<N, D, E, Base = T>, T: Float, const N: usize, const D: usize, const E: usize>(
    rows: &mut Rows<T, N, D, E>,
) {
    let mut behind = Behind::last::<System>(rows, NODE, NODE);
    for index in every_joint::<System, N, D, E>().rev() {
        let row = rows.get_mut(index);
        let joint = &row.at(NODE).joint;
        let solution = joint.backward::<System, N>(index, &joint.rest, &behind);
        let pull = joint.pull::<System, N>(index, &solution, &solution, &mut behind);
        row.at_mut(TRIAL).v = product_of_entries(&pull, &row.inverse_masses);
    }
}

/// Whether each residual is within √ε times the norm of its gradient.
fn is_assembled<System: Serial<N, D, E, Base = T>, T: Float, const N: usize, const D: usize, const E: usize>(
    system: &System,
    grounds: &Grounds<T, D>,
    rows: &Rows<T, N, D, E>,
) -> bool {
    every_joint::<System, N, D, E>().all(|index| {
        let residual = rows.position_residual(NODE, system, grounds, index);
        let squares = rows.get(index).at(NODE).joint.squared_gradients::<System, N>();
        (0..E).all(|k| residual[k].abs() <= squares[k].sqrt() * T::ROOT_EPSILON)
    })
}
