//! The checks of `cargo xtask test`, as a numbered list of steps in two tiers. All failures are listed at the end.
//!
//! Steps that build in different folders run at the same time, because a single step seldom keeps two processors busy.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};

use crate::boards::{BOARDS, Board};
use crate::machines::{DEFAULT, FOLDER, Machine};
use crate::shell::{cargo, clippy};
use crate::{bits, budget, checks, compare, demo, no_panic, setup};

mod plan;

use plan::Place::{Boards, OnTarget, Root};
use plan::Step;

/// Runs the quick tier or all steps, restricted to those whose name contains `only`.
pub fn run(all: bool, only: &str) -> Result<()> {
    let mut steps = if all { every_step() } else { quick_steps() };
    steps.retain(|step| step.name.contains(only));
    ensure!(!steps.is_empty(), "no step has `{only}` in its name; `--all` has more steps");
    setup::ensure_toolchain()?;
    if steps.iter().any(|step| step.places != [Root]) {
        setup::ensure_qemu()?;
    }
    plan::run(steps)
}

/// The steps of `cargo xtask boards`.
pub fn run_boards() -> Result<()> {
    plan::run(board_steps())
}

/// The steps to run before a commit. The longest come first, so that none of them is left for the end.
#[rustfmt::skip]
fn quick_steps() -> Vec<Step> {
    let mut steps = vec![
        Step::function(&[OnTarget], "no panic is reachable on the Cortex-M4F", || no_panic::run(no_panic::Extent::Default)),
        Step::function(&[OnTarget], "the Cortex-M4F gives the expected bits", || bits::run(bits::Extent::Default)),
    ];
    steps.extend(host_steps());
    steps.extend([
        boards_log(),
        Step::function(&[OnTarget, Boards], "the Cortex-M4F keeps its budget", || budget::run(budget::Extent::Default, false)),
    ]);
    steps
}

/// All steps.
#[rustfmt::skip]
fn every_step() -> Vec<Step> {
    let mut steps = vec![
        Step::function(&[OnTarget], "functions and runs give the same bits on every target", || bits::run(bits::Extent::All)),
        Step::function(&[OnTarget], "no panic is reachable from the kernels", || no_panic::run(no_panic::Extent::Boards)),
    ];
    steps.extend(host_steps());
    steps.extend(library_steps());
    steps.extend(board_steps());
    steps.extend([
        Step::function(&[Root, OnTarget], "the example prints the same here and in the emulator", checks::example_prints_the_same),
        Step::function(&[OnTarget], "every fault in every state has the same effect here and on the default chip", checks::fault_matrix::run),
        Step::function(&[Root], "crates outside the repository run their loops in the emulator", checks::outside::run),
        Step::function(&[Root], "the demo runs a machine of the gallery", || demo::run(Board::DEFAULT, Some("delta"), &[])),
        Step::function(&[OnTarget, Boards], "every kernel, step and firmware keeps its budget", || budget::run(budget::Extent::All, false)),
        Step::function(&[Root], "the figures are those of this tree", || checks::figures(true)),
        Step::function(&[Root], "the table of indices is that of this tree", || checks::program(&checks::ANALYSE, &["--check".to_owned()])),
        Step::function(&[Root], "the package contains what it needs and builds", || checks::script("package")),
        Step::function(&[Root], "the oldest supported Rust compiles the library", || checks::script("msrv")),
        Step::function(&[Root], "licences, sources and advisories of the dependencies", || checks::script("deny")),
        Step::function(&[OnTarget], "the C baseline computes the same and keeps its limit of instructions", compare::check),
    ]);
    steps
}

