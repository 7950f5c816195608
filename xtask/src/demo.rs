//! The main job in one command: the default board's firmware in the emulator, its log, a summary and a plot.

use std::fs;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use taut::control::supervisor::Injection;

use crate::boards::Board;
use crate::{firmware, plot, setup, shell};

/// What shows how the firmware itself holds out, rather than its loop.
const TRIALS: [&str; 3] = ["overrun", "hang", "stack"];

/// Refuses what the board does not run, before anything is built.
fn refuse_the_unknown(board: &Board, arguments: &[String]) -> Result<()> {
    let Some(emulated) = &board.emulated else {
        let names: Vec<_> = Board::emulated().map(|(board, _)| board.name).collect();
        bail!("no emulator knows {}, which is only compiled: there are {}", board.name, names.join(", "));
    };
    let faults = Injection::ALL.map(Injection::name);
    let known = [emulated.loops, &faults, &TRIALS];
    for argument in arguments {
        if !known.iter().any(|names| names.contains(&argument.as_str())) {
            let [loops, faults, trials] = known.map(|names| names.join(", "));
            bail!(
                "{} does not run `{argument}`. There are\n  loops   {loops}\n  faults  {faults}\n  trials  {trials}",
                board.name
            );
        }
    }
    Ok(())
}

/// Sets up, builds, runs, shows and plots. The arguments go to the firmware: a loop, a fault.
pub fn run(board: &Board, arguments: &[String]) -> Result<()> {
    refuse_the_unknown(board, arguments)?;
    setup::ensure_toolchain()?;
    setup::ensure_qemu()?;
    let elf = board.build()?;

    println!("\nThe log of the emulated {}:\n", board.title);
    let begun = Instant::now();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let log = firmware::log(board, &elf, &arguments, |line| println!("  {line}"))?;
    let elapsed = begun.elapsed().as_secs_f64();
    let (outcome, timing) = (&log.outcome, &log.timing);
    let last = log.samples.last().context("the firmware sent no telemetry")?;

    let file = shell::root().join("target/demo").join(format!("{}.svg", log.program));
    fs::create_dir_all(file.parent().context("the plot has a folder")?)?;
    let title = format!("{} on the emulated {}", log.program, board.title);
    for file in [&file, &file.with_extension("png")] {
        plot::run(&title, &log.samples, file)?;
    }

    let microseconds = |counts: u64| counts as f64 / timing.frequency as f64 * 1e6;
    let instructions = board.instructions(timing)?;
    println!();
    println!(
        "  ticks           {}, {} s of simulated time, {} of them on the path",
        outcome.calls, last.time, outcome.running
    );
    println!("  tracking error  at most {:.1e} m", outcome.worst_error);
    println!("  constraint      at most {:.1e} off", outcome.worst_residual);
    println!(
        "  a tick          at most {instructions} instructions of the loop; at {} MHz, {} cycles are a tick of it",
        board.clock / 1_000_000,
        board.clock / log.rate
    );
    println!("  lateness        at most {:.0} µs", microseconds(timing.worst_lateness));
    println!("  overruns        {}, {} ticks skipped", timing.overruns, timing.skipped);
    println!("  faults          {}, the last: {}", outcome.faults, outcome.last_fault);
    println!("  emulation       {elapsed:.1} s");
    println!("  plot            {}, and .png", file.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_board_does_not_run_is_refused_with_what_there_is() {
        let refused = |board: &str, argument: &str| {
            refuse_the_unknown(Board::named(board).unwrap(), &[argument.to_owned()]).unwrap_err().to_string()
        };
        assert!(refused("olimex-h405", "pendulum").contains("loops   five_bar, crane, arm"));
        assert!(refused("microbit", "crane").contains("microbit does not run `crane`"));
        assert!(refused("pico2", "arm").contains("only compiled: there are olimex-h405, microbit, hifive1"));
        for argument in ["crane", "bus-error", "overrun"] {
            refuse_the_unknown(Board::DEFAULT, &[argument.to_owned()]).unwrap();
        }
    }
}
