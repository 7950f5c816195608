//! The figures of the README and the guide, from runs of the library on this computer: `cargo xtask figures` writes them into
//! `src/guide/figures`; with `--check` it compares them with those that are there.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use desk::Outcome;

mod demo;
mod drift;
mod drive;
mod four_bars;
mod gallery;
mod methods;
mod precision;

/// A figure: its name, and what makes it.
type Figure = (&'static str, fn() -> Outcome<String>);

const FIGURES: [Figure; 9] = [
    ("five_bar", demo::animation),
    ("demo", demo::plot),
    ("four_bars", four_bars::sketch_all),
    ("gallery", gallery::sketch_all),
    ("drift", drift::plot),
    ("methods", methods::plot),
    ("precision", precision::plot),
    ("drive", drive::path),
    ("tune", drive::bandwidths),
];

fn main() -> ExitCode {
    match make() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn make() -> Outcome {
    let check = env::args().any(|word| word == "--check");
    let only = env::args().skip(1).find(|word| !word.starts_with("--"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/guide/figures");
    let mut differing = Vec::new();
    for (name, figure) in FIGURES.iter().filter(|(name, _)| only.as_ref().is_none_or(|only| only == name)) {
        let (file, text) = (folder.join(format!("{name}.svg")), figure()?);
        println!("{name}.svg, {} kB", text.len().div_ceil(1_000));
        if !check {
            fs::write(file, text)?;
        } else if fs::read_to_string(file).ok() != Some(text) {
            differing.push(*name);
        }
    }
    let differing = differing.join(", ");
    if differing.is_empty() {
        Ok(())
    } else {
        Err(format!("{differing}: not as committed; `cargo xtask figures` renews them").into())
    }
}
