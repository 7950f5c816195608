//! The comparison of methods for systems that are not mechanical, as a cell of the table.
//!
//! As in `taut::advise`, errors are distances from a reference at the end of a run. Costs are counted: the evaluations of the equations, where a
//! number with n derivatives counts as n + 1.

use std::cell::Cell;
use std::fmt::Display;

use taut::control::{Hessenberg, HessenbergState};
use taut::linalg::Vector;
use taut::method::{Bdf2, HalfExplicit, ImplicitEuler, RadauIia, RungeKutta4, Step};
use taut::start::{Clock, ImplicitState, IndexThreeState, SemiExplicitState};
use taut::system::{Implicit, IndexThree, SemiExplicit};

use crate::advice::{DURATION, RATES, WANTED};
use crate::counted::Counted;

/// A method, and the end of its run with a clock in a number of steps.
type Run<'a> = (&'static str, Box<dyn Fn(Clock<f64>, u64) -> Result<Vec<f64>, String> + 'a>);

/// Any method that steps a model.
pub trait Steps<System, State> {
    fn title(&self) -> &'static str;
    fn advance(&self, system: &System, state: &mut State) -> Result<(), String>;
}

impl<System, State, Method: Step<System, State>> Steps<System, State> for Method
where
    Method::Error: Display,
{
    fn title(&self) -> &'static str {
        self.name()
    }
    fn advance(&self, system: &System, state: &mut State) -> Result<(), String> {
        self.step(system, state).map(|_| ()).map_err(|error| error.to_string())
    }
}

/// Makes steps.
fn run<System, State>(
    method: &dyn Steps<System, State>,
    system: &System,
    mut state: State,
    steps: u64,
) -> Result<State, String> {
    (0..steps).try_for_each(|_| method.advance(system, &mut state))?;
    Ok(state)
}

/// The runs of methods that step the same state.
fn runs<'a, System, State>(
    methods: &[&'a dyn Steps<System, State>],
    system: &'a System,
    start: &'a dyn Fn(Clock<f64>) -> Result<State, String>,
    end: &'a dyn Fn(&State) -> Vec<f64>,
) -> Vec<Run<'a>> {
    let of = |method: &&'a dyn Steps<System, State>| -> Run<'a> {
        let method = *method;
        (method.title(), Box::new(move |clock, steps| Ok(end(&run(method, system, start(clock)?, steps)?))))
    };
    methods.iter().map(of).collect()
}

/// The cheapest method and rate, by evaluations counted in `numbers`. The last method computes the reference.
fn cell(t: f64, numbers: &Cell<usize>, runs: &[Run]) -> String {
    let end = |(_, run): &Run, steps: f64| {
        let clock = Clock::with_step(DURATION / steps).map_err(|error| error.to_string())?;
        run(clock.at_time(t), steps as u64)
    };
    let (reference, uncertainty) = match reference(|steps| end(&runs[runs.len() - 1], steps)) {
        Ok(reference) => reference,
        Err(error) => return format!("none: {error}"),
    };
    let mut choice: Option<(usize, &str, f64)> = None;
    for run in runs {
        for rate in RATES {
            let Ok(end) = end(run, (rate * DURATION).round()) else { continue };
            let (error, cost) = (distance(&end, &reference).max(uncertainty), numbers.get());
            if error <= WANTED && choice.is_none_or(|(least, ..)| cost < least) {
                choice = Some((cost, run.0, rate));
            }
        }
    }
    choice.map_or("none up to 1 kHz".to_owned(), |(_, name, rate)| format!("{name} at {rate} Hz"))
}

/// The end of a run and its uncertainty, as in `taut::advise`: from four times the highest rate on, steps are halved until two runs agree.
fn reference(end: impl Fn(f64) -> Result<Vec<f64>, String>) -> Result<(Vec<f64>, f64), String> {
    let mut steps = (4.0 * RATES[3] * DURATION).round();
    let (mut best, mut uncertainty) = (end(steps)?, f64::INFINITY);
    for _ in 0..4 {
        steps *= 2.0;
        let fine = end(steps)?;
        let change = distance(&fine, &best);
        if change >= uncertainty {
            break;
        }
        let enough = 1e-12 * (1.0 + distance(&fine, &[]));
        (best, uncertainty) = (fine, change.max(enough));
        if change <= enough {
            break;
        }
    }
    Ok((best, uncertainty))
}

/// The Euclidean norm of the difference; missing entries of `right` count as zero.
fn distance(left: &[f64], right: &[f64]) -> f64 {
    let right = right.iter().chain(std::iter::repeat(&0.0));
    left.iter().zip(right).map(|(left, right)| (left - right).powi(2)).sum::<f64>().sqrt()
}

