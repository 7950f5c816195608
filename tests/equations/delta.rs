//! The delta robot of examples/mechanisms: its derivatives by hand, its energy, and its inverse dynamics.

use mechanisms::Delta;
use nalgebra::vector;
use taut::control::{Actuated, Driven, Feedforward, InverseDynamics};
use taut::linalg::Vector;
use taut::method::{RungeKutta4, Step};
use taut::start::{Clock, Start};
use taut::system::{Mechanical, verify};
use taut::trajectory::Circle;

type Robot = Delta<f64>;

/// A pose on the circle and another off it, which need not satisfy the constraints.
fn poses() -> [Vector<f64, 6>; 2] {
    let pose = Robot::standard().elbows_out(vector![0.03, 0.01, -0.22]);
    [pose, pose + vector![0.3, -0.2, 0.1, 0.02, -0.03, 0.04]]
}

const VELOCITY: [f64; 6] = [1.3, -0.7, 2.1, 0.2, -0.3, 0.5];

#[test]
fn the_pose_with_elbows_out_closes_the_loops() {
    let robot = Robot::standard();
    let [pose, _] = poses();
    assert!(robot.constraint(0.0, &pose).amax() < 1e-16);
    // Elbows out: from the motor to the elbow, away from the axis.
    assert!((0..3).all(|arm| pose[arm].cos() > 0.0), "{pose}");
}

#[test]
fn all_derivatives_by_hand_are_the_automatic_ones() {
    for q in poses() {
        verify(&Robot::standard(), 0.0, &q, &Vector::from(VELOCITY), 1e-13).unwrap();
    }
}

/// Central differences with a step of 1e-6 are off by 1e-12 of third derivatives and by 1e-16/1e-6 of round-off.
#[test]
fn derivatives_by_hand_agree_with_differences() {
    let (robot, step) = (Robot::standard(), 1e-6);
    let v = Vector::from(VELOCITY);
    for q in poses() {
        for k in 0..6 {
            let mut aside = Vector::<f64, 6>::zeros();
            aside[k] = step;
            let slope = (robot.constraint(0.0, &(q + aside)) - robot.constraint(0.0, &(q - aside))) / (2.0 * step);
            assert!((robot.jacobian(0.0, &q).column(k) - slope).amax() < 1e-9, "{k}");
        }
        // d/dt (G v) with v constant is g_qq(v, v).
        let rate = |t: f64| robot.jacobian(0.0, &(q + v * t)) * v;
        let terms = (rate(step) - rate(-step)) / (2.0 * step);
        assert!((robot.acceleration_terms(0.0, &q, &v) - terms).amax() < 1e-8);
    }
}

/// Kinetic energy from the mass matrix, and the weights of tip, arms and rods.
fn energy(robot: &Robot, q: &Vector<f64, 6>, v: &Vector<f64, 6>) -> f64 {
    let mut height = robot.tip_mass * q[5];
    for arm in 0..3 {
        let elbow = -robot.arm * q[arm].sin();
        height += robot.arm_mass * elbow / 2.0 + robot.rod_mass * (elbow + q[5]) / 2.0;
    }
    (v.transpose() * robot.mass_matrix(q) * v)[0] / 2.0 + robot.gravity * height
}

/// The robot falls freely for 0.1 s, by 6 cm. A method of order 4 at 10 kHz is off by 1e-11 of the energy that moves; a wrong
/// weight or centrifugal force would be off by percents.
#[test]
fn energy_is_conserved() {
    let robot = Robot::standard();
    let [pose, _] = poses();
    let mut state = Start::at(&robot, Clock::at_rate(10_000.0).unwrap(), pose).at_rest().unwrap();
    let before = energy(&robot, state.position(), state.velocity());
    let method = RungeKutta4::new();
    for _ in 0..1_000 {
        method.step(&robot, &mut state).unwrap();
    }
    let (q, v) = (state.position(), state.velocity());
    let kinetic = (v.transpose() * robot.mass_matrix(q) * v)[0] / 2.0;
    assert!(kinetic > 0.02, "{kinetic}");
    let off = energy(&robot, q, v) - before;
    assert!(off.abs() < 1e-8 * kinetic, "{off:e} of {kinetic}");
}

/// The mass matrix is that of the kinetic energy of arms, rods and tip: each rod by Simpson's rule, which is exact.
#[test]
fn the_mass_matrix_is_that_of_the_kinetic_energy() {
    let robot = Robot::standard();
    let v = Vector::from(VELOCITY);
    for q in poses() {
        let mut twice = robot.tip_mass * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]);
        let tip = vector![v[3], v[4], v[5]];
        for arm in 0..3 {
            let angle = core::f64::consts::TAU / 3.0 * arm as f64;
            let out = vector![angle.cos(), angle.sin(), 0.0];
            let elbow = (out * -q[arm].sin() + vector![0.0, 0.0, -q[arm].cos()]) * (robot.arm * v[arm]);
            let middle = (elbow + tip) / 2.0;
            twice += robot.arm_mass * elbow.norm_squared() / 3.0;
            twice += robot.rod_mass * (elbow.norm_squared() + 4.0 * middle.norm_squared() + tip.norm_squared()) / 6.0;
        }
        assert!(((v.transpose() * robot.mass_matrix(&q) * v)[0] - twice).abs() < 1e-15);
    }
}

/// Along the circle the inputs of the plan give the accelerations of the plan, and a robot under these inputs stays on it.
#[test]
fn inverse_dynamics_is_consistent() {
    let (robot, h) = (Robot::standard(), 1e-3);
    let path = Circle::ellipse([0.0, 0.0, -0.22], [0.03, 0.0, 0.0], [0.0, 0.03, 0.0], 1, 1_000, h).unwrap();
    let plan = InverseDynamics::new(robot, path, h, robot.elbows_out(vector![0.03, 0.0, -0.22])).unwrap();
    let mut state = plan.start().unwrap();
    let first = *plan.at(&mut state, 0).unwrap();
    let mut machine =
        Start::at(&robot, Clock::at_rate(1_000.0).unwrap(), first.position).moving(first.velocity).unwrap();
    let mut driven = Driven::new(robot);
    for tick in 0..200 {
        let now = *plan.at(&mut state, tick).unwrap();
        let q = &now.position;
        let forces = robot.force(0.0, q, &now.velocity) + robot.actuation(q) * now.inputs;
        let left =
            robot.mass_matrix(q) * now.acceleration - forces + robot.jacobian(0.0, q).transpose() * now.multipliers;
        assert!(left.amax() < 1e-12, "{tick}: {left}");
        // The inputs in the middle of the tick, as a machine holds them over it.
        driven.inputs = (now.inputs + plan.at(&mut state.clone(), tick + 1).unwrap().inputs) * 0.5;
        RungeKutta4::new().step(&driven, &mut machine).unwrap();
    }
    // In 0.2 s, held inputs are off by h²/12 of their second derivative: 1e-7 of 40 rad/s² that grow as the upright tip falls.
    let off = machine.position() - plan.at(&mut state, 200).unwrap().position;
    assert!(off.amax() < 1e-6, "{off}");
}
