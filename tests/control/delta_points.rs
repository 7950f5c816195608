//! The delta robot as points, twelve coordinates and nine constraints, against the same robot with angles.

use mechanisms::{Delta, DeltaPoints};
use taut::control::{Actuators, ComputedTorque, Feedforward, InverseDynamics};
use taut::device::{Plant, Sensor};
use taut::method::RungeKutta4;
use taut::scalar::Float;
use taut::start::{Clock, Start};
use taut::supervise::{EncoderLimits, Supervisor, Watch};
use taut::system::{Mechanical, Pattern, verify};
use taut::trajectory::Circle;

const TICK: f64 = 1e-3;

fn circle<T: Float>() -> Circle<T, 3> {
    let [centre, a, b] = [[0.0, 0.0, -0.22], [0.03, 0.0, 0.0], [0.0, 0.03, 0.0]].map(|p| p.map(T::from_f64));
    Circle::ellipse(centre, a, b, 1, 1_000, T::from_f64(TICK)).unwrap()
}

fn points<T: Float>() -> DeltaPoints<T> {
    DeltaPoints::new(Delta::standard()).unwrap()
}

#[test]
fn the_derivatives_and_the_pattern_are_right() {
    let (robot, tip) = (points::<f64>(), [0.02, -0.01, -0.2]);
    let (q, v) = (robot.elbows_out(tip.into()), taut::linalg::Vector::from_fn(|i, _| 1.0 - 0.3 * i as f64));
    verify(&robot, 0.0, &q, &v, 1e-12).unwrap();
    assert_eq!(Pattern::of(&robot, q), DeltaPoints::<f64>::PATTERN);
    assert!(robot.constraint(0.0, &q).amax() < 1e-15);
}

/// Two descriptions of one machine take the same torques.
#[test]
fn torques_are_those_of_the_robot_with_angles() {
    let (angles, natural) = (Delta::<f64>::standard(), points::<f64>());
    let start = [0.03, 0.0, -0.22];
    let with_angles = InverseDynamics::new(angles, circle(), TICK, angles.elbows_out(start.into())).unwrap();
    let with_points = InverseDynamics::new(natural, circle(), TICK, natural.elbows_out(start.into())).unwrap();
    let (mut a, mut b) = (with_angles.start().unwrap(), with_points.start().unwrap());
    for tick in 0..1_000 {
        let expected = with_angles.at(&mut a, tick).unwrap().inputs;
        let found = with_points.at(&mut b, tick).unwrap().inputs;
        // Roundings of 1e-16 times a condition of about a hundred, in both.
        assert!((found - expected).amax() < 1e-12, "{tick}: {found} {expected}");
    }
}

/// A controller with the points drives a plant with the angles, with encoders of 12 bits.
#[test]
fn the_loop_follows_in_single_precision() {
    let (robot, angles, h) = (points::<f32>(), Delta::<f32>::standard(), TICK as f32);
    let start = [0.03, 0.0, -0.22];
    let plan = InverseDynamics::new(robot, circle(), h, robot.elbows_out(start.into())).unwrap();
    let first = {
        let plan = InverseDynamics::new(angles, circle(), h, angles.elbows_out(start.into())).unwrap();
        *plan.at(&mut plan.start().unwrap(), 0).unwrap()
    };
    let state = Start::at(&angles, Clock::at_rate(1_000.0).unwrap(), first.position).moving(first.velocity).unwrap();
    let mut plant = Plant::new(angles, state, RungeKutta4::new()).sensors([Sensor::bits_per_turn(12); 3]);
    let encoder = EncoderLimits { resolution: 1.6e-3, top_speed: 10.0, largest_error: 0.1 };
    let watch = Watch::new(Actuators::new([1.0; 3]).unwrap(), [encoder; 3]);
    let law = ComputedTorque::<f32, 12, 9, 3>::new([60.0; 3], h, 138.0).unwrap();
    let supervisor = Supervisor::new(plan, law, watch).unwrap();
    let mut control = supervisor.start_on_path(plan.start().unwrap(), 0).unwrap();
    let mut furthest = 0.0_f32;
    for tick in 0..1_000 {
        supervisor.step(&mut control, &mut plant);
        assert!(control.latched().is_none(), "{tick}: {:?}", control.latched());
        furthest = furthest.max(control.record().errors.amax());
        plant.tick().unwrap();
    }
    // Two counts.
    assert!(furthest < 3.2e-3, "{furthest}");
}
