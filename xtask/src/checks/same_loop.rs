//! The same loop, unchanged, on this computer and on every board: every tick equal bit for bit.

use anyhow::{Context, Result, ensure};
use loops::{Options, Unusable, arm, five_bar};
use taut::control::supervisor::{Injection, MOST_SKIPPED};

use crate::boards::Board;
use crate::firmware::{self, Log};
use crate::telemetry::Sample;

/// Counts of a clock in a tick, of which nothing here depends.
const PERIOD: u32 = 1_000;

/// The arm for ten seconds on every board; the five-bar linkage on the default one, without a fault and with each.
pub fn run() -> Result<()> {
    for (board, _) in Board::emulated() {
        let log = firmware::log(board, &board.build()?, &["arm"], |_| ())?;
        // Ten seconds at 250 Hz, of which nothing is missing.
        ensure!((log.outcome.calls, log.timing.dropped) == (2_500, 0), "{}: {:?}", board.name, log.timing);
        let here = arm::program(Options::default(), PERIOD).map(|program| arm_here(program, log.outcome.calls))?;
        compare(&log, &here).with_context(|| format!("the arm on {}", board.title))?;
    }
    let board = Board::DEFAULT;
    let elf = board.build()?;
    for fault in [None].into_iter().chain(Injection::ALL.map(Some)) {
        let name = fault.map_or("five_bar", Injection::name);
        let log = firmware::log(board, &elf, &[name], |_| ())?;
        ensure!(log.timing.dropped == 0, "{name}: {:?}", log.timing);
        let here = five_bar_here(fault, log.outcome.calls)?;
        compare(&log, &here).with_context(|| format!("{name} on {}", board.title))?;
        ensure!((log.outcome.faults > 0) == fault.is_some(), "{name}: {} faults", log.outcome.faults);
        let last = log.samples.last().context("no telemetry")?;
        ensure!(last.state == "running", "{name}: the loop has not started again, it is {}", last.state);
    }
    Ok(())
}

/// What came out here.
struct Here {
    samples: Vec<loops::Sample>,
    digest: u32,
}

macro_rules! here {
    ($program:expr, $ticks:expr) => {{
        let mut program = $program;
        let tick = |number: u32| program.tick(&mut number.wrapping_mul(PERIOD), &mut ());
        let samples = (0..$ticks).map(tick).collect();
        Here { samples, digest: program.summary().digest }
    }};
}

fn arm_here(program: arm::Program, ticks: u32) -> Here {
    here!(program, ticks)
}

fn five_bar_here(fault: Option<Injection>, ticks: u32) -> Result<Here, Unusable> {
    // As the firmware has it: for a fifth of a second, after two.
    let lasting = |fault| if fault == Injection::LateTick { u64::from(MOST_SKIPPED) } else { 200 };
    let options = fault.map_or(Options::default(), |fault| Options::with_fault(fault, 2_000, lasting(fault)));
    Ok(here!(five_bar::program(options, PERIOD)?, ticks))
}

/// All ticks by their digest, and those that were shown number by number.
fn compare(log: &Log, here: &Here) -> Result<()> {
    ensure!(log.samples.len() >= 50, "only {} ticks were shown", log.samples.len());
    for there in &log.samples {
        let index = usize::try_from(there.tick)?;
        let sample = here.samples.get(index).with_context(|| format!("there is no tick {index} here"))?;
        ensure!(bits(there) == bits_of(sample), "tick {index}\n  here   {sample:?}\n  there  {there:?}");
        let words = [sample.state.name(), sample.output.name(), sample.code.name()];
        ensure!([&there.state, &there.output, &there.fault].map(String::as_str) == words, "tick {index}: {there:?}");
    }
    let (here, there) = (here.digest, log.outcome.digest);
    ensure!(here == there, "the digest of all ticks is {here:08x} here and {there:08x} there");
    Ok(())
}

/// The bits of all numbers of a sample.
fn bits(sample: &Sample) -> Vec<u32> {
    let single = [sample.error, sample.residual];
    [sample.place, sample.target, single, sample.efforts].concat().into_iter().map(f32::to_bits).collect()
}

fn bits_of(sample: &loops::Sample) -> Vec<u32> {
    let single = [sample.error, sample.residual];
    [sample.place, sample.target, single, sample.efforts].concat().into_iter().map(f32::to_bits).collect()
}
