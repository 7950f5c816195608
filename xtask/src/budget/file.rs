//! The budget file: `tests/on-target/budget.toml`.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

/// What a kernel costs.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
pub struct Figures {
    /// Instructions executed, at most, over the samples of its input.
    pub instructions: u64,
    /// Bytes of stack.
    pub stack: u64,
    /// Bytes of its symbol in the program.
    pub flash: u64,
}

/// What a kernel may cost.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
pub struct Limits {
    /// What it cost when last measured, and may cost therefore.
    #[serde(flatten)]
    pub figures: Figures,
    /// Instructions it was promised to stay within.
    pub ceiling: Option<u64>,
}

/// The whole file.
#[derive(PartialEq, Debug, Deserialize)]
pub struct Budget {
    /// The compiler that made the code measured.
    pub compiler: String,
    /// The limits of each kernel, for each machine.
    #[serde(flatten)]
    pub machines: BTreeMap<String, BTreeMap<String, Limits>>,
}

impl Figures {
    /// Which figures have grown, in words.
    pub fn grown(&self, measured: &Self) -> Vec<String> {
        let compared = [
            ("instructions", self.instructions, measured.instructions),
            ("bytes of stack", self.stack, measured.stack),
            ("bytes of flash", self.flash, measured.flash),
        ];
        let grown = compared.into_iter().filter(|(_, allowed, measured)| measured > allowed);
        grown.map(|(unit, allowed, measured)| format!("{measured} {unit}, allowed are {allowed}")).collect()
    }
}

/// Reads the file's text.
pub fn parse(text: &str) -> Result<Budget> {
    toml::from_str(text).context("budget.toml is not understood")
}

/// The file's text, a line for each kernel.
pub fn written(budget: &Budget) -> String {
    let mut text = format!(
        "# What each kernel costs, and may cost at most: instructions (not cycles), bytes of stack, bytes of flash.\n\
         # Written by `cargo xtask budget --update`, which keeps the ceilings: those are promises.\n\n\
         compiler = \"{}\"\n",
        budget.compiler
    );
    for (machine, kernels) in &budget.machines {
        text += &format!("\n[{machine}]\n");
        for (kernel, Limits { figures, ceiling }) in kernels {
            let Figures { instructions, stack, flash } = figures;
            let ceiling = ceiling.map(|ceiling| format!(", ceiling = {ceiling}")).unwrap_or_default();
            text +=
                &format!("{kernel} = {{ instructions = {instructions}, stack = {stack}, flash = {flash}{ceiling} }}\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let figures = Figures { instructions: 40, stack: 8, flash: 120 };
        let kernels = BTreeMap::from([
            ("sin_cos_f32".to_owned(), Limits { figures, ceiling: Some(45) }),
            ("sqrt_f32".to_owned(), Limits { figures, ceiling: None }),
        ]);
        let budget = Budget {
            compiler: "rustc 1.95.0".to_owned(),
            machines: BTreeMap::from([("cortex-m4f".to_owned(), kernels)]),
        };
        assert_eq!(parse(&written(&budget)).unwrap(), budget);
    }

    #[test]
    fn only_growth_is_named() {
        let figures = Figures { instructions: 40, stack: 8, flash: 120 };
        let measured = Figures { instructions: 45, stack: 0, flash: 120 };
        assert_eq!(figures.grown(&measured), ["45 instructions, allowed are 40"]);
    }
}
