//! Every fault in every state of a loop: what it leads to, what the motors get, and whether the loop starts again.
//!
//! The machine is the five-bar linkage of [`five_bar`](crate::five_bar). Each row begins with a new one, brings it into its state, injects its fault for [`LASTING`]
//! ticks, or gives it a plan that leads astray and lets it run, then takes the fault away, resets the loop where that is needed, and lets it run again.

use core::fmt;

use taut::control::supervisor::{Code, Injection, Output, Request, State};

use crate::five_bar::{Program, program};
use crate::{Options, Sample, Unusable};

/// For how many ticks a fault lasts.
pub const LASTING: u32 = 60;
/// Counts of the clock a tick.
const PERIOD: u32 = 1_000;
/// After so many ticks, what did not happen does not happen.
const PATIENCE: u32 = 3_000;
/// The largest torque of a motor.
const TORQUE: f32 = 1.0;
/// How near the path the tip is again, in metres, after a restart; without a fault it is within 7.4e-5.
const ON_PATH: f32 = 2e-4;

/// What a fault led to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Row {
    /// The fault.
    pub fault: Injection,
    /// The state in which it was injected.
    pub state: State,
    /// The state after it.
    pub after: State,
    /// The reason that was logged.
    pub code: Code,
    /// The state in which it was found, and after how many ticks; `None` where it does no harm.
    pub found: Option<(State, u32)>,
    /// What the motors got in the tick in which it was found, or from then on at worst.
    pub output: Output,
    /// How many ticks were skipped.
    pub skipped: u32,
    /// Whether everything was safe: no tick drove the motors with what is not finite or above their limits, or along a path
    /// after the fault was found, and the machine could be simulated throughout.
    pub safe: bool,
    /// Whether the loop ran again afterwards, on its path, without another fault.
    pub restarted: bool,
}

impl Row {
    /// What the columns are.
    pub const HEADER: &'static str =
        "fault             state   | after   reason    found in  after ticks  output     skipped | safe  restarted";
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let yes = |is: bool| if is { "yes" } else { "NO" };
        let Self { fault, state, after, code, found, output, skipped, safe, restarted } = self;
        write!(f, "{fault:<17} {state:<7} | {after:<7} {:<9} ", code.name())?;
        match found {
            Some((found, ticks)) => write!(f, "{found:<9} {ticks:<12} ")?,
            None => write!(f, "{:<9} {:<12} ", "-", "-")?,
        }
        write!(f, "{:<10} {skipped:<7} | {:<5} {}", output.name(), yes(*safe), yes(*restarted))
    }
}

/// The rows of all faults and states.
pub fn rows() -> impl Iterator<Item = Result<Row, Unusable>> {
    Injection::ALL.into_iter().flat_map(|fault| State::ALL.into_iter().map(move |state| row(fault, state)))
}

/// The row of a fault and a state.
pub fn row(fault: Injection, state: State) -> Result<Row, Unusable> {
    let mut bench = Bench { program: program(Options::default(), PERIOD)?, calls: 0, safe: true };
    bench.bring_into(state);
    let before = bench.program.supervisor().faults();
    let skipped = bench.program.supervisor().timing().skipped;

    let of_plan = matches!(fault, Injection::InfeasibleTarget | Injection::SingularPose);
    let mut row = Row {
        fault,
        state,
        after: state,
        code: Code::None,
        found: None,
        output: Output::Following,
        skipped: 0,
        safe: true,
        restarted: false,
    };
    if of_plan {
        // One that is refused does no harm.
        let _ = bench.program.divert(fault);
        bench.ask(Request::Run);
    }
    for ticks in 0..if of_plan { PATIENCE } else { LASTING } {
        let doing = bench.program.supervisor().state();
        let sample = bench.tick(Some(fault));
        let found = bench.program.supervisor().faults() > before;
        if found && row.found.is_none() {
            row.found = Some((doing, ticks));
        }
        (row.after, row.code) = (sample.state, sample.code);
        row.output =
            if found || sample.output == Output::Off { worse(row.output, sample.output) } else { sample.output };
    }
    row.skipped = bench.program.supervisor().timing().skipped - skipped;
    row.restarted = bench.restarts();
    row.safe = bench.safe && bench.program.summary().stuck == 0;
    Ok(row)
}

/// Off where one of them is, held where one of them is.
fn worse(a: Output, b: Output) -> Output {
    match (a, b) {
        (Output::Off, _) | (_, Output::Off) => Output::Off,
        (Output::Held, _) | (_, Output::Held) => Output::Held,
        _ => Output::Following,
    }
}

/// A program and the ticks that it had.
struct Bench {
    program: Program,
    calls: u32,
    safe: bool,
}

impl Bench {
    fn tick(&mut self, fault: Option<Injection>) -> Sample {
        let mut clock = self.calls.wrapping_mul(PERIOD);
        self.calls = self.calls.wrapping_add(1);
        let sample = self.program.tick_with(fault, &mut clock, &mut ());
        let within = sample.efforts.iter().all(|effort| effort.abs() <= TORQUE);
        let quiet = match sample.output {
            Output::Off => sample.efforts == [0.0; 2],
            Output::Held => true,
            Output::Following => sample.state != State::Fault,
        };
        self.safe &= within && quiet && sample.place.iter().all(|number| number.is_finite());
        sample
    }

    /// What is refused changes nothing.
    fn ask(&mut self, request: Request) {
        let _ = self.program.supervisor_mut().request(request);
    }

    fn run(&mut self, ticks: u32) {
        for _ in 0..ticks {
            self.tick(None);
        }
    }

    fn run_until(&mut self, state: State) {
        for _ in 0..PATIENCE {
            if self.program.supervisor().state() == state {
                return;
            }
            self.tick(None);
        }
    }

    fn bring_into(&mut self, state: State) {
        self.run(20);
        if state == State::Idle {
            return;
        }
        self.ask(Request::Run);
        if state == State::Homing {
            return self.run(200);
        }
        self.run_until(State::Running);
        self.run(250);
        if state == State::Hold {
            self.ask(Request::Hold);
            self.run(200);
        }
        if state == State::Fault {
            self.tick(Some(Injection::BusError));
            self.run(20);
        }
    }

    fn restarts(&mut self) -> bool {
        self.run(50);
        self.ask(Request::Reset);
        if self.program.supervisor().state() == State::Running {
            // Whoever came through is to show that the beginning works, too.
            self.ask(Request::Stop);
            self.run(20);
        }
        let _ = self.program.restore();
        let before = self.program.supervisor().faults();
        self.ask(Request::Run);
        self.run_until(State::Running);
        self.run(300);
        let sample = self.tick(None);
        sample.state == State::Running && sample.error < ON_PATH && self.program.supervisor().faults() == before
    }
}
