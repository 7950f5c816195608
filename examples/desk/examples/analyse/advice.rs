//! The advice for a mechanical system, as a cell of the table.

use taut::advise::{Advice, Study, StudyError, Trial, Wanted};
use taut::linalg::SymmetricFactors;
use taut::method::{HalfExplicit, NAMES, Rattle, RungeKutta4, SymplecticEuler};
use taut::system::{ConstantMass, Mechanical};

use crate::costs::Costs;

/// The run and the rates of each study, and the error that is wanted.
pub const DURATION: f64 = 0.1;
pub const RATES: [f64; 4] = [100.0, 200.0, 500.0, 1_000.0];
pub const WANTED: f64 = 1e-6;

type Answer = Result<Advice, StudyError<f64>>;

/// The cheapest methods for a constant mass, less than a third of the code of all fourteen.
pub fn cheapest<System, const N: usize, const M: usize, F>(study: &Study<'_, System, f64, N, M, F>) -> Answer
where
    System: Mechanical<N, M, Base = f64>,
    System::Mass: ConstantMass<f64, N>,
    F: SymmetricFactors<f64, M>,
{
    study.run_plain_with(&[&Rattle::new(), &SymplecticEuler::new(), &HalfExplicit::order_one(), &RungeKutta4::new()])
}

/// The same for any mass.
pub fn cheapest_for_any_mass<System, const N: usize, const M: usize, F>(
    study: &Study<'_, System, f64, N, M, F>,
) -> Answer
where
    System: Mechanical<N, M, Base = f64>,
    F: SymmetricFactors<f64, M>,
{
    study.run_plain_with(&[&HalfExplicit::order_one(), &RungeKutta4::new()])
}

/// The advice of a study. Of a study of some methods, it stands only where no other could be cheaper; else the cell says how many were
/// tried.
pub fn cell<'a, System, const N: usize, const M: usize, F>(
    study: Study<'a, System, f64, N, M, F>,
    run: impl FnOnce(&Study<'a, System, f64, N, M, F>) -> Answer,
) -> String
where
    System: Mechanical<N, M, Base = f64>,
    F: SymmetricFactors<f64, M>,
{
    let advice = match run(&study.lasting(DURATION).at_rates(RATES).untimed()) {
        Ok(advice) => advice,
        Err(error) => return format!("none: {error}"),
    };
    let costs = Costs::nearest(N + M);
    let advice = advice.with_costs("instructions", |way| costs.of(way));
    let choice = advice.cheapest(&Wanted::error(WANTED));
    let cost = choice.and_then(Trial::cost_per_second).unwrap_or(f64::INFINITY);
    let answer = match choice {
        Some(trial) => format!("{} at {} Hz", trial.way.method, trial.rate),
        None => "none up to 1 kHz".to_owned(),
    };
    let mut tried: Vec<&str> = advice.trials.iter().map(|trial| trial.way.method).collect();
    tried.dedup();
    // The first five need a constant mass.
    let fitting = if tried.contains(&"rattle") { &NAMES[..] } else { &NAMES[5..] };
    let left_out = costs.least(|name| fitting.contains(&name) && !tried.contains(&name));
    if cost <= left_out * RATES[0] { answer } else { format!("{answer}, of {} methods", tried.len()) }
}
