//! A pendulum in Cartesian coordinates: poses, the force in its rod, the error of its energy, its distance from the circle.
//!
//! `cargo run --release --example pendulum -- --plot pendulum.svg`

use std::process::ExitCode;

use desk::{About, Desk, Outcome, Table};
use mechanisms::Pendulum;
use taut::method::NAMES;
use taut::scalar::Float;
use taut::start::Start;

const ABOUT: About = About {
    name: "Pendulum",
    about: "1 kg on a rod of 1 m, released horizontally: one constraint that keeps the length of the rod.",
    methods: &NAMES,
    method: "rattle",
    rate: 100.0,
    seconds: 10.0,
};

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

fn simulate<T: Float>(desk: &Desk) -> Outcome {
    let (pendulum, judge) = (Pendulum::<T>::standard(), Pendulum::<f64>::standard());
    let mut state = Start::at(&pendulum, desk.clock()?, [T::one(), T::zero()]).at_rest()?;
    let mut table =
        Table::new(["time / s", "x / m", "y / m", "force in the rod / N", "energy error / (m g l)", "constraint / m²"]);
    desk::run(desk, &pendulum, &mut state, |node| {
        let [x, y] = node.position.into();
        // At the start the energy is zero.
        let energy = judge.energy(&node.position, &node.velocity) / 9.81;
        table.push([node.time, x, y, node.multipliers[0], energy, node.position_residual]);
    })?;

    desk.say("energy error", format_args!("at most {:.1e} of m g l", table.largest(4)));
    desk.say("constraint", format_args!("at most {:.1e} m² off", table.largest(5)));
    desk.say("force in the rod", format_args!("at most {:.2} N, three times the weight below", table.largest(3)));
    desk.finish(&table, |page| {
        // One swing takes 2.37 s; half of it is shown.
        let half = table.rows().iter().take_while(|row| row[0] < 1.19).step_by((desk.rate() / 14.0).ceil() as usize);
        let poses = half.map(|row| vec![(0.0, 0.0), (row[1], row[2])]);
        let swing = desk::plot::Chart::new("x / m", "y / m").titled("The first half swing").to_scale().poses(poses);
        page.row(300, [swing, table.chart(3)]).row(250, [table.error_chart(4), table.error_chart(5)])
    })
}
