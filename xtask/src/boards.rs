//! The boards: one folder each in `boards`, and where the firmware of each runs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::machines::Counter;
use crate::no_panic::refused;
use crate::telemetry::Timing;
use crate::{emulate, shell};

/// Where the boards are.
const FOLDER: &str = "boards";

/// A board that people have on their desk.
pub struct Board {
    /// What its folder and its firmware are called.
    pub name: &'static str,
    /// What it is called where it is sold, and its chip.
    pub title: &'static str,
    /// What Rust calls its instruction set.
    pub target: &'static str,
    /// Its processor's clock, Hz.
    pub clock: u64,
    /// Where it is emulated; `None` for a board that is only compiled.
    pub emulated: Option<Emulated>,
    /// What writes its flash.
    pub tool: Tool,
}

/// A board in QEMU.
pub struct Emulated {
    /// What QEMU calls it.
    model: &'static str,
    /// Each instruction takes 2 to the power of this, in nanoseconds of the emulated time: 32 ns, so that the simulated machine has
    /// its time besides the loop on every board, and ticks are a whole number of instructions.
    pub shift: u32,
    /// What its firmware can be told to run, without the faults and the trials.
    pub loops: &'static [&'static str],
}

/// What writes a board's flash and shows its log.
pub enum Tool {
    /// `probe-rs`, which knows the chip by this name.
    ProbeRs(&'static str),
    /// OpenOCD with the configuration of that name; its log is read with any RTT viewer.
    OpenOcd(&'static str),
}

/// All boards, the default one first.
pub const BOARDS: [Board; 6] = [
    Board {
        name: "olimex-h405",
        title: "Olimex STM32-H405 (STM32F405, Cortex-M4F)",
        target: "thumbv7em-none-eabihf",
        clock: 168_000_000,
        emulated: Some(Emulated { model: "olimex-stm32-h405", shift: 5, loops: &["five_bar", "crane", "arm"] }),
        tool: Tool::ProbeRs("STM32F405RGTx"),
    },
    Board {
        name: "microbit",
        title: "BBC micro:bit V1 (nRF51822, Cortex-M0)",
        target: "thumbv6m-none-eabi",
        clock: 16_000_000,
        emulated: Some(Emulated { model: "microbit", shift: 5, loops: &["arm"] }),
        tool: Tool::ProbeRs("nRF51822_xxAA"),
    },
    Board {
        name: "hifive1",
        title: "SiFive HiFive1 Rev B (FE310-G002, RISC-V)",
        target: "riscv32imc-unknown-none-elf",
        clock: 320_000_000,
        emulated: Some(Emulated { model: "sifive_e", shift: 5, loops: &["arm"] }),
        tool: Tool::OpenOcd("board/sifive-hifive1-revb.cfg"),
    },
    Board {
        name: "nucleo-g474re",
        title: "STM32 Nucleo-G474RE (Cortex-M4F)",
        target: "thumbv7em-none-eabihf",
        clock: 170_000_000,
        emulated: None,
        tool: Tool::ProbeRs("STM32G474RETx"),
    },
    Board {
        name: "nrf52840-dk",
        title: "nRF52840-DK (Cortex-M4F)",
        target: "thumbv7em-none-eabihf",
        clock: 64_000_000,
        emulated: None,
        tool: Tool::ProbeRs("nRF52840_xxAA"),
    },
    Board {
        name: "pico2",
        title: "Raspberry Pi Pico 2 (RP2350, Cortex-M33)",
        target: "thumbv8m.main-none-eabihf",
        clock: 150_000_000,
        emulated: None,
        tool: Tool::ProbeRs("RP235x"),
    },
];

impl Board {
    /// The board that everything runs on unless told otherwise.
    pub const DEFAULT: &'static Self = &BOARDS[0];

    /// The board of a name.
    pub fn named(name: &str) -> Result<&'static Self> {
        let names = || BOARDS.map(|board| board.name).join(", ");
        BOARDS
            .iter()
            .find(|board| board.name == name)
            .with_context(|| format!("no board {name}: there are {}", names()))
    }

    /// Those that are emulated.
    pub fn emulated() -> impl Iterator<Item = (&'static Self, &'static Emulated)> {
        BOARDS.iter().filter_map(|board| Some((board, board.emulated.as_ref()?)))
    }

    /// How many instructions the longest tick of a loop took, rounded.
    pub fn instructions(&self, timing: &Timing) -> Result<u64> {
        let machine = self.emulated.as_ref().with_context(|| format!("QEMU does not know {}", self.title))?;
        let counter = Counter { shift: machine.shift, frequency: Some(timing.frequency) };
        Ok(counter.instructions(timing.worst_execution))
    }

    /// The loops that its emulated firmware has.
    pub fn loops(&self) -> &'static [&'static str] {
        if self.name == Self::DEFAULT.name { &["five_bar", "crane", "arm"] } else { &["arm"] }
    }

