//! The other checks of `cargo xtask test`, besides those of cargo, [`bits`](crate::bits), [`budget`](crate::budget) and
//! [`no_panic`](crate::no_panic): the log of the boards' firmware, and that their loops do the same on this computer.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::boards::{BOARDS, Board, EMULATED};
use crate::firmware;
use crate::shell::{self, cargo};

/// The words that run the programs whose options are their own.
pub const FUZZ: [&str; 7] = ["run", "--quiet", "--profile", "test", "--package", "fuzz", "--"];
pub const MUTANTS: [&str; 5] = ["run", "--quiet", "--package", "mutants", "--"];
pub const GALLERY: [&str; 8] = ["run", "--quiet", "--release", "--package", "desk", "--example", "gallery", "--"];
#[rustfmt::skip]
pub const ANALYSE: [&str; 10] = ["run", "--quiet", "--package", "desk", "--no-default-features", "--features", "structure", "--example", "analyse", "--"];
pub const SOAK: [&str; 8] = ["run", "--quiet", "--release", "--package", "desk", "--example", "soak", "--"];

/// The packages outside the root's workspace, besides the boards.
#[rustfmt::skip]
const OUTSIDE: [&str; 8] = ["boards/runtime", "tests/fuzz/coverage", "tests/on-target", "tests/outside", "benches/baseline", "benches/count", "benches/peers", "benches/pinocchio"];

pub mod fault_matrix;
pub mod outside;
pub mod same_loop;
pub mod trials;

/// Checks the format of every package: those of the root's workspace, and those outside it.
pub fn format() -> Result<()> {
    let folders = OUTSIDE.into_iter().map(str::to_owned).chain(BOARDS.iter().map(Board::folder));
    let mut failed = String::new();
    for (folder, all) in folders.map(|folder| (folder, None)).chain([(String::new(), Some("--all"))]) {
        let mut command = cargo(&folder, &["fmt"]);
        let (success, _, said) = shell::outcome(command.args(all).args(["--check", "--", "--color", "never"]), |_| ())
            .context("cannot start cargo")?;
        failed += if success { "" } else { &said };
    }
    ensure!(failed.is_empty(), "{failed}\nrun `cargo fmt` in the folder of each file above");
    Ok(())
}

/// Checks that the log of each emulated board equals its `expected.txt`.
pub fn boards_log_what_is_expected() -> Result<()> {
    for board in Board::all_emulated() {
        let expected = shell::root().join(board.folder()).join("expected.txt");
        let expected = fs::read_to_string(&expected).with_context(|| format!("cannot read {}", expected.display()))?;
        let mut log = String::new();
        firmware::emulated(board, &board.build(EMULATED)?, &[], |line| log += &format!("{line}\n"))?;
        let renew = "differs; if that is intended, renew it as the board's README says";
        same_lines(&without_timing(&expected), &without_timing(&log))
            .with_context(|| format!("{}/expected.txt {renew}", board.folder()))?;
    }
    Ok(())
}

/// Checks that no panic is reachable from the loop of any variant of any board, drivers and telemetry included. As a negative
/// control, a loop that can panic must not link, on each emulated instruction set.
pub fn no_panic_in_boards() -> Result<()> {
    for board in &BOARDS {
        board.variants().iter().try_for_each(|variant| board.link_without_panic(variant))?;
    }
    Board::all_emulated().try_for_each(Board::refuse_panic)
}

/// A log without its times. The budget checks those.
fn without_timing(log: &str) -> String {
    log.lines().filter(|line| !line.contains(" timing ")).fold(String::new(), |text, line| text + line + "\n")
}

/// Checks that the bare-metal example prints the same here and in the emulator.
pub fn example_prints_the_same() -> Result<()> {
    let example = ["--example", "bare_metal"];
    // The tests have built it with this profile already.
    let mut command = cargo("", &["run", "--profile", "test"]);
    let here = shell::capture("run the example here", command.args(example))?;
    let mut command =
        cargo("", &["run", "--release", "--target", Board::DEFAULT.target, "--config", ".cargo/emulate.toml"]);
    let there = shell::capture("run the example in the emulator", command.args(example))?;
    same_lines(&here, &there)
}

/// Draws the figures, or compares them with those in the repository.
pub fn figures(check: bool) -> Result<()> {
    let mut command = cargo("", &["run", "--profile", "test", "--package", "desk", "--example", "figures", "--"]);
    print!("{}", shell::capture("draw the figures", command.args(check.then_some("--check")))?);
    Ok(())
}

/// Runs a program of the repository with options of its own, which it prints itself.
pub fn program(cargo_words: &[&str], options: &[String]) -> Result<()> {
    let status = cargo("", cargo_words).args(options).status().context("cannot start cargo")?;
    ensure!(status.success(), "it failed");
    Ok(())
}

/// Runs a script of the folder `.ci`. A script that cannot do its work here prints a line that begins with `skipped` and says why.
pub fn script(name: &str) -> Result<()> {
    let mut command = Command::new("sh");
    command.arg(format!(".ci/{name}")).current_dir(shell::root()).env("CARGO_TARGET_DIR", shell::target());
    let said = shell::capture(&format!("run .ci/{name}"), &mut command)?;
    said.lines().filter(|line| line.starts_with("skipped")).for_each(shell::say);
    Ok(())
}

/// Fails with the first line that differs.
pub fn same_lines(expected: &str, got: &str) -> Result<()> {
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
    use std::path::Path;

    use super::*;

    /// Phrases that a reader has to read twice; `_` is a space, so that this list does not find itself.
    const OLD_STYLE: [&str; 10] = [
        "can_not",
        "is_no_number",
        "are_no_numbers",
        "one's_own",
        "whichever_units",
        "beyond_doubt",
        "what_it_is_around",
        "or_there_is_none",
        "may_be_none",
        "a_day_on_silicon",
    ];

    /// The lines of Rust, Markdown and TOML files in a folder that contain such a phrase: `file:line: phrase`.
    fn old_style(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let extension = path.extension().unwrap_or_default();
            if path.is_dir() {
                if !["target", ".git"].iter().any(|skipped| path.ends_with(skipped)) {
                    old_style(&path, found);
                }
            } else if ["rs", "md", "toml"].iter().any(|text| extension == *text) {
                for (index, line) in fs::read_to_string(&path).unwrap().to_lowercase().lines().enumerate() {
                    let phrases = OLD_STYLE.map(|phrase| phrase.replace('_', " "));
                    let present = phrases.iter().filter(|phrase| line.contains(phrase.as_str()));
                    found.extend(present.map(|phrase| format!("{}:{}: {phrase}", path.display(), index + 1)));
                }
            }
        }
    }

    #[test]
    fn no_phrase_of_the_old_style_is_in_the_tree() {
        let mut found = Vec::new();
        old_style(shell::root(), &mut found);
        assert!(found.is_empty(), "write these lines in plain English:\n{}", found.join("\n"));
    }

    #[test]
    fn the_first_line_that_differs_is_named() {
        assert!(same_lines("a\nb\n", "a\nb\n").is_ok());
        let error = same_lines("a\nb\nc\n", "a\nx\nc\n").unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("  b") && error.contains("  x"), "{error}");
        assert!(same_lines("a\n", "a\nb\n").unwrap_err().to_string().contains("(the end)"));
    }
}
