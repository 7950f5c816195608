//! The five-bar linkage: a tip that follows a path, by inverse dynamics on the constraints (index 3, actuation along the output).

use mechanisms::FiveBar;
use nalgebra::vector;
use proptest::prelude::*;
use taut::control::{Actuated, ControlError, Driven, InverseDynamics, Reference, Singularity};
use taut::linalg::{Vector, magnitude};
use taut::method::{RungeKutta4, Step};
use taut::scalar::{Float, Jet, Real};
use taut::start::{Clock, Start};
use taut::system::{Mechanical, verify};
use taut::trajectory::{Circle, CubicSpline, MinimumJerk, Motion, Nonic, Then, Trajectory, TrajectoryError, Waypoint};

use crate::running::run;

const H: f64 = 1e-3;

/// A circle of 3 cm about (0, 0.17), two revolutions per second.
fn circle<T: Float>() -> Circle<T, 2> {
    Circle::around([0.0, 0.17].map(T::from_f64), T::from_f64(0.03), 2, 1_000, T::from_f64(H)).unwrap()
}

fn following<T: Float, Path: Trajectory<2, Base = T> + Clone>(
    path: Path,
) -> Result<InverseDynamics<FiveBar<T>, Path, 4, 2, 2>, ControlError<T>> {
    let linkage = FiveBar::standard();
    let guess = linkage.elbows_out(path.at(T::zero()));
    InverseDynamics::new(linkage, path, T::from_f64(H), guess)
}

#[test]
fn the_derivatives_by_hand_are_those_of_the_equations() {
    let (q, v) = (vector![2.1, 0.6, 0.02, 0.18], vector![3.0, -2.0, 0.4, 0.3]);
    verify(&FiveBar::<f64>::standard(), 0.0, &q, &v, 1e-14).unwrap();
}

/// The linkage as four rigid rods and a point, in terms of the tip alone: kinetic energy, potential energy, motor angles.
fn rigid_rods(tip: Vector<f64, 2>, velocity: Vector<f64, 2>) -> (f64, f64, Vector<f64, 2>) {
    let (mass, gravity, proximal, distal) = (0.05, 9.81, 0.10_f64, 0.16_f64);
    let [x, y] = [0, 1].map(|i| Jet::new(tip[i], velocity[i], 0.0));
    let mut kinetic = 0.05 * velocity.norm_squared();
    let mut potential = 0.1 * gravity * tip[1];
    let mut angles = vector![0.0, 0.0];
    for (arm, side) in [-1.0, 1.0].into_iter().enumerate() {
        let base = side * 0.05;
        let distance = ((x - base) * (x - base) + y * y).sqrt();
        let cosine = (distance * distance + (proximal * proximal - distal * distal)) / (distance * (2.0 * proximal));
        let angle = y.atan2(x - base) - cosine.acos() * side;
        let (elbow_x, elbow_y) = (angle.cos() * proximal + base, angle.sin() * proximal);
        let turning = (y - elbow_y).atan2(x - elbow_x).first;
        let (centre_x, centre_y) = ((x + elbow_x) * 0.5, (y + elbow_y) * 0.5);
        kinetic += mass * proximal * proximal / 6.0 * angle.first * angle.first
            + mass / 2.0 * (centre_x.first * centre_x.first + centre_y.first * centre_y.first)
            + mass * distal * distal / 24.0 * turning * turning;
        potential += mass * gravity * (elbow_y.value * 0.5 + centre_y.value);
        angles[arm] = angle.value;
    }
    (kinetic, potential, angles)
}

