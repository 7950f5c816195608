//! Kinematics and statics agree with the differences of poses, and with the power balance.

use mechanisms::parts::{Delta, FiveBar, LinearDelta, Scara};
use taut::control::{Actuated, Feedforward, InverseDynamics, Kinematics, MotorLimits, Sensed};
use taut::linalg::Vector;
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
