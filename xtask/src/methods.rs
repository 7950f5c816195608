//! Measures every method: instructions counted in the emulator, errors computed on this computer.
//!
//! `src/method/which.md`, part of the documentation, keeps the table. `cargo xtask methods --check` compares it with new counts;
//! `cargo xtask test` does not, because that takes almost a minute.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::budget::compiler;
use crate::machines::{self, DEFAULT, FOLDER};
use crate::shell;

pub mod document;
pub mod measurements;

use measurements::{Cost, Measurements, shown};

/// The programs, for each precision and with the linkage apart, because together they do not fit into the flash.
const PROGRAMS: [&str; 6] = [
    "methods_f32",
    "methods_linkage_f32",
    "methods_linkage_more_f32",
    "methods_f64",
    "methods_linkage_f64",
    "methods_linkage_more_f64",
];

/// The options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Also write the table to the documentation (src/method/which.md)
    #[arg(long, conflicts_with = "check")]
    update: bool,
    /// Only count instructions and compare them with the documentation
    #[arg(long)]
    check: bool,
}

/// Measures, then prints, writes or checks the table.
pub fn run(options: &Options) -> Result<()> {
    let mut measurements = Measurements::default();
    machines::build(&[DEFAULT], &PROGRAMS, "release", &[])?;
    for program in PROGRAMS {
        let counts = DEFAULT.count(&DEFAULT.built(program, "release"))?;
        measurements.add_costs(&counts.output, &counts)?;
    }
    if options.check {
        return check(&measurements);
    }
    for program in PROGRAMS {
        let mut command = shell::cargo(FOLDER, &["run", "--quiet", "--release", "--bin", program]);
        measurements.add_errors(&shell::capture(&format!("run {program} on this computer"), &mut command)?)?;
    }
    let text = document::written(&measurements, &compiler()?)?;
    print!("{text}");
    if options.update {
        fs::write(file(), text).with_context(|| format!("cannot write {}", file().display()))?;
    }
    Ok(())
}

/// Compares the instructions in the documentation with those counted now.
fn check(measurements: &Measurements) -> Result<()> {
    let text = fs::read_to_string(file()).with_context(|| format!("cannot read {}", file().display()))?;
    let compiler = compiler()?;
    if !text.contains(&compiler) {
        println!("nothing to compare: the table was not made with {compiler}");
        return Ok(());
    }
    let written = document::costs(&text)?;
    let mut differing = String::new();
    for (combination, counted) in &measurements.costs {
        let written = written.get(combination);
        if !written.is_some_and(|written| agree(written, counted)) {
            let written = written.map_or("nothing".to_owned(), shown);
            differing += &format!("{}: counted {}, in the table {written}\n", combination.join(" "), shown(counted));
        }
    }
    ensure!(differing.is_empty(), "{differing}if the change is intended: cargo xtask methods --update");
    println!("{} counts agree with the table", measurements.costs.len());
    Ok(())
}

/// Whether a cost in the table is still right within 2%, which is enough to choose a method.
fn agree(written: &Cost, counted: &Cost) -> bool {
    let near = |written: &u64, counted: &u64| written.abs_diff(*counted) * 50 <= *counted;
    written == counted || matches!((written, counted), (Ok(written), Ok(counted)) if near(written, counted))
}

/// The file of the table.
fn file() -> PathBuf {
    shell::root().join("src/method/which.md")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_of_two_percent_is_allowed() {
        let cost = Cost::Ok;
        assert!(agree(&cost(100), &cost(100)) && agree(&cost(98), &cost(100)));
        assert!(!agree(&cost(97), &cost(100)) && !agree(&cost(103), &cost(100)));
        assert!(!agree(&cost(100), &Err("Singular".to_owned())));
    }
}
