//! Which method: error against instructions, from the tables that `cargo xtask methods` measures.

use desk::Outcome;
use desk::plot::{Chart, Curve, Ink, Page};

/// What is measured.
const TABLES: &str = include_str!("../../../../src/method/which.md");
/// The methods that are shown, of twelve, with their dots.
const SHOWN: [(&str, &str); 6] = [
    ("symplectic Euler", "symplectic Euler (order 1)"),
    ("RATTLE", "RATTLE (2)"),
    ("Suzuki, order 4", "Suzuki (4)"),
    ("half-explicit, order 3", "half-explicit (3)"),
    ("Runge–Kutta 4, projected", "Runge–Kutta (4)"),
    ("implicit Euler", "implicit Euler (1)"),
];
const STEPS: [f64; 3] = [1e-2, 1e-3, 1e-4];

/// Instructions in a simulated second, and the error of the position, at each step size that succeeds.
fn points(section: &str, method: &str) -> Option<Vec<(f64, f64)>> {
    let row = section.lines().find_map(|line| line.strip_prefix(&format!("| {method} |")))?;
    let mut cells = row.split('|').map(str::trim);
    let cost: f64 = cells.next()?.replace(',', "").parse().ok()?;
    let error = |cell: &str| cell.split_once(" / ")?.0.parse::<f64>().ok();
    Some(STEPS.iter().zip(cells).filter_map(|(h, cell)| Some((cost / h, error(cell)?))).collect())
}

fn chart(system: &str) -> Outcome<Chart> {
    let heading = format!("## {system}, compensated `f32`");
    let section = TABLES.split(&heading).nth(1).and_then(|rest| rest.split("## ").next()).ok_or("no such table")?;
    let mut chart = Chart::new("instructions in a simulated second", "position error / (m or rad)").titled(system);
    for (index, (method, name)) in SHOWN.into_iter().enumerate() {
        let (ink, fill) = ([Ink::BLACK, Ink::BLUE, Ink::ORANGE][index % 3], index < 3);
        let points = points(section, method).ok_or(format!("{method} is not in the table"))?;
        let curve = Curve::through(points).drawn(ink, 1.4).dotted(3.6, if fill { ink } else { Ink::WHITE });
        chart = chart.curve(curve.named(name));
    }
    Ok(chart.doubly_logarithmic())
}

pub fn plot() -> Outcome<String> {
    let title = "Error after a second against cost: dots are h = 10, 1 and 0.1 ms, from left to right";
    Ok(Page::new(title).row(400, [chart("Double pendulum")?, chart("Four-bar linkage")?]).svg())
}
