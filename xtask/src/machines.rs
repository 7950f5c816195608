//! The emulated machines, and how a program of `tests/on-target` gets onto each.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::{emulate, shell};

/// Where the programs are.
pub const FOLDER: &str = "tests/on-target";

/// The target whose dependencies have features of their own: see the root's `Cargo.toml`.
const WITHOUT_ATOMICS: &str = "riscv32imc-unknown-none-elf";

/// A microcontroller that QEMU emulates.
pub struct Machine {
    /// What we call it.
    pub name: &'static str,
    /// What QEMU calls it.
    model: &'static str,
    /// What Rust calls its instruction set.
    pub target: &'static str,
    /// How its instructions are counted, where they are.
    pub counter: Option<Counter>,
    /// What it calculates with.
    pub processor: Processor,
}

/// What a processor calculates with, which decides what a step costs. The programs of `tests/on-target` know them by these numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Processor {
    /// All in hardware: this computer.
    Doubles,
    /// Single precision in hardware, double precision in software.
    Singles,
    /// Both in software.
    Software,
    /// Both in software without a long multiplication and without most instructions' reach.
    Short,
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
        processor: Processor::Short,
    },
    Machine {
        name: "cortex-m3",
        model: "mps2-an385",
        target: "thumbv7m-none-eabi",
        counter: None,
        processor: Processor::Software,
    },
    Machine {
        name: "cortex-m4f",
        model: "olimex-stm32-h405",
        target: "thumbv7em-none-eabihf",
        counter: Some(Counter { shift: 5, frequency: Some(168_000_000) }),
        processor: Processor::Singles,
    },
    Machine {
        name: "cortex-m7",
        model: "mps2-an500",
        target: "thumbv7em-none-eabihf",
        counter: None,
        processor: Processor::Singles,
    },
    Machine {
        name: "cortex-m33",
        model: "mps2-an505",
        target: "thumbv8m.main-none-eabihf",
        counter: None,
        processor: Processor::Singles,
    },
    Machine {
        name: "riscv32imc",
        model: "virt",
        target: "riscv32imc-unknown-none-elf",
        counter: None,
        processor: Processor::Software,
    },
    Machine {
        name: "riscv32imafc",
        model: "virt",
        target: "riscv32imafc-unknown-none-elf",
        counter: Some(Counter { shift: 5, frequency: None }),
        processor: Processor::Singles,
    },
];

/// How a program is optimised: the profiles of `tests/on-target/Cargo.toml` for firmware.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Optimised {
    /// For speed, opt-level 3.
    ForSpeed,
    /// For size, opt-level "s".
    ForSize,
    /// Not at all: a debug build.
    Not,
}

