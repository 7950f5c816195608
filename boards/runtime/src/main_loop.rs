//! The main program while the interrupt has the loop: it empties the queue into the log, and sleeps.

use heapless::spsc::Consumer;
use loops::{Sample, Summary};

use crate::run::{Run, Trial};
use crate::show;
use crate::signals::Signals;

/// After so many releases without a meal a watchdog has reset the board.
const STARVED: u32 = 25;

/// Why the main program has nothing left to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The run has had all its ticks.
    Over,
    /// The watchdog has been hungry for too long: on a board, it would have been reset.
    Starved,
}

/// Shows what comes out of the queue until the run is over. `sleep` waits for an interrupt; one that is pending wakes it although it is masked.
pub fn show_all(mut samples: Consumer<'static, Sample>, run: &Run, signals: &Signals, sleep: impl Fn()) -> End {
    loop {
        while let Some(sample) = samples.dequeue() {
            show::sample(&sample, run);
        }
        if signals.over() {
            return End::Over;
        }
        if signals.hungry() > STARVED {
            return End::Starved;
        }
        // Unmasked, a tick between the question and the sleep would be slept through.
        critical_section::with(|_| {
            if !samples.ready() && !signals.over() {
                sleep();
            }
        });
    }
}

/// Shows how the run ended, from what the interrupt leaves; whether that is what was asked for.
pub fn conclude(
    (summary, dropped): (&Summary, u32),
    (end, run): (End, &Run),
    signals: &Signals,
    clock: (u32, u32),
) -> Result<(), &'static str> {
    show::result(summary);
    show::timing(summary, dropped, signals, clock);
    match (end, run.trial) {
        (End::Over, Some(Trial::Hang)) => Err("the loop hangs, and the watchdog has not noticed"),
        (End::Starved, Some(Trial::Hang)) | (End::Over, _) => Ok(()),
        (End::Starved, _) => Err("the watchdog has not been fed"),
    }
}
