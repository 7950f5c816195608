//! Proves that no panic is reachable from the functions, the kernels, and everything a user calls to start, project, step and use
//! devices: programs that call them link only if they contain no panic.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::boards::Board;
use crate::budget::STEPPING;
use crate::machines::{self, DEFAULT, FOLDER, MACHINES, Machine};
use crate::shell;

/// The prefix of the programs that link only if they cannot panic. The programs whose flash is measured are such programs, too.
const PREFIX: &str = "no_panic";

/// A program that can panic, and must not link.
const CONTROL: &str = "no_panic_control";

/// The text in the linker's error if a panic is reachable.
const PROOF: &str = "error(panic-never)";

/// The program with systems of many constraints. It takes longest to build and covers loops that small systems unroll.
const LINKAGES: &str = "no_panic_linkages";

/// The instruction sets and optimisations to link for.
#[derive(Clone, Copy, PartialEq)]
pub enum Extent {
    /// The default board's instruction set, optimised for speed.
    Default,
    /// The instruction sets of all emulated boards, optimised for speed, and the default one also for size. Large systems only on the
    /// default one. The firmware of the boards is checked elsewhere.
    Boards,
    /// Every program on every instruction set, optimised for speed and for size.
    All,
}

/// Links the programs with `panic-never`. As a negative control, a program that can panic must not link.
pub fn run(extent: Extent) -> Result<()> {
    let all = programs()?;
    let with_linkages: Vec<&str> = all.iter().map(String::as_str).collect();
    let programs: Vec<&str> = with_linkages.iter().copied().filter(|program| *program != LINKAGES).collect();
    let has_board = |machine: &&Machine| Board::all_emulated().any(|board| board.target == machine.target);
    let of_boards: Vec<&'static Machine> = MACHINES.iter().filter(has_board).collect();
    match extent {
        Extent::Default => link(&[DEFAULT], "release", &programs),
        Extent::Boards => {
            link(&of_boards, "release", &programs)?;
            link(&[DEFAULT], "release", &[LINKAGES])?;
            link(&[DEFAULT], "small", &programs)
        }
        Extent::All => {
            link(&MACHINES.each_ref(), "release", &with_linkages)?;
            link(&MACHINES.each_ref(), "small", &with_linkages)
        }
    }
}

/// Every program that must link.
fn programs() -> Result<Vec<String>> {
    let folder = shell::root().join(FOLDER).join("src/bin");
    let mut programs: Vec<String> = STEPPING.map(str::to_owned).into();
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let name = entry?.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
        programs.extend(Some(name).filter(|name| name.starts_with(PREFIX) && name != CONTROL));
    }
    Ok(programs)
}

/// Links programs for several machines, all targets of a group in one command to keep all processors busy.
fn link(machines: &[&'static Machine], profile: &str, programs: &[&str]) -> Result<()> {
    machines::build(machines, programs, profile, &[]).context("a panic is reachable, or a program does not compile")?;
    for targets in machines::target_groups(machines) {
        let mut command = shell::cargo(FOLDER, &["build", "--keep-going", "--profile", profile, "--bin", CONTROL]);
        command.args(targets.iter().flat_map(|target| ["--target", target]));
        let (_, _, message) = shell::outcome(&mut command, |_| ()).context("cannot start cargo")?;
        for target in &targets {
            if !refused(&message, target) {
                bail!("{CONTROL} can panic, but the linker does not refuse it for {target} ({profile}):\n{message}");
            }
        }
        shell::say(&format!("  ok     a program that can panic is refused for {} ({profile})", targets.join(", ")));
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
    fn every_program_except_the_control_must_link() {
        let programs = programs().unwrap();
        let has = |name: &str| programs.iter().any(|program| program == name);
        assert!(has("no_panic") && has(LINKAGES) && has("pendulum_program") && !has(CONTROL), "{programs:?}");
    }

    #[test]
    fn a_refusal_counts_for_its_target_and_its_reason_only() {
        let message = "error: linking with `ld` failed\n -o /target/one/release/x\n error(panic-never): it can\n\
                       error: linking with `ld` failed\n -o /target/two/release/x\n out of flash\n";
        assert!(refused(message, "one"));
        assert!(!refused(message, "two"));
        assert!(!refused(message, "three"));
    }
}
