//! A progress bar for runs that take longer than a second.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A run shorter than this has no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// The clock is read once in this many steps.
const STEPS_PER_UPDATE: u64 = 64;

/// Counts steps and shows a bar on a terminal; in a pipe it shows nothing.
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
    steps: u64,
    shown: bool,
}

impl Progress {
    /// The progress of a run with this many steps.
    pub fn of(steps: u64) -> Self {
        let style = ProgressStyle::with_template("{bar:40} {percent:>3} %, {eta} to go").expect("a valid template");
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden()).with_style(style);
        Self { bar, begun: Instant::now(), steps: 0, shown: false }
    }

    /// Counts a step. The last one removes the bar.
    pub fn step(&mut self) {
        self.steps += 1;
        if Some(self.steps) >= self.bar.length() {
            self.bar.finish_and_clear();
            return;
        }
        if self.steps.is_multiple_of(STEPS_PER_UPDATE) && (self.shown || self.begun.elapsed() > PATIENCE) {
            if !self.shown {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
                self.shown = true;
            }
            self.bar.set_position(self.steps);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
