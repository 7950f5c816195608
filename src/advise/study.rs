//! A model, how it starts, how long it runs and at which rates it may be stepped.

use core::fmt;
use std::boxed::Box;
use std::vec::Vec;

use super::advice::Advice;
use super::reference::Reference;
use super::trial::{self, Energy, Trial};
use super::way::{Digits, Way};
use crate::linalg::{Ldlt, Semidefinite, SymmetricFactors, Vector};
use crate::method::{AnyMethod, StepError, every_method, every_method_for_any_mass};
use crate::scalar::Float;
use crate::start::{Clock, Plain, Precision, Start, StartError, State};
use crate::system::{ConstantMass, Mechanical};

/// The rates that are tried unless told otherwise, in hertz.
const RATES: [f64; 7] = [100.0, 200.0, 500.0, 1_000.0, 2_000.0, 5_000.0, 10_000.0];

/// Why a study gives no advice.
#[derive(Clone, Debug, PartialEq)]
pub enum StudyError<T> {
    /// The model does not start.
    Start(StartError<T>),
    /// The model does not start in `f64`, where the reference is computed.
    ReferenceStart(StartError<f64>),
    /// A step of the reference fails.
    Reference(StepError<f64>),
    /// No rate was given, or a rate is not finite and positive, or the run is not a whole number of steps at it.
    Rate {
        /// The rate in hertz; NaN if no rate was given.
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
            Self::Rate { rate, .. } if rate.is_nan() => f.write_str("no rate to try: give one to `at_rates`"),
            Self::Rate { rate, duration } => {
                write!(f, "{duration} s at {rate} Hz is not a whole number of valid steps: change one of them")
            }
        }
    }
}

impl<T: Float> core::error::Error for StudyError<T> {}

/// A model with its start, to be stepped in every way; see the [module](super).
pub struct Study<'a, System: Mechanical<N, M, Base = T>, T, const N: usize, const M: usize, F = Ldlt<T, M>> {
    system: &'a System,
    guess: Vector<T, N>,
    /// Chooses the factors of a start.
    factors: fn(Start<'a, System, N, M>) -> Start<'a, System, N, M, F>,
    velocity: Vector<T, N>,
    time: T,
    limit: T,
    duration: f64,
    rates: Vec<f64>,
    digits: Vec<Digits>,
    energy: Option<(Box<Energy<'a, N>>, f64)>,
    timed: bool,
}

impl<'a, System: Mechanical<N, M, Base = T>, T: Float, const N: usize, const M: usize> Study<'a, System, T, N, M> {
    /// From a guess of the positions, at rest and at time zero, for one second at 100 Hz to 10 kHz.
    pub fn of(system: &'a System, guess: impl Into<Vector<T, N>>) -> Self {
        Self {
            system,
            guess: guess.into(),
            factors: |start| start,
            velocity: Vector::zeros(),
            time: T::zero(),
            limit: T::ROOT_EPSILON,
            duration: 1.0,
            rates: RATES.to_vec(),
            digits: Digits::ALL.to_vec(),
            energy: None,
            timed: true,
        }
    }

    /// For constraints that may depend on each other; see [`Start::redundant`].
    pub fn redundant(self) -> Study<'a, System, T, N, M, Semidefinite<T, M>> {
        let Self { system, guess, velocity, time, limit, duration, rates, digits, energy, timed, .. } = self;
        let factors = Start::redundant;
        Study { system, guess, factors, velocity, time, limit, duration, rates, digits, energy, timed }
    }
}

