//! The gallery of mechanisms: lets each go and draws how it moves. `cargo xtask gallery --help`.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use desk::{Film, Outcome};
use mechanisms::parts;
use taut::parts::Mechanism;
use taut::parts::by_hand::List;

const HELP: &str = "Lets the mechanisms of the gallery go until something has moved six times their size, and draws them, as animations

cargo xtask gallery [NAME...]; by default all of them

Writes target/gallery/NAME.svg, and index.html with all. A mechanism whose rods come into a line stops there.";

/// Draws the mechanisms with the given names.
struct Draw<'a> {
    names: &'a [String],
    folder: &'a Path,
    known: Vec<&'static str>,
    page: String,
    failed: Option<Box<dyn std::error::Error>>,
}

impl Draw<'_> {
    fn draw<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        &mut self,
        name: &str,
        mechanism: &Mechanism<L, N, M>,
    ) -> Outcome {
        let film = Film::of(mechanism, parts::velocity(mechanism), 6.0)?;
        let svg = film.animation(&format!("{name}: {N} coordinates, {M} constraints")).svg();
        fs::write(self.folder.join(format!("{name}.svg")), &svg)?;
        let (seconds, error) = (film.seconds, film.energy_error);
        println!("{name:20} {N:3} {M:3}  {seconds:5.2} s   {error:.1e}");
        self.page += &svg;
        Ok(())
    }
}

impl parts::Visitor<f64> for Draw<'_> {
    fn visit<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        &mut self,
        name: &'static str,
        mechanism: &Mechanism<L, N, M>,
    ) {
        self.known.push(name);
        if self.failed.is_none() && (self.names.is_empty() || self.names.iter().any(|wanted| wanted == name)) {
            self.failed = self.draw(name, mechanism).err();
        }
    }
}

fn main() -> ExitCode {
    match gallery() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn gallery() -> Outcome {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/gallery");
    fs::create_dir_all(&folder)?;
    let mut draw = Draw { names: &names, folder: &folder, known: Vec::new(), page: String::new(), failed: None };
    if names.iter().any(|word| word == "--help" || word == "-h") {
        println!("{HELP}");
        return Ok(());
    }
    println!("mechanism              N   M   moved   energy off / kinetic energy");
    parts::visit_all(&mut draw);
    parts::visit_large(&mut draw);
    if let Some(unknown) = names.iter().find(|name| !draw.known.contains(&name.as_str())) {
        return Err(format!("there is no mechanism `{unknown}`; there are {}", draw.known.join(", ")).into());
    }
    let page = format!("<!doctype html><meta charset=\"utf-8\"><title>taut: mechanisms</title>\n{}", draw.page);
    fs::write(folder.join("index.html"), page)?;
    println!("target/gallery/index.html");
    draw.failed.map_or(Ok(()), Err)
}
