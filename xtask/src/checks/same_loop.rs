//! The same loop on this computer and on every board must give the same bits in every tick.

use anyhow::{Context, Result, ensure};
use loops::{Options, Sample, Unusable, arm, five_bar};
use taut::supervise::Injection;

use crate::boards::{Board, EMULATED};
use crate::firmware::{self, Log};

/// The clock counts of a tick. No result depends on it.
const PERIOD: u32 = 1_000;

/// Runs the arm for ten seconds on every board, and the five-bar linkage on the default board without a fault and with each fault.
pub fn run() -> Result<()> {
    for board in Board::all_emulated() {
        let log = firmware::log(board, &board.build(EMULATED)?, &["arm"], |_| ())?;
        // Ten seconds at 250 Hz, with no sample lost.
        let calls = log.outcome.number("calls")?;
        ensure!((calls, log.timing.number("dropped")?) == (2_500, 0), "{}: {:?}", board.name, log.timing);
        let here = arm::program(Options::default(), PERIOD).map(|program| arm_here(program, calls))?;
        compare(&log, &here).with_context(|| format!("the arm on {}", board.title))?;
    }
    let board = Board::DEFAULT;
    let elf = board.build(EMULATED)?;
    // Which ticks a wrong clock skips depends on the length of a tick in counts; the table of faults has these two.
    let of_clock = |fault: &Injection| matches!(fault, Injection::FrozenClock | Injection::FastClock);
    let comparable = Injection::ALL.into_iter().filter(|fault| !of_clock(fault));
    for fault in [None].into_iter().chain(comparable.map(Some)) {
        let name = fault.map_or("five_bar", Injection::name);
        let log = firmware::log(board, &elf, &[name], |_| ())?;
        ensure!(log.timing.word("dropped")? == "0", "{name}: {:?}", log.timing);
        let here = five_bar_here(fault, log.outcome.number("calls")?)?;
        compare(&log, &here).with_context(|| format!("{name} on {}", board.title))?;
        // Only a second encoder finds that one slips, and a reset is no fault.
        let is_harmless = |fault| matches!(fault, Injection::SlippingReading | Injection::BouncingReset);
        let is_found = fault.is_some_and(|fault| !is_harmless(fault));
        ensure!((log.outcome.word("faults")? != "0") == is_found, "{name}: {:?}", log.outcome);
        let last = log.samples.last().context("no telemetry")?;
        ensure!(last.word("state")? == "running", "{name}: the loop did not restart: {last:?}");
    }
    Ok(())
}

/// The results on this computer.
struct Here {
    samples: Vec<Sample>,
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
    // As in the firmware: beginning at 2 s.
    let options = fault.map_or(Options::default(), |fault| Options::with_brief_fault(fault, 2_000, 1_000));
    Ok(here!(five_bar::program(options, PERIOD)?, ticks))
}

/// Compares all ticks by their digest, and the logged ones value by value.
fn compare(log: &Log, here: &Here) -> Result<()> {
    ensure!(log.samples.len() >= 50, "the log has only {} ticks", log.samples.len());
    for there in &log.samples {
        let index = there.number("tick")?;
        let sample = here.samples.get::<usize>(index).with_context(|| format!("tick {index} did not run here"))?;
        let Sample { place, target, error, residual, efforts, .. } = *sample;
        let expected = [place, target, [error, residual], efforts].concat();
        let names = ["x", "y", "target_x", "target_y", "error", "residual", "effort_1", "effort_2"];
        let found: [f32; 8] = there.numbers(names)?;
        let is_same = expected.iter().zip(&found).all(|(here, there)| here.to_bits() == there.to_bits());
        ensure!(is_same, "tick {index} differs\n  here   {sample:?}\n  board  {there:?}");
        let words = [("state", sample.state.name()), ("output", sample.output.name()), ("fault", sample.code.name())];
        for (name, word) in words {
            ensure!(there.word(name)? == word, "tick {index}: {name} is {word} here; on the board: {there:?}");
        }
    }
    let (here, there) = (format!("{:08x}", here.digest), log.outcome.word("digest")?);
    ensure!(here == there, "the digest of all ticks is {here} here and {there} on the board");
    Ok(())
}
