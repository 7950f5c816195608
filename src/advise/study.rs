//! A model, how it starts, how long it runs and at which rates it may be stepped.

use core::fmt;
use std::boxed::Box;
use std::vec::Vec;

use super::advice::Advice;
use super::methods::{AnyMass, ConstantMasses, Methods, Stepping};
use super::reference::{Beginning, Reference};
use super::trial::{self, Accuracy, End, Energy, Trial, distance, doubles};
use super::way::{Digits, Method, Way};
use crate::linalg::{Ldlt, Semidefinite, SymmetricFactors, Vector};
use crate::method::{StepError, StepSize};
use crate::scalar::Float;
use crate::start::{Precision, Start, StartError, State};
use crate::system::{ConstantMass, Mechanical};

/// The rates that are tried unless told otherwise, in hertz.
const RATES: [f64; 7] = [100.0, 200.0, 500.0, 1_000.0, 2_000.0, 5_000.0, 10_000.0];

/// Why there is no advice.
#[derive(Clone, Debug, PartialEq)]
pub enum StudyError<T> {
    /// The model does not start.
    Start(StartError<T>),
    /// The model does not start in `f64`, where the reference is computed.
    ReferenceStart(StartError<f64>),
    /// A step of the reference fails.
    Reference(StepError<f64>),
    /// There is no rate to try, or one that is no rate, or at which the run does not end with a step.
    Rate {
        /// The rate in hertz, NaN where there is none.
        rate: f64,
        /// The duration of the run in seconds.
        duration: f64,
    },
}

impl<T: Float> fmt::Display for StudyError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => write!(f, "the model does not start: {error}"),
            Self::ReferenceStart(error) => write!(f, "the reference does not start: {error}"),
            Self::Reference(error) => write!(f, "the reference fails: {error}"),
            Self::Rate { rate, .. } if rate.is_nan() => f.write_str("no rate to try"),
            Self::Rate { rate, duration } => {
                write!(f, "{duration} s at {rate} Hz are not a whole number of steps, or of no valid size")
            }
        }
    }
}

impl<T: Float> core::error::Error for StudyError<T> {}

/// A model with its start, to be stepped in every way; see the [module](super).
pub struct Study<'a, System, T: Float, const N: usize, const M: usize, F = Ldlt<T, M>> {
    system: &'a System,
    start: Start<'a, System, T, N, M, F>,
    velocity: Vector<T, N>,
    time: T,
    duration: f64,
    rates: Vec<f64>,
    digits: Vec<Digits>,
    energy: Option<(Box<Energy<'a, N>>, f64)>,
}

impl<'a, System, T, const N: usize, const M: usize> Study<'a, System, T, N, M>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
{
    /// From a guess of the positions, at rest and at time zero, for one second at 100 Hz to 10 kHz.
    pub fn of(system: &'a System, guess: impl Into<Vector<T, N>>) -> Self {
        Self {
            system,
            start: Start::at(system, guess),
            velocity: Vector::zeros(),
            time: T::zero(),
            duration: 1.0,
            rates: RATES.to_vec(),
            digits: Digits::ALL.to_vec(),
            energy: None,
        }
    }

    /// For constraints that may depend on each other; see [`Start::redundant`].
    pub fn redundant(self) -> Study<'a, System, T, N, M, Semidefinite<T, M>> {
        let Self { system, start, velocity, time, duration, rates, digits, energy } = self;
        Study { system, start: start.redundant(), velocity, time, duration, rates, digits, energy }
    }
}

impl<'a, System, T, const N: usize, const M: usize, F> Study<'a, System, T, N, M, F>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
{
    /// Starts with the velocity nearest to this one that the constraints allow.
    pub fn moving(mut self, velocity: impl Into<Vector<T, N>>) -> Self {
        self.velocity = velocity.into();
        self
    }

    /// Starts at this time of the model.
    pub fn at_time(mut self, time: T) -> Self {
        (self.start, self.time) = (self.start.at_time(time), time);
        self
    }

    /// Lets states be so far off their constraints; see [`Start::limit`].
    pub fn limit(mut self, limit: T) -> Self {
        self.start = self.start.limit(limit);
        self
    }

    /// Runs for so many seconds: a whole number of steps at every rate.
    pub fn lasting(mut self, seconds: f64) -> Self {
        self.duration = seconds;
        self
    }

    /// Tries these rates, in hertz.
    pub fn at_rates(mut self, rates: impl IntoIterator<Item = f64>) -> Self {
        self.rates = rates.into_iter().collect();
        self
    }

