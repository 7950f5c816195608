//! Checks of the examples: each is short, runs with all of its methods in both precisions, and writes plots and numbers that make sense.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::shell::{self, cargo};

/// An example has fewer lines than this.
const LINES: usize = 120;

/// Every host example, and for how many simulated seconds it runs here.
const EXAMPLES: [(&str, &str); 12] = [
    ("consistent_start", "0.012"),
    ("crane", "0.5"),
    ("double_pendulum", "0.5"),
    ("drift", "5"),
    ("five_bar", "0.3"),
    ("four_bar", "0.1"),
    ("pendulum", "2"),
    ("rigid_body", "5"),
    ("ring", "0.2"),
    ("robot_arm", "12"),
    ("slider_crank", "0.5"),
    // Half-explicit Euler at 100 Hz gains so much energy that its step is too large after 1.87 s, and refused.
    ("spherical_pendulum", "1.5"),
];

/// Builds the examples as the tests do, and runs them.
pub fn run() -> Result<()> {
    every_example_is_known_and_short()?;
    // As the tests have built them: of one package alone, features would differ.
    shell::run("build of the examples", cargo("").args(["build", "--workspace", "--profile", "test", "--examples"]))?;
    let folder = std::env::temp_dir().join(format!("taut-examples-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let outcome = EXAMPLES.iter().try_for_each(|(name, seconds)| {
        Example::named(name, seconds)?.check(&folder).with_context(|| format!("the example {name}"))
    });
    fs::remove_dir_all(&folder)?;
    outcome
}

fn every_example_is_known_and_short() -> Result<()> {
    for entry in fs::read_dir(shell::root().join("examples"))? {
        let file = entry?.path();
        let Some(name) = file.file_stem().filter(|_| file.extension().is_some_and(|it| it == "rs")) else {
            continue;
        };
        let known = name == "bare_metal" || EXAMPLES.iter().any(|(known, _)| name == *known);
        ensure!(known, "{} is an example that nobody runs: add it to the list", file.display());
        let lines = fs::read_to_string(&file)?.lines().count();
        ensure!(lines < LINES, "{} has {lines} lines, it must have fewer than {LINES}", file.display());
    }
    Ok(())
}

/// A built example.
struct Example {
    program: PathBuf,
    seconds: &'static str,
}

impl Example {
    fn named(name: &str, seconds: &'static str) -> Result<Self> {
        // Cargo puts examples beside this program.
        let folder = std::env::current_exe()?;
        let program = folder.with_file_name("examples").join(name).with_extension(std::env::consts::EXE_EXTENSION);
        Ok(Self { program, seconds })
    }

    fn check(&self, folder: &Path) -> Result<()> {
        let [svg, png, csv] = ["plot.svg", "plot.png", "numbers.csv"].map(|name| folder.join(name));
        for (scalar, plot) in [("--f32", &svg), ("--f64", &png)] {
            let said = self.run(&[scalar, "--plot", path(plot)?, "--csv", path(&csv)?])?;
            ensure!(said.contains(path(plot)?) && said.contains(path(&csv)?), "it does not say what it wrote:\n{said}");
            check_numbers(&fs::read_to_string(&csv)?)?;
        }
        check_svg(&fs::read_to_string(&svg)?)?;
        check_png(&fs::read(&png)?)?;
        for method in methods(&self.run(&["--help"])?)? {
            for scalar in ["--f32", "--f64"] {
                self.run(&[scalar, "--method", &method])?;
            }
        }
        self.check_refusals()
    }

