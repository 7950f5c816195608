//! The work–precision curves of every library, one panel a system.

use std::path::Path;

use anyhow::Result;
use desk::plot::{Chart, Curve, Ink, Page};

use crate::curves;
use crate::results::{Point, Results};

/// How a curve looks.
type Style = fn(Curve) -> Curve;

/// A curve: what the legend says, how the names of its contestants begin, and how it looks: libraries differ in ink, what leaves
/// constraints to a person is dashed.
const CURVES: [(&str, &[&str], Style); 9] = [
    ("taut", &["taut/"], |curve| curve.drawn(Ink::BLACK, 2.8).dotted(3.5, Ink::BLACK)),
    ("C, RATTLE, f64", &["c/f64"], |curve| curve.drawn(Ink::BLACK, 1.0).dotted(3.0, paper())),
    ("diffsol, DAE", &["diffsol/bdf", "diffsol/esdirk34"], |curve| curve.drawn(Ink::BLUE, 1.4).dotted(3.0, Ink::BLUE)),
    ("diffsol, ODE by hand", &["diffsol/tsit45"], |curve| curve.dashed(Ink::BLUE, 1.4).dotted(3.0, paper())),
    ("differential-equations, DAE", &["differential-equations/radau5"], |curve| {
        curve.drawn(Ink::ORANGE, 1.4).dotted(3.0, Ink::ORANGE)
    }),
    ("differential-equations, ODE by hand", &["differential-equations/dop853"], |curve| {
        curve.dashed(Ink::ORANGE, 1.4).dotted(3.0, paper())
    }),
    ("rapier2d", &["rapier2d-f64/"], |curve| curve.drawn(Ink::grey(0.6), 1.4).dotted(3.0, Ink::grey(0.6))),
    ("MuJoCo", &["mujoco/"], |curve| curve.drawn(Ink::grey(0.4), 1.4).dotted(3.0, paper())),
    ("CasADi", &["casadi/"], |curve| curve.dashed(Ink::grey(0.4), 1.4).dotted(2.0, Ink::grey(0.4))),
];

/// Fills a dot that is only a rim.
fn paper() -> Ink {
    Ink::grey(1.0)
}

/// Errors above say nothing, and below the references are not good enough.
const ERRORS: std::ops::Range<f64> = 1e-11..1e-1;

/// Draws time against error: of each library the quickest way to every error; times are relative to the C in `f32` at 1 kHz.
pub fn work_and_precision(results: &Results, file: &Path) -> Result<()> {
    let page =
        results.systems().into_iter().fold(Page::new("Time for an error, the quickest way of each"), |page, system| {
            let points: Vec<&Point> = results.of(system).collect();
            page.row(360, [chart(system, &points, results.unit(system).unwrap_or(1.0))])
        });
    Ok(page.write(file)?)
}

fn chart(system: &str, points: &[&Point], unit: f64) -> Chart {
    let chart = Chart::new("error of the position at the end / m", "time, in that of C in f32 at 1 kHz");
    let mut chart = chart.titled(system.replace('_', " ")).doubly_logarithmic();
    for (name, beginnings, style) in CURVES {
        let belongs = |point: &&&Point| beginnings.iter().any(|beginning| point.name.starts_with(beginning));
        let curve = curves::Curve::through(points.iter().filter(belongs).copied());
        let within = curve.points().iter().filter(|point| ERRORS.contains(&point.1));
        let line: Vec<(f64, f64)> = within.map(|(seconds, error)| (*error, seconds / unit)).collect();
        if !line.is_empty() {
            chart = chart.curve(style(Curve::through(line)).named(name));
        }
    }
    chart
}
