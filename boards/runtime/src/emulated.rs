//! In the emulator: what is to run comes from the command line, and how it went is the exit code.

use semihosting::experimental::env::args;
use taut::control::supervisor;

use crate::run::Run;

/// What the words behind the program's name ask for; `None` if there is one that asks for nothing.
pub fn asked(run: Run) -> Option<Run> {
    let words = args::<128>().ok()?;
    (&words).skip(1).try_fold(run, |run, word| run.with(word.ok()?))
}

/// The emulator's watchdogs never bite: that one is fed is counted all the same.
pub struct Watchdog;

impl supervisor::Watchdog for Watchdog {
    fn feed(&mut self) {}
}
