//! Every fault in every state of a loop: what it leads to, what the machine gets, what the loop still knows, and how it starts again.
//!
//! The machine is the five-bar linkage of [`five_bar`](crate::five_bar). Each row begins with a new one, brings it into its state, injects its fault for [`LASTING`]
//! ticks, or gives it a plan that leads astray and lets it run, then takes the fault away, resets the loop where that is needed, and lets it run again.
//!
//! # How long until a fault is found
//!
//! The answer comes in the tick in which a fault is found, always: the machine has its safe output when that tick ends. What one tick
//! can tell is found in the tick that has it, `0` in the table. The others take the time that it takes to tell them from what
//! is no fault:
//!
//! - A **stuck encoder** is one that reads the same while its target moves by more than `stuck_travel`, 0.02 rad: on the path, at 2.7 rad/s
//!   of the crank, 8 ticks; on the way home, where the crank is about to turn back, 82. At rest the target does not move that far, and
//!   there it does no harm.
//! - **Late ticks** are borne up to `most_skipped`, 4, in a row; the fifth is the fault.
//! - A **weak motor** lets the machine fall behind, by its weight and with its inertia. The fault is an encoder that is off by more than
//!   `largest_error`, 0.1 rad, after 41 ticks on the path, where the target moves as well; or an effort that is at its limit for longer than `patience`, 20 ticks,
//!   which it reaches 26 and 27 ticks after the fault has begun.
//! - A **target out of reach** and a **singular pose** are found in the tick in which the path gets there: near both the cranks would have to turn
//!   faster than their limit, 8 rad/s, which is 246 ticks and 252 on the way, and half a second more with the way home before it.
//!
//! # What is kept
//!
//! Without readings that are believed, the loop's knowledge is bit for bit what it was before the tick in which the fault was found: the
//! estimate of its observer, and the reference of its path. With them, it is that of this tick. Where the machine is held, the observer
//! goes on. The one fault that destroys knowledge is a corrupted memory of the controller: of that the estimate is gone, and is found anew from
//! the readings, as in every start. After the reset, the loop runs bit for bit like a new one at a machine in the same state: nothing
//! of the fault is left in it, and the machine goes on from where it was.

use core::fmt;

use taut::control::supervisor::{Code, Injection, Output, Request, State};
use taut::linalg::Vector;

use crate::five_bar::{Program, program};
use crate::{Options, Sample, Unusable};

/// For how many ticks a fault lasts.
pub const LASTING: u32 = 100;
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
    /// How many ticks after it was found the machine had its safe output: none, if in the same tick.
    pub answered: Option<u32>,
    /// What the motors got in the tick in which it was found, or from then on at worst.
    pub output: Output,
    /// How many ticks were skipped.
    pub skipped: u32,
    /// What the loop still knew at its end.
    pub kept: Kept,
    /// Whether everything was safe: no tick drove the motors with what is not finite or above their limits, or along a path
    /// after the fault was found, brakes were closed where motors were off, and the machine could be simulated throughout.
    pub safe: bool,
    /// Whether the loop ran again afterwards, on its path, without another fault, and bit for bit like a new one.
    pub restarted: bool,
}

