//! Two crates outside the repository, as a user would write them: the control loop of a machine with three different encoders and
//! motors, and the loop of the guide.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use crate::boards::Board;
use crate::telemetry::Line;
use crate::{firmware, shell};

/// Its folder in the repository.
const FOLDER: &str = "tests/outside";

/// Copies it out of the repository, adds the guide's firmware, builds both there and runs them in the emulator.
pub fn run() -> Result<()> {
    let copy = Copy(env::temp_dir().join(format!("taut-outside-{}", std::process::id())));
    let mut command = Command::new("cp");
    command.arg("-R").arg(shell::root().join(FOLDER)).arg(&copy.0);
    shell::run("copy a crate out of the repository", &mut command)?;
    let manifest = copy.0.join("Cargo.toml");
    fs::write(&manifest, elsewhere(&fs::read_to_string(&manifest)?, shell::root()))?;

    // Beside it the firmware on the guide's page `own`, with what that page puts together.
    let (guide, crank) = (shell::root().join("src/guide"), copy.0.join("src/bin/crank"));
    fs::create_dir_all(&crank)?;
    fs::copy(guide.join("firmware.rs"), crank.join("main.rs"))?;
    let [model, driven] = ["slider_crank.rs", "driven.rs"].map(|part| fs::read_to_string(guide.join(part)));
    fs::write(crank.join("crank.rs"), model? + &driven?)?;

    let built = shell::target().join("outside");
    let mut command = shell::cargo("", &["build", "--release", "--locked", "--target-dir"]);
    command.arg(&built).current_dir(&copy.0);
    shell::run("build a crate outside the repository for the default board", &mut command)?;

    for program in ["outside", "crank"] {
        let (elf, mut log) = (built.join(Board::DEFAULT.target).join("release").join(program), Vec::new());
        firmware::emulated(Board::DEFAULT, &elf, &[], |line| log.push(line.to_owned()))?;
        judge(&log).with_context(|| format!("{program}\n{}", log.join("\n")))?;
    }
    Ok(())
}

/// Checks that the machine was homed, follows its path without a fault and is never late. The limit of the error is 0.5 mm: a load 5%
/// heavier than modelled and encoders of 12 bits cause 0.3 mm at an arm of 0.1 m.
fn judge(log: &[String]) -> Result<()> {
    let line =
        |subject| log.iter().find_map(|line| Line::about(subject, line)).with_context(|| format!("no {subject} line"));
    let (result, timing) = (line("result")?, line("timing")?);
    let [faults, stuck, running, error]: [f64; 4] = result.numbers(["faults", "stuck", "running", "worst_error"])?;
    ensure!((faults, stuck) == (0.0, 0.0) && running > 1_600.0 && error < 5e-4, "{result:?}");
    let late: [u64; 3] = timing.numbers(["skipped", "overruns", "dropped"])?;
    ensure!(late == [0; 3], "{timing:?}");
    println!("  {} ticks on the path, at most {error} m off", running);
    Ok(())
}

/// A copy of the crate, removed when dropped.
struct Copy(PathBuf);

impl Drop for Copy {
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
