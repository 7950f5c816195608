//! How many constraints of the joints follow from the others.
//!
//! The rank is that of the velocity constraints of the joints in the reference pose, with the velocity and the angular velocity of each body
//! as unknowns. A pose that is singular by chance has a lower rank than its neighbours; then the list says
//! `redundant` without need, which costs time only.

use nalgebra::{DMatrix, RowVector3, Vector3};

use super::model::{Joint, Kind, Model};

/// The number of constraints that follow from others.
pub fn redundant(model: &Model) -> usize {
    let rows: Vec<_> = model.joints.iter().flat_map(|joint| constraints(joint).map(move |row| (joint, row))).collect();
    if rows.is_empty() {
        return 0;
    }
    let mut matrix = DMatrix::zeros(rows.len(), 6 * model.bodies.len());
    for (i, (joint, Row { pushed, turned })) in rows.iter().enumerate() {
        for (side, sign) in [-1.0, 1.0].into_iter().enumerate() {
            let Some(body) = joint.bodies[side] else { continue };
            // The velocity of a point is v + ω × r.
            let arm = joint.points[side] - model.bodies[body].pose.translation.vector;
            let mut put = |column, along: Vector3<f64>| {
                matrix.fixed_view_mut::<1, 3>(i, column).copy_from(&RowVector3::from(along.transpose()));
            };
            put(6 * body, pushed * sign);
            put(6 * body + 3, (arm.cross(pushed) + turned) * sign);
        }
    }
    // Lengths are metres and directions unit vectors: what is not zero is far above, and what is rounded far below.
    rows.len() - matrix.rank(1e-9)
}

/// What one constraint holds: the velocity of the second point in the first body along a direction, and the angular velocity about one.
struct Row {
    pushed: Vector3<f64>,
    turned: Vector3<f64>,
}

fn constraints(joint: &Joint) -> impl Iterator<Item = Row> {
    let all = [Vector3::x(), Vector3::y(), Vector3::z()];
    let (held, kept) = match joint.kind {
        Kind::Hinge(axis) => (all.to_vec(), across(&axis)),
        Kind::Slide(axis) => (across(&axis), all.to_vec()),
        Kind::Universal(first, second) => (all.to_vec(), vec![first.cross(&second)]),
        Kind::Ball => (all.to_vec(), Vec::new()),
        Kind::Shift => (Vec::new(), all.to_vec()),
        Kind::Weld => (all.to_vec(), all.to_vec()),
    };
    let pushed = held.into_iter().map(|pushed| Row { pushed, turned: Vector3::zeros() });
    pushed.chain(kept.into_iter().map(|turned| Row { pushed: Vector3::zeros(), turned }))
}

/// Two directions across an axis.
fn across(axis: &Vector3<f64>) -> Vec<Vector3<f64>> {
    let first = axis.cross(&Vector3::ith(axis.iamin(), 1.0)).normalize();
    vec![first, axis.cross(&first)]
}
