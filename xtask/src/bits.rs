//! The same bits on every target.
//!
//! The programs of `tests/on-target` hash the results of every function and kernel over many inputs, and every step of long runs
//! of whole systems. This module runs them on this computer and on every emulated machine, at several optimisation levels, and
//! compares all hashes with each other and with `bits.txt`, so that a change of the results themselves is found, too.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::machines::{self, DEFAULT, FOLDER, MACHINES, Machine, Processor};
use crate::shell;

pub mod costs;
mod hashes;
mod table;

use hashes::{Hashes, NOT_RUN, parse};
use table::Column;

/// A program that prints hashes.
struct Program {
    name: &'static str,
    /// How the names of its hashes begin, if it is too large for the Cortex-M4F's chip with 1 MB of flash and 112 KB of RAM. Then another
    /// machine with this processor runs it, and the short check leaves it out. `tests/on-target/build.rs` has the same list.
    large: Option<&'static str>,
}

impl Program {
    const fn new(name: &'static str) -> Self {
        Self { name, large: None }
    }

    const fn large(name: &'static str, hashes: &'static str) -> Self {
        Self { name, large: Some(hashes) }
    }

    /// The machine with enough memory for it.
    fn fitting(&self, machine: &Machine) -> Machine {
        if self.large.is_some() { machine.larger() } else { *machine }
    }

    /// Whether it makes runs as well as calling single functions.
    fn has_runs(&self) -> bool {
        !["bits_scalars", "bits_f32", "bits_f64"].contains(&self.name)
    }
}

/// The programs. Several small ones compile in parallel, one large one would not.
#[rustfmt::skip]
const PROGRAMS: [Program; 27] = [
    Program::new("bits_scalars"), Program::new("bits_f32"), Program::new("bits_f64"),
    Program::new("bits_rattle_f32"), Program::new("bits_rattle_f64"),
    Program::new("bits_methods_f32"), Program::new("bits_methods_f64"),
    Program::new("bits_servo"), Program::new("bits_general"),
    Program::new("bits_stiff"), Program::new("bits_actuator"), Program::new("bits_structure"),
    Program::new("bits_serial"), Program::new("bits_manifolds"),
    Program::new("bits_parts_two_f64"), Program::new("bits_parts_small_f32"), Program::new("bits_parts_linkages_f32"),
    Program::new("bits_parts_space_f32"),
    // Double precision in software takes two to three times as much flash, and large lists take much stack.
    Program::large("bits_parts_small_f64", "f64 small lists,"),
    Program::large("bits_parts_linkages_f64", "f64 linkages,"),
    Program::large("bits_parts_space_f64", "f64 lists in space,"),
    Program::large("bits_parts_large_f32", "f32 large lists,"),
    Program::large("bits_parts_large_f64", "f64 large lists,"),
    Program::large("bits_parts_bricard_f32", "f32 largest list,"),
    Program::large("bits_parts_bricard_f64", "f64 largest list,"),
    Program::new("bits_ring_f32"),
    Program::large("bits_ring_f64", "f64 ring,"),
];

/// The programs that the default machine also runs optimised for size: every system with one method. The ring is left
/// out, because its stack then exceeds the 112 KB of RAM. The single functions and the other methods are left out because they take
/// minutes and cover no other code; this computer runs all programs at every optimisation level. Unoptimised, none of them fits into the
/// flash: loops over many constraints are written out.
const ONE_METHOD: [&str; 4] = ["bits_rattle_f32", "bits_rattle_f64", "bits_servo", "bits_general"];

/// The program that two other machines also run optimised for size: it covers the most forms of systems, in both precisions.
const SMALL: &str = "bits_general";

/// The length of the runs: the most steps of a run, and the most instructions it may take on its machine.
#[derive(Clone, Copy)]
struct Length {
    steps: u64,
    instructions: u64,
}

impl Length {
    /// About a second for each run. `tests/on-target` has the same numbers and prints a hash where such a run ends.
    const USUAL: Self = Self { steps: 1_000_000, instructions: 200_000_000 };

    /// Half a minute for each run.
    const LONG: Self = Self { steps: 10_000_000, instructions: 4_000_000_000 };

    /// For a quick check and for unoptimised builds. Every system completes these steps.
    const SHORT: Self = Self { steps: 1_000, instructions: 1_000_000_000 };

    /// The arguments of a program: the number of steps, the instructions they may take, and the processor whose costs apply.
    fn arguments(self, processor: Processor) -> [u64; 3] {
        [self.steps, self.instructions, processor as u64]
    }

    /// A program that takes longer hangs: ten minutes, or three hours for long runs.
    fn limit(self) -> Duration {
        Duration::from_secs(if self.steps > Self::USUAL.steps { 10_800 } else { 600 })
    }
}

/// Where the programs run.
#[derive(Clone, Copy, PartialEq)]
pub enum Extent {
    /// On the Cortex-M4F, optimised for speed, with short runs.
    Default,
    /// On this computer and on every machine, at several optimisation levels.
    All,
    /// The same with up to ten million steps, which takes almost an hour.
    Long,
}