    /// Tries these precisions only.
    pub fn carrying(mut self, digits: impl IntoIterator<Item = Digits>) -> Self {
        self.digits = digits.into_iter().collect();
        self
    }

    /// Judges the energy as well: kinetic plus potential at positions and velocities, and what its error is relative to.
    pub fn with_energy(mut self, energy: impl Fn(&Vector<f64, N>, &Vector<f64, N>) -> f64 + 'a, scale: f64) -> Self {
        self.energy = Some((Box::new(energy), scale));
        self
    }

    /// Tries every method in every precision at every rate.
    pub fn run(&self) -> Result<Advice, StudyError<T>>
    where
        System::Mass: ConstantMass<T, N>,
    {
        self.advice::<ConstantMasses>()
    }

    /// The same for a mass that [varies](crate::system::Varying): without RATTLE and its relatives.
    pub fn run_any_mass(&self) -> Result<Advice, StudyError<T>> {
        self.advice::<AnyMass>()
    }

    fn advice<Which: Methods<System, F, N, M>>(&self) -> Result<Advice, StudyError<T>> {
        let Self { start, velocity, duration, .. } = *self;
        let highest = self.checked_rates()?;
        let precise = start.precise().moving(velocity).map_err(StudyError::Start)?;
        let beginning = Beginning {
            position: doubles(precise.full_position()),
            velocity: doubles(precise.full_velocity()),
            time: self.time.to_f64(),
        };
        let reference = Reference::of(self.system, &beginning, duration, highest)?;
        let mut trials = Vec::new();
        for &digits in &self.digits {
            for method in Method::ALL {
                let way = Way { base: core::any::type_name::<T>(), digits, method };
                trials.extend(match digits {
                    Digits::Plain => self.trials::<Which, _>(way, start.plain().moving(velocity), &reference),
                    Digits::Compensated => self.trials::<Which, _>(way, start.moving(velocity), &reference),
                    Digits::Precise => self.trials::<Which, _>(way, Ok(precise), &reference),
                }?);
            }
        }
        Ok(Advice::timed(duration, reference, trials))
    }

    /// The highest of the rates, if all are rates.
    fn checked_rates(&self) -> Result<f64, StudyError<T>> {
        let duration = self.duration;
        let mut highest = f64::NAN;
        for &rate in &self.rates {
            let steps = duration * rate;
            let is_whole = steps >= 0.5 && libm::fabs(steps - libm::round(steps)) < 1e-6;
            if !is_whole || StepSize::at_rate(T::from_f64(rate)).is_err() {
                return Err(StudyError::Rate { rate, duration });
            }
            highest = rate.max(highest);
        }
        if highest.is_nan() { Err(StudyError::Rate { rate: f64::NAN, duration }) } else { Ok(highest) }
    }

    /// One way at every rate; nothing where the method does not step such a model.
    fn trials<Which: Methods<System, F, N, M>, P: Precision>(
        &self,
        way: Way,
        start: Result<State<T, N, M, F, P>, StartError<T>>,
        reference: &Reference,
    ) -> Result<Vec<Trial>, StudyError<T>> {
        let start = start.map_err(StudyError::Start)?;
        let mut trials = Vec::new();
        for &rate in &self.rates {
            let size = StepSize::at_rate(T::from_f64(rate));
            let size = size.map_err(|_| StudyError::Rate { rate, duration: self.duration })?;
            let Some(step) = Which::stepping(self.system, way.method, size) else { break };
            trials.push(self.trial(way, rate, &start, &*step, reference));
        }
        // The work of a step does not depend on the rate: the run that took least time is nearest to it.
        let least = trials.iter().filter_map(|trial| trial.cost).reduce(f64::min);
        trials.iter_mut().for_each(|trial| trial.cost = least);
        Ok(trials)
    }

    fn trial<P: Precision>(
        &self,
        way: Way,
        rate: f64,
        start: &State<T, N, M, F, P>,
        step: &Stepping<'_, T, F, P, N, M>,
        reference: &Reference,
    ) -> Trial {
        let steps = libm::round(self.duration * rate) as u64;
        let energy = self.energy.as_ref();
        let end = trial::run::<System, _, _, _, _, _>(start, steps, step, energy.map(|(energy, _)| &**energy));
        let cost = end.is_ok().then(|| trial::time(start, steps, step));
        let judge = |End { position, energy: deviation }: End| Accuracy {
            position: distance(&position, &reference.position),
            energy: deviation.zip(energy).map(|(deviation, (_, scale))| deviation / scale),
        };
        Trial { way, rate, accuracy: end.map(judge).map_err(|error| error.map(Float::to_f64)), cost }
    }
}
