//! Long runs of RATTLE at 1 kHz: how far the mean energy drifts, for each precision. `cargo xtask soak --help`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{available_parallelism, scope};
use std::time::Instant;

use desk::doubles;
use mechanisms::{DoublePendulum, FourBar, FourBarPoints, Pendulum, SliderCrank, parts};
use taut::linalg::Ldlt;
use taut::parts::Mechanism;
use taut::prelude::*;
use taut::start::{Precision, StartError, State};
use taut::system::ConstantMass;

const HELP: &str = "Runs RATTLE at 1 kHz for hours of simulated time on all processors, and prints a table in Markdown

cargo xtask soak [--hours H] [--system NAME] [--precision NAME]; by default one hour, all systems, all precisions

Energy: the mean of the last hour less that of the first, over the system's energy scale; the largest of 8 starts.
Up to two hours: of the last and the first tenth. Double pendulum: the mean |g| of the last hour, in m².
24 hours take half an hour to some hours, most of it the four-bar linkage.";

const SYSTEMS: [&str; 5] = ["four-bar", "four-bar-points", "slider-crank", "looping-pendulum", "double-pendulum"];
const PRECISIONS: [&str; 4] = ["plain", "compensated", "precise", "f64"];
const STARTS: usize = 8;

/// How long to run, and by how much the first angle is larger.
#[derive(Clone, Copy)]
struct Task {
    steps: u64,
    more: f64,
}

type Started<T, P, const N: usize, const M: usize> = Result<State<T, N, M, Ldlt<T, M>, P>, StartError<T>>;

/// The mean of a measure in the last hour or tenth and in the first.
fn means<System, T: Float, P: Precision, const N: usize, const M: usize>(
    system: &System,
    start: Started<T, P, N, M>,
    task: Task,
    measure: impl Fn(&Vector<f64, N>, &Vector<f64, N>) -> f64,
) -> Option<[f64; 2]>
where
    System: Mechanical<N, M, Base = T>,
    System::Mass: ConstantMass<T, N>,
{
    let (mut state, mut sums) = (start.ok()?, [0.0; 2]);
    let window = if task.steps > 7_200_000 { 3_600_000 } else { task.steps / 10 };
    for step in 0..task.steps {
        Rattle::new().step(system, &mut state).ok()?;
        if step < window || step >= task.steps - window {
            sums[usize::from(step < window)] +=
                measure(&doubles(state.full_position()), &doubles(state.full_velocity()));
        }
    }
    Some(sums.map(|sum| sum / window as f64))
}

fn clock<T: Float>() -> Clock<T> {
    Clock::at_rate(T::from_f64(1_000.0)).expect("a rate")
}

/// The four-bar linkage with a crank that turns at 10 rad/s.
fn turning<T: Float>(linkage: &FourBar<T>, task: Task) -> Option<[Vector<T, 9>; 2]> {
    let (mut guess, (sin, cos)) = (FourBar::guess(), (core::f64::consts::FRAC_PI_2 + task.more).sin_cos());
    [guess[0], guess[1]] = [0.1 * cos, 0.1 * sin].map(T::from_f64);
    guess[2] += T::from_f64(task.more);
    let q = *Start::at(linkage, clock(), guess).at_rest().ok()?.position();
    Some([q, FourBar::turning(&q).into()])
}

