//! Kinematics and statics agree with the differences of poses, and with the power balance.

use mechanisms::parts::{Delta, FiveBar, FiveBarPoints, LinearDelta, Scara};
use taut::control::{Actuated, ControlError, Feedforward, InverseDynamics, Kinematics, MotorLimits, Sensed};
use taut::linalg::Vector;
use taut::scalar::Jet;
use taut::start::{Clock, StartError};
use taut::trajectory::MinimumJerk;

use crate::equations::scattered;

/// Checks every map of a machine at its assembled pose.
fn check<System, const N: usize, const M: usize, const U: usize>(system: System, pose: Vector<f64, N>)
where
    System: Actuated<N, M, U, Base = f64> + Sensed<N, M, U> + Copy,
{
    let machine = Kinematics::at(&system, &pose).unwrap();
    for seed in 0..5 {
        let (tool, torques) = (scattered::<U>(seed), scattered::<U>(seed + 10));
        let speeds = machine.motor_speeds(&tool);
        assert!((machine.tool_velocity(&speeds) - tool).amax() < 1e-12);
        let force = machine.tool_force(&torques);
        assert!((machine.motor_torques(&force) - torques).amax() < 1e-12);
        // Power in is power out.
        assert!((torques.dot(&speeds) - force.dot(&tool)).abs() < 1e-12);
        // The encoders turn as the motors do.
        let (_, sensing) = system.sensor_jacobian(&pose);
        assert!((sensing * machine.velocity_for_tool(&tool) - speeds).amax() < 1e-12);
        assert!((machine.velocity_for_motors(&speeds) - machine.velocity_for_tool(&tool)).amax() < 1e-12);
        // Without a load, the torques of a plan that stands still.
        let nothing = Vector::<f64, U>::zeros();
        let here = system.output(&pose).data.0[0];
        let path = MinimumJerk::point_to_point(here, here, 1.0).unwrap();
        let plan = InverseDynamics::new(system, path, 1e-3, pose).unwrap();
        let standing = plan.at(&mut plan.start().unwrap(), 0).unwrap().inputs;
        assert!((machine.holding_torques(&nothing) - standing).amax() < 1e-9);
        let more = machine.holding_torques(&force) - machine.holding_torques(&nothing);
        assert!((more + torques).amax() < 1e-12);
    }
}

#[test]
fn motors_and_tool_agree() {
    macro_rules! each {
        ($($list:ident)*) => {$(
            let mechanism = $list::<f64>::new().build().unwrap();
            check(mechanism, mechanism.assembled());
        )*};
    }
    each!(FiveBar Delta LinearDelta Scara);
}

/// A tip in line with its arm cannot be moved further.
#[test]
fn a_singular_pose_is_refused() {
    let robot = Scara::<f64>::new().build().unwrap();
    let error = Kinematics::at(&robot, &[0.3, 0.3, 0.45 * 0.3_f64.cos(), 0.45 * 0.3_f64.sin()].into()).unwrap_err();
    assert!(error.to_string().contains("singular"), "{error}");
}

/// Speeds and accelerations of the motors are the differences of their positions, and the limits hold.
#[test]
fn motors_follow_a_line() {
    let (robot, h) = (FiveBar::<f64>::new().build().unwrap(), 1e-3);
    let path = MinimumJerk::point_to_point([0.03, 0.17], [-0.03, 0.17], 0.2).unwrap();
    let plan = InverseDynamics::new(robot, path, h, robot.assembled()).unwrap();
    let fast = MotorLimits::new([20.0; 2], [1_000.0; 2]).unwrap();
    let mut state = plan.start().unwrap();
    let motions: Vec<_> = (0..=200).map(|tick| fast.at(&plan, &mut state, tick).unwrap()).collect();
    for three in motions.windows(3) {
        for motor in 0..2 {
            let [a, b, c] = [three[0][motor], three[1][motor], three[2][motor]];
            // Central differences: errors of h²/6 and h²/12 of the next derivatives, which are about (30/s)³ and (30/s)⁴ of a radian.
            assert!((b.first - (c.value - a.value) / (2.0 * h)).abs() < 1e-2);
            assert!((b.second - (c.value - 2.0 * b.value + a.value) / (h * h)).abs() < 1.0);
        }
    }
    let top = motions.iter().map(|motors| motors[0].first.abs()).fold(0.0, f64::max);
    let slow = MotorLimits::new([0.9 * top; 2], [1_000.0; 2]).unwrap();
    let mut state = plan.start().unwrap();
    let error = (0..=200).find_map(|tick| slow.at(&plan, &mut state, tick).err()).unwrap().to_string();
    assert!(error.contains("motor speed"), "{error}");
    assert!(MotorLimits::new([0.0], [1.0]).is_err());
}

