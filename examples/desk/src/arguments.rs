//! The command line of an example, and its output on the terminal.

use std::cell::Cell;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use taut::scalar::Float;
use taut::start::Clock;

use crate::plot::{Format, Page};
use crate::{Outcome, Table};

/// The most steps of a run. More would take hours, and the table would fill the memory.
const MAX_STEPS: f64 = 2e7;

/// The name of an example and its defaults.
pub struct About {
    /// Its name.
    pub name: &'static str,
    /// What it shows, in one or two sentences.
    pub about: &'static str,
    /// The methods it can be run with.
    pub methods: &'static [&'static str],
    /// The default method.
    pub method: &'static str,
    /// The default steps per second.
    pub rate: f64,
    /// The default duration, in simulated seconds.
    pub seconds: f64,
}

/// The options of the command line.
pub struct Desk {
    name: &'static str,
    method: String,
    rate: f64,
    seconds: f64,
    double: bool,
    plot: Option<PathBuf>,
    csv: Option<PathBuf>,
    stopped: Cell<bool>,
}

/// Reads the command line and runs an example in `f32` or `f64`. An error is printed in one line, without a panic.
pub fn main(about: &About, single: fn(&Desk) -> Outcome, double: fn(&Desk) -> Outcome) -> ExitCode {
    let desk = Desk::from(about, std::env::args_os()).unwrap_or_else(|error| error.exit());
    println!("{}", desk.title());
    let outcome = if desk.double { double(&desk) } else { single(&desk) };
    match outcome {
        Ok(()) if !desk.stopped() => ExitCode::SUCCESS,
        Ok(()) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

impl Desk {
    fn from(
        about: &About,
        arguments: impl IntoIterator<Item = impl Into<std::ffi::OsString> + Clone>,
    ) -> Result<Self, clap::Error> {
        let mut command = command(about);
        let matches = command.try_get_matches_from_mut(arguments)?;
        let (rate, seconds) = (number(&matches, "rate"), number(&matches, "seconds"));
        if !(1.0..=MAX_STEPS).contains(&(rate * seconds).round()) {
            let said = format!("{seconds} s at {rate} Hz are {} steps; 1 to {MAX_STEPS} are allowed", rate * seconds);
            return Err(command.error(clap::error::ErrorKind::ValueValidation, said));
        }
        Ok(Self {
            name: about.name,
            method: matches.get_one::<String>("method").cloned().unwrap_or_default(),
            rate,
            seconds,
            double: matches.get_flag("f64"),
            plot: matches.get_one("plot").cloned(),
            csv: matches.get_one("csv").cloned(),
            stopped: Cell::new(false),
        })
    }

    /// The name of the method.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Steps per second.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// The number of steps.
    pub fn steps(&self) -> u64 {
        (self.seconds * self.rate).round() as u64
    }

    /// A clock at the chosen rate.
    pub fn clock<T: Float>(&self) -> Outcome<Clock<T>> {
        Ok(Clock::at_rate(T::from_f64(self.rate))?)
    }

    /// The title of the run: `Pendulum: rattle, 100 Hz, f32`.
    pub fn title(&self) -> String {
        let scalar = if self.double { "f64" } else { "f32" };
        format!("{}: {}, {} Hz, {scalar}", self.name, self.method, self.rate)
    }

    /// Whether a run stopped early.
    pub fn stopped(&self) -> bool {
        self.stopped.get()
    }

    /// Prints that a run stopped early, and makes the program exit with a failure.
    pub fn stop(&self, time: f64, error: &dyn std::error::Error) {
        self.stopped.set(true);
        eprintln!("  stopped after {time:.3} s: {error}\n  try a higher --rate or another --method");
    }

    /// Prints a line of the summary.
    pub fn say(&self, what: &str, value: impl std::fmt::Display) {
        println!("  {what:<26} {value}");
    }

    /// Writes the chosen files and prints their names.
    pub fn finish<const C: usize>(&self, table: &Table<C>, page: impl FnOnce(Page) -> Page) -> Outcome {
        if let Some(file) = &self.csv {
            table.write(file).map_err(|cause| format!("cannot write {}: {cause}", file.display()))?;
            self.say("numbers", format_args!("{} rows of {C} columns in {}", table.rows().len(), file.display()));
        }
        if let Some(file) = &self.plot {
            page(Page::new(self.title())).write(file)?;
            self.say("plot", file.display());
        }
        if self.csv.is_none() && self.plot.is_none() {
            println!("  --plot FILE draws the run, --csv FILE writes the numbers, --help lists all options");
        }
        Ok(())
    }
}

fn command(about: &About) -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help).allow_negative_numbers(true)
    };
    let flag = |name: &'static str, help: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
    Command::new(about.name)
        .about(about.about)
        .arg(
            option("method", "METHOD", "The method of integration")
                .value_parser(PossibleValuesParser::new(about.methods.iter().copied()))
                .default_value(about.method),
        )
        .arg(option("rate", "HZ", "Steps per second").value_parser(positive).default_value(about.rate.to_string()))
        .arg(
            option("seconds", "S", "Duration, in simulated seconds")
                .value_parser(positive)
                .default_value(about.seconds.to_string()),
        )
        .arg(flag("f32", "Use single precision, as on most microcontrollers (default)").conflicts_with("f64"))
        .arg(flag("f64", "Use double precision"))
        .arg(option("plot", "FILE", "Draw the run to a file, .svg or .png").value_parser(plot_file))
        .arg(option("csv", "FILE", "Write the numbers of every step to a file").value_parser(file))
}