/// What a loop still knows after a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Kept {
    /// Estimate and reference, bit for bit.
    All,
    /// The reference, bit for bit; the estimate goes on with the machine that is held.
    Held,
    /// It goes on, because there is no fault.
    GoesOn,
    /// The reference, bit for bit; of the estimate the fault has left nothing.
    Reference,
    /// Not that.
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
    pub const HEADER: &'static str = "fault             state   | after   reason    found in  after ticks  answered  output     skipped | kept       safe  restarted";
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let yes = |is: bool| if is { "yes" } else { "NO" };
        let Self { fault, state, after, code, found, answered, output, skipped, kept, safe, restarted } = self;
        write!(f, "{fault:<17} {state:<7} | {after:<7} {:<9} ", code.name())?;
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
    let before = bench.program.supervisor().faults();
    let skipped = bench.program.supervisor().timing().skipped;

    let of_plan = matches!(fault, Injection::InfeasibleTarget | Injection::SingularPose);
    let mut row = Row {
        fault,
        state,
        after: state,
        code: Code::None,
        found: None,
        answered: None,
        output: Output::Following,
        skipped: 0,
        kept: Kept::Lost,
        safe: true,
        restarted: false,
    };
    if of_plan {
        // One that is refused does no harm.
        let _ = bench.program.divert(fault);
        bench.ask(Request::Run);
    }
    let began = bench.known();
    // Before the tick in which it is found, and after it.
    let mut around = [began; 2];
    for ticks in 0..if of_plan { PATIENCE } else { LASTING } {
        let doing = bench.program.supervisor().state();
        let knew = bench.known();
        let sample = bench.tick(Some(fault));
        let found = bench.program.supervisor().faults() > before;
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
        if of_plan && row.found.is_some_and(|(_, since)| ticks >= since + LASTING) {
            break;
        }
        row.output =
            if found || sample.output == Output::Off { worse(row.output, sample.output) } else { sample.output };
    }
    row.skipped = bench.program.supervisor().timing().skipped - skipped;
    row.kept = kept(&row, &began, &around, &bench.known());
    row.restarted = bench.restarts()?;
    row.safe = bench.safe && bench.program.summary().stuck == 0;
    Ok(row)
}

/// What of the last good knowledge is still there in the end.
fn kept(row: &Row, began: &Known, [before, after]: &[Known; 2], end: &Known) -> Kept {
    // Those that can be had are in the record whatever they are; those that can not, do not take the place of the last good ones.
    let unread = matches!(row.fault, Injection::NanReading | Injection::BusError);
    if !finite(&end.readings) || (unread && end.readings != before.readings) {
        return Kept::Lost;
    }
    if row.found.is_none() {
        // Nothing moves in what is off.
        let off = matches!(row.state, State::Idle | State::Fault);
        return match (off, end.same(began)) {
            (true, true) => Kept::All,
            (false, _) if end.is_finite() => Kept::GoesOn,
            _ => Kept::Lost,
        };
    }
    // The last good one: with readings that are believed, that of the tick in which it was found. A target that is refused is none.
    let good = match row.code {
        Code::Saturated | Code::TooFar | Code::Control => *after,
        Code::Refused => Known { reference: before.reference, ..*after },
        _ => *before,
    };
    match row.code {
        _ if end.same(&good) && end.is_finite() => Kept::All,
        _ if end.reference != good.reference || !finite(end.reference.as_flattened()) => Kept::Lost,
        Code::Control => Kept::Reference,
        Code::Refused | Code::Saturated if end.is_finite() => Kept::Held,
        _ => Kept::Lost,
    }
}

/// What a loop knows of its machine, in bits.
#[derive(Clone, Copy)]
struct Known {
    /// Position and velocity that the observer believes.
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
        let readings = bits(&self.program.supervisor().record().readings);
        let path = self.program.supervisor().reference();
        let reference = [bits(&path.position), bits(&path.velocity), bits(&path.acceleration)];
        let observer = self.program.supervisor_mut().law().inner();
        Known { estimate: [bits(observer.position()), bits(observer.velocity())], reference, readings }
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

    /// Whether it comes back to its path, and each of its ticks is that of a new loop at a machine in the same state.
    fn restarts(&mut self) -> Result<bool, Unusable> {
        self.run(50);
        self.ask(Request::Reset);
        if self.program.supervisor().state() != State::Idle {
            // Whoever came through is to show that the beginning works, too.
            self.ask(Request::Stop);
            self.run(20);
        }
        let _ = self.program.restore();
        let before = self.program.supervisor().faults();
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
                return Ok(same && on_path && self.program.supervisor().faults() == before);
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
