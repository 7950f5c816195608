//! Breaks the library in the places of `mutations.txt`, one at a time, and runs the test that must fail: `cargo xtask mutants --help`.

#![forbid(unsafe_code)]

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;
use std::{env, fs, io};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const HELP: &str =
    "Breaks the library in the places of tests/mutants/mutations.txt, one at a time, and runs the test that must fail

cargo xtask mutants [TEXT]; with a text, only the mutations whose file, test or code contains it

Each mutation compiles the library and a test: half a minute to four on two cores, hours for all.
A mutation that survives needs a test. The tree itself is not changed; the copy is in target/mutants.";

/// One change of a file, and the words for cargo that must fail then.
#[derive(Debug, Default)]
struct Mutation {
    file: String,
    test: String,
    original: String,
    mutated: String,
}

/// The list: `file`, `test`, then lines that begin with `-` and `+`. An empty line ends a mutation; the next has the same file and
/// test unless it names others.
fn mutations() -> Vec<Mutation> {
    let (mut found, mut file, mut test) = (Vec::new(), "", "");
    for block in include_str!("../mutations.txt").split("\n\n") {
        let mut mutation = Mutation::default();
        for line in block.lines() {
            match line.split_once(' ').unwrap_or((line, "")) {
                ("file", name) => file = name,
                ("test", words) => test = words,
                ("-", code) => mutation.original += &format!("{code}\n"),
                ("+", code) => mutation.mutated += &format!("{code}\n"),
                _ => {}
            }
        }
        (mutation.file, mutation.test) = (file.to_owned(), test.to_owned());
        found.extend((!mutation.original.is_empty()).then_some(mutation));
    }
    found
}

/// Copies every file that git knows, and removes those that it no longer knows.
fn copy(to: &Path) -> io::Result<()> {
    let listed = Command::new("git").args(["ls-files"]).current_dir(ROOT).output()?.stdout;
    let listed = String::from_utf8_lossy(&listed);
    let files: HashSet<&str> = listed.lines().filter(|file| Path::new(ROOT).join(file).is_file()).collect();
    fs::create_dir_all(to)?;
    remove_others(to, to, &files)?;
    for file in files {
        fs::create_dir_all(to.join(file).parent().unwrap_or(to))?;
        // An unchanged file keeps its time, so that cargo does not compile it again.
        let text = fs::read(Path::new(ROOT).join(file))?;
        if fs::read(to.join(file)).ok().as_ref() != Some(&text) {
            fs::write(to.join(file), text)?;
        }
    }
    Ok(())
}

/// Removes the files below a folder of the copy that are not among these.
fn remove_others(folder: &Path, copy: &Path, files: &HashSet<&str>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(&path, copy, files)?;
        } else if !path.strip_prefix(copy).is_ok_and(|file| file.to_str().is_some_and(|file| files.contains(file))) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// What became of a mutation.
fn outcome(mutation: &Mutation, folder: &Path) -> io::Result<&'static str> {
    let file = folder.join("tree").join(&mutation.file);
    let text = fs::read_to_string(&file)?;
    fs::write(&file, text.replacen(&mutation.original, &mutation.mutated, 1))?;
    let mut command = Command::new("cargo");
    command
        .args(mutation.test.split(' '))
        .current_dir(folder.join("tree"))
        .env("CARGO_TARGET_DIR", folder.join("target"));
    let run = command.output();
    fs::write(file, text)?;
    let run = run?;
    let compiles = !String::from_utf8_lossy(&run.stderr).contains("could not compile");
    Ok(if !compiles { "does not compile" } else { ["killed", "SURVIVED"][usize::from(run.status.success())] })
}

fn main() -> ExitCode {
    let only = env::args().nth(1).unwrap_or_default();
    if only.starts_with('-') {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or(Path::new(ROOT).join("target"), PathBuf::from);
    let folder = target.join("mutants");
    copy(&folder.join("tree")).expect("a copy of the tree");
    let (mut all, mut killed) = (0, 0);
    for mutation in mutations().iter().filter(|mutation| format!("{mutation:?}").contains(&only)) {
        let begun = Instant::now();
        let outcome = outcome(mutation, &folder).unwrap_or("cannot be run");
        (all, killed) = (all + 1, killed + u32::from(outcome == "killed"));
        let code = mutation.original.trim().replace('\n', " ");
        println!("{outcome:9} {:4.0} s  {}  {code}", begun.elapsed().as_secs_f32(), mutation.file);
    }
    println!("{killed} of {all} killed");
    ExitCode::from(u8::from(killed < all))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So that the list follows the code.
    #[test]
    fn every_original_text_occurs_exactly_once() {
        let all = mutations();
        assert!(all.len() >= 30, "{}", all.len());
        for mutation in all {
            let text = fs::read_to_string(Path::new(ROOT).join(&mutation.file)).unwrap();
            assert_eq!(text.matches(&mutation.original).count(), 1, "{mutation:?}");
            assert!(mutation.original != mutation.mutated && !mutation.test.is_empty(), "{mutation:?}");
        }
    }
}
