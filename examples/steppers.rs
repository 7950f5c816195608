//! A five-bar linkage with stepper motors: how fast they must step so that the tip follows a circle, how far whole steps take the tip from
//! its path, and which torques hold a load. Kinematics alone: the list has no masses.
//!
//! `cargo run --release --example steppers -- --plot steppers.svg`

use std::process::ExitCode;

use desk::plot::{Chart, Ink};
use desk::{About, Desk, Outcome, Table};
use nalgebra::vector;
use taut::control::{Actuated, Feedforward, InverseDynamics, Kinematics, MotorLimits};
use taut::scalar::Float;
use taut::trajectory::Circle;

const ABOUT: About = About {
    name: "Steppers",
    about: "The tip of a five-bar linkage follows a circle of 3 cm, once a second. The motors make 16 steps for each of 200 full steps a turn.",
    methods: &["kinematics"],
    method: "kinematics",
    rate: 1_000.0,
    seconds: 1.0,
};

/// Steps per radian.
const STEPS: f64 = 200.0 * 16.0 / core::f64::consts::TAU;

taut::mechanism! {
    /// Two motors move a tip that lies on a table.
    pub struct Plotter in plane {
        left: Fixed { at: [-0.05, 0.0] },
        right: Fixed { at: [0.05, 0.0] },
        one: Arm(left) { length: 0.10, mass: 0.0 } near 2.3,
        two: Arm(right) { length: 0.10, mass: 0.0 } near 0.8,
        tip: Point { mass: 0.0 } near [0.0, 0.17],
        rod_one: Strut(one, tip) { length: 0.16 },
        rod_two: Strut(two, tip) { length: 0.16 },
    }
    gravity 0.0;
    motors one, two;
    encoders one, two;
    output tip;
}

fn main() -> ExitCode {
    desk::main(&ABOUT, follow::<f32>, follow::<f64>)
}

fn follow<T: Float>(desk: &Desk) -> Outcome {
    let (plotter, h) = (Plotter::<T>::new().build_kinematics()?, desk.clock::<T>()?.step());
    let ticks = desk.rate().round().max(1.0) as u64;
    let circle = Circle::around([0.0, 0.17].map(T::from_f64), T::from_f64(0.03), 1, ticks, h)?;
    let plan = InverseDynamics::new(plotter, circle, h, plotter.assembled())?;
    // 5,000 steps a second, and from rest to that in 20 ms.
    let steppers = MotorLimits::new([T::from_f64(5e3 / STEPS); 2], [T::from_f64(2.5e5 / STEPS); 2])?;

    let mut table = Table::new([
        "time / s",
        "x / m",
        "y / m",
        "left motor / (steps/s)",
        "right motor / (steps/s)",
        "distance from the path by whole steps / m",
        "left torque for 1 N / (N m)",
        "right torque for 1 N / (N m)",
    ]);
    let mut state = plan.start()?;
    for tick in 0..desk.steps() {
        let motors = steppers.at(&plan, &mut state, tick)?;
        let pose = plan.at(&mut state, tick)?.position;
        let machine = Kinematics::at(&plotter, &pose)?;
        // What is left of a step, and the way of the tip for it.
        let rest = motors.map(|motor| {
            let steps = motor.value * T::from_f64(STEPS);
            (steps - steps.round()) * T::from_f64(1.0 / STEPS)
        });
        let (tip, off) = (plotter.output(&pose), machine.tool_velocity(&rest).map(T::to_f64).norm());
        let torques = machine.holding_torques(&vector![T::zero(), -T::one()]);
        let [left, right] = motors.map(|motor| motor.first.to_f64() * STEPS).into();
        let seconds = tick as f64 * h.to_f64();
        let [x, y, one, two] = [tip[0], tip[1], torques[0], torques[1]].map(T::to_f64);
        table.push([seconds, x, y, left, right, off, one, two]);
    }

    desk.say("steps", format_args!("up to {:.0} and {:.0} a second", table.largest(3), table.largest(4)));
    desk.say("whole steps", format_args!("the tip is at most {:.1e} m from its path", table.largest(5)));
    desk.say(
        "1 N at the tip",
        format_args!("is held by up to {:.2} and {:.2} N m", table.largest(6), table.largest(7)),
    );
    desk.finish(&table, |page| {
        let path = Chart::new("x / m", "y / m").titled("The path").to_scale();
        let path = path.curve(table.curve(1, 2).drawn(Ink::BLUE, 1.8));
        let rates = Chart::new("time / s", "steps / (1/s)");
        let rates = rates.curve(table.curve(0, 3).named("left motor")).curve(table.curve(0, 4).named("right motor"));
        let torques = Chart::new("time / s", "torque for 1 N downwards / (N m)");
        let torques =
            torques.curve(table.curve(0, 6).named("left motor")).curve(table.curve(0, 7).named("right motor"));
        let off = Chart::new("time / s", "distance from the path by whole steps / m").logarithmic();
        page.row(300, [path, rates]).row(250, [torques, off.curve(table.magnitudes(5))])
    })
}
