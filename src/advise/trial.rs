//! One run: a method in a precision at a rate.

use core::hint::black_box;
use std::time::{Duration, Instant};
use std::vec::Vec;

use super::methods::Stepping;
use super::way::Way;
use crate::linalg::{SymmetricFactors, Vector};
use crate::method::StepError;
use crate::scalar::Float;
use crate::start::{Coordinates, Precision, State};
use crate::system::Mechanical;

/// How many steps are timed together, and how often.
const TIMED: (u64, usize) = (200, 7);

/// A method in a precision at a rate, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The method and the precision.
    pub way: Way,
    /// The rate, in hertz.
    pub rate: f64,
    /// How far off the run was, or the step that failed.
    pub accuracy: Result<Accuracy, StepError<f64>>,
    /// What a step costs, in the [unit](super::Advice::unit) of the advice, where that is known.
    pub cost: Option<f64>,
}

impl Trial {
    /// What a simulated second costs.
    pub fn cost_per_second(&self) -> Option<f64> {
        self.cost.map(|cost| cost * self.rate)
    }
}

/// How far off a run was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// The distance from the reference at the end.
    pub position: f64,
    /// The largest error of the energy on the way, where one was given, relative to its scale.
    pub energy: Option<f64>,
}

/// How a model is judged on its way.
pub(super) type Energy<'a, const N: usize> = dyn Fn(&Vector<f64, N>, &Vector<f64, N>) -> f64 + 'a;

/// Where a run has ended.
pub(super) struct End {
    pub(super) position: Vec<f64>,
    /// The largest deviation from the energy at the start.
    pub(super) energy: Option<f64>,
}

/// Makes so many steps.
pub(super) fn run<System, T, F, P, const N: usize, const M: usize>(
    start: &State<T, N, M, F, P>,
    steps: u64,
    step: &Stepping<'_, T, F, P, N, M>,
    energy: Option<&Energy<'_, N>>,
) -> Result<End, StepError<T>>
where
    T: Float,
    System: Mechanical<N, M, Base = T>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let mut state = *start;
    let energy = energy.map(|energy| {
        move |state: &State<T, N, M, F, P>| energy(&doubles(state.full_position()), &doubles(state.full_velocity()))
    });
    let at_start = energy.as_ref().map(|energy| energy(&state));
    let mut largest = at_start.map(|_| 0.0_f64);
    for _ in 0..steps {
        step(&mut state)?;
        if let (Some(energy), Some(at_start), Some(largest)) = (&energy, at_start, &mut largest) {
            *largest = largest.max((energy(&state) - at_start).abs());
        }
    }
    Ok(End { position: end_of::<System, _, _, _, _, _>(&state), energy: largest })
}

/// The time of a step on this computer, in seconds: the least mean of some runs of up to so many steps.
pub(super) fn time<T, F, P, const N: usize, const M: usize>(
    start: &State<T, N, M, F, P>,
    steps: u64,
    step: &Stepping<'_, T, F, P, N, M>,
) -> f64
where
    T: Float,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let steps = steps.clamp(1, TIMED.0);
    let mut least = Duration::MAX;
    for _ in 0..TIMED.1 {
        let mut state = *start;
        let begun = Instant::now();
        for _ in 0..steps {
            black_box(step(black_box(&mut state)).is_ok());
        }
        least = least.min(begun.elapsed());
    }
    least.as_secs_f64() / steps as f64
}

/// The coordinates with all their digits, whole turns of angles included.
pub(super) fn end_of<System, T, F, P, const N: usize, const M: usize>(state: &State<T, N, M, F, P>) -> Vec<f64>
where
    T: Float,
    System: Mechanical<N, M>,
    F: SymmetricFactors<T, M>,
    P: Precision,
{
    let position = doubles(state.full_position());
    (0..N)
        .map(|i| {
            position[i] + if System::ANGLES[i] { core::f64::consts::TAU * f64::from(state.turns()[i]) } else { 0.0 }
        })
        .collect()
}

pub(super) fn doubles<T: Float, P: Precision, const N: usize>(coordinates: &Coordinates<T, N, P>) -> Vector<f64, N> {
    coordinates.full().map(|x| x.to_f64())
}

/// The Euclidean norm of the difference; what one side lacks is zero.
pub(super) fn distance(left: &[f64], right: &[f64]) -> f64 {
    let right = right.iter().copied().chain(core::iter::repeat(0.0));
    let squares = left.iter().zip(right).map(|(left, right)| (left - right) * (left - right));
    libm::sqrt(squares.sum())
}
