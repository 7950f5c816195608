//! The same bits on every target.
//!
//! `tests/on-target` hashes the results of every function and kernel over many inputs, and all steps of long runs of whole
//! systems. This runs it on this computer and on every emulated machine, differently optimised and not at all, and compares hash
//! by hash; with `bits.txt`, too, so that a change of the results themselves does not go unnoticed.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::machines::{self, MACHINES, Machine, Optimised, Processor};
use crate::shell;

pub mod costs;
mod hashes;
mod table;

use hashes::{Hashes, NO_ROOM, NOT_RUN, parse};
use table::Column;

/// The program that other machines than the default one run optimised for size, too: it has the most different forms of systems,
/// in both precisions.
const SMALL: &str = "bits_general";

/// A program that prints hashes.
struct Program {
    name: &'static str,
    /// The machines that have not the memory for its stack; a Cortex-M7 runs what a Cortex-M4F does, to the byte.
    too_large_for: &'static [&'static str],
}

impl Program {
    /// Whether it makes runs, and not only calls functions.
    fn has_runs(&self) -> bool {
        !["bits_scalars", "bits_f32", "bits_f64"].contains(&self.name)
    }

    /// For size and unoptimised, only the programs that have every system with one method, but for the ring, for which the 112 KB of the
    /// default board have no stack then: functions one by one and the other methods cost minutes, and have nothing that these do not have;
    /// this computer has all of them in every way.
    fn is_run(&self, optimised: Optimised) -> bool {
        optimised == Optimised::ForSpeed
            || ["bits_rattle", "bits_servo", "bits_general"].iter().any(|name| self.name.starts_with(name))
    }
}

/// The programs: together they were too large for the smallest machine.
const PROGRAMS: [Program; 11] = [
    Program { name: "bits_scalars", too_large_for: &[] },
    Program { name: "bits_f32", too_large_for: &[] },
    Program { name: "bits_f64", too_large_for: &[] },
    Program { name: "bits_rattle_f32", too_large_for: &[] },
    Program { name: "bits_rattle_f64", too_large_for: &[] },
    Program { name: "bits_methods_f32", too_large_for: &[] },
    Program { name: "bits_methods_f64", too_large_for: &[] },
    Program { name: "bits_servo", too_large_for: &[] },
    Program { name: "bits_general", too_large_for: &[] },
    Program { name: "bits_ring_f32", too_large_for: &["cortex-m0"] },
    Program { name: "bits_ring_f64", too_large_for: &["cortex-m0", "cortex-m4f", "cortex-m7"] },
];

/// How long the runs are: at most so many steps, and each at most so many instructions on the machine where it is made.
#[derive(Clone, Copy)]
pub struct Length {
    steps: u64,
    instructions: u64,
}

impl Length {
    /// A second or so for each run. `tests/on-target` knows these numbers, too: where such a run ends, it prints a hash.
    pub const USUAL: Self = Self { steps: 1_000_000, instructions: 200_000_000 };

    /// Half a minute for each run.
    pub const LONG: Self = Self { steps: 10_000_000, instructions: 4_000_000_000 };

    /// Of unoptimised builds for a machine: all systems get as far as that.
    const SHORT: Self = Self { steps: 1_000, instructions: 1_000_000_000 };

    /// What a program wants to know: the number of steps, what they may cost, and which of their costs count.
    fn arguments(self, processor: Processor) -> [u64; 3] {
        [self.steps, self.instructions, processor as u64]
    }

    /// When a program with such runs hangs: ten minutes, or of the long ones three hours.
    fn limit(self) -> Duration {
        Duration::from_secs(if self.steps > Self::USUAL.steps { 10_800 } else { 600 })
    }

    /// The same for steps that take so many times as many instructions.
    fn divided(self, slowdown: u64) -> Self {
        Self { instructions: self.instructions / slowdown, ..self }
    }
}

/// A way to build the programs for this computer.
struct Host {
    title: &'static str,
    profile: &'static str,
    flags: &'static str,
    /// How many times as many instructions as optimised for speed.
    slowdown: u64,
}

/// The ways: the one that the others are compared with first.
const HOSTS: [Host; 3] = [
    Host { title: "host, release", profile: "release", flags: "", slowdown: 1 },
    Host { title: "host, dev", profile: "dev", flags: "", slowdown: 30 },
    Host { title: "host, small, native, fma", profile: "small", flags: FUSED, slowdown: 1 },
];

/// Lets the compiler use all that this computer has and fused multiply–add, which it must not do of its own accord.
const FUSED: &str = "-C target-cpu=native -C target-feature=+fma";

