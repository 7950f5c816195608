//! Calls the targets with random bytes: `cargo xtask fuzz --help`.

use std::collections::HashSet;
use std::panic::{catch_unwind, set_hook};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use fuzz::{TARGETS, Target};

const HELP: &str = "Calls every target of tests/fuzz with random bytes, and asserts the library's promises

cargo xtask fuzz [--seconds N] [--seed N] [--target NAME]; by default 60 s, shared by all targets, with seed 1

A failure prints its input, made short. Put it into tests/fuzz/tests/findings.rs. The targets:";

/// What the last panic said.
static LAST: Mutex<String> = Mutex::new(String::new());

/// The value of an option.
fn option(name: &str) -> Option<String> {
    let mut words = std::env::args();
    words.find(|word| word == name)?;
    words.next()
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() >> 11) as usize % count.max(1)
    }

    /// Short random bytes, half of them zero: a zero selects the usual number.
    fn fresh(&mut self) -> Vec<u8> {
        let usual = self.below(8);
        (0..1 + self.below(96)).map(|_| if self.below(8) < usual { 0 } else { self.next() as u8 }).collect()
    }

    /// An input with a few bytes changed, and perhaps the tail of another one.
    fn mutated(&mut self, kept: &[Vec<u8>]) -> Vec<u8> {
        let (mut input, other) = (kept[self.below(kept.len())].clone(), &kept[self.below(kept.len())]);
        for _ in 0..1 + self.below(4) {
            let at = self.below(input.len());
            match self.below(4) {
                0 => input[at] = self.next() as u8,
                1 => input[at] ^= 1 << self.below(8),
                2 => input.insert(at, self.next() as u8),
                _ => drop(input.splice(at.., other[self.below(other.len())..].iter().copied())),
            }
        }
        input.truncate(512);
        input
    }
}

/// Whether an input fails, without a message.
fn fails(target: Target, input: &[u8]) -> bool {
    catch_unwind(|| target(input)).is_err()
}

/// Removes bytes or sets them to zero, as long as the input still fails.
fn shortened(target: Target, mut input: Vec<u8>) -> Vec<u8> {
    for size in [32, 8, 4, 1, 1] {
        let mut at = 0;
        while at < input.len() {
            let (mut shorter, mut plainer) = (input.clone(), input.clone());
            shorter.drain(at..(at + size).min(input.len()));
            plainer[at] = 0;
            let found = [shorter, plainer].into_iter().find(|other| *other != input && fails(target, other));
            at += if found.is_none() { size } else { 0 };
            input = found.unwrap_or(input);
        }
    }
    input
}

/// Calls a target until its time is over. Returns the number of inputs and of calls, or the input that fails.
fn run(target: Target, seed: u64, time: Duration) -> Result<(u64, u64), Vec<u8>> {
    let (mut random, begun) = (Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1), Instant::now());
    // An input that makes a new number of calls got somewhere new.
    let (mut kept, mut seen) = (vec![vec![0; 8]], HashSet::new());
    let (mut inputs, mut calls) = (0, 0);
    while begun.elapsed() < time {
        let input = if random.below(2) == 0 { random.fresh() } else { random.mutated(&kept) };
        let Ok(made) = catch_unwind(|| target(&input)) else { return Err(input) };
        (inputs, calls) = (inputs + 1, calls + made);
        if seen.insert(made) && kept.len() < 4_096 {
            kept.push(input);
        }
    }
    Ok((inputs, calls))
}

fn main() -> ExitCode {
    let (only, number) = (option("--target"), |name| option(name).and_then(|text| text.parse::<f64>().ok()));
    let known = only.as_deref().is_none_or(|only| fuzz::target(only).is_some());
    if std::env::args().any(|word| word == "--help") || !known {
        println!("{HELP} {}", TARGETS.map(|(name, _)| name).join(", "));
        return ExitCode::from(u8::from(!known));
    }
    let (seconds, seed) = (number("--seconds").unwrap_or(60.0), number("--seed").unwrap_or(1.0));
    let chosen = TARGETS.iter().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name));
    let share = Duration::from_secs_f64(seconds / chosen.clone().count() as f64);
    let (mut failures, mut total) = (0, 0);
    set_hook(Box::new(|panic| {
        if let Ok(mut last) = LAST.lock() {
            *last = panic.to_string();
        }
    }));
    println!("{:16} {:>12} {:>14} {:>12}", "target", "inputs", "calls", "calls/s");
    for (name, target) in chosen {
        match run(*target, seed as u64, share) {
            Ok((inputs, calls)) => {
                total += calls;
                println!("{name:16} {inputs:12} {calls:14} {:12.0}", calls as f64 / share.as_secs_f64());
            }
            Err(input) => {
                failures += 1;
                let input = shortened(*target, input);
                fails(*target, &input);
                let message = LAST.lock().map(|last| last.clone()).unwrap_or_default();
                println!("{name:16} FAILED with seed {seed}: {message}\n    (\"{name}\", &{input:?}),");
            }
        }
    }
    println!("{total} calls, {failures} targets failed");
    ExitCode::from(u8::from(failures > 0))
}
