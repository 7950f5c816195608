//! Measures a run: its time, its final distance from the reference, and its largest errors of energy and constraints.

use std::hint::black_box;
use std::time::{Duration, Instant};

use on_target::methods::problem::Judged;
use taut::linalg::Vector;

/// A contestant with a setting, on a system of N coordinates.
pub trait Contestant<const N: usize> {
    /// Library and method: `diffsol/bdf`.
    fn name(&self) -> String;

    /// What its accuracy follows from: `h=1e-3`, `rtol=1e-6`.
    fn setting(&self) -> String;

    /// How often a run evaluates an acceleration from which the multipliers have been eliminated beforehand, if it does that.
    fn evaluations(&self) -> Option<u64> {
        None
    }

    /// Runs from the start of the system to its end and shows every step; `None` if it fails.
    fn run<W: Witness<N>>(&self, witness: &mut W) -> Option<Finish<N>>;
}

/// How a run ends.
pub struct Finish<const N: usize> {
    /// The position at the end.
    pub position: [f64; N],
    /// The time that its steps took, without what is done once beforehand.
    pub time: Duration,
}

/// Who sees the steps of a run.
pub trait Witness<const N: usize> {
    /// Position and velocity after a step.
    fn see(&mut self, q: [f64; N], v: [f64; N]);
}

/// Ignores the steps, so that their values are not computed.
pub struct Blind;

impl<const N: usize> Witness<N> for Blind {
    #[inline(always)]
    fn see(&mut self, _: [f64; N], _: [f64; N]) {}
}

/// Where a system ends, and what its runs are judged by.
pub struct Judge<System, const N: usize, const M: usize> {
    system: System,
    reference: [f64; N],
    patience: Duration,
}

/// The largest errors of a run.
struct Errors<'a, System, const N: usize, const M: usize> {
    system: &'a System,
    energy_at_start: f64,
    energy: f64,
    constraint: f64,
}

impl<System: Judged<N, M, Base = f64>, const N: usize, const M: usize> Witness<N> for Errors<'_, System, N, M> {
    fn see(&mut self, q: [f64; N], v: [f64; N]) {
        let (q, v) = (Vector::from(q), Vector::from(v));
        let energy = (self.system.energy(0.0, &q, &v) - self.energy_at_start).abs() / System::ENERGY_SCALE;
        self.energy = self.energy.max(energy);
        self.constraint = self.constraint.max(self.system.constraint(0.0, &q).amax());
    }
}

impl<System: Judged<N, M, Base = f64>, const N: usize, const M: usize> Judge<System, N, M> {
    /// Knows where the system ends. The more patience, the less of the noise of this computer is in the times.
    pub fn new(reference: [f64; N], patience: Duration) -> Self {
        let start = System::system().start::<taut::start::Plain>(1.0);
        let numbers = |values: &[f64]| values.iter().map(|x| format!("{x:e}")).collect::<Vec<_>>().join(" ");
        println!(
            "start {} {} {}",
            System::NAME,
            numbers(start.position().as_slice()),
            numbers(start.velocity().as_slice())
        );
        println!("reference {} {} {}", System::NAME, System::DURATION, numbers(&reference));
        Self { system: System::system(), reference, patience }
    }

    /// Prints `evaluation system seconds`: those of an acceleration from which the multipliers have been eliminated.
    pub fn note_evaluation(&self, seconds: f64) {
        println!("evaluation {} {seconds:e}", System::NAME);
    }

    /// Prints `point system name setting seconds error energy_error constraint_error`: the seconds are those that a simulated
    /// second takes, the error is that of the position at the end.
    pub fn judge<C: Contestant<N>>(&self, contestant: &C) {
        let (name, setting) = (contestant.name(), contestant.setting());
        let mut errors = Errors { system: &self.system, energy_at_start: 0.0, energy: 0.0, constraint: 0.0 };
        let start = self.system.start::<taut::start::Plain>(1.0);
        errors.energy_at_start = self.system.energy(0.0, start.position(), start.velocity());
        let finish = contestant.run(&mut errors);
        let Some(finish) = finish.filter(|finish| finish.position.iter().all(|x| x.is_finite())) else {
            println!("failure {} {name} {setting}", System::NAME);
            return;
        };
        let seconds = self.quickest(contestant).as_secs_f64() / System::DURATION;
        let error = self.distance(&finish.position);
        let Errors { energy, constraint, .. } = errors;
        println!("point {} {name} {setting} {seconds:e} {error:e} {energy:e} {constraint:e}", System::NAME);
        if let Some(evaluations) = contestant.evaluations() {
            let a_second = evaluations as f64 / System::DURATION;
            println!("evaluations {} {name} {setting} {a_second:e}", System::NAME);
        }
    }

    /// The fastest of many runs: the others are slower because of other load on the computer.
    fn quickest<C: Contestant<N>>(&self, contestant: &C) -> Duration {
        let (begun, mut quickest, mut runs) = (Instant::now(), Duration::MAX, 0);
        while runs < 3 || begun.elapsed() < self.patience {
            let finish = contestant.run(&mut Blind).expect("a run that succeeded before");
            quickest = quickest.min(black_box(finish).time);
            runs += 1;
        }
        quickest
    }

    /// The Euclidean distance from the reference; angles count within a turn.
    fn distance(&self, end: &[f64; N]) -> f64 {
        let mut sum = 0.0;
        for i in 0..N {
            let mut difference = end[i] - self.reference[i];
            if System::ANGLES[i] {
                difference -= (difference / std::f64::consts::TAU).round() * std::f64::consts::TAU;
            }
            sum += difference * difference;
        }
        sum.sqrt()
    }
}
