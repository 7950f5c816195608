//! Counts every tick of a loop: those that follow the path, also with saturated motors; those that find a fault; and those of the hold
//! after the fault.

use core::hint::black_box;

use on_target::measure::{counter, paint, painted_over};
use semihosting::println;
use taut::control::{Clip, ControlError};
use taut::device::Machine;
use taut::supervise::{Latched, Reason};

/// Whether floating-point arithmetic is in software. Its cost then depends on the operands, and no number of ticks would find the
/// costliest one, so fewer ticks and only the first run are counted.
const SOFTWARE: bool = cfg!(all(target_arch = "arm", not(target_abi = "eabihf")));
const LONGEST: usize = if SOFTWARE { 600 } else { 10_000 };

/// The number of counted runs.
pub const RUNS: usize = if SOFTWARE { 1 } else { usize::MAX };

/// The number of counted ticks of the hold after each fault.
const HELD: usize = 200;

/// The machine of a loop: only memory, so that a tick contains no plant.
#[derive(Clone, Copy)]
pub struct Registers<const E: usize, const U: usize> {
    pub readings: [f32; E],
    pub efforts: [f32; U],
    /// Whether the motors refuse to be driven.
    pub powerless: bool,
}

/// The motors refuse to be driven.
#[derive(Clone, Copy, Debug)]
pub struct Powerless;

impl<const E: usize, const U: usize> Machine<f32, E, U> for Registers<E, U> {
    type Error = Powerless;

    #[inline(always)]
    fn read(&mut self) -> Result<[f32; E], Powerless> {
        Ok(self.readings)
    }

    #[inline(always)]
    fn drive(&mut self, efforts: &[f32; U], _: &[f32; U]) -> Result<(), Powerless> {
        if self.powerless {
            return Err(Powerless);
        }
        self.efforts = *efforts;
        Ok(())
    }
}

/// A loop with its state, which knows why it stopped.
pub trait Stops: Clone {
    /// The fault that stopped it.
    fn latched(&self) -> Option<&Latched<f32>>;

    /// What kept its motors from what was wanted.
    fn clips(&self) -> &[Clip];
}

/// A counted tick: reads the loop from memory and writes its record to memory.
pub type Tick<Loop, const E: usize, const U: usize> = fn(&mut Loop, &mut Registers<E, U>) -> Option<Powerless>;

