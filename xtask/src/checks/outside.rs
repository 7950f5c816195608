//! Two crates outside the repository: one that `cargo xtask new` makes, for every chip, and one as a user would write it, the control loop of
//! a machine with three different encoders and motors.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use crate::boards::Board;
use crate::new::chips::CHIPS;
use crate::new::lists::Machine;
use crate::telemetry::Line;
use crate::{firmware, new, shell};

/// The folder of the second one in the repository.
const FOLDER: &str = "tests/outside";

/// The machine whose firmware is linked for every chip: a small one, because it is compiled anew for each.
const SMALL: &str = "four-bar-angles";

/// Makes both in a temporary folder, builds them there and runs them in the emulator. The first also runs its test and its desk program, and
/// its firmware is linked for the chips that are not emulated.
pub fn run() -> Result<()> {
    let folder = Folder(env::temp_dir().join(format!("taut-outside-{}", std::process::id())));
    let (made, copy) = (folder.0.join("robot"), folder.0.join("copy"));
    new::make(&made, "robot", Machine::named("delta")?, &CHIPS[0])?;
    shell::run("test the crate that `new` makes", &mut cargo(&made, &["test"]))?;
    let desk = shell::capture("run it at the desk", &mut cargo(&made, &["run", "--release"]))?;
    ensure!(made.join("run.svg").exists() && made.join("motion.svg").exists(), "the desk program has drawn nothing");
    let name = CHIPS[0].name;
    let emulated = ["build", "--profile", "firmware", "--target", CHIPS[0].target, "--bin", name];
    shell::run("build it for the emulator", cargo(&made, &emulated).args(["--features", "emulated"]))?;
    let digest = emulate(&["firmware", name])?.word("digest")?.to_owned();
    ensure!(desk.contains(&format!("digest={digest}\n")), "the emulator's digest is {digest}; at the desk:\n{desk}");
    let no_panic = ["--features", "emulated,runtime/no-panic"];
    shell::run("link its loop without a panic", cargo(&made, &emulated).args(no_panic))?;
    shell::run("build it for the board", cargo(&made, &emulated).args(["--features", "hardware"]))?;

    link_chips(&folder.0)?;

    let mut command = Command::new("cp");
    command.arg("-R").arg(shell::root().join(FOLDER)).arg(&copy);
    shell::run("copy a crate out of the repository", &mut command)?;
    let manifest = copy.join("Cargo.toml");
    fs::write(&manifest, elsewhere(&fs::read_to_string(&manifest)?, shell::root()))?;
    let mut command = cargo(&copy, &["build", "--release", "--locked"]);
    shell::run("build a crate outside the repository for the default board", &mut command)?;
    emulate(&["release", "outside"])?;
    Ok(())
}

/// Links the firmware of a machine for every other chip: HAL and memory map change, the machine does not.
fn link_chips(folder: &Path) -> Result<()> {
    for chip in &CHIPS[1..] {
        let made = folder.join(chip.name);
        new::make(&made, "robot", Machine::named(SMALL)?, chip)?;
        let arguments = ["build", "--release", "--target", chip.target, "--bin", chip.name, "--features", "hardware"];
        shell::run(&format!("link the firmware for {}", chip.name), &mut cargo(&made, &arguments))?;
    }
    Ok(())
}

fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = shell::cargo("", arguments);
    command.env("CARGO_TARGET_DIR", built()).current_dir(folder);
    command
}

/// Where they are built.
fn built() -> PathBuf {
    shell::target().join("outside")
}

/// Runs a program in the emulator, judges its log and returns its result.
fn emulate(program: &[&str]) -> Result<Line> {
    let elf = program.iter().fold(built().join(CHIPS[0].target), |path, part| path.join(part));
    let mut log = Vec::new();
    firmware::emulated(Board::DEFAULT, &elf, &[], |line| log.push(line.to_owned()))?;
    judge(&log).with_context(|| format!("{}\n{}", elf.display(), log.join("\n")))
}

/// Checks that the machine was homed, follows its path without a fault and is never late. The limit of the error is 0.5 mm: a load 5%
/// heavier than modelled and encoders of 12 bits cause 0.3 mm at an arm of 0.1 m. Returns the result.
fn judge(log: &[String]) -> Result<Line> {
    let line =
        |subject| log.iter().find_map(|line| Line::about(subject, line)).with_context(|| format!("no {subject} line"));
    let (result, timing) = (line("result")?, line("timing")?);
    let [faults, stuck, running, error]: [f64; 4] = result.numbers(["faults", "stuck", "running", "worst_error"])?;
    ensure!((faults, stuck) == (0.0, 0.0) && running > 1_600.0 && error < 5e-4, "{result:?}");
    let late: [u64; 3] = timing.numbers(["skipped", "overruns", "dropped"])?;
    ensure!(late == [0; 3], "{timing:?}");
    println!("  {} ticks on the path, at most {error} m off", running);
    Ok(result)
}

/// A temporary folder, removed when dropped.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // A copy left in the temporary folder does no harm.
        fs::remove_dir_all(&self.0).ok();
    }
}
/// The manifest with absolute paths to the repository.
fn elsewhere(manifest: &str, root: &Path) -> String {
    let root = root.display().to_string().replace('\\', "/");
    manifest.replace("\"../..", &format!("\"{root}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_that_does_not_follow_its_path_is_refused() {
        let log = |error: &str, skipped: u32| {
            vec![
                format!("INFO result running=1700 faults=0 stuck=0 worst_error={error}"),
                format!("INFO timing frequency=1 skipped={skipped} overruns=0 dropped=0"),
            ]
        };
        assert!(judge(&log("0.0003", 0)).is_ok());
        assert!(judge(&log("0.003", 0)).is_err() && judge(&log("NaN", 0)).is_err());
        assert!(judge(&log("0.0003", 1)).is_err() && judge(&log("0.0003", 0)[..1]).is_err());
    }
}