    /// Its folder, relative to the root.
    pub fn folder(&self) -> String {
        format!("{FOLDER}/{}", self.name)
    }

    /// `cargo` in its folder.
    pub fn cargo(&self) -> Command {
        shell::cargo(&self.folder())
    }

    /// The ways in which its firmware is built; the first is that of `cargo run --release`.
    pub fn ways(&self) -> &'static [Way] {
        const EMULATED: Way = Way { name: "emulated", features: &["emulated"] };
        const HARDWARE: Way = Way { name: "hardware", features: &["hardware"] };
        const ONLY: Way = Way { name: "hardware", features: &[] };
        if self.emulated.is_some() { &[EMULATED, HARDWARE] } else { &[ONLY] }
    }

    /// Builds its firmware with the linter for a compiler, which uses what else is built for it; `cargo clippy` would check all of that
    /// anew.
    pub fn lint(&self, way: &Way) -> Command {
        let mut command = self.cargo();
        command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
        command.args(["rustc", "--release"]).args(way.arguments(&[])).args(["--", "--deny", "warnings"]);
        command
    }

    /// Links its loop without what starts it, which succeeds only if no panic is reachable from the loop.
    pub fn link_without_panic(&self, way: &Way) -> Result<()> {
        let mut command = self.without_panic(way, &["no-panic"]);
        shell::run(&format!("link the loop of {} without a panic, {}", self.name, way.name), &mut command)
    }

    /// The same with a loop that can panic, which must not succeed.
    pub fn refuse_panic(&self, way: &Way) -> Result<()> {
        let output = self.without_panic(way, &["no-panic", "runtime/panics"]).output().context("cannot start cargo")?;
        let message = String::from_utf8_lossy(&output.stderr);
        ensure!(!output.status.success(), "{}: a loop that can panic is linked", self.name);
        ensure!(refused(&message, self.target), "{}: a loop that can panic fails otherwise:\n{message}", self.name);
        eprintln!("  ok     a loop of {} that can panic is refused", self.name);
        Ok(())
    }

    fn without_panic(&self, way: &Way, features: &[&str]) -> Command {
        let mut command = self.cargo();
        command.args(["build", "--release"]).args(way.arguments(features));
        command
    }

    /// Builds its firmware as `cargo run --release` does, for the emulator where it is emulated, and says where it is.
    pub fn build(&self) -> Result<PathBuf> {
        self.build_for(&self.ways()[0])
    }

    /// Builds its firmware, and says where it is until it is built in another way.
    pub fn build_for(&self, way: &Way) -> Result<PathBuf> {
        let mut command = self.cargo();
        command.args(["build", "--release"]).args(way.arguments(&[]));
        shell::run(&format!("build the firmware of {}, {}", self.name, way.name), &mut command)?;
        Ok(shell::root().join(FOLDER).join("target").join(self.target).join("release").join(self.name))
    }
}

/// A way in which a board's firmware is built.
pub struct Way {
    /// What it is called.
    pub name: &'static str,
    /// The features that choose it.
    features: &'static [&'static str],
}

impl Way {
    /// What cargo is told, with some more features.
    fn arguments(&self, more: &[&str]) -> [String; 3] {
        ["--no-default-features".to_owned(), "--features".to_owned(), [self.features, more].concat().join(",")]
    }
}

impl Emulated {
    /// The command that runs a firmware file with arguments.
    ///
    /// Time in the emulator is counted in instructions and leaps over sleep, so that a run is the same each time and lasts no
    /// longer than its work.
    pub fn command(&self, target: &str, firmware: &Path, arguments: &[&str]) -> Command {
        emulate::command(target, self.model, firmware, arguments, Some(self.shift))
    }
}
