//! Kernels: what `count` of `tests/on-target` has counted.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::file::Figures;
use super::sizes;
use crate::machines::{Counter, Machine};

/// The figures of every kernel on a machine, in the program's order.
pub fn measure(machine: &Machine, counter: &Counter, program: &Path) -> Result<Vec<(String, Figures)>> {
    let sizes = sizes::of(program)?;
    let output = machine.run(program, true)?;
    let rows = rows(&output);
    check_calibration(&rows, counter).with_context(|| format!("the counter of {}", machine.name))?;

    let mut figures = Vec::new();
    for row in &rows {
        let ["kernel", name, ticks, ticks_of_nothing, stack] = row.as_slice() else { continue };
        let flash = sizes.functions.get(*name).with_context(|| format!("the program has no symbol {name}"))?;
        let instructions = counter.instructions(ticks.parse()?) - counter.instructions(ticks_of_nothing.parse()?);
        let (instructions, stack, flash) = (Some(instructions), Some(stack.parse()?), Some(*flash));
        let measured = Figures { instructions, stack, flash, ram: None };
        figures.push(((*name).to_owned(), measured));
    }
    if figures.is_empty() {
        bail!("the program counted nothing:\n{output}");
    }
    Ok(figures)
}

/// The words of each line.
pub fn rows(output: &str) -> Vec<Vec<&str>> {
    output.lines().map(|line| line.split(' ').collect()).collect()
}

/// Blocks of known length must come out exact, beyond what the empty block takes.
pub fn check_calibration(rows: &[Vec<&str>], counter: &Counter) -> Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_is_off_by_one_is_refused() {
        let counter = Counter { shift: 5, frequency: None };
        let rows = |last| [vec!["nops", "0", "1"], vec!["nops", "40", "41"], vec!["nops", "400", last]];
        assert!(check_calibration(&rows("401"), &counter).is_ok());
        assert!(check_calibration(&rows("402"), &counter).is_err());
        assert!(check_calibration(&rows("401")[..2], &counter).is_err());
    }
}
