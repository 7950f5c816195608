//! A four-bar linkage in nine coordinates: poses, the curve of its coupler, the forces in its joints, its energy.
//!
//! `cargo run --release --example four_bar -- --plot four_bar.svg`

use std::process::ExitCode;

use desk::plot::{Chart, Curve, Ink};
use desk::{About, Desk, Outcome, Table};
use mechanisms::FourBar;
use taut::method::NAMES;
use taut::scalar::Float;
use taut::start::Start;

const ABOUT: About = About {
    name: "Four-bar linkage",
    about: "Crank 0.2 m, coupler 0.7 m, rocker 0.6 m, ground 0.8 m, assembled from a rough guess; the crank begins with 10 rad/s \
            and goes on freely. Eight constraints join three rods of three coordinates each.",
    methods: &NAMES,
    method: "rattle",
    rate: 1_000.0,
    seconds: 4.0,
};

/// The initial kinetic energy in J.
const SCALE: f64 = 1.641;

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

fn simulate<T: Float>(desk: &Desk) -> Outcome {
    let (linkage, judge) = (FourBar::<T>::standard(), FourBar::<f64>::standard());
    let clock = desk.clock()?;
    let assembled = Start::at(&linkage, clock, FourBar::guess()).at_rest()?;
    let turning = FourBar::turning(assembled.position());
    let mut state = Start::at(&linkage, clock, *assembled.position()).moving(turning)?;
    let mut table = Table::new([
        "time / s",
        "crank / rad",
        "coupler / rad",
        "rocker / rad",
        "ground–crank / N",
        "crank–coupler / N",
        "coupler–rocker / N",
        "rocker–ground / N",
        "energy error / (kinetic energy)",
        "constraints / m",
    ]);
    let mut first = None;
    desk::run(desk, &linkage, &mut state, |node| {
        let (q, force) =
            (node.position, |joint: usize| node.multipliers[2 * joint].hypot(node.multipliers[2 * joint + 1]));
        let energy = judge.energy(&q, &node.velocity);
        let error = (energy - *first.get_or_insert(energy)) / SCALE;
        let forces = [0, 1, 2, 3].map(force);
        let [f1, f2, f3, f4] = forces;
        table.push([node.time, q[2], q[5], q[8], f1, f2, f3, f4, error, node.position_residual]);
    })?;

    let last = table.rows().last().map_or(0.0, |row| row[1] - table.rows()[0][1]);
    desk.say(
        "crank",
        format_args!("{:.2} turns in {} s", last / std::f64::consts::TAU, desk.steps() as f64 / desk.rate()),
    );
    desk.say("energy error", format_args!("at most {:.1e} of the initial kinetic energy", table.largest(8)));
    desk.say("constraints", format_args!("at most {:.1e} m off", table.largest(9)));
    let largest = (4..8).map(|joint| table.largest(joint)).fold(0.0, f64::max);
    desk.say("forces in joints", format_args!("up to {largest:.1} N"));
    desk.finish(&table, |page| {
        let rod = |(x, y): (f64, f64), length: f64, angle: f64| (x + length * angle.cos(), y + length * angle.sin());
        let pose = |row: &[f64; 10]| {
            let crank = rod((0.0, 0.0), 0.2, row[1]);
            vec![(0.0, 0.0), crank, rod(crank, 0.7, row[2]), (0.8, 0.0)]
        };
        // The first turn of the crank.
        let begin = table.rows()[0][1];
        let turn: Vec<_> = table.rows().iter().take_while(|row| row[1] - begin < 6.2).collect();
        let poses = turn.iter().step_by(turn.len().div_ceil(12)).map(|row| pose(row));
        let middle = Curve::through(turn.iter().map(|row| rod(rod((0.0, 0.0), 0.2, row[1]), 0.35, row[2])));
        let linkage = Chart::new("x / m", "y / m").titled("One turn of the crank").to_scale();
        let linkage = linkage.poses(poses).curve(middle.named("middle of the coupler").dashed(Ink::BLUE, 1.8));
        let names = ["ground–crank", "crank–coupler", "coupler–rocker", "rocker–ground"];
        let forces = names
            .into_iter()
            .enumerate()
            .fold(Chart::new("time / s", "force in a joint / N"), |chart, (joint, name)| {
                chart.curve(table.curve(0, 4 + joint).named(name))
            });
        let angles = Chart::new("time / s", "angle / rad")
            .curve(table.curve(0, 2).named("coupler"))
            .curve(table.curve(0, 3).named("rocker"));
        page.row(340, [linkage, angles]).row(250, [forces]).row(230, [table.error_chart(8), table.error_chart(9)])
    })
}
