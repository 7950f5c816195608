//! The emulated machines, and how a program of `tests/on-target` gets onto each.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::shell;

/// Where the programs are.
pub const FOLDER: &str = "tests/on-target";

/// A program that has not ended by then hangs. The longest runs a minute and a half on a slow computer.
const TIME_LIMIT: Duration = Duration::from_secs(600);

/// A microcontroller that QEMU emulates.
pub struct Machine {
    /// What we call it.
    pub name: &'static str,
    /// What QEMU calls it; the memory maps in `tests/on-target/build.rs` go by that name, too.
    pub model: &'static str,
    /// What Rust calls its instruction set.
    pub target: &'static str,
    /// How its instructions are counted, where they are.
    pub counter: Option<Counter>,
}

/// A counter that advances by a fixed amount for each instruction, as the emulator runs with `-icount`.
pub struct Counter {
    /// Each instruction takes 2 to the power of this, in nanoseconds of the emulated time.
    pub shift: u32,
    /// Ticks of the counter in a second of the emulated time, several for each instruction; `None` if it counts instructions.
    pub frequency: Option<u64>,
}

/// Every machine that the tests run on.
pub const MACHINES: [Machine; 7] = [
    Machine {
        name: "cortex-m0",
        model: "microbit",
        target: "thumbv6m-none-eabi",
        counter: Some(Counter { shift: 10, frequency: Some(16_000_000) }),
    },
    Machine { name: "cortex-m3", model: "lm3s6965evb", target: "thumbv7m-none-eabi", counter: None },
    Machine {
        name: "cortex-m4f",
        model: "olimex-stm32-h405",
        target: "thumbv7em-none-eabihf",
        counter: Some(Counter { shift: 5, frequency: Some(168_000_000) }),
    },
    Machine { name: "cortex-m7", model: "mps2-an500", target: "thumbv7em-none-eabihf", counter: None },
    Machine { name: "cortex-m33", model: "mps2-an505", target: "thumbv8m.main-none-eabihf", counter: None },
    Machine { name: "riscv32imc", model: "virt", target: "riscv32imc-unknown-none-elf", counter: None },
    Machine {
        name: "riscv32imafc",
        model: "virt",
        target: "riscv32imafc-unknown-none-elf",
        counter: Some(Counter { shift: 5, frequency: None }),
    },
];

/// How a program is optimised: the profiles of `tests/on-target/Cargo.toml` for firmware.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Optimised {
    /// For speed, opt-level 3.
    ForSpeed,
    /// For size, opt-level "s".
    ForSize,
}

impl Optimised {
    /// The profile's name, which is also that of its folder of results.
    pub fn profile(self) -> &'static str {
        match self {
            Self::ForSpeed => "release",
            Self::ForSize => "small",
        }
    }
}

