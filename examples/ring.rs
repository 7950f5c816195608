//! Six corner pieces joined to a ring (Hairer's lecture notes, Example I.3.2): 18 constraints of which 17 are independent. Every
//! step determines the rank.
//!
//! `cargo run --release --example ring -- --plot ring.svg`

use std::process::ExitCode;

use desk::plot::{Chart, Curve, Ink, View};
use desk::{About, Desk, Outcome, Table};
use mechanisms::Ring;
use taut::linalg::Vector;
use taut::method::NAMES;
use taut::scalar::Float;
use taut::start::Start;

const ABOUT: About = About {
    name: "Ring of six pieces",
    about: "Six rigid corners, joined so that each turns about the edge that it shares with the next. One of them is held, the \
            others move with one degree of freedom, although 18 constraints for 18 coordinates leave none.",
    methods: &NAMES,
    method: "rattle",
    rate: 100.0,
    seconds: 4.0,
};

fn main() -> ExitCode {
    desk::main(&ABOUT, simulate::<f32>, simulate::<f64>)
}

fn simulate<T: Float>(desk: &Desk) -> Outcome {
    let (ring, judge) = (Ring::<T>::fixed(), Ring::<f64>::fixed());
    let velocity = Vector::from(Ring::tangent()) * T::from_f64(0.3);
    let mut state = Start::at(&ring, desk.clock()?, Ring::position()).redundant().moving(velocity)?;
    let mut table = Table::new(["time / s", "rank", "energy error / J", "constraints / m²", "speed / (m/s)"]);
    let (mut corners, mut first) = (Vec::new(), None);
    desk::run(desk, &ring, &mut state, |node| {
        let energy = judge.energy(&node.position, &node.velocity);
        let error = energy - *first.get_or_insert(energy);
        table.push([node.time, f64::from(node.rank), error, node.position_residual, node.velocity.norm()]);
        corners.push(node.position);
    })?;

    let ranks: Vec<_> = table.rows().iter().map(|row| row[1]).collect();
    let (low, high) = ranks.iter().fold((18.0_f64, 0.0_f64), |(low, high), rank| (low.min(*rank), high.max(*rank)));
    let rank = if low == high { format!("{low} of 18, all the time") } else { format!("{low} to {high} of 18") };
    desk.say("rank", rank);
    desk.say("energy error", format_args!("at most {:.1e} J", table.largest(2)));
    desk.say("constraints", format_args!("at most {:.1e} m² off", table.largest(3)));
    desk.finish(&table, |page| {
        let view = View::from(28.0, 22.0);
        let places = corners.iter().flat_map(|q| (0..6).map(|i| view.flat([q[3 * i], q[3 * i + 1], q[3 * i + 2]])));
        let extreme = |better: fn(f64, f64) -> f64| places.clone().reduce(|a, b| (better(a.0, b.0), better(a.1, b.1)));
        let everywhere: Vec<_> = [extreme(f64::min), extreme(f64::max)].into_iter().flatten().collect();
        let frame = |frame: usize| {
            let index = frame * (corners.len() - 1) / 5;
            let corner = |i: usize| view.flat([0, 1, 2].map(|axis| corners[index][3 * (i % 6) + axis]));
            let held = Curve::through([5, 6, 7].map(corner)).drawn(Ink::grey(0.6), 5.0);
            let pieces = Curve::through((0..=6).map(corner)).drawn(Ink::BLACK, 2.0).dotted(3.5, Ink::WHITE);
            let title = format!("t = {:.2} s", table.rows()[index][0]);
            // Every frame has room for all corners at all times, so that they have the same scale.
            let room = Curve::through(everywhere.iter().copied()).drawn(Ink::WHITE, 0.0);
            Chart::view().titled(title).curve(room).curve(held).curve(pieces)
        };
        page.row(230, [0, 1, 2].map(frame))
            .row(230, [3, 4, 5].map(frame))
            .row(200, [table.chart(1), table.chart(4)])
            .row(220, [table.error_chart(2), table.error_chart(3)])
    })
}
