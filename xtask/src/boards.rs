//! The boards: one folder each in `boards`, and how to build and run the firmware of each.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::machines::Counter;
use crate::no_panic::refused;
use crate::shell;
use crate::telemetry::Line;

/// A development board that you can buy.
pub struct Board {
    /// The name of its folder and of its firmware.
    pub name: &'static str,
    /// Its product name, its chip and its core.
    pub title: &'static str,
    /// Rust's name for its instruction set.
    pub target: &'static str,
    /// Its processor's clock, Hz.
    pub clock: u64,
    /// The command that writes its flash and shows its log; `ELF` stands for the file. OpenOCD shows no log: use an RTT viewer.
    pub flash: &'static [&'static str],
    /// QEMU's name for it; `None` for a board that is only compiled.
    pub model: Option<&'static str>,
    /// The loops that its emulated firmware can run. Faults and trials are not listed.
    pub loops: &'static [&'static str],
}

const M4F: &str = "thumbv7em-none-eabihf";

/// All boards, the default one first.
#[rustfmt::skip]
pub const BOARDS: [Board; 6] = [
    Board::new("olimex-h405", "Olimex STM32-H405 (STM32F405, Cortex-M4F)", M4F, 168_000_000, &["probe-rs", "run", "--chip", "STM32F405RGTx", "ELF"])
        .emulated("olimex-stm32-h405", &["five_bar", "crane", "arm"]),
    Board::new("microbit", "BBC micro:bit V1 (nRF51822, Cortex-M0)", "thumbv6m-none-eabi", 16_000_000, &["probe-rs", "run", "--chip", "nRF51822_xxAA", "ELF"])
        .emulated("microbit", &["arm"]),
    Board::new("hifive1", "SiFive HiFive1 Rev B (FE310-G002, RISC-V)", "riscv32imc-unknown-none-elf", 320_000_000, &["openocd", "-f", "board/sifive-hifive1-revb.cfg", "-c", "program {ELF} verify reset exit"])
        .emulated("sifive_e", &["arm"]),
    Board::new("nucleo-g474re", "STM32 Nucleo-G474RE (Cortex-M4F)", M4F, 170_000_000, &["probe-rs", "run", "--chip", "STM32G474RETx", "ELF"]),
    Board::new("nrf52840-dk", "nRF52840-DK (Cortex-M4F)", M4F, 64_000_000, &["probe-rs", "run", "--chip", "nRF52840_xxAA", "ELF"]),
    Board::new("pico2", "Raspberry Pi Pico 2 (RP2350, Cortex-M33)", "thumbv8m.main-none-eabihf", 150_000_000, &["probe-rs", "run", "--chip", "RP235x", "ELF"]),
];

/// A variant of a board's firmware: the feature that selects it.
pub type Variant = &'static str;

/// For QEMU, with a simulated machine in the loop.
pub const EMULATED: Variant = "emulated";

/// For the board.
pub const HARDWARE: Variant = "hardware";

impl Board {
    /// The board that commands use by default.
    pub const DEFAULT: &'static Self = &BOARDS[0];

    /// An emulated instruction takes 2^SHIFT ns = 32 ns. A tick then has time for both the loop and the simulated machine on every
    /// board, and lasts a whole number of instructions.
    pub const SHIFT: u32 = 5;

    const fn new(
        name: &'static str,
        title: &'static str,
        target: &'static str,
        clock: u64,
        flash: &'static [&'static str],
    ) -> Self {
        Self { name, title, target, clock, flash, model: None, loops: &[] }
    }

    const fn emulated(self, model: &'static str, loops: &'static [&'static str]) -> Self {
        Self { model: Some(model), loops, ..self }
    }

    /// Finds a board by name.
    pub fn named(name: &str) -> Result<&'static Self> {
        let names = || BOARDS.map(|board| board.name).join(", ");
        let board = BOARDS.iter().find(|board| board.name == name);
        board.with_context(|| format!("unknown board {name}; the boards are {}", names()))
    }

    /// The boards that QEMU emulates.
    pub fn all_emulated() -> impl Iterator<Item = &'static Self> {
        BOARDS.iter().filter(|board| board.model.is_some())
    }

    /// The instructions of the loop's longest tick, rounded.
    pub fn instructions(&self, timing: &Line) -> Result<u64> {
        let counter = Counter { shift: Self::SHIFT, frequency: Some(timing.number("frequency")?) };
        Ok(counter.instructions(timing.number("worst_execution")?))
    }

    /// Its folder, relative to the root.
    pub fn folder(&self) -> String {
        format!("boards/{}", self.name)
    }

    /// The variants of its firmware. The first is what `cargo run --release` builds.
    pub fn variants(&self) -> &'static [Variant] {
        if self.model.is_some() { &[EMULATED, HARDWARE] } else { &[HARDWARE] }
    }

    /// `cargo` on a variant of its firmware, with `more` features.
    fn cargo(&self, what: &str, variant: Variant, more: &[&str]) -> Command {
        // A board with one variant has no feature for it.
        let variant = Some(variant).filter(|_| self.model.is_some());
        let features: Vec<&str> = variant.into_iter().chain(more.iter().copied()).collect();
        let features = features.join(",");
        shell::cargo(&self.folder(), &[what, "--release", "--no-default-features", "--features", &features])
    }

    /// Lints its firmware: builds it with `clippy-driver` as the compiler, which reuses the dependencies that are built already.
    /// `cargo clippy` would check them all again.
    pub fn lint(&self, variant: Variant) -> Command {
        let mut command = self.cargo("rustc", variant, &[]);
        command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver").args(["--", "--deny", "warnings"]);
        command
    }

    /// Links its loop without the startup code. This succeeds only if no panic is reachable from the loop.
    pub fn link_without_panic(&self, variant: Variant) -> Result<()> {
        let step = format!("link the loop of {} without a panic, {}", self.name, variant);
        shell::run(&step, &mut self.cargo("build", variant, &["no-panic"]))
    }

    /// A negative control: the same with a loop that can panic must fail to link.
    pub fn refuse_panic(&self) -> Result<()> {
        let mut command = self.cargo("build", EMULATED, &["no-panic", "runtime/panics"]);
        let (success, _, message) = shell::outcome(&mut command, |_| ()).context("cannot start cargo")?;
        ensure!(!success, "{}: a loop that can panic links", self.name);
        ensure!(refused(&message, self.target), "{}: the build failed, but not for a panic:\n{message}", self.name);
        shell::say(&format!("  ok     a loop of {} that can panic is refused", self.name));
        Ok(())
    }

    /// Builds a variant of its firmware and returns the path, which the next variant overwrites.
    pub fn build(&self, variant: Variant) -> Result<PathBuf> {
        shell::run(&format!("build {} firmware, {variant}", self.name), &mut self.cargo("build", variant, &[]))?;
        Ok(shell::built(&self.folder(), self.target, "release").join(self.name))
    }
}