/// Tries a list of methods with states of every precision; each precision is a type.
macro_rules! advice {
    ($study:ident, $every:ident) => {
        $study.advice(&$study.digits, |digits, reference| match digits {
            Digits::Plain => $study.trials(digits, Start::plain, |show| $every(show), reference),
            Digits::Compensated => $study.trials(digits, Start::compensated, |show| $every(show), reference),
            Digits::Precise => $study.trials(digits, Start::precise, |show| $every(show), reference),
        })
    };
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
        self.time = time;
        self
    }

    /// Sets how far states may be off their constraints; see [`Start::limit`].
    pub fn limit(mut self, limit: T) -> Self {
        self.limit = limit;
        self
    }

    /// Sets the duration in seconds: a whole number of steps at every rate.
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

    /// Does not time steps, for costs from elsewhere: see [`Advice::with_costs`]. Most of the time of a study goes into this.
    pub fn untimed(mut self) -> Self {
        self.timed = false;
        self
    }

    /// Tries every method in every precision at every rate.
    pub fn run(&self) -> Result<Advice, StudyError<T>>
    where
        System::Mass: ConstantMass<T, N>,
    {
        advice!(self, every_method)
    }

    /// As [`run`](Self::run), for a mass that [varies](crate::system::Varying): without RATTLE and its relatives.
    pub fn run_any_mass(&self) -> Result<Advice, StudyError<T>> {
        advice!(self, every_method_for_any_mass)
    }

    /// As [`run`](Self::run) with plain states only, whichever it [carries](Self::carrying): a third of the code to compile.
    pub fn run_plain(&self) -> Result<Advice, StudyError<T>>
    where
        System::Mass: ConstantMass<T, N>,
    {
        let plain = |digits, reference: &_| self.trials(digits, Start::plain, |show| every_method(show), reference);
        self.advice(&[Digits::Plain], plain)
    }

    /// As [`run_any_mass`](Self::run_any_mass) with plain states only.
    pub fn run_plain_any_mass(&self) -> Result<Advice, StudyError<T>> {
        let plain = |digits, reference: &_| {
            self.trials(digits, Start::plain, |show| every_method_for_any_mass(show), reference)
        };
        self.advice(&[Digits::Plain], plain)
    }

    /// Tries these methods only, with plain states: the code of the others is not compiled.
    ///
    /// If they include all that are cheaper than its answer, no other method would change the answer of
    /// [`cheapest`](Advice::cheapest).
    pub fn run_plain_with(&self, methods: &[&AnyMethod<System, T, N, M, F, Plain>]) -> Result<Advice, StudyError<T>> {
        let plain = |digits, reference: &_| {
            let each = |show: &mut dyn FnMut(&AnyMethod<_, _, N, M, F, Plain>)| {
                methods.iter().for_each(|method| show(*method))
            };
            self.trials(digits, Start::plain, each, reference)
        };
        self.advice(&[Digits::Plain], plain)
    }

    fn advice(
        &self,
        digits: &[Digits],
        trials: impl Fn(Digits, &Reference) -> Result<Vec<Trial>, StudyError<T>>,
    ) -> Result<Advice, StudyError<T>> {
        let highest = self.checked_rates()?;
        let begin = self.start(highest)?.precise().moving(self.velocity).map_err(StudyError::Start)?;
        let reference = Reference::of(self.system, &begin, self.duration, highest)?;
        let mut all = Vec::new();
        for &digits in digits {
            all.extend(trials(digits, &reference)?);
        }
        Ok(Advice::timed(self.duration, reference, all))
    }

    /// The highest of the rates, if the run is a whole number of steps at all of them.
    fn checked_rates(&self) -> Result<f64, StudyError<T>> {
        let duration = self.duration;
        let mut highest = f64::NAN;
        for &rate in &self.rates {
            let steps = duration * rate;
            if !(steps >= 0.5 && libm::fabs(steps - libm::round(steps)) < 1e-6) {
                return Err(StudyError::Rate { rate, duration });
            }
            highest = rate.max(highest);
        }
        if highest.is_nan() { Err(StudyError::Rate { rate: highest, duration }) } else { Ok(highest) }
    }

    /// The start at a rate.
    fn start(&self, rate: f64) -> Result<Start<'a, System, N, M, F>, StudyError<T>> {
        let clock = Clock::at_rate(T::from_f64(rate));
        let clock = clock.map_err(|_| StudyError::Rate { rate, duration: self.duration })?.at_time(self.time);
        Ok((self.factors)(Start::at(self.system, clock, self.guess).limit(self.limit)))
    }

    /// Every method in a precision, at every rate.
    fn trials<P: Precision>(
        &self,
        digits: Digits,
        carrying: fn(Start<'a, System, N, M, F>) -> Start<'a, System, N, M, F, P>,
        every: impl FnOnce(&mut dyn FnMut(&AnyMethod<System, T, N, M, F, P>)),
        reference: &Reference,
    ) -> Result<Vec<Trial>, StudyError<T>> {
        let start = |rate| carrying(self.start(rate)?).moving(self.velocity).map_err(StudyError::Start);
        let starts = self.rates.iter().map(|&rate| Ok((rate, start(rate)?))).collect::<Result<Vec<_>, _>>()?;
        let mut all = Vec::new();
        every(&mut |method| {
            let way = Way { base: core::any::type_name::<T>(), digits, method: method.name() };
            let trial = |(rate, start): &(f64, _)| self.trial(way, *rate, start, method, reference);
            let mut trials: Vec<_> = starts.iter().map(trial).collect();
            // The work of a step does not depend on the rate, so the shortest time is the best measurement.
            let least = trials.iter().filter_map(|trial| trial.cost).reduce(f64::min);
            trials.iter_mut().for_each(|trial| trial.cost = least);
            all.extend(trials);
        });
        Ok(all)
    }

    fn trial<P: Precision>(
        &self,
        way: Way,
        rate: f64,
        start: &State<T, N, M, F, P>,
        method: &AnyMethod<System, T, N, M, F, P>,
        reference: &Reference,
    ) -> Trial {
        let steps = libm::round(self.duration * rate) as u64;
        let (energy, end) = (self.energy.as_ref(), &reference.position);
        let accuracy = trial::run(self.system, start, steps, method, energy, end, System::ANGLES);
        let cost = (self.timed && accuracy.is_ok()).then(|| trial::time(self.system, start, steps, method));
        Trial { way, rate, accuracy: accuracy.map_err(|error| error.map(Float::to_f64)), cost }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::start::Part;
    use std::string::ToString;

    #[test]
    fn messages_name_the_rate_and_the_duration() {
        let error = |rate| StudyError::<f32>::Rate { rate, duration: 0.5 }.to_string();
        assert_eq!(error(f64::NAN), "no rate to try: give one to `at_rates`");
        assert_eq!(error(3.0), "0.5 s at 3 Hz is not a whole number of valid steps: change one of them");
        let cause = StartError::NonFinite { part: Part::Position, index: 1 };
        let start = StudyError::<f32>::Start(cause).to_string();
        assert!(start.starts_with("the model does not start: "), "{start}");
        let reference =
            StudyError::<f32>::ReferenceStart(StartError::NonFinite { part: Part::Position, index: 1 }).to_string();
        assert!(reference.starts_with("the reference does not start: "), "{reference}");
        let step = StepError::NonFinite { tick: 3, level: crate::project::Level::Position, index: 1 };
        let step = StudyError::<f32>::Reference(step).to_string();
        assert!(step.starts_with("the reference fails: tick 3"), "{step}");
    }
}
