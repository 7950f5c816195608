//! Everything that must pass, as a numbered list of steps. A failing step does not stop the others; all failures are
//! named at the end.

use anyhow::{Result, bail, ensure};

use crate::checks::{bare_metal, board, host};
use crate::{bits, budget, compare, no_panic, setup, shell};

/// What a step does, given the label to show.
type Action = Box<dyn FnOnce(&str) -> Result<()>>;

/// One thing that must pass.
pub struct Step {
    name: String,
    action: Action,
}

impl Step {
    /// A step that runs a command.
    pub fn command(name: impl Into<String>, mut command: std::process::Command) -> Self {
        Self { name: name.into(), action: Box::new(move |label| shell::run(label, &mut command)) }
    }

    /// A step that calls a function.
    pub fn function(name: impl Into<String>, function: impl FnOnce() -> Result<()> + 'static) -> Self {
        Self { name: name.into(), action: Box::new(move |label| shell::step(label, function)) }
    }
}

/// Runs all steps, or those that need no emulator; of them only those with a text in their name, if one is given. With `long`, those that
/// have a longer form in that.
pub fn run(host_only: bool, only: &str, long: bool) -> Result<()> {
    setup::ensure_toolchain()?;
    let mut steps = host::steps();
    if long {
        steps.push(host::long_step());
    }
    steps.extend(bare_metal::steps()?);
    steps.extend(board::build_steps());
    if !host_only {
        setup::ensure_qemu()?;
        steps.extend(board::emulator_steps());
        steps.push(board::example_step());
        let length = if long { bits::Length::LONG } else { bits::Length::USUAL };
        steps.push(Step::function("functions and runs give the same bits on every target", move || bits::run(length)));
        let extent = if long { no_panic::Extent::All } else { no_panic::Extent::Boards };
        steps.push(Step::function("no panic is linked into the kernels", move || no_panic::run(extent)));
        steps.push(Step::function("every kernel keeps its budget", || budget::run(false, false)));
        steps.push(Step::function("the C that we compare with does the same, and is a fair match", compare::check));
    }

    steps.retain(|step| step.name.contains(only));
    ensure!(!steps.is_empty(), "no step has `{only}` in its name");
    run_all(steps)
}

/// Runs all steps of the boards: their lints, and what they do in the emulator.
pub fn run_boards() -> Result<()> {
    let mut steps = board::build_steps();
    steps.extend(board::emulator_steps());
    run_all(steps)
}

fn run_all(steps: Vec<Step>) -> Result<()> {
    let count = steps.len();
    let mut failed = Vec::new();
    for (index, step) in steps.into_iter().enumerate() {
        let label = format!("[{:2}/{count}] {}", index + 1, step.name);
        if let Err(error) = (step.action)(&label) {
            eprintln!("{error:#}\n");
            failed.push(label);
        }
    }

    if !failed.is_empty() {
        println!("\nFailed:");
        for label in &failed {
            println!("  {label}");
        }
    }
    println!("\n{} passed, {} failed", count - failed.len(), failed.len());
    if !failed.is_empty() {
        bail!("not everything passes");
    }
    Ok(())
}
