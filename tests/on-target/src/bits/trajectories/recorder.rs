//! How far a run goes, its hash on the way, and what its steps cost.

use super::super::hash::{Absorb, Hash};
use super::Run;

#[cfg(target_os = "none")]
use crate::measure::counter;
#[cfg(target_os = "none")]
use semihosting::println;
#[cfg(not(target_os = "none"))]
use std::println;

/// The number of steps after which the hash is printed first; every run gets that far.
const FIRST: u64 = 100;

/// How far the runs of a program go. Its three arguments, in this order.
#[derive(Clone, Copy)]
pub struct Limits {
    /// No run makes more steps.
    pub steps: u64,
    /// What the steps of a run may cost together. If that is nothing, they are not hashed, but counted.
    pub instructions: u64,
    /// Which of the costs of a step count: the number of a [`Processor`].
    pub processor: u64,
}

/// What a processor calculates with, which decides what a step costs.
#[derive(Clone, Copy, PartialEq)]
pub enum Processor {
    /// All in hardware: this computer.
    Doubles,
    /// Single precision in hardware, double precision in software.
    Singles,
    /// Both in software.
    Software,
    /// Both in software, with the short instructions of a Cortex-M0.
    Short,
}

impl Processor {
    const ALL: [Self; 4] = [Self::Doubles, Self::Singles, Self::Software, Self::Short];
}

impl Limits {
    /// How far the tests go on every target: min(1e6, 2e8 ÷ the cost of a step). Where that ends on any of them, there is a hash,
    /// whatever the limits.
    const USUAL: Self = Self { steps: 1_000_000, instructions: 200_000_000, processor: 0 };

    /// The number of steps that a run may make on a processor.
    fn steps_on(&self, run: &Run, processor: Processor) -> u64 {
        ((self.instructions / run.cost(processor)).min(self.steps) / run.share).min(run.most).max(FIRST)
    }

    /// Makes a run that is hashed on the way, or counted.
    pub fn make(&self, run: &Run) {
        let hashed = Hashed { ends: Processor::ALL.map(|processor| Self::USUAL.steps_on(run, processor)) };
        let is_counted = self.instructions == 0;
        let end = if is_counted {
            self.steps
        } else {
            let processor = usize::try_from(self.processor).ok().and_then(|number| Processor::ALL.get(number));
            hashed.last(self.steps_on(run, *processor.expect("a processor's number")))
        };
        let counts = is_counted.then(Counts::start);
        let mut recorder = Recorder { name: run.name, hash: Hash::new(), steps: 0, end, hashed, next: FIRST, counts };
        (run.make)(&mut recorder);
        recorder.print_counts();
    }
}

/// The numbers of steps with a hash: 1e2, 3e2, 1e3, 3e3, …, and the ends of the usual runs on the processors.
struct Hashed {
    ends: [u64; 4],
}

impl Hashed {
    /// The one that follows.
    fn after(&self, steps: u64) -> u64 {
        let mut next = FIRST;
        while next <= steps {
            next = if next.is_multiple_of(3) { next / 3 * 10 } else { next * 3 };
        }
        self.ends.into_iter().filter(|end| *end > steps).fold(next, u64::min)
    }

    /// The last one up to this.
    fn last(&self, most: u64) -> u64 {
        let mut steps = FIRST;
        while self.after(steps) <= most {
            steps = self.after(steps);
        }
        steps
    }
}

/// Takes every step of a run in, and prints the hash now and then.
pub struct Recorder {
    name: &'static str,
    hash: Hash,
    steps: u64,
    end: u64,
    hashed: Hashed,
    /// When the hash is printed next.
    next: u64,
    counts: Option<Counts>,
}

/// What the machine's counter showed when a step began, and the sum over all steps.
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
    /// Whether the run is not at its end yet: asked before every step.
    #[inline]
    pub fn wants_more(&mut self) -> bool {
        #[cfg(target_os = "none")]
        if let Some(counts) = &mut self.counts {
            counts.begin = counter::read();
        }
        self.steps < self.end
    }

    /// Takes a step in.
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

    /// `name, 3e4 steps: hash`, or at an end that is no such number `name, 689655 steps: hash`.
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

    /// `name: ticks`, of all steps.
    fn print_counts(&self) {
        if let Some(counts) = &self.counts {
            println!("{}: {}", self.name, counts.sum);
        }
    }
}
