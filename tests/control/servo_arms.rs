//! Inverse dynamics where outputs are curved, where there are no constraints, and where constraints move.

use nalgebra::{matrix, vector};
use taut::control::{Actuated, ControlError, InverseDynamics, Singularity};
use taut::linalg::{Matrix, Vector};
use taut::scalar::Real;
use taut::system::{Diagonal, Mechanical, Varying};
use taut::trajectory::{Circle, MinimumJerk, Nonic, Trajectory};

use crate::running::run;

/// Two links of 1 m with a point mass of 1 kg at each end, horizontal, a motor in each joint; q are the joint angles, the output is
/// the hand.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Arm;

impl Mechanical<2, 0> for Arm {
    type Base = f64;
    type Mass = Varying;

    fn mass(&self) -> Varying {
        Varying
    }
    fn mass_matrix<S: Real<Base = f64>>(&self, q: &Vector<S, 2>) -> Matrix<S, 2, 2> {
        let cos = q[1].cos();
        matrix![cos * 2.0 + 3.0, cos + 1.0; cos + 1.0, S::one()]
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>, v: &Vector<S, 2>) -> Vector<S, 2> {
        let sin = q[1].sin();
        vector![sin * v[1] * (v[0] * 2.0 + v[1]), -sin * v[0] * v[0]]
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>) -> Vector<S, 0> {
        Vector::zeros()
    }
}

impl Actuated<2, 0, 2> for Arm {
    fn actuation<S: Real<Base = f64>>(&self, _q: &Vector<S, 2>) -> Matrix<S, 2, 2> {
        let (o, l) = (S::zero(), S::one());
        matrix![l, o; o, l]
    }
    fn output<S: Real<Base = f64>>(&self, q: &Vector<S, 2>) -> Vector<S, 2> {
        let ((s1, c1), (s2, c2)) = (q[0].sin_cos(), (q[0] + q[1]).sin_cos());
        vector![c1 + c2, s1 + s2]
    }
}

#[test]
fn the_torques_carry_the_masses_along() {
    let h = 1e-3;
    let circle = Circle::around([1.2, 0.3], 0.4, 1, 1_000, h).unwrap();
    let mut feedforward = run(InverseDynamics::new(Arm, circle, h, [-0.2, 0.9])).unwrap();
    for tick in 0..1_000 {
        let r = feedforward.at(tick).unwrap();
        // Newton's law for the two points, whose accelerations are the hand's and the elbow's: the torque about the shoulder is that
        // of both, the torque about the elbow that of the hand alone.
        let hand = circle.motion_after(tick, h);
        let (sin, cos) = r.position[0].sin_cos();
        let elbow = vector![cos, sin];
        let across = vector![-sin, cos];
        let elbow_acceleration = across * r.acceleration[0] - elbow * r.velocity[0] * r.velocity[0];
        let about_elbow = (hand.position - elbow).perp(&hand.acceleration);
        let about_shoulder = hand.position.perp(&hand.acceleration) + elbow.perp(&elbow_acceleration);
        // A few dozen roundings of accelerations of 40 m/s².
        assert!((r.inputs[0] - about_shoulder).abs() < 1e-12, "tick {tick}: {}", r.inputs);
        assert!((r.inputs[1] - about_elbow).abs() < 1e-12, "tick {tick}: {}", r.inputs);
    }
}

#[test]
fn velocities_and_accelerations_are_those_of_the_positions() {
    // Central differences at two steps: their errors fall by four.
    let error = |h: f64| {
        let circle = Circle::around([1.2, 0.3], 0.4, 1, (1.0 / h) as u64, h).unwrap();
        let mut feedforward = run(InverseDynamics::new(Arm, circle, h, [-0.2, 0.9])).unwrap();
        let mut references = (0..(1.0 / h) as u64).map(|tick| feedforward.at(tick).unwrap());
        let (mut before, mut now) = (references.next().unwrap(), references.next().unwrap());
        let mut worst = (0.0_f64, 0.0_f64);
        for after in references {
            let velocity = (after.position - before.position) / (2.0 * h);
            let acceleration = (after.position - now.position * 2.0 + before.position) / (h * h);
            worst.0 = worst.0.max((velocity - now.velocity).amax());
            worst.1 = worst.1.max((acceleration - now.acceleration).amax());
            (before, now) = (now, after);
        }
        worst
    };
    let (coarse, fine) = (error(1.0 / 512.0), error(1.0 / 1_024.0));
    assert!((coarse.0 / fine.0 - 4.0).abs() < 0.1, "{coarse:?} {fine:?}");
    assert!((coarse.1 / fine.1 - 4.0).abs() < 0.1, "{coarse:?} {fine:?}");
}

#[test]
fn a_stretched_arm_is_at_the_edge_of_its_reach() {
    let out = Nonic::point_to_point([1.0, 0.0], [2.2, 0.0], 1.0).unwrap();
    let mut feedforward = run(InverseDynamics::new(Arm, out, 1e-3, [-1.0, 2.0])).unwrap();
    let refused = (0..1_000).find_map(|tick| feedforward.at(tick).err()).unwrap();
    let named = matches!(
        refused,
        ControlError::Singular { .. } | ControlError::NotContracting { .. } | ControlError::Unreachable { .. }
    );
    assert!(named, "{refused}");
    let stretched = MinimumJerk::point_to_point([2.0, 0.0], [1.0, 0.0], 1.0).unwrap();
    let refused = run(InverseDynamics::new(Arm, stretched, 1e-3, [0.0, 0.0])).unwrap_err();
    assert!(matches!(refused, ControlError::Singular { tick: 0, kind: Singularity::Reach, .. }), "{refused}");
}

/// A bead of 2 kg on a rail that goes up and down, y = sin t, pushed along it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rail;

impl Mechanical<2, 1> for Rail {
    type Base = f64;
    type Mass = Diagonal<f64, 2>;

    fn mass(&self) -> Diagonal<f64, 2> {
        Diagonal::new([2.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![S::zero(), S::from(-19.62)]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![q[1] - t.sin()]
    }
}

impl Actuated<2, 1, 1> for Rail {
    fn actuation<S: Real<Base = f64>>(&self, _q: &Vector<S, 2>) -> Matrix<S, 2, 1> {
        matrix![S::one(); S::zero()]
    }
    fn output<S: Real<Base = f64>>(&self, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![q[0]]
    }
}

#[test]
fn a_constraint_may_move() {
    let h = 1e-2;
    let path = Nonic::point_to_point([0.0], [1.0], 2.0).unwrap();
    let mut feedforward = run(InverseDynamics::new(Rail, path, h, [0.0, 0.1])).unwrap();
    for tick in 0..300 {
        let r = feedforward.at(tick).unwrap();
        let (sin, cos) = (tick as f64 * h).sin_cos();
        let along = path.motion_after(tick, h);
        let expected = [
            r.position - vector![along.position[0], sin],
            r.velocity - vector![along.velocity[0], cos],
            r.acceleration - vector![along.acceleration[0], -sin],
            // 2 y'' = −19.62 − λ.
            vector![r.inputs[0] - 2.0 * along.acceleration[0], r.multipliers[0] + 19.62 - 2.0 * sin],
        ];
        for difference in expected {
            assert!(difference.amax() < 1e-13, "tick {tick}: {difference}");
        }
    }
}
