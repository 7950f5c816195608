//! One run: a method in a precision at a rate.

use core::hint::black_box;
use std::boxed::Box;
use std::time::{Duration, Instant};
use std::vec::Vec;

use super::way::Way;
use crate::linalg::{SymmetricFactors, Vector};
use crate::method::{AnyMethod, StepError};
use crate::scalar::Float;
use crate::start::{Coordinates, Precision, State};

/// The number of steps that are timed together, and the number of repetitions.
const TIMED: (u64, usize) = (200, 7);

/// A method in a precision at a rate, with its accuracy and cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The method and the precision.
    pub way: Way,
    /// The rate, in hertz.
    pub rate: f64,
    /// The error of the run, or the error of the step that failed.
    pub accuracy: Result<Accuracy, StepError<f64>>,
    /// The cost of a step in the [unit](super::Advice::unit) of the advice, if it is known.
    pub cost: Option<f64>,
}

impl Trial {
    /// The cost of a simulated second.
    pub fn cost_per_second(&self) -> Option<f64> {
        self.cost.map(|cost| cost * self.rate)
    }
}

/// The errors of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// The distance from the reference at the end.
    pub position: f64,
    /// The largest error of the energy during the run, relative to its scale; `None` without an energy function.
    pub energy: Option<f64>,
}

/// The energy as a function of position and velocity.
pub(super) type Energy<'a, const N: usize> = dyn Fn(&Vector<f64, N>, &Vector<f64, N>) -> f64 + 'a;

/// Makes `steps` steps and compares their end with the reference. The energy comes with the scale of its error.
pub(super) fn run<System, T: Float, const N: usize, const M: usize, F: SymmetricFactors<T, M>, P: Precision>(
    system: &System,
    start: &State<T, N, M, F, P>,
    steps: u64,
    method: &AnyMethod<System, T, N, M, F, P>,
    energy: Option<&(Box<Energy<'_, N>>, f64)>,
    end: &[f64],
    angles: [bool; N],
) -> Result<Accuracy, StepError<T>> {
    let mut state = *start;
    let energy_of = |state: &State<T, N, M, F, P>| {
        energy.map(|(energy, _)| energy(&doubles(state.full_position()), &doubles(state.full_velocity())))
    };
    let at_start = energy_of(&state);
    let mut largest = at_start.map(|_| 0.0_f64);
    for _ in 0..steps {
        method.step(system, &mut state)?;
        let deviation = energy_of(&state).zip(at_start).map(|(now, at_start)| (now - at_start).abs());
        largest = largest.zip(deviation).map(|(largest, deviation)| largest.max(deviation));
    }
    let energy = largest.zip(energy).map(|(largest, (_, scale))| largest / scale);
    Ok(Accuracy { position: distance(&end_of(&state, angles), end), energy })
}

/// The time of a step on this computer, in seconds: the mean of the fastest repetition.
pub(super) fn time<System, T: Float, const N: usize, const M: usize, F: SymmetricFactors<T, M>, P: Precision>(
    system: &System,
    start: &State<T, N, M, F, P>,
    steps: u64,
    method: &AnyMethod<System, T, N, M, F, P>,
) -> f64 {
    let steps = steps.clamp(1, TIMED.0);
    let mut least = Duration::MAX;
    for _ in 0..TIMED.1 {
        let mut state = *start;
        let begun = Instant::now();
        for _ in 0..steps {
            black_box(method.step(system, black_box(&mut state)).is_ok());
        }
        least = least.min(begun.elapsed());
    }
    least.as_secs_f64() / steps as f64
}

/// The coordinates with all their digits, whole turns of angles included.
pub(super) fn end_of<T: Float, const N: usize, const M: usize, F: SymmetricFactors<T, M>, P: Precision>(
    state: &State<T, N, M, F, P>,
    angles: [bool; N],
) -> Vec<f64> {
    let (position, turns) = (doubles(state.full_position()), state.turns());
    let turned = |i: usize| if angles[i] { core::f64::consts::TAU * f64::from(turns[i]) } else { 0.0 };
    (0..N).map(|i| position[i] + turned(i)).collect()
}

pub(super) fn doubles<T: Float, P: Precision, const N: usize>(coordinates: &Coordinates<T, N, P>) -> Vector<f64, N> {
    coordinates.full().map(|x| x.to_f64())
}

/// The Euclidean norm of the difference; missing entries of `right` count as zero.
pub(super) fn distance(left: &[f64], right: &[f64]) -> f64 {
    let right = right.iter().copied().chain(core::iter::repeat(0.0));
    let squares = left.iter().zip(right).map(|(left, right)| (left - right) * (left - right));
    libm::sqrt(squares.sum())
}
