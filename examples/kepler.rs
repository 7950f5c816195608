//! The perturbed Kepler problem with and without projection onto its energy (Hairer & Wanner VII.2, Fig. 2.3). Explicit Euler spirals out, and
//! projection helps. Symplectic Euler keeps the orbit's shape, and projection after every step destroys it.
//!
//! `cargo run --release --example kepler -- --plot kepler.svg`

use std::process::ExitCode;

use desk::plot::{Chart, Curve};
use desk::{About, Desk, Outcome, Progress, Table};
use mechanisms::Kepler;
use nalgebra::vector;
use taut::linalg::Vector;
use taut::project::onto_invariant;
use taut::scalar::Float;

const ABOUT: About = About {
    name: "Kepler",
    about: "A planet with the eccentricity 0.6 under a slightly perturbed force: without projection, projected onto its energy after every \
            step, and projected for output only.",
    methods: &["explicit_euler", "symplectic_euler"],
    method: "symplectic_euler",
    rate: 100.0,
    seconds: 200.0,
};

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

fn step<T: Float>(method: &str, h: T, y: &Vector<T, 4>) -> Vector<T, 4> {
    let rate = Kepler::rate(y);
    if method == "explicit_euler" {
        return y + rate * h;
    }
    let (u, v) = (y[2] + rate[2] * h, y[3] + rate[3] * h);
    vector![y[0] + u * h, y[1] + v * h, u, v]
}

fn simulate<T: Float>(desk: &Desk) -> Outcome {
    let h = desk.clock::<T>()?.step();
    let mut free = Kepler::<T>::start();
    let mut kept = free;
    let first = Kepler::<T>::invariants(&free);
    let energy = Kepler { energy: first[0] };

    let kinds = ["without projection", "projected after every step", "projected for output"];
    let names = ["time / s", "energy 1", "energy 2", "energy 3", "momentum 1", "momentum 2", "momentum 3"];
    let (mut table, mut orbits) = (Table::new(names), [const { Vec::new() }; 3]);
    let mut progress = Progress::of(desk.steps());
    for tick in 0..=desk.steps() {
        // Too far from the energy there may be no projection for output; then the planet is shown where it is.
        let shown = onto_invariant(&energy, &free, T::NEWTON_ITERATIONS).unwrap_or(free);
        let planets = [free, kept, shown];
        let [a, b, c] = planets.map(|y| (Kepler::<T>::invariants(&y) - first).map(|error| error.to_f64()));
        table.push([tick as f64 / desk.rate(), a[0], b[0], c[0], a[1], b[1], c[1]]);
        for (orbit, y) in orbits.iter_mut().zip(planets) {
            orbit.push((y[0].to_f64(), y[1].to_f64()));
        }
        free = step(desk.method(), h, &free);
        // Newton's method needs more iterations than usual: explicit Euler is far off near the sun.
        kept = onto_invariant(&energy, &step(desk.method(), h, &kept), 6)?;
        progress.step();
    }

    for (kind, name) in kinds.into_iter().enumerate() {
        let (energy, momentum) = (table.largest(1 + kind), table.largest(4 + kind));
        desk.say(name, format_args!("energy at most {energy:.1e} off, angular momentum {momentum:.1e}"));
    }
    desk.finish(&table, |page| {
        let seen = orbits
            .into_iter()
            .zip(kinds)
            .map(|(orbit, name)| Chart::new("x", "y").titled(name).to_scale().curve(Curve::through(orbit)));
        let errors = |label: &str, column: usize| {
            kinds.into_iter().enumerate().fold(Chart::new("time / s", label).logarithmic(), |chart, (kind, name)| {
                chart.curve(table.magnitudes(column + kind).named(name))
            })
        };
        page.row(290, seen).row(260, [errors("error of the energy", 1)]).row(260, [errors("error of the momentum", 4)])
    })
}
