//! The pendulum in Cartesian coordinates by dummy pivoting (Mattsson & Söderlind, example 4): one of x and y is integrated, the other follows
//! from the constraint. Which one changes on the way.
//!
//! `cargo run --release --example dummy_pivoting -- --plot dummy_pivoting.svg`

use std::process::ExitCode;

use desk::plot::{Chart, Curve, Ink};
use desk::{About, Desk, Outcome, Progress, Table, doubles};
use mechanisms::Pendulum;
use taut::method::{LocalRungeKutta4, Partitioned, Step};
use taut::scalar::Float;
use taut::start::Start;

const ABOUT: About = About {
    name: "Dummy pivoting",
    about: "A pendulum with unit parameters from the horizontal with φ' = −1: the dependent coordinate D changes if its pivot is below half of \
            the other's, or as soon as the other is better.",
    methods: &["with_hysteresis", "always_the_best"],
    method: "with_hysteresis",
    rate: 100.0,
    seconds: 20.0,
};

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

/// The name of the dependent coordinate.
fn name([x, _]: [bool; 2]) -> &'static str {
    if x { "x" } else { "y" }
}

fn simulate<T: Float>(desk: &Desk) -> Outcome {
    let (pendulum, judge) = (Pendulum::<T>::unit(), Pendulum::<f64>::unit());
    let hysteresis = if desk.method() == "always_the_best" { 1.0 } else { 0.5 };
    let method = LocalRungeKutta4::partitioned().hysteresis(T::from_f64(hysteresis));
    let start = Start::at(&pendulum, desk.clock()?, [T::one(), T::zero()]).moving([T::zero(), -T::one()])?;
    let first = judge.energy(&doubles(start.full_position()), &doubles(start.full_velocity()));
    let (mut state, mut angle) = (Partitioned::new(start), core::f64::consts::FRAC_PI_2);

    let names = ["time / s", "x / m", "y / m", "angle / rad", "energy error / J", "constraint / m²", "D is x"];
    let (mut table, mut switches) = (Table::new(names), Vec::new());
    let mut progress = Progress::of(desk.steps());
    for tick in 0..desk.steps() {
        let before = state.changes();
        let report = method.step(&pendulum, &mut state)?;
        let (q, v) = (doubles(state.state().full_position()), doubles(state.state().full_velocity()));
        let energy = judge.energy(&q, &v) - first;
        if state.changes() > before || tick == 0 {
            // The choice is made at the begin of a step, where the angle is still that of the step before.
            let before = tick as f64 / desk.rate();
            let found = format!("{{{}}}, angle {angle:+.3} rad, energy {energy:+.1e} J off", name(*state.dependent()));
            desk.say(&format!("D from {before:.2} s"), found);
            switches.push((before, angle));
        }
        angle = q.x.atan2(-q.y);
        let off = report.position_residual[0].to_f64();
        table.push([
            (tick + 1) as f64 / desk.rate(),
            q.x,
            q.y,
            angle,
            energy,
            off,
            f64::from(u8::from(state.dependent()[0])),
        ]);
        progress.step();
    }

    desk.say("switches", switches.len() - 1);
    desk.say("energy", format_args!("at most {:.1e} J off", table.largest(4)));
    desk.say("constraint", format_args!("at most {:.1e} m² off", table.largest(5)));
    desk.finish(&table, |page| {
        // One curve for each stretch between two switches.
        let stretches: Vec<_> = table.rows().chunk_by(|a, b| a[6] == b[6]).collect();
        let drawn = |mut chart: Chart, place: fn(&[f64; 7]) -> (f64, f64)| {
            for (index, rows) in stretches.iter().enumerate() {
                let x = rows[0][6] == 1.0;
                let curve = Curve::through(rows.iter().map(place)).drawn(if x { Ink::ORANGE } else { Ink::BLUE }, 2.4);
                chart = chart.curve(if index < 2 { curve.named(if x { "D = {x}" } else { "D = {y}" }) } else { curve });
            }
            chart
        };
        let swing = drawn(Chart::new("x / m", "y / m").titled("The swing").to_scale(), |row| (row[1], row[2]));
        let angle =
            drawn(Chart::new("time / s", "angle / rad").titled("The angle and the switches"), |row| (row[0], row[3]));
        let angle =
            angle.curve(Curve::through(switches.iter().skip(1).copied()).dotted(3.0, Ink::WHITE).named("switch"));
        page.row(290, [swing, table.error_chart(4)]).row(250, [angle]).row(200, [table.error_chart(5)])
    })
}
