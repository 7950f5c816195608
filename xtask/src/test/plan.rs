//! Runs steps, several at the same time.

use std::collections::VecDeque;
use std::num::NonZero;
use std::process::Command;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::{Result, ensure};

use crate::shell;

/// The folder into which a step builds. Two steps in one folder would wait for each other, or run a file that the other is writing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Place {
    /// The root's workspace.
    Root,
    /// The programs for the emulator.
    OnTarget,
    /// The boards.
    Boards,
}

type Action = Box<dyn FnOnce(&str) -> Result<()> + Send>;

/// One check that must pass.
pub struct Step {
    /// The claim that it checks.
    pub name: String,
    /// Where it builds.
    pub places: &'static [Place],
    /// Its action, called with the label to show.
    action: Action,
}

impl Step {
    /// A step that runs a command.
    pub fn command(places: &'static [Place], name: impl Into<String>, mut command: Command) -> Self {
        Self { name: name.into(), places, action: Box::new(move |label| shell::run(label, &mut command)) }
    }

    /// A step that calls a function.
    pub fn function(
        places: &'static [Place],
        name: &str,
        function: impl FnOnce() -> Result<()> + Send + 'static,
    ) -> Self {
        Self { name: name.to_owned(), places, action: Box::new(move |label| shell::step(label, function)) }
    }
}

/// The waiting steps with their labels, the places of the running steps, and the labels of the failed steps.
struct Waiting {
    steps: VecDeque<(String, Step)>,
    busy: Vec<Place>,
    failed: Vec<String>,
}

/// Runs all steps, at most two at a time. A failing step does not stop the others.
pub fn run(steps: Vec<Step>) -> Result<()> {
    let count = steps.len();
    let label = |(index, step): (usize, Step)| (format!("[{:2}/{count}] {}", index + 1, step.name), step);
    let steps = steps.into_iter().enumerate().map(label).collect();
    let (waiting, freed) = (Mutex::new(Waiting { steps, busy: Vec::new(), failed: Vec::new() }), Condvar::new());
    // More than two would only slow each other down.
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(2);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| work(&waiting, &freed));
        }
    });
    let mut failed = waiting.into_inner().unwrap_or_else(PoisonError::into_inner).failed;
    failed.sort();
    println!("\n{} passed, {} failed", count - failed.len(), failed.len());
    ensure!(failed.is_empty(), "these steps failed:\n  {}", failed.join("\n  "));
    Ok(())
}

/// Repeatedly takes the first step whose places are free and runs it, until none is left.
fn work(waiting: &Mutex<Waiting>, freed: &Condvar) {
    let lock = || -> MutexGuard<'_, Waiting> { waiting.lock().unwrap_or_else(PoisonError::into_inner) };
    let mut state = lock();
    while !state.steps.is_empty() {
        let is_possible = |(_, step): &(String, Step)| step.places.iter().all(|place| !state.busy.contains(place));
        let Some((label, step)) = state.steps.iter().position(is_possible).and_then(|at| state.steps.remove(at)) else {
            state = freed.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        state.busy.extend(step.places);
        drop(state);
        let result = (step.action)(&label);
        state = lock();
        state.busy.retain(|place| !step.places.contains(place));
        if let Err(error) = result {
            shell::say(&format!("{error:#}\n"));
            state.failed.push(label);
        }
        freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use Place::{Boards, OnTarget, Root};
    use anyhow::bail;

    use super::*;

    #[test]
    fn steps_in_one_place_never_run_at_the_same_time_and_all_of_them_run() {
        static INSIDE: AtomicUsize = AtomicUsize::new(0);
        static DONE: AtomicUsize = AtomicUsize::new(0);
        let step = |places| {
            Step::function(places, "a step", || {
                ensure!(INSIDE.fetch_add(1, Ordering::SeqCst) == 0, "two at a time");
                thread::sleep(Duration::from_millis(2));
                INSIDE.fetch_sub(1, Ordering::SeqCst);
                DONE.fetch_add(1, Ordering::SeqCst);
                Ok(())
            })
        };
        let steps = (0..10).map(|n| step(if n % 2 == 0 { &[Boards] } else { &[OnTarget, Boards] }));
        run(steps.collect()).unwrap();
        assert_eq!(DONE.load(Ordering::SeqCst), 10);
    }

    #[test]
    fn a_failure_does_not_stop_the_others_and_is_listed_at_the_end() {
        static DONE: AtomicUsize = AtomicUsize::new(0);
        let good = || {
            DONE.fetch_add(1, Ordering::SeqCst);
            Ok(())
        };
        let steps = vec![
            Step::function(&[OnTarget], "bad", || bail!("no")),
            Step::function(&[Root], "good", good),
            Step::function(&[OnTarget], "good", good),
        ];
        assert!(run(steps).unwrap_err().to_string().ends_with("[ 1/3] bad"));
        assert_eq!(DONE.load(Ordering::SeqCst), 2);
    }
}
