//! What a tick of a program was like, and what all of them were like.

use taut::control::supervisor::{Code, Output, State, Timing};

/// What a tick was like, the same for all programs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Sample {
    /// The tick.
    pub tick: u64,
    /// What the loop is doing after it.
    pub state: State,
    /// What the motors get.
    pub output: Output,
    /// Why it stopped, in the fault state.
    pub code: Code,
    /// Where the tip, the load or the bob is, in metres.
    pub place: [f32; 2],
    /// Where the path has it, while it runs; where it is, otherwise.
    pub target: [f32; 2],
    /// How far that is, in metres.
    pub error: f32,
    /// The largest constraint residual of the machine, as its model writes it.
    pub residual: f32,
    /// What the motors were driven with, in newton metres or newtons; zero for a motor that it does not have.
    pub efforts: [f32; 2],
    /// How late it began and how long it took, in counts of the board's clock.
    pub timing: Timing,
}

/// What all ticks were like.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Summary {
    /// How many ticks the loop was called for.
    pub calls: u32,
    /// How many of them ended in the running state.
    pub running: u32,
    /// The largest distance from the path while it ran, in metres.
    pub worst_error: f32,
    /// The largest constraint residual of the machine, as its model writes it.
    pub worst_residual: f32,
    /// How many ticks were skipped because they were late.
    pub skipped: u32,
    /// How many ticks ended after the next one's release.
    pub overruns: u32,
    /// How late a tick that was not skipped began at most, in counts of the board's clock.
    pub worst_lateness: u32,
    /// How long a tick took at most, in counts of the board's clock, without the simulated machine.
    pub worst_execution: u32,
    /// How many faults there were.
    pub faults: u32,
    /// The last fault.
    pub last_fault: Code,
    /// How many steps of the simulated machine were not possible.
    pub stuck: u32,
    /// Of the bits of all samples without their times: equal where the telemetry is equal bit for bit.
    pub digest: u32,
}

impl Summary {
    pub(crate) fn new() -> Self {
        Self {
            calls: 0,
            running: 0,
            worst_error: 0.0,
            worst_residual: 0.0,
            skipped: 0,
            overruns: 0,
            worst_lateness: 0,
            worst_execution: 0,
            faults: 0,
            last_fault: Code::None,
            stuck: 0,
            // FNV-1a, a word at a time.
            digest: 0x811c_9dc5,
        }
    }

    pub(crate) fn add(&mut self, sample: &Sample) {
        self.calls = self.calls.wrapping_add(1);
        if sample.state == State::Running {
            self.running = self.running.wrapping_add(1);
            self.worst_error = larger(self.worst_error, sample.error);
        }
        self.worst_residual = larger(self.worst_residual, sample.residual);
        let Timing { worst_lateness, worst_execution, skipped, overruns, .. } = sample.timing;
        (self.worst_lateness, self.worst_execution) = (worst_lateness, worst_execution);
        (self.skipped, self.overruns) = (skipped, overruns);
        if sample.code != Code::None {
            self.last_fault = sample.code;
        }
        self.mix(sample.tick as u32);
        self.mix(
            u32::from(sample.state as u8) | u32::from(sample.output as u8) << 8 | u32::from(sample.code as u8) << 16,
        );
        let numbers = [sample.error, sample.residual];
        for number in sample.place.iter().chain(&sample.target).chain(&sample.efforts).chain(&numbers) {
            self.mix(number.to_bits());
        }
    }

    fn mix(&mut self, word: u32) {
        self.digest = (self.digest ^ word).wrapping_mul(0x0100_0193);
    }
}

/// The larger one; NaN where there is one, so that it is seen.
fn larger(a: f32, b: f32) -> f32 {
    if a >= b { a } else { b }
}
