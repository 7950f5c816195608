//! Checks on this computer: format, tests, documentation, lints.

use super::{DENY_WARNINGS, FEATURE_SETS, examples};
use crate::boards::BOARDS;
use crate::machines;
use crate::shell::cargo;
use crate::test::{Place, Step};

/// The tests that are ignored because they take minutes.
pub fn long_step() -> Step {
    let mut command = cargo("");
    command.args(["test", "--workspace", "--", "--ignored"]);
    Step::command("tests on this computer that take minutes", command)
}

/// All steps, quick ones first.
pub fn steps() -> Vec<Step> {
    let mut steps = Vec::new();
    let boards = BOARDS.iter().map(|board| (board.name, board.folder()));
    let others = [("the root", String::new()), ("the on-target tests", machines::FOLDER.to_owned())];
    for (name, folder) in others.into_iter().chain(boards) {
        let mut command = cargo(&folder);
        command.args(["fmt", "--all", "--check"]);
        steps.push(Step::command(format!("format of {name}"), command));
    }
    for folder in ["benches/baseline", "benches/count", "benches/peers"] {
        let mut command = cargo(folder);
        command.args(["fmt", "--check"]);
        steps.push(Step::command(format!("format of {folder}"), command));
    }

    // Features add formats, and `std` the advice: with all of them on, the tests in the files and those of the advice suffice.
    for (name, arguments) in [
        ("no feature", &["--workspace"][..]),
        ("all features", &["--package", "taut", "--all-features", "--lib", "--test", "advise"]),
        ("the example of the advice", &["--package", "taut", "--all-features", "--doc", "advise"]),
    ] {
        let mut command = cargo("");
        command.arg("test").args(arguments);
        steps.push(Step::command(format!("tests on this computer, {name}"), command));
    }

    steps.push(Step::function("every example runs, plots and writes its numbers", examples::run));

    let mut command = cargo("");
    command.args(["doc", "--workspace", "--no-deps", "--all-features"]).env("RUSTDOCFLAGS", "--deny warnings");
    steps.push(Step::command("documentation", command));

    let mut command = cargo("");
    command.args(["clippy", "--workspace", "--all-targets"]).args(DENY_WARNINGS);
    steps.push(Step::command("lints on this computer", command));
    for (name, arguments) in FEATURE_SETS {
        // Only with all features on are there tests that none of the above has seen.
        let parts = if name == "all features" { "--all-targets" } else { "--lib" };
        let mut command = cargo("");
        command.args(["clippy", "--package", "taut", parts]).args(arguments).args(DENY_WARNINGS);
        steps.push(Step::command(format!("lints of the library on this computer, {name}"), command));
    }
    let mut command = machines::cargo();
    command.arg("clippy").args(DENY_WARNINGS);
    steps.push(Step::command("lints of the on-target tests, on this computer", command).at(&[Place::OnTarget]));
    steps
}
