//! Checks of the boards' firmware and of the examples on the default chip.

use std::fs;

use anyhow::{Context, Result, bail};

use super::{fault_matrix, same_loop, trials};
use crate::boards::{BOARDS, Board};
use crate::firmware;
use crate::shell::{self, cargo};
use crate::test::{Place, Step};

/// Lints of the firmware in each way of building it, and its loop without a panic.
pub fn build_steps() -> Vec<Step> {
    let mut steps = Vec::new();
    for board in &BOARDS {
        for way in board.ways() {
            let step = Step::command(format!("lints of {}, {}", board.name, way.name), board.lint(way));
            steps.push(step.at(&[Place::Boards]));
        }
    }
    let step = Step::function("no panic is reachable from the loops of the boards", no_panic_is_reachable);
    steps.push(step.at(&[Place::Boards]));
    steps
}

/// What must come out in the emulator.
pub fn emulator_steps() -> Vec<Step> {
    let boards = &[Place::Boards];
    vec![
        Step::function("the boards log what is expected", boards_log_what_is_expected).at(boards),
        Step::function("a loop's telemetry is the same here and on every board", same_loop::run).at(boards),
        Step::function("every fault in every state leads to the same here and on the default chip", fault_matrix::run)
            .at(&[Place::OnTarget]),
        Step::function("every board skips an overrun, and starves its watchdog when it hangs", trials::run).at(boards),
    ]
}

/// The example runs on the default board's chip without its firmware.
pub fn example_step() -> Step {
    Step::function("the example prints the same here and in the emulator", example_prints_the_same)
}

/// The firmware's log is the one kept beside it.
fn boards_log_what_is_expected() -> Result<()> {
    for (board, _) in Board::emulated() {
        let expected = shell::root().join(board.folder()).join("expected.txt");
        let expected = fs::read_to_string(&expected).with_context(|| format!("cannot read {}", expected.display()))?;
        let mut log = String::new();
        firmware::emulated(board, &board.build()?, &[], |line| {
            log += line;
            log += "\n";
        })?;
        let renew = "differs; the board's README says how to renew it if that is intended";
        same_lines(&without_timing(&expected), &without_timing(&log))
            .with_context(|| format!("{}/expected.txt {renew}", board.folder()))?;
    }
    Ok(())
}

/// The loop of each board in each way of building it: with its simulated machine, or with the drivers of its chip, and its telemetry. One
/// with a panic in it must not link, on any of the instruction sets that are emulated.
fn no_panic_is_reachable() -> Result<()> {
    for board in &BOARDS {
        for way in board.ways() {
            board.link_without_panic(way)?;
        }
    }
    Board::emulated().try_for_each(|(board, _)| board.refuse_panic(&board.ways()[0]))
}

/// A log without its times, which the budget keeps.
fn without_timing(log: &str) -> String {
    log.lines().filter(|line| !line.contains(" timing ")).fold(String::new(), |text, line| text + line + "\n")
}

/// The example's output does not depend on the machine.
fn example_prints_the_same() -> Result<()> {
    // The profile in which the tests have built it already.
    let mut command = cargo("");
    let here =
        shell::capture("run the example here", command.args(["run", "--profile", "test", "--example", "bare_metal"]))?;
    let mut command = cargo("");
    command.args(["run", "--release", "--target", Board::DEFAULT.target, "--config", ".cargo/emulate.toml"]);
    let there = shell::capture("run the example in the emulator", command.args(["--example", "bare_metal"]))?;
    same_lines(&here, &there)
}

/// Compares two texts and shows the first line that differs.
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
    use super::*;

    #[test]
    fn the_first_different_line_is_named() {
        assert!(same_lines("a\nb\n", "a\nb\n").is_ok());
        let error = same_lines("a\nb\nc\n", "a\nx\nc\n").unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("  b") && error.contains("  x"), "{error}");
        assert!(same_lines("a\n", "a\nb\n").unwrap_err().to_string().contains("(the end)"));
    }
}
