//! The board's firmware: building it, and running it where it was built for.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use defmt_decoder::{DecodeError, Table};

use crate::machines::Machine;
use crate::{emulate, shell};

/// The default board's folder.
pub const BOARD: &str = "boards/olimex-h405";
/// The default board's target.
pub const TARGET: &str = "thumbv7em-none-eabihf";
/// What `probe-rs` calls the default board's chip.
const CHIP: &str = "STM32F405RGTx";

/// Builds the default board's firmware for the emulator and says where it is.
pub fn build() -> Result<PathBuf> {
    let folder = shell::root().join(BOARD).join("target");
    let mut command = shell::cargo(BOARD);
    command.env("CARGO_TARGET_DIR", &folder).args(["build", "--release"]);
    shell::run("build the firmware of the Olimex STM32-H405", &mut command)?;
    Ok(folder.join(TARGET).join("release/olimex-h405"))
}

/// Emulates a firmware file built for the emulator, showing its log; flashes and runs one built for the board.
pub fn run(elf: &Path) -> Result<()> {
    let image = std::fs::read(elf).with_context(|| format!("cannot read {}", elf.display()))?;
    if !logs_to_a_probe(&image) {
        return emulated(elf, |line| println!("{line}"));
    }
    let status = Command::new("probe-rs")
        .args(["run", "--chip", CHIP])
        .arg(elf)
        .status()
        .context("cannot start probe-rs; `cargo xtask doctor` says how to get it")?;
    if !status.success() {
        bail!("probe-rs: {status}");
    }
    Ok(())
}

/// Runs a firmware file of the default board to its end, handing on each line of its log as soon as it is decoded.
/// Fails if the program exits with a failure, hangs, or writes what is no log.
///
/// Time in the emulator is counted in instructions and leaps over sleep, so that a run is the same each time and lasts no
/// longer than its work.
pub fn emulated(elf: &Path, mut line: impl FnMut(&str)) -> Result<()> {
    let image = std::fs::read(elf).with_context(|| format!("cannot read {}", elf.display()))?;
    let table = Table::parse(&image)?.with_context(|| format!("{} contains no defmt log", elf.display()))?;
    let mut decoder = table.new_stream_decoder();
    emulate::run(&mut Machine::named("cortex-m4f").emulator(elf, true), |bytes| {
        decoder.received(bytes);
        loop {
            match decoder.decode() {
                Ok(frame) => line(&frame.display(false).to_string()),
                Err(DecodeError::UnexpectedEof) => return Ok(()),
                Err(DecodeError::Malformed) => bail!("the emulator sent bytes that are no defmt log"),
            }
        }
    })
}

/// Only firmware for the board has the control block through which a probe reads the log, known by its symbol's name.
fn logs_to_a_probe(image: &[u8]) -> bool {
    let symbol = b"_SEGGER_RTT\0";
    image.windows(symbol.len()).any(|window| window == symbol)
}
