//! What each kernel, each step and each board's firmware may cost: instructions, stack, flash, RAM; and that a step always costs
//! the same.
//!
//! `tests/on-target/budget.toml` keeps the figures. What grows beyond its figure fails the check; so does what exceeds the
//! ceiling that it was promised to stay under.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::boards::BOARDS;
use crate::machines::{self, Counter, FOLDER, MACHINES, Machine, Optimised};
use crate::shell;

mod boards;
mod deepest;
mod file;
pub mod kernels;
mod sizes;
mod steps;
mod table;

use file::{Figures, Limits, Rows};
use steps::Steps;

/// The programs whose costs are taken: what they count, or what they are.
const PROGRAMS: [&str; 6] = ["count", "steps", "method_steps", "control_steps", "pendulum", "pendulum_plain"];

/// What one kernel, step, program or loop costs on one machine or board, against what it may.
struct Line {
    machine: &'static str,
    row: String,
    measured: Figures,
    limits: Option<Limits>,
}

/// Measures everything on every machine with a counter, and compares with the budget; with `update`, the figures become the
/// budget, but for the ceilings, which only a person changes. With `boards_only`, the boards alone.
pub fn run(update: bool, boards_only: bool) -> Result<()> {
    let path = shell::root().join(FOLDER).join("budget.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut budget = file::parse(&text)?;
    let compiler = compiler()?;

    let (mut lines, mut failures) = (Vec::new(), Vec::new());
    let is_counted = |machine: &&Machine| machine.counter.is_some() && !boards_only;
    let counted: Vec<&'static Machine> = MACHINES.iter().filter(is_counted).collect();
    let programs = machines::build(&counted, &PROGRAMS, Optimised::ForSpeed)?;
    for (machine, programs) in counted.into_iter().zip(programs) {
        let Some(counter) = &machine.counter else { continue };
        let programs = programs.try_into().expect("a file for each program");
        let Measured { figures, steps } = measure(machine, counter, programs)?;
        for (row, measured) in figures {
            let limits = budget.machines.get(machine.name).and_then(|rows| rows.get(&row)).copied();
            lines.push(Line { machine: machine.name, row, measured, limits });
        }
        print!("{}", table::steps(machine.name, &steps));
        // Without instructions for floating-point numbers, what an addition costs depends on the numbers.
        if machine.has_floats() {
            for steps in steps {
                let variations = steps.variations().into_iter();
                failures.extend(variations.map(|text| format!("{} {}: {text}", machine.name, steps.name)));
            }
        }
    }
    for board in &BOARDS {
        for (row, measured) in boards::measure(board)? {
            let limits = budget.machines.get(board.name).and_then(|rows| rows.get(&row)).copied();
            lines.push(Line { machine: board.name, row, measured, limits });
        }
    }
    print!("{}", table::lines(&lines));

    failures.extend(lines.iter().flat_map(Line::broken_promises));
    if update {
        if boards_only {
            budget.machines.extend(updated(&lines));
        } else {
            budget.machines = updated(&lines);
        }
        budget.compiler = compiler;
        fs::write(&path, file::written(&budget)).with_context(|| format!("cannot write {}", path.display()))?;
    } else if budget.compiler == compiler {
        let grown: Vec<String> = lines.iter().flat_map(Line::growth).collect();
        if !grown.is_empty() {
            failures.extend(grown);
            failures.push("if the growth is meant: cargo xtask budget --update".to_owned());
        }
    } else {
        // Another compiler makes other code. Only the promises hold whatever the compiler.
        println!("\nmeasured with {compiler}, the budget with {}: only the ceilings are checked", budget.compiler);
    }
    if failures.is_empty() {
        return Ok(());
    }
    bail!("{}", failures.join("\n"))
}

/// What a machine has been measured at.
struct Measured {
    figures: Vec<(String, Figures)>,
    steps: Vec<Steps>,
}

/// Kernels, steps, and whole programs that do nothing but step.
fn measure(
    machine: &Machine,
    counter: &Counter,
    [count, count_steps, count_method_steps, count_control_steps, pendulum, pendulum_plain]: [PathBuf; PROGRAMS.len()],
) -> Result<Measured> {
    let mut figures = kernels::measure(machine, counter, &count)?;
    let mut steps = steps::measure(machine, counter, &count_steps)?;
    steps.extend(steps::measure(machine, counter, &count_method_steps)?);
    steps.extend(steps::measure(machine, counter, &count_control_steps)?);
    figures.extend(steps.iter().map(|steps| (steps.name.clone(), steps.figures())));
    for (name, program) in [("pendulum_program_compensated", pendulum), ("pendulum_program_plain", pendulum_plain)] {
        let flash = Some(sizes::of(&program)?.program);
        figures.push((name.to_owned(), Figures { flash, ..Figures::default() }));
    }
    Ok(Measured { figures, steps })
}

impl Line {
    /// Which ceilings are exceeded, and by how much.
    fn broken_promises(&self) -> Vec<String> {
        let Some(limits) = self.limits else { return Vec::new() };
        let exceeded = limits.ceiling.exceeded_by(&self.measured).into_iter();
        let text = |(unit, measured, limit)| {
            format!("{} {}: {measured} {unit}, promised are at most {limit}", self.machine, self.row)
        };
        exceeded.map(text).collect()
    }

    /// Which figures have grown beyond the budget.
    fn growth(&self) -> Vec<String> {
        let Some(limits) = self.limits else {
            return vec![format!("{} {}: has no budget", self.machine, self.row)];
        };
        let grown = limits.figures.exceeded_by(&self.measured).into_iter();
        let text =
            |(unit, measured, limit)| format!("{} {}: {measured} {unit}, allowed are {limit}", self.machine, self.row);
        grown.map(text).collect()
    }
}

/// The measured figures as a budget, ceilings kept.
fn updated(lines: &[Line]) -> Rows {
    let mut machines = Rows::new();
    for line in lines {
        let ceiling = line.limits.map(|limits| limits.ceiling).unwrap_or_default();
        let limits = Limits { figures: line.measured, ceiling };
        machines.entry(line.machine.to_owned()).or_default().insert(line.row.clone(), limits);
    }
    machines
}

/// The compiler, as it names itself. Other compilers make other code.
pub fn compiler() -> Result<String> {
    let version = shell::ask("rustc", &["--version"]).context("rustc does not say its version")?;
    Ok(version.split(' ').take(2).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_and_broken_promises_are_named() {
        let figures = Figures { instructions: Some(40), stack: Some(8), flash: Some(120), ram: None };
        let line = |instructions| Line {
            machine: "cortex-m4f",
            row: "sin_cos_f32".to_owned(),
            measured: Figures { instructions: Some(instructions), ..figures },
            limits: Some(Limits { figures, ceiling: Figures { instructions: Some(45), ..Figures::default() } }),
        };
        assert!(line(40).growth().is_empty());
        assert_eq!(line(41).growth(), ["cortex-m4f sin_cos_f32: 41 instructions, allowed are 40"]);
        assert!(line(45).broken_promises().is_empty());
        assert!(line(46).broken_promises()[0].contains("46 instructions, promised are at most 45"));
    }
}
