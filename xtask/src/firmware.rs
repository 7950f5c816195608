//! The board's firmware: building it, and running it where it was built for.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{emulate, shell};

/// The default board's folder.
pub const BOARD: &str = "boards/olimex-h405";
/// The default board's target.
pub const TARGET: &str = "thumbv7em-none-eabihf";
/// What `probe-rs` calls the default board's chip.
const CHIP: &str = "STM32F405RGTx";

/// Builds the default board's firmware for the emulator and says where it is.
pub fn build() -> Result<PathBuf> {
    let mut command = shell::cargo(BOARD);
    shell::run("build the firmware of the Olimex STM32-H405", command.args(["build", "--release"]))?;
    Ok(shell::root().join(BOARD).join("target").join(TARGET).join("release/olimex-h405"))
}

/// Emulates a firmware file built for the emulator, showing its log; flashes and runs one built for the board.
pub fn run(elf: &Path) -> Result<()> {
    let image = std::fs::read(elf).with_context(|| format!("cannot read {}", elf.display()))?;
    if !logs_to_a_probe(&image) {
        return emulate::firmware(elf, |line| println!("{line}"));
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

/// Only firmware for the board has the control block through which a probe reads the log, known by its symbol's name.
fn logs_to_a_probe(image: &[u8]) -> bool {
    let symbol = b"_SEGGER_RTT\0";
    image.windows(symbol.len()).any(|window| window == symbol)
}
