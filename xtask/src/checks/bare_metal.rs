//! Checks of the library on every bare-metal target.

use std::collections::BTreeSet;

use anyhow::Result;

use super::DENY_WARNINGS;
use crate::boards::{BOARDS, Board};
use crate::machines::{self, Machine};
use crate::shell::cargo;
use crate::test::{Place, Step};

/// The library with all features for the targets of all boards at a time, and without any for one: each of them alone is checked on this
/// computer, and none knows of targets. Then the programs that only run there.
pub fn steps() -> Result<Vec<Step>> {
    let targets: BTreeSet<String> = BOARDS.iter().map(|board| board.target.to_owned()).collect();
    let targets = targets.into_iter().collect();
    let mut steps = Vec::new();
    let one = vec![Board::DEFAULT.target.to_owned()];
    for (name, arguments, targets) in [("no feature", &[][..], one), ("all features", &["--all-features"], targets)] {
        let mut command = cargo("");
        command.args(["clippy", "--package", "taut"]).args(arguments);
        command.args(targets.iter().flat_map(|target| ["--target", target])).args(DENY_WARNINGS);
        steps.push(Step::command(format!("lints on {}, {name}", targets.join(", ")), command));
    }
    let mut command = machines::cargo();
    command.args(["clippy", "--release"]);
    command.args(["cortex-m4f", "riscv32imafc"].map(Machine::named).iter().flat_map(|it| ["--target", it.target]));
    command.args(DENY_WARNINGS);
    steps.push(Step::command("lints of the on-target tests, for both architectures", command).at(&[Place::OnTarget]));
    let mut command = cargo("");
    command.args(["build", "--release", "--target", Board::DEFAULT.target, "--config", ".cargo/emulate.toml"]);
    // The others are for the host.
    command.args(["--example", "bare_metal"]);
    steps.push(Step::command("the example for the default chip", command));
    Ok(steps)
}