impl Optimised {
    /// The profile's name.
    pub fn profile(self) -> &'static str {
        match self {
            Self::ForSpeed => "release",
            Self::ForSize => "small",
            Self::Not => "dev",
        }
    }

    /// The folder of what is built with the profile: its name, but for one.
    fn folder(self) -> &'static str {
        match self {
            Self::Not => "debug",
            _ => self.profile(),
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

    /// Where cargo leaves a program; machines with the same target run the same one.
    fn built(&self, program: &str, optimised: Optimised) -> PathBuf {
        target_folder().join(self.target).join(optimised.folder()).join(program)
    }

    /// Runs a program to its end and returns what it printed. Fails if the program does, or if it hangs.
    pub fn run(&self, program: &Path, count_instructions: bool) -> Result<String> {
        Self::run_in(&mut self.emulator(program, count_instructions), program, emulate::TIME_LIMIT)
    }

    /// The same with arguments for the program and another time after which it hangs, and without counting.
    pub fn run_with(&self, program: &Path, arguments: &[u64], limit: Duration) -> Result<String> {
        Self::run_in(&mut self.emulator_with(program, None, arguments), program, limit)
    }

    /// The same, counting with a counter of its own.
    pub fn count_with(&self, program: &Path, arguments: &[u64], counter: &Counter) -> Result<String> {
        Self::run_in(&mut self.emulator_with(program, Some(counter), arguments), program, emulate::TIME_LIMIT)
    }

    fn run_in(emulator: &mut Command, program: &Path, limit: Duration) -> Result<String> {
        let begun = Instant::now();
        let shown = program.file_name().unwrap_or_default().display().to_string();
        let mut output = Vec::new();
        let result = emulate::run_within(emulator, limit, |bytes| {
            output.extend(bytes);
            Ok(())
        });
        let output = String::from_utf8_lossy(&output).into_owned();
        // What it printed before it failed is still worth showing.
        let output = result.with_context(|| format!("{shown}\n{output}")).map(|()| output);
        let mark = if output.is_ok() { "ok    " } else { "FAILED" };
        shell::say(&format!("  {mark} run {shown} ({:.1} s)", begun.elapsed().as_secs_f32()));
        output
    }

    /// The command that runs a program; counting makes its time a function of the instructions executed.
    pub fn emulator(&self, program: &Path, count_instructions: bool) -> Command {
        self.emulator_with(program, self.counter.as_ref().filter(|_| count_instructions), &[])
    }

    fn emulator_with(&self, program: &Path, counter: Option<&Counter>, arguments: &[u64]) -> Command {
        let arguments: Vec<String> = arguments.iter().map(u64::to_string).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        emulate::command(self.target, self.model, program, &arguments, counter.map(|counter| counter.shift))
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

/// Builds programs for several machines as one visible step, all targets at a time as far as that can be: that keeps all
/// processors busy. Says where the programs of each machine are, in the order given.
pub fn build(machines: &[&'static Machine], programs: &[&str], optimised: Optimised) -> Result<Vec<Vec<PathBuf>>> {
    build_with_config(machines, programs, optimised, &[])
}

/// The same with settings of cargo's besides those of the profile.
pub fn build_with_config(
    machines: &[&'static Machine],
    programs: &[&str],
    optimised: Optimised,
    settings: &[String],
) -> Result<Vec<Vec<PathBuf>>> {
    for targets in at_once(machines) {
        let profile = optimised.profile();
        let mut command = cargo();
        command.args(["build", "--profile", profile]);
        command.args(settings.iter().flat_map(|setting| ["--config", setting]));
        command.args(targets.iter().flat_map(|target| ["--target", target]));
        command.args(programs.iter().flat_map(|program| ["--bin", program]));
        shell::run(&format!("build {} programs for {} ({profile})", programs.len(), targets.join(", ")), &mut command)?;
    }
    let built = |machine: &&'static Machine| programs.iter().map(|program| machine.built(program, optimised)).collect();
    Ok(machines.iter().map(built).collect())
}

/// Builds programs optimised for size whose dependencies are those optimised for speed, which need not be compiled anew: what is generic,
/// nearly all, is compiled with a program. Cargo leaves both variants in the same place, so these are taken elsewhere.
pub fn build_own_code_for_size(machines: &[&'static Machine], programs: &[&str]) -> Result<Vec<Vec<PathBuf>>> {
    let mut files = Vec::new();
    for machine in machines {
        let mut command = cargo();
        command.args(["build", "--release", "--target", machine.target]);
        command.args(["--config", r#"profile.release.package.on-target.opt-level="s""#]);
        command.args(["--config", "profile.release.package.on-target.debug=0"]);
        command.args(programs.iter().flat_map(|program| ["--bin", program]));
        shell::run(
            &format!("build {} programs for {} (own code small)", programs.len(), machine.target),
            &mut command,
        )?;
        let folder = target_folder().join(machine.target).join("own_code_small");
        fs::create_dir_all(&folder)?;
        let taken = |program: &&str| {
            let file = folder.join(program);
            fs::copy(machine.built(program, Optimised::ForSpeed), &file)
                .with_context(|| format!("cannot copy to {}", file.display()))
                .map(|_| file)
        };
        files.push(programs.iter().map(taken).collect::<Result<Vec<PathBuf>>>()?);
    }
    Ok(files)
}

/// The targets of machines, in groups that one command can build. Cargo gives everything that a command builds the features that any
/// of its targets asks for: with a target that has no atomic instructions, the queue would use critical sections on all others, too.
pub fn at_once(machines: &[&'static Machine]) -> Vec<Vec<&'static str>> {
    let targets: BTreeSet<&str> = machines.iter().map(|machine| machine.target).collect();
    let (without, with) = targets.into_iter().partition(|target| *target == WITHOUT_ATOMICS);
    [with, without].into_iter().filter(|group: &Vec<_>| !group.is_empty()).collect()
}

/// Builds a program for one machine with variables that it reads at that time, and says where it is.
pub fn build_with(machine: &'static Machine, program: &str, variables: &[(&str, &str)]) -> Result<PathBuf> {
    let optimised = Optimised::ForSpeed;
    let mut command = cargo();
    command.args(["build", "--profile", optimised.profile(), "--target", machine.target, "--bin", program]);
    command.envs(variables.iter().copied());
    let values: Vec<&str> = variables.iter().map(|(_, value)| *value).collect();
    shell::run(&format!("build {program} for {}: {}", machine.name, values.join(", ")), &mut command)?;
    Ok(machine.built(program, optimised))
}

/// `cargo` for the programs, on this computer or for a machine.
pub fn cargo() -> Command {
    let mut command = shell::cargo(FOLDER);
    command.env("CARGO_TARGET_DIR", target_folder());
    command
}

/// Where the programs are built, whatever they are built for.
pub fn target_folder() -> PathBuf {
    shell::root().join("target/on-target")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_without_atomic_instructions_is_built_apart() {
        let groups = at_once(&MACHINES.each_ref());
        assert_eq!(groups.concat().len(), 6, "each target once");
        assert!(groups.iter().all(|group| group.len() == 1 || !group.contains(&WITHOUT_ATOMICS)), "{groups:?}");
        assert!(at_once(&[]).is_empty());
    }

    #[test]
    fn readings_of_the_counter_become_instructions() {
        // Blocks of 1, 41 and 401 instructions between two readings.
        let systick = Counter { shift: 5, frequency: Some(168_000_000) };
        assert_eq!([5, 6, 220, 221, 2155, 2156].map(|ticks| systick.instructions(ticks)), [1, 1, 41, 41, 401, 401]);
        assert_eq!(Counter { shift: 5, frequency: None }.instructions(7), 7);
    }
}
