//! Numerically consistent initial values (Arévalo, Problem 5.1 and Fig. 5.1): implicit Euler on the position level has an error of O(1) in the
//! multiplier of its first step, for any step size, unless the velocity is changed by O(h) before.
//!
//! `cargo run --release --example consistent_start -- --f64 --plot consistent_start.svg`

use std::process::ExitCode;

use desk::plot::{Chart, Curve, Ink};
use desk::{About, Desk, Outcome, Table};
use mechanisms::Problem51;
use taut::method::{ImplicitEuler, NAMES, Step};
use taut::scalar::Float;
use taut::start::{Start, State};

const ABOUT: About = About {
    name: "Consistent start",
    about: "x'' = 2y − xλ, y'' = −2x − yλ on the unit circle, whose solution is known. With --method implicit_euler, from exact and from \
            numerically consistent values; the other methods need no correction.",
    methods: &NAMES,
    method: "implicit_euler",
    rate: 1_000.0,
    seconds: 0.012,
};

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

fn start<T: Float>(desk: &Desk) -> Outcome<State<T, 2, 1>> {
    let (q, v, _) = Problem51::exact(0.0);
    // The velocities of implicit Euler are off their constraint by O(h).
    let system = Problem51::<T>::new();
    let start = Start::at(&system, desk.clock()?, q.map(T::from_f64)).limit(T::from_f64(0.5));
    Ok(start.moving(v.map(T::from_f64))?)
}

/// The multipliers of implicit Euler, at times 1, 2, … steps.
fn implicit_euler<T: Float>(desk: &Desk, consistent: bool) -> Outcome<Vec<f64>> {
    let (system, euler) = (Problem51::<T>::new(), ImplicitEuler::new());
    let mut state = start::<T>(desk)?;
    if consistent {
        let before = *state.velocity();
        euler.make_consistent(&system, &mut state)?;
        let change = (state.velocity() - before).map(|change| change.to_f64());
        desk.say("correction", format_args!("changes the velocity by ({:+.3e}, {:+.3e})", change.x, change.y));
    }
    (0..desk.steps()).map(|_| Ok(euler.step(&system, &mut state)?.multipliers[0].to_f64())).collect()
}

/// The multipliers of any other method, at the same times.
fn another<T: Float>(desk: &Desk) -> Outcome<Vec<f64>> {
    let mut multipliers = Vec::new();
    desk::run(desk, &Problem51::new(), &mut start::<T>(desk)?, |node| {
        multipliers.push(node.multipliers[0]);
    })?;
    Ok(multipliers.split_off(1))
}

fn simulate<T: Float>(desk: &Desk) -> Outcome {
    let runs = if desk.method() == "implicit_euler" {
        vec![
            ("exact initial values", implicit_euler::<T>(desk, false)?),
            ("consistent values", implicit_euler::<T>(desk, true)?),
        ]
    } else {
        vec![("exact initial values", another::<T>(desk)?)]
    };
    let mut table = Table::new(["time / s", "λ", "λ from exact values", "λ from consistent values"]);
    for (step, from_exact) in runs[0].1.iter().enumerate() {
        let time = (step + 1) as f64 / desk.rate();
        let from_consistent = runs.get(1).map_or(f64::NAN, |(_, run)| run[step]);
        table.push([time, Problem51::exact(time).2, *from_exact, from_consistent]);
    }

    let errors = |column: usize| table.rows().iter().map(move |row| (row[0], (row[column] - row[1]).abs()));
    for (index, (name, _)) in runs.iter().enumerate() {
        let said: Vec<_> = errors(2 + index).take(3).map(|(_, error)| format!("{error:.6}")).collect();
        desk.say(name, format_args!("λ is off by {}, … of 4 in the first steps", said.join(", ")));
    }
    desk.finish(&table, |page| {
        let multiplier = Chart::new("time / s", "multiplier λ / (N/m)");
        let multiplier = multiplier.curve(table.curve(0, 1).named("solution").drawn(Ink::grey(0.6), 3.0));
        let error = Chart::new("time / s", "error of λ / (N/m)").logarithmic();
        // A dot within a ring, where both are equal.
        let looks = [(Ink::BLACK, 2.6, Ink::BLACK), (Ink::BLUE, 5.0, Ink::WHITE)];
        let (multiplier, error) =
            runs.iter().enumerate().rev().fold((multiplier, error), |(multiplier, error), (index, (name, _))| {
                let (ink, radius, fill) = looks[index];
                let dot = |curve: Curve| curve.named(*name).dashed(ink, 1.2).dotted(radius, fill);
                (multiplier.curve(dot(table.curve(0, 2 + index))), error.curve(dot(Curve::through(errors(2 + index)))))
            });
        page.row(300, [multiplier]).row(300, [error])
    })
}
