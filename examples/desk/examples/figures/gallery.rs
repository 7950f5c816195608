//! The gallery of mechanisms: each where it starts, and where it is a moment later.

use desk::plot::{Chart, Curve, Ink, Kind, Page};
use desk::{Film, Outcome, Sketch};
use mechanisms::parts;
use taut::parts::Mechanism;
use taut::parts::by_hand::List;

/// Charts in a row, and their height.
const ROW: usize = 4;
const HEIGHT: u32 = 190;

/// How far the fastest joint goes, over the size of the mechanism.
const WAY: f64 = 0.45;

/// Draws each mechanism.
struct Draw(Vec<Outcome<Chart>>);

impl parts::Visitor<f64> for Draw {
    fn visit<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        &mut self,
        name: &'static str,
        mechanism: &Mechanism<L, N, M>,
    ) {
        self.0.push(Film::of(mechanism, parts::velocity(mechanism), WAY).map(|film| chart(name, &film)));
    }
}

/// The mechanism at the start above itself later, where it is farthest from the start.
fn chart(name: &str, film: &Film) -> Chart {
    let Sketch { poses, traced, .. } = &film.sketch;
    let from_start = |pose: &[(f64, f64)]| {
        let ways = pose.iter().zip(&poses[0]).map(|(to, from)| (to.0 - from.0).hypot(to.1 - from.1));
        ways.fold(0.0, f64::max)
    };
    let last = (0..poses.len()).max_by(|a, b| from_start(&poses[*a]).total_cmp(&from_start(&poses[*b]))).unwrap_or(0);
    let seconds = film.seconds * last as f64 / (poses.len() - 1).max(1) as f64;
    // Two digits.
    let digits = (1.0 - seconds.log10().floor()).max(0.0) as usize;
    let chart = Chart::view().titled(format!("{}, {seconds:.digits$} s", name.replace('-', " ")));
    let trace = poses[..=last].iter().step_by(4).chain(&poses[last..=last]).map(|pose| pose[*traced]);
    let trace = Curve::through(trace).drawn(Ink::BLUE, 1.2);
    let later = sketch(chart, &film.sketch, last, Ink::grey(0.72));
    sketch(later.curve(trace), &film.sketch, 0, Ink::BLACK)
}

/// Adds the links at a time, and dots at the joints, white at those that stand still.
fn sketch(chart: Chart, sketch: &Sketch, time: usize, ink: Ink) -> Chart {
    let pose = &sketch.poses[time];
    let chart = sketch.links.iter().fold(chart, |chart, link| {
        let curve = Curve::through(link.points(pose));
        chart.curve(match link.kind {
            Kind::Rod => curve.drawn(ink, 2.2),
            Kind::Spring(_) | Kind::Rope => curve.drawn(ink, 1.0),
            Kind::Rail => curve.dashed(Ink::grey(0.72), 0.8),
        })
    });
    let rails = sketch.links.iter().filter(|link| link.kind == Kind::Rail);
    let hidden: Vec<_> = rails.flat_map(|link| &link.joints).collect();
    let stands = |joint: usize| sketch.poses.iter().all(|pose| pose[joint] == sketch.poses[0][joint]);
    let joints = (0..pose.len()).filter(|joint| !hidden.contains(&joint));
    let (fixed, moving): (Vec<usize>, Vec<usize>) = joints.partition(|joint| stands(*joint));
    let dots = |joints: Vec<usize>| Curve::through(joints.into_iter().map(|joint| pose[joint]));
    chart.curve(dots(moving).dotted(2.4, ink)).curve(dots(fixed).dotted(3.4, Ink::WHITE))
}

/// Draws all of them.
pub fn sketch_all() -> Outcome<String> {
    let mut draw = Draw(Vec::new());
    parts::visit_all(&mut draw);
    parts::visit_large(&mut draw);
    let charts = draw.0.into_iter().collect::<Outcome<Vec<_>>>()?;
    let page = Page::new("Mechanisms from parts: black at the start, grey that much later, blue the way of a point");
    let page = charts.chunks(ROW).fold(page, |page, row| {
        // The last row has as many places as the others.
        let empty = std::iter::repeat_with(Chart::view).take(ROW - row.len());
        page.row(HEIGHT, row.iter().cloned().chain(empty))
    });
    Ok(page.svg())
}
