//! Recommends a method, a precision and a rate, from errors measured on this computer and instructions counted on an emulated machine.
//!
//! The program `advise` of `tests/on-target` does both: on the machine it counts the instructions of a step; on this computer it gets
//! these costs as input and calls `taut::advise`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::builder::PossibleValuesParser;

use crate::machines::{Counter, FOLDER, MACHINES, Machine};
use crate::methods::document::title;
use crate::methods::measurements::{Combination, Cost, Measurements, grouped};
use crate::shell;

mod answer;
mod picture;

use answer::{Answer, Point};

/// The program that runs on the machine and on this computer.
const PROGRAM: &str = "advise";

/// The names of the systems on the command line: six written by hand, then the lists of the gallery.
#[rustfmt::skip]
const EXAMPLES: [&str; 36] = [
    "pendulum-by-hand", "double-pendulum-by-hand", "spherical-pendulum", "slider-crank-massless", "four-bar-maximal", "chain",
    "pendulum", "double-pendulum", "four-bar", "four-bar-angles", "five-bar", "five-bar-points", "slider-crank", "sprung-slider", "crane",
    "hanging-chain", "ring", "peaucellier", "jansen-leg", "pantograph", "scissor-lift", "geared-five-bar", "connected-pendulums", "plate",
    "andrews", "lambda", "scara", "delta", "linear-delta", "heavy-top", "gyroscope", "gimbal", "universal-joint", "spatial-four-bar",
    "stewart", "ankle",
];

/// The options of the command.
#[derive(clap::Args)]
pub struct Question {
    /// The system: a list of the gallery, or one of six written by hand: pendulums, a slider-crank with a massless rod, a four-bar with
    /// nine coordinates, and a chain of four links. Where the mass varies, as with arms as angles, RATTLE and its relatives are left out
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(EXAMPLES))]
    example: String,
    /// The emulated microcontroller on which instructions are counted
    #[arg(long, default_value = "cortex-m4f", value_parser = machine)]
    machine: &'static Machine,
    /// The largest acceptable position error at the end of the run, in metres or radians
    #[arg(long, default_value = "1e-4")]
    error: f64,
    /// The steps per second: 1000, 500..2000, 500.. or ..2000 [default: any rate]
    #[arg(long, value_parser = rates)]
    rate: Option<Rates>,
    /// The processor's clock: also print its load, assuming one cycle per instruction
    #[arg(long)]
    megahertz: Option<f64>,
    /// The file for the plot of errors against costs, .svg or .png [default: target/advise/NAME.svg]
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// The slowest and the fastest rate.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rates {
    slowest: f64,
    fastest: f64,
}

/// Parses a rate or a range of rates.
fn rates(text: &str) -> Result<Rates, String> {
    let (slowest, fastest) = text.split_once("..").unwrap_or((text, text));
    let bound = |text: &str, otherwise: f64| match text {
        "" => Ok(otherwise),
        text => text.parse::<f64>().map_err(|_| format!("{text:?} is not a rate")),
    };
    let rates = Rates { slowest: bound(slowest, 0.0)?, fastest: bound(fastest, f64::INFINITY)? };
    let is_range = !text.is_empty() && rates.slowest >= 0.0 && rates.fastest >= rates.slowest && rates.fastest > 0.0;
    if is_range { Ok(rates) } else { Err("not a rate: 1000, 500..2000, 500.. or ..2000".to_owned()) }
}

/// Finds a machine by name among those that count instructions.
fn machine(name: &str) -> Result<&'static Machine, String> {
    let mut counting = MACHINES.iter().filter(|machine| machine.counter.is_some());
    let names: Vec<&str> = counting.clone().map(|machine| machine.name).collect();
    counting
        .find(|machine| machine.name == name)
        .ok_or_else(|| format!("instructions are counted on {}", names.join(", ")))
}

/// Measures, then prints the table, the choice and the path of the picture.
pub fn run(question: &Question) -> Result<()> {
    let system = &question.example;
    let folder = shell::target().join("advise");
    fs::create_dir_all(&folder)?;
    let costs = folder.join(format!("{}-{}.txt", question.example, question.machine.name));
    fs::write(&costs, count(question.machine, system)?).with_context(|| format!("cannot write {}", costs.display()))?;

    let any = Rates { slowest: 0.0, fastest: f64::INFINITY };
    let Rates { slowest, fastest } = question.rate.unwrap_or(any);
    let mut command = shell::cargo(FOLDER, &["run", "--quiet", "--release", "--bin", PROGRAM, "--"]);
    command
        .env("TAUT_SYSTEM", system)
        .arg(&costs)
        .args([question.error, slowest, fastest].map(|number| number.to_string()));
    command.arg(format!("instructions (not cycles) on an emulated {}", question.machine.name));
    let answer =
        Answer::read(&shell::capture(&format!("try every method on {system}, on this computer"), &mut command)?)?;

    print!("\n{}\n", answer.table);
    println!("{}", sentence(question, answer.choice.as_ref()));
    let file = question.plot.clone().unwrap_or_else(|| folder.join(format!("{}.svg", question.example)));
    picture::draw(&answer, question, &file)?;
    println!("The picture is {}.", file.display());
    Ok(())
}