/// From the tool to the motors and back, from a guess on the constraints that is centimetres away.
fn there_and_back<System, const N: usize, const M: usize, const U: usize>(
    system: &System,
    guess: &Vector<f64, N>,
    moved: [f64; U],
) where
    System: Actuated<N, M, U, Base = f64> + Sensed<N, M, U>,
{
    let tool = system.output(guess) + Vector::from(moved);
    let there = Kinematics::at_tool(system, guess, &tool).unwrap();
    let back = Kinematics::at_motors(system, guess, &there.motors()).unwrap();
    // The last correction is at most √ε/32 = 5e-10, and the error after it its square times a curvature of tens per metre: round-off.
    assert!((there.tool() - tool).amax() < 1e-13 && (back.tool() - tool).amax() < 1e-13);
    assert!((back.pose() - there.pose()).amax() < 1e-12);
    assert!(system.constraint(0.0, back.pose()).amax() < 1e-13);
    // A motor moved on by a little moves the tool as the velocities say. h²/2 of a second derivative of less than ten.
    let (h, turn) = (1e-5, scattered::<U>(3));
    let on = Kinematics::at_motors(system, there.pose(), &(there.motors() + turn * h)).unwrap();
    assert!(((on.tool() - tool) / h - there.tool_velocity(&turn)).amax() < 1e-4);
}

#[test]
fn positions_of_tool_and_motors_agree() {
    macro_rules! each {
        ($($list:ident $moved:expr;)*) => {$(
            let mechanism = $list::<f64>::new().build().unwrap();
            there_and_back(&mechanism, &mechanism.assembled(), $moved);
        )*};
    }
    each! {
        FiveBar [0.02, -0.03];
        FiveBarPoints [0.02, -0.03];
        Scara [-0.05, 0.04];
        Delta [0.03, 0.02, -0.02];
        LinearDelta [0.03, -0.02, 0.04];
    }
    // The angle of an arm as a point jumps at half a turn: whole turns more are the same pose.
    let robot = FiveBarPoints::<f64>::new().build().unwrap();
    let here = Kinematics::at_tool(&robot, &robot.assembled(), &[0.02, 0.16].into()).unwrap();
    let turned = here.motors().map(|angle| angle + std::f64::consts::TAU);
    let same = Kinematics::at_motors(&robot, &robot.assembled(), &turned).unwrap();
    assert!((same.pose() - here.pose()).amax() < 1e-12);
}

#[test]
fn a_position_out_of_reach_is_an_error() {
    let robot = FiveBar::<f64>::new().build().unwrap();
    // Arm and rod are 0.26 m long.
    let error = Kinematics::at_tool(&robot, &robot.assembled(), &[0.0, 0.5].into()).unwrap_err();
    assert!(matches!(error, ControlError::Unreachable { .. } | ControlError::Singular { .. }), "{error}");
    // The ends of the arms are 0.5 m apart, and the rods together 0.32 m long.
    let mut wide = FiveBar::<f64>::new();
    (wide.left.at, wide.right.at) = ([-0.15, 0.0], [0.15, 0.0]);
    let robot = wide.build().unwrap();
    let error = Kinematics::at_motors(&robot, &robot.assembled(), &[std::f64::consts::PI, 0.0].into()).unwrap_err();
    assert!(matches!(error, ControlError::Unreachable { .. } | ControlError::Singular { .. }), "{error}");
    let error = Kinematics::at_tool(&robot, &robot.assembled(), &[f64::NAN, 0.2].into()).unwrap_err();
    assert!(matches!(error, ControlError::Unreachable { .. } | ControlError::Singular { .. }), "{error}");
}

