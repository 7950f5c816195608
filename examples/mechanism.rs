//! Any mechanism of the gallery by its name: lets it go for two seconds, prints where its coordinates begin and end, and draws them.
//!
//! `cargo run --release --example mechanism -- stewart stewart.svg`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, thread};

use desk::Outcome;
use desk::plot::{Chart, Curve, Page};
use mechanisms::parts;
use taut::linalg::Vector;
use taut::method::{RungeKutta4, Step};
use taut::parts::Mechanism;
use taut::parts::by_hand::List;
use taut::start::Clock;

/// Steps per second, steps per point of the plot, and all steps.
const RATE: f64 = 10_000.0;
const EVERY: usize = 50;
const STEPS: usize = 20_000;

/// Runs the mechanism with the wanted name.
struct Run {
    wanted: String,
    plot: Option<PathBuf>,
    known: Vec<&'static str>,
    outcome: Option<Outcome>,
}

impl parts::Visitor<f64> for Run {
    fn visit<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
        &mut self,
        name: &'static str,
        mechanism: &Mechanism<L, N, M>,
    ) {
        self.known.push(name);
        if self.wanted == name {
            self.outcome = Some(run(name, mechanism, self.plot.as_deref()));
        }
    }
}

fn run<L: List<N, M, Base = f64>, const N: usize, const M: usize>(
    name: &str,
    mechanism: &Mechanism<L, N, M>,
    plot: Option<&Path>,
) -> Outcome {
    let started = mechanism.start(Clock::at_rate(RATE)?).moving(parts::velocity(mechanism));
    let mut state = started.map_err(|error| mechanism.explain(error))?;
    println!("{name}: {N} coordinates, {M} constraints, {} of them independent", state.correction().rank());
    let energy =
        |q: &Vector<f64, N>, v: &Vector<f64, N>| mechanism.kinetic_energy(q, v) + mechanism.potential_energy(q);
    let (begin, first) = (energy(state.position(), state.velocity()), *state.position());
    let (mut coordinates, mut change) = (vec![Vec::new(); N], Vec::new());
    for step in 0..=STEPS {
        let (q, v) = (state.position(), state.velocity());
        if step % EVERY == 0 {
            let time = step as f64 / RATE;
            coordinates.iter_mut().zip(q.iter()).for_each(|(curve, x)| curve.push((time, *x)));
            change.push((time, (energy(q, v) - begin).abs()));
        }
        if let Err(error) = RungeKutta4::new().step(mechanism, &mut state) {
            println!("  stops after {} s: {}", step as f64 / RATE, mechanism.explain(error));
            break;
        }
    }
    for (index, (from, to)) in first.iter().zip(state.position().iter()).enumerate() {
        println!("  {:12} {from:9.4} {to:9.4} m or rad", mechanism.part_of_coordinate(index));
    }
    let largest = change.iter().map(|(_, off)| *off).fold(0.0, f64::max);
    println!("  energy changes by at most {largest:.1e} J");
    if let Some(file) = plot {
        let places = Chart::new("time / s", "coordinates / m or rad");
        let places = coordinates.into_iter().fold(places, |chart, curve| chart.curve(Curve::through(curve)));
        let energy = Chart::new("time / s", "change of energy / J").logarithmic().curve(Curve::through(change));
        Page::new(name).row(320, [places]).row(240, [energy]).write(file)?;
        println!("  plot {}", file.display());
    }
    Ok(())
}

fn main() -> ExitCode {
    // The largest mechanism needs more than the usual stack.
    let find = || find().map_err(|error| error.to_string());
    let thread = thread::Builder::new().stack_size(256 << 20).spawn(find);
    match thread.map(thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::FAILURE,
    }
}

fn find() -> Outcome {
    let mut words = env::args().skip(1);
    let wanted = words.next().unwrap_or_default();
    let mut run = Run { wanted, plot: words.next().map(PathBuf::from), known: Vec::new(), outcome: None };
    parts::visit_all(&mut run);
    parts::visit_large(&mut run);
    let usage = || format!("give a name and, if you like, a file for the plot; the names are {}", run.known.join(", "));
    run.outcome.unwrap_or_else(|| Err(usage().into()))
}
