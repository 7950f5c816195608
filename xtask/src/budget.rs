//! The budget: the instructions, stack, flash and RAM that each kernel, each step and each board's firmware may take. It also checks
//! that every step of a run takes the same number of instructions.
//!
//! `tests/on-target/budget.toml` keeps the figures. The check fails if a measurement exceeds its ceiling, or its figure by more than a
//! [margin](Figures::with_margin). `--update` renews the figures; only a person changes a ceiling.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::boards::{BOARDS, Board};
use crate::machines::{self, DEFAULT, FOLDER, MACHINES, Machine};
use crate::shell;

mod boards;
mod by_hand;
mod counts;
mod deepest;
mod file;
mod sizes;
mod small;
mod table;

use file::{Figures, Limits, Rows};

/// The programs that count instructions.
const COUNTING: [&str; 8] = [
    "count",
    "steps",
    "method_steps",
    "four_bar_steps",
    "control_steps",
    "serial_steps",
    "part_steps",
    "attitude_steps",
];

/// The program that counts nothing without floating-point instructions: its steps take longer than a round of the counter.
const FLOATS_ONLY: &str = "four_bar_steps";

/// The programs that start and step one system, whose flash is measured, and the empty program that is subtracted.
pub const STEPPING: [&str; 5] =
    ["pendulum_program", "pendulum_plain_program", "double_pendulum_program", "four_bar_program", "chain_64_program"];
const EMPTY: &str = "empty_program";

/// The measured figures of one kernel, step, program or loop on one machine or board, and its limits.
struct Line {
    machine: &'static str,
    row: String,
    measured: Figures,
    limits: Option<Limits>,
}

/// What is measured.
#[derive(Clone, Copy, PartialEq)]
pub enum Extent {
    /// The Cortex-M4F, some rows of it at opt-level "s", and the firmware of the default board as it is emulated.
    Default,
    /// Every variant of every board's firmware.
    Boards,
    /// Every machine with a counter, and every board.
    All,
}

/// Measures and compares with the budget. With `update`, writes the measured figures to the budget and keeps the ceilings.
pub fn run(extent: Extent, update: bool) -> Result<()> {
    let path = shell::root().join(FOLDER).join("budget.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut budget = file::parse(&text)?;
    let compiler = compiler()?;

    let (mut lines, mut failures) = (Vec::new(), Vec::new());
    let mut add = |machine: &'static str, rows: Vec<(String, Figures)>| {
        let limits = |row: &String| budget.machines.get(machine).and_then(|rows| rows.get(row)).copied();
        lines.extend(rows.into_iter().map(|(row, measured)| Line { machine, limits: limits(&row), row, measured }));
    };
    let is_measured = |machine: &&Machine| match extent {
        Extent::Default => machine.name == DEFAULT.name,
        Extent::Boards => false,
        Extent::All => machine.counter.is_some(),
    };
    let counted: Vec<&'static Machine> = MACHINES.iter().filter(is_measured).collect();
    let programs = [&COUNTING[..], &STEPPING, &[EMPTY]].concat();
    machines::build(&counted, &programs, "release", &[])?;
    for machine in counted {
        let rows = measure(machine, &mut failures)?;
        if machine.name == DEFAULT.name {
            failures.extend(by_hand::failures(&rows)?);
            add(small::SECTION, small::measure(&rows, &mut failures)?);
        }
        add(machine.name, rows);
    }
    for board in &BOARDS {
        if extent != Extent::Default {
            add(board.name, boards::measure(board, &board.variants()[1..])?);
        } else if board.name == Board::DEFAULT.name {
            add(board.name, boards::measure(board, &[])?);
        }
    }
    print!("{}", table::lines(&lines));

    failures.extend(lines.iter().flat_map(Line::exceeded_ceilings));
    if update {
        if extent == Extent::All {
            budget.machines.clear();
        }
        budget.machines.extend(updated(&lines));
        budget.compiler = compiler;
        fs::write(&path, file::written(&budget)).with_context(|| format!("cannot write {}", path.display()))?;
    } else if budget.compiler == compiler {
        let grown: Vec<String> = lines.iter().flat_map(Line::growth).collect();
        if !grown.is_empty() {
            failures.extend(grown);
            failures.push("if the growth is intended: cargo xtask budget --update".to_owned());
        }
    } else {
        // Another compiler generates other code. Only the ceilings hold for every compiler.
        println!("\nmeasured with {compiler}, but the budget with {}: only ceilings are checked", budget.compiler);
    }
    if failures.is_empty() {
        return Ok(());
    }
    bail!("{}", failures.join("\n"))
}

