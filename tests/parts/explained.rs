//! Errors of singular poses and of simulated machines name the part.

use mechanisms::parts::Scara;
use taut::control::{ControlError, Feedforward, InverseDynamics, Kinematics, Singularity};
use taut::device::{Machine, Plant, PlantError};
use taut::linalg::FactorError;
use taut::method::{RungeKutta4, Step, StepError};
use taut::project::Level;
use taut::start::{Clock, Start};
use taut::trajectory::MinimumJerk;

taut::mechanism! {
    /// A winch pulls a load up over a pulley.
    struct Hoist in plane {
        pulley: Fixed { at: [0.0, 0.0] },
        winch: Slider(pulley) { along: [1.0, 0.0], mass: 1.0 } near -1.0,
        load: Point { mass: 1.0 } near [0.0, -1.0],
        rope: Rope(winch, pulley, load) { length: 2.0 },
    }
    motors winch;
    encoders winch;
    output winch;
}

taut::mechanism! {
    /// Two cranks of the same length: flat, the coupler says what the cranks do.
    struct Parallelogram in plane, arms as points {
        left: Fixed { at: [0.0, 0.0] },
        right: Fixed { at: [1.0, 0.0] },
        crank: Arm(left) { length: 0.5, mass: 1.0 } near -0.4,
        rocker: Arm(right) { length: 0.5, mass: 1.0 } near -0.4,
        coupler: Rod(crank, rocker) { length: 1.0, mass: 1.0 },
    }
    gravity 0.0;
}

/// A singular pose names the part that repeats what those before it say.
#[test]
fn errors_of_singular_poses_name_the_part() {
    // The tip in line with its arms cannot be moved further out: what the wrist and the tool say of it is the same.
    let robot = Scara::<f64>::new().build().unwrap();
    let stretched = [0.3, 0.3, 0.45 * 0.3_f64.cos(), 0.45 * 0.3_f64.sin()].into();
    let error = robot.explain(Kinematics::at(&robot, &stretched).unwrap_err());
    assert!(matches!(error.error, ControlError::Singular { kind: Singularity::Reach, .. }), "{error}");
    assert!(error.to_string().starts_with("wrist: tick 0: singular pose at the edge of the reach: "), "{error}");
    let error = robot.explain(Kinematics::at_tool(&robot, &stretched, &[0.3, 0.1].into()).unwrap_err());
    assert!(error.to_string().starts_with("tool: tick 0: singular pose at the edge of the reach: "), "{error}");
    let path = MinimumJerk::point_to_point([0.3, 0.1], [0.2, 0.1], 1.0).unwrap();
    let plan = InverseDynamics::new(robot, path, 1e-3, stretched).unwrap();
    let error = robot.explain(plan.start().err().unwrap());
    assert!(error.to_string().starts_with("wrist: tick 0: singular pose at the edge of the reach: "), "{error}");
    // The other kinds: what their numbers count.
    let cause = FactorError::SmallPivot { index: 1, pivot: 0.0, limit: 1e-9 };
    for (kind, part) in [
        (Singularity::Reach, "wrist"),
        (Singularity::Actuation, "elbow"),
        (Singularity::Sensing, "elbow"),
        (Singularity::Mass, "lower"),
    ] {
        assert_eq!(robot.explain(ControlError::Singular { tick: 0, kind, cause }).part, part, "{kind}");
    }
    // Behind the two constraints, the output; behind the two motors, the constraints.
    let cause = FactorError::SmallPivot { index: 2, pivot: 0.0, limit: 1e-9 };
    for (kind, part) in [(Singularity::Reach, "tool"), (Singularity::Actuation, "wrist")] {
        assert_eq!(robot.explain(ControlError::Singular { tick: 0, kind, cause }).part, part, "{kind}");
    }

    // A step over the flat pose, in single precision. It begins where a stage, half a step later, meets the pose.
    let linkage = Parallelogram::<f32>::new().build().unwrap();
    let error = (0..2_000).find_map(|k| {
        let (sin, cos) = (-4e-3 - 1e-6 * k as f32).sin_cos();
        let (x, y) = (0.5 * cos, 0.5 * sin);
        let start = Start::at(&linkage, Clock::with_step(1e-2).unwrap(), [x, y, 1.0 + x, y]);
        let mut state = start.moving([-y, x, -y, x]).ok()?;
        let error = RungeKutta4::new().step(&linkage, &mut state).err()?;
        matches!(error, StepError::SingularWithin { .. }).then(|| (error, *state.position()))
    });
    let (error, pose) = error.expect("a step that is singular within");
    assert_eq!(linkage.explain(error).part, "");
    let error = linkage.explain_at(error, &pose);
    assert!(error.to_string().starts_with("coupler: tick 0: singular within the step: "), "{error}");
}

#[test]
fn errors_of_simulated_machines_name_the_part() {
    let hoist = Hoist::<f64>::new().build().unwrap();
    let state = hoist.start(Clock::with_step(1e-3).unwrap()).at_rest().unwrap();
    let mut plant = Plant::new(hoist, state, RungeKutta4::new());
    let error = hoist.explain(plant.drive(&[f64::NAN], &[0.0]).unwrap_err());
    assert_eq!(error.to_string(), "winch: plant: the command of motor 0 is NaN or infinite");
    // The winch pays out rope faster than the load falls.
    plant.drive(&[100.0], &[0.0]).unwrap();
    let error = hoist.explain((0..100).find_map(|_| plant.tick().err()).expect("a slack rope"));
    assert!(matches!(error.error, PlantError::Slack { .. }), "{error}");
    assert!(error.to_string().starts_with("rope: plant: tick "), "{error}");
    // A step that fails: its own part.
    let step: StepError<f64> = StepError::NonFinite { tick: 3, level: Level::Velocity, index: 1 };
    assert_eq!(hoist.explain(PlantError::Step(step)).part, "load");
}
