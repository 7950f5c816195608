//! The emulated machines, and how to build and run a program of `tests/on-target` on each.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::{emulate, shell};

/// The folder of the programs.
pub const FOLDER: &str = "tests/on-target";

/// The target whose dependencies need other features: see the root's `Cargo.toml`.
const WITHOUT_ATOMICS: &str = "riscv32imc-unknown-none-elf";

/// A microcontroller that QEMU emulates.
#[derive(Clone, Copy)]
pub struct Machine {
    /// Its name in commands, tables and files.
    pub name: &'static str,
    /// QEMU's name for it.
    model: &'static str,
    /// QEMU's name for a machine with the same processor and more memory, for programs that are too large for `model`.
    larger: &'static str,
    /// More arguments for QEMU.
    settings: &'static [&'static str],
    /// Rust's name for its instruction set.
    pub target: &'static str,
    /// Its kind of processor.
    pub processor: Processor,
    /// Its counter, if instructions are counted on it.
    pub counter: Option<Counter>,
}

/// A kind of processor, by its floating-point hardware, which determines the cost of a step. The programs of `tests/on-target` use the
/// same numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Processor {
    /// Single and double precision in hardware: this computer.
    Doubles,
    /// Single precision in hardware, double precision in software.
    Singles,
    /// Both in software.
    Software,
    /// Both in software, on the ARMv6-M instruction set: no long multiplication, few 32-bit instructions.
    Short,
}

/// A counter that advances by a fixed amount per instruction, because QEMU runs with `-icount`.
#[derive(Clone, Copy)]
pub struct Counter {
    /// Each instruction takes 2^shift ns of emulated time.
    pub shift: u32,
    /// Counter ticks per second of emulated time, several per instruction; `None` if it counts instructions.
    pub frequency: Option<u64>,
}

/// All machines.
pub const MACHINES: [Machine; 7] = [
    Machine::new("cortex-m0", "microbit", "thumbv6m-none-eabi", Processor::Short)
        .with(&["-global", "nrf51-soc.flash-size=0x400000", "-global", "nrf51-soc.sram-size=0x400000"])
        .counting(10, Some(16_000_000)),
    Machine::new("cortex-m3", "mps2-an385", "thumbv7m-none-eabi", Processor::Software),
    Machine::new("cortex-m4f", "olimex-stm32-h405", "thumbv7em-none-eabihf", Processor::Singles)
        .or_larger("mps2-an386")
        .counting(5, Some(168_000_000)),
    Machine::new("cortex-m7", "mps2-an500", "thumbv7em-none-eabihf", Processor::Singles),
    Machine::new("cortex-m33", "mps2-an505", "thumbv8m.main-none-eabihf", Processor::Singles),
    Machine::new("riscv32imc", "virt", WITHOUT_ATOMICS, Processor::Software),
    Machine::new("riscv32imafc", "virt", "riscv32imafc-unknown-none-elf", Processor::Singles).counting(5, None),
];

/// The machine with the default board's chip.
pub const DEFAULT: &Machine = &MACHINES[2];

impl Machine {
    const fn new(name: &'static str, model: &'static str, target: &'static str, processor: Processor) -> Self {
        Self { name, model, larger: model, settings: &[], target, processor, counter: None }
    }

    const fn or_larger(self, larger: &'static str) -> Self {
        Self { larger, ..self }
    }

