//! The hashes that a program prints and that `bits.txt` keeps: one line `name: hash` each. The name of a run ends with the number of
//! steps so far: `name, 3e4 steps: hash`, and `name, 689655 steps: hash` where the run ends on one of the targets.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::{machines, shell};

/// Names and hashes, in the programs' order.
pub type Hashes = Vec<(String, String)>;

/// Stands for the hash of a program that is not run on the machine.
pub const NOT_RUN: &str = "not run";

/// Parses lines of names and hashes.
pub fn parse(text: &str) -> Result<Hashes> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let pair = |line: &str| line.rsplit_once(": ").map(|(name, hash)| (name.to_owned(), hash.trim().to_owned()));
    lines.map(|line| pair(line).with_context(|| format!("expected `name: hash`, got: {line}"))).collect()
}

/// Splits a name into the part before its number of steps, and that number as text and as an integer.
pub fn split(name: &str) -> (&str, Option<(&str, u64)>) {
    let steps = || {
        let (body, steps) = name.strip_suffix(" steps")?.rsplit_once(", ")?;
        let (digits, exponent) = steps.split_once('e').unwrap_or((steps, "0"));
        let number = digits.parse::<u64>().ok()?.checked_mul(10_u64.checked_pow(exponent.parse().ok()?)?)?;
        Some((body, (steps, number)))
    };
    steps().map_or((name, None), |(body, steps)| (body, Some(steps)))
}

/// The hashes of `bits.txt`.
pub fn read_expected() -> Result<Hashes> {
    let file = expected_file();
    parse(&fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?)
}

/// Writes `bits.txt`.
pub fn write_expected(hashes: &Hashes) -> Result<()> {
    let mut text = String::from(
        "# The hash over the results of each function and kernel, and over all steps of each run, the same on every machine.\n\
         # Written by `cargo xtask bits --update`; a line that changes means that results have changed.\n",
    );
    for (name, hash) in hashes {
        text += &format!("{name}: {hash}\n");
    }
    fs::write(expected_file(), text).context("cannot write bits.txt")
}

fn expected_file() -> PathBuf {
    shell::root().join(machines::FOLDER).join("bits.txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_with_the_number_of_steps() {
        assert_eq!(split("f32 pendulum, RATTLE, 3e4 steps"), ("f32 pendulum, RATTLE", Some(("3e4", 30_000))));
        assert_eq!(split("f32 pendulum, RATTLE, 689655 steps").1, Some(("689655", 689_655)));
        for name in ["f32 sqrt", "f32 QR, 6 × 3", "f32 many steps", "f32, xe4 steps", "f32, 1e99 steps"] {
            assert_eq!(split(name), (name, None));
        }
    }

    #[test]
    fn lines_are_names_and_hashes() {
        assert_eq!(parse("# text\na: b: 01\n").unwrap(), [("a: b".to_owned(), "01".to_owned())]);
        assert!(parse("panicked\n").is_err());
    }
}
