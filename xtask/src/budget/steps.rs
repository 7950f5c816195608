//! Steps and ticks: what `steps`, `method_steps` and `control_steps` of `tests/on-target` have counted, every single one of a long run
//! through hostile states or into every trouble, and the ways to fail. A step must cost the same whatever happens, and so must a tick
//! that follows, whether its motors are at a limit or not; a tick that finds a fault or holds may cost less.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::file::Figures;
use super::kernels::{check_calibration, rows};
use super::sizes;
use crate::machines::{Counter, Machine};

/// A failing step may cost this many instructions more than the dearest that succeeds, or a fiftieth of it where that is more, which steps
/// that succeed may differ by as well.
const FAILURE_MARGIN: u64 = 32;

/// What the steps of a system cost on a machine, in instructions.
pub struct Steps {
    /// The function's name.
    pub name: String,
    /// The cheapest that succeeded.
    pub cheapest: u64,
    /// The dearest that succeeded.
    pub dearest: u64,
    /// How many were counted.
    pub count: u64,
    /// Every way to fail, and what it costs.
    pub failures: Vec<(String, u64)>,
    /// Bytes of stack and of flash.
    stack: u64,
    flash: u64,
}

/// What every step costs on a machine, in the program's order.
pub fn measure(machine: &Machine, counter: &Counter, program: &Path) -> Result<Vec<Steps>> {
    let sizes = sizes::of(program)?;
    let output = machine.run(program, true)?;
    let rows = rows(&output);
    check_calibration(&rows, counter).with_context(|| format!("the counter of {}", machine.name))?;

    let mut all: Vec<Steps> = Vec::new();
    let mut overhead = 0;
    let instructions = |ticks: &str| anyhow::Ok(counter.instructions(ticks.parse()?));
    for row in &rows {
        match row.as_slice() {
            ["step", name, cheapest, dearest, nothing, stack, count] => {
                overhead = instructions(nothing)?;
                all.push(Steps {
                    name: (*name).to_owned(),
                    cheapest: instructions(cheapest)? - overhead,
                    dearest: instructions(dearest)? - overhead,
                    count: count.parse()?,
                    failures: Vec::new(),
                    stack: stack.parse()?,
                    flash: *sizes.functions.get(*name).with_context(|| format!("no symbol {name}"))?,
                });
            }
            ["failure", name, kind, ticks] => {
                let steps = all.last_mut().filter(|steps| steps.name == *name);
                let steps = steps.with_context(|| format!("a failure of {name} without its successes"))?;
                steps.failures.push(((*kind).to_owned(), instructions(ticks)? - overhead));
            }
            _ => {}
        }
    }
    if all.is_empty() {
        bail!("the program counted nothing:\n{output}");
    }
    Ok(all)
}

impl Steps {
    /// What the budget is about: the dearest success.
    pub fn figures(&self) -> Figures {
        let (instructions, stack, flash) = (Some(self.dearest), Some(self.stack), Some(self.flash));
        Figures { instructions, stack, flash, ram: None }
    }

    /// The dearest failure.
    pub fn dearest_failure(&self) -> Option<&(String, u64)> {
        self.failures.iter().max_by_key(|(_, instructions)| *instructions)
    }

    /// In what the cost is not constant, in words.
    pub fn variations(&self) -> Vec<String> {
        let mut variations = Vec::new();
        let (cheapest, dearest) = (self.cheapest, self.dearest);
        let allowed = (dearest / 50).max(8);
        if dearest - cheapest > allowed {
            variations.push(format!("steps of {cheapest} to {dearest} instructions, allowed is a spread of {allowed}"));
        }
        let margin = (dearest / 50).max(FAILURE_MARGIN);
        for (kind, instructions) in &self.failures {
            if *instructions > dearest + margin {
                variations.push(format!(
                    "{kind} takes {instructions} instructions, the dearest success {dearest}, allowed are {margin} more"
                ));
            }
        }
        variations
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_that_varies_is_named() {
        let steps = |cheapest, dearest, failure| Steps {
            name: "pendulum".to_owned(),
            cheapest,
            dearest,
            count: 10_000,
            failures: vec![("NonFinite".to_owned(), failure)],
            stack: 8,
            flash: 120,
        };
        assert!(steps(92, 100, 132).variations().is_empty());
        assert!(steps(980, 1000, 0).variations().is_empty());
        assert_eq!(steps(91, 100, 0).variations(), ["steps of 91 to 100 instructions, allowed is a spread of 8"]);
        assert!(steps(979, 1000, 0).variations()[0].contains("allowed is a spread of 20"));
        assert!(steps(100, 100, 133).variations()[0].starts_with("NonFinite takes 133 instructions"));
    }
}
