//! A double pendulum, which is chaotic: the path of its lower mass, its energy and its constraints.
//!
//! `cargo run --release --example double_pendulum -- --plot double_pendulum.svg`

use std::process::ExitCode;

use desk::plot::{Chart, Curve, Ink};
use desk::{About, Desk, Outcome, Table};
use mechanisms::DoublePendulum;
use taut::method::NAMES;
use taut::scalar::Float;
use taut::start::Start;

const ABOUT: About = About {
    name: "Double pendulum",
    about: "Twice 1 kg on a rod of 1 m, released horizontally. Its position after ten seconds cannot be predicted; its energy can.",
    methods: &NAMES,
    method: "rattle",
    rate: 1_000.0,
    seconds: 10.0,
};

/// g Σ m l in J, where a mass hangs at the sum of the rods above it.
const SCALE: f64 = 29.43;

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

fn simulate<T: Float>(desk: &Desk) -> Outcome {
    let (system, judge) = (DoublePendulum::<T>::standard(), DoublePendulum::<f64>::standard());
    let mut state = Start::at(&system, desk.clock()?, [1.0, 0.0, 2.0, 0.0].map(T::from_f64)).at_rest()?;
    let mut table = Table::new([
        "time / s",
        "x₁ / m",
        "y₁ / m",
        "x₂ / m",
        "y₂ / m",
        "force in the upper rod / N",
        "force in the lower rod / N",
        "energy error / (g Σ m l)",
        "constraints / m²",
    ]);
    desk::run(desk, &system, &mut state, |node| {
        let [x1, y1, x2, y2] = node.position.into();
        let [upper, lower] = node.multipliers.into();
        let energy = judge.energy(&node.position, &node.velocity) / SCALE;
        table.push([node.time, x1, y1, x2, y2, upper, lower, energy, node.position_residual]);
    })?;

    desk.say("energy error", format_args!("at most {:.1e} of g Σ m l", table.largest(7)));
    desk.say("constraints", format_args!("at most {:.1e} m² off", table.largest(8)));
    let (upper, lower) = (table.largest(5), table.largest(6));
    desk.say("forces in the rods", format_args!("up to {upper:.0} N and {lower:.0} N, at rest 20 N and 10 N"));
    desk.finish(&table, |page| {
        // The first second and a half.
        let first: Vec<_> = table.rows().iter().take_while(|row| row[0] < 1.5).collect();
        let poses = first.iter().step_by((desk.rate() / 12.0).ceil() as usize);
        let poses = poses.map(|row| vec![(0.0, 0.0), (row[1], row[2]), (row[3], row[4])]);
        let path = Curve::through(first.iter().map(|row| (row[3], row[4])));
        let begin = Chart::new("x / m", "y / m").titled("The first 1.5 s").to_scale();
        let begin = begin.curve(path.drawn(Ink::BLUE, 1.0)).poses(poses);
        let whole = Chart::new("x / m", "y / m").titled("The path of the lower mass").to_scale();
        let forces = Chart::new("time / s", "force / N")
            .curve(table.curve(0, 5).named("upper rod"))
            .curve(table.curve(0, 6).named("lower rod"));
        page.row(380, [begin, whole.curve(table.curve(3, 4).drawn(Ink::BLACK, 0.8))])
            .row(230, [forces])
            .row(230, [table.error_chart(7), table.error_chart(8)])
    })
}
