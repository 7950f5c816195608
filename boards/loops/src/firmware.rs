//! The programs on a board: the words that select a run, and the lines of the log, which the host parses.

use runtime::{OrSay, Trial, asked};
use taut::control::{Actuated, Controller, Reference, Sensed};
#[cfg(feature = "inject")]
use taut::supervise::Injection;
use taut::supervise::{Clock, State, Timing, Watchdog};

use crate::around::Divert;
use crate::{Options, Place, Rig, Sample, Simulation, Summary, Unusable, arm, crane, five_bar};

/// A program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// [`five_bar`].
    FiveBar,
    /// [`crane`].
    Crane,
    /// [`arm`].
    Arm,
    /// Your own [`machine`](crate::machine).
    Own(Facts),
}

/// The constants of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Its name in the log.
    pub name: &'static str,
    /// Ticks a second.
    pub rate: u32,
    /// The number of ticks per log line. The linkage takes 500 ticks per turn, so 23 shows its whole circle in time.
    pub every: u64,
    /// The duration of a run in seconds, and when faults and trials begin: some time after homing.
    pub seconds: (u32, u32),
}

impl Which {
    const fn facts(self) -> Facts {
        match self {
            Self::FiveBar => Facts { name: "five_bar", rate: five_bar::RATE, every: 23, seconds: (5, 2) },
            Self::Crane => Facts { name: "crane", rate: crane::RATE, every: 100, seconds: (12, 6) },
            Self::Arm => Facts { name: "arm", rate: arm::RATE, every: 25, seconds: (10, 4) },
            Self::Own(facts) => facts,
        }
    }
}

/// What a board is asked to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The program.
    pub which: Which,
    /// What is injected into its loop.
    pub options: Options,
    /// What is done to it from outside.
    pub trial: Option<Trial>,
}

impl Run {
    /// The run that the board is asked for; its first program by default.
    pub fn asked(board: &str, programs: &[Which]) -> Result<Self, &'static str> {
        let run = programs
            .first()
            .and_then(|which| asked(Self { which: *which, options: Options::default(), trial: None }, Self::with))
            .filter(|run| programs.contains(&run.which))
            .ok_or("asked for what this board does not have")?;
        #[cfg(feature = "inject")]
        let fault = run.options.inject.map_or("none", |inject| inject.fault.name());
        #[cfg(not(feature = "inject"))]
        let fault = "none";
        let name = run.which.facts().name;
        defmt::info!(
            "begin board={=str} loop={=str} rate={=u32} ticks={=u64} inject={=str}",
            board,
            name,
            run.rate(),
            run.ticks(),
            fault
        );
        Ok(run)
    }

    /// Applies a word: the name of a program, of a fault or of a trial. `None` for any other word.
    fn with(self, word: &str) -> Option<Self> {
        if let Some(which) =
            [Which::FiveBar, Which::Crane, Which::Arm].into_iter().find(|which| which.facts().name == word)
        {
            return Some(Self { which, ..self });
        }
        #[cfg(feature = "inject")]
        if let Some(fault) = Injection::named(word) {
            let options = Options::with_brief_fault(fault, self.trial_tick(), self.rate());
            return Some(Self { options, ..self });
        }
        Some(Self { trial: Some(Trial::named(word)?), ..self })
    }

    /// Ticks a second.
    pub fn rate(&self) -> u32 {
        self.which.facts().rate
    }

    fn ticks(&self) -> u64 {
        u64::from(self.which.facts().seconds.0 * self.rate())
    }

    fn trial_tick(&self) -> u64 {
        u64::from(self.which.facts().seconds.1 * self.rate())
    }
}

impl From<Run> for runtime::Run {
    fn from(run: Run) -> Self {
        let usual = Self::of(run.ticks(), run.which.facts().every);
        run.trial.map_or(usual, |trial| usual.with_trial(trial, run.trial_tick()))
    }
}

/// A program alone, on a board that has no other.
impl<Plan, System, Law, Machine, const N: usize, const M: usize, const E: usize, const U: usize, const D: usize>
    runtime::Program for Rig<Plan, Law, Machine, E, U, D>
