//! The part of a run that belongs to the interrupt.

use taut::supervise::{Clock, State, Telemetry, Timing, Watchdog};

use crate::program::{Program, Sample};
use crate::run::{Run, Trial};
use crate::signals::Signals;

/// A program with its watchdog and the queue for its samples.
pub struct Session<P: Program, W> {
    program: P,
    watchdog: W,
    signals: &'static Signals,
    telemetry: Telemetry<'static, P::Sample>,
    run: Run,
    /// The number of releases so far.
    releases: u64,
    period: u32,
    /// The state of the last sample.
    state: Option<State>,
    timing: Timing,
}

impl<P: Program, W: Watchdog> Session<P, W> {
    /// A session of a program; `period` is the length of a tick in counts of the board's clock.
    pub fn new(
        program: P,
        run: Run,
        period: u32,
        watchdog: W,
        telemetry: Telemetry<'static, P::Sample>,
        signals: &'static Signals,
    ) -> Self {
        let timing = Timing::default();
        Self { program, watchdog, signals, telemetry, run, releases: 0, period, state: None, timing }
    }

    /// Handles a release of the board's beat.
    pub fn tick(&mut self, clock: impl Clock + Copy) {
        let signals = self.signals;
        signals.release();
        let now = self.releases;
        self.releases = now.wrapping_add(1);
        if now >= self.run.ticks {
            signals.end();
            return;
        }
        match self.run.trial_at(now) {
            None => self.sample(clock, 0),
            Some(Trial::Hang) => {}
            Some(Trial::HardFault) => {
                #[cfg(feature = "emulated")]
                crate::crash::provoke();
            }
            Some(Trial::Overrun) => {
                self.sample(clock, self.period.wrapping_mul(2).wrapping_add(self.period / 3));
            }
            Some(Trial::Stack) => {
                #[cfg(target_os = "none")]
                let top = crate::paint::paint::<PAINTED>();
                self.sample(clock, 0);
                #[cfg(target_os = "none")]
                signals.stacked(crate::paint::painted_over::<PAINTED>(top).map_or(u32::MAX, |bytes| bytes as u32));
            }
        }
    }

    /// Runs a tick that is prolonged by `counts`.
    #[inline(never)]
    fn sample(&mut self, clock: impl Clock + Copy, counts: u32) {
        let mut watchdog = Fed { watchdog: &mut self.watchdog, signals: self.signals, clock, counts };
        let sample = self.program.tick(&mut { clock }, &mut watchdog);
        let (tick, state, timing) = sample.mark();
        self.timing = timing;
        let changes = self.state.replace(state) != Some(state);
        if changes || tick.checked_rem(self.run.every) == Some(0) {
            self.telemetry.log(sample);
        }
    }

    /// Logs the summary of all ticks.
    pub fn conclude(&self) {
        self.program.conclude();
    }

    /// The timing of its ticks.
    pub fn timing(&self) -> &Timing {
        &self.timing
    }

    /// The number of samples dropped because the queue was full.
    pub fn dropped(&self) -> u32 {
        self.telemetry.dropped()
    }
}

/// The largest stack of a tick that can be measured. The smallest board has 16 KB of RAM, and statics and the main program leave little
/// more.
#[cfg(target_os = "none")]
const PAINTED: usize = 4 * 1024;

/// A watchdog that counts how often it is fed, and takes `counts` of the clock each time, which prolongs the tick.
struct Fed<'session, W, C> {
    watchdog: &'session mut W,
    signals: &'static Signals,
    clock: C,
    counts: u32,
}

impl<W: Watchdog, C: Clock> Watchdog for Fed<'_, W, C> {
    fn feed(&mut self) {
        self.signals.feed();
        self.watchdog.feed();
        if self.counts > 0 {
            let begun = self.clock.now();
            while self.clock.now().wrapping_sub(begun) < self.counts {}
        }
    }
}