/// The torques from Lagrange's equations of the second kind for the tip, with central differences of the energies.
fn lagrange(motion: impl Fn(f64) -> (Vector<f64, 2>, Vector<f64, 2>), t: f64) -> Vector<f64, 2> {
    let axes = [vector![1.0, 0.0], vector![0.0, 1.0]];
    let (tip, velocity) = motion(t);
    // T is quadratic in the velocity: any difference is exact.
    let momentum = |t: f64, axis: Vector<f64, 2>| {
        let (tip, velocity) = motion(t);
        (rigid_rods(tip, velocity + axis).0 - rigid_rods(tip, velocity - axis).0) / 2.0
    };
    let (dt, dx) = (1e-5, 1e-6);
    let mut force = vector![0.0, 0.0];
    let mut angles = nalgebra::Matrix2::zeros();
    for (k, axis) in axes.into_iter().enumerate() {
        let (ahead, behind) = (rigid_rods(tip + axis * dx, velocity), rigid_rods(tip - axis * dx, velocity));
        force[k] = (momentum(t + dt, axis) - momentum(t - dt, axis)) / (2.0 * dt)
            - (ahead.0 - behind.0 - ahead.1 + behind.1) / (2.0 * dx);
        angles.set_row(k, &((ahead.2 - behind.2) / (2.0 * dx)).transpose());
    }
    // Virtual work: torques · δθ = force · δtip.
    angles.lu().solve(&force).unwrap()
}

#[test]
fn torques_are_those_of_four_rigid_rods() {
    let path = circle::<f64>();
    let mut feedforward = run(following(path)).unwrap();
    let on_circle = |t: f64| {
        let motion = path.motion(t);
        (motion.position, motion.velocity)
    };
    let mut largest = 0.0_f64;
    for tick in 0..500 {
        let reference = feedforward.at(tick).unwrap();
        let expected = lagrange(on_circle, tick as f64 * H + 0.5); // a turn later: before zero the path rests
        largest = largest.max(expected.amax());
        // The differences: (4π · 1e-5)²/6 = 3e-9 in time, ε/1e-6 = 2e-10 in space, of torques of 0.1 Nm; amplified by ∂θ/∂tip ~ 10.
        assert!((reference.inputs - expected).amax() < 1e-8, "tick {tick}: {} {expected}", reference.inputs);
    }
    assert!(largest > 0.05, "{largest}");
}

#[test]
fn the_reference_is_a_motion_of_the_model() {
    fn check<T: Float>(limit: f64) -> Vec<f64> {
        let linkage = FiveBar::<T>::standard();
        let mut feedforward = run(following(circle::<T>())).unwrap();
        let mut torques = Vec::new();
        for tick in 0..1_000 {
            let r = feedforward.at(tick).unwrap();
            let jacobian = linkage.jacobian(T::zero(), &r.position);
            let residuals = [
                magnitude(&linkage.constraint(T::zero(), &r.position)),
                magnitude(&(jacobian * r.velocity)),
                magnitude(
                    &(jacobian * r.acceleration + linkage.acceleration_terms(T::zero(), &r.position, &r.velocity)),
                ),
            ];
            let motion = linkage.mass_matrix(&r.position) * r.acceleration
                - linkage.force(T::zero(), &r.position, &r.velocity)
                - linkage.actuation(&r.position) * r.inputs
                + jacobian.transpose() * r.multipliers;
            for residual in residuals.into_iter().chain([magnitude(&motion)]) {
                assert!(residual.to_f64() < limit, "tick {tick}: {residual:e}");
            }
            torques.extend(r.inputs.iter().map(|u| u.to_f64()));
        }
        torques
    }
    // Ten roundings of numbers as large as 5 (accelerations of 5 m/s² and 50 rad/s² times 0.1 m).
    let (double, single) = (check::<f64>(50.0 * f64::EPSILON), check::<f32>(50.0 * f64::from(f32::EPSILON)));
    for (double, single) in double.into_iter().zip(single) {
        // Poses are exact to ε · 2 rad, accelerations to the square of what [G; S] amplifies, about ten times ten.
        assert!((double - single).abs() < 200.0 * 0.1 * f64::from(f32::EPSILON), "{double} {single}");
    }
}

