//! Every fault in every state of a loop: its reason, the output of the motors, the state that is kept, and the restart.
//!
//! The machine is the five-bar linkage of [`five_bar`](crate::five_bar). Each row starts with a new one and brings it into its state. It
//! injects its fault for [`LASTING`] ticks, or runs a plan that cannot be followed. Then it removes the fault, resets the loop if
//! needed, and runs it again.
//!
//! # How long until a fault is found
//!
//! The tick that finds a fault gives the machine its safe output. Most faults show in one tick: `0` in the table. The others take several
//! ticks to tell from normal operation:
//!
//! - A **stuck encoder** stays within three counts while its target moves by more than `stuck_travel`, 0.02 rad, whether it dithers or
//!   not. That takes 8 ticks on the path, where the crank turns at 2.7 rad/s, and 82 ticks in homing, where the crank is about to turn
//!   back. At rest the target does not move, and a stuck encoder does no harm.
//! - An encoder that **counts backwards** makes the feedback push the wrong way. The error exceeds `largest_error`, 0.1 rad, after 13
//!   ticks on the path, 38 in homing and 58 at rest.
//! - A **shorted bridge** of 8 N m exceeds the top speed in 4 ticks. While the motors are off it moves against the brake, and is found
//!   after 6 ticks at 0.03 rad.
//! - **Late ticks** fill a bucket of 4 ticks: the fifth in a row is a fault, or the fifth of every second one. A **frozen** or **fast
//!   clock** shows in the second tick.
//! - A **lost heartbeat** is found after 50 ticks.
//! - A **weak motor** lets the machine fall behind. On the path the tracking error exceeds `largest_error` after 41 ticks. In homing and
//!   hold the effort reaches its limit 26 and 27 ticks after the fault, and does not move the machine in `patience`, 20 ticks.
//! - A **target out of reach** and a **singular pose** are found when the path gets there: near both, the cranks would exceed their velocity
//!   limit, 8 rad/s. That is after 252 and 246 ticks of the path, and half a second later with homing before it.
//!
//! # What is not found
//!
//! An encoder that **slips** by 0.05 rad/s: the loop follows its readings. It takes a redundant encoder. In **idle**, whatever shows only
//! when the machine moves. A reset that **bounces** is no fault: it clears a fault and moves nothing.
//!
//! # What is kept
//!
//! The loop keeps the estimate of its observer and the reference of its path, bit for bit: with good readings those of the tick that
//! finds the fault, without them those of the tick before. While the machine is held, the observer goes on. Only a corrupted controller
//! state loses the estimate; homing finds it again from the readings. After the reset the loop runs bit for bit like a new loop with a
//! machine in the same state.

use core::fmt;

use taut::linalg::Vector;
use taut::supervise::{Code, Injection, Output, Request, State};

use crate::five_bar::{Program, program};
use crate::{Options, Sample, Unusable};

/// For how many ticks a fault lasts.
pub const LASTING: u32 = 100;
/// Counts of the clock a tick.
const PERIOD: u32 = 1_000;
/// After this many ticks, waiting for a state ends.
const PATIENCE: u32 = 3_000;
/// The largest torque of a motor.
const TORQUE: f32 = 1.0;
/// How near the path the tip is again, in metres, after a restart; without a fault it is within 7.4e-5.
const ON_PATH: f32 = 2e-4;

/// What a fault led to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The fault.
    pub fault: Injection,
    /// The state in which it was injected.
    pub state: State,
    /// The state after it.
    pub after: State,
    /// The reason that was logged.
    pub code: Code,
    /// The reason that followed it.
    pub second: Code,
    /// The state in which the fault was found, and after how many ticks; `None` if it does no harm.
    pub found: Option<(State, u32)>,
    /// How many ticks later the machine had its safe output: zero for the same tick.
    pub answered: Option<u32>,
    /// The output of the motors from the tick that found the fault; off if it was off once.
    pub output: Output,
    /// How many ticks were skipped.
    pub skipped: u32,
    /// The knowledge that the loop kept.
    pub kept: Kept,
    /// Whether everything was safe. All efforts were finite and within their limits. No tick followed the path after the fault was found.
    /// The brakes were closed while the motors were off. The simulation never failed.
    pub safe: bool,
    /// Whether the loop ran again afterwards, on its path, without another fault, and bit for bit like a new one.
    pub restarted: bool,
}