/// Makes it fuse what is written apart, which gives other bits.
const CONTRACTED: Host = Host {
    title: "host, contracted",
    profile: "release",
    flags: "-C target-feature=+fma -C llvm-args=-fp-contract=fast",
    slowdown: 1,
};

/// The program that shows it.
const SENSITIVE: &str = "bits_ring_f32";

/// Makes what comes out on this computer what is expected, then does the same as [`run`].
pub fn update() -> Result<()> {
    let hashes = HOSTS[0].run(Length::USUAL)?.into_iter().flatten().collect();
    hashes::write_expected(&hashes)?;
    run(Length::USUAL)
}

/// Runs the programs everywhere and compares.
pub fn run(length: Length) -> Result<()> {
    let first = HOSTS[0].run(length)?;
    let mut expected = hashes::read_expected()?;
    if length.steps > Length::USUAL.steps {
        expected = with_longer_runs(expected, first.concat());
    }
    let mut columns = vec![
        Column { title: "bits.txt".to_owned(), hashes: expected },
        Column { title: HOSTS[0].title.to_owned(), hashes: first.concat() },
    ];
    for host in HOSTS.iter().skip(1).filter(|host| host.is_possible()) {
        columns.push(Column { title: host.title.to_owned(), hashes: host.run(length)?.concat() });
    }
    if length.steps > Length::USUAL.steps && CONTRACTED.is_possible() {
        check_that_contraction_is_seen(&first)?;
    }
    columns.extend(on_machines(length, &first)?);

    let (table, differing) = table::compare(&columns);
    print!("{table}");
    if differing.is_empty() {
        return Ok(());
    }
    bail!(
        "the bits differ from those in {} for {}\nif the results were meant to change: cargo xtask bits --update",
        columns[0].title,
        differing.join(", ")
    )
}

/// A check of the check: if the compiler fuses multiplications and additions, all hashes of a program are others.
fn check_that_contraction_is_seen(here: &[Hashes]) -> Result<()> {
    let (program, here) =
        PROGRAMS.iter().zip(here).find(|(program, _)| program.name == SENSITIVE).context("no such program")?;
    let contracted = CONTRACTED.run_some(&[program], Length::USUAL)?.concat();
    let is_same = |hash: &(String, String)| here.contains(hash);
    ensure!(
        !contracted.is_empty() && !contracted.iter().any(is_same),
        "the bits are the same with {}",
        CONTRACTED.flags
    );
    Ok(())
}

/// What is expected, and of runs that go on behind its end what came out here.
fn with_longer_runs(mut expected: Hashes, here: Hashes) -> Hashes {
    for (name, hash) in here {
        let (body, steps) = hashes::split(&name);
        let is_known = |(known, _): &(String, String)| hashes::split(known).0 == body;
        let is_behind = |(known, _): &(String, String)| {
            hashes::split(known).0 != body || hashes::split(known).1.map(|known| known.1) < steps.map(|steps| steps.1)
        };
        if expected.iter().any(is_known) && expected.iter().all(is_behind) {
            expected.push((name, hash));
        }
    }
    expected
}

impl Host {
    /// Whether this computer can run it.
    fn is_possible(&self) -> bool {
        #[cfg(target_arch = "x86_64")]
        let has_fused = std::arch::is_x86_feature_detected!("fma");
        #[cfg(not(target_arch = "x86_64"))]
        let has_fused = false;
        !self.flags.contains("+fma") || has_fused
    }

    /// Builds all programs and runs them; what each of them printed.
    fn run(&self, length: Length) -> Result<Vec<Hashes>> {
        self.run_some(&PROGRAMS.each_ref(), length)
    }

    /// The same for some of them.
    fn run_some(&self, programs: &[&Program], length: Length) -> Result<Vec<Hashes>> {
        // With a target named, flags are for the programs alone, and what runs during the build is built once for all.
        let compiler = shell::ask("rustc", &["-vV"]).context("cannot run rustc")?;
        let target = compiler.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
        let mut command = machines::cargo();
        command.args(["build", "--profile", self.profile, "--target", target]).env("RUSTFLAGS", self.flags);
        // That is what takes longest, and the machines have it: so there are results with it and without.
        command.args([
            "--config",
            "profile.release.lto=false",
            "--config",
            &format!("profile.{}.debug=0", self.profile),
        ]);
        command.args(programs.iter().flat_map(|program| ["--bin", program.name]));
        shell::run(&format!("build {} programs for this computer ({})", programs.len(), self.title), &mut command)?;

        // Cargo's one profile whose folder has another name.
        let folder = if self.profile == "dev" { "debug" } else { self.profile };
        let folder = machines::target_folder().join(target).join(folder);
        let arguments =
            length.divided(self.slowdown).arguments(Processor::Doubles).map(|argument| argument.to_string());
        let outputs = side_by_side(programs, |program| {
            let step = format!("run {} on this computer ({})", program.name, self.title);
            parse(&shell::capture(&step, Command::new(folder.join(program.name)).args(&arguments))?)
        });
        outputs.into_iter().collect()
    }
}

