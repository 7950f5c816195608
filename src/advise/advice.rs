//! The result of a study, and the choice by it.

use core::ops::{Bound, RangeBounds};
use std::string::String;
use std::vec::Vec;

use super::reference::Reference;
use super::trial::Trial;
use super::way::Way;
use crate::scalar::Float;

/// The unit of the costs.
#[derive(Clone, Debug, PartialEq)]
pub enum Unit {
    /// The time of a step on this computer, as a ratio to that of a step of this way.
    Relative {
        /// The way whose cost is one.
        to: Way,
        /// The time of its step on this computer, in seconds.
        seconds: f64,
    },
    /// A unit that the caller has counted.
    Counted(String),
}

/// The result of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The duration of every run, in seconds of the model.
    pub duration: f64,
    /// The reference for the end of the run.
    pub reference: Reference,
    /// Every way at every rate.
    pub trials: Vec<Trial>,
    /// The unit of the costs; `None` if no trial has succeeded, or if the study was [untimed](super::Study::untimed).
    pub unit: Option<Unit>,
}

/// The requirements of a simulation: its accuracy, and the rates at which the loop can step it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    error: f64,
    energy: f64,
    rates: (Bound<f64>, Bound<f64>),
}

impl Wanted {
    /// Requires at most this error of the position, at any rate.
    pub fn error(error: f64) -> Self {
        Self { error, energy: f64::INFINITY, rates: (Bound::Unbounded, Bound::Unbounded) }
    }

    /// Requires at most this error of the energy, too.
    pub fn energy(mut self, error: f64) -> Self {
        self.energy = error;
        self
    }

    /// Allows only these rates, in hertz: `1000.0..=1000.0`, `500.0..`.
    pub fn rates(mut self, rates: impl RangeBounds<f64>) -> Self {
        self.rates = (rates.start_bound().cloned(), rates.end_bound().cloned());
        self
    }
}

impl Advice {
    /// From trials whose costs are seconds. The costs become ratios to the first one.
    pub(super) fn timed(duration: f64, reference: Reference, mut trials: Vec<Trial>) -> Self {
        let one = trials.iter().find_map(|trial| Some((trial.way, trial.cost?)));
        let seconds = one.map_or(1.0, |(_, seconds)| seconds.max(f64::MIN_POSITIVE));
        for cost in trials.iter_mut().filter_map(|trial| trial.cost.as_mut()) {
            *cost /= seconds;
        }
        Self { duration, reference, trials, unit: one.map(|(to, _)| Unit::Relative { to, seconds }) }
    }

    /// Adds the trials of a study of the same model in another base. Costs are converted to the unit of this study. Of the two uncertainties
    /// of the references the larger one is kept.
    pub fn joined(mut self, other: Self) -> Self {
        let factor = match (&self.unit, &other.unit) {
            (Some(Unit::Relative { seconds: ours, .. }), Some(Unit::Relative { seconds: theirs, .. })) => theirs / ours,
            _ => 1.0,
        };
        self.trials.extend(other.trials.into_iter().map(|mut trial| {
            trial.cost = trial.cost.map(|cost| cost * factor);
            trial
        }));
        self.reference.uncertainty = self.reference.uncertainty.max(other.reference.uncertainty);
        self
    }

    /// Replaces the costs of a step by counts from elsewhere, in this unit. A way without a cost is never chosen.
    pub fn with_costs(mut self, unit: impl Into<String>, cost: impl Fn(Way) -> Option<f64>) -> Self {
        for trial in &mut self.trials {
            trial.cost = cost(trial.way);
        }
        self.unit = Some(Unit::Counted(unit.into()));
        self
    }

    /// The error of a trial's position, at least the uncertainty of the reference; `None` if the trial failed.
    pub fn error_of(&self, trial: &Trial) -> Option<f64> {
        trial.accuracy.as_ref().ok().map(|accuracy| accuracy.position.max(self.reference.uncertainty))
    }

    /// The trial with the least cost per simulated second that meets the requirements; `None` if no trial does.
    pub fn cheapest(&self, wanted: &Wanted) -> Option<&Trial> {
        let is_good = |trial: &&Trial| {
            let energy = trial.accuracy.as_ref().ok().and_then(|accuracy| accuracy.energy);
            self.error_of(trial).is_some_and(|error| error <= wanted.error)
                && (wanted.energy == f64::INFINITY || energy.is_some_and(|energy| energy <= wanted.energy))
                && wanted.rates.contains(&trial.rate)
        };
        self.by_cost().into_iter().find(is_good)
    }

    /// The Pareto front: the trials that are at least a tenth more accurate than all cheaper ones, the cheapest first.
    pub fn front(&self) -> Vec<&Trial> {
        let mut least = f64::INFINITY;
        let mut front = self.by_cost();
        front.retain(|trial| match self.error_of(trial) {
            Some(error) if error < least * 0.9 => {
                least = error;
                true
            }
            _ => false,
        });
        front
    }

