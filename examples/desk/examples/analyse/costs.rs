//! Counted costs: the instructions of a step in plain `f64` on a Cortex-M4F, from the tables of the guide.

use taut::advise::Way;
use taut::method::NAMES;

/// Written by `cargo xtask methods --update`.
const TABLES: &str = include_str!("../../../../src/method/which.md");

/// The methods in these tables, in the order of [`NAMES`].
const TITLES: [&str; NAMES.len()] = [
    "RATTLE",
    "Yoshida, order 4",
    "Suzuki, order 4",
    "Kahan–Li, order 6",
    "symplectic Euler",
    "half-explicit, order 1",
    "half-explicit, order 2",
    "half-explicit, order 3",
    "half-explicit, order 4",
    "Runge–Kutta 4, projected",
    "Runge–Kutta 8, projected",
    "implicit Euler",
    "Radau IIA, order 3",
    "Radau IIA, order 5",
];

/// The instructions of a step, by method.
pub struct Costs(Vec<(&'static str, f64)>);

impl Costs {
    /// For a model with this many unknowns: those of the nearest system that has been counted, with 3, 6 or 17 unknowns.
    pub fn nearest(unknowns: usize) -> Self {
        let title = match unknowns {
            0..=4 => "\n## Pendulum, plain `f64`\n",
            5..=11 => "\n## Double pendulum, plain `f64`\n",
            _ => "\n## Four-bar linkage, plain `f64`\n",
        };
        let (_, table) = TABLES.split_once(title).expect("a table of the guide");
        let cost = |title: &str| {
            let (_, row) = table.split_once(&format!("\n| {title} | ")).expect("a row of the table");
            row.split(' ').next().and_then(|number| number.replace(',', "").parse().ok()).expect("a count")
        };
        Self(NAMES.into_iter().zip(TITLES.map(cost)).collect())
    }

    pub fn of(&self, way: Way) -> Option<f64> {
        self.0.iter().find(|(name, _)| *name == way.method).map(|(_, cost)| *cost)
    }

    /// The least cost of the methods in a list.
    pub fn least(&self, mut listed: impl FnMut(&str) -> bool) -> f64 {
        let costs = self.0.iter().filter(|(name, _)| listed(name)).map(|(_, cost)| *cost);
        costs.fold(f64::INFINITY, f64::min)
    }
}
