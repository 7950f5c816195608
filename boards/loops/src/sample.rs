//! The record of a tick of a program, and the summary of all ticks.

use taut::supervise::{Code, Output, State, Timing};

/// The record of a tick, the same for all programs whose path has `D` numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<const D: usize = 2> {
    /// The tick.
    pub tick: u64,
    /// The state of the loop after the tick.
    pub state: State,
    /// What the motors get.
    pub output: Output,
    /// The kind of the fault, in the fault state.
    pub code: Code,
    /// Where the tip, the load or the bob is, in metres.
    pub place: [f32; D],
    /// The point on the path while it runs; otherwise the place.
    pub target: [f32; D],
    /// The distance between place and target, in metres.
    pub error: f32,
    /// The largest constraint residual of the machine, as its model writes it.
    pub residual: f32,
    /// The efforts of the motors, in newton metres or newtons; zero for a missing motor.
    pub efforts: [f32; D],
    /// How late it began and how long it took, in counts of the board's clock.
    pub timing: Timing,
}

/// The summary of all ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// How many ticks the loop was called for.
    pub calls: u32,
    /// How many of them ended in the running state.
    pub running: u32,
    /// The largest distance from the path while it ran, in metres.
    pub worst_error: f32,
    /// The largest constraint residual of the machine, as its model writes it.
    pub worst_residual: f32,
    /// The largest lateness and execution time, without the simulated machine, in counts of the board's clock; the number of late ticks.
    pub timing: Timing,
    /// How many faults there were.
    pub faults: u32,
    /// The last fault.
    pub last_fault: Code,
    /// How many steps of the simulated machine failed.
    pub stuck: u32,
    /// A hash of all samples without their times: equal if the telemetry is equal bit for bit.
    pub digest: u32,
}

impl Summary {
    pub(crate) fn new() -> Self {
        Self {
            calls: 0,
            running: 0,
            worst_error: 0.0,
            worst_residual: 0.0,
            timing: Timing::default(),
            faults: 0,
            last_fault: Code::None,
            stuck: 0,
            // FNV-1a, a word at a time.
            digest: 0x811c_9dc5,
        }
    }

    pub(crate) fn add<const D: usize>(&mut self, sample: &Sample<D>) {
        self.calls = self.calls.wrapping_add(1);
        if sample.state == State::Running {
            self.running = self.running.wrapping_add(1);
            self.worst_error = larger(self.worst_error, sample.error);
        }
        self.worst_residual = larger(self.worst_residual, sample.residual);
        self.timing = sample.timing;
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

/// The larger one; NaN if `b` is NaN, so that it shows.
fn larger(a: f32, b: f32) -> f32 {
    if a >= b { a } else { b }
}
