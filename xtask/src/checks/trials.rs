//! Trials of the boards' firmware: a tick that takes too long, a loop that is no longer called, and a hard fault.

use anyhow::{Context, Result, ensure};

use crate::boards::{Board, EMULATED};
use crate::firmware;
use crate::telemetry::Line;

/// Runs the trials on every emulated board. A tick of 2⅓ periods must count as one overrun, skip two ticks and let the loop continue.
/// When the loop is no longer called, the watchdog must no longer be fed. After a hard fault the motors must be off before it is logged.
pub fn run() -> Result<()> {
    Board::all_emulated().try_for_each(|board| check(board).with_context(|| board.name))
}

fn check(board: &Board) -> Result<()> {
    let elf = board.build(EMULATED)?;
    let usual = firmware::log(board, &elf, &[], |_| ())?;
    let calls: u64 = usual.outcome.number("calls")?;
    let counts: [u64; 4] = usual.timing.numbers(["skipped", "overruns", "dropped", "fed"])?;
    ensure!(counts == [0, 0, 0, calls], "{:?}", usual.timing);
    // On the HiFive1, whose timer runs at 32,768 Hz, a tick may be late by one count; the other boards are exact.
    let [lateness, frequency]: [f64; 2] = usual.timing.numbers(["worst_lateness", "frequency"])?;
    let late = lateness / frequency;
    ensure!(late < 2.0 / 32_768.0, "a tick is {late} s late");

    // A loop must fit into its period. On the default board it must fit twice into a period of 10 kHz.
    let instructions = board.instructions(&usual.timing)?;
    let rate = if board.name == Board::DEFAULT.name { 20_000 } else { usual.begin.number("rate")? };
    let max_instructions = board.clock / rate;
    let program = usual.begin.word("loop")?;
    println!("  {:12} {instructions} instructions per tick of {program}, limit {max_instructions}", board.name);
    ensure!(instructions <= max_instructions, "{instructions} instructions per tick, limit {max_instructions}");

    let overrun = firmware::log(board, &elf, &["overrun"], |_| ())?;
    let timing = &overrun.timing;
    let [overruns, skipped, execution, period]: [u64; 4] =
        timing.numbers(["overruns", "skipped", "worst_execution", "period"])?;
    ensure!((overruns, skipped) == (1, 2) && execution > 2 * period, "overrun: {timing:?}");
    ensure!(overrun.outcome.word("faults")? == "0", "overrun: {:?}", overrun.outcome);
    let last = overrun.samples.last().context("no telemetry")?;
    // Seconds later, the error must be no larger than without the overrun.
    let is_near = last.number::<f32>("error")? <= usual.outcome.number("worst_error")?;
    ensure!(last.word("state")? == "running" && is_near, "overrun: {last:?}");

    let hang = firmware::log(board, &elf, &["hang"], |_| ())?;
    let (called, fed, hungry): (u64, u64, u64) =
        (hang.outcome.number("calls")?, hang.timing.number("fed")?, hang.timing.number("hungry")?);
    ensure!(fed == called && hungry > 25, "hang: {:?}", hang.timing);
    ensure!(called < calls, "hang: the loop did not stop");

    let mut log = Vec::new();
    firmware::emulated(board, &elf, &["hard-fault"], |line| log.push(line.to_owned()))?;
    let last = log.last().context("hard fault: no log")?;
    let crash = Line::about("crash", last).with_context(|| format!("hard fault: the log ends with {last}"))?;
    ensure!(crash.word("motors_off")? == "true", "hard fault: {last}");
    Ok(())
}
