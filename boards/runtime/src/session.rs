//! A run, as the interrupt has it.

use loops::{Sample, Summary, Unusable, arm, crane, five_bar};
use taut::control::supervisor::{Clock, State, Telemetry, Watchdog};

use crate::paint;
use crate::run::{Run, Trial, Which};
use crate::signals::Signals;

/// A loop with its machine that is ticked.
pub trait Program {
    /// A tick of the board.
    fn tick(&mut self, clock: &mut impl Clock, watchdog: &mut impl Watchdog) -> Sample;

    /// What all ticks were like.
    fn summary(&self) -> &Summary;
}

macro_rules! programs {
    ($($name:ident),*) => {$(
        impl Program for $name::Program {
            fn tick(&mut self, clock: &mut impl Clock, watchdog: &mut impl Watchdog) -> Sample {
                $name::Program::tick(self, clock, watchdog)
            }

            fn summary(&self) -> &Summary {
                $name::Program::summary(self)
            }
        }
    )*};
}
programs!(five_bar, crane, arm);

/// One of the programs, chosen at the beginning of a run.
#[allow(clippy::large_enum_variant, reason = "there is one of it, in static memory")]
pub enum Any {
    /// [`five_bar`].
    FiveBar(five_bar::Program),
    /// [`crane`].
    Crane(crane::Program),
    /// [`arm`].
    Arm(arm::Program),
}

impl Any {
    /// The program that a run asks for, for a clock of so many counts a tick.
    pub fn of(run: &Run, period: u32) -> Result<Self, Unusable> {
        Ok(match run.which {
            Which::FiveBar => Self::FiveBar(five_bar::program(run.options, period)?),
            Which::Crane => Self::Crane(crane::program(run.options, period)?),
            Which::Arm => Self::Arm(arm::program(run.options, period)?),
        })
    }
}

impl Program for Any {
    fn tick(&mut self, clock: &mut impl Clock, watchdog: &mut impl Watchdog) -> Sample {
        match self {
            Self::FiveBar(program) => program.tick(clock, watchdog),
            Self::Crane(program) => program.tick(clock, watchdog),
            Self::Arm(program) => program.tick(clock, watchdog),
        }
    }

    fn summary(&self) -> &Summary {
        match self {
            Self::FiveBar(program) => program.summary(),
            Self::Crane(program) => program.summary(),
            Self::Arm(program) => program.summary(),
        }
    }
}

/// A program, and where its samples go.
pub struct Session<P, W> {
    program: P,
    watchdog: Fed<W>,
    telemetry: Telemetry<'static, Sample>,
    run: Run,
    /// The releases so far.
    releases: u64,
    period: u32,
    /// Every so many samples one is sent,
    every: u64,
    /// and each with which the state changes.
    state: Option<State>,
}

impl<P: Program, W: Watchdog> Session<P, W> {
    /// Of a program whose ticks last so many counts of the board's clock; of its samples, ten in a second are sent, and those
    /// with which the state changes.
    pub fn new(
        program: P,
        run: Run,
        period: u32,
        watchdog: W,
        telemetry: Telemetry<'static, Sample>,
        signals: &'static Signals,
    ) -> Self {
        let every = run.which.every();
        Self { program, watchdog: Fed { watchdog, signals }, telemetry, run, releases: 0, period, every, state: None }
    }

    /// A release of the board's beat.
    pub fn tick(&mut self, clock: impl Clock + Copy) {
        let Self { watchdog, run, .. } = self;
        watchdog.signals.release();
        let now = self.releases;
        self.releases = now.wrapping_add(1);
        if now >= run.ticks() {
            watchdog.signals.end();
            return;
        }
        // The stack is that of all ticks, those on the way home included; the others wait until it runs.
        let trial = run.trial.filter(|trial| *trial == Trial::Stack || now >= run.trial_tick());
        match trial {
            Some(Trial::Hang) => {}
            Some(Trial::Overrun) if now == run.trial_tick() => {
                let counts = self.period.wrapping_mul(2).wrapping_add(self.period / 3);
                self.sample(clock, counts);
            }
            Some(Trial::Stack) => {
                let top = paint::paint();
                self.sample(clock, 0);
                let bytes = paint::painted_over(top).unwrap_or(usize::MAX);
                self.watchdog.signals.stacked(u32::try_from(bytes).unwrap_or(u32::MAX));
            }
            _ => self.sample(clock, 0),
        }
    }

    /// A tick that takes so many counts longer than it needs.
    #[inline(never)]
    fn sample(&mut self, clock: impl Clock + Copy, counts: u32) {
        let mut watchdog = Slow { watchdog: &mut self.watchdog, clock, counts };
        let sample = self.program.tick(&mut { clock }, &mut watchdog);
        let changes = self.state.replace(sample.state) != Some(sample.state);
        if changes || sample.tick.checked_rem(self.every) == Some(0) {
            self.telemetry.log(sample);
        }
    }

    /// What all ticks were like.
    pub fn summary(&self) -> &Summary {
        self.program.summary()
    }

    /// How many samples found no room on their way.
    pub fn dropped(&self) -> u32 {
        self.telemetry.dropped()
    }
}

/// A watchdog whose meals are counted.
struct Fed<W> {
    watchdog: W,
    signals: &'static Signals,
}

impl<W: Watchdog> Watchdog for Fed<W> {
    fn feed(&mut self) {
        self.signals.feed();
        self.watchdog.feed();
    }
}

/// A watchdog that takes its time, and with it the loop's.
struct Slow<W, C> {
    watchdog: W,
    clock: C,
    counts: u32,
}

impl<W: Watchdog, C: Clock> Watchdog for Slow<W, C> {
    fn feed(&mut self) {
        self.watchdog.feed();
        if self.counts > 0 {
            let begun = self.clock.now();
            while self.clock.now().wrapping_sub(begun) < self.counts {}
        }
    }
}
