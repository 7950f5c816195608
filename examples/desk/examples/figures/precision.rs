//! Which precision: the energy of an hour, and the force in a rod at 10 kHz.

use desk::plot::{Chart, Curve, Page};
use desk::{Outcome, doubles};
use mechanisms::{FourBar, Pendulum};
use taut::linalg::Ldlt;
use taut::prelude::*;
use taut::start::{Precision, State};

/// Ten seconds at 1 kHz, and how many of them are an hour.
const TEN_SECONDS: u32 = 10_000;
const HOUR: u32 = 360;

/// The energy of the four-bar linkage whose crank turns, in mJ above that of the first ten seconds: means of ten seconds, so that what
/// comes back within a turn is not seen. The name gets the slope of the straight line nearest to it, in J an hour.
fn energies<T: Float, P: Precision>(name: &str, mut state: State<T, 9, 8, Ldlt<T, 8>, P>) -> Outcome<Curve> {
    let (linkage, judge) = (FourBar::<T>::standard(), FourBar::<f64>::standard());
    let (mut points, mut first) = (Vec::new(), None);
    for window in 0..HOUR {
        let mut sum = 0.0;
        for _ in 0..TEN_SECONDS {
            Rattle::new().step(&linkage, &mut state)?;
            sum += judge.energy(&doubles(state.full_position()), &doubles(state.full_velocity()));
        }
        let mean = sum / f64::from(TEN_SECONDS);
        points.push((f64::from(window) / 6.0, 1e3 * (mean - *first.get_or_insert(mean))));
    }
    let centre = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / f64::from(HOUR);
    let (time, energy) = (centre(|point| point.0), centre(|point| point.1));
    let slope = points.iter().map(|(t, e)| (t - time) * (e - energy)).sum::<f64>()
        / points.iter().map(|(t, _)| (t - time) * (t - time)).sum::<f64>();
    Ok(Curve::through(points).named(format!("{name}, {:+.1e} J/h", slope * 60.0 / 1e3)))
}

/// The linkage with its crank at 10 rad/s.
fn turning<T: Float, R>(start: impl Fn(Start<'_, FourBar<T>, 9, 8>, [T; 9]) -> R) -> Outcome<R> {
    let (linkage, clock) = (FourBar::<T>::standard(), Clock::at_rate(T::from_f64(1_000.0))?);
    let assembled = *Start::at(&linkage, clock, FourBar::guess()).at_rest()?.position();
    Ok(start(Start::at(&linkage, clock, assembled), FourBar::turning(&assembled)))
}

/// The multiplier of a pendulum at each of a thousand steps at 10 kHz, one in four.
fn multipliers<T: Float, P: Precision>(mut state: State<T, 2, 1, Ldlt<T, 1>, P>) -> Outcome<Vec<f64>> {
    let pendulum = Pendulum::<T>::standard();
    let mut force = || Ok(Rattle::new().step(&pendulum, &mut state)?.multipliers[0].to_f64());
    (0..1_000).map(|_| force()).step_by(4).collect()
}

/// Draws both.
pub fn plot() -> Outcome<String> {
    let energy = Chart::new("time / min", "mean energy / mJ, from 0")
        .titled("Four-bar linkage, RATTLE at 1 kHz")
        .curve(energies("plain", turning::<f32, _>(|start, v| start.plain().moving(v))??)?)
        .curve(energies("compensated", turning::<f32, _>(|start, v| start.compensated().moving(v))??)?)
        .curve(energies("precise", turning::<f32, _>(|start, v| start.precise().moving(v))??)?)
        .curve(energies("f64", turning::<f64, _>(|start, v| start.plain().moving(v))??)?);
    let (single, double) = (Pendulum::standard(), Pendulum::standard());
    let start = Start::at(&single, Clock::at_rate(10_000.0_f32)?, [1.0, 0.0]);
    let exact = multipliers(Start::at(&double, Clock::at_rate(10_000.0_f64)?, [1.0, 0.0]).plain().at_rest()?)?;
    let errors = |found: Vec<f64>| {
        let errors = found.iter().zip(&exact).map(|(found, exact)| (found - exact).abs().max(1e-9));
        Curve::through(errors.enumerate().map(|(step, error)| (0.4 * step as f64, error)))
    };
    let force = Chart::new("time / ms", "error of the force / N")
        .titled("Pendulum, RATTLE at 10 kHz, force up to 1.4 N")
        .logarithmic()
        .curve(errors(multipliers(start.plain().at_rest()?)?).named("plain"))
        .curve(errors(multipliers(start.compensated().at_rest()?)?).named("compensated"))
        .curve(errors(multipliers(start.precise().at_rest()?)?).named("precise"));
    Ok(Page::new("What f32 keeps: energy over an hour, force in a rod").row(330, [energy, force]).svg())
}