macro_rules! plotter {
    ($name:ident, $mode:ident, $mass:expr) => {
        taut::mechanism! {
            struct $name in plane, arms as $mode {
                left: Fixed { at: [-0.05, 0.0] },
                right: Fixed { at: [0.05, 0.0] },
                one: Arm(left) { length: 0.10, mass: $mass } near 2.3,
                two: Arm(right) { length: 0.10, mass: $mass } near 0.8,
                tip: Point { mass: $mass } near [0.0, 0.17],
                rod_one: Strut(one, tip) { length: 0.16 },
                rod_two: Strut(two, tip) { length: 0.16 },
            }
            motors one, two;
            encoders one, two;
            output tip;
        }
    };
}

plotter!(Heavy, angles, 0.05);
plotter!(Light, angles, 0.0);
plotter!(LightPoints, points, 0.0);

/// Positions, speeds and accelerations of the motors along a line do not depend on masses, which may be zero.
#[test]
fn steppers_need_no_masses() {
    fn motions<System: Actuated<N, M, 2, Base = f64> + Sensed<N, M, 2>, const N: usize, const M: usize>(
        robot: System,
        near: Vector<f64, N>,
    ) -> Vec<Vector<Jet<f64>, 2>> {
        let path = MinimumJerk::point_to_point([0.03, 0.17], [-0.03, 0.17], 0.2).unwrap();
        let plan = InverseDynamics::new(robot, path, 1e-3, near).unwrap();
        let limits = MotorLimits::new([20.0; 2], [1_000.0; 2]).unwrap();
        let mut state = plan.start().unwrap();
        (0..=200).map(|tick| limits.at(&plan, &mut state, tick).unwrap()).collect()
    }
    let (heavy, light) = (Heavy::<f64>::new().build().unwrap(), Light::<f64>::new().build_kinematics().unwrap());
    let points = LightPoints::<f64>::new().build_kinematics().unwrap();
    let expected = motions(heavy, heavy.assembled());
    for motors in [motions(light, light.assembled()), motions(points, points.assembled())] {
        for (motors, expected) in motors.iter().zip(&expected) {
            for (motor, expected) in motors.iter().zip(expected) {
                // Newton's method stops at corrections of 5e-10; what is left is of second order. Round-off of a hundred rad/s².
                assert!((motor.value - expected.value).abs() < 1e-12, "{motor:?}, {expected:?}");
                assert!((motor.first - expected.first).abs() < 1e-11, "{motor:?}, {expected:?}");
                assert!((motor.second - expected.second).abs() < 1e-9, "{motor:?}, {expected:?}");
            }
        }
    }
    // What needs the masses is refused, by the name of the first part without one.
    assert_eq!(Light::<f64>::new().build().unwrap_err().part, "one");
    let clock = Clock::with_step(1e-3).unwrap();
    let error = light.explain(light.start(clock).at_rest().unwrap_err());
    assert!(error.part == "one" && matches!(error.error, StartError::Mass(_)), "{error}");
    let error = points.explain(points.start(clock).at_rest().unwrap_err());
    assert!(error.part == "one" && matches!(error.error, StartError::Mass(_)), "{error}");
    // With all masses it is the mechanism of `build`: its mass can be inverted.
    let mut all = LightPoints::<f64>::new();
    (all.one.mass, all.two.mass, all.tip.mass) = (0.05, 0.05, 0.05);
    assert!(all.build_kinematics().unwrap().start(clock).at_rest().is_ok());
}
