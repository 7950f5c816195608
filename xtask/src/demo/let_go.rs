//! `cargo xtask demo --mechanism` for a list that no loop drives, most often because it has no motors: starts it on an emulated board, steps
//! it, and draws its positions and the mechanism in motion.

use std::{fs, thread};

use anyhow::{Context, Result, bail, ensure};
use desk::motion;
use desk::plot::{Chart, Curve, Page};
use mechanisms::parts;
use taut::parts::Mechanism;
use taut::parts::by_hand::List;

use crate::machines::{self, FOLDER, Machine};
use crate::{emulate, shell};

const PROGRAM: &str = "let_go";

/// The positions of a run.
#[derive(Debug, Default, PartialEq)]
struct Run {
    /// Time, energy and position.
    samples: Vec<(f64, f64, Vec<f64>)>,
    /// Why it ended early.
    stopped: Option<String>,
}

impl Run {
    /// Reads the lines of the program.
    fn read(output: &str) -> Result<Self> {
        let mut run = Self::default();
        for line in output.lines() {
            if let Some(rest) = line.strip_prefix("at ") {
                let numbers = rest.split(' ').map(str::parse).collect::<Result<Vec<f64>, _>>();
                let numbers = numbers.with_context(|| format!("not a position: {line}"))?;
                let [time, energy, position @ ..] = numbers.as_slice() else { bail!("not a position: {line}") };
                run.samples.push((*time, *energy, position.to_vec()));
            } else if let Some(rest) = line.strip_prefix("stopped ") {
                run.stopped = Some(rest.to_owned());
            }
        }
        ensure!(!run.samples.is_empty(), "the mechanism does not start: {}", run.stopped.unwrap_or_default());
        Ok(run)
    }

    /// The largest change of the energy.
    fn energy_change(&self) -> f64 {
        let begin = self.samples.first().map_or(0.0, |(_, energy, _)| *energy);
        self.samples.iter().map(|(_, energy, _)| (energy - begin).abs()).fold(0.0, f64::max)
    }
}

/// Builds the program, runs it, shows its log and draws it.
pub fn run(name: &str) -> Result<()> {
    // The state of the largest list needs more memory than the default board has.
    let machine = if name == "bricard" { Machine::named("cortex-m33") } else { machines::DEFAULT };
    let mut build = shell::cargo(FOLDER, &["build", "--release", "--target", machine.target, "--bin", PROGRAM]);
    shell::run(&format!("build {PROGRAM} for {}: {name}", machine.name), build.env("TAUT_SYSTEM", name))?;
    let output = machine.run(&machine.built(PROGRAM, "release"), &[], None, emulate::TIME_LIMIT)?;
    println!("\nLog of the emulated {}: time / s, energy / J, coordinates / m or rad\n", machine.name);
    output.lines().for_each(|line| println!("  {line}"));

    let run = Run::read(&output)?;
    // The largest mechanism needs more than the usual stack.
    let drawing = thread::Builder::new().stack_size(256 << 20);
    thread::scope(|scope| {
        let drawn = drawing.spawn_scoped(scope, || {
            let mut draw = Draw { name, run, outcome: None };
            parts::visit_all(&mut draw);
            if draw.outcome.is_none() {
                parts::visit_large(&mut draw);
            }
            draw.outcome.unwrap_or_else(|| bail!("the gallery has no list {name}"))
        });
        drawn?.join().unwrap_or_else(|_| bail!("drawing {name} failed"))
    })
}

/// Draws the mechanism with this name.
struct Draw<'a> {
    name: &'a str,
    run: Run,
    outcome: Option<Result<()>>,
}

impl parts::Visitor<f64> for Draw<'_> {
    fn visit<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        &mut self,
        name: &'static str,
        mechanism: &Mechanism<L, N, M>,
    ) {
        if name == self.name {
            self.outcome = Some(draw(name, mechanism, &self.run));
        }
    }
}

fn draw<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
    name: &str,
    mechanism: &Mechanism<L, N, M>,
    run: &Run,
) -> Result<()> {
    let folder = shell::target().join("demo").join(name);
    fs::create_dir_all(&folder)?;
    let [Some((_, _, first)), Some((end, _, last))] = [run.samples.first(), run.samples.last()] else {
        bail!("there are no positions")
    };
    println!("\n  {name}: {N} coordinates, {M} constraints, let go for {end} s");
    for (index, (from, to)) in first.iter().zip(last).enumerate() {
        println!("  {:12} {from:9.4} to {to:9.4} m or rad", mechanism.part_of_coordinate(index));
    }
    println!("  energy changes by at most {:.1e} J", run.energy_change());
    if let Some(stopped) = &run.stopped {
        println!("  stopped at {stopped}");
    }

    let curve = |index: usize| Curve::through(run.samples.iter().map(|(time, _, q)| (*time, q[index])));
    let places = Chart::new("time / s", "coordinates / m or rad");
    let places = (0..N).fold(places, |chart, index| chart.curve(curve(index)));
    let energy = Chart::new("time / s", "energy / J")
        .curve(Curve::through(run.samples.iter().map(|(time, energy, _)| (*time, *energy))));
    let page = Page::new(format!("{name} on an emulated board")).row(320, [places]).row(240, [energy]);
    let file = folder.join("run.svg");
    for file in [&file, &file.with_extension("png")] {
        page.write(file)?;
    }
    println!("  plot            {} (and .png)", file.display());
    let positions = run.samples.iter().step_by(2).map(|(_, _, q)| nalgebra::SVector::from_fn(|row, _| q[row]));
    let moving = folder.join("motion.svg");
    fs::write(&moving, motion(mechanism, positions, *end, name.to_owned()).svg())?;
    println!("  in motion       {}", moving.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_read() {
        let run = Run::read("at 0 1e0 2e0 -3e-1\nat 0.01 1.5e0 2e0 0e0\nstopped 0.012 Newton").unwrap();
        assert_eq!(run.samples, [(0.0, 1.0, vec![2.0, -0.3]), (0.01, 1.5, vec![2.0, 0.0])]);
        assert_eq!((run.energy_change(), run.stopped.as_deref()), (0.5, Some("0.012 Newton")));
        assert!(Run::read("at 0 x").is_err());
        assert_eq!(
            Run::read("stopped 0 load: no").unwrap_err().to_string(),
            "the mechanism does not start: 0 load: no"
        );
    }
}
