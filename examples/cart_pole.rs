//! A pendulum on a cart stands by gains of least quadratic cost: one motor for two degrees of freedom. Shown with the masses of the
//! regulator's model, and with cart and bob 5% off; and with a small and a large cost of the force.
//!
//! `cargo run --release --example cart_pole -- --plot cart_pole.svg`

use std::process::ExitCode;

use desk::plot::Chart;
use desk::{About, Desk, Outcome, Progress, Table};
use mechanisms::CartPole;
use nalgebra::{matrix, vector};
use taut::control::{Driven, GainTable, LinearQuadratic, linearise};
use taut::linalg::{Matrix, Vector};
use taut::method::{AnyMethod, NAMES};
use taut::project::MinimalCoordinates;
use taut::scalar::Float;
use taut::start::{Clock, Start};

const ABOUT: About = About {
    name: "Pendulum on a cart",
    about: "A cart of 2 kg with a bob of 1 kg on a rod of 0.5 m, from 17 degrees and half a metre off: a linear-quadratic regulator in \
            minimal coordinates.",
    methods: &NAMES,
    method: "runge_kutta_4",
    rate: 1_000.0,
    seconds: 6.0,
};

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

/// The gains of an endless run, for a cost of the force.
fn gains<T: Float>(upright: &MinimalCoordinates<T, 3, 1, 2>, cost: f64) -> Outcome<Matrix<T, 1, 4>> {
    let [zero, tenth, cost] = [0.0, 0.1, cost].map(T::from_f64);
    let at_rest = (vector![zero, zero], vector![zero]);
    let (dynamics, actuation) = linearise(&CartPole::standard(), upright, zero, &at_rest.0, &at_rest.1)?;
    let state_weight = Matrix::from_diagonal(&Vector::from([10.0, 10.0, 1.0, 1.0].map(T::from_f64)));
    let problem = LinearQuadratic { dynamics, actuation, state_weight, input_weight: matrix![cost] };
    // A hundred intervals of a tenth of a second, 50 Riccati steps in each.
    Ok(GainTable::<T, 4, 1, 101>::solve(|_| Ok(problem), Matrix::zeros(), tenth, 50)?.gains[0])
}

/// Cart, tilt of the rod and force at each tick.
fn stand<T: Float>(
    desk: &Desk,
    method: &AnyMethod<Driven<CartPole<T>, T, 1>, T, 3, 1>,
    machine: CartPole<T>,
    cost: f64,
) -> Outcome<Vec<[f64; 3]>> {
    let model = CartPole::<T>::standard();
    let number = T::from_f64;
    let upright = MinimalCoordinates::<T, 3, 1, 2>::at(&model, number(0.0), &model.tilted(number(0.0)))?;
    let gains = gains(&upright, cost)?;
    let mut driven = Driven::new(machine);
    let begin = machine.tilted(number(0.3)) + Vector::from([0.5, 0.5, 0.0].map(number));
    let mut state = Start::at(&driven, Clock::at_rate(number(desk.rate()))?, begin).at_rest()?;
    let (mut samples, mut progress) = (Vec::new(), Progress::of(desk.steps()));
    for _ in 0..desk.steps() {
        let (q, v) = (upright.of(state.position()), upright.of(state.velocity()));
        driven.inputs = -(gains * vector![q[0], q[1], v[0], v[1]]);
        let [cart, x, y] = state.position().map(|x| x.to_f64()).into();
        samples.push([cart, (x - cart).atan2(y).to_degrees(), driven.inputs[0].to_f64()]);
        method.step(&driven, &mut state)?;
        progress.step();
    }
    Ok(samples)
}

fn simulate<T: Float>(desk: &Desk) -> Outcome {
    let exact = CartPole::<T>::standard();
    let off = CartPole { cart: exact.cart * T::from_f64(1.05), bob: exact.bob * T::from_f64(0.95), ..exact };
    let names = ["exact model", "masses 5% off", "force ten times as dear"];
    let runs = [(exact, 0.1), (off, 0.1), (exact, 1.0)];
    let mut found = Vec::new();
    for (machine, cost) in runs {
        found.push(desk.with_method(|method| stand(desk, method, machine, cost))??);
    }
    let mut table = Table::new([
        "time / s",
        "cart 1 / m",
        "cart 2 / m",
        "cart 3 / m",
        "tilt 1 / °",
        "tilt 2 / °",
        "tilt 3 / °",
        "force 1 / N",
        "force 2 / N",
        "force 3 / N",
    ]);
    for tick in 0..found[0].len() {
        let [a, b, c] = [found[0][tick], found[1][tick], found[2][tick]];
        table.push([tick as f64 / desk.rate(), a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]]);
    }
    for (run, name) in names.into_iter().enumerate() {
        let (end, force) = (found[run].last().map_or(0.0, |last| last[0]), table.largest(7 + run));
        desk.say(name, format_args!("the cart ends {end:.1e} m from zero, with at most {force:.0} N"));
    }
    desk.finish(&table, |page| {
        let chart = |label: &str, first: usize| {
            names.into_iter().enumerate().fold(Chart::new("time / s", label), |chart, (run, name)| {
                chart.curve(table.curve(0, first + run).named(name))
            })
        };
        page.row(230, [chart("cart / m", 1)]).row(230, [chart("tilt / °", 4)]).row(230, [chart("force / N", 7)])
    })
}
