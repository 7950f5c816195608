//! The work–precision plot: errors against instructions per simulated second, both logarithmic, readable in grey.

use std::path::Path;

use anyhow::{Result, ensure};
use desk::plot::{Chart, Curve, Ink, Page};

use super::answer::{Answer, Point};
use super::{Question, title};

/// The precisions, each with the fill and the size of its dots.
fn states() -> [(&'static str, Ink, f64); 4] {
    [
        ("plain-f32", Ink::WHITE, 1.0),
        ("compensated-f32", Ink::grey(0.7), 1.0),
        ("precise-f32", Ink::grey(0.3), 1.0),
        ("plain-f64", Ink::BLACK, 0.6),
    ]
}

/// Larger errors are not drawn: they exceed the mechanism itself.
const LARGEST: f64 = 10.0;

/// Draws every trial, the wanted error, the choice, and the Pareto front with numbers that the legend explains.
pub fn draw(answer: &Answer, question: &Question, file: &Path) -> Result<()> {
    let is_shown = |point: &&Point| point.error < LARGEST && point.cost.is_finite();
    let shown: Vec<&Point> = answer.trials.iter().filter(is_shown).collect();
    ensure!(!shown.is_empty(), "nothing to draw: no trial has both an error and a cost");
    let mut chart =
        Chart::new("position error at the end / (m or rad)", "instructions per simulated second (not cycles)")
            .doubly_logarithmic();
    for (state, fill, size) in states() {
        let points = shown.iter().filter(|point| point.state == state).map(|point| place(point));
        chart = chart.curve(Curve::through(points).dotted(2.4 * size, fill).named(state.replace('-', " ")));
    }
    let costs = || shown.iter().map(|point| point.cost);
    let (min, max) = (costs().fold(f64::INFINITY, f64::min), costs().fold(0.0, f64::max));
    let wanted = Curve::through([(question.error, min), (question.error, max)]).dashed(Ink::BLACK, 1.0);
    chart = chart.curve(wanted.named(format!("wanted error, {:e}", question.error)));
    if let Some(choice) = &answer.choice {
        let ring =
            Curve::through([place(choice)]).dotted(9.0, Ink::WHITE).named(format!("choice: {}", described(choice)));
        chart = chart.curve(ring).curve(dot(choice, 4.4));
    }
    chart = chart.curve(Curve::through(answer.front.iter().map(place)).drawn(Ink::BLACK, 1.0));
    for (index, point) in answer.front.iter().enumerate() {
        let number = (index + 1).to_string();
        let name = format!("{number}  {}", described(point));
        chart = chart.curve(dot(point, 4.4).labelled([number]).named(name));
    }
    let heading =
        format!("{}: accuracy and cost of every method, emulated {}", question.example, question.machine.name);
    Ok(Page::new(heading).row(680, [chart]).write(file)?)
}

/// The coordinates of a trial in the plot.
fn place(point: &Point) -> (f64, f64) {
    (point.error, point.cost)
}

/// A trial, with the fill of its precision.
fn dot(point: &Point, radius: f64) -> Curve {
    let fill = states().into_iter().find(|(state, ..)| *state == point.state);
    let (_, fill, size) = fill.unwrap_or(("", Ink::WHITE, 1.0));
    Curve::through([place(point)]).dotted(radius * size, fill)
}

/// A trial in words.
fn described(Point { method, rate, .. }: &Point) -> String {
    format!("{}, {rate} Hz", title(method))
}
