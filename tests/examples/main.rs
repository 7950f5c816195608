//! Checks the examples: each is short, runs with all of its methods in both precisions, and writes valid plots and numbers.
//!
//! `cargo test` builds them before this runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An example must have fewer lines than this.
const LINES: usize = 120;

/// Every host example, and the simulated seconds that it runs here.
const EXAMPLES: [(&str, &str); 18] = [
    ("attitude", "2"),
    ("cart_pole", "1"),
    ("consistent_start", "0.012"),
    ("crane", "0.5"),
    ("double_pendulum", "0.5"),
    ("drift", "5"),
    ("dummy_pivoting", "9"),
    ("five_bar", "0.3"),
    ("four_bar", "0.1"),
    ("kepler", "5"),
    ("pendulum", "2"),
    ("rigid_body", "5"),
    ("ring", "0.2"),
    ("robot_arm", "12"),
    ("slider_crank", "0.5"),
    // Half-explicit Euler at 100 Hz gains so much energy that a step fails after 1.87 s.
    ("spherical_pendulum", "1.5"),
    ("steppers", "0.5"),
    ("stiff_actuator", "2"),
];

#[test]
fn every_example_is_known_and_short() {
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")).unwrap() {
        let file = entry.unwrap().path();
        let Some(name) = file.file_stem().filter(|_| file.extension().is_some_and(|it| it == "rs")) else {
            continue;
        };
        let known = name == "bare_metal" || name == "mechanism" || EXAMPLES.iter().any(|(known, _)| name == *known);
        assert!(known, "{} is not in the list EXAMPLES: add it", file.display());
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines < LINES, "{} has {lines} lines, it must have fewer than {LINES}", file.display());
    }
}