#[test]
fn the_tip_follows_the_circle_under_the_torques() {
    // Without feedback, for one turn, torques held over each step. Those of its beginning act h/2 late, an error of order 1; those
    // of its middle leave an error of order 2. Both vanish with h: the torques are the right ones.
    let run = |steps: u64, shift: u64| {
        let h = 0.5 / steps as f64;
        let path = Circle::around([0.0, 0.17], 0.03, 1, 2 * steps, h / 2.0).unwrap();
        let linkage = FiveBar::<f64>::standard();
        let guess = linkage.elbows_out(vector![0.03, 0.17]);
        let mut feedforward = run(InverseDynamics::new(linkage, path, h / 2.0, guess)).unwrap();
        let start = feedforward.at(0).unwrap();
        let mut linkage = Driven::new(linkage);
        let mut state =
            Start::at(&linkage, Clock::at_rate(1.0 / h).unwrap(), start.position).moving(start.velocity).unwrap();
        let method = RungeKutta4::new();
        let mut worst = 0.0_f64;
        for step in 0..steps {
            linkage.inputs = feedforward.at(2 * step + shift).unwrap().inputs;
            method.step(&linkage, &mut state).unwrap();
            let tip = linkage.system.output(state.position());
            worst = worst.max((tip - path.at((step + 1) as f64 * h)).norm());
        }
        worst
    };
    let (late, middle) = (run(2_000, 0), run(2_000, 1));
    let (order_one, order_two) = ((run(1_000, 0) / late).log2(), (run(1_000, 1) / middle).log2());
    assert!((order_one - 1.0).abs() < 0.1 && (order_two - 2.0).abs() < 0.1, "{order_one} {order_two}");
    assert!(middle < 1e-6, "{middle:e}"); // of a radius of 3 cm
}

#[test]
fn the_first_torque_is_right_and_stays_so_at_a_re_plan() {
    // From the circle to rest elsewhere; a trajectory that may be re-planned is one blend after another.
    let home = Nonic::point_to_point([0.0, 0.14], [0.02, 0.2], 0.4).unwrap();
    let mut feedforward = run(following::<f64, _>(home)).unwrap();
    // At rest the motors carry the weight: virtual work of the rods' and the tip's weight.
    let first = feedforward.at(0).unwrap();
    let expected = lagrange(|_| (vector![0.0, 0.14], vector![0.0, 0.0]), 0.0);
    assert!((first.inputs - expected).amax() < 1e-8, "{} {expected}", first.inputs);
    let mut before = first.inputs;
    let mut largest_change = 0.0_f64;
    for tick in 1..=200 {
        let now = feedforward.at(tick).unwrap().inputs;
        largest_change = largest_change.max((now - before).amax());
        before = now;
    }
    let back = Nonic::departing(&home, feedforward.time(200), [-0.03, 0.16], 0.5).unwrap();
    feedforward.replan(back, 200).unwrap();
    assert!((feedforward.at(200).unwrap().inputs - before).amax() < 1e-12);
    let after = feedforward.at(201).unwrap().inputs;
    assert!((after - before).amax() < 2.0 * largest_change);

    let jump = Nonic::point_to_point([0.0, 0.14], [0.02, 0.2], 0.4).unwrap();
    let kept = feedforward.state;
    assert!(matches!(feedforward.replan(jump, 220), Err(ControlError::Trajectory(_))));
    assert_eq!(feedforward.state, kept);
}

#[test]
fn it_runs_for_ever() {
    let mut feedforward = run(following(circle::<f32>())).unwrap();
    let once = feedforward.at(0).unwrap();
    for tick in [1_u64 << 20, 1 << 40, u64::MAX / 2] {
        let whole = tick / 1_000 * 1_000;
        // Newton ends within a few roundings of angles of 2, from wherever it began.
        assert!((feedforward.seek(whole).unwrap().position - once.position).amax() < 8.0 * f32::EPSILON);
    }
    let later = run(following(circle::<f32>()).map(|plan| plan.beginning_at(1 << 50))).unwrap().at(1 << 50).unwrap();
    assert_eq!(later, once);
}