/// What a loop still knows after a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Estimate and reference, bit for bit.
    All,
    /// The reference, bit for bit; the estimate goes on with the machine that is held.
    Held,
    /// It goes on, because there is no fault.
    GoesOn,
    /// The reference, bit for bit; the estimate is lost.
    Reference,
    /// The reference is lost, or the estimate without a corrupted state.
    Lost,
}

impl Kept {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Held => "held",
            Self::GoesOn => "goes on",
            Self::Reference => "reference",
            Self::Lost => "LOST",
        }
    }
}

impl Row {
    /// What the columns are.
    pub const HEADER: &'static str = "fault             state   | after   reason       second    found in  after ticks  answered  output     skipped | kept       safe  restarted";
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let yes = |is: bool| if is { "yes" } else { "NO" };
        let Self { fault, state, after, code, second, found, answered, output, skipped, kept, safe, restarted } = self;
        write!(f, "{fault:<17} {state:<7} | {after:<7} {:<12} {:<9} ", code.name(), second.name())?;
        match found {
            Some((found, ticks)) => write!(f, "{found:<9} {ticks:<12} ")?,
            None => write!(f, "{:<9} {:<12} ", "-", "-")?,
        }
        match answered {
            Some(ticks) => write!(f, "{ticks:<9} ")?,
            None => write!(f, "{:<9} ", "-")?,
        }
        write!(f, "{:<10} {skipped:<7} | {:<10} ", output.name(), kept.name())?;
        write!(f, "{:<5} {}", yes(*safe), yes(*restarted))
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
    let before = bench.program.state().faults();
    let skipped = bench.program.state().record().timing.skipped;

    let of_plan = matches!(fault, Injection::InfeasibleTarget | Injection::SingularPose);
    let mut row = Row {
        fault,
        state,
        after: state,
        code: Code::None,
        second: Code::None,
        found: None,
        answered: None,
        output: Output::Following,
        skipped: 0,
        kept: Kept::Lost,
        safe: true,
        restarted: false,
    };
    if of_plan {
        // A refused request does no harm.
        let _ = bench.program.divert(fault);
        bench.ask(Request::Run);
    }
    let began = bench.known();
    // Before the tick in which it is found, and after it.
    let mut around = [began; 2];
    for ticks in 0..if of_plan { PATIENCE } else { LASTING } {
        let doing = bench.program.state().state();
        let knew = bench.known();
        let sample = bench.tick(Some(fault));
        let found = bench.program.state().faults() > before;
        if found && row.found.is_none() {
            row.found = Some((doing, ticks));
            around = [knew, bench.known()];
        }
        if let (Some((_, since)), None) = (row.found, row.answered)
            && bench.answered(&sample)
        {
            row.answered = Some(ticks - since);
        }
        (row.after, row.code) = (sample.state, sample.code);
        row.second = bench.program.state().record().second;
        if of_plan && row.found.is_some_and(|(_, since)| ticks >= since + LASTING) {
            break;
        }
        row.output =
            if found || sample.output == Output::Off { worse(row.output, sample.output) } else { sample.output };
    }
    row.skipped = bench.program.state().record().timing.skipped - skipped;
    row.kept = kept(&row, &began, &around, &bench.known());
    row.restarted = bench.restarts()?;
    row.safe = bench.safe && bench.program.summary().stuck == 0;
    Ok(row)
}

/// Compares the knowledge at the end with the last good knowledge.
fn kept(row: &Row, began: &Known, [before, after]: &[Known; 2], end: &Known) -> Kept {
    // The record has every finite reading; a failed read leaves the last good readings.
    let unread = matches!(row.fault, Injection::NanReading | Injection::BusError);
    if !finite(&end.readings) || (unread && end.readings != before.readings) {
        return Kept::Lost;
    }
    if row.found.is_none() {
        // Nothing changes while the motors are off.
        let off = matches!(row.state, State::Idle | State::Fault);
        return match (off, end.same(began)) {
            (true, true) => Kept::All,
            (false, _) if end.is_finite() => Kept::GoesOn,
            _ => Kept::Lost,
        };
    }
    // The last good knowledge: with good readings that of the tick that found the fault, but without a refused target.
    let good = match row.code {
        Code::Saturated | Code::TrackingError | Code::Control => *after,
        Code::Refused | Code::Silent => Known { reference: before.reference, ..*after },
        _ => *before,
    };
    match row.code {
        _ if end.same(&good) && end.is_finite() => Kept::All,
        _ if end.reference != good.reference || !finite(end.reference.as_flattened()) => Kept::Lost,
        Code::Control => Kept::Reference,
        Code::Refused | Code::Silent | Code::Saturated if end.is_finite() => Kept::Held,
        _ => Kept::Lost,
    }
}

