//! Where a run ends: Runge–Kutta 4 in `f64`, at steps that are halved until two runs agree.

use std::vec::Vec;

use super::in_double::InDouble;
use super::study::StudyError;
use super::trial::{distance, end_of};
use crate::linalg::{SymmetricFactors, Vector};
use crate::method::{RungeKutta4, StepError, StepSize};
use crate::start::{Start, StartError, State};
use crate::system::Mechanical;

/// Times the highest rate that is tried; the method's own errors at that rate are 256 times as large.
const FINER: f64 = 4.0;

/// What is not known better, relative to where a run ends: round-off of 1e5 steps may be of that size, and runs that agree to it
/// are not refined.
const ENOUGH: f64 = 1e-12;

/// How often the step is halved at most.
const HALVINGS: usize = 4;

/// Where a run ends, and how well that is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The coordinates at the end, whole turns of angles included.
    pub position: Vec<f64>,
    /// How far the result of twice the step is from it, which bounds its error as long as halving the step improves it; and no less
    /// than what round-off may be, 1e-12 of where it ends.
    pub uncertainty: f64,
    /// The rate at which it was computed, in hertz.
    pub rate: f64,
}

/// What a reference starts from.
pub(super) struct Beginning<const N: usize> {
    pub(super) position: Vector<f64, N>,
    pub(super) velocity: Vector<f64, N>,
    pub(super) time: f64,
}

impl Reference {
    pub(super) fn of<System, const N: usize, const M: usize>(
        system: &System,
        beginning: &Beginning<N>,
        duration: f64,
        highest_rate: f64,
    ) -> Result<Self, StudyError<System::Base>>
    where
        System: Mechanical<N, M>,
    {
        let system = InDouble(system);
        let start = Start::at(&system, beginning.position).at_time(beginning.time);
        match start.moving(beginning.velocity) {
            Ok(state) => refined(&system, &state, duration, highest_rate),
            // Constraints that depend on each other.
            Err(StartError::Constraints(_)) => {
                let state = start.redundant().moving(beginning.velocity).map_err(StudyError::ReferenceStart)?;
                refined(&system, &state, duration, highest_rate)
            }
            Err(error) => return Err(StudyError::ReferenceStart(error)),
        }
        .map_err(StudyError::Reference)
    }
}

/// Halves the step until that changes nothing any more.
fn refined<System, F, const N: usize, const M: usize>(
    system: &System,
    start: &State<f64, N, M, F>,
    duration: f64,
    highest_rate: f64,
) -> Result<Reference, StepError<f64>>
where
    System: Mechanical<N, M, Base = f64>,
    F: SymmetricFactors<f64, M>,
{
    let mut steps = libm::round(highest_rate * FINER * duration);
    let end = |steps: f64| {
        let mut state = *start;
        // A size that is no size has been refused with the rates.
        if let Ok(size) = StepSize::seconds(duration / steps) {
            let method = RungeKutta4::with_step(size);
            for _ in 0..steps as u64 {
                method.step(system, &mut state)?;
            }
        }
        Ok(end_of::<System, _, _, _, _, _>(&state))
    };
    let mut coarse = end(steps)?;
    let mut best = Reference { position: Vec::new(), uncertainty: f64::INFINITY, rate: 0.0 };
    for _ in 0..HALVINGS {
        steps *= 2.0;
        let fine = end(steps)?;
        let uncertainty = distance(&fine, &coarse);
        // Where halving makes it worse, round-off or chaos have taken over.
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
