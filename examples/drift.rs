//! The drift experiment of Hairer & Wanner VII.2: a pendulum whose constraint is differentiated twice drifts off, its velocity linearly
//! and its position quadratically in time (Fig. 2.1); projections onto one constraint or both cure it differently (Fig. 2.2).
//!
//! `cargo run --release --example drift -- --plot drift.svg`

use std::process::ExitCode;

use desk::plot::Chart;
use desk::{About, Desk, Outcome, Progress, Table, doubles};
use mechanisms::Pendulum;
use taut::linalg::Vector;
use taut::method::{AnyMethod, Composition, ImplicitEuler, RungeKutta4, Step};
use taut::scalar::Float;
use taut::start::{Clock, Start};

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

type Method<T> = Box<AnyMethod<Pendulum<T>, T, 2, 1>>;

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

/// The four variants of a method.
fn variants<T: Float + 'static>(method: &str) -> [(&'static str, Method<T>); 4] {
    let (runge_kutta, euler) = (RungeKutta4::new(), ImplicitEuler::new());
    match method {
        "runge_kutta_4" => [
            ("without projection", Box::new(runge_kutta.bare())),
            ("onto positions", Box::new(runge_kutta.positions_only())),
            ("onto velocities", Box::new(runge_kutta.velocities_only())),
            ("onto both", Box::new(runge_kutta)),
        ],
        _ => [
            ("acceleration level", Box::new(ImplicitEuler::acceleration_level())),
            ("velocity level", Box::new(ImplicitEuler::velocity_level())),
            ("position level", Box::new(euler)),
            ("with projected velocities", Box::new(euler.projecting_velocities())),
        ],
    }
}

fn simulate<T: Float + 'static>(desk: &Desk) -> Outcome {
    let (pendulum, judge) = (Pendulum::<T>::unit(), Pendulum::<f64>::unit());
    // A wide limit, because the experiment shows the drift.
    let start = Start::at(&pendulum, desk.clock()?, [T::one(), T::zero()]).limit(T::one()).at_rest()?;
    let (variants, mut states, mut stopped) = (variants::<T>(desk.method()), [start; 4], [false; 4]);
    // The exact solution: order 6 in double precision, eight steps in one.
    let fine = Composition::kahan_li();
    let mut exact = Start::at(&judge, Clock::at_rate(8.0 * desk.rate())?, [1.0, 0.0]).at_rest()?;

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
        for (index, (name, method)) in variants.iter().enumerate().filter(|_| tick < desk.steps()) {
            // A variant that drifts beyond the limit stops; the experiment shows that, too.
            if !stopped[index]
                && let Err(error) = method.step(&pendulum, &mut states[index])
            {
                desk.say(name, format_args!("stops after {time:.2} s: {error}"));
                stopped[index] = true;
            }
        }
        for _ in 0..8 {
            fine.step(&judge, &mut exact)?;
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