impl Machine {
    /// The machine of a name that the code knows to exist.
    pub fn named(name: &str) -> &'static Self {
        MACHINES.iter().find(|machine| machine.name == name).expect("a machine of the table")
    }

    /// Whether it has instructions for floating-point numbers in single precision.
    pub fn has_floats(&self) -> bool {
        self.target.ends_with("eabihf") || self.target.contains("imafc")
    }

    /// The command that builds programs for this machine.
    pub fn build_command(&self, programs: &[&str], optimised: Optimised) -> Command {
        let mut command = cargo();
        command.env("TAUT_MACHINE", self.model).args(["build", "--target", self.target]);
        command.args(["--profile", optimised.profile()]).args(programs.iter().flat_map(|program| ["--bin", program]));
        command
    }

    /// Builds programs for this machine as one visible step, and says where each is.
    ///
    /// Copied aside: the next machine with the same instruction set would overwrite them.
    pub fn build(&self, programs: &[&str], optimised: Optimised) -> Result<Vec<PathBuf>> {
        let profile = optimised.profile();
        let step = format!("build {} for {} ({profile})", programs.join(", "), self.name);
        shell::run(&step, &mut self.build_command(programs, optimised))?;
        let folder = target_folder().join("programs");
        std::fs::create_dir_all(&folder)?;
        let keep = |program: &&str| {
            let built = target_folder().join(self.target).join(profile).join(program);
            let kept = folder.join(format!("{program}-{}-{profile}", self.name));
            std::fs::copy(&built, &kept).with_context(|| format!("cannot copy {}", built.display()))?;
            Ok(kept)
        };
        programs.iter().map(keep).collect()
    }

    /// Runs a program to its end and returns what it printed. Fails if the program does, or if it hangs.
    pub fn run(&self, program: &Path, count_instructions: bool) -> Result<String> {
        let begun = Instant::now();
        let shown = program.file_name().unwrap_or_default().display().to_string();
        let output = emulate(&mut self.emulator(program, count_instructions)).with_context(|| shown.clone());
        let mark = if output.is_ok() { "ok    " } else { "FAILED" };
        eprintln!("  {mark} run {shown} ({:.1} s)", begun.elapsed().as_secs_f32());
        output
    }

    fn emulator(&self, program: &Path, count_instructions: bool) -> Command {
        let is_riscv = self.target.starts_with("riscv32");
        let mut command = Command::new(if is_riscv { "qemu-system-riscv32" } else { "qemu-system-arm" });
        command.args(["-machine", self.model, "-nographic", "-monitor", "none", "-serial", "null"]);
        command.args(["-semihosting-config", "enable=on,target=native"]);
        if is_riscv {
            command.args(["-bios", "none"]);
        }
        if let Some(counter) = self.counter.as_ref().filter(|_| count_instructions) {
            command.args(["-icount", &format!("shift={},align=off,sleep=off", counter.shift)]);
        }
        command.arg("-kernel").arg(program);
        command
    }
}

impl Counter {
    /// The number of instructions behind a number of ticks, rounded: readings are whole ticks, of which each instruction takes
    /// several.
    pub fn instructions(&self, ticks: u64) -> u64 {
        match self.frequency {
            None => ticks,
            Some(frequency) => {
                let ticks_per_instruction = frequency << self.shift;
                (ticks * 1_000_000_000 + ticks_per_instruction / 2) / ticks_per_instruction
            }
        }
    }
}

/// `cargo` for the programs, on this computer or for a machine.
pub fn cargo() -> Command {
    let mut command = shell::cargo(FOLDER);
    command.env("CARGO_TARGET_DIR", target_folder()).env_remove("TAUT_MACHINE");
    command
}

/// Where the programs are built, whatever they are built for.
pub fn target_folder() -> PathBuf {
    shell::root().join("target/on-target")
}

/// Runs the emulator to its end, within the time limit.
fn emulate(command: &mut Command) -> Result<String> {
    let mut emulator =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().with_context(|| {
            format!("cannot start {}; `cargo xtask doctor` says how to get it", command.get_program().display())
        })?;
    let output = read_in_background(emulator.stdout.take());
    let complaints = read_in_background(emulator.stderr.take());

    let deadline = Instant::now() + TIME_LIMIT;
    let status = loop {
        match emulator.try_wait()? {
            Some(status) => break Some(status),
            None if Instant::now() < deadline => thread::sleep(Duration::from_millis(20)),
            None => {
                emulator.kill()?;
                emulator.wait()?;
                break None;
            }
        }
    };
    let text = |reader: thread::JoinHandle<String>| reader.join().unwrap_or_default();
    let (output, complaints) = (text(output), text(complaints));
    match status {
        Some(status) if status.success() => Ok(output),
        Some(status) => bail!("the program ended with a failure ({status})\n{output}{complaints}"),
        None => bail!("the program has not ended after {TIME_LIMIT:?}\n{output}{complaints}"),
    }
}

fn read_in_background(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What arrived before an error is still worth showing.
            pipe.read_to_end(&mut bytes).ok();
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_of_the_counter_become_instructions() {
        // Blocks of 1, 41 and 401 instructions between two readings.
        let systick = Counter { shift: 5, frequency: Some(168_000_000) };
        assert_eq!([5, 6, 220, 221, 2155, 2156].map(|ticks| systick.instructions(ticks)), [1, 1, 41, 41, 401, 401]);
        assert_eq!(Counter { shift: 5, frequency: None }.instructions(7), 7);
    }
}
