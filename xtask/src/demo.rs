//! The main job in one command: the default board's firmware in the emulator, its log, a summary and a plot.

use std::fs;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::boards::Board;
use crate::{firmware, plot, setup, shell};

/// Sets up, builds, runs, shows and plots. The arguments go to the firmware: a loop, a fault.
pub fn run(board: &Board, arguments: &[String]) -> Result<()> {
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
    plot::run(&title, &log.samples, &file)?;

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
    println!("  plot            {}", file.display());
    Ok(())
}
