//! A slider-crank: poses, how unevenly its crank turns, the force in its rod, its energy.
//!
//! `cargo run --release --example slider_crank -- --plot slider_crank.svg`

use std::process::ExitCode;

use desk::plot::Chart;
use desk::{About, Desk, Outcome, Table};
use mechanisms::SliderCrank;
use taut::method::NAMES;
use taut::scalar::Float;
use taut::start::Start;

const ABOUT: About = About {
    name: "Slider-crank",
    about: "A crank of 0.1 m with 0.1 kg m² drives 5 kg through a rod of 0.5 m, at 5 rad/s and then freely, without gravity: \
            kinetic energy moves between crank and slider, and the sum is constant.",
    methods: &NAMES,
    method: "rattle",
    rate: 1_000.0,
    seconds: 4.0,
};

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

fn simulate<T: Float>(desk: &Desk) -> Outcome {
    let system = SliderCrank::<T>::standard();
    let mut state = Start::at(&system, desk.clock()?, SliderCrank::position()).moving(SliderCrank::velocity())?;
    let mut table = Table::new([
        "time / s",
        "crank / rad",
        "slider / m",
        "crank / (rad/s)",
        "slider / (m/s)",
        "force in the rod / N",
        "energy error / (initial energy)",
        "constraint / m²",
    ]);
    let mut first = None;
    desk::run(desk, &system, &mut state, |node| {
        let ([angle, place], [rate, speed]) = (node.position.into(), node.velocity.into());
        let energy = (0.1 * rate * rate + 5.0 * speed * speed) / 2.0;
        let start = *first.get_or_insert(energy);
        // The gradient of the constraint with respect to the rod's end is as long as the rod.
        let force = node.multipliers[0] * 0.5;
        table.push([node.time, angle, place, rate, speed, force, energy / start - 1.0, node.position_residual]);
    })?;

    let turns = table.rows().last().map_or(0.0, |row| row[1] - 0.5) / std::f64::consts::TAU;
    desk.say("crank", format_args!("{turns:.2} turns in {} s", desk.steps() as f64 / desk.rate()));
    desk.say("energy error", format_args!("at most {:.1e} of the initial energy", table.largest(6)));
    desk.say("constraint", format_args!("at most {:.1e} m² off", table.largest(7)));
    desk.say("force in the rod", format_args!("up to {:.1} N", table.largest(5)));
    desk.finish(&table, |page| {
        let half: Vec<_> = table.rows().iter().take_while(|row| row[1] < 0.5 + std::f64::consts::PI).collect();
        let poses = half.iter().step_by(half.len().div_ceil(8)).map(|row| {
            let (sin, cos) = row[1].sin_cos();
            vec![(0.0, 0.0), (0.1 * cos, 0.1 * sin), (row[2], 0.0)]
        });
        let linkage = Chart::new("x / m", "y / m").titled("Half a turn").to_scale().poses(poses);
        page.row(240, [linkage])
            .row(220, [table.chart(3), table.chart(4)])
            .row(220, [table.chart(5)])
            .row(220, [table.error_chart(6), table.error_chart(7)])
    })
}
