//! The instructions that the programs of `tests/on-target` count: `count` for kernels; `steps`, `method_steps`, `control_steps` and others
//! for every step or tick of a long run through hostile states and faults, and for every way to fail.
//!
//! Every step must take the same number of instructions, and so must every tick that follows the path, also with a motor at its
//! limit. A tick that finds a fault or holds may take fewer.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::file::Figures;
use crate::machines::{Machine, rows};

/// A failing step may take this many instructions more than the costliest success, or a part of it if that is larger: it repeats the checks
/// one by one to find the reason. That takes at most 66 instructions more, on RISC-V with eight constraints.
const FAILURE_MARGIN: u64 = 72;

/// How far costs may differ.
pub struct Allowed {
    /// Successes may differ by one part in so many.
    pub spread: u64,
    /// A failure may take one part in so many more than the costliest success.
    pub failure: u64,
}

/// 2.5%: sines of different quadrants and angles that turn take different branches. Failures: 2%.
pub const ALLOWED: Allowed = Allowed { spread: 40, failure: 50 };

/// The same for a tick that finds a fault. It also brakes and latches the fault, which takes a number of instructions that does not
/// depend on the rest of the tick: at most 43 on a Cortex-M4F, 171 on RISC-V.
const FAULT_MARGIN: u64 = 176;

/// The instructions of a kernel or of the steps of a system on a machine.
pub struct Counted {
    /// The function's name.
    pub name: String,
    /// The cheapest success.
    pub cheapest: u64,
    /// The costliest success.
    pub costliest: u64,
    /// The number of counted steps; 1 for a kernel.
    pub count: u64,
    /// Every way to fail, and its instructions.
    pub failures: Vec<(String, u64)>,
    /// Bytes of stack.
    stack: u64,
}

/// Runs a program on a machine and returns its counts in the order of its output.
pub fn measure(machine: &Machine, program: &Path) -> Result<Vec<Counted>> {
    let counts = machine.count(program)?;
    let (mut all, mut ticks_of_nothing): (Vec<Counted>, u64) = (Vec::new(), 0);
    let instructions = |ticks: &str, nothing: u64| anyhow::Ok(counts.of(ticks.parse()?, nothing));
    for row in rows(&counts.output) {
        let (name, cheapest, costliest, nothing, stack, count) = match *row.as_slice() {
            ["kernel", name, ticks, nothing, stack] => (name, ticks, ticks, nothing, stack, "1"),
            ["step", name, cheapest, costliest, nothing, stack, count] => {
                (name, cheapest, costliest, nothing, stack, count)
            }
            ["failure", name, kind, ticks] => {
                let steps = all.last_mut().filter(|steps| steps.name == *name);
                let steps = steps.with_context(|| format!("a `failure` of {name} before its `step`"))?;
                steps.failures.push((kind.to_owned(), instructions(ticks, ticks_of_nothing)?));
                continue;
            }
            _ => continue,
        };
        ticks_of_nothing = nothing.parse()?;
        all.push(Counted {
            name: name.to_owned(),
            cheapest: instructions(cheapest, ticks_of_nothing)?,
            costliest: instructions(costliest, ticks_of_nothing)?,
            count: count.parse()?,
            failures: Vec::new(),
            stack: stack.parse()?,
        });
    }
    ensure!(!all.is_empty(), "the program counted nothing:\n{}", counts.output);
    Ok(all)
}

impl Counted {
    /// The figures for the budget: those of the costliest success.
    pub fn figures(&self) -> Figures {
        Figures { instructions: Some(self.costliest), stack: Some(self.stack), ..Figures::default() }
    }

    /// The costliest failure.
    pub fn costliest_failure(&self) -> Option<&(String, u64)> {
        self.failures.iter().max_by_key(|(_, instructions)| *instructions)
    }

    /// The ways in which the cost is not constant, as messages.
    pub fn variations(&self, allowed: &Allowed) -> Vec<String> {
        let mut variations = Vec::new();
        let (cheapest, costliest) = (self.cheapest, self.costliest);
        let spread = (costliest / allowed.spread).max(8);
        if costliest - cheapest > spread {
            variations.push(format!("steps take {cheapest} to {costliest} instructions, the spread may be {spread}"));
        }
        let is_tick = self.name.ends_with("_tick");
        let margin = if is_tick { FAULT_MARGIN } else { (costliest / allowed.failure).max(FAILURE_MARGIN) };
        for (kind, instructions) in &self.failures {
            if *instructions > costliest + margin {
                let allowed = format!("the costliest success {costliest}; {margin} more are allowed");
                variations.push(format!("{kind} takes {instructions} instructions, {allowed}"));
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
        let steps = |cheapest, costliest, failure| Counted {
            name: "pendulum".to_owned(),
            cheapest,
            costliest,
            count: 10_000,
            failures: vec![("NonFinite".to_owned(), failure)],
            stack: 8,
        };
        assert!(steps(92, 100, 172).variations(&ALLOWED).is_empty());
        assert!(steps(975, 1000, 0).variations(&ALLOWED).is_empty());
        assert_eq!(steps(91, 100, 0).variations(&ALLOWED), ["steps take 91 to 100 instructions, the spread may be 8"]);
        assert!(steps(974, 1000, 0).variations(&ALLOWED)[0].contains("the spread may be 25"));
        assert!(steps(100, 100, 173).variations(&ALLOWED)[0].starts_with("NonFinite takes 173 instructions"));
    }
}