/// The fault of a run.
#[derive(Clone, Copy, PartialEq)]
pub enum Trouble {
    /// None: every tick follows the path.
    None,
    /// Actuators at their limits, which the loop tolerates.
    Limits,
    /// The loop itself finds a fault of this kind.
    Found(&'static str),
    /// At this tick, an encoder reads this value.
    Reading(usize, f32),
    /// At this tick, the motors refuse to be driven.
    Powerless(usize),
}

/// The costs of the ticks of one loop, over all its runs.
pub struct Costs<Loop, const E: usize, const U: usize> {
    name: &'static str,
    tick: Tick<Loop, E, U>,
    cheapest: u32,
    costliest: u32,
    idle: u32,
    stack: usize,
    count: usize,
    /// The costliest of each kind.
    failures: [(&'static str, u32); 12],
}

impl<Loop: Stops, const E: usize, const U: usize> Costs<Loop, E, U> {
    /// The costs of a loop before the first run.
    pub fn of(name: &'static str, tick: Tick<Loop, E, U>) -> Self {
        Self { name, tick, cheapest: u32::MAX, costliest: 0, idle: 0, stack: 0, count: 0, failures: [("", 0); 12] }
    }

    /// Counts a run of at most `ticks` ticks. `machine` simulates one tick, from efforts to readings. After a fault, the run ends after
    /// [`HELD`] ticks of the hold.
    pub fn run(
        &mut self,
        mut tracking: Loop,
        mut machine: impl FnMut(&mut Registers<E, U>),
        mut wires: Registers<E, U>,
        ticks: usize,
        trouble: Trouble,
    ) {
        let name = self.name;
        self.idle = self.idle.max(measured(nothing::<Loop, E, U>, &mut tracking, &mut wires).0);
        let (mut held, mut clipped, mut found) = (0, false, None);
        for number in 0..ticks.min(LONGEST) {
            match trouble {
                Trouble::Reading(at, reading) if number == at => wires.readings[0] = reading,
                Trouble::Powerless(at) => wires.powerless = number == at,
                _ => {}
            }
            if number % 100 == 0 {
                let stack = stack(self.tick, &mut tracking.clone(), &mut wires.clone());
                self.stack = self.stack.max(stack.expect("the tick's stack is within the paint"));
            }
            let (ticks, _) = measured(self.tick, &mut tracking, &mut wires);
            match tracking.latched() {
                None => {
                    // The first tick has no last reading to compare with.
                    let cheapest = if number == 0 { self.cheapest } else { self.cheapest.min(ticks) };
                    (self.cheapest, self.costliest) = (cheapest, self.costliest.max(ticks));
                    self.count += 1;
                    clipped |= tracking.clips().iter().any(|clip| *clip != Clip::None);
                }
                Some(latched) if found.is_none() => {
                    let kind = kind(&latched.reason);
                    found = Some(kind);
                    self.fail(kind, ticks);
                }
                Some(_) => {
                    held += 1;
                    self.fail("Hold", ticks);
                }
            }
            if held == HELD {
                break;
            }
            machine(&mut wires);
        }
        let expected = match trouble {
            Trouble::None | Trouble::Limits => None,
            Trouble::Found(kind) => Some(kind),
            Trouble::Reading(_, reading) if reading.is_nan() => Some("Blind"),
            Trouble::Reading(..) => Some("Jump"),
            Trouble::Powerless(_) => Some("Powerless"),
        };
        assert!(found == expected, "{name}: {found:?} instead of {expected:?}");
        assert!(clipped || trouble != Trouble::Limits, "{name}: no actuator was at its limit");
    }

    fn fail(&mut self, kind: &'static str, ticks: u32) {
        let place = self.failures.iter_mut().find(|(known, _)| *known == kind || known.is_empty());
        let (known, max_ticks) = place.expect("at most 12 kinds of failures");
        (*known, *max_ticks) = (kind, ticks.max(*max_ticks));
    }

    /// Prints, for the ticks that follow the path: the cheapest, the costliest, an empty one, the bytes of stack and their number. Then
    /// prints the costliest tick of every other kind.
    pub fn print(&self) {
        let Self { name, cheapest, costliest, idle, stack, count, .. } = self;
        println!("step {name} {cheapest} {costliest} {idle} {stack} {count}");
        for (kind, ticks) in self.failures.iter().filter(|(kind, _)| !kind.is_empty()) {
            println!("failure {name} {kind} {ticks}");
        }
    }
}

/// The kind of a fault.
fn kind(reason: &Reason<f32>) -> &'static str {
    match reason {
        Reason::Refused(error) => refused(error),
        Reason::Saturated { .. } => "Saturated",
        Reason::TrackingError { .. } => "TrackingError",
        Reason::Reading { .. } => "Blind",
        Reason::Jump { .. } => "Jump",
        Reason::Device => "Powerless",
        Reason::Control(_) => "Control",
        _ => "Other",
    }
}

/// The reason why a target is refused.
fn refused(error: &ControlError<f32>) -> &'static str {
    match error {
        ControlError::Exceeded { what: "velocity", .. } => "TooFast",
        ControlError::Exceeded { what: "input", .. } => "TooStrong",
        ControlError::Slack { .. } => "Slack",
        ControlError::Unreachable { .. } => "Unreachable",
        ControlError::NotContracting { .. } => "NotContracting",
        ControlError::Singular { .. } => "Singular",
        _ => "Refused",
    }
}

/// An empty tick, called in the same way.
fn nothing<Loop, const E: usize, const U: usize>(_: &mut Loop, _: &mut Registers<E, U>) -> Option<Powerless> {
    None
}

/// Makes a tick and counts it. The same instructions call every tick.
#[inline(never)]
fn measured<Loop, Wires, R>(tick: fn(&mut Loop, &mut Wires) -> R, tracking: &mut Loop, wires: &mut Wires) -> (u32, R) {
    let tick = black_box(tick);
    let begin = counter::read();
    let report = tick(black_box(tracking), black_box(wires));
    let end = counter::read();
    (counter::elapsed(begin, end), black_box(report))
}

/// Makes a tick and measures its stack.
#[inline(never)]
fn stack<Loop, Wires, R>(
    tick: fn(&mut Loop, &mut Wires) -> R,
    tracking: &mut Loop,
    wires: &mut Wires,
) -> Option<usize> {
    let tick = black_box(tick);
    let top = paint();
    let report = tick(black_box(tracking), black_box(wires));
    black_box(&report);
    painted_over(top)
}