/// The part of a point from an entry on.
fn part<const N: usize>(point: &[f64], from: usize) -> Vector<f64, N> {
    Vector::from_fn(|i, _| point[from + i])
}

/// The result of a start; from here on, evaluations count.
fn started<State, E: Display>(numbers: &Cell<usize>, state: Result<State, E>) -> Result<State, String> {
    numbers.set(0);
    state.map_err(|error| format!("the model does not start: {error}"))
}

/// y' = f(t, y, z), 0 = g(t, y, z), by the error of y. Not every index allows the methods `more`.
pub fn semi_explicit<'a, System: SemiExplicit<Y, Z, Base = f64>, const Y: usize, const Z: usize>(
    system: &'a System,
    t: f64,
    point: &[f64],
    more: &[&dyn Steps<Counted<'a, System>, SemiExplicitState<f64, Y, Z>>],
) -> String {
    let model = Counted::new(system);
    let start = |clock| {
        let state = SemiExplicitState::start(&model, clock, part::<Y>(point, 0), part::<Z>(point, Y));
        started(&model.numbers, state)
    };
    let end = |state: &SemiExplicitState<f64, Y, Z>| state.differential().as_slice().to_vec();
    let two_steps = |clock, steps| {
        let nodes = Bdf2::new().begin_semi_explicit(&model, start(clock)?).map_err(|error| error.to_string())?;
        Ok(end(run(&Bdf2::new(), &model, nodes, steps - 1)?.state()))
    };
    let half_explicit: [&dyn Steps<_, _>; 4] = [
        &HalfExplicit::order_one(),
        &HalfExplicit::order_two(),
        &HalfExplicit::order_three(),
        &HalfExplicit::order_four(),
    ];
    let implicit: [&dyn Steps<_, _>; 3] = [&ImplicitEuler::new(), &RadauIia::order_three(), &RadauIia::order_five()];
    let mut all = runs(&[&half_explicit, more, &implicit].concat(), &model, &start, &end);
    all.insert(0, ("bdf_2", Box::new(two_steps)));
    cell(t, &model.numbers, &all)
}

/// M u' = F(t, u), by the error of u.
pub fn implicit<System: Implicit<N, Base = f64>, const N: usize>(system: &System, t: f64, point: &[f64]) -> String {
    let model = Counted::new(system);
    let start = |clock| started(&model.numbers, ImplicitState::start(&model, clock, part::<N>(point, 0)));
    let end = |state: &ImplicitState<f64, N>| state.variables().as_slice().to_vec();
    let methods: [&dyn Steps<_, _>; 3] = [&ImplicitEuler::new(), &RadauIia::order_three(), &RadauIia::order_five()];
    cell(t, &model.numbers, &runs(&methods, &model, &start, &end))
}

/// The general index-3 form, by the error of p.
pub fn index_three<System, const P: usize, const Q: usize, const C: usize>(
    system: &System,
    t: f64,
    point: &[f64],
) -> String
where
    System: IndexThree<P, Q, C, Base = f64>,
{
    let model = Counted::new(system);
    let start = |clock| {
        let state = IndexThreeState::start(&model, clock, part::<P>(point, 0), part::<Q>(point, P));
        started(&model.numbers, state)
    };
    let end = |state: &IndexThreeState<f64, P, Q, C>| state.position().as_slice().to_vec();
    let methods: [&dyn Steps<_, _>; 3] = [&ImplicitEuler::new(), &RadauIia::order_three(), &RadauIia::order_five()];
    cell(t, &model.numbers, &runs(&methods, &model, &start, &end))
}

/// A linear system in Hessenberg form, by the error of all unknowns.
pub fn hessenberg<System, const S: usize, const R: usize, const U: usize>(
    system: &System,
    t: f64,
    point: &[f64],
) -> String
where
    System: Hessenberg<S, R, U, Base = f64>,
{
    let start = |clock| started(&Cell::new(0), HessenbergState::start(system, clock, part::<S>(point, 0)));
    let end = |state: &HessenbergState<f64, S, R, U>| state.unknowns().as_slice().to_vec();
    // The only method: its costs are its steps.
    let steps = Cell::new(0);
    let method = RungeKutta4::new();
    let run = |clock, count: u64| {
        steps.set(count as usize);
        Ok(end(&run(&method, system, start(clock)?, count)?))
    };
    cell(t, &steps, &[("runge_kutta_4", Box::new(run))])
}