/// Format, tests, lints and documentation, on this computer.
fn host_steps() -> Vec<Step> {
    let mut documentation = cargo("", &["doc", "--workspace", "--no-deps", "--all-features"]);
    documentation.env("RUSTDOCFLAGS", "--deny warnings");
    let fuzzing = cargo("", &[&checks::FUZZ[..], &["--seconds", "10"]].concat());
    vec![
        Step::function(&[Root], "format", checks::format),
        Step::command(&[Root], "tests on this computer", cargo("", &["test", "--workspace", "--no-fail-fast"])),
        lint("lints on this computer, all features", &["--workspace", "--all-targets", "--all-features"]),
        Step::command(&[Root], "documentation", documentation),
        Step::command(&[Boards], "tests of the boards' runtime on this computer", cargo("boards/runtime", &["test"])),
        Step::command(&[Root], "ten seconds of fuzzing", fuzzing),
    ]
}

/// More steps for the library: other features and other targets.
fn library_steps() -> Vec<Step> {
    // The features add only formats and, with `std`, `taut::advise` and `taut::structure`. So with all features, the unit tests and those of
    // these two suffice.
    let tests = |which: &[&str]| cargo("", &[&["test", "--package", "taut", "--all-features"], which].concat());
    let (advice, tests) = (
        tests(&["--doc", "--", "advise", "src/structure"]),
        tests(&["--lib", "--test", "advise", "--test", "structure"]),
    );
    let mut steps = vec![
        Step::command(&[Root], "tests on this computer, all features", tests),
        Step::command(&[Root], "the documentation examples of `advise` and `structure`, all features", advice),
        lint("lints on this computer, no feature", &["--workspace", "--all-targets"]),
        lint("lints on the default target, no feature", &["--package", "taut", "--target", DEFAULT.target]),
    ];
    for feature in ["std", "defmt", "serde"] {
        let name = format!("lints of the library on this computer, {feature}");
        steps.push(lint(&name, &["--package", "taut", "--lib", "--features", feature]));
    }
    // All features together on the targets of all boards. No feature depends on the target, so each one alone is linted here only.
    let targets: BTreeSet<&str> = BOARDS.iter().map(|board| board.target).collect();
    let mut arguments = vec!["--package", "taut", "--all-features"];
    arguments.extend(targets.into_iter().flat_map(|target| ["--target", target]));
    steps.push(lint("lints on the targets of the boards, all features", &arguments));
    let both = ["--release", "--target", DEFAULT.target, "--target", Machine::named("riscv32imafc").target];
    for (name, arguments) in [("for both architectures", &both[..]), ("on this computer", &[])] {
        let name = format!("lints of the on-target tests, {name}");
        steps.push(Step::command(&[OnTarget], name, clippy(FOLDER, arguments)));
    }
    steps
}

/// A step that runs clippy in the root.
fn lint(name: &str, arguments: &[&str]) -> Step {
    Step::command(&[Root], name, clippy("", arguments))
}

/// The steps of the boards: lints of every variant of the firmware, no panic in its loop, and its runs in the emulator.
#[rustfmt::skip]
fn board_steps() -> Vec<Step> {
    let variants = BOARDS.iter().flat_map(|board| board.variants().iter().map(move |variant| (board, *variant)));
    let lints = variants.map(|(board, variant)| Step::command(&[Boards], format!("lints of {}, {}", board.name, variant), board.lint(variant)));
    lints.chain([
        Step::function(&[Boards], "no panic is reachable from the loops of the boards", checks::no_panic_in_boards),
        boards_log(),
        Step::function(&[Boards], "a loop's telemetry is the same here and on every board", checks::same_loop::run),
        Step::function(&[Boards], "every board survives an overrun, hungers when it hangs, and switches off after a hard fault", checks::trials::run),
    ]).collect()
}

fn boards_log() -> Step {
    Step::function(&[Boards], "the boards log what is expected", checks::boards_log_what_is_expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_full_tier_has_more_steps_and_names_are_unique() {
        let names = |steps: Vec<Step>| steps.into_iter().map(|step| step.name).collect::<Vec<_>>();
        let (quick, all) = (names(quick_steps()), names(every_step()));
        assert!(quick.len() < all.len() && quick.contains(&"format".to_owned()));
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "{all:?}");
        assert!(run(false, "no such step").unwrap_err().to_string().contains("no step has `no such step`"));
    }
}