    /// What it says; an error where it fails.
    fn run(&self, arguments: &[&str]) -> Result<String> {
        let mut command = Command::new(&self.program);
        command.args(["--seconds", self.seconds]).args(arguments);
        let output = command.output().with_context(|| format!("cannot run {}", self.program.display()))?;
        let [said, complained] =
            [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        ensure!(output.status.success(), "{}: {}\n{said}{complained}", arguments.join(" "), output.status);
        Ok(said)
    }

    /// Mistakes are refused before anything is calculated.
    fn check_refusals(&self) -> Result<()> {
        for (arguments, expected) in [
            (["--rate", "0"], "a positive number"),
            (["--method", "verlet"], "possible values"),
            (["--plot", "plot.pdf"], ".svg or .png"),
        ] {
            match self.run(&arguments) {
                Ok(_) => bail!("{} is accepted", arguments.join(" ")),
                Err(error) => ensure!(error.to_string().contains(expected), "{error}"),
            }
        }
        Ok(())
    }
}

fn path(file: &Path) -> Result<&str> {
    file.to_str().context("the folder for temporary files has a name that is not UTF-8")
}

/// The methods that a help text lists.
fn methods(help: &str) -> Result<Vec<String>> {
    let (_, list) = help.split_once("possible values: ").context("the help lists no methods")?;
    let (list, _) = list.split_once(']').context("the list of methods does not end")?;
    Ok(list.split(',').map(|method| method.trim().to_owned()).collect())
}

/// Times go forwards, everything is a number, and what is an error is small: a tenth at most, of explicit Euler, usually 1e-3.
fn check_numbers(csv: &str) -> Result<()> {
    let mut lines = csv.lines();
    let names: Vec<_> = lines.next().context("the file is empty")?.split(',').collect();
    ensure!(names[0] == "time / s" && names.len() >= 4, "columns are {names:?}");
    let (mut before, mut rows) = (f64::NEG_INFINITY, 0);
    for line in lines {
        let row: Vec<f64> =
            line.split(',').map(str::parse).collect::<Result<_, _>>().with_context(|| line.to_owned())?;
        ensure!(row.len() == names.len() && row[0] > before && row.iter().all(|it| it.is_finite()), "row {line}");
        for (name, value) in names.iter().zip(&row) {
            let is_error = ["error", "constraint", "distance", "exact model"].iter().any(|word| name.contains(word));
            ensure!(!is_error || value.abs() < 0.1, "{name} is {value} at {} s", row[0]);
        }
        (before, rows) = (row[0], rows + 1);
    }
    ensure!(rows >= 10, "there are {rows} rows");
    Ok(())
}

/// It has curves, and axes with units.
fn check_svg(svg: &str) -> Result<()> {
    let curves = svg.matches("<polyline").count();
    let whole = svg.starts_with("<svg") && svg.ends_with("</svg>\n");
    ensure!(whole && curves > 10 && svg.contains("time / s") && !svg.contains("NaN"), "{curves} lines in the SVG");
    Ok(())
}

/// It is a PNG, two pixels a point, and not an empty page, which would be a few kilobytes.
fn check_png(png: &[u8]) -> Result<()> {
    ensure!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.len() > 20_000, "{} bytes of PNG", png.len());
    let width = png.get(16..20).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes);
    ensure!(width == Some(1720), "the PNG is {width:?} pixels wide");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_read_from_a_help_text() {
        let help = "  --method <M>  How [default: a] [possible values: a, b_2,\n          c]\n  --rate";
        assert_eq!(methods(help).unwrap(), ["a", "b_2", "c"]);
        assert!(methods("nothing").is_err());
    }

    #[test]
    fn bad_numbers_are_found() {
        let table = |row: &str| {
            let rows: String = (0..12).map(|i| format!("{i},1,1e-6,0\n")).collect();
            format!("time / s,x / m,energy error / J,z\n{rows}{row}\n")
        };
        assert!(check_numbers(&table("12,1,0,0")).is_ok());
        for row in ["11,1,0,0", "12,NaN,0,0", "12,1,0.2,0", "12,1,0", "12,a,0,0"] {
            assert!(check_numbers(&table(row)).is_err(), "{row}");
        }
        assert!(check_numbers("time / s,a,b,c\n0,1,2,3\n").is_err(), "too few rows");
    }
}