/// A way to build the programs for this computer.
struct Host {
    title: &'static str,
    profile: &'static str,
    flags: &'static str,
    /// How many times more instructions it executes than the build optimised for speed.
    slowdown: u64,
}

/// The builds for this computer. The others are compared with the first.
const HOSTS: [Host; 3] = [
    Host { title: "host, release", profile: "release", flags: "", slowdown: 1 },
    Host { title: "host, dev", profile: "dev", flags: "", slowdown: 30 },
    Host { title: "host, small, native, fma", profile: "small", flags: FUSED, slowdown: 1 },
];

/// Allows every instruction of this computer, with fused multiply–add, which the compiler must not use unasked.
const FUSED: &str = "-C target-cpu=native -C target-feature=+fma";

/// Makes the compiler fuse separate multiplications and additions, which changes the bits.
const CONTRACTED: Host = Host {
    title: "host, contracted",
    profile: "release",
    flags: "-C target-feature=+fma -C llvm-args=-fp-contract=fast",
    slowdown: 1,
};

/// The program whose bits must change with [`CONTRACTED`].
const SENSITIVE: &str = "bits_ring_f32";

/// Writes this computer's hashes to `bits.txt`, then calls [`run`].
pub fn update() -> Result<()> {
    hashes::write_expected(&HOSTS[0].run(&PROGRAMS.each_ref(), Length::USUAL)?.concat())?;
    run(Extent::All)
}

/// Runs the programs and compares.
pub fn run(extent: Extent) -> Result<()> {
    let mut columns = vec![Column { title: "bits.txt".to_owned(), hashes: hashes::read_expected()? }];
    if extent == Extent::Default {
        let fits: Vec<_> =
            PROGRAMS.iter().filter(|program| program.large.is_none()).map(|program| program.name).collect();
        machines::build(&[DEFAULT], &fits, "release", &[])?;
        let jobs = vec![Jobs::on(DEFAULT, "release", Length::SHORT, &fits)];
        let expected = &columns[0].hashes;
        let here = PROGRAMS.each_ref().map(|program| {
            let is_of = |name: &str| program.large.is_some_and(|hashes| name.starts_with(hashes));
            expected.iter().filter(|(name, _)| is_of(name)).cloned().collect::<Hashes>()
        });
        columns.extend(run_on_machines(jobs, &here)?);
    } else {
        let is_long = extent == Extent::Long;
        let length = if is_long { Length::LONG } else { Length::USUAL };
        let here = HOSTS[0].run(&PROGRAMS.each_ref(), length)?;
        if is_long {
            columns[0].hashes = with_longer_runs(std::mem::take(&mut columns[0].hashes), here.concat());
            check_that_contraction_is_seen(&here)?;
        }
        columns.push(Column { title: HOSTS[0].title.to_owned(), hashes: here.concat() });
        for host in HOSTS.iter().skip(1).filter(|host| host.is_possible()) {
            let hashes = host.run(&PROGRAMS.each_ref(), length)?.concat();
            columns.push(Column { title: host.title.to_owned(), hashes });
        }
        columns.extend(run_on_machines(build_for_machines(length)?, &here)?);
    }

    let (table, differing) = table::compare(&columns);
    print!("{table}");
    if differing.is_empty() {
        return Ok(());
    }
    let (title, differing) = (&columns[0].title, differing.join(", "));
    bail!("the bits differ from those in {title} for {differing}\nif the change is intended: cargo xtask bits --update")
}

/// A negative control: if the compiler fuses multiplications and additions, every hash of a program must change.
fn check_that_contraction_is_seen(here: &[Hashes]) -> Result<()> {
    let (program, here) =
        PROGRAMS.iter().zip(here).find(|(program, _)| program.name == SENSITIVE).context("no such program")?;
    if !CONTRACTED.is_possible() {
        return Ok(());
    }
    let contracted = CONTRACTED.run(&[program], Length::USUAL)?.concat();
    let is_same = |hash: &(String, String)| here.contains(hash);
    let is_seen = !contracted.is_empty() && !contracted.iter().any(is_same);
    ensure!(is_seen, "the check is blind: with {} some bits do not change", CONTRACTED.flags);
    Ok(())
}