    const fn with(self, settings: &'static [&'static str]) -> Self {
        Self { settings, ..self }
    }

    const fn counting(self, shift: u32, frequency: Option<u64>) -> Self {
        Self { counter: Some(Counter { shift, frequency }), ..self }
    }

    /// Finds a machine by name. The name must be in the table.
    pub fn named(name: &str) -> &'static Self {
        MACHINES.iter().find(|machine| machine.name == name).expect("a machine of the table")
    }

    /// The same processor with more memory.
    pub fn larger(&self) -> Self {
        Self { model: self.larger, ..*self }
    }

    /// Whether it has single-precision floating-point instructions.
    pub fn has_floats(&self) -> bool {
        self.processor == Processor::Singles
    }

    /// The file that cargo builds for a program. Machines with the same target run the same file.
    pub fn built(&self, program: &str, profile: &str) -> PathBuf {
        shell::built(FOLDER, self.target, profile).join(program)
    }

    /// Runs a program that counts instructions, checks its counter and returns its output.
    pub fn count(&self, program: &Path) -> Result<Counts> {
        let counter = self.counter.with_context(|| format!("{} has no counter of instructions", self.name))?;
        let output = self.run(program, &[], Some(counter), emulate::TIME_LIMIT)?;
        let empty = counter.check(&output).with_context(|| format!("the counter of {}", self.name))?;
        Ok(Counts { counter, empty, output })
    }

    /// Runs a program with arguments to its end and returns its output. With a counter, emulated time depends only on the executed
    /// instructions. Fails if the program fails or hangs.
    pub fn run(&self, program: &Path, arguments: &[u64], counter: Option<Counter>, limit: Duration) -> Result<String> {
        let arguments: Vec<String> = arguments.iter().map(u64::to_string).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let shift = counter.map(|counter| counter.shift);
        let (begun, mut output) = (Instant::now(), Vec::new());
        let mut command = emulate::command(self.target, self.model, program, &arguments, shift);
        command.args(self.settings);
        let result = emulate::run(&mut command, limit, |bytes| {
            output.extend(bytes);
            Ok(())
        });
        let step = format!("run {} on {}", program.file_name().unwrap_or_default().display(), self.name);
        shell::report(&step, begun, result.is_ok());
        let output = String::from_utf8_lossy(&output).into_owned();
        // Show the output of a failed program, too.
        result.with_context(|| format!("{step}\n{output}")).map(|()| output)
    }
}

/// The output of a program that counts instructions.
pub struct Counts {
    pub counter: Counter,
    /// The instructions of an empty function: its frame and its return.
    empty: u64,
    pub output: String,
}

impl Counts {
    /// The instructions of a function, from the ticks of its call and of the same call of an empty function.
    pub fn of(&self, ticks: u64, ticks_of_nothing: u64) -> u64 {
        self.of_calls(1, ticks, ticks_of_nothing)
    }

    /// The same for several calls.
    pub fn of_calls(&self, calls: u64, ticks: u64, ticks_of_nothing: u64) -> u64 {
        self.counter.instructions(ticks) + calls * self.empty - self.counter.instructions(ticks_of_nothing)
    }

    /// No output, of a machine whose counter counts instructions.
    #[cfg(test)]
    pub fn in_instructions(empty: u64) -> Self {
        Self { counter: Counter { shift: 5, frequency: None }, empty, output: String::new() }
    }
}

impl Counter {
    /// Converts ticks to instructions and rounds: readings are whole ticks, and an instruction takes several.
    pub fn instructions(&self, ticks: u64) -> u64 {
        let Some(frequency) = self.frequency else { return ticks };
        let ticks_per_instruction = frequency << self.shift;
        (ticks * 1_000_000_000 + ticks_per_instruction / 2) / ticks_per_instruction
    }

    /// Checks the counter with blocks of known length, `nops LENGTH TICKS`: the count less that of the empty block must be exact. Returns
    /// the instructions of an empty function, from the ticks of its call and of the call of a single return: `empty TICKS TICKS`.
    fn check(&self, output: &str) -> Result<u64> {
        let (mut first, mut blocks, mut empty) = (None, 0, None);
        for row in rows(output) {
            match row.as_slice() {
                ["nops", length, ticks] => {
                    let (length, counted): (u64, u64) = (length.parse()?, self.instructions(ticks.parse()?));
                    let overhead = *first.get_or_insert(counted);
                    let right = counted == length + overhead;
                    ensure!(right, "the counter is wrong: it counted {counted} - {overhead} instructions for {length}");
                    blocks += 1;
                }
                ["empty", function, single_return] => {
                    let [function, single_return] = [function, single_return].map(|ticks| ticks.parse());
                    empty = Some(self.instructions(function?) + 1 - self.instructions(single_return?));
                }
                _ => {}
            }
        }
        ensure!(blocks >= 3, "the program printed {blocks} `nops` rows, at least 3 are needed");
        empty.context("the program printed no `empty` row")
    }
}

