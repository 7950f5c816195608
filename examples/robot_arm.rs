//! A robot arm of three segments whose hand follows a circle (Hairer's lecture notes, Example I.2.1): it has one joint more than it needs
//! and moves with the least joint velocities. Index 2: the velocities keep the hand on its path.
//!
//! `cargo run --release --example robot_arm -- --plot robot_arm.svg`

use std::process::ExitCode;

use desk::plot::{Chart, Curve, Ink};
use desk::{About, Desk, Outcome, Progress, Table};
use mechanisms::RobotArm;
use nalgebra::vector;
use taut::linalg::Vector;
use taut::method::{HalfExplicit, ImplicitEuler, Step, StepError};
use taut::scalar::Float;
use taut::start::SemiExplicitState;
use taut::trajectory::{Circle, Trajectory};

const ABOUT: About = About {
    name: "Robot arm",
    about: "Three segments of 1 m, the hand on a circle of radius 0.5 m, a turn every six seconds. After a turn the hand is back where \
            it was; the joints are not.",
    methods: &["half_explicit_1", "half_explicit_2", "half_explicit_3", "half_explicit_4", "implicit_euler"],
    method: "half_explicit_1",
    rate: 20.0,
    seconds: 60.0,
};

type Arm<T> = RobotArm<Circle<T, 2>, 3>;
type Method<T> = Box<dyn Step<Arm<T>, SemiExplicitState<T, 3, 2>, Report = (), Error = StepError<T>>>;

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

/// The method of this name.
fn method<T: Float + 'static>(name: &str) -> Method<T> {
    match name {
        "half_explicit_1" => Box::new(HalfExplicit::order_one()),
        "half_explicit_2" => Box::new(HalfExplicit::order_two()),
        "half_explicit_3" => Box::new(HalfExplicit::order_three()),
        "half_explicit_4" => Box::new(HalfExplicit::order_four()),
        _ => Box::new(ImplicitEuler::new()),
    }
}

fn simulate<T: Float + 'static>(desk: &Desk) -> Outcome {
    let (start, radius) = (vector![1.0, 0.2, -0.6], 0.5);
    let centre = Arm::<T>::hand(&start) - vector![radius, 0.0];
    let clock = desk.clock::<T>()?;
    let (ticks, h) = ((6.0 * desk.rate()).round().max(1.0) as u64, clock.step());
    let path = Circle::around(centre.map(T::from_f64), T::from_f64(radius), 1, ticks, h)?;
    let (arm, method) = (RobotArm { path }, method::<T>(desk.method()));
    let mut state = SemiExplicitState::start(&arm, clock, start.map(T::from_f64), [T::zero(); 2])?;
    // The time restarts with every turn, so that the path is as accurate after hours as at the start.
    state.clock_mut().set_period(path.period());

    let mut table = Table::new(["time / s", "θ₁ / rad", "θ₂ / rad", "θ₃ / rad", "distance from the path / m"]);
    let mut progress = Progress::of(desk.steps());
    for tick in 0..=desk.steps() {
        let angles: Vector<f64, 3> = state.differential().map(|angle| angle.to_f64());
        let phase = std::f64::consts::TAU * (tick % ticks) as f64 / ticks as f64;
        let target = centre + vector![phase.cos(), phase.sin()] * radius;
        let distance = (Arm::<T>::hand(&angles) - target).norm();
        table.push([tick as f64 / desk.rate(), angles[0], angles[1], angles[2], distance]);
        if tick < desk.steps() {
            method.step(&arm, &mut state)?;
        }
        progress.step();
    }

    desk.say("hand", format_args!("at most {:.1e} m from its path", table.largest(4)));
    let (first, last) = (table.rows()[0], table.rows()[table.rows().len() - 1]);
    let turned = [1, 2, 3].map(|joint| format!("{:+.3}", last[joint] - first[joint]));
    desk.say("joints", format_args!("{} rad since the start", turned.join(", ")));
    desk.finish(&table, |page| {
        let joints = |row: &[f64; 5]| {
            let mut points = vec![(0.0, 0.0)];
            for joint in 1..4 {
                let (x, y) = points[joint - 1];
                points.push((x + row[joint].cos(), y + row[joint].sin()));
            }
            points
        };
        let turn = table.rows().iter().take(ticks as usize);
        let poses = turn.step_by(ticks.div_ceil(9) as usize).map(joints);
        let circle = (0..=90).map(|i| (f64::from(i) * 4.0).to_radians().sin_cos());
        let circle = Curve::through(circle.map(|(sin, cos)| (centre.x + radius * cos, centre.y + radius * sin)));
        let arm = Chart::new("x / m", "y / m").titled("The first turn").to_scale().poses(poses);
        let angles = (1..4).fold(Chart::new("time / s", "angle / rad"), |chart, joint| {
            chart.curve(table.curve(0, joint).named(["θ₁", "θ₂", "θ₃"][joint - 1]))
        });
        page.row(380, [arm.curve(circle.named("path of the hand").dashed(Ink::BLUE, 1.8)), angles])
            .row(230, [Chart::new("time / s", "distance from the path / m").logarithmic().curve(table.magnitudes(4))])
    })
}
