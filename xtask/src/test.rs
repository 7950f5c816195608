//! Everything that must pass, as a numbered list of steps. A failing step does not stop the others; all failures are
//! named at the end.
//!
//! Several steps run at a time, where they build in different places: a single one seldom keeps two processors busy.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::{Result, bail, ensure};

use crate::checks::{bare_metal, board, host};
use crate::{bits, budget, compare, no_panic, setup, shell};

/// What a step does, given the label to show.
type Action = Box<dyn FnOnce(&str) -> Result<()> + Send>;

/// Where a step leaves what it builds. Two steps in one place would wait for each other, or run what the other is just writing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Place {
    /// `target`.
    Root,
    /// `target/on-target`.
    OnTarget,
    /// The folders of the boards.
    Boards,
}

/// One thing that must pass.
pub struct Step {
    name: String,
    places: &'static [Place],
    action: Action,
}

impl Step {
    /// A step that runs a command.
    pub fn command(name: impl Into<String>, mut command: std::process::Command) -> Self {
        Self::new(name.into(), move |label| shell::run(label, &mut command))
    }

    /// A step that calls a function.
    pub fn function(name: impl Into<String>, function: impl FnOnce() -> Result<()> + Send + 'static) -> Self {
        Self::new(name.into(), move |label| shell::step(label, function))
    }

    fn new(name: String, action: impl FnOnce(&str) -> Result<()> + Send + 'static) -> Self {
        Self { name, places: &[Place::Root], action: Box::new(action) }
    }

    /// The same, with what it builds elsewhere than in the root.
    pub fn at(self, places: &'static [Place]) -> Self {
        Self { places, ..self }
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
    if host_only {
        steps.extend(board::build_steps());
    } else {
        setup::ensure_qemu()?;
        // What takes longest comes first, so that nothing long is left for the end.
        let length = if long { bits::Length::LONG } else { bits::Length::USUAL };
        let extent = if long { no_panic::Extent::All } else { no_panic::Extent::Boards };
        let on_target = &[Place::OnTarget];
        let both = &[Place::OnTarget, Place::Boards];
        steps.extend([
            Step::function("functions and runs give the same bits on every target", move || bits::run(length))
                .at(on_target),
            Step::function("no panic is linked into the kernels", move || no_panic::run(extent)).at(on_target),
        ]);
        steps.extend(board::build_steps());
        steps.extend(board::emulator_steps());
        steps.push(board::example_step());
        steps.extend([
            Step::function("every kernel keeps its budget", || budget::run(false, false)).at(both),
            Step::function("the C that we compare with does the same, and is a fair match", compare::check)
                .at(on_target),
        ]);
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
    let label = |(index, step): (usize, Step)| (format!("[{:2}/{count}] {}", index + 1, step.name), step);
    let plan = Plan::of(steps.into_iter().enumerate().map(label).collect());
    // More than two at a time only make each other slow.
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(2);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| plan.work());
        }
    });
    let failed = plan.failed();

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

/// What is to be done yet.
struct Plan {
    state: Mutex<Waiting>,
    a_place_is_free: Condvar,
}

/// Steps with their labels, places in which one is under way, and labels of those that have failed.
struct Waiting {
    steps: VecDeque<(String, Step)>,
    busy: Vec<Place>,
    failed: Vec<String>,
}

impl Plan {
    fn of(steps: VecDeque<(String, Step)>) -> Self {
        let state = Mutex::new(Waiting { steps, busy: Vec::new(), failed: Vec::new() });
        Self { state, a_place_is_free: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, Waiting> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does one step after the other, the first at a time whose places are free, until none is left.
    fn work(&self) {
        let mut state = self.state();
        while !state.steps.is_empty() {
            let is_possible = |(_, step): &(String, Step)| step.places.iter().all(|place| !state.busy.contains(place));
            let Some((label, step)) = state.steps.iter().position(is_possible).and_then(|at| state.steps.remove(at))
            else {
                state = self.a_place_is_free.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            state.busy.extend(step.places);
            drop(state);
            let result = (step.action)(&label);
            state = self.state();
            state.busy.retain(|place| !step.places.contains(place));
            if let Err(error) = result {
                shell::say(&format!("{error:#}\n"));
                state.failed.push(label);
            }
            self.a_place_is_free.notify_all();
        }
    }

    /// The labels of the steps that have failed, in the order of the list.
    fn failed(self) -> Vec<String> {
        let mut failed = self.state.into_inner().unwrap_or_else(PoisonError::into_inner).failed;
        failed.sort();
        failed
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn steps_in_one_place_never_run_at_the_same_time_and_all_of_them_run() {
        static INSIDE: AtomicUsize = AtomicUsize::new(0);
        static DONE: AtomicUsize = AtomicUsize::new(0);
        let step = |places| {
            Step::function("a step", || {
                ensure!(INSIDE.fetch_add(1, Ordering::SeqCst) == 0, "two at a time");
                thread::sleep(Duration::from_millis(2));
                INSIDE.fetch_sub(1, Ordering::SeqCst);
                DONE.fetch_add(1, Ordering::SeqCst);
                Ok(())
            })
            .at(places)
        };
        let steps =
            (0..10).map(|n| step(if n % 2 == 0 { &[Place::Boards] } else { &[Place::OnTarget, Place::Boards] }));
        run_all(steps.collect()).unwrap();
        assert_eq!(DONE.load(Ordering::SeqCst), 10);
    }

    #[test]
    fn a_failure_does_not_stop_the_others_and_is_named_in_the_end() {
        static DONE: AtomicUsize = AtomicUsize::new(0);
        let good = || {
            DONE.fetch_add(1, Ordering::SeqCst);
            Ok(())
        };
        let steps = vec![
            Step::function("bad", || bail!("no")).at(&[Place::OnTarget]),
            Step::function("good", good),
            Step::function("good", good).at(&[Place::OnTarget]),
        ];
        assert!(run_all(steps).is_err());
        assert_eq!(DONE.load(Ordering::SeqCst), 2);
    }
}
