//! A pendulum that a stiff actuator moves, with poles at −1000/s: implicit methods step it a hundred times a second and less, an explicit one
//! needs 360 steps a second (Hairer's lecture notes, V; Radau IIA has the order of its stages here).
//!
//! `cargo run --release --example stiff_actuator -- --plot stiff_actuator.svg`

use std::process::ExitCode;

use desk::plot::{Chart, Curve, Ink};
use desk::{About, Desk, Outcome, Progress, Table, doubles};
use mechanisms::StiffActuator;
use taut::linalg::Vector;
use taut::method::{AnyMethod, ImplicitEuler, RadauIia, RungeKutta4};
use taut::scalar::Float;
use taut::start::{Clock, Start, StartError, State};

const ABOUT: About = About {
    name: "Stiff actuator",
    about: "A pendulum whose actuator holds x at sin t/2 with a stiffness of 1e6 N/m: implicit Euler, Radau IIA of order 3 and 5, and \
            Runge-Kutta 4. The method given moves the pendulum of the first plot.",
    methods: &["implicit_euler", "radau_iia_3", "radau_iia_5"],
    method: "radau_iia_3",
    rate: 10.0,
    seconds: 10.0,
};

type Method<T> = Box<AnyMethod<StiffActuator<T>, T, 2, 1>>;

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

fn methods<T: Float + 'static>() -> [(&'static str, Method<T>); 4] {
    [
        ("implicit Euler", Box::new(ImplicitEuler::new().projecting_velocities())),
        ("Radau IIA, order 3", Box::new(RadauIia::order_three())),
        ("Radau IIA, order 5", Box::new(RadauIia::order_five())),
        ("Runge–Kutta 4", Box::new(RungeKutta4::new())),
    ]
}

fn start<T: Float>(clock: Clock<T>) -> Result<State<T, 2, 1>, StartError<T>> {
    let [q, v] = StiffActuator::start();
    // Wide, for single precision: a force of 1e6 N/m has round-off of 0.1 N, which h² makes 1e-3 at 10 Hz.
    Start::at(&StiffActuator::new(), clock, q).limit(T::from_f64(1e-2)).moving(v)
}

/// The position after a second, in double precision; `None` if the method fails.
fn after_a_second(method: &Method<f64>, rate: u32) -> Outcome<Option<Vector<f64, 2>>> {
    let mut state = start(Clock::with_step(1.0 / f64::from(rate))?)?;
    for _ in 0..rate {
        if method.step(&StiffActuator::new(), &mut state).is_err() {
            return Ok(None);
        }
    }
    Ok(Some(*state.position()))
}

fn simulate<T: Float + 'static>(desk: &Desk) -> Outcome {
    let (methods, judges) = (methods::<T>(), self::methods::<f64>());
    let shown = ABOUT.methods.iter().position(|name| *name == desk.method()).unwrap_or(1);
    let mut states = [start(desk.clock::<T>()?)?; 4];
    let mut stopped = [false; 4];
    // The exact solution: order 5 in double precision, sixteen steps in one.
    let mut exact = start(Clock::at_rate(16.0 * desk.rate())?)?;
    let names =
        ["time / s", "x / m", "wanted / m", "error 1 / m", "error 2 / m", "error 3 / m", "off by Runge–Kutta 4 / m"];
    let mut table = Table::new(names);
    let mut progress = Progress::of(desk.steps());
    for tick in 0..=desk.steps() {
        let t = tick as f64 / desk.rate();
        // A method that has stopped leaves its pendulum where it was.
        let [a, b, c, d] = states.each_ref().map(|state| (doubles(state.full_position()) - exact.position()).norm());
        table.push([t, doubles(states[shown].full_position()).x, t.sin() / 2.0, a, b, c, d]);
        for (k, (name, method)) in methods.iter().enumerate() {
            if !stopped[k]
                && let Err(error) = method.step(&StiffActuator::new(), &mut states[k])
            {
                desk.say(name, format_args!("stops after {t:.2} s: {error}"));
                stopped[k] = true;
            }
        }
        for _ in 0..16 {
            judges[2].1.step(&StiffActuator::new(), &mut exact)?;
        }
        progress.step();
    }

    let Some(end) = after_a_second(&judges[2].1, 2560)? else { return Err("no reference".into()) };
    let mut orders = [const { Vec::new() }; 4];
    for rate in [5, 10, 20, 40, 80, 160, 320, 365, 640, 1280] {
        for (k, (_, method)) in judges.iter().enumerate() {
            if let Some(found) = after_a_second(method, rate)? {
                orders[k].push((f64::from(rate), (found - end).norm()));
            }
        }
    }
    for (k, (name, _)) in methods.iter().enumerate().filter(|(k, _)| !stopped[*k]) {
        desk.say(name, format_args!("position at most {:.1e} m off", table.largest(3 + k)));
    }
    desk.finish(&table, |page| {
        let motion =
            Chart::new("time / s", "x / m").titled(methods[shown].0).curve(table.curve(0, 1).named("pendulum"));
        let motion = motion.curve(table.curve(0, 2).named("wanted").dashed(Ink::grey(0.5), 1.0));
        let each = |chart: Chart, curve: &dyn Fn(usize) -> Curve| {
            (0..4).fold(chart, |chart, k| chart.curve(curve(k).named(methods[k].0)))
        };
        let errors = Chart::new("time / s", "error / m").titled("Error of the position").logarithmic();
        let order = Chart::new("steps per second", "error after 1 s / m")
            .titled("Runge–Kutta 4 fails below 360 steps a second")
            .doubly_logarithmic();
        page.row(180, [motion])
            .row(260, [each(errors, &|k| table.magnitudes(3 + k))])
            .row(290, [each(order, &|k| Curve::through(orders[k].clone()))])
    })
}