/// Leaves out of the programs what only a debugger reads, for an eighth of the time that compiling them takes. What they depend on
/// is also what programs of other checks depend on, and stays as it is.
fn quick(profile: &str) -> [String; 1] {
    [format!("profile.{profile}.package.on-target.debug=0")]
}

/// Builds for all machines, then runs as many programs at once as there are processors. What a machine has no room for is known
/// by what it prints on this computer.
fn on_machines(length: Length, here: &[Hashes]) -> Result<Vec<Column>> {
    let (mut titles, mut jobs) = (Vec::new(), Vec::new());
    let mut add = |title: String, machine: &'static Machine, length: Length, file: &dyn Fn(&str) -> Option<PathBuf>| {
        titles.push(title);
        jobs.extend(PROGRAMS.iter().zip(here).map(|(program, here)| {
            let file = match file(program.name) {
                None => Err(NOT_RUN),
                Some(_) if program.too_large_for.contains(&machine.name) => Err(NO_ROOM),
                Some(file) => Ok(file),
            };
            Job { machine, file, length, here }
        }));
    };

    // One machine of each other architecture, before the programs are built for speed and left in the same place.
    let others = [Machine::named("cortex-m0"), Machine::named("riscv32imafc")];
    let small = machines::build_own_code_for_size(&others, &[SMALL])?;
    for (group, optimised, length) in [
        (MACHINES.iter().collect(), Optimised::ForSpeed, length),
        (vec![Machine::named("cortex-m4f")], Optimised::ForSize, length),
        (vec![Machine::named("cortex-m4f")], Optimised::Not, Length::SHORT),
    ] {
        let group: Vec<&'static Machine> = group;
        let programs: Vec<&str> =
            PROGRAMS.iter().filter(|program| program.is_run(optimised)).map(|program| program.name).collect();
        for (machine, files) in
            group.iter().zip(machines::build_with_config(&group, &programs, optimised, &quick(optimised.profile()))?)
        {
            let file =
                |name: &str| programs.iter().position(|program| *program == name).map(|index| files[index].clone());
            add(format!("{}, {}", machine.name, optimised.profile()), machine, length, &file);
        }
    }
    for (machine, files) in others.into_iter().zip(small) {
        let file = |name: &str| files.first().filter(|_| name == SMALL).cloned();
        add(format!("{}, small", machine.name), machine, length, &file);
    }

    let mut outputs = side_by_side(&jobs, Job::run).into_iter();
    let column = |title| {
        let parts = outputs.by_ref().take(PROGRAMS.len());
        Ok(Column { title, hashes: parts.collect::<Result<Vec<Hashes>>>()?.concat() })
    };
    titles.into_iter().map(column).collect()
}

/// A program to be run on a machine.
struct Job<'a> {
    machine: &'static Machine,
    /// Or why there is none.
    file: Result<PathBuf, &'static str>,
    length: Length,
    /// What it prints on this computer.
    here: &'a Hashes,
}

impl Job<'_> {
    fn run(&self) -> Result<Hashes> {
        match &self.file {
            Err(why) => Ok(self.here.iter().map(|(name, _)| (name.clone(), (*why).to_owned())).collect()),
            Ok(file) => parse(&self.machine.run_with(
                file,
                &self.length.arguments(self.machine.processor),
                self.length.limit(),
            )?),
        }
    }
}

/// Does the jobs on all processors; their results are in the order of the jobs.
fn side_by_side<J: Sync, R: Send>(jobs: &[J], work: impl Fn(&J) -> R + Sync) -> Vec<R> {
    let waiting = Mutex::new(jobs.iter().enumerate());
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let next = waiting.lock().expect("no worker panics").next();
                    let Some((index, job)) = next else { break };
                    let result = work(job);
                    done.lock().expect("no worker panics").push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no worker panics");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_longer_runs_are_expected_as_they_come_out() {
        let expected = parse("sqrt: 01\nring, 1e2 steps: 02\n").unwrap();
        let here = parse("sqrt: 05\nring, 1e2 steps: 06\nring, 3e2 steps: 07\nnew, 3e2 steps: 08\n").unwrap();
        let together = with_longer_runs(expected, here);
        assert_eq!(together, parse("sqrt: 01\nring, 1e2 steps: 02\nring, 3e2 steps: 07\n").unwrap());
    }
}