    /// The successful trials with a cost, sorted by cost, then by error.
    fn by_cost(&self) -> Vec<&Trial> {
        let key = |trial: &Trial| Some((trial.cost_per_second()?, self.error_of(trial)?));
        let mut trials: Vec<_> = self.trials.iter().filter_map(|trial| Some((key(trial)?, trial))).collect();
        trials.retain(|((cost, error), _)| cost.is_finite() && Float::is_finite(*error));
        trials.sort_by(|(left, _), (right, _)| left.0.total_cmp(&right.0).then(left.1.total_cmp(&right.1)));
        trials.into_iter().map(|(_, trial)| trial).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advise::{Accuracy, Digits};
    use crate::method::StepError;
    use crate::project::Level;
    use std::vec;

    fn trial(method: &'static str, rate: f64, position: f64, cost: f64) -> Trial {
        let way = Way { base: "f32", digits: Digits::Plain, method };
        Trial { way, rate, accuracy: Ok(Accuracy { position, energy: Some(position * 10.0) }), cost: Some(cost) }
    }

    /// RATTLE costs 1 and is off by 1/rate², Runge–Kutta costs 3, is off by 1/rate⁴ and fails at 10 Hz.
    fn invented() -> Advice {
        let mut trials = Vec::new();
        for rate in [10.0_f64, 100.0, 1000.0] {
            trials.push(trial("rattle", rate, rate.powi(-2), 1.0));
            trials.push(trial("runge_kutta_4", rate, rate.powi(-4), 3.0));
        }
        trials[1].accuracy = Err(StepError::NonFinite { tick: 0, level: Level::Position, index: 0 });
        let reference = Reference { position: vec![1.0], uncertainty: 1e-9, rate: 1e4 };
        Advice { duration: 1.0, reference, trials, unit: Some(Unit::Counted("instructions".into())) }
    }

    fn choice(wanted: Wanted) -> Option<(&'static str, f64)> {
        invented().cheapest(&wanted).map(|trial| (trial.way.method, trial.rate))
    }

    #[test]
    fn the_cheapest_is_by_the_simulated_second() {
        assert_eq!(choice(Wanted::error(2e-2)), Some(("rattle", 10.0)));
        assert_eq!(choice(Wanted::error(2e-4)), Some(("rattle", 100.0)));
        // 300 a second; RATTLE would take 1,000.
        assert_eq!(choice(Wanted::error(2e-6)), Some(("runge_kutta_4", 100.0)));
        // The reference is not known to that.
        assert_eq!(choice(Wanted::error(1e-10)), None);
    }

    #[test]
    fn rates_and_energy_restrict_the_choice() {
        assert_eq!(choice(Wanted::error(2e-2).rates(1000.0..=1000.0)), Some(("rattle", 1000.0)));
        assert_eq!(choice(Wanted::error(2e-2).rates(20.0..200.0)), Some(("rattle", 100.0)));
        assert_eq!(choice(Wanted::error(2e-2).rates(..5.0)), None);
        assert_eq!(choice(Wanted::error(2e-2).energy(2e-3)), Some(("rattle", 100.0)));
    }

    #[test]
    fn the_front_has_what_nothing_beats() {
        let advice = invented();
        let front: Vec<_> = advice.front().iter().map(|trial| (trial.way.method, trial.rate)).collect();
        // RATTLE at 1 kHz is beaten by Runge–Kutta at 100 Hz; Runge–Kutta at 10 Hz has failed.
        let expected = [("rattle", 10.0), ("rattle", 100.0), ("runge_kutta_4", 100.0), ("runge_kutta_4", 1000.0)];
        assert_eq!(front, expected);
    }

    #[test]
    fn costs_of_another_base_keep_the_unit() {
        let seconds = |seconds| {
            let mut trials = invented().trials;
            trials.iter_mut().for_each(|trial| trial.cost = trial.cost.map(|cost| cost * seconds));
            Advice::timed(1.0, invented().reference, trials)
        };
        let joined = seconds(1e-6).joined(seconds(5e-6));
        let costs: Vec<_> = joined.trials.iter().filter_map(|trial| trial.cost).collect();
        for (cost, expected) in costs.iter().zip([1.0, 3.0, 1.0, 3.0, 1.0, 3.0, 5.0, 15.0, 5.0, 15.0, 5.0, 15.0]) {
            assert!((cost - expected).abs() < 1e-12);
        }
        // Without a cost, nothing is chosen.
        let uncounted = invented().with_costs("cycles", |way| (way.method == "runge_kutta_4").then_some(7.0));
        let choice = uncounted.cheapest(&Wanted::error(1.0)).unwrap();
        assert_eq!((choice.way.method, choice.cost_per_second()), ("runge_kutta_4", Some(700.0)));
    }
}
