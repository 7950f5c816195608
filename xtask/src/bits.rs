//! The same bits on every target.
//!
//! `tests/on-target` hashes the results of every function and kernel over many inputs. This runs it on this computer, with and
//! without optimisation, and on every emulated machine, and compares hash by hash; with `bits.txt`, too, so that a change of the
//! results themselves does not go unnoticed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::{fs, thread};

use anyhow::{Context, Result, bail};

use crate::machines::{self, MACHINES, Machine, Optimised};
use crate::shell;

/// The programs: together they were too large for the smallest machine.
const PROGRAMS: [&str; 3] = ["bits_scalars", "bits_f32", "bits_f64"];

/// The hash of each body, in the program's order.
type Hashes = Vec<(String, String)>;

/// One column of the table: where the bodies ran, and what came out.
struct Column {
    title: String,
    hashes: Hashes,
}

/// Makes what comes out on this computer what is expected, then does the same as [`run`].
pub fn update() -> Result<()> {
    write_expected(&on_this_computer("release")?.hashes)?;
    run()
}

/// Runs the bodies everywhere and compares.
pub fn run() -> Result<()> {
    let mut columns = vec![on_this_computer("release")?, on_this_computer("dev")?];
    columns.insert(0, Column { title: "bits.txt".to_owned(), hashes: read_expected()? });
    columns.extend(on_machines()?);

    let (table, differing) = compare(&columns);
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

fn on_this_computer(profile: &str) -> Result<Column> {
    let mut hashes = Hashes::new();
    for program in PROGRAMS {
        let mut command = machines::cargo();
        command.args(["run", "--quiet", "--profile", profile, "--bin", program]);
        hashes.extend(parse(&shell::capture(&format!("run {program} on this computer ({profile})"), &mut command)?)?);
    }
    Ok(Column { title: format!("host, {profile}"), hashes })
}

/// Builds for all machines, then runs as many programs at once as there are processors.
fn on_machines() -> Result<Vec<Column>> {
    let all: Vec<&'static Machine> = MACHINES.iter().collect();
    let small = vec![Machine::named("cortex-m4f")];
    let (mut variants, mut jobs) = (Vec::new(), Vec::new());
    for (group, optimised) in [(all, Optimised::ForSpeed), (small, Optimised::ForSize)] {
        for (machine, programs) in group.iter().zip(machines::build(&group, &PROGRAMS, optimised)?) {
            variants.push((*machine, optimised));
            jobs.extend(programs.into_iter().map(|program| (*machine, program)));
        }
    }

    let outputs = side_by_side(&jobs, |(machine, program)| parse(&machine.run(program, false)?));
    let mut outputs = outputs.into_iter();
    let mut columns = Vec::new();
    for (machine, optimised) in variants {
        let mut hashes = Hashes::new();
        for part in outputs.by_ref().take(PROGRAMS.len()) {
            hashes.extend(part?);
        }
        columns.push(Column { title: format!("{}, {}", machine.name, optimised.profile()), hashes });
    }
    Ok(columns)
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

/// `name: hash`, a line each.
fn parse(text: &str) -> Result<Hashes> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let pair = |line: &str| line.rsplit_once(": ").map(|(name, hash)| (name.to_owned(), hash.trim().to_owned()));
    lines.map(|line| pair(line).with_context(|| format!("not a name and a hash: {line}"))).collect()
}

fn expected_file() -> PathBuf {
    shell::root().join(machines::FOLDER).join("bits.txt")
}

fn read_expected() -> Result<Hashes> {
    let file = expected_file();
    parse(&fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?)
}

fn write_expected(hashes: &Hashes) -> Result<()> {
    let mut text = String::from(
        "# The hash over the results of each function and kernel, the same on every machine. Written by\n\
         # `cargo xtask bits --update`; a line that changes means that results have changed.\n",
    );
    for (name, hash) in hashes {
        text += &format!("{name}: {hash}\n");
    }
    fs::write(expected_file(), text).context("cannot write bits.txt")
}

/// One number for all hashes: FNV-1a, as in the programs.
fn overall(hashes: &Hashes) -> u64 {
    let bytes = hashes.iter().flat_map(|(name, hash)| name.bytes().chain(hash.bytes()));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The table of all columns, and the titles of those that differ from the first.
fn compare(columns: &[Column]) -> (String, Vec<String>) {
    let maps: Vec<BTreeMap<&str, &str>> = columns
        .iter()
        .map(|column| column.hashes.iter().map(|(name, hash)| (name.as_str(), hash.as_str())).collect())
        .collect();
    // The rows of the first column and any that only another has.
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in columns.iter().flat_map(|column| &column.hashes) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }

    let mut table = String::from("\n= stands for the hash in the first column; the columns are\n");
    for (number, column) in columns.iter().enumerate() {
        table += &format!("  {number:2} {:24} all results: {:016x}\n", column.title, overall(&column.hashes));
    }
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut differing = vec![false; columns.len()];
    table += &format!(
        "\n{:width$} {:16}{}\n",
        "",
        "0",
        (1..columns.len()).map(|number| format!(" {number}")).collect::<String>()
    );
    for name in names {
        let expected = maps[0].get(name).copied();
        table += &format!("{name:width$} {:16}", expected.unwrap_or("nothing"));
        for (number, map) in maps.iter().enumerate().skip(1) {
            let found = map.get(name).copied();
            differing[number] |= found != expected;
            table += &if found == expected { " =".to_owned() } else { format!(" {}", found.unwrap_or("nothing")) };
        }
        table += "\n";
    }
    let differing =
        columns.iter().zip(differing).filter(|(_, differs)| *differs).map(|(column, _)| column.title.clone());
    (table, differing.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_differing_hash_is_found_and_shown() {
        let column = |title: &str, text| Column { title: title.to_owned(), hashes: parse(text).unwrap() };
        let columns = [
            column("expected", "# text\nf32 sqrt: 01\n"),
            column("same", "f32 sqrt: 01\n"),
            column("other", "f32 sqrt: 03\n"),
            column("more", "f32 sqrt: 01\nf32 sin: 05\n"),
        ];
        let (table, differing) = compare(&columns);
        assert_eq!(differing, ["other", "more"]);
        assert!(table.contains("f32 sqrt 01               = 03 =\n"), "{table}");
        assert!(table.contains("f32 sin  nothing          = = 05\n"), "{table}");
    }
}
