//! Runs a board's firmware in the emulator, shows its log and a summary, and plots the run.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use desk::plot::{Tick, closed_loop};
use taut::supervise::Injection;

use crate::boards::{Board, EMULATED};
use crate::new::chips::CHIPS;
use crate::new::lists::{Machine, without_loop};
use crate::telemetry::Line;
use crate::{firmware, new, setup, shell};

mod let_go;

/// The trials of the firmware itself, rather than of its loop.
const TRIALS: [&str; 3] = ["overrun", "hang", "stack"];

/// Refuses arguments that the board cannot run, before building anything.
fn check_arguments(board: &Board, loops: &[&str], arguments: &[String]) -> Result<()> {
    if board.model.is_none() {
        let names: Vec<_> = Board::all_emulated().map(|board| board.name).collect();
        bail!("QEMU does not emulate {}, which is only compiled; choose {}", board.name, names.join(", "));
    }
    let faults = Injection::ALL.map(Injection::name);
    let known = [loops, &faults, &TRIALS];
    for argument in arguments {
        if !known.iter().any(|names| names.contains(&argument.as_str())) {
            let [loops, faults, trials] = known.map(|names| names.join(", "));
            let there = format!("loops   {loops}\n  faults  {faults}\n  trials  {trials}");
            bail!("{} cannot run `{argument}`. It runs\n  {there}", board.name);
        }
    }
    Ok(())
}

/// Installs what is missing, builds and runs the firmware, prints the summary and plots. The firmware gets the arguments. A machine of
/// the gallery has a firmware of its own, for the default board; one without such a loop is let go.
pub fn run(board: &Board, mechanism: Option<&str>, arguments: &[String]) -> Result<()> {
    let reason = |name| Some(format!("{name} has no loop of this kind here: {}", without_loop(name)?));
    if let Some((name, reason)) = mechanism.and_then(|name| Some((name, reason(name)?))) {
        ensure!(arguments.is_empty(), "{reason}; `{}` needs one", arguments.join(" "));
        setup::ensure_toolchain()?;
        setup::ensure_qemu()?;
        println!("{reason}. It is let go.");
        return let_go::run(name);
    }
    let machine = mechanism.map(Machine::named).transpose()?;
    let loops = if machine.is_some() { &[] } else { board.loops };
    check_arguments(board, loops, arguments)?;
    setup::ensure_toolchain()?;
    setup::ensure_qemu()?;
    let own = machine.map(Own::make).transpose()?;
    let elf = own.as_ref().map_or_else(|| board.build(EMULATED), Own::build)?;

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
    let page = closed_loop(&title, &samples.iter().map(tick).collect::<Result<Vec<_>>>()?);
    for file in [&file, &file.with_extension("png")] {
        page.write(file)?;
    }

    let [frequency, lateness]: [f64; 2] = timing.numbers(["frequency", "worst_lateness"])?;
    let late = lateness / frequency * 1e6;
    let [error, residual]: [f64; 2] = outcome.numbers(["worst_error", "worst_residual"])?;
    let outcome = |name| outcome.word(name);
    let (calls, running, simulated) = (outcome("calls")?, outcome("running")?, last.word("time")?);
    let (instructions, rate) = (board.instructions(&timing)?, begin.number::<u64>("rate")?);
    let (megahertz, cycles) = (board.clock / 1_000_000, board.clock / rate);
    println!("\n  ticks           {calls} in {simulated} s of simulated time, {running} of them on the path");
    // An output of one number may be an angle.
    let unit = if last.word("y").is_ok() { "m" } else { "m or rad" };
    println!("  tracking error  at most {error:.1e} {unit}");
    println!("  constraint      residual at most {residual:.1e}");
    print!("  longest tick    {instructions} instructions of the loop; ");
    println!("a period has {cycles} cycles at {megahertz} MHz");
    println!("  lateness        at most {late:.0} µs");
    println!("  overruns        {}, {} ticks skipped", timing.word("overruns")?, timing.word("skipped")?);
    println!("  faults          {}, last fault: {}", outcome("faults")?, outcome("last_fault")?);
    println!("  emulation took  {elapsed:.1} s");
    println!("  plot            {} (and .png)", file.display());
    if let Some(own) = own {
        println!("  in motion       {}", own.draw()?.display());
    }
    Ok(())
}

/// A line of the log as a tick of the plot.
fn tick(sample: &Line) -> Result<Tick> {
    let all = |names: &[&str]| names.iter().map_while(|name| sample.number(name).ok()).collect();
    Ok(Tick {
        time: sample.number("time")?,
        running: sample.word("state")? == "running",
        place: all(&["x", "y", "z"]),
        target: all(&["target_x", "target_y", "target_z"]),
        error: sample.number("error")?,
        residual: sample.number("residual")?,
        efforts: all(&["effort_1", "effort_2", "effort_3", "effort_4", "effort_5", "effort_6"]),
    })
}

/// A machine of the gallery as a crate of its own, as `new` makes it.
struct Own(PathBuf);

impl Own {
    fn make(machine: &Machine) -> Result<Self> {
        let folder = shell::target().join("demo").join(machine.name);
        new::make(&folder, machine.name, machine, &CHIPS[0])?;
        Ok(Self(folder))
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = shell::cargo("", arguments);
        command.env("CARGO_TARGET_DIR", shell::target().join("outside")).current_dir(&self.0);
        command
    }

    /// Builds its firmware for the emulator.
    fn build(&self) -> Result<PathBuf> {
        let name = CHIPS[0].name;
        let target = ["--target", CHIPS[0].target, "--bin", name, "--features", "emulated"];
        let mut command = self.cargo(&[&["build", "--profile", "firmware"], &target[..]].concat());
        shell::run("build the firmware of the machine", &mut command)?;
        Ok(shell::target().join("outside").join(CHIPS[0].target).join("firmware").join(name))
    }

    /// Draws it in motion, with its desk program.
    fn draw(&self) -> Result<PathBuf> {
        shell::run("draw the machine in motion", &mut self.cargo(&["run", "--release"]))?;
        Ok(self.0.join("motion.svg"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_that_a_board_cannot_run_is_refused_with_the_possible_ones() {
        let refused = |board: &str, argument: &str| {
            check_arguments(Board::named(board).unwrap(), Board::named(board).unwrap().loops, &[argument.to_owned()])
                .unwrap_err()
                .to_string()
        };
        assert!(refused("olimex-h405", "pendulum").contains("loops   five_bar, crane, arm"));
        assert!(refused("microbit", "crane").contains("microbit cannot run `crane`"));
        assert!(refused("pico2", "arm").contains("only compiled; choose olimex-h405, microbit, hifive1"));
        for argument in ["crane", "bus-error", "overrun"] {
            check_arguments(Board::DEFAULT, Board::DEFAULT.loops, &[argument.to_owned()]).unwrap();
        }
    }
}