where
    System: Actuated<N, M, U, Base = f32> + Sensed<N, M, E> + Place<N, D>,
    Plan: Divert<U, Base = f32, System = System, Reference = Reference<f32, N, M, U>>,
    Law: Controller<System, f32, N, M, E, U>,
    Machine: Simulation<E, U, D> + Copy,
{
    type Sample = Sample<D>;

    fn tick(&mut self, clock: &mut impl Clock, watchdog: &mut impl Watchdog) -> Sample<D> {
        Self::tick(self, clock, watchdog)
    }

    fn conclude(&self) {
        log_result(self.summary());
    }
}

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
    /// The program that a run asks for, for a clock of so many counts a second.
    pub fn of(run: &Run, frequency: u32) -> Result<Self, &'static str> {
        let (options, period) = (run.options, frequency / run.rate());
        let made: Result<Self, Unusable> = match run.which {
            Which::FiveBar => five_bar::program(options, period).map(Self::FiveBar),
            Which::Crane => crane::program(options, period).map(Self::Crane),
            Which::Arm => arm::program(options, period).map(Self::Arm),
            Which::Own(_) => return Err("this board has no such program"),
        };
        made.or_say("the program cannot be made")
    }
}

impl runtime::Program for Any {
    type Sample = Sample;

    fn tick(&mut self, clock: &mut impl Clock, watchdog: &mut impl Watchdog) -> Sample {
        match self {
            Self::FiveBar(program) => program.tick(clock, watchdog),
            Self::Crane(program) => program.tick(clock, watchdog),
            Self::Arm(program) => program.tick(clock, watchdog),
        }
    }

    fn conclude(&self) {
        log_result(match self {
            Self::FiveBar(program) => program.summary(),
            Self::Crane(program) => program.summary(),
            Self::Arm(program) => program.summary(),
        });
    }
}

/// Nothing of it depends on the board.
impl<const D: usize> runtime::Sample for Sample<D> {
    fn mark(&self) -> (u64, State, Timing) {
        (self.tick, self.state, self.timing)
    }

    fn log(&self, rate: u32) {
        let time = self.tick as f32 / rate as f32;
        let (state, output, fault) = (self.state.name(), self.output.name(), self.code.name());
        if let ([x, y], [target_x, target_y], [effort_1, effort_2]) =
            (&self.place[..], &self.target[..], &self.efforts[..])
        {
            // In one piece, because most programs have two numbers and two motors.
            defmt::info!(
                "telemetry tick={=u64} time={=f32} state={=str} output={=str} fault={=str} x={=f32} y={=f32} \
                 target_x={=f32} target_y={=f32} error={=f32} residual={=f32} effort_1={=f32} effort_2={=f32}",
                self.tick,
                time,
                state,
                output,
                fault,
                *x,
                *y,
                *target_x,
                *target_y,
                self.error,
                self.residual,
                *effort_1,
                *effort_2
            );
            return;
        }
        defmt::info!(
            "telemetry tick={=u64} time={=f32} state={=str} output={=str} fault={=str}{}{} error={=f32} residual={=f32}{}",
            self.tick,
            time,
            state,
            output,
            fault,
            Named("", &AXES, &self.place),
            Named("target_", &AXES, &self.target),
            self.error,
            self.residual,
            Named("effort_", &NUMBERS, &self.efforts)
        );
    }
}

const AXES: [&str; 6] = ["x", "y", "z", "u", "v", "w"];
const NUMBERS: [&str; 6] = ["1", "2", "3", "4", "5", "6"];

/// Numbers with their names: a prefix and a word each.
struct Named<'a>(&'a str, &'a [&'a str], &'a [f32]);

impl defmt::Format for Named<'_> {
    fn format(&self, to: defmt::Formatter<'_>) {
        for (name, number) in self.1.iter().zip(self.2) {
            defmt::write!(to, " {=str}{=str}={=f32}", self.0, name, number);
        }
    }
}

/// What the loop did. Nothing of it depends on the board.
fn log_result(summary: &Summary) {
    defmt::info!(
        "result calls={=u32} running={=u32} worst_error={=f32} worst_residual={=f32} faults={=u32} last_fault={=str} \
         stuck={=u32} digest={=u32:08x}",
        summary.calls,
        summary.running,
        summary.worst_error,
        summary.worst_residual,
        summary.faults,
        summary.last_fault.name(),
        summary.stuck,
        summary.digest
    );
}
