//! What is done to the loops of the boards from outside: a tick that takes too long, a loop that is not called any more.

use anyhow::{Context, Result, ensure};

use crate::boards::Board;
use crate::firmware;

/// A tick of two and a third periods: it is an overrun, the two ticks that it covers are skipped, and the loop goes on.
/// A loop that is not called any more: the watchdog is not fed any more.
pub fn run() -> Result<()> {
    for (board, _) in Board::emulated() {
        let elf = board.build()?;
        let usual = firmware::log(board, &elf, &[], |_| ())?;
        let timing = &usual.timing;
        ensure!(
            (timing.skipped, timing.overruns, timing.dropped, timing.fed) == (0, 0, 0, usual.outcome.calls),
            "{}: {timing:?}",
            board.name
        );
        // A count of the machine timer is the most that a beat at 32,768 Hz may be late; the others are exact.
        let late = timing.worst_lateness as f64 / timing.frequency as f64;
        ensure!(late < 2.0 / 32_768.0, "{}: a tick is {late} s late", board.name);

        // A loop must fit into its ticks; that of the default board, into ticks of 10 kHz and twice.
        let instructions = board.instructions(timing)?;
        let rate = if board.name == Board::DEFAULT.name { 20_000 } else { usual.rate };
        let most = board.clock / rate;
        println!("  {:12} {instructions} instructions a tick of {}, at most {most}", board.name, usual.program);
        ensure!(instructions <= most, "{}: {instructions} instructions a tick, at most {most}", board.name);

        let overrun = firmware::log(board, &elf, &["overrun"], |_| ())?;
        let timing = &overrun.timing;
        ensure!((timing.overruns, timing.skipped) == (1, 2), "{}, overrun: {timing:?}", board.name);
        ensure!(timing.worst_execution > 2 * timing.period, "{}, overrun: {timing:?}", board.name);
        ensure!(overrun.outcome.faults == 0, "{}, overrun: {:?}", board.name, overrun.outcome);
        let last = overrun.samples.last().context("no telemetry")?;
        // Seconds later, as near its path as without.
        let limit = usual.outcome.worst_error;
        ensure!(last.state == "running" && last.error <= limit, "{}, overrun: {last:?}", board.name);

        let hang = firmware::log(board, &elf, &["hang"], |_| ())?;
        let timing = &hang.timing;
        ensure!(timing.fed == hang.outcome.calls && timing.hungry > 25, "{}, hang: {timing:?}", board.name);
        ensure!(hang.outcome.calls < usual.outcome.calls, "{}, hang: the loop goes on", board.name);
    }
    Ok(())
}
