//! The spherical pendulum of Hairer's lecture notes (*Solving Differential Equations on Manifolds*, Fig. V.1): its path on the
//! sphere, and its invariants: the energy and the angular momentum about the vertical.
//!
//! `cargo run --release --example spherical_pendulum -- --plot spherical_pendulum.svg --method implicit_euler`

use std::process::ExitCode;

use desk::plot::{Ink, Place, Stroke, View};
use desk::{About, Desk, Outcome, Table};
use mechanisms::SphericalPendulum;
use taut::method::NAMES;
use taut::scalar::Float;
use taut::start::Start;

const ABOUT: About = About {
    name: "Spherical pendulum",
    about: "A unit mass on the unit sphere under unit gravity, thrown hard: h = 0.01 to t = 100, as in the source. \
            Compare --method rattle and symplectic_euler with implicit_euler.",
    methods: &NAMES,
    method: "rattle",
    rate: 100.0,
    seconds: 100.0,
};

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

fn simulate<T: Float>(desk: &Desk) -> Outcome {
    let (system, judge) = (SphericalPendulum::<T>::default(), SphericalPendulum::<f64>::default());
    let start = Start::at(&system, desk.clock()?, SphericalPendulum::position());
    let mut state = start.moving(SphericalPendulum::velocity())?;
    let mut table = Table::new([
        "time / s",
        "x / m",
        "y / m",
        "z / m",
        "energy error / J",
        "momentum error / (N m s)",
        "constraint / m²",
    ]);
    let mut first = None;
    desk::run(desk, &system, &mut state, |node| {
        let (q, v) = (node.position, node.velocity);
        let (energy, momentum) = (judge.energy(&q, &v), q.x * v.y - q.y * v.x);
        let (energy_0, momentum_0) = *first.get_or_insert((energy, momentum));
        table.push([node.time, q.x, q.y, q.z, energy - energy_0, momentum - momentum_0, node.position_residual]);
    })?;

    let (low, high) = table.rows().iter().fold((0.0_f64, 0.0_f64), |(a, b), row| (a.min(row[4]), b.max(row[4])));
    desk.say("energy error", format_args!("from {low:.2e} J to {high:.2e} J, of 25.9 J"));
    desk.say("angular momentum", format_args!("at most {:.1e} N m s off, of 6.26 N m s", table.largest(5)));
    desk.say("constraint", format_args!("at most {:.1e} m² off", table.largest(6)));
    desk.finish(&table, |page| {
        let view = View::from(25.0, 28.0);
        let path = |rows: &mut dyn Iterator<Item = &[f64; 7]>| rows.map(|row| [row[1], row[2], row[3]]).collect();
        let draw = |title: &str, loops: &mut dyn Iterator<Item = Vec<Place>>| {
            loops.fold(view.sphere().titled(title), |chart, places| {
                let behind = Some(Stroke::solid(Ink::grey(0.72), 1.0));
                view.on_sphere(chart, &places, Stroke::solid(Ink::BLACK, 1.4), behind)
            })
        };
        let begin = path(&mut table.rows().iter().take_while(|row| row[0] <= 5.0));
        // About as long as a turn about the vertical takes at first.
        let mut turns = (0..10).map(|turn| {
            let since = f64::from(turn) * 10.0;
            path(&mut table.rows().iter().filter(|row| (since..since + 1.05).contains(&row[0])))
        });
        let begin = draw("The first 5 s", &mut std::iter::once(begin));
        let whole = draw("A second out of ten", &mut turns);
        page.row(330, [begin, whole]).row(220, [table.chart(4)]).row(220, [table.error_chart(5), table.error_chart(6)])
    })
}
