//! No path to a panic is linked into the functions, the kernels and whatever a user calls to start, project and
//! step, and on devices.

use anyhow::{Context, Result, bail};

use crate::boards::Board;
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

/// Links systems of many constraints: what takes longest, and has loops of its own.
const LINKAGES: &str = "no_panic_linkages";

/// For which machines it is shown.
#[derive(Clone, Copy)]
pub enum Extent {
    /// For speed on the instruction set of every emulated board, for size on that of the default one, large systems on that one alone; the
    /// firmware of every board is linked by itself.
    Boards,
    /// Everything on every instruction set, for speed and for size.
    All,
}

/// Links everything with `panic-never`. A control that can panic must not link.
pub fn run(extent: Extent) -> Result<()> {
    let every: Vec<&'static Machine> = MACHINES.iter().collect();
    let default: Vec<&'static Machine> =
        every.iter().copied().filter(|it| it.target == Board::DEFAULT.target).collect();
    let with_linkages = &[&PROGRAMS[..], &[LINKAGES]].concat();
    match extent {
        Extent::All => {
            link(&every, Optimised::ForSpeed, with_linkages)?;
            link(&every, Optimised::ForSize, with_linkages)
        }
        Extent::Boards => {
            let has_board =
                |machine: &&'static Machine| Board::emulated().any(|(board, _)| board.target == machine.target);
            let of_boards: Vec<&'static Machine> = every.into_iter().filter(has_board).collect();
            link(&of_boards, Optimised::ForSpeed, &PROGRAMS)?;
            link(&default, Optimised::ForSpeed, with_linkages)?;
            link(&default, Optimised::ForSize, &PROGRAMS)
        }
    }
}

/// All instruction sets at a time keep all processors busy.
fn link(machines: &[&'static Machine], optimised: Optimised, programs: &[&str]) -> Result<()> {
    let profile = optimised.profile();
    for targets in machines::at_once(machines) {
        let command = |programs: &[&str]| {
            let mut command = machines::cargo();
            command.args(["build", "--keep-going", "--profile", profile]);
            command.args(targets.iter().flat_map(|target| ["--target", target]));
            command.args(programs.iter().flat_map(|program| ["--bin", program]));
            command
        };
        let shown = targets.join(", ");
        let step = format!("link {} programs without a panic for {shown} ({profile})", programs.len());
        shell::run(&step, &mut command(programs))?;

        let output = command(&[CONTROL]).output().context("cannot start cargo")?;
        let message = String::from_utf8_lossy(&output.stderr);
        for target in targets {
            if !refused(&message, target) {
                bail!("{CONTROL} can panic, and {target} does not refuse it for that ({profile}):\n{message}");
            }
        }
        shell::say(&format!("  ok     a panic is refused for {shown} ({profile})"));
    }
    Ok(())
}

/// Whether the linker has refused a program for a target because it can panic.
pub fn refused(message: &str, target: &str) -> bool {
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