#[test]
fn a_target_out_of_reach_is_reported_not_obeyed() {
    fn check<T: Float>() {
        // At the start.
        let far = Circle::around([0.0, 0.6].map(T::from_f64), T::from_f64(0.03), 2, 1_000, T::from_f64(H)).unwrap();
        let linkage = FiveBar::standard();
        let guess = linkage.elbows_out([0.0, 0.17].map(T::from_f64).into());
        let refused = run(InverseDynamics::new(linkage, far, T::from_f64(H), guess)).unwrap_err();
        assert!(
            matches!(refused, ControlError::Unreachable { tick: 0, .. } | ControlError::Singular { tick: 0, .. }),
            "{refused}"
        );
        // On the way: the arms are stretched at y = √(0.26² − 0.05²) = 0.25515.
        let up = Nonic::point_to_point([0.0, 0.2].map(T::from_f64), [0.0, 0.3].map(T::from_f64), T::one()).unwrap();
        let mut feedforward = run(following(up)).unwrap();
        let mut last: Option<(Reference<T, 4, 2, 2>, bool)> = None;
        for tick in 0..1_000 {
            match feedforward.at(tick) {
                Ok(reference) => {
                    assert!(last.is_none_or(|(_, ended)| !ended), "tick {tick}: reached again");
                    assert!(reference.position[3].to_f64() < 0.25516);
                    last = Some((reference, false));
                }
                Err(error) => {
                    let (held, _) = last.unwrap();
                    // Not before it has to be. The angle is like a root of the distance to the edge, so that [G; S] changes
                    // from tick to tick by half of way/distance, and the iterations with the matrix of the last tick contract
                    // by as much: at ten ticks' way, 0.25 mm each, by 1/20.
                    assert!(held.position[3].to_f64() > 0.25515 - 10.0 * 0.25e-3, "tick {tick}: {error}");
                    let named = matches!(
                        error,
                        ControlError::Unreachable { .. }
                            | ControlError::NotContracting { .. }
                            | ControlError::Singular { .. }
                    );
                    assert!(named, "{error}");
                    last = Some((held, true));
                }
            }
        }
        assert!(last.unwrap().1);
    }
    check::<f64>();
    check::<f32>();
}

#[test]
fn limits_stop_it_before_the_edge_of_the_reach() {
    let up = Nonic::point_to_point([0.0, 0.2], [0.0, 0.3], 1.0_f64).unwrap();
    let mut feedforward = run(following(up).unwrap().with_velocity_limits([10.0, 10.0, 1.0, 1.0])).unwrap();
    let refused = (0..1_000).find_map(|tick| feedforward.at(tick).err()).unwrap();
    assert!(matches!(refused, ControlError::Exceeded { what: "velocity", index: 0 | 1, limit: 10.0, .. }), "{refused}");
    // And a circle that is too fast for the motors.
    let fast = Circle::around([0.0, 0.17], 0.03, 20, 1_000, H).unwrap();
    let refused = run(following(fast).unwrap().with_input_limits([0.5, 0.5])).unwrap_err();
    assert!(matches!(refused, ControlError::Exceeded { what: "input", limit: 0.5, .. }), "{refused}");
}

#[test]
fn a_pose_that_no_motor_holds_is_singular() {
    fn check<T: Float>() {
        // With distal rods of 0.14 m they are in line where the elbows are 0.28 m apart: cos θ = 0.9.
        let linkage = FiveBar { distal: T::from_f64(0.14), ..FiveBar::standard() };
        let in_line = 0.1 * (1.0_f64 - 0.81).sqrt();
        let down =
            Nonic::point_to_point([0.0, 0.15].map(T::from_f64), [0.0, in_line].map(T::from_f64), T::one()).unwrap();
        let guess = linkage.elbows_out(down.at(T::zero()));
        let mut feedforward = run(InverseDynamics::new(linkage, down, T::from_f64(H), guess)).unwrap();
        let refused = (0..=1_000).find_map(|tick| feedforward.at(tick).err()).unwrap();
        assert!(matches!(refused, ControlError::Singular { kind: Singularity::Actuation, .. }), "{refused}");
    }
    check::<f64>();
    check::<f32>();
}

#[test]
fn an_approach_leads_onto_the_circle() {
    let circle = circle::<f32>();
    let approach = Nonic::between(&Motion::at_rest([0.0, 0.14]), &circle.motion(0.0), 0.3).unwrap();
    let mut feedforward = run(following(Then::<_, _, 2>::new(approach, circle).unwrap())).unwrap();
    for tick in 0..2_000 {
        feedforward.at(tick).unwrap();
    }
}

