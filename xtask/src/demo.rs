//! Runs a board's firmware in the emulator, shows its log and a summary, and plots the run.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use desk::plot::{Chart, Curve, Ink, Page};
use taut::supervise::Injection;

use crate::boards::{Board, EMULATED};
use crate::telemetry::Line;
use crate::{firmware, setup, shell};

/// The trials of the firmware itself, rather than of its loop.
const TRIALS: [&str; 3] = ["overrun", "hang", "stack"];

/// Refuses arguments that the board cannot run, before building anything.
fn check_arguments(board: &Board, arguments: &[String]) -> Result<()> {
    if board.model.is_none() {
        let names: Vec<_> = Board::all_emulated().map(|board| board.name).collect();
        bail!("QEMU does not emulate {}, which is only compiled; choose {}", board.name, names.join(", "));
    }
    let faults = Injection::ALL.map(Injection::name);
    let known = [board.loops, &faults, &TRIALS];
    for argument in arguments {
        if !known.iter().any(|names| names.contains(&argument.as_str())) {
            let [loops, faults, trials] = known.map(|names| names.join(", "));
            let there = format!("loops   {loops}\n  faults  {faults}\n  trials  {trials}");
            bail!("{} cannot run `{argument}`. It runs\n  {there}", board.name);
        }
    }
    Ok(())
}

/// Installs what is missing, builds and runs the firmware, prints the summary and plots. The firmware gets the arguments.
pub fn run(board: &Board, arguments: &[String]) -> Result<()> {
    check_arguments(board, arguments)?;
    setup::ensure_toolchain()?;
    setup::ensure_qemu()?;
    let elf = board.build(EMULATED)?;

    println!("\nLog of the emulated {}:\n", board.title);
    let begun = Instant::now();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let firmware::Log { begin, samples, outcome, timing } =
        firmware::log(board, &elf, &arguments, |line| println!("  {line}"))?;
    let elapsed = begun.elapsed().as_secs_f64();
    let last = samples.last().context("the firmware sent no telemetry")?;

    let program = begin.word("loop")?;
    let folder = shell::target().join("demo");
    fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{program}.svg"));
    let title = format!("{program} on the emulated {}", board.title);
    for file in [&file, &file.with_extension("png")] {
        plot(&title, &samples, file)?;
    }

    let [frequency, lateness]: [f64; 2] = timing.numbers(["frequency", "worst_lateness"])?;
    let late = lateness / frequency * 1e6;
    let [error, residual]: [f64; 2] = outcome.numbers(["worst_error", "worst_residual"])?;
    let outcome = |name| outcome.word(name);
    let (calls, running, simulated) = (outcome("calls")?, outcome("running")?, last.word("time")?);
    let (instructions, rate) = (board.instructions(&timing)?, begin.number::<u64>("rate")?);
    let (megahertz, cycles) = (board.clock / 1_000_000, board.clock / rate);
    println!("\n  ticks           {calls} in {simulated} s of simulated time, {running} of them on the path");
    println!("  tracking error  at most {error:.1e} m");
    println!("  constraint      residual at most {residual:.1e}");
    print!("  longest tick    {instructions} instructions of the loop; ");
    println!("a period has {cycles} cycles at {megahertz} MHz");
    println!("  lateness        at most {late:.0} µs");
    println!("  overruns        {}, {} ticks skipped", timing.word("overruns")?, timing.word("skipped")?);
    println!("  faults          {}, last fault: {}", outcome("faults")?, outcome("last_fault")?);
    println!("  emulation took  {elapsed:.1} s");
    println!("  plot            {} (and .png)", file.display());
    Ok(())
}

/// Draws a run: the path, the tracking error, the motors' efforts and the constraint residual.
fn plot(title: &str, samples: &[Line], file: &Path) -> Result<()> {
    let running: Vec<&Line> =
        samples.iter().filter(|sample| sample.word("state").is_ok_and(|it| it == "running")).collect();
    let all: Vec<&Line> = samples.iter().collect();
    let curve = |samples: &[&Line], [x, y]: [&str; 2], scale: f64| -> Result<Curve> {
        let point = |sample: &&Line| sample.numbers([x, y]).map(|[x, y]: [f64; 2]| (x, y * scale));
        Ok(Curve::through(samples.iter().map(point).collect::<Result<Vec<_>>>()?))
    };
    let path = Chart::new("x / m", "y / m")
        .titled("Path")
        .to_scale()
        .curve(curve(&all, ["x", "y"], 1.0)?.named("machine"))
        .curve(curve(&running, ["target_x", "target_y"], 1.0)?.named("target while running").dotted(2.4, Ink::BLUE));
    let efforts = Chart::new("time / s", "effort / (N m or N)")
        .titled("Motors")
        .curve(curve(&all, ["time", "effort_1"], 1.0)?.named("first"))
        .curve(curve(&all, ["time", "effort_2"], 1.0)?.named("second").dashed(Ink::BLUE, 1.4));
    let errors = Chart::new("time / s", "tracking error / mm").curve(curve(&running, ["time", "error"], 1e3)?);
    let residuals = Chart::new("time / s", "constraint residual").curve(curve(&all, ["time", "residual"], 1.0)?);
    Ok(Page::new(title).row(380, [path, efforts]).row(220, [errors]).row(220, [residuals]).write(file)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_that_a_board_cannot_run_is_refused_with_the_possible_ones() {
        let refused = |board: &str, argument: &str| {
            check_arguments(Board::named(board).unwrap(), &[argument.to_owned()]).unwrap_err().to_string()
        };
        assert!(refused("olimex-h405", "pendulum").contains("loops   five_bar, crane, arm"));
        assert!(refused("microbit", "crane").contains("microbit cannot run `crane`"));
        assert!(refused("pico2", "arm").contains("only compiled; choose olimex-h405, microbit, hifive1"));
        for argument in ["crane", "bus-error", "overrun"] {
            check_arguments(Board::DEFAULT, &[argument.to_owned()]).unwrap();
        }
    }
}
