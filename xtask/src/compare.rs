//! How we compare: taut, the same RATTLE by hand in C, other crates and, where they are installed, MuJoCo and CasADi, side by side in
//! one run. Times are ratios within the run; instructions are counted in the emulator.
//!
//! `benches/comparison.md` keeps the tables. `cargo xtask test` only runs [`check`]: building the other crates takes long.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use crate::budget::compiler;
use crate::checks::DENY_WARNINGS;
use crate::machines::{self, Machine};
use crate::{setup, shell};

mod curves;
mod document;
mod picture;
mod results;

use results::Results;

/// The machine whose instructions are counted.
const MACHINE: &str = "cortex-m4f";

/// The baseline may take at most so many instructions on it: a baseline that got worse would flatter us.
const BASELINE: [(&str, u64); 2] = [("pendulum", 95), ("double_pendulum", 291)];

/// A system that is compared.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum System {
    /// A point mass on a rod
    Pendulum,
    /// Two of them
    DoublePendulum,
    /// A four-bar linkage in nine coordinates
    FourBar,
    /// Chains of 1 to 64 links
    Chains,
}

impl System {
    /// As the programs call it.
    fn name(self) -> &'static str {
        match self {
            Self::Pendulum => "pendulum",
            Self::DoublePendulum => "double_pendulum",
            Self::FourBar => "four_bar",
            Self::Chains => "chains",
        }
    }
}

/// What is compared, and how thoroughly.
#[derive(Args)]
pub struct Options {
    /// Only this system; may be given more than once
    #[arg(long)]
    system: Vec<System>,
    /// Few settings, each measured for a short time
    #[arg(long)]
    quick: bool,
    /// Write the tables and the plot into benches/ as well
    #[arg(long, conflicts_with_all = ["system", "quick"])]
    update: bool,
    /// Only what needs no other crates: the C computes what taut computes, in as many instructions as it may
    #[arg(long, conflicts_with_all = ["system", "quick", "update"])]
    check: bool,
}

/// Runs everybody and shows the tables.
pub fn run(options: &Options) -> Result<()> {
    setup::ensure_c_compiler()?;
    if options.check {
        return check();
    }
    let mut results = Results::default();
    results.add_counts(&count()?, counter()?)?;

    let mut arguments: Vec<&str> = options.system.iter().map(|system| system.name()).collect();
    if options.quick {
        arguments.push("--quick");
    }
    let mut peers = cargo("benches/peers");
    let build = "build the peers, which takes several minutes the first time";
    shell::run(build, peers.args(["build", "--quiet", "--release"]))?;
    let mut peers = cargo("benches/peers");
    peers.args(["run", "--quiet", "--release", "--"]).args(&arguments);
    let output = shell::capture("run the peers", &mut peers)?;
    results.add_runs(&output)?;
    results.add_versions(&fs::read_to_string(shell::root().join("benches/peers/Cargo.lock"))?);

    let references = target_folder().join("references.txt");
    fs::write(&references, output).with_context(|| format!("cannot write {}", references.display()))?;
    let mut python = Command::new("python3");
    python.arg(shell::root().join("benches/python_peers.py")).arg(&references);
    python.args(options.quick.then_some("--quick"));
    match shell::capture("run the peers in Python", &mut python) {
        Ok(output) => results.add_runs(&output)?,
        Err(error) => println!("skipped what is in Python: {error:#}"),
    }

    let c = shell::ask("arm-none-eabi-gcc", &["-dumpfullversion"]).unwrap_or_default();
    let text = document::written(&results, &compiler()?, c.trim());
    print!("{text}");
    let folder = if options.update { shell::root().join("benches") } else { target_folder() };
    let plot = folder.join("comparison.svg");
    picture::work_and_precision(&results, &plot)?;
    if options.update {
        fs::write(folder.join("comparison.md"), text).context("cannot write benches/comparison.md")?;
    }
    println!("\nplot  {}", plot.display());
    Ok(())
}

/// What needs no other crates: the C follows taut's trajectories to round-off, and takes as many instructions as it may.
pub fn check() -> Result<()> {
    setup::ensure_c_compiler()?;
    let mut test = cargo("benches/baseline");
    shell::run("the C computes what taut computes", test.args(["test", "--quiet"]))?;
    let mut lints = cargo("benches/baseline");
    shell::run("lints of the C's interface", lints.args(["clippy", "--all-targets"]).args(DENY_WARNINGS))?;
    let mut lints = shell::cargo("benches/count");
    lints
        .env("CARGO_TARGET_DIR", machines::target_folder())
        .args(["clippy", "--release", "--target", Machine::named(MACHINE).target])
        .args(DENY_WARNINGS);
    shell::run("lints of what counts it", &mut lints)?;
    let mut results = Results::default();
    results.add_counts(&count()?, counter()?)?;
    print!("{}", document::instructions(&results));
    for (system, limit) in BASELINE {
        let counted = results.count(system, "c").with_context(|| format!("{system} in C has not been counted"))?;
        if counted > limit {
            bail!("{system} in C takes {counted} instructions, a baseline of at most {limit} was meant");
        }
        let ours = results.count(system, "prepared_without_report").context("taut has not been counted")?;
        if ours > counted {
            bail!("{system} takes {ours} instructions where the same in C takes {counted}");
        }
    }
    Ok(())
}

/// Counts in the emulator.
fn count() -> Result<String> {
    let machine = Machine::named(MACHINE);
    // Beside the other programs for the emulator, with which it shares what it depends on.
    let folder = machines::target_folder();
    let mut command = shell::cargo("benches/count");
    command.env("CARGO_TARGET_DIR", &folder).args(["build", "--release", "--target", machine.target]);
    shell::run("build the C and taut for the emulator", &mut command)?;
    machine.run(&folder.join(machine.target).join("release/count"), true)
}

fn counter() -> Result<&'static machines::Counter> {
    Machine::named(MACHINE).counter.as_ref().context("the machine has no counter")
}

/// `cargo` in a folder of `benches/`, on this computer.
fn cargo(folder: &str) -> Command {
    let mut command = shell::cargo(folder);
    command.env("CARGO_TARGET_DIR", target_folder());
    command
}

fn target_folder() -> PathBuf {
    shell::root().join("target/benches")
}