/// Counts the instructions of a step on the machine, for each method and precision: one line each.
fn count(machine: &'static Machine, system: &str) -> Result<String> {
    let mut measurements = Measurements::default();
    for states in programs(machine) {
        let mut build = shell::cargo(FOLDER, &["build", "--release", "--target", machine.target, "--bin", PROGRAM]);
        build.env("TAUT_SYSTEM", system).env("TAUT_STATES", states);
        match shell::run(&format!("build {PROGRAM} for {}: {system}, {states}", machine.name), &mut build) {
            Ok(()) => {
                let counts = machine.count(&machine.built(PROGRAM, "release"))?;
                let (long, costs): (Vec<&str>, Vec<&str>) =
                    counts.output.lines().partition(|line| line.starts_with("long "));
                check_long(&long, &counts.counter)?;
                measurements.add_costs(&costs.join("\n"), &counts)?;
            }
            Err(error) if format!("{error:#}").contains("will not fit in region") => {
                println!("{states}: skipped, all methods together do not fit into the flash of a {}", machine.name);
            }
            Err(error) => return Err(error),
        }
    }
    let line = |([method, _, scalar], cost): (&Combination, &Cost)| {
        Some(format!("{method} {scalar} {}\n", cost.as_ref().ok()?))
    };
    Ok(measurements.costs.iter().filter_map(line).collect())
}

/// Checks the count of a loop that wraps the counter several times. It may exceed the true length only by the interrupts that count
/// the wraps: a few instructions for the hundreds of thousands between two wraps.
fn check_long(rows: &[&str], counter: &Counter) -> Result<()> {
    let words: Vec<&str> = rows.iter().flat_map(|row| row.split(' ')).collect();
    let ["long", instructions, ticks] = words.as_slice() else { bail!("the program printed no `long` row") };
    let (length, counted): (u64, u64) = (instructions.parse()?, counter.instructions(ticks.parse()?));
    let right = counted >= length && counted - length <= length / 5_000;
    ensure!(right, "the counter is wrong: it counted {counted} instructions for {length}");
    Ok(())
}

/// The states to count. Each string is one program that fits into the machine's flash.
fn programs(machine: &Machine) -> &'static [&'static str] {
    match machine.name {
        "cortex-m0" => &["plain-f32", "compensated-f32", "precise-f32", "plain-f64"],
        "cortex-m4f" => &["plain-f32,compensated-f32,precise-f32", "plain-f64"],
        _ => &["plain-f32,compensated-f32,precise-f32,plain-f64"],
    }
}

/// Describes the choice in a sentence.
fn sentence(question: &Question, choice: Option<&Point>) -> String {
    let Question { error, rate, megahertz, machine, .. } = question;
    let wanted = match rate {
        None => format!("an error of {error:e}"),
        Some(Rates { slowest, fastest }) if slowest == fastest => format!("an error of {error:e} at {slowest} Hz"),
        Some(Rates { slowest, fastest }) => format!("an error of {error:e} at {slowest} to {fastest} Hz"),
    };
    let Some(Point { method, state, rate, error, cost }) = choice else {
        return format!("No method reaches {wanted}: allow a higher rate or a larger error.");
    };
    let share = megahertz.map_or(String::new(), |megahertz| {
        let percent = cost / megahertz / 1e4;
        format!(", {percent:.2}% of {megahertz} MHz at one cycle per instruction")
    });
    format!(
        "For {wanted}, the cheapest on a {} is {} in {} at {rate} Hz: error {error:.1e}, {} instructions per step, {} \
         per simulated second{share}.",
        machine.name,
        title(method),
        state.replace('-', " "),
        grouped((cost / rate).round() as u64),
        grouped(cost.round() as u64),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::new::lists;

    #[test]
    fn a_rate_is_a_number_or_a_range() {
        let of = |slowest, fastest| Ok(Rates { slowest, fastest });
        assert_eq!(rates("1000"), of(1e3, 1e3));
        assert_eq!(rates("500..2e3"), of(500.0, 2e3));
        assert_eq!((rates("500.."), rates("..2000")), (of(500.0, f64::INFINITY), of(0.0, 2e3)));
        for wrong in ["", "fast", "0", "-5", "2000..500", "500..x", "NaN"] {
            assert!(rates(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_list_of_the_gallery_but_the_largest_is_an_example() {
        let lists = lists::names().into_iter().chain(lists::WITHOUT_MOTORS).chain(["crane"]);
        let missing: Vec<_> = lists.filter(|name| !EXAMPLES.contains(name)).collect();
        assert_eq!(missing, ["bricard"]);
    }

    #[test]
    fn a_missed_wrap_of_the_counter_is_an_error() {
        let counter = Counter { shift: 5, frequency: None };
        assert!(check_long(&["long 4000000 4000123"], &counter).is_ok());
        assert!(check_long(&["long 4000000 2976000"], &counter).is_err());
        assert!(check_long(&["long 4000000 5024000"], &counter).is_err());
        assert!(check_long(&[], &counter).is_err());
    }

    #[test]
    fn only_machines_with_a_counter_are_accepted() {
        assert!(machine("cortex-m4f").is_ok());
        let error = machine("cortex-m7").err().unwrap();
        assert_eq!(error, "instructions are counted on cortex-m0, cortex-m4f, riscv32imafc");
    }

    #[test]
    fn the_choice_is_a_sentence() {
        let question = Question {
            example: "pendulum".to_owned(),
            machine: machine("cortex-m4f").unwrap(),
            error: 1e-4,
            rate: Some(rates("1000").unwrap()),
            megahertz: Some(168.0),
            plot: None,
        };
        let point = Point {
            method: "rattle".to_owned(),
            state: "plain-f32".to_owned(),
            rate: 1e3,
            error: 2.2e-6,
            cost: 132_000.0,
        };
        assert_eq!(
            sentence(&question, Some(&point)),
            "For an error of 1e-4 at 1000 Hz, the cheapest on a cortex-m4f is RATTLE in plain f32 at 1000 Hz: error 2.2e-6, \
             132 instructions per step, 132,000 per simulated second, 0.08% of 168 MHz at one cycle per instruction."
        );
        assert!(sentence(&question, None).starts_with("No method reaches an error of 1e-4 at 1000 Hz"));
    }
}
