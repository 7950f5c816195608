//! The default controller against PID controllers, both by the rule of `taut::control`: four machines, five conditions. The result stands
//! in the guide, src/guide/controllers.md. `TAUT_UPDATE=1 cargo test --test control comparison` writes it.
//!
//! The error is the distance of the output from its path, the change that of the efforts from tick to tick, both as root mean squares over
//! all ticks. All machines begin on their path and move with it. The plant makes four steps a tick.

mod bench;
mod machines;

use core::fmt::Write as _;

use taut::control::{Actuated, Driven, Feedforward, Reference, Sensed};
use taut::method::{Report, RungeKutta4, Step, StepError};
use taut::start::State;

use bench::{Bench, CONDITIONS, Measured};
use machines::{arm, crane, delta, five_bar};

impl<Plan, System, const N: usize, const M: usize, const E: usize, const U: usize> Bench<Plan, System, N, M, E, U>
where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E> + Copy,
    Plan: Feedforward<Base = f32, System = System, Reference = Reference<f32, N, M, U>>,
    RungeKutta4<f32>: Step<Driven<System, f32, U>, State<f32, N, M>, Report = Report<f32, M>, Error = StepError<f32>>,
{
    /// The rows of this machine in the table: this law and the PID controllers. Asserts which is smaller.
    fn rows(&self) -> String {
        let ours = self.under(&self.computed_torque(self.frequency));
        let theirs = self.under(&self.pid(self.frequency));
        let mut text = String::new();
        for (quantity, unit, scale, of) in [
            ("error", "µm", 1e6, (|measured| measured.error) as fn(&Measured) -> f64),
            ("change", self.unit, 1e3, |measured| measured.change),
        ] {
            write!(text, "| {}, {quantity} / {unit} |", self.name).unwrap();
            for (condition, (ours, theirs)) in CONDITIONS.iter().zip(ours.iter().zip(&theirs)) {
                let (ours, theirs) = (of(ours) * scale, of(theirs) * scale);
                let smaller = !EXCEPTIONS.contains(&(self.name, quantity, condition));
                let place = format!("{} {quantity} {condition}: {ours} {theirs}", self.name);
                assert!((ours <= 1.02 * theirs) == smaller, "{place}");
                write!(text, " {} : {} |", digits(ours), digits(theirs)).unwrap();
            }
            match quantity {
                "error" => writeln!(
                    text,
                    " {} : {} |",
                    instructions(self.name, "computed_torque"),
                    instructions(self.name, "pid")
                ),
                _ => writeln!(text, " |"),
            }
            .unwrap();
        }
        text
    }
}

/// Where the default controller has more than the PID controllers, by more than 2%; the guide says why.
const EXCEPTIONS: [(&str, &str, &str); 5] = [
    ("delta", "error", "exact"),
    ("five-bar", "error", "12 bits"),
    ("delta", "error", "12 bits"),
    ("crane", "change", "friction"),
    ("delta", "change", "friction"),
];

/// The instructions of a tick on a Cortex-M4F, from the budget.
fn instructions(machine: &str, law: &str) -> String {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/on-target/budget.toml");
    let budget = std::fs::read_to_string(file).unwrap();
    let section = budget.split("[cortex-m4f]").nth(1).unwrap().split("\n[").next().unwrap();
    let row = format!("{}_{law}_tick = {{ instructions = ", machine.replace('-', "_"));
    let number = section.lines().find_map(|line| line.strip_prefix(&row)?.split(',').next());
    match number.map(|number| number.trim().parse::<u32>().unwrap()) {
        Some(number @ 1_000..) => format!("{},{:03}", number / 1_000, number % 1_000),
        Some(number) => number.to_string(),
        None => "–".into(),
    }
}

/// Three digits.
fn digits(number: f64) -> String {
    match number {
        100.0.. => format!("{number:.0}"),
        10.0.. => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

/// The page of the guide.
fn page() -> String {
    let mut text = String::from(
        "<!-- Written by `TAUT_UPDATE=1 cargo test --test control comparison`. -->\n\n\
         | computed torque : PID | exact | masses +5% | 12 bits | friction | delay | instructions |\n\
         |---|--:|--:|--:|--:|--:|--:|\n",
    );
    for rows in [arm().rows(), five_bar().rows(), crane().rows(), delta().rows()] {
        text += &rows;
    }
    text += "\n| five-bar at ω = … rad/s | error / µm | change / (mN m) | PID: error / µm | PID: change / (mN m) |\n\
             |--:|--:|--:|--:|--:|\n";
    let bench = five_bar();
    for frequency in [20.0, 40.0, 60.0, 80.0, 100.0, 120.0] {
        let (ours, theirs) = (bench.all(&bench.computed_torque(frequency)), bench.all(&bench.pid(frequency)));
        let [error, change, pid_error, pid_change] =
            [ours.error * 1e6, ours.change * 1e3, theirs.error * 1e6, theirs.change * 1e3].map(digits);
        writeln!(text, "| {frequency} | {error} | {change} | {pid_error} | {pid_change} |").unwrap();
    }
    text
}

#[test]
fn the_guide_shows_the_comparison_of_controllers() {
    let (file, page) = (concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/controllers.md"), page());
    if std::env::var_os("TAUT_UPDATE").is_some() {
        std::fs::write(file, &page).unwrap();
    }
    let shown = std::fs::read_to_string(file).unwrap_or_default();
    assert!(shown == page, "run `TAUT_UPDATE=1 cargo test --test control comparison`; now it is\n{page}");
}
