//! Which method when: what each costs, counted in the emulator, against how accurate it is, computed on this computer.
//!
//! `src/method/which.md`, part of the documentation, keeps the table. `cargo xtask test` does not compare it with what is counted
//! now, which takes most of a minute: that is for `cargo xtask methods --check`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::budget::compiler;
use crate::machines::{self, Machine, Optimised};
use crate::shell;

pub mod document;
pub mod measurements;

use measurements::{Cost, Measurements};

/// The programs, one for each precision: together they do not fit into the flash.
const PROGRAMS: [&str; 2] = ["methods_f32", "methods_f64"];

/// The machine whose instructions are counted.
const MACHINE: &str = "cortex-m4f";

/// What to do with the table.
#[derive(Clone, Copy)]
pub enum Table {
    /// Show it.
    Print,
    /// Show it and write it into the documentation.
    Update,
    /// Count instructions anew, and compare with the documentation.
    Check,
}

/// Measures, and does that with the table.
pub fn run(table: Table) -> Result<()> {
    let mut measurements = Measurements::default();
    count(&mut measurements)?;
    if let Table::Check = table {
        return check(&measurements);
    }
    for program in PROGRAMS {
        let mut command = machines::cargo();
        command.args(["run", "--quiet", "--profile", "release", "--bin", program]);
        measurements.add_errors(&shell::capture(&format!("run {program} on this computer"), &mut command)?)?;
    }
    let text = document::written(&measurements, &compiler()?)?;
    print!("{text}");
    if let Table::Update = table {
        fs::write(file(), text).with_context(|| format!("cannot write {}", file().display()))?;
    }
    Ok(())
}

/// Counts the instructions of all combinations.
fn count(measurements: &mut Measurements) -> Result<()> {
    let machine = Machine::named(MACHINE);
    let counter = machine.counter.as_ref().context("the machine has no counter")?;
    let programs = machines::build(&[machine], &PROGRAMS, Optimised::ForSpeed)?;
    for program in programs.iter().flatten() {
        measurements.add_costs(&machine.run(program, true)?, counter)?;
    }
    Ok(())
}

/// Compares the instructions in the documentation with those counted now.
fn check(measurements: &Measurements) -> Result<()> {
    let text = fs::read_to_string(file()).with_context(|| format!("cannot read {}", file().display()))?;
    let compiler = compiler()?;
    if !text.contains(&compiler) {
        println!("the table is of another compiler than {compiler}: nothing to compare");
        return Ok(());
    }
    let written = document::costs(&text)?;
    let differing: Vec<String> = measurements
        .costs
        .iter()
        .filter_map(|(combination, counted)| {
            let written = written.get(combination);
            let agree = written.is_some_and(|written| agree(written, counted));
            let shown = |cost: Option<&Cost>| cost.map_or("nothing".to_owned(), Cost::to_string);
            (!agree).then(|| format!("{combination}: {counted}, in the table {}", shown(written)))
        })
        .collect();
    if differing.is_empty() {
        println!("{} counts agree with the table", measurements.costs.len());
        return Ok(());
    }
    bail!("{}\nif the costs were meant to change: cargo xtask methods --update", differing.join("\n"))
}

/// Whether what is written is still true, to two percent: the table serves to choose by.
fn agree(written: &Cost, counted: &Cost) -> bool {
    match (written, counted) {
        (Cost::Instructions(written), Cost::Instructions(counted)) => written.abs_diff(*counted) * 50 <= *counted,
        _ => written == counted,
    }
}

/// Where the table is kept.
fn file() -> PathBuf {
    shell::root().join("src/method/which.md")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_percent_are_allowed() {
        let cost = Cost::Instructions;
        assert!(agree(&cost(100), &cost(100)) && agree(&cost(98), &cost(100)));
        assert!(!agree(&cost(97), &cost(100)) && !agree(&cost(103), &cost(100)));
        assert!(!agree(&cost(100), &Cost::Failure("Singular".to_owned())));
    }
}