/// The words of each line.
pub fn rows(output: &str) -> impl Iterator<Item = Vec<&str>> {
    output.lines().map(|line| line.split(' ').collect())
}

/// Builds programs for several machines as one visible step. One command builds as many targets as possible, to keep all processors
/// busy. `settings` are passed to cargo as `--config`.
pub fn build(machines: &[&'static Machine], programs: &[&str], profile: &str, settings: &[&str]) -> Result<()> {
    for targets in target_groups(machines) {
        let mut command = shell::cargo(FOLDER, &["build", "--profile", profile]);
        command.args(settings.iter().flat_map(|setting| ["--config", setting]));
        command.args(targets.iter().flat_map(|target| ["--target", target]));
        command.args(programs.iter().flat_map(|program| ["--bin", program]));
        shell::run(&format!("build {} programs for {} ({profile})", programs.len(), targets.join(", ")), &mut command)?;
    }
    Ok(())
}

/// The targets of machines, in groups that one command can build. Cargo unifies the features of all targets of a command: together
/// with a target without atomic instructions, the queue would use critical sections on all other targets, too.
pub fn target_groups(machines: &[&'static Machine]) -> Vec<Vec<&'static str>> {
    let targets: BTreeSet<&str> = machines.iter().map(|machine| machine.target).collect();
    let (without, with) = targets.into_iter().partition(|target| *target == WITHOUT_ATOMICS);
    [with, without].into_iter().filter(|group: &Vec<_>| !group.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_without_atomic_instructions_is_built_separately() {
        let groups = target_groups(&MACHINES.each_ref());
        assert_eq!(groups.concat().len(), 6, "each target once");
        assert!(groups.iter().all(|group| group.len() == 1 || !group.contains(&WITHOUT_ATOMICS)), "{groups:?}");
        assert!(target_groups(&[]).is_empty());
    }

    #[test]
    fn ticks_are_converted_to_instructions() {
        // Blocks of 1, 41 and 401 instructions between two readings.
        let systick = Counter { shift: 5, frequency: Some(168_000_000) };
        assert_eq!([5, 6, 220, 221, 2155, 2156].map(|ticks| systick.instructions(ticks)), [1, 1, 41, 41, 401, 401]);
        assert_eq!(Counter { shift: 5, frequency: None }.instructions(7), 7);
    }

    #[test]
    fn a_counter_that_is_off_by_one_is_refused() {
        let counter = Counter { shift: 5, frequency: None };
        let check = |output: &str| counter.check(&format!("{output}\nempty 9 7")).ok();
        assert_eq!(check("nops 0 1\nnops 40 41\nnops 400 401"), Some(3));
        assert_eq!(check("nops 0 1\nnops 40 41\nnops 400 402"), None);
        assert_eq!(check("nops 0 1\nnops 40 41"), None);
        assert!(counter.check("nops 0 1\nnops 40 41\nnops 400 401").is_err());
    }

    #[test]
    fn the_frame_and_the_return_of_a_function_count() {
        let counts = Counts::in_instructions(3);
        assert_eq!((counts.of(120, 22), counts.of_calls(10, 1_200, 220)), (101, 1_010));
    }

    #[test]
    fn only_some_machines_have_floats() {
        assert!(DEFAULT.has_floats() && DEFAULT.name == "cortex-m4f");
        assert!(!Machine::named("cortex-m3").has_floats());
    }
}