/// The expected hashes. Where a run goes beyond them, this computer's hashes are added.
fn with_longer_runs(mut expected: Hashes, here: Hashes) -> Hashes {
    for (name, hash) in here {
        let (body, steps) = hashes::split(&name);
        let is_known = |(known, _): &(String, String)| hashes::split(known).0 == body;
        let is_beyond = |(known, _): &(String, String)| {
            hashes::split(known).0 != body || hashes::split(known).1.map(|known| known.1) < steps.map(|steps| steps.1)
        };
        if expected.iter().any(is_known) && expected.iter().all(is_beyond) {
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

    /// Builds and runs programs, and returns the hashes that each printed.
    fn run(&self, programs: &[&Program], length: Length) -> Result<Vec<Hashes>> {
        // With an explicit target, the flags do not apply to build scripts, which are then built only once.
        let compiler = shell::ask("rustc", &["-vV"]).context("cannot run rustc")?;
        let target = compiler.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
        let mut command = shell::cargo(FOLDER, &["build", "--profile", self.profile, "--target", target]);
        // Link-time optimisation takes longest. The machines use it, so results with and without it are compared.
        command.env("RUSTFLAGS", self.flags).args(["--config", "profile.release.lto=false"]);
        command.args(programs.iter().flat_map(|program| ["--bin", program.name]));
        shell::run(&format!("build {} programs for this computer ({})", programs.len(), self.title), &mut command)?;

        let folder = shell::built(FOLDER, target, self.profile);
        let length = Length { instructions: length.instructions / self.slowdown, ..length };
        let arguments = length.arguments(Processor::Doubles).map(|argument| argument.to_string());
        let outputs = in_parallel(programs, |program| {
            let step = format!("run {} on this computer ({})", program.name, self.title);
            parse(&shell::capture(&step, Command::new(folder.join(program.name)).args(&arguments))?)
        });
        outputs.into_iter().collect()
    }
}

/// Builds for all machines, at every optimisation level.
fn build_for_machines(length: Length) -> Result<Vec<Jobs>> {
    let mut jobs = Vec::new();
    // One machine of each other architecture runs a program that is optimised for size, with dependencies optimised for speed. That
    // saves compiling them again; nearly all code is generic and compiled with the program. Cargo writes both variants to the same
    // file, so this one is copied elsewhere before the programs are built for speed.
    for machine in [Machine::named("cortex-m0"), Machine::named("riscv32imafc")] {
        machines::build(&[machine], &[SMALL], "release", &[r#"profile.release.package.on-target.opt-level="s""#])?;
        let file = machine.built(SMALL, "own_code_small");
        fs::create_dir_all(file.parent().context("a file has a folder")?)?;
        fs::copy(machine.built(SMALL, "release"), &file)
            .with_context(|| format!("cannot copy to {}", file.display()))?;
        jobs.push(Jobs::on(machine, "own_code_small", length, &[SMALL]));
    }
    let every = PROGRAMS.each_ref().map(|program| program.name);
    machines::build(&MACHINES.each_ref(), &every, "release", &[])?;
    jobs.extend(MACHINES.iter().map(|machine| Jobs::on(machine, "release", length, &every)));
    machines::build(&[DEFAULT], &ONE_METHOD, "small", &[])?;
    jobs.push(Jobs::on(DEFAULT, "small", length, &ONE_METHOD));
    Ok(jobs)
}

/// The jobs of a column: a machine, and the file of each program that it runs.
struct Jobs {
    title: String,
    machine: &'static Machine,
    length: Length,
    files: Vec<Option<PathBuf>>,
}

impl Jobs {
    /// Jobs for these programs, built with a profile; the others are [`NOT_RUN`].
    fn on(machine: &'static Machine, profile: &str, length: Length, programs: &[&str]) -> Self {
        let file = |program: &Program| programs.contains(&program.name).then(|| machine.built(program.name, profile));
        let files = PROGRAMS.iter().map(file).collect();
        Self { title: format!("{}, {profile}", machine.name), machine, length, files }
    }
}

/// Runs the jobs in parallel. A program that is not run gets the names of its hashes from `here`.
fn run_on_machines(jobs: Vec<Jobs>, here: &[Hashes]) -> Result<Vec<Column>> {
    let programs = || PROGRAMS.iter().zip(here);
    let flat: Vec<_> =
        jobs.iter().flat_map(|jobs| jobs.files.iter().zip(programs()).map(move |job| (jobs, job))).collect();
    let outputs = in_parallel(&flat, |(Jobs { machine, length, .. }, (file, (program, here)))| match file {
        None => Ok(here.iter().map(|(name, _)| (name.clone(), NOT_RUN.to_owned())).collect()),
        Some(file) => {
            let machine = program.fitting(machine);
            parse(&machine.run(file, &length.arguments(machine.processor), None, length.limit())?)
        }
    });
    let outputs = outputs.into_iter().collect::<Result<Vec<Hashes>>>()?;
    let hashes = outputs.chunks(PROGRAMS.len()).map(|parts| parts.concat());
    Ok(jobs.iter().zip(hashes).map(|(jobs, hashes)| Column { title: jobs.title.clone(), hashes }).collect())
}

/// Does the jobs on all processors. Returns the results in the order of the jobs.
fn in_parallel<J: Sync, R: Send>(jobs: &[J], work: impl Fn(&J) -> R + Sync) -> Vec<R> {
    let (waiting, done) = (Mutex::new(jobs.iter().enumerate()), Mutex::new(Vec::new()));
    let next = || waiting.lock().expect("no worker panics").next();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((index, job)) = next() {
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
    fn only_longer_runs_take_their_expected_hash_from_this_computer() {
        let expected = parse("sqrt: 01\nring, 1e2 steps: 02\n").unwrap();
        let here = parse("sqrt: 05\nring, 1e2 steps: 06\nring, 3e2 steps: 07\nnew, 3e2 steps: 08\n").unwrap();
        let together = with_longer_runs(expected, here);
        assert_eq!(together, parse("sqrt: 01\nring, 1e2 steps: 02\nring, 3e2 steps: 07\n").unwrap());
    }
}
