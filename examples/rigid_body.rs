//! A free rigid body: its angular momentum moves on a sphere (Hairer's lecture notes, I.1). A plain method leaves the sphere; one that is
//! projected onto its invariants after every step stays.
//!
//! `cargo run --release --example rigid_body -- --plot rigid_body.svg`

use std::process::ExitCode;

use desk::plot::{Chart, Curve, Ink, Place, Stroke, View};
use desk::{About, Desk, Outcome, Progress, Table};
use mechanisms::{BodyInvariants, RigidBody};
use taut::linalg::Vector;
use taut::project::{Invariant, onto_invariant};
use taut::scalar::Float;

const ABOUT: About = About {
    name: "Rigid body",
    about: "Euler's equations with the moments of inertia 1.6, 1 and 2/3 from y = (cos 0.9, 0, sin 0.9): without projection, projected \
            onto the sphere |y| = 1, and onto the sphere and the ellipsoid of constant energy.",
    methods: &["explicit_euler", "runge_kutta_4"],
    method: "explicit_euler",
    rate: 40.0,
    seconds: 60.0,
};

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

fn step<T: Float>(method: &str, h: T, y: &Vector<T, 3>) -> Vector<T, 3> {
    if method == "explicit_euler" {
        return y + RigidBody::rate(y) * h;
    }
    let half = h * T::from_f64(0.5);
    let k1 = RigidBody::rate(y);
    let k2 = RigidBody::rate(&(y + k1 * half));
    let k3 = RigidBody::rate(&(y + k2 * half));
    let k4 = RigidBody::rate(&(y + k3 * h));
    y + (k1 + (k2 + k3) * T::from_f64(2.0) + k4) * (h / T::from_f64(6.0))
}

fn simulate<T: Float>(desk: &Desk) -> Outcome {
    let mut bodies = [RigidBody::momentum::<T>(); 3];
    let first = BodyInvariants::of(&bodies[0]);
    let (sphere, both) = (BodyInvariants::<T, 1>(first.into()), BodyInvariants::<T, 2>(first.into()));
    let h = desk.clock::<T>()?.step();
    let names = ["time / s", "radius 1", "radius 2", "radius 3", "energy 1", "energy 2", "energy 3"];
    let (mut table, mut paths) = (Table::new(names), [const { Vec::<Place>::new() }; 3]);
    let mut progress = Progress::of(desk.steps());
    for tick in 0..=desk.steps() {
        let errors = bodies.map(|y| both.residual(&y).map(|error| error.to_f64()));
        let [a, b, c] = errors;
        table.push([tick as f64 / desk.rate(), a[0], b[0], c[0], a[1], b[1], c[1]]);
        for (path, y) in paths.iter_mut().zip(bodies) {
            path.push(y.map(|y| y.to_f64()).into());
        }
        bodies = bodies.map(|y| step(desk.method(), h, &y));
        bodies[1] = onto_invariant(&sphere, &bodies[1], T::NEWTON_ITERATIONS)?;
        bodies[2] = onto_invariant(&both, &bodies[2], T::NEWTON_ITERATIONS)?;
        progress.step();
    }

    let kinds = ["without projection", "onto the sphere", "onto sphere and ellipsoid"];
    for (kind, name) in kinds.into_iter().enumerate() {
        let (radius, energy) = (table.largest(1 + kind), table.largest(4 + kind));
        desk.say(name, format_args!("|y|²/2 at most {radius:.1e} off, energy {energy:.1e}"));
    }
    desk.finish(&table, |page| {
        let view = View::from(40.0, 25.0);
        let seen = [0, 1, 2].map(|kind| {
            let path: Vec<(f64, f64)> = paths[kind].iter().map(|place| view.flat(*place)).collect();
            let chart = view.sphere().titled(kinds[kind]).curve(Curve::through(path).drawn(Ink::grey(0.78), 0.9));
            view.on_sphere(chart, &paths[kind], Stroke::solid(Ink::BLACK, 1.3), None)
        });
        let errors = |label: &str, column: usize| {
            kinds.into_iter().enumerate().fold(Chart::new("time / s", label).logarithmic(), |chart, (kind, name)| {
                chart.curve(table.magnitudes(column + kind).named(name))
            })
        };
        page.row(310, seen).row(260, [errors("error of |y|²/2", 1)]).row(260, [errors("error of the energy", 4)])
    })
}
