//! Compares taut with hand-written RATTLE in C, with other crates and, if installed, with Pinocchio, MuJoCo and CasADi, all in one run.
//! Times are ratios within the run; instructions are counted in the emulator. If MuJoCo and Pinocchio are installed for Python, the
//! accelerations that `tests/parts` takes from them are computed anew, too.
//!
//! `benches/comparison` writes the tables to `benches/comparison.md`. `cargo xtask test --all` only runs [`check`], because the other
//! crates take minutes to build.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;
use clap::builder::PossibleValuesParser;
use comparison::Results;

use crate::budget::compiler;
use crate::machines::{self, DEFAULT};
use crate::pinocchio::{self, Pinocchio};
use crate::{setup, shell};

/// The most instructions that the C may take, and the most that taut may take for the same step. The C has a limit because a worse
/// baseline would make taut look better. The frame and the return count, three instructions.
const BASELINE: [(&str, u64, u64); 2] = [("pendulum", 98, 99), ("double_pendulum", 294, 232)];

/// The systems; `chains` have 1 to 64 links, and are rings, too, beside Pinocchio.
const SYSTEMS: [&str; 4] = ["pendulum", "double-pendulum", "four-bar", "chains"];

/// The options of the command.
#[derive(Args)]
pub struct Options {
    /// Compare only this system; may be given more than once
    #[arg(long, value_parser = PossibleValuesParser::new(SYSTEMS))]
    system: Vec<String>,
    /// Measure fewer settings, each for a short time
    #[arg(long)]
    quick: bool,
    /// Also write the tables and the plot to benches/
    #[arg(long, conflicts_with_all = ["system", "quick"])]
    update: bool,
    /// Only check that the C and taut compute the same, within their limits of instructions; builds no other crate
    #[arg(long, conflicts_with_all = ["system", "quick", "update"])]
    check: bool,
}

/// Runs all libraries and prints the tables.
pub fn run(options: &Options) -> Result<()> {
    if options.check {
        return check();
    }
    setup::ensure_c_compiler()?;
    let mut results = count()?;

    let quick = options.quick.then_some("--quick");
    let build = "build the peers, which takes several minutes the first time";
    shell::run(build, &mut shell::cargo("benches/peers", &["build", "--quiet", "--release"]))?;
    let mut peers = shell::cargo("benches/peers", &["run", "--quiet", "--release", "--"]);
    peers.args(options.system.iter().map(|system| system.replace('-', "_"))).args(quick);
    let output = shell::capture("run the peers", &mut peers)?;
    results.add_runs(&output)?;
    results.add_versions(&fs::read_to_string(shell::root().join("benches/peers/Cargo.lock"))?);

    let target = shell::target().join("benches");
    let references = target.join("references.txt");
    fs::write(&references, output).with_context(|| format!("cannot write {}", references.display()))?;
    let mut python = Command::new("python3");
    python.arg(shell::root().join("benches/python_peers.py")).arg(&references).args(quick);
    match shell::capture("run the peers in Python", &mut python) {
        Ok(output) => results.add_runs(&output)?,
        Err(error) => println!("skipped the peers in Python: {error:#}"),
    }

    check_accelerations()?;
    if options.system.is_empty() || options.system.iter().any(|name| ["four-bar", "chains"].contains(&name.as_str())) {
        match Pinocchio::installed() {
            Some(pinocchio) => results.add_runs(&pinocchio.run(&options.system, quick)?)?,
            None => {
                println!("skipped Pinocchio, which is not installed: {}", pinocchio::ADVICE);
                results.skipped.push("pinocchio".to_owned());
            }
        }
    }

    let c = shell::ask("arm-none-eabi-gcc", &["-dumpfullversion"]).unwrap_or_default();
    let text = comparison::written(&results, &compiler()?, c.trim());
    print!("{text}");
    let folder = if options.update { shell::root().join("benches") } else { target };
    let plot = folder.join("comparison.svg");
    comparison::work_and_precision(&results, &plot)?;
    if options.update {
        fs::write(folder.join("comparison.md"), text).context("cannot write benches/comparison.md")?;
    }
    println!("\nplot  {}", plot.display());
    Ok(())
}

/// Checks that the recorded accelerations of imported models are those of MuJoCo and Pinocchio.
fn check_accelerations() -> Result<()> {
    if shell::ask("python3", &["-c", "import mujoco, numpy, pinocchio"]).is_none() {
        println!("skipped the accelerations of MuJoCo and Pinocchio: pip install mujoco==4.0.0 pin==4.1.0");
        return Ok(());
    }
    let mut python = Command::new("python3");
    python.arg(shell::root().join("tests/parts/imported/reference.py")).arg("--check");
    shell::run("accelerations of imported models by MuJoCo and Pinocchio", &mut python)
}

/// Checks what needs no other crates: the C follows taut's trajectories to round-off, and both keep their limits of instructions.
pub fn check() -> Result<()> {
    setup::ensure_c_compiler()?;
    shell::run("the C computes what taut computes", &mut shell::cargo("benches/baseline", &["test", "--quiet"]))?;
    shell::run("lints of the C's interface", &mut shell::clippy("benches/baseline", &["--all-targets"]))?;
    let arguments = ["--release", "--target", DEFAULT.target];
    shell::run("lints of the program that counts", &mut shell::clippy("benches/count", &arguments))?;
    let results = count()?;
    print!("{}", comparison::instructions(&results));
    for (system, limit, our_limit) in BASELINE {
        let counted = results.count(system, "c").with_context(|| format!("no count of {system} in C"))?;
        ensure!(counted <= limit, "{system} in C takes {counted} instructions, the limit of the baseline is {limit}");
        let ours = results.count(system, "prepared_without_report").context("no count of taut")?;
        ensure!(ours <= our_limit, "{system} takes {ours} instructions, the limit is {our_limit}; C takes {counted}");
    }
    Ok(())
}

/// Counts the instructions of a step in the emulator.
fn count() -> Result<Results> {
    let mut command = shell::cargo("benches/count", &["build", "--release", "--target", DEFAULT.target]);
    shell::run("build the C and taut for the emulator", &mut command)?;
    // `tests/on-target` has a program of the same name in the same folder; cargo rebuilds whichever was overwritten.
    let counts = DEFAULT.count(&DEFAULT.built("count", "release"))?;
    let mut results = Results::default();
    for row in machines::rows(&counts.output) {
        if let ["cost", system, who, ticks, nothing] = row.as_slice() {
            results.add_count(system, who, counts.of(ticks.parse()?, nothing.parse()?));
        }
    }
    Ok(results)
}
