//! Masses and weights of every kind of part, also where points move that parts are on; motors and encoders.

use mechanisms::parts::Visitor;
use nalgebra::vector;
use taut::control::{Actuated, Sensed};
use taut::linalg::Vector;

use crate::equations::Compare;

/// Everything hangs on a point that moves: nothing is held. With arms as angles and as points.
macro_rules! adrift {
    ($name:ident, $mode:ident) => {
        taut::mechanism! {
            struct $name in plane, arms as $mode {
                root: Point { mass: 1.0 } near [0.0, 0.0],
                arm: Arm(root) { length: 0.3, mass: 2.0 } near 0.4,
                outer: Arm(arm) { length: 0.2, mass: 3.0 } near 1.1,
                slider: Slider(outer) { along: [0.6, 0.8], mass: 5.0 } near 0.1,
                other: Point { mass: 7.0 } near [0.6, 0.6],
                rod: Rod(slider, other) { length: 0.3, mass: 11.0 },
                plate: Body(root, other) { length: 0.8, centre: [0.3, -0.1], mass: 13.0, inertia: 0.1 },
                corner: Corner(plate) { along: 0.1, across: 0.2, mass: 17.0 },
                push: Piston(arm, other) { offset: 0.1 },
            }
            motors push;
            encoders push;
            output push;
        }
    };
}

adrift!(Adrift, angles);
adrift!(AdriftPoints, points);

taut::mechanism! {
    /// A body alone.
    struct Thrown in plane, arms as points {
        a: Point { mass: 0.0 } near [0.0, 0.0],
        b: Point { mass: 0.0 } near [0.5, 0.0],
        body: Body(a, b) { length: 0.5, centre: [0.2, 0.1], mass: 3.0, inertia: 0.04 },
    }
}

/// The sum of all masses.
const TOTAL: f64 = 1.0 + 2.0 + 3.0 + 5.0 + 7.0 + 11.0 + 13.0 + 17.0;

#[test]
fn parts_on_points_that_move_have_their_masses() {
    let (angles, points) = (Adrift::<f64>::new().build().unwrap(), AdriftPoints::<f64>::new().build().unwrap());
    Compare.visit("adrift", &angles);
    Compare.visit("adrift as points", &points);
    // All points move with 1 m/s along x: q = (root, two angles, slider, other).
    let (q, along) = (angles.assembled(), vector![1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    // Round-off of a sum of 30 terms.
    assert!((angles.kinetic_energy(&q, &along) - TOTAL / 2.0).abs() < 1e-13);
    // q = (root, arm, outer, slider, other).
    let along = vector![1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    assert!((points.kinetic_energy(&points.assembled(), &along) - TOTAL / 2.0).abs() < 1e-13);
    // A metre higher.
    let up = vector![0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let gained = angles.potential_energy(&(q + up)) - angles.potential_energy(&q);
    assert!((gained - TOTAL * 9.81).abs() < 1e-12 * TOTAL * 9.81);
    let up = vector![0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0];
    let q = points.assembled();
    let gained = points.potential_energy(&(q + up)) - points.potential_energy(&q);
    assert!((gained - TOTAL * 9.81).abs() < 1e-12 * TOTAL * 9.81);
}

/// A body that turns about its centre has the energy I ω²/2.
#[test]
fn a_body_has_its_inertia() {
    let body = Thrown::<f64>::new().build().unwrap();
    let rate = 7.0;
    // The velocity of a point at r from the centre is ω (−r_y, r_x).
    let [a, b] = [[0.0 - 0.2, 0.0 - 0.1], [0.5 - 0.2, 0.0 - 0.1]];
    let v = vector![-rate * a[1], rate * a[0], -rate * b[1], rate * b[0]];
    let energy = body.kinetic_energy(&vector![0.0, 0.0, 0.5, 0.0], &v);
    assert!((energy - 0.04 * rate * rate / 2.0).abs() < 1e-14);
}

/// Where motors and encoders are the same shafts and the constraints hold, B is the transpose of ∂e/∂q: the power is that of the shafts. B is zero outside its
/// pattern.
pub fn powers_agree<System, const N: usize, const M: usize, const U: usize>(system: &System, q: Vector<f64, N>)
where
    System: Actuated<N, M, U, Base = f64> + Sensed<N, M, U>,
{
    let actuation = system.actuation(&q);
    let (_, sensors) = system.sensor_jacobian(&q);
    // Lengths near one; the assembly leaves the constraints off by round-off.
    assert!((actuation.transpose() - sensors).amax() < 1e-12, "{actuation} {sensors}");
    let outputs = system.output_jacobian(&q);
    for i in 0..N {
        for u in 0..U {
            assert!(System::ACTUATION_PATTERN.uses(u, i) || actuation[(i, u)] == 0.0);
            assert!(System::OUTPUT_PATTERN.uses(u, i) || outputs[(u, i)] == 0.0);
        }
    }
}

#[test]
fn motors_do_the_work_that_their_encoders_read() {
    use mechanisms::parts::{Delta, FiveBar, FiveBarPoints, GearedFiveBar, LinearDelta, Scara};
    macro_rules! check {
        ($($list:ident)*) => {$(
            let mechanism = $list::<f64>::new().build().unwrap();
            powers_agree(&mechanism, mechanism.assembled());
        )*};
    }
    check!(Adrift AdriftPoints Delta FiveBar FiveBarPoints GearedFiveBar LinearDelta Scara);
}
