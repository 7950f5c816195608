//! Runs a board's firmware: in the emulator or on the board, whichever it was built for.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use anyhow::{Context, Result, bail, ensure};
use defmt_decoder::{DecodeError, Table};

use crate::boards::{BOARDS, Board};
use crate::emulate;
use crate::new::chips::Chip;
use crate::telemetry::Line;

/// Runs a firmware file. One built for the emulator is emulated and its log shown; one built for the board is flashed and run there.
/// The file has the name of its board. In the emulator, a file for a board that is not emulated, and one with another name, runs on the
/// default board.
pub fn run(elf: &Path, arguments: &[String]) -> Result<()> {
    let image = std::fs::read(elf).with_context(|| format!("cannot read {}", elf.display()))?;
    let name = elf.file_name().unwrap_or_default().to_string_lossy();
    let board = BOARDS.iter().find(|board| board.name == name);
    if !logs_to_a_probe(&image) {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        return emulated(
            board.filter(|board| board.model.is_some()).unwrap_or(Board::DEFAULT),
            elf,
            &arguments,
            |line| println!("{line}"),
        );
    }
    let flash = match board {
        Some(board) => board.flash,
        None => &["probe-rs", "run", "--chip", Chip::named(&name)?.probe, "ELF"],
    };
    let words: Vec<String> = flash.iter().map(|word| word.replace("ELF", &elf.to_string_lossy())).collect();
    let (tool, status) = (&words[0], Command::new(&words[0]).args(&words[1..]).status());
    let status = status.with_context(|| format!("cannot start {tool}; see `cargo xtask doctor`"))?;
    ensure!(status.success(), "{tool}: {status}");
    Ok(())
}

/// Runs a board's firmware in the emulator to its end, and passes on each line of its log as soon as it is decoded. Fails if the
/// program fails, hangs, or writes anything but a log. Every run is the same, so a repeated one returns the stored log.
pub fn emulated(board: &Board, elf: &Path, arguments: &[&str], mut line: impl FnMut(&str)) -> Result<()> {
    let image = std::fs::read(elf).with_context(|| format!("cannot read {}", elf.display()))?;
    let mut hasher = DefaultHasher::new();
    (&image, arguments).hash(&mut hasher);
    let run = hasher.finish();
    if let Some(log) = RUNS.lock().expect("no thread panics with it").get(&run) {
        log.iter().for_each(|text| line(text));
        return Ok(());
    }
    let table = Table::parse(&image)?.with_context(|| format!("{} contains no defmt log", elf.display()))?;
    let model = board.model.with_context(|| format!("QEMU does not emulate {}", board.title))?;
    let (mut decoder, mut log) = (table.new_stream_decoder(), Vec::new());
    let mut command = emulate::command(board.target, model, elf, arguments, Some(Board::SHIFT));
    emulate::run(&mut command, emulate::TIME_LIMIT, |bytes| {
        decoder.received(bytes);
        loop {
            match decoder.decode() {
                Ok(frame) => {
                    let text = frame.display(false).to_string();
                    line(&text);
                    log.push(text);
                }
                Err(DecodeError::UnexpectedEof) => return Ok(()),
                Err(DecodeError::Malformed) => bail!("the firmware wrote bytes that are not a defmt log"),
            }
        }
    })?;
    RUNS.lock().expect("no thread panics with it").insert(run, log);
    Ok(())
}

/// The logs of past runs, by the hash of the program and its arguments.
static RUNS: Mutex<BTreeMap<u64, Vec<String>>> = Mutex::new(BTreeMap::new());

/// The log of a run.
pub struct Log {
    /// The name of the loop and its rate in Hz.
    pub begin: Line,
    /// The logged ticks.
    pub samples: Vec<Line>,
    /// The result of the loop: the same on every board.
    pub outcome: Line,
    /// The timing, which depends on the board.
    pub timing: Line,
}

/// Like [`emulated`], and returns the parsed log.
pub fn log(board: &Board, elf: &Path, arguments: &[&str], mut line: impl FnMut(&str)) -> Result<Log> {
    let (mut samples, mut others) = (Vec::new(), Vec::new());
    emulated(board, elf, arguments, |text| {
        line(text);
        match Line::about("telemetry", text) {
            Some(sample) => samples.push(sample),
            None => others.push(text.to_owned()),
        }
    })?;
    let only = |subject| {
        let line = others.iter().find_map(|text| Line::about(subject, text));
        line.with_context(|| format!("the firmware ended without a line `{subject}`"))
    };
    Ok(Log { begin: only("begin")?, outcome: only("result")?, timing: only("timing")?, samples })
}

/// Whether the firmware is built for the board: only then does it contain the RTT control block, through which a probe reads the log.
fn logs_to_a_probe(image: &[u8]) -> bool {
    let symbol = b"_SEGGER_RTT\0";
    image.windows(symbol.len()).any(|window| window == symbol)
}