#[test]
fn too_few_derivatives_are_refused_before_the_first_tick() {
    // A cubic spline has two inside, but ends with one; a blend that does not end at rest cannot be held.
    let points = [(0.0, 0.0), (1.0, 0.01), (2.0, 0.02)].map(|(t, x)| Waypoint::new(t, [x, 0.17]));
    let spline = CubicSpline::<f64, 2, 4>::through(&points.into_iter().collect()).unwrap();
    let guess = FiveBar::<f64>::standard().elbows_out(vector![0.0, 0.17]);
    let refused = InverseDynamics::<_, _, 4, 2, 2>::new(FiveBar::standard(), spline, 1e-3, guess).unwrap_err();
    assert_eq!(refused, ControlError::Trajectory(TrajectoryError::TooFewDerivatives { asked: 2, continuous: 1 }));
    let moving = Motion { acceleration: vector![0.0, 0.1], ..Motion::at_rest([0.0, 0.18]) };
    let blend = MinimumJerk::between(&Motion::at_rest([0.0, 0.17]), &moving, 1.0).unwrap();
    let refused = InverseDynamics::<_, _, 4, 2, 2>::new(FiveBar::standard(), blend, 1e-3, guess).unwrap_err();
    assert_eq!(refused, ControlError::Trajectory(TrajectoryError::TooFewDerivatives { asked: 2, continuous: 1 }));
}

#[test]
fn errors_name_coordinate_and_limit() {
    let nowhere = InverseDynamics::new(FiveBar::standard(), circle(), 1e-3_f32, [f32::NAN, 0.0, 0.0, 0.0]);
    assert_eq!(nowhere.unwrap_err(), ControlError::NonFinite { tick: 0, what: "guess", index: 0 });
    let guess = FiveBar::standard().elbows_out(vector![0.03, 0.17]);
    let no_time = InverseDynamics::new(FiveBar::standard(), circle(), 0.0_f32, guess);
    assert_eq!(no_time.unwrap_err(), ControlError::NotPositive { what: "tick", given: 0.0 });
    let error = ControlError::Unreachable { tick: 7, index: 1, distance: 0.5_f32, limit: 1e-5 };
    assert_eq!(error.to_string(), "tick 7: out of reach: coordinate 1 is off by 5e-1, limit 1e-5");
}

/// How far a pose is from the one with the elbows out, in each coordinate.
fn off<T: Float>(q: &Vector<T, 4>) -> f64 {
    let out = FiveBar::<T>::standard().elbows_out(vector![q[2], q[3]]);
    (q - out).iter().fold(0.0, |largest: f64, x| largest.max(x.abs().to_f64()))
}

proptest! {
    #[test]
    fn elbows_stay_out_whatever_ticks_are_asked_for(ticks in prop::collection::vec(0_u64..1_000, 1..30)) {
        let mut feedforward = run(following(circle::<f32>())).unwrap();
        for tick in ticks {
            let before = feedforward.state;
            match feedforward.at(tick) {
                // The accuracy of 1e-5, and roundings of 1e-7 that the inverse cosine amplifies by ten.
                Ok(reference) => prop_assert!(off(&reference.position) < 1.2e-5, "{}", reference.position),
                Err(_) => {
                    prop_assert_eq!(feedforward.state, before);
                    feedforward.seek(tick).ok();
                    prop_assert!(feedforward.state == before || feedforward.at(tick).is_ok());
                }
            }
        }
    }

    #[test]
    fn every_move_is_possible_or_refused(
        from in prop::array::uniform2(-0.3_f64..0.3),
        to in prop::array::uniform2(-0.3_f64..0.3),
        duration in 1e-2_f64..2.0,
    ) {
        let path = MinimumJerk::point_to_point(from, to, duration).unwrap();
        if let Ok(mut feedforward) = run(following(path)) {
            for tick in 0..(duration / H) as u64 {
                let before = feedforward.state;
                match feedforward.at(tick) {
                    Ok(r) => {
                        let all = r.position.iter().chain(&r.velocity).chain(&r.acceleration);
                        prop_assert!(all.chain(&r.inputs).chain(&r.multipliers).all(|x| x.is_finite()));
                        // The accuracy, 5e-10, of the tip.
                        let tip = vector![r.position[2], r.position[3]];
                        prop_assert!((tip - path.at(tick as f64 * H)).amax() < 5e-10);
                    }
                    Err(_) => {
                        prop_assert_eq!(feedforward.state, before);
                        break;
                    }
                }
            }
        }
    }
}
