//! No path to a panic is linked into the functions, the kernels and whatever a user calls to start, project and
//! step, and on devices.

use anyhow::{Context, Result, bail};

use crate::machines::{self, MACHINES, Machine, Optimised};
use crate::shell;

/// Programs that link only if they cannot panic.
const PROGRAMS: [&str; 10] = [
    "no_panic",
    "no_panic_systems",
    "no_panic_daes",
    "no_panic_trajectories",
    "no_panic_servo",
    "no_panic_loops",
    "no_panic_boards",
    "no_panic_devices",
    "pendulum",
    "pendulum_plain",
];

/// A program that can panic, and must not link.
const CONTROL: &str = "no_panic_control";

/// What the linker is missing if a panic is reachable.
const PROOF: &str = "error(panic-never)";

/// Links everything with `panic-never`: optimised for speed for every instruction set, and for size for one of each architecture,
/// since which checks the optimiser removes hardly depends on more. A control that can panic must not link.
pub fn run() -> Result<()> {
    let all: Vec<&'static Machine> = MACHINES.iter().collect();
    let of_each = ["cortex-m4f", "riscv32imc"].map(Machine::named).to_vec();
    for (optimised, machines) in [(Optimised::ForSpeed, all), (Optimised::ForSize, of_each)] {
        for targets in machines::at_once(&machines) {
            link(&targets, optimised.profile())?;
        }
    }
    Ok(())
}

fn link(targets: &[&str], profile: &str) -> Result<()> {
    // All instruction sets at a time keep all processors busy.
    let command = |programs: &[&str]| {
        let mut command = machines::cargo();
        command.args(["build", "--keep-going", "--profile", profile]);
        command.args(targets.iter().flat_map(|target| ["--target", target]));
        command.args(programs.iter().flat_map(|program| ["--bin", program]));
        command
    };
    let shown = targets.join(", ");
    let step = format!("link {} programs without a panic for {shown} ({profile})", PROGRAMS.len());
    shell::run(&step, &mut command(&PROGRAMS))?;

    let output = command(&[CONTROL]).output().context("cannot start cargo")?;
    let message = String::from_utf8_lossy(&output.stderr);
    for target in targets {
        if !refused(&message, target) {
            bail!("{CONTROL} can panic, and {target} does not refuse it for that ({profile}):\n{message}");
        }
    }
    eprintln!("  ok     a panic is refused for {shown} ({profile})");
    Ok(())
}

/// Whether the linker has refused a program for a target because it can panic.
fn refused(message: &str, target: &str) -> bool {
    let mut attempts = message.split("error: linking with").skip(1);
    attempts.any(|attempt| attempt.contains(&format!("/{target}/")) && attempt.contains(PROOF))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_counts_for_its_target_and_its_reason_only() {
        let message = "error: linking with `ld` failed\n -o /target/one/release/x\n error(panic-never): it can\n\
                       error: linking with `ld` failed\n -o /target/two/release/x\n no room\n";
        assert!(refused(message, "one"));
        assert!(!refused(message, "two"));
        assert!(!refused(message, "three"));
    }
}