/// What a loop knows of its machine, in bits.
#[derive(Clone, Copy)]
struct Known {
    /// Position and velocity of the observer.
    estimate: [[u32; 4]; 2],
    /// Position, velocity and acceleration that the path has.
    reference: [[u32; 4]; 3],
    /// What the encoders read last.
    readings: [u32; 2],
}

impl Known {
    fn same(&self, other: &Self) -> bool {
        (self.estimate, self.reference) == (other.estimate, other.reference)
    }

    fn is_finite(&self) -> bool {
        finite(self.estimate.as_flattened()) && finite(self.reference.as_flattened())
    }
}

fn finite(bits: &[u32]) -> bool {
    bits.iter().all(|bits| f32::from_bits(*bits).is_finite())
}

fn bits<const N: usize>(vector: &Vector<f32, N>) -> [u32; N] {
    vector.data.0[0].map(f32::to_bits)
}

/// The safer of two outputs: off, then held, then following.
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
            Output::Off => sample.efforts == [0.0; 2] && self.program.brakes_are_closed(),
            Output::Held => true,
            Output::Following => sample.state != State::Fault,
        };
        self.safe &= within && quiet && sample.place.iter().all(|number| number.is_finite());
        sample
    }

    /// Whether the machine has the safe output of a fault.
    fn answered(&self, sample: &Sample) -> bool {
        let off = sample.output == Output::Off && self.program.brakes_are_closed();
        sample.state == State::Fault && (off || sample.output == Output::Held)
    }

    fn known(&mut self) -> Known {
        let readings = bits(&self.program.state().record().readings);
        let path = self.program.state().reference();
        let reference = [bits(&path.position), bits(&path.velocity), bits(&path.acceleration)];
        let observer = self.program.state().law();
        Known { estimate: [bits(observer.position()), bits(observer.velocity())], reference, readings }
    }

    /// Makes a request; a refused one changes nothing.
    fn ask(&mut self, request: Request) {
        let _ = self.program.request(request);
    }

    fn run(&mut self, ticks: u32) {
        for _ in 0..ticks {
            self.tick(None);
        }
    }

    fn run_until(&mut self, state: State) {
        for _ in 0..PATIENCE {
            if self.program.state().state() == state {
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

    /// Whether the loop returns to its path, and each of its ticks equals that of a new loop with a machine in the same state.
    fn restarts(&mut self) -> Result<bool, Unusable> {
        self.run(50);
        self.ask(Request::Reset);
        if self.program.state().state() != State::Idle {
            // Loops without a fault are stopped, so that they show a start, too.
            self.ask(Request::Stop);
            self.run(20);
        }
        let _ = self.program.restore();
        let before = self.program.state().faults();
        let mut new = Self { program: program(Options::default(), PERIOD)?, ..*self };
        new.program.take_machine_of(&self.program);
        self.ask(Request::Run);
        new.ask(Request::Run);
        let (mut same, mut running) = (true, 0);
        for _ in 0..PATIENCE {
            let (sample, of_new) = (self.tick(None), new.tick(None));
            same &= shown(&sample) == shown(&of_new);
            running += u32::from(sample.state == State::Running);
            if running > 300 {
                let on_path = sample.state == State::Running && sample.error < ON_PATH;
                return Ok(same && on_path && self.program.state().faults() == before);
            }
        }
        Ok(false)
    }
}

/// The bits of a sample, without its number and its times.
fn shown(sample: &Sample) -> (State, Output, Code, [[u32; 2]; 4]) {
    let Sample { state, output, code, place, target, efforts, error, residual, .. } = *sample;
    (state, output, code, [place, target, efforts, [error, residual]].map(|pair| pair.map(f32::to_bits)))
}
