//! How far off a run is: its position at the end from a reference, its energy at any time from that at the start.

use std::collections::BTreeMap;
use std::vec::Vec;
use std::{format, println};

use systems::{ByHand, DoublePendulum, FourBar, Pendulum};
use taut::linalg::Vector;
use taut::method::{Composition, StepError, StepSize};
use taut::scalar::Float;
use taut::start::{Coordinates, Plain, Precision};

use super::combinations::{Scalar, Visitor};
use super::method::Method;
use super::problem::{Judged, Motion};
use crate::digits::Digits;
use crate::kind::kind;

/// The step sizes that are compared, as the tables write them.
const STEP_SIZES: [&str; 3] = ["1e-2", "1e-3", "1e-4"];

/// The step size of the reference, of order 6 in double precision.
const REFERENCE: f64 = 5e-5;

/// Errors of the position below this are not resolved: round-off takes the references of different step sizes that far apart.
const RESOLUTION: f64 = 1e-11;

/// Prints the errors of every combination at every step size.
pub struct Compare {
    /// Where each system is at the end.
    references: BTreeMap<&'static str, Vec<f64>>,
}

impl Compare {
    /// Computes the references first.
    pub fn with_references() -> Self {
        Self {
            references: BTreeMap::from([
                reference::<ByHand<Pendulum<f64>>, 2, 1>(),
                reference::<ByHand<DoublePendulum<f64>>, 4, 2>(),
                reference::<ByHand<FourBar<f64>>, 9, 8>(),
            ]),
        }
    }
}

impl Visitor for Compare {
    fn visit<System, Way, P, const N: usize, const M: usize>(&mut self)
    where
        System: Judged<N, M>,
        Way: Method<System::Base>,
        P: Digits,
    {
        for size in STEP_SIZES {
            let h = size.parse().expect("a number");
            let what = format!("{} {} {} {size}", Way::NAME, System::NAME, Scalar::<System::Base, P>::name());
            match run::<System, Way, P, N, M>(h) {
                Ok(End { position, energy_error }) => {
                    let position_error = distance(&position, &self.references[System::NAME]);
                    println!("error {what} {position_error:e} {energy_error:e}");
                }
                Err(error) => println!("failure {what} {}", kind(&error)),
            }
        }
    }
}

/// What is left of a run.
struct End {
    position: Vec<f64>,
    /// The largest at any step, relative to the system's scale.
    energy_error: f64,
}

fn run<System, Way, P, const N: usize, const M: usize>(h: f64) -> Result<End, StepError<System::Base>>
where
    System: Judged<N, M>,
    Way: Method<System::Base>,
    P: Digits,
{
    let system = System::system();
    let method = Way::with_step(StepSize::seconds(System::Base::from_f64(h)).expect("a valid step size"));
    let mut state = system.start::<P>();
    let energy = |state: &Motion<System::Base, P, N, M>| {
        system.energy(&doubles(state.full_position()), &doubles(state.full_velocity()))
    };
    let (energy_at_start, mut energy_error) = (energy(&state), 0.0_f64);
    for _ in 0..(System::DURATION / h).round() as usize {
        let _ = method.step(&system, &mut state)?;
        energy_error = energy_error.max((energy(&state) - energy_at_start).abs() / System::ENERGY_SCALE);
    }
    // Whole turns of angles count: next to ±π, two ends are near each other that their numbers put apart.
    let full = |(i, angle): (usize, &f64)| angle + core::f64::consts::TAU * f64::from(state.turns()[i]);
    Ok(End { position: doubles(state.full_position()).iter().enumerate().map(full).collect(), energy_error })
}

/// All the digits that a double holds.
fn doubles<T: Float, P: Precision, const N: usize>(coordinates: &Coordinates<T, N, P>) -> Vector<f64, N> {
    coordinates.full().map(|x| x.to_f64())
}

/// The system's name and where it is at the end; prints how far that is from what half the step gives.
fn reference<System, const N: usize, const M: usize>() -> (&'static str, Vec<f64>)
where
    System: Judged<N, M, Base = f64>,
{
    let end = |h| match run::<System, Composition<f64, 9>, Plain, N, M>(h) {
        Ok(end) => end.position,
        Err(error) => panic!("the reference of {} fails: {error}", System::NAME),
    };
    let position = end(REFERENCE);
    let uncertainty = distance(&position, &end(REFERENCE / 2.0));
    assert!(uncertainty < RESOLUTION, "the reference of {} is off by {uncertainty:e}", System::NAME);
    println!("reference {} {REFERENCE:e} {uncertainty:e} {RESOLUTION:e}", System::NAME);
    (System::NAME, position)
}

/// The Euclidean norm of the difference.
fn distance(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| (left - right) * (left - right)).sum::<f64>().sqrt()
}
