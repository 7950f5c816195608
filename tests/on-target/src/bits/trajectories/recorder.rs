//! Limits the length of a run, prints its hash at several steps, and counts the cost of its steps.

use super::super::hash::{Absorb, Hash};
use super::Run;

#[cfg(target_os = "none")]
use crate::measure::counter;
#[cfg(target_os = "none")]
use semihosting::println;
#[cfg(not(target_os = "none"))]
use std::println;

/// The number of steps before the first hash. Every run makes at least this many, unless its own limit is below.
const FIRST: u64 = 100;

/// The limits of the runs: the three arguments of the program, in this order.
#[derive(Clone, Copy)]
pub struct Limits {
    /// The most steps of a run.
    pub steps: u64,
    /// The most instructions of a run. If 0, the steps are counted instead of hashed.
    pub instructions: u64,
    /// The number of the [`Processor`] whose costs apply.
    pub processor: u64,
}

/// A kind of processor, by its floating-point hardware, which determines the cost of a step. `xtask` uses the same numbers.
#[derive(Clone, Copy, PartialEq)]
pub enum Processor {
    /// Single and double precision in hardware: this computer.
    Doubles,
    /// Single precision in hardware, double precision in software.
    Singles,
    /// Both in software.
    Software,
    /// Both in software, on the ARMv6-M instruction set of a Cortex-M0.
    Short,
}

impl Processor {
    const ALL: [Self; 4] = [Self::Doubles, Self::Singles, Self::Software, Self::Short];
}

impl Limits {
    /// The usual limits of the tests: min(1e6, 2e8 ÷ cost of a step) steps. Every run prints a hash where a usual run ends on any
    /// processor.
    const USUAL: Self = Self { steps: 1_000_000, instructions: 200_000_000, processor: 0 };

    /// The number of steps of a run on a processor.
    fn steps_on(&self, run: &Run, processor: Processor) -> u64 {
        ((self.instructions / run.cost(processor)).min(self.steps) / run.share).max(FIRST).min(run.max_steps)
    }

    /// Makes a run and prints its hashes or its cost.
    pub fn make(&self, run: &Run) {
        let first = FIRST.min(run.max_steps);
        let hashed = Hashed { first, ends: Processor::ALL.map(|processor| Self::USUAL.steps_on(run, processor)) };
        let is_counted = self.instructions == 0;
        let end = if is_counted {
            self.steps
        } else {
            let processor = usize::try_from(self.processor).ok().and_then(|number| Processor::ALL.get(number));
            hashed.last(self.steps_on(run, *processor.expect("a processor's number")))
        };
        let counts = is_counted.then(Counts::start);
        let mut recorder = Recorder { name: run.name, hash: Hash::new(), steps: 0, end, hashed, next: first, counts };
        (run.make)(&mut recorder);
        recorder.print_counts();
    }
}

/// The numbers of steps with a hash: 1e2, 3e2, 1e3, 3e3, …, and the ends of the usual runs on the processors.
struct Hashed {
    first: u64,
    ends: [u64; 4],
}

impl Hashed {
    /// The next one after `steps`.
    fn after(&self, steps: u64) -> u64 {
        let mut next = self.first;
        while next <= steps {
            next = if next.is_multiple_of(3) { next / 3 * 10 } else { next * 3 };
        }
        self.ends.into_iter().filter(|end| *end > steps).fold(next, u64::min)
    }

    /// The last one that is not above `limit`.
    fn last(&self, limit: u64) -> u64 {
        let mut steps = self.first;
        while self.after(steps) <= limit {
            steps = self.after(steps);
        }
        steps
    }
}

/// Hashes every step of a run and prints the hash at several steps.
pub struct Recorder {
    name: &'static str,
    hash: Hash,
    steps: u64,
    end: u64,
    hashed: Hashed,
    /// The step at which the hash is printed next.
    next: u64,
    counts: Option<Counts>,
}

/// The counter's reading when a step began, and the sum of the ticks of all steps.
struct Counts {
    #[cfg(target_os = "none")]
    begin: u32,
    sum: u64,
}

impl Counts {
    fn start() -> Self {
        #[cfg(target_os = "none")]
        counter::start();
        Self {
            #[cfg(target_os = "none")]
            begin: 0,
            sum: 0,
        }
    }
}

impl Recorder {
    /// Whether the run goes on. Call it before every step: it also starts counting the step.
    #[inline]
    pub fn wants_more(&mut self) -> bool {
        #[cfg(target_os = "none")]
        if let Some(counts) = &mut self.counts {
            counts.begin = counter::read();
        }
        self.steps < self.end
    }

    /// Hashes or counts a step.
    #[inline]
    pub fn record(&mut self, position: &impl Absorb, velocity: &impl Absorb, multipliers: &impl Absorb) {
        #[cfg(target_os = "none")]
        if let Some(counts) = &mut self.counts {
            counts.sum += u64::from(counter::elapsed(counts.begin, counter::read()));
            self.steps += 1;
            return;
        }
        position.absorb(&mut self.hash);
        velocity.absorb(&mut self.hash);
        multipliers.absorb(&mut self.hash);
        self.steps += 1;
        if self.steps == self.next {
            self.print();
            self.next = self.hashed.after(self.steps);
        }
    }

    /// Prints `name, 3e4 steps: hash`, or `name, 689655 steps: hash` where the number is not 1eN or 3eN.
    #[inline(never)]
    fn print(&self) {
        let (name, hash, exponent) = (self.name, self.hash.value(), self.steps.ilog10());
        match self.steps / 10_u64.pow(exponent) {
            digit @ (1 | 3) if digit * 10_u64.pow(exponent) == self.steps => {
                println!("{name}, {digit}e{exponent} steps: {hash:016x}");
            }
            _ => println!("{name}, {} steps: {hash:016x}", self.steps),
        }
    }

    /// Prints `name: ticks`, the sum over all steps.
    fn print_counts(&self) {
        if let Some(counts) = &self.counts {
            println!("{}: {}", self.name, counts.sum);
        }
    }
}
