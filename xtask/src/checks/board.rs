//! Checks of the default board's firmware and of the examples on its chip.

use std::fs;

use anyhow::{Context, Result, bail};

use super::DENY_WARNINGS;
use crate::firmware::{self, BOARD, TARGET};
use crate::shell::{self, cargo};
use crate::test::Step;

/// Lints and builds for the emulator and for the bench.
pub fn build_steps() -> Vec<Step> {
    let mut steps = Vec::new();
    // The emulator's firmware comes last and stays in the folder.
    for (name, arguments) in [("hardware", &["--no-default-features", "--features", "hardware"][..]), ("emulated", &[])]
    {
        let mut command = cargo(BOARD);
        command.args(["clippy", "--release"]).args(arguments).args(DENY_WARNINGS);
        steps.push(Step::command(format!("lints of the board, {name}"), command));
        let mut command = cargo(BOARD);
        command.args(["build", "--release"]).args(arguments);
        steps.push(Step::command(format!("build of the board, {name}"), command));
    }
    steps
}

/// What must come out in the emulator.
pub fn emulator_steps() -> Vec<Step> {
    vec![
        Step::function("the board logs what is expected", board_logs_what_is_expected),
        Step::function("the example prints the same here and in the emulator", example_prints_the_same),
    ]
}

/// The firmware's log is the one kept beside it.
fn board_logs_what_is_expected() -> Result<()> {
    let expected = shell::root().join(BOARD).join("expected.txt");
    let expected = fs::read_to_string(&expected).with_context(|| format!("cannot read {}", expected.display()))?;
    let mut log = String::new();
    firmware::emulated(&firmware::build()?, |line| {
        log += line;
        log += "\n";
    })?;
    same_lines(&expected, &log)
        .with_context(|| format!("{BOARD}/expected.txt differs; its README says how to renew it if that is intended"))
}

/// The example's output does not depend on the machine.
fn example_prints_the_same() -> Result<()> {
    // The profile in which the tests have built it already.
    let mut command = cargo("");
    let here =
        shell::capture("run the example here", command.args(["run", "--profile", "test", "--example", "bare_metal"]))?;
    let mut command = cargo("");
    command.args(["run", "--release", "--target", TARGET, "--config", ".cargo/emulate.toml"]);
    let there = shell::capture("run the example in the emulator", command.args(["--example", "bare_metal"]))?;
    same_lines(&here, &there)
}

/// Compares two texts and shows the first line that differs.
fn same_lines(expected: &str, got: &str) -> Result<()> {
    let (mut expected, mut got) = (expected.lines(), got.lines());
    for number in 1.. {
        let (expected, got) = (expected.next(), got.next());
        if expected != got {
            let shown = |line: Option<&str>| line.unwrap_or("(the end)").to_owned();
            bail!("line {number}\n  expected  {}\n  got       {}", shown(expected), shown(got));
        }
        if expected.is_none() {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_different_line_is_named() {
        assert!(same_lines("a\nb\n", "a\nb\n").is_ok());
        let error = same_lines("a\nb\nc\n", "a\nx\nc\n").unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("  b") && error.contains("  x"), "{error}");
        assert!(same_lines("a\n", "a\nb\n").unwrap_err().to_string().contains("(the end)"));
    }
}