#[test]
fn every_example_runs_plots_and_writes_its_numbers() {
    let folder = std::env::temp_dir().join(format!("taut-examples-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for (name, seconds) in EXAMPLES {
        Example::named(name, seconds).check(&folder).unwrap_or_else(|error| panic!("the example {name}: {error}"));
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// It takes the name of a mechanism instead of a method.
#[test]
fn a_mechanism_of_the_gallery_runs_by_its_name() {
    let file = std::env::temp_dir().join(format!("taut-mechanism-{}.svg", std::process::id()));
    let run = |arguments: &[&str]| Command::new(Example::program("mechanism")).args(arguments).output().unwrap();
    let output = run(&["five-bar", file.to_str().expect("a folder named in UTF-8")]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.starts_with("five-bar: 4 coordinates, 2 constraints"), "{said}");
    assert!(said.contains("  tip"), "{said}");
    check_svg(&fs::read_to_string(&file).unwrap()).unwrap();
    fs::remove_file(&file).unwrap();
    let refused = run(&["six-bar"]);
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("stewart, ankle, bricard"));
}

/// A built example.
struct Example {
    program: PathBuf,
    seconds: &'static str,
}

impl Example {
    fn named(name: &str, seconds: &'static str) -> Self {
        Self { program: Self::program(name), seconds }
    }

    fn program(name: &str) -> PathBuf {
        // Cargo puts examples into a folder next to that of this program.
        let this = std::env::current_exe().unwrap();
        let folder = this.parent().and_then(Path::parent).unwrap().join("examples");
        let program = folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
        assert!(program.exists(), "{} is not built: cargo build --examples --profile test", program.display());
        program
    }

    fn check(&self, folder: &Path) -> Result<(), String> {
        let [svg, png, csv] = ["plot.svg", "plot.png", "numbers.csv"].map(|name| folder.join(name));
        for (scalar, plot) in [("--f32", &svg), ("--f64", &png)] {
            let [plot, csv] = [plot, &csv].map(|file| file.to_str().expect("a folder named in UTF-8"));
            let said = self.run(&[scalar, "--plot", plot, "--csv", csv])?;
            ensure(said.contains(plot) && said.contains(csv), || format!("it does not name its files:\n{said}"))?;
            check_numbers(&fs::read_to_string(csv).unwrap())?;
        }
        check_svg(&fs::read_to_string(&svg).unwrap())?;
        check_png(&fs::read(&png).unwrap())?;
        for method in methods(&self.run(&["--help"])?) {
            for scalar in ["--f32", "--f64"] {
                self.run(&[scalar, "--method", &method])?;
            }
        }
        self.check_refusals()
    }

    /// Runs the example and returns its output, or an error if it fails.
    fn run(&self, arguments: &[&str]) -> Result<String, String> {
        let mut command = Command::new(&self.program);
        let output = command.args(["--seconds", self.seconds]).args(arguments).output().expect("an example starts");
        let [said, complained] =
            [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        ensure(output.status.success(), || format!("{}: {}\n{said}{complained}", arguments.join(" "), output.status))?;
        Ok(said)
    }

    /// Checks that wrong arguments are refused before anything is calculated.
    fn check_refusals(&self) -> Result<(), String> {
        for (arguments, expected) in [
            (["--rate", "0"], "a positive number"),
            (["--method", "verlet"], "possible values"),
            (["--plot", "plot.pdf"], ".svg or .png"),
        ] {
            match self.run(&arguments) {
                Ok(_) => return Err(format!("{} is accepted", arguments.join(" "))),
                Err(error) => ensure(error.contains(expected), || error)?,
            }
        }
        Ok(())
    }
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// The methods that a help text lists.
fn methods(help: &str) -> Vec<String> {
    let (_, list) = help.split_once("possible values: ").expect("the help lists methods");
    let (list, _) = list.split_once(']').expect("the list of methods ends");
    list.split(',').map(|method| method.trim().to_owned()).collect()
}

/// Checks that times increase, that every value is finite, and that errors are below 0.1. Explicit Euler needs that much; most methods
/// stay below 1e-3.
fn check_numbers(csv: &str) -> Result<(), String> {
    let mut lines = csv.lines();
    let names: Vec<_> = lines.next().ok_or("the file is empty")?.split(',').collect();
    ensure(names[0] == "time / s" && names.len() >= 4, || format!("columns are {names:?}"))?;
    let (mut before, mut rows) = (f64::NEG_INFINITY, 0);
    for line in lines {
        let row: Result<Vec<f64>, _> = line.split(',').map(str::parse).collect();
        let row = row.map_err(|error| format!("{line}: {error}"))?;
        let is_sound = row.len() == names.len() && row[0] > before && row.iter().all(|it| it.is_finite());
        ensure(is_sound, || format!("row {line} is not valid"))?;
        for (name, value) in names.iter().zip(&row) {
            let is_error = ["error", "constraint", "distance", "exact model"].iter().any(|word| name.contains(word));
            ensure(!is_error || value.abs() < 0.1, || format!("{name} is {value} at {} s", row[0]))?;
        }
        (before, rows) = (row[0], rows + 1);
    }
    ensure(rows >= 10, || format!("there are {rows} rows"))
}

/// Checks that the SVG has curves, and axes with units.
fn check_svg(svg: &str) -> Result<(), String> {
    let curves = svg.matches("<polyline").count();
    let whole = svg.starts_with("<svg") && svg.ends_with("</svg>\n");
    let is_sound = whole && curves > 10 && svg.contains("time / s") && !svg.contains("NaN");
    ensure(is_sound, || format!("the SVG is not valid; it has {curves} lines"))
}

/// Checks that the PNG has two pixels per point, and is larger than an empty page, which takes a few kilobytes.
fn check_png(png: &[u8]) -> Result<(), String> {
    let is_whole = png.starts_with(b"\x89PNG\r\n\x1a\n") && png.len() > 20_000;
    ensure(is_whole, || format!("the PNG is not valid; it has {} bytes", png.len()))?;
    let width = png.get(16..20).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes);
    ensure(width == Some(1720), || format!("the PNG is {width:?} pixels wide"))
}

#[test]
fn methods_are_read_from_a_help_text() {
    let help = "  --method <M>  How [default: a] [possible values: a, b_2,\n          c]\n  --rate";
    assert_eq!(methods(help), ["a", "b_2", "c"]);
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