fn number(matches: &ArgMatches, name: &str) -> f64 {
    matches.get_one(name).copied().unwrap_or(f64::NAN)
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("it must be a positive number".to_owned()),
    }
}

/// Checks the ending of a plot's name, before anything is calculated.
fn plot_file(text: &str) -> Result<PathBuf, String> {
    let file = file(text)?;
    Format::of(&file).map_err(|error| error.to_string())?;
    Ok(file)
}

/// Checks that the folder of a file exists, before the run instead of after it.
fn file(text: &str) -> Result<PathBuf, String> {
    let file = PathBuf::from(text);
    match file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        Some(folder) => Err(format!("there is no folder {}", folder.display())),
        None => Ok(file),
    }
}

#[cfg(test)]
impl Desk {
    /// Options with all methods for a constant mass.
    pub(crate) fn for_test(arguments: &str) -> Self {
        let methods = &taut::method::NAMES;
        let about = About { name: "Test", about: "", methods, method: "rattle", rate: 100.0, seconds: 1.0 };
        Self::from(&about, std::iter::once("test").chain(arguments.split_whitespace())).expect("valid arguments")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOUT: About = About {
        name: "Test",
        about: "A test.",
        methods: &["rattle", "suzuki"],
        method: "rattle",
        rate: 100.0,
        seconds: 2.0,
    };

    fn parsed(arguments: &str) -> Result<Desk, String> {
        let words = std::iter::once("test").chain(arguments.split_whitespace());
        Desk::from(&ABOUT, words).map_err(|error| error.to_string())
    }

    #[test]
    fn options_replace_the_defaults() {
        let desk = parsed("").unwrap();
        assert_eq!((desk.method(), desk.rate(), desk.steps(), desk.double), ("rattle", 100.0, 200, false));
        assert_eq!(desk.title(), "Test: rattle, 100 Hz, f32");
        assert_eq!(desk.clock::<f32>().unwrap().step(), 0.01);
        let desk = parsed("--f64 --method suzuki --rate 50 --seconds 0.5 --plot a.png").unwrap();
        assert_eq!((desk.steps(), desk.double, desk.plot), (25, true, Some("a.png".into())));
    }

    #[test]
    fn wrong_arguments_are_refused_with_the_right_ones() {
        for (arguments, expected) in [
            ("--rate 0", "'0' for '--rate <HZ>': it must be a positive number"),
            ("--rate fast", "'fast' for '--rate <HZ>'"),
            ("--seconds=-1", "it must be a positive number"),
            ("--rate -5", "it must be a positive number"),
            ("--plot no-such-folder/a.svg", "there is no folder no-such-folder"),
            ("--method verlet", "possible values: rattle, suzuki"),
            ("--plot a.pdf", "a plot must end in .svg or .png"),
            ("--f32 --f64", "cannot be used with"),
            ("--rate 1 --seconds 0.1", "steps; 1 to"),
            ("--rate 1e9 --seconds 1e9", "steps; 1 to"),
        ] {
            let error = parsed(arguments).err().unwrap_or_else(|| panic!("{arguments} is accepted"));
            assert!(error.contains(expected), "{arguments}: {error}");
        }
        assert!(parsed("--help").err().unwrap().contains("A test."));
    }
}
