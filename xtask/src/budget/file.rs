//! The budget file: `tests/on-target/budget.toml`.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

/// What something costs, or may cost; what is not measured or not limited is `None`.
#[derive(Clone, Copy, Default, PartialEq, Debug, Deserialize)]
pub struct Figures {
    /// Instructions executed, at most, over the samples of its input.
    pub instructions: Option<u64>,
    /// Bytes of stack.
    pub stack: Option<u64>,
    /// Bytes of its symbol in the program, or of a whole program.
    pub flash: Option<u64>,
    /// Bytes of RAM that a whole program occupies besides its stack.
    pub ram: Option<u64>,
}

/// What something may cost.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
pub struct Limits {
    /// What it cost when last measured, and may cost therefore.
    #[serde(flatten)]
    pub figures: Figures,
    /// What it was promised to stay within.
    #[serde(default)]
    pub ceiling: Figures,
}

/// The limits of each row, for each machine.
pub type Rows = BTreeMap<String, BTreeMap<String, Limits>>;

/// The whole file.
#[derive(PartialEq, Debug, Deserialize)]
pub struct Budget {
    /// The compiler that made the code measured.
    pub compiler: String,
    /// The limits of each row, for each machine.
    #[serde(flatten)]
    pub machines: Rows,
    /// The comment above each line, by the line's table and key.
    #[serde(skip)]
    comments: BTreeMap<(String, String), String>,
}

impl Figures {
    /// The figures with their units.
    pub fn with_units(&self) -> [(&'static str, Option<u64>); 4] {
        [
            ("instructions", self.instructions),
            ("bytes of stack", self.stack),
            ("bytes of flash", self.flash),
            ("bytes of RAM", self.ram),
        ]
    }

    /// What exceeds these limits, in words: the unit, what was measured, the limit.
    pub fn exceeded_by(&self, measured: &Self) -> Vec<(&'static str, u64, u64)> {
        let compared = self.with_units().into_iter().zip(measured.with_units());
        let exceeded = compared.filter_map(|((unit, limit), (_, measured))| Some((unit, measured?, limit?)));
        exceeded.filter(|(_, measured, limit)| measured > limit).collect()
    }

    fn written(&self) -> String {
        let names = ["instructions", "stack", "flash", "ram"];
        let figures = names.into_iter().zip(self.with_units().map(|(_, figure)| figure));
        let figures = figures.into_iter().filter_map(|(name, figure)| Some(format!("{name} = {}", figure?)));
        figures.collect::<Vec<_>>().join(", ")
    }
}

/// Reads the file's text.
pub fn parse(text: &str) -> Result<Budget> {
    let mut budget: Budget = toml::from_str(text).context("budget.toml is not understood")?;
    let (mut table, mut comment) = (String::new(), String::new());
    for line in text.lines() {
        if line.starts_with('#') {
            comment += line;
            comment += "\n";
        } else if let Some(name) = line.strip_prefix('[') {
            table = name.trim_end_matches(']').to_owned();
            comment.clear();
        } else if let Some((key, _)) = line.split_once(" =") {
            budget.comments.insert((table.clone(), key.to_owned()), std::mem::take(&mut comment));
        }
    }
    Ok(budget)
}

/// The file's text, a line for each row, comments kept.
pub fn written(budget: &Budget) -> String {
    let comment = |table: &str, key: &str| {
        budget.comments.get(&(table.to_owned(), key.to_owned())).map(String::as_str).unwrap_or_default()
    };
    let mut text = match comment("", "compiler") {
        "" => String::new(),
        head => format!("{head}\n"),
    };
    text += &format!("compiler = \"{}\"\n", budget.compiler);
    for (machine, rows) in &budget.machines {
        text += &format!("\n[{machine}]\n");
        for (row, Limits { figures, ceiling }) in rows {
            let mut entries = figures.written();
            if *ceiling != Figures::default() {
                entries += &format!(", ceiling = {{ {} }}", ceiling.written());
            }
            text += &format!("{}{row} = {{ {entries} }}\n", comment(machine, row));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let text = "# All of it.\n# Really.\n\ncompiler = \"rustc 1.95.0\"\n\n[cortex-m4f]\n\
                    program = { flash = 2840, ceiling = { flash = 3072 } }\n\
                    # So fast,\n# so small.\n\
                    sin_cos_f32 = { instructions = 40, stack = 8, flash = 120, ceiling = { instructions = 45 } }\n\
                    sqrt_f32 = { instructions = 40, stack = 8, flash = 120 }\n\n[microbit]\n\
                    firmware = { flash = 64512, ram = 2904 }\n";
        assert_eq!(written(&parse(text).unwrap()), text);
    }

    #[test]
    fn only_what_is_exceeded_is_named() {
        let limits = Figures { instructions: Some(40), flash: Some(120), ..Figures::default() };
        let measured = Figures { instructions: Some(45), stack: Some(8), flash: Some(120), ram: None };
        assert_eq!(limits.exceeded_by(&measured), [("instructions", 45, 40)]);
    }
}
