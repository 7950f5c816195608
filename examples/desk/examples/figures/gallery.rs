//! The gallery of mechanisms: each where it starts, and where it is a moment later.

use desk::plot::{Chart, Curve, Ink, Page};
use desk::{Film, Outcome, Picture};
use mechanisms::parts;
use taut::parts::Mechanism;
use taut::parts::by_hand::List;

/// Charts in a row.
const ROW: usize = 5;

/// Draws each mechanism.
struct Draw(Vec<Outcome<Chart>>);

impl parts::Visitor<f64> for Draw {
    fn visit<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        &mut self,
        name: &'static str,
        mechanism: &Mechanism<L, N, M>,
    ) {
        self.0.push(Film::of(mechanism, parts::velocity(mechanism), 0.3).map(|film| chart(name, &film)));
    }
}

fn chart(name: &str, film: &Film) -> Chart {
    let chart = Chart::view().titled(name.replace('-', " "));
    let later = film.pictures.last().into_iter().fold(chart, |chart, picture| sketch(chart, picture, Ink::grey(0.75)));
    let trace = film.pictures.iter().map(|picture| picture.joints[film.traced]);
    let trace = Curve::through(trace).drawn(Ink::BLUE, 1.2);
    film.pictures.first().into_iter().fold(later.curve(trace), |chart, picture| sketch(chart, picture, Ink::BLACK))
}

/// Adds the links of a picture, and dots at its joints.
fn sketch(chart: Chart, picture: &Picture, ink: Ink) -> Chart {
    let chart = picture.links.iter().fold(chart, |chart, link| {
        chart.curve(Curve::through(link.iter().map(|joint| picture.joints[*joint])).drawn(ink, 2.0))
    });
    chart.curve(Curve::through(picture.joints.iter().copied()).dotted(2.4, ink))
}

/// Draws all of them.
pub fn sketch_all() -> Outcome<String> {
    let mut draw = Draw(Vec::new());
    parts::visit_all(&mut draw);
    parts::visit_large(&mut draw);
    let charts = draw.0.into_iter().collect::<Outcome<Vec<_>>>()?;
    let page = Page::new("Mechanisms from parts: at the start, and what they do in the first 0.3 s");
    let page = charts.chunks(ROW).fold(page, |page, row| {
        // The last row has as many places as the others.
        let empty = std::iter::repeat_with(Chart::view).take(ROW - row.len());
        page.row(170, row.iter().cloned().chain(empty))
    });
    Ok(page.svg())
}
