//! A board's firmware, run where it was built for.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use anyhow::{Context, Result, bail};
use defmt_decoder::{DecodeError, Table};

use crate::boards::{Board, Tool};
use crate::emulate;
use crate::telemetry::{self, Outcome, Sample, Timing};

/// Emulates a firmware file built for the emulator, showing its log; flashes and runs one built for the board. The file's name is
/// the board's.
pub fn run(elf: &Path, arguments: &[String]) -> Result<()> {
    let image = std::fs::read(elf).with_context(|| format!("cannot read {}", elf.display()))?;
    let board = Board::named(&elf.file_name().unwrap_or_default().to_string_lossy())?;
    if !logs_to_a_probe(&image) {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        return emulated(board, elf, &arguments, |line| println!("{line}"));
    }
    let mut command = match board.tool {
        Tool::ProbeRs(chip) => {
            let mut command = Command::new("probe-rs");
            command.args(["run", "--chip", chip]).arg(elf);
            command
        }
        Tool::OpenOcd(configuration) => {
            let mut command = Command::new("openocd");
            let program = format!("program {} verify reset exit", elf.display());
            command.args(["-f", configuration, "-c", &program]);
            command
        }
    };
    let tool = command.get_program().display().to_string();
    let status =
        command.status().with_context(|| format!("cannot start {tool}; `cargo xtask doctor` says how to get it"))?;
    if !status.success() {
        bail!("{tool}: {status}");
    }
    Ok(())
}

/// Runs a board's firmware in the emulator to its end, handing on each line of its log as soon as it is decoded. Fails if
/// the program exits with a failure, hangs, or writes what is no log. A run that has been is not repeated: it would be the same.
pub fn emulated(board: &Board, elf: &Path, arguments: &[&str], mut line: impl FnMut(&str)) -> Result<()> {
    let image = std::fs::read(elf).with_context(|| format!("cannot read {}", elf.display()))?;
    let run = run_of(board, &image, arguments);
    if let Some(log) = RUNS.lock().expect("no thread panics with it").get(&run) {
        log.iter().for_each(|text| line(text));
        return Ok(());
    }
    let table = Table::parse(&image)?.with_context(|| format!("{} contains no defmt log", elf.display()))?;
    let machine = board.emulated.as_ref().with_context(|| format!("QEMU does not know {}", board.title))?;
    let (mut decoder, mut log) = (table.new_stream_decoder(), Vec::new());
    emulate::run(&mut machine.command(board.target, elf, arguments), |bytes| {
        decoder.received(bytes);
        loop {
            match decoder.decode() {
                Ok(frame) => {
                    let text = frame.display(false).to_string();
                    line(&text);
                    log.push(text);
                }
                Err(DecodeError::UnexpectedEof) => return Ok(()),
                Err(DecodeError::Malformed) => bail!("the emulator sent bytes that are no defmt log"),
            }
        }
    })?;
    RUNS.lock().expect("no thread panics with it").insert(run, log);
    Ok(())
}

/// What decides how a run goes: the program, by the hash of its bytes, and its arguments.
type RunOf = (u64, Vec<String>);

/// The logs of those that have been.
static RUNS: Mutex<BTreeMap<RunOf, Vec<String>>> = Mutex::new(BTreeMap::new());

/// Without the name of a loop, the board's first is meant.
fn run_of(board: &Board, image: &[u8], arguments: &[&str]) -> RunOf {
    let named = arguments.iter().any(|argument| board.loops().contains(argument));
    let first = board.loops().first().filter(|_| !named);
    let mut hasher = DefaultHasher::new();
    image.hash(&mut hasher);
    (hasher.finish(), first.into_iter().chain(arguments).map(|argument| (*argument).to_owned()).collect())
}

/// What a run left in the log.
pub struct Log {
    /// The control loop.
    pub program: String,
    /// Ticks a second.
    pub rate: u64,
    /// The ticks that were shown.
    pub samples: Vec<Sample>,
    /// What the loop did.
    pub outcome: Outcome,
    /// How the board did it.
    pub timing: Timing,
}

/// Like [`emulated`], and keeps what the lines say.
pub fn log(board: &Board, elf: &Path, arguments: &[&str], mut line: impl FnMut(&str)) -> Result<Log> {
    let (mut samples, mut begin, mut outcome, mut timing) = (Vec::new(), None, None, None);
    emulated(board, elf, arguments, |text| {
        line(text);
        samples.extend(Sample::from_line(text));
        begin = begin.take().or(telemetry::beginning(text));
        outcome = outcome.take().or(Outcome::from_line(text));
        timing = timing.or(Timing::from_line(text));
    })?;
    let missing = |what| format!("the firmware ended without its line of the {what}");
    let (program, rate) = begin.with_context(|| missing("beginning"))?;
    let (outcome, timing) = (outcome.with_context(|| missing("result"))?, timing.with_context(|| missing("timing"))?);
    Ok(Log { program, rate, samples, outcome, timing })
}

/// Only firmware for the board has the control block through which a probe reads the log, known by its symbol's name.
fn logs_to_a_probe(image: &[u8]) -> bool {
    let symbol = b"_SEGGER_RTT\0";
    image.windows(symbol.len()).any(|window| window == symbol)
}
