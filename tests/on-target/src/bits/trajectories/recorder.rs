//! How far a run goes, and its hash on the way.

use super::super::hash::{Absorb, Hash};
use super::Run;

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
    /// What a run in single precision may cost, in the unit of [`Run::cost`].
    pub single: u64,
    /// The same in double precision.
    pub double: u64,
}

impl Limits {
    /// The last number of steps with a hash that a run gets to.
    pub fn steps(&self, run: &Run) -> u64 {
        let affordable = if run.is_double { self.double } else { self.single } / u64::from(run.cost);
        let most = affordable.min(self.steps).min(run.most);
        let mut steps = FIRST;
        while following(steps) <= most {
            steps = following(steps);
        }
        steps
    }
}

/// 1, 3, 10, 30, 100, …
const fn following(steps: u64) -> u64 {
    if has_leading_three(steps) { steps / 3 * 10 } else { steps * 3 }
}

const fn has_leading_three(steps: u64) -> bool {
    steps.is_multiple_of(3)
}

/// Takes every step of a run in, and prints the hash now and then.
pub struct Recorder {
    name: &'static str,
    hash: Hash,
    steps: u64,
    next: u64,
    last: u64,
}

impl Recorder {
    /// For a run of so many steps.
    pub fn new(name: &'static str, last: u64) -> Self {
        Self { name, hash: Hash::new(), steps: 0, next: FIRST, last }
    }

    /// Whether the run is not at its end yet.
    pub fn wants_more(&self) -> bool {
        self.steps < self.last
    }

    /// Takes a step in.
    pub fn record(&mut self, position: &impl Absorb, velocity: &impl Absorb, multipliers: &impl Absorb) {
        position.absorb(&mut self.hash);
        velocity.absorb(&mut self.hash);
        multipliers.absorb(&mut self.hash);
        self.steps += 1;
        if self.steps == self.next {
            self.print();
            self.next = following(self.next);
        }
    }

    /// `name, 3e4 steps: hash`.
    #[inline(never)]
    fn print(&self) {
        let digit = if has_leading_three(self.steps) { 3 } else { 1 };
        println!("{}, {digit}e{} steps: {:016x}", self.name, self.steps.ilog10(), self.hash.value());
    }
}