/// The figures of a machine: kernels, steps, and whole programs that only step. A cost that varies is a failure.
fn measure(machine: &Machine, failures: &mut Vec<String>) -> Result<Vec<(String, Figures)>> {
    let mut counted = Vec::new();
    for program in COUNTING.into_iter().filter(|program| machine.has_floats() || *program != FLOATS_ONLY) {
        counted.extend(counts::measure(machine, &machine.built(program, "release"))?);
    }
    print!("{}", table::steps(machine.name, &counted));
    // In software, the cost of a floating-point addition depends on the operands.
    for counted in counted.iter().filter(|_| machine.has_floats()) {
        let variations = counted.variations(&counts::ALLOWED).into_iter();
        failures.extend(variations.map(|text| format!("{} {}: {text}", machine.name, counted.name)));
    }
    let mut figures: Vec<_> = counted.iter().map(|counted| (counted.name.clone(), counted.figures())).collect();
    let size = |program| anyhow::Ok(sizes::of(&machine.built(program, "release"))?.program);
    for program in STEPPING {
        let flash = Some(size(program)? - size(EMPTY)?);
        figures.push((program.to_owned(), Figures { flash, ..Figures::default() }));
    }
    Ok(figures)
}

impl Line {
    /// The exceeded ceilings, as messages.
    fn exceeded_ceilings(&self) -> Vec<String> {
        self.beyond(self.limits.unwrap_or_default().ceiling, "the ceiling is")
    }

    /// The figures that exceed the budget and its margin, as messages.
    fn growth(&self) -> Vec<String> {
        match self.limits {
            Some(limits) => self.beyond(limits.figures.with_margin(), "the budget with its margin is"),
            None => vec![format!("{} {}: not in the budget", self.machine, self.row)],
        }
    }

    fn beyond(&self, limits: Figures, why: &str) -> Vec<String> {
        let exceeded = limits.exceeded_by(&self.measured).into_iter();
        let text = |(unit, measured, limit)| format!("{} {}: {measured} {unit}, {why} {limit}", self.machine, self.row);
        exceeded.map(text).collect()
    }
}

/// The measured figures as a budget, with the old ceilings.
fn updated(lines: &[Line]) -> Rows {
    let mut machines = Rows::new();
    for line in lines {
        let ceiling = line.limits.map(|limits| limits.ceiling).unwrap_or_default();
        let limits = Limits { figures: line.measured, ceiling };
        machines.entry(line.machine.to_owned()).or_default().insert(line.row.clone(), limits);
    }
    machines
}

/// The name and version of the compiler.
pub fn compiler() -> Result<String> {
    let version = shell::ask("rustc", &["--version"]).context("`rustc --version` failed")?;
    Ok(version.split(' ').take(2).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_and_exceeded_ceilings_are_named() {
        let figures = Figures { instructions: Some(40), stack: Some(8), flash: Some(120), ram: None };
        let line = |instructions| Line {
            machine: "cortex-m4f",
            row: "sin_cos_f32".to_owned(),
            measured: Figures { instructions: Some(instructions), ..figures },
            limits: Some(Limits { figures, ceiling: Figures { instructions: Some(45), ..Figures::default() } }),
        };
        assert!(line(44).growth().is_empty());
        assert_eq!(line(45).growth(), ["cortex-m4f sin_cos_f32: 45 instructions, the budget with its margin is 44"]);
        assert!(line(45).exceeded_ceilings().is_empty());
        assert!(line(46).exceeded_ceilings()[0].contains("46 instructions, the ceiling is 45"));
    }

    #[test]
    fn pages_state_the_instructions_of_the_budget() {
        let text = |file: &str| fs::read_to_string(shell::root().join(file)).unwrap();
        let budget = file::parse(&text("tests/on-target/budget.toml")).unwrap();
        let instructions = |row: String| budget.machines["cortex-m4f"][&row].figures.instructions.unwrap();
        let readme = text("README.md");
        let thousands = |number: u64| match number / 1_000 {
            0 => number.to_string(),
            thousands => format!("{thousands},{:03}", number % 1_000),
        };
        for (title, kind) in [("automatic", "automatic"), ("written by hand", "by_hand")] {
            let steps = ["pendulum", "double_pendulum", "four_bar"];
            let [pendulum, double, four_bar] =
                steps.map(|step| thousands(instructions(format!("{step}_{kind}_compensated"))));
            let row = format!("| {title} | {pendulum} | {double} | {four_bar} |");
            assert!(readme.contains(&row), "README.md needs\n{row}");
        }
        let tick = thousands(budget.machines["olimex-h405"]["five_bar"].figures.instructions.unwrap());
        assert!(readme.contains(&format!("at most {tick}.")), "README.md: a tick of the five-bar loop takes {tick}");
        let page = text("src/start/precision/mod.rs");
        let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("//! |") && line.contains("e-")).collect();
        for (name, first) in [("pendulum", 1), ("double_pendulum", 5)] {
            for (state, row) in ["plain", "compensated", "precise"].iter().zip(&rows[first..]) {
                let cost = format!("| {} |", instructions(format!("{name}_by_hand_{state}")));
                assert!(row.ends_with(&cost), "start::precision, {name}: {row} needs {cost}");
            }
        }
    }
}
