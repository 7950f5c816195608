//! The drift experiment of Hairer & Wanner VII.2: a pendulum whose constraint is differentiated twice drifts off, its velocity linearly
//! and its position quadratically in time (Fig. 2.1); projections onto one constraint or both cure it differently (Fig. 2.2).
//!
//! `cargo run --release --example drift -- --plot drift.svg`

use std::process::ExitCode;

use desk::plot::Chart;
use desk::{About, Desk, Outcome, Progress, Table, doubles};
use systems::Pendulum;
use taut::linalg::Vector;
use taut::method::{Composition, ImplicitEuler, Report, RungeKutta4, StepError, StepSize};
use taut::scalar::Float;
use taut::start::{Start, State};

const ABOUT: About = About {
    name: "Drift",
    about: "A pendulum with unit parameters on the acceleration level, four times: without projection, projected onto its position, onto its \
            velocity, onto both. With --method implicit_euler: on the acceleration, the velocity and the position level, and on \
            the last with velocities projected.",
    methods: &["runge_kutta_4", "implicit_euler"],
    method: "runge_kutta_4",
    rate: 20.0,
    seconds: 20.0,
};

type Step<T> = Box<dyn Fn(&Pendulum<T>, &mut State<T, 2, 1>) -> Result<Report<T, 1>, StepError<T>>>;

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

/// The four variants of a method.
fn variants<T: Float>(desk: &Desk) -> Outcome<[(&'static str, Step<T>); 4]> {
    let size = desk.step_size()?;
    macro_rules! variant {
        ($name:literal, $method:expr) => {{
            let method = $method;
            ($name, Box::new(move |system: &Pendulum<T>, state: &mut State<T, 2, 1>| method.step(system, state)))
        }};
    }
    let runge_kutta = RungeKutta4::with_step(size);
    Ok(match desk.method() {
        "runge_kutta_4" => [
            variant!("without projection", runge_kutta.bare()),
            variant!("onto positions", runge_kutta.positions_only()),
            variant!("onto velocities", runge_kutta.velocities_only()),
            variant!("onto both", runge_kutta),
        ],
        _ => [
            variant!("acceleration level", ImplicitEuler::acceleration_level(size)),
            variant!("velocity level", ImplicitEuler::velocity_level(size)),
            variant!("position level", ImplicitEuler::position_level(size)),
            variant!("with projected velocities", ImplicitEuler::position_level(size).projecting_velocities()),
        ],
    })
}

fn simulate<T: Float>(desk: &Desk) -> Outcome {
    let (pendulum, judge) = (Pendulum::<T>::unit(), Pendulum::<f64>::unit());
    // Far off is what the experiment is about, so the limit is wide.
    let start = Start::at(&pendulum, [T::one(), T::zero()]).limit(T::one()).at_rest()?;
    let (variants, mut states, mut stopped) = (variants::<T>(desk)?, [start; 4], [false; 4]);
    // The exact solution: order 6 in double precision, eight steps in one.
    let fine = Composition::kahan_li(StepSize::at_rate(8.0 * desk.rate())?);
    let mut exact = Start::at(&judge, [1.0, 0.0]).at_rest()?;

    let names = ["time / s", "g 1", "g 2", "g 3", "g 4", "G v 1", "G v 2", "G v 3", "G v 4"];
    let mut residuals = Table::new(names);
    let mut errors = Table::new(["time / s", "error 1", "error 2", "error 3", "error 4"]);
    let mut progress = Progress::of(desk.steps());
    for tick in 0..=desk.steps() {
        let time = tick as f64 / desk.rate();
        let nodes = [0, 1, 2, 3].map(|index: usize| match (stopped[index], &states[index]) {
            (false, state) => (doubles(state.full_position()), doubles(state.full_velocity())),
            _ => (Vector::repeat(f64::NAN), Vector::repeat(f64::NAN)),
        });
        let [g1, g2, g3, g4] = nodes.map(|(q, _)| (q.norm_squared() - 1.0) / 2.0);
        let [v1, v2, v3, v4] = nodes.map(|(q, v)| q.dot(&v));
        residuals.push([time, g1, g2, g3, g4, v1, v2, v3, v4]);
        let [e1, e2, e3, e4] = nodes.map(|(q, v)| (q - exact.position()).norm().hypot((v - exact.velocity()).norm()));
        errors.push([time, e1, e2, e3, e4]);
        for (index, (name, step)) in variants.iter().enumerate().filter(|_| tick < desk.steps()) {
            // Too far off for a step: that, too, is what the experiment shows.
            if !stopped[index]
                && let Err(error) = step(&pendulum, &mut states[index])
            {
                desk.say(name, format_args!("stops after {time:.2} s: {error}"));
                stopped[index] = true;
            }
        }
        for _ in 0..8 {
            let _ = fine.step(&judge, &mut exact)?;
        }
        progress.step();
    }

    for (index, (name, _)) in variants.iter().enumerate() {
        let [position, velocity] = [1 + index, 5 + index].map(|column| residuals.largest(column));
        let error = errors.largest(1 + index);
        desk.say(name, format_args!("|g| {position:.1e}, |G v| {velocity:.1e}, global error {error:.1e} at most"));
    }
    desk.finish(&residuals, |page| {
        let first = variants[0].0;
        let drift = Chart::new("time / s", "residual").titled(format!("Residuals, {first}"));
        let drift =
            drift.curve(residuals.curve(0, 1).named("position: g")).curve(residuals.curve(0, 5).named("velocity: G v"));
        let four = |label: &str, title: &str| Chart::new("time / s", label).titled(title).logarithmic();
        let each = |chart: Chart, table: &dyn Fn(usize) -> desk::plot::Curve| {
            (0..4).fold(chart, |chart, index| chart.curve(table(index).named(variants[index].0)))
        };
        let global = each(four("error of position and velocity", "Global error"), &|i| errors.magnitudes(1 + i));
        let positions = each(four("|g| / m²", "Distance from the circle"), &|i| residuals.magnitudes(1 + i));
        page.row(260, [drift]).row(280, [global]).row(280, [positions])
    })
}
