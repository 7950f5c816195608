//! What the ticks of a loop cost, each counted by itself: those that follow, to which saturated ones belong, those that find a fault, and
//! those of the hold after it.

use core::hint::black_box;
use core::mem::MaybeUninit;

use on_target::measure::{counter, paint, painted_over};
use semihosting::println;
use taut::control::{Clip, ControlError, Fault, LoopError, Machine, TickReport};

/// Without instructions for floating-point numbers, what an addition costs depends on the numbers, and no number of ticks would show the
/// dearest: so many suffice, and no run but the first.
const SOFTWARE: bool = cfg!(all(target_arch = "arm", not(target_abi = "eabihf")));
const LONGEST: usize = if SOFTWARE { 600 } else { 10_000 };

/// How many runs are counted.
pub const RUNS: usize = if SOFTWARE { 1 } else { usize::MAX };

/// The ticks of the hold that are counted after each fault.
const HELD: usize = 200;

/// What a loop is wired to here: memory, so that a tick is the loop's own and not a plant's.
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
    fn drive(&mut self, efforts: &[f32; U]) -> Result<(), Powerless> {
        if self.powerless {
            return Err(Powerless);
        }
        self.efforts = *efforts;
        Ok(())
    }
}

/// What a tick comes back with.
pub type Outcome<const E: usize, const U: usize> = Result<TickReport<f32, E, U>, LoopError<f32, Powerless>>;

/// A counted tick: takes the loop from memory and leaves the whole report in memory.
pub type Tick<Loop, const E: usize, const U: usize> = fn(&mut Loop, &mut Registers<E, U>) -> Outcome<E, U>;

/// What goes wrong in a run.
#[derive(Clone, Copy, PartialEq)]
pub enum Trouble {
    /// Nothing: every tick follows.
    None,
    /// Nothing but actuators at their limits, which is borne.
    Limits,
    /// The loop itself finds a fault, of this kind.
    Found(&'static str),
    /// At a tick, an encoder reads this.
    Reading(usize, f32),
    /// At a tick, the motors refuse to be driven.
    Powerless(usize),
}

/// What the ticks of one loop cost, over all its runs.
pub struct Costs<Loop, const E: usize, const U: usize> {
    name: &'static str,
    tick: Tick<Loop, E, U>,
    cheapest: u32,
    dearest: u32,
    idle: u32,
    stack: usize,
    count: usize,
    /// The dearest of each kind.
    failures: [(&'static str, u32); 12],
}

impl<Loop: Clone, const E: usize, const U: usize> Costs<Loop, E, U> {
    /// Of the ticks of a loop, none of which has been counted yet.
    pub fn of(name: &'static str, tick: Tick<Loop, E, U>) -> Self {
        Self { name, tick, cheapest: u32::MAX, dearest: 0, idle: 0, stack: 0, count: 0, failures: [("", 0); 12] }
    }

    /// Counts a run of at most so many ticks. `machine` moves on by a tick, from efforts to readings. A fault ends the run after some
    /// ticks of the hold.
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
                self.stack = self.stack.max(stack.expect("the tick's stack lies within the paint"));
            }
            let (ticks, outcome) = measured(self.tick, &mut tracking, &mut wires);
            match kind(&outcome) {
                None => {
                    (self.cheapest, self.dearest) = (self.cheapest.min(ticks), self.dearest.max(ticks));
                    self.count += 1;
                    clipped |= outcome.is_ok_and(|report| report.clips.iter().any(|clip| *clip != Clip::None));
                }
                Some(kind) if found.is_none() => {
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
            Trouble::Reading(..) => Some("Control"),
            Trouble::Powerless(_) => Some("Powerless"),
        };
        assert!(found == expected, "{name}: {found:?} instead of {expected:?}");
        assert!(clipped || trouble != Trouble::Limits, "{name}: no actuator was at its limit");
    }

    fn fail(&mut self, kind: &'static str, ticks: u32) {
        let place = self.failures.iter_mut().find(|(known, _)| *known == kind || known.is_empty());
        let (known, most) = place.expect("room for every kind of failure");
        (*known, *most) = (kind, ticks.max(*most));
    }

    /// Prints the cheapest tick that follows, the dearest, one that does nothing, bytes of stack, the number of those that follow; and the
    /// dearest of every other kind.
    pub fn print(&self) {
        let Self { name, cheapest, dearest, idle, stack, count, .. } = self;
        println!("step {name} {cheapest} {dearest} {idle} {stack} {count}");
        for (kind, ticks) in self.failures.iter().filter(|(kind, _)| !kind.is_empty()) {
            println!("failure {name} {kind} {ticks}");
        }
    }
}

/// Why a tick does not follow; `None` if it does.
fn kind<const E: usize, const U: usize>(outcome: &Outcome<E, U>) -> Option<&'static str> {
    match outcome {
        Ok(TickReport { fault: None, .. }) => None,
        Ok(TickReport { fault: Some(Fault::Refused(error)), .. }) => Some(refused(error)),
        Ok(TickReport { fault: Some(Fault::Saturated { .. }), .. }) => Some("Saturated"),
        Ok(TickReport { fault: Some(Fault::TooFar { .. }), .. }) => Some("TooFar"),
        Ok(_) => Some("Hold"),
        Err(LoopError::Reading { .. }) => Some("Blind"),
        Err(LoopError::Device(Powerless)) => Some("Powerless"),
        Err(LoopError::Control(_)) => Some("Control"),
    }
}

/// Why a target is refused.
fn refused(error: &ControlError<f32>) -> &'static str {
    match error {
        ControlError::TooFast { .. } => "TooFast",
        ControlError::TooStrong { .. } => "TooStrong",
        ControlError::Slack { .. } => "Slack",
        ControlError::Unreachable { .. } => "Unreachable",
        ControlError::TooFar { .. } => "TargetTooFar",
        ControlError::Singular { .. } => "Singular",
        _ => "Refused",
    }
}

/// The same call, which leaves nothing in the same memory.
fn nothing<Loop, const E: usize, const U: usize>(_: &mut Loop, _: &mut Registers<E, U>) -> MaybeUninit<Outcome<E, U>> {
    MaybeUninit::uninit()
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
