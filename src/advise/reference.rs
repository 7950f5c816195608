//! Where a run ends: Runge–Kutta 4 in `f64`, at steps that are halved until two runs agree.

use std::vec::Vec;

use super::in_double::InDouble;
use super::study::StudyError;
use super::trial::{distance, doubles, end_of};
use crate::linalg::SymmetricFactors;
use crate::method::{RungeKutta4, Step};
use crate::scalar::Float;
use crate::start::{Clock, Precise, Start, StartError, State};
use crate::system::Mechanical;

/// The first rate, as a multiple of the highest rate that is tried. There the errors of the method are 256 times smaller.
const FINER: f64 = 4.0;

/// The relative agreement at which runs are not refined further: the round-off of 1e5 steps may be of this size.
const ENOUGH: f64 = 1e-12;

/// How often the step is halved at most.
const HALVINGS: usize = 4;

/// The end of a run, and its uncertainty.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The coordinates at the end, whole turns of angles included.
    pub position: Vec<f64>,
    /// The distance to the result with twice the step. It bounds the error as long as halving the step improves the result. At least 1e-12
    /// of the position, for round-off.
    pub uncertainty: f64,
    /// The rate at which it was computed, in hertz.
    pub rate: f64,
}

impl Reference {
    /// The reference for the state after `duration` seconds.
    pub(super) fn of<System: Mechanical<N, M>, const N: usize, const M: usize, F: SymmetricFactors<System::Base, M>>(
        system: &System,
        begin: &State<System::Base, N, M, F, Precise>,
        duration: f64,
        highest_rate: f64,
    ) -> Result<Self, StudyError<System::Base>> {
        let system = InDouble(system);
        let rate = highest_rate * FINER;
        let clock = Clock::at_rate(rate).map_err(|_| StudyError::Rate { rate, duration })?;
        let clock = clock.at_time(begin.clock().time().to_f64());
        let start = Start::at(&system, clock, doubles(begin.full_position()));
        let velocity = doubles(begin.full_velocity());
        match start.moving(velocity) {
            Ok(state) => refined(&system, &state, duration, rate),
            // The constraints are redundant.
            Err(StartError::Constraints(_)) => {
                let state = start.redundant().moving(velocity).map_err(StudyError::ReferenceStart)?;
                refined(&system, &state, duration, rate)
            }
            Err(error) => Err(StudyError::ReferenceStart(error)),
        }
    }
}

/// Halves the step until two runs agree.
fn refined<System: Mechanical<N, M, Base = f64>, T, const N: usize, const M: usize, F: SymmetricFactors<f64, M>>(
    system: &System,
    start: &State<f64, N, M, F>,
    duration: f64,
    rate: f64,
) -> Result<Reference, StudyError<T>> {
    let mut steps = libm::round(rate * duration);
    let method = RungeKutta4::new();
    let end = |steps: f64| {
        let mut state = *start;
        let size = state.clock_mut().set_step(duration / steps);
        size.map_err(|_| StudyError::Rate { rate: steps / duration, duration })?;
        for _ in 0..steps as u64 {
            method.step(system, &mut state).map_err(StudyError::Reference)?;
        }
        Ok(end_of(&state, System::ANGLES))
    };
    let mut coarse = end(steps)?;
    let mut best = Reference { position: Vec::new(), uncertainty: f64::INFINITY, rate: 0.0 };
    for _ in 0..HALVINGS {
        steps *= 2.0;
        let fine = end(steps)?;
        let uncertainty = distance(&fine, &coarse);
        // If halving does not improve the result, round-off or chaos dominates.
        if uncertainty >= best.uncertainty {
            break;
        }
        coarse.clone_from(&fine);
        best = Reference { position: fine, uncertainty, rate: steps / duration };
        let enough = ENOUGH * (1.0 + distance(&best.position, &[]));
        if uncertainty <= enough {
            best.uncertainty = enough;
            break;
        }
    }
    Ok(best)
}
