//! The command line of an example, and what an example says about itself.

use std::cell::Cell;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use taut::method::StepSize;
use taut::scalar::Float;

use crate::method::{AnyMass, ConstantMass, name_of};
use crate::plot::{Format, Page};
use crate::{Outcome, Table};

/// More steps than this are a mistake: a run would take hours and its table all memory.
const MOST_STEPS: f64 = 2e7;

/// What an example is, and what it does when nothing else is asked for.
pub struct About {
    /// Its name.
    pub name: &'static str,
    /// What it shows, in a sentence or two.
    pub about: &'static str,
    /// The methods it can be run with.
    pub methods: &'static [&'static str],
    /// The one that it is run with.
    pub method: &'static str,
    /// Steps a second.
    pub rate: f64,
    /// How long it runs, in simulated seconds.
    pub seconds: f64,
}

/// What the command line asks for.
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

/// Reads the command line and runs an example in `f32` or `f64`. What goes wrong is said in a line, without a panic.
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
        if !(1.0..=MOST_STEPS).contains(&(rate * seconds).round()) {
            let said = format!("{seconds} s at {rate} Hz are {} steps; 1 to {MOST_STEPS} are possible", rate * seconds);
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

    /// The method, as the command line calls it.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Steps a second.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// The number of steps.
    pub fn steps(&self) -> u64 {
        (self.seconds * self.rate).round() as u64
    }

    /// A step at the rate asked for.
    pub fn step_size<T: Float>(&self) -> Outcome<StepSize<T>> {
        self.part_of_a_step(1)
    }

    /// A step at the rate asked for, divided into so many.
    fn part_of_a_step<T: Float>(&self, parts: u32) -> Outcome<StepSize<T>> {
        Ok(StepSize::at_rate(T::from_f64(self.rate * f64::from(parts)))?)
    }

    /// The method asked for, at the rate asked for, for a constant mass.
    pub fn constant_mass<T: Float>(&self) -> Outcome<ConstantMass<T>> {
        self.constant_mass_in_parts(1)
    }

    /// The same for a plant that makes so many steps a tick.
    pub fn constant_mass_in_parts<T: Float>(&self, parts: u32) -> Outcome<ConstantMass<T>> {
        let size = self.part_of_a_step(parts)?;
        Ok(ConstantMass::named(&self.method, size).ok_or("not a method for a constant mass")?)
    }

    /// The method asked for, for any mass and a plant that makes so many steps a tick.
    pub fn any_mass_in_parts<T: Float>(&self, parts: u32) -> Outcome<AnyMass<T>> {
        let size = self.part_of_a_step(parts)?;
        Ok(AnyMass::named(&self.method, size).ok_or("not a method for any mass")?)
    }

    /// What is run: `Pendulum: RATTLE, 100 Hz, f32`.
    pub fn title(&self) -> String {
        let scalar = if self.double { "f64" } else { "f32" };
        format!("{}: {}, {} Hz, {scalar}", self.name, name_of(&self.method), self.rate)
    }

    /// Whether a run ended before its time.
    pub fn stopped(&self) -> bool {
        self.stopped.get()
    }

    /// Says that a run ended before its time, and lets the program fail at its end.
    pub fn stop(&self, time: f64, error: &dyn std::error::Error) {
        self.stopped.set(true);
        eprintln!("  stopped after {time:.3} s: {error}\n  a higher --rate or another --method may get through");
    }

    /// A line of the summary.
    pub fn say(&self, what: &str, value: impl std::fmt::Display) {
        println!("  {what:<26} {value}");
    }

    /// Writes what is asked for, and says where.
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
            println!("  --plot FILE draws it, --csv FILE writes the numbers, --help says what else there is");
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
            option("method", "METHOD", "How it steps")
                .value_parser(PossibleValuesParser::new(about.methods.iter().copied()))
                .default_value(about.method),
        )
        .arg(option("rate", "HZ", "Steps a second").value_parser(positive).default_value(about.rate.to_string()))
        .arg(
            option("seconds", "S", "How long it runs, in simulated seconds")
                .value_parser(positive)
                .default_value(about.seconds.to_string()),
        )
        .arg(
            flag("f32", "Calculates in single precision, as most microcontrollers do: the default")
                .conflicts_with("f64"),
        )
        .arg(flag("f64", "Calculates in double precision"))
        .arg(option("plot", "FILE", "Draws it into a file, .svg or .png").value_parser(plot_file))
        .arg(option("csv", "FILE", "Writes the numbers of every step into a file").value_parser(file))
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

/// A name that says how to draw, before anything is calculated.
fn plot_file(text: &str) -> Result<PathBuf, String> {
    let file = file(text)?;
    Format::of(&file).map_err(|error| error.to_string())?;
    Ok(file)
}

/// A file in a folder that there is, which is better known before the run than after it.
fn file(text: &str) -> Result<PathBuf, String> {
    let file = PathBuf::from(text);
    match file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        Some(folder) => Err(format!("there is no folder {}", folder.display())),
        None => Ok(file),
    }
}

#[cfg(test)]
impl Desk {
    /// With all methods for a constant mass.
    pub(crate) fn for_test(arguments: &str) -> Self {
        let methods = &crate::CONSTANT_MASS;
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
    fn without_options_everything_is_the_default() {
        let desk = parsed("").unwrap();
        assert_eq!((desk.method(), desk.rate(), desk.steps(), desk.double), ("rattle", 100.0, 200, false));
        assert_eq!(desk.title(), "Test: RATTLE, 100 Hz, f32");
        assert!(desk.constant_mass::<f32>().is_ok() && desk.any_mass_in_parts::<f32>(1).is_err());
        let desk = parsed("--f64 --method suzuki --rate 50 --seconds 0.5 --plot a.png").unwrap();
        assert_eq!((desk.steps(), desk.double, desk.plot), (25, true, Some("a.png".into())));
    }

    #[test]
    fn mistakes_are_named_with_what_would_be_right() {
        for (arguments, expected) in [
            ("--rate 0", "'0' for '--rate <HZ>': it must be a positive number"),
            ("--rate fast", "'fast' for '--rate <HZ>'"),
            ("--seconds=-1", "it must be a positive number"),
            ("--rate -5", "it must be a positive number"),
            ("--plot no-such-folder/a.svg", "there is no folder no-such-folder"),
            ("--method verlet", "possible values: rattle, suzuki"),
            ("--plot a.pdf", "a plot ends in .svg or .png"),
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
