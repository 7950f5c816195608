//! Which coordinates: one linkage, described in three ways.

use desk::Outcome;
use desk::plot::{Chart, Curve, Ink, Page};

/// The linkage with its crank upright: the pivots, and the joints between. Crank 0.2 m, coupler 0.7 m, rocker 0.6 m, ground 0.8 m.
const JOINTS: [(f64, f64); 4] = [(0.0, 0.0), (0.0, 0.2), (0.597, 0.565), (0.8, 0.0)];

/// The linkage, with dots and labels at what its coordinates are.
fn sketch(title: &str, coordinates: &[((f64, f64), &str)]) -> Chart {
    let rods = Curve::through(JOINTS).drawn(Ink::grey(0.55), 3.0).dotted(3.4, Ink::WHITE);
    let dots = Curve::through(coordinates.iter().map(|(place, _)| *place)).dotted(4.4, Ink::BLUE);
    // Above their dots.
    let labels = Curve::through(coordinates.iter().map(|((x, y), _)| (x - 0.01, y + 0.06))).dotted(0.0, Ink::WHITE);
    let labels = labels.labelled(coordinates.iter().map(|(_, label)| (*label).into()));
    // Room for the labels, on the left and above.
    let room = Curve::through([(-0.25, 0.0), (0.8, 0.65)]).dotted(0.0, Ink::WHITE);
    Chart::view().titled(title).curve(rods).curve(dots).curve(labels).curve(room)
}

/// Draws all three.
pub fn sketch_all() -> Outcome<String> {
    let middle = |rod: usize| {
        let ((x, y), (u, v)) = (JOINTS[rod], JOINTS[rod + 1]);
        ((x + u) / 2.0, (y + v) / 2.0)
    };
    let minimal = sketch("minimal: 1 coordinate, no constraint", &[(JOINTS[0], "φ")]);
    let natural = sketch("points: 4 coordinates, 3 constraints", &[(JOINTS[1], "x₁, y₁"), (JOINTS[2], "x₂, y₂")]);
    let maximal = sketch(
        "bodies: 9 coordinates, 8 constraints",
        &[(middle(0), "x₁, y₁, φ₁"), (middle(1), "x₂, y₂, φ₂"), (middle(2), "x₃, y₃, φ₃")],
    );
    Ok(Page::new("A four-bar linkage in three sets of coordinates").row(230, [minimal, natural, maximal]).svg())
}