fn four_bar<T: Float, P: Precision>(
    task: Task,
    start: impl Fn(Start<'_, FourBar<T>, 9, 8>, Vector<T, 9>) -> Started<T, P, 9, 8>,
) -> Option<f64> {
    let linkage = FourBar::<T>::standard();
    let [q, v] = turning(&linkage, task)?;
    let judge = FourBar { gravity: linkage.gravity.to_f64() };
    let [last, first] = means(&linkage, start(Start::at(&linkage, clock(), q), v), task, |q, v| judge.energy(q, v))?;
    Some((last - first) / 1.641)
}

/// The same linkage as a list of parts, with points as coordinates.
fn four_bar_points<T: Float, P: Precision>(
    task: Task,
    start: impl Fn(Start<'_, Mechanism<parts::FourBar<T>, 4, 3>, 4, 3>, Vector<T, 4>) -> Started<T, P, 4, 3>,
) -> Option<f64> {
    let (linkage, mut judge) = (parts::FourBar::<T>::new().build().ok()?, parts::FourBar::<f64>::new());
    let parts::FourBar { crank, rocker, coupler, gravity, .. } = linkage.description();
    [judge.crank.mass, judge.rocker.mass, judge.coupler.mass, judge.gravity] =
        [crank.mass, rocker.mass, coupler.mass, *gravity].map(Float::to_f64);
    let (judge, [q, v]) = (judge.build().ok()?, turning(&FourBar::<T>::standard(), task)?);
    let state = start(Start::at(&linkage, clock(), FourBarPoints::position(&q)), FourBarPoints::velocity(&v).into());
    let energy = |q: &Vector<f64, 4>, v: &Vector<f64, 4>| judge.kinetic_energy(q, v) + judge.potential_energy(q);
    let [last, first] = means(&linkage, state, task, energy)?;
    Some((last - first) / 1.641)
}

fn slider_crank<T: Float, P: Precision>(
    task: Task,
    start: impl Fn(Start<'_, SliderCrank<T>, 2, 1>, Vector<T, 2>) -> Started<T, P, 2, 1>,
) -> Option<f64> {
    let (crank, (sin, cos)) = (SliderCrank::<T>::standard(), (0.5 + task.more).sin_cos());
    let reach = (0.25 - 0.01 * sin * sin).sqrt();
    let (q, v) = ([0.5 + task.more, 0.1 * cos + reach], [5.0, -0.5 * sin * (1.0 + 0.1 * cos / reach)]);
    let state = start(Start::at(&crank, clock(), q.map(T::from_f64)), v.map(T::from_f64).into());
    let energy = |v: [f64; 2]| 0.05 * v[0] * v[0] + 2.5 * v[1] * v[1];
    let [last, first] = means(&crank, state, task, |_, v| energy((*v).into()))?;
    Some((last - first) / energy(v))
}

fn pendulum<T: Float, P: Precision>(
    task: Task,
    start: impl Fn(Start<'_, Pendulum<T>, 2, 1>, Vector<T, 2>) -> Started<T, P, 2, 1>,
) -> Option<f64> {
    let (pendulum, (sin, cos)) = (Pendulum::<T>::standard(), task.more.sin_cos());
    let (q, v) = ([sin, -cos].map(T::from_f64), [10.0 * cos, 10.0 * sin].map(T::from_f64));
    let judge = Pendulum { gravity: pendulum.gravity.to_f64(), ..Pendulum::standard() };
    let state = start(Start::at(&pendulum, clock(), q), v.into());
    let [last, first] = means(&pendulum, state, task, |q, v| judge.energy(q, v))?;
    Some((last - first) / 50.0)
}

fn double_pendulum<T: Float, P: Precision>(
    task: Task,
    start: impl Fn(Start<'_, DoublePendulum<T>, 4, 2>, Vector<T, 4>) -> Started<T, P, 4, 2>,
) -> Option<f64> {
    let (double, (sin, cos)) = (DoublePendulum::<T>::standard(), task.more.sin_cos());
    let q = [cos, sin, cos + 1.0, sin].map(T::from_f64);
    let state = start(Start::at(&double, clock(), q), Vector::zeros());
    let off = |x: f64, y: f64| ((x * x + y * y - 1.0) / 2.0).abs();
    let residual = |q: &Vector<f64, 4>| off(q[0], q[1]).max(off(q[2] - q[0], q[3] - q[1]));
    means(&double, state, task, |q, _| residual(q)).map(|[last, _]| last)
}

/// Runs a system with a precision by its name.
macro_rules! with_precision {
    ($run:ident, $precision:expr, $task:expr) => {
        match $precision {
            "plain" => $run::<f32, _>($task, |start, v| start.plain().moving(v)),
            "compensated" => $run::<f32, _>($task, |start, v| start.compensated().moving(v)),
            "precise" => $run::<f32, _>($task, |start, v| start.precise().moving(v)),
            _ => $run::<f64, _>($task, |start, v| start.plain().moving(v)),
        }
    };
}

fn run(system: &str, precision: &str, task: Task) -> Option<f64> {
    match system {
        "four-bar" => with_precision!(four_bar, precision, task),
        "four-bar-points" => with_precision!(four_bar_points, precision, task),
        "slider-crank" => with_precision!(slider_crank, precision, task),
        "looping-pendulum" => with_precision!(pendulum, precision, task),
        _ => with_precision!(double_pendulum, precision, task),
    }
}

/// The value of an option.
fn option(name: &str) -> Option<String> {
    let mut words = std::env::args();
    words.find(|word| word == name)?;
    words.next()
}

fn main() {
    let only = |name: &str, all: &[&'static str]| {
        let chosen = option(name);
        let wanted = all.iter().filter(|known| chosen.as_deref().is_none_or(|chosen| chosen == **known));
        wanted.copied().collect::<Vec<_>>()
    };
    let (systems, precisions) = (only("--system", &SYSTEMS), only("--precision", &PRECISIONS));
    let hours = option("--hours").map_or(Some(1.0), |text| text.parse::<f64>().ok()).filter(|hours| *hours > 0.0);
    let asked = std::env::args().any(|word| word == "--help") || systems.is_empty() || precisions.is_empty();
    let (Some(hours), false) = (hours, asked) else {
        return println!("{HELP}\n\nSystems: {}; precisions: {}", SYSTEMS.join(", "), PRECISIONS.join(", "));
    };
    let rows: Vec<_> = systems.iter().flat_map(|system| precisions.iter().map(move |name| (*system, *name))).collect();
    let (all, next, begun) = (rows.len() * STARTS, AtomicUsize::new(0), Instant::now());
    let largest = Mutex::new(vec![Some(0.0_f64); rows.len()]);
    scope(|threads| {
        for _ in 0..available_parallelism().map_or(1, usize::from) {
            threads.spawn(|| {
                loop {
                    let job = next.fetch_add(1, Ordering::Relaxed);
                    let Some((system, precision)) = rows.get(job / STARTS) else { break };
                    let task = Task { steps: (hours * 3.6e6) as u64, more: 1e-3 * (job % STARTS) as f64 };
                    let found = run(system, precision, task);
                    let row = &mut largest.lock().expect("no thread panics")[job / STARTS];
                    *row = row.zip(found).map(|(row, found)| row.max(found.abs()));
                    eprintln!("{:3} of {all}, {:.0?}  {system}, {precision}: {found:?}", job + 1, begun.elapsed());
                }
            });
        }
    });
    println!("| {hours} h | {} |\n|---|{}", precisions.join(" | "), "---|".repeat(precisions.len()));
    let largest = largest.into_inner().unwrap_or_default();
    for (row, system) in systems.iter().enumerate() {
        let cells = largest[row * precisions.len()..][..precisions.len()].iter();
        let cells: Vec<_> =
            cells.map(|cell| cell.map_or("failed".to_owned(), |drift| format!("{drift:.1e}"))).collect();
        println!("| {system} | {} |", cells.join(" | "));
    }
}
