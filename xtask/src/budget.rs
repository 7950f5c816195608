//! What each kernel may cost: instructions, stack, flash.
//!
//! `tests/on-target/budget.toml` keeps the figures. A kernel that grows beyond its figure fails the check; so does one beyond the
//! ceiling that it was promised to stay under.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, bail};

use crate::machines::{Counter, FOLDER, MACHINES, Machine, Optimised};
use crate::shell;

mod file;
mod symbols;

use file::{Figures, Limits};

/// What one kernel costs on one machine, against what it may.
struct Line {
    machine: &'static str,
    kernel: String,
    measured: Figures,
    limits: Option<Limits>,
}

/// Measures every kernel on every machine with a counter, and compares with the budget; with `update`, the figures become the
/// budget, but for the ceilings, which only a person changes.
pub fn run(update: bool) -> Result<()> {
    let path = shell::root().join(FOLDER).join("budget.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut budget = file::parse(&text)?;
    let compiler = compiler()?;

    let mut lines = Vec::new();
    for machine in &MACHINES {
        let Some(counter) = &machine.counter else { continue };
        for (kernel, measured) in measure(machine, counter)? {
            let limits = budget.machines.get(machine.name).and_then(|kernels| kernels.get(&kernel)).copied();
            lines.push(Line { machine: machine.name, kernel, measured, limits });
        }
    }
    print!("{}", table(&lines));

    let mut failures: Vec<String> = lines.iter().filter_map(Line::broken_promise).collect();
    if update {
        budget.machines = updated(&lines);
        budget.compiler = compiler;
        fs::write(&path, file::written(&budget)).with_context(|| format!("cannot write {}", path.display()))?;
    } else if budget.compiler == compiler {
        let grown: Vec<String> = lines.iter().filter_map(Line::growth).collect();
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

impl Line {
    /// By how much the kernel exceeds its ceiling, if it does.
    fn broken_promise(&self) -> Option<String> {
        let ceiling = self.limits?.ceiling.filter(|ceiling| self.measured.instructions > *ceiling)?;
        let measured = self.measured.instructions;
        Some(format!("{} {}: {measured} instructions, promised are at most {ceiling}", self.machine, self.kernel))
    }

    /// Which figures have grown beyond the budget, if any.
    fn growth(&self) -> Option<String> {
        let Some(limits) = self.limits else {
            return Some(format!("{} {}: has no budget", self.machine, self.kernel));
        };
        let grown = limits.figures.grown(&self.measured);
        (!grown.is_empty()).then(|| format!("{} {}: {}", self.machine, self.kernel, grown.join(", ")))
    }
}

/// The figures of every kernel on a machine, in the program's order.
fn measure(machine: &Machine, counter: &Counter) -> Result<Vec<(String, Figures)>> {
    let program = machine.build(&["count"], Optimised::ForSpeed)?.remove(0);
    let sizes = symbols::sizes(&program)?;
    let output = machine.run(&program, true)?;
    let rows: Vec<Vec<&str>> = output.lines().map(|line| line.split(' ').collect()).collect();
    check_calibration(&rows, counter).with_context(|| format!("the counter of {}", machine.name))?;

    let mut figures = Vec::new();
    for row in &rows {
        let ["kernel", name, ticks, ticks_of_nothing, stack] = row.as_slice() else { continue };
        let flash = sizes.get(*name).with_context(|| format!("the program has no symbol {name}"))?;
        let instructions = counter.instructions(ticks.parse()?) - counter.instructions(ticks_of_nothing.parse()?);
        figures.push(((*name).to_owned(), Figures { instructions, stack: stack.parse()?, flash: *flash }));
    }
    if figures.is_empty() {
        bail!("the program counted nothing:\n{output}");
    }
    Ok(figures)
}

/// Blocks of known length must come out exact, beyond what the empty block takes.
fn check_calibration(rows: &[Vec<&str>], counter: &Counter) -> Result<()> {
    let mut empty = None;
    let mut blocks = 0;
    for row in rows {
        let ["nops", length, ticks] = row.as_slice() else { continue };
        let (length, counted): (u64, u64) = (length.parse()?, counter.instructions(ticks.parse()?));
        let overhead = *empty.get_or_insert(counted);
        if counted != length + overhead {
            bail!("{length} instructions are counted as {counted} - {overhead}");
        }
        blocks += 1;
    }
    if blocks < 3 {
        bail!("the program has not calibrated it");
    }
    Ok(())
}

/// The measured figures as a budget, ceilings kept.
fn updated(lines: &[Line]) -> BTreeMap<String, BTreeMap<String, Limits>> {
    let mut machines: BTreeMap<String, BTreeMap<String, Limits>> = BTreeMap::new();
    for line in lines {
        let ceiling = line.limits.and_then(|limits| limits.ceiling);
        let limits = Limits { figures: line.measured, ceiling };
        machines.entry(line.machine.to_owned()).or_default().insert(line.kernel.clone(), limits);
    }
    machines
}

/// Measured against allowed, a row for each kernel and machine.
fn table(lines: &[Line]) -> String {
    let mut text = String::from(
        "\nMeasured, and allowed in brackets. Instructions are those of the whole kernel, arguments fetched and results stored,\n\
         without the call and the return; they are not cycles. Flash is the kernel's own symbol, without the routines\n\
         for floating-point numbers that it shares with all others on a machine that has no such instructions.\n",
    );
    let mut machine = "";
    for line in lines {
        if line.machine != machine {
            machine = line.machine;
            text += &format!("\n{machine:28} {:>20} {:>16} {:>16}\n", "instructions", "stack, bytes", "flash, bytes");
        }
        let Figures { instructions, stack, flash } = line.measured;
        let allowed = |limit: Option<u64>| limit.map_or("[none]".to_owned(), |limit| format!("[{limit}]"));
        let figures = line.limits.map(|limits| limits.figures);
        let ceiling = line.limits.and_then(|limits| limits.ceiling);
        text += &format!(
            "  {:26} {instructions:>11} {:>8} {stack:>7} {:>8} {flash:>7} {:>8}{}\n",
            line.kernel,
            allowed(figures.map(|figures| figures.instructions)),
            allowed(figures.map(|figures| figures.stack)),
            allowed(figures.map(|figures| figures.flash)),
            ceiling.map(|ceiling| format!("  at most {ceiling} instructions")).unwrap_or_default(),
        );
    }
    text
}

/// The compiler, as it names itself. Other compilers make other code.
fn compiler() -> Result<String> {
    let version = shell::ask("rustc", &["--version"]).context("rustc does not say its version")?;
    Ok(version.split(' ').take(2).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_and_broken_promises_are_named() {
        let figures = Figures { instructions: 40, stack: 8, flash: 120 };
        let line = |instructions, ceiling| Line {
            machine: "cortex-m4f",
            kernel: "sin_cos_f32".to_owned(),
            measured: Figures { instructions, ..figures },
            limits: Some(Limits { figures, ceiling: Some(ceiling) }),
        };
        assert_eq!(line(40, 45).growth(), None);
        assert_eq!(line(41, 45).growth().unwrap(), "cortex-m4f sin_cos_f32: 41 instructions, allowed are 40");
        assert_eq!(line(45, 45).broken_promise(), None);
        assert!(line(46, 45).broken_promise().unwrap().contains("46 instructions, promised are at most 45"));
    }

    #[test]
    fn a_counter_that_is_off_by_one_is_refused() {
        let counter = Counter { shift: 5, frequency: None };
        let rows = |last| [vec!["nops", "0", "1"], vec!["nops", "40", "41"], vec!["nops", "400", last]];
        assert!(check_calibration(&rows("401"), &counter).is_ok());
        assert!(check_calibration(&rows("402"), &counter).is_err());
        assert!(check_calibration(&rows("401")[..2], &counter).is_err());
    }
}
