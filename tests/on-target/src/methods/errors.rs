//! The errors of a run: its final position against a reference, and the largest change of its energy.

use std::collections::BTreeMap;
use std::vec::Vec;
use std::{format, println};

use mechanisms::{ByHand, DoublePendulum, FourBar, Pendulum};
use taut::linalg::Vector;
use taut::method::{Composition, StepError};
use taut::scalar::Float;
use taut::start::{Coordinates, Plain, Precision};

use super::combinations::{MethodOn, Scalar, Visitor};
use super::problem::{Judged, Motion};
use crate::digits::Digits;
use crate::kind::kind;

/// The step sizes in seconds, as the tables write them.
const STEP_SIZES: [&str; 3] = ["1e-2", "1e-3", "1e-4"];

/// The step size of the reference, which has order 6 and double precision.
const REFERENCE: f64 = 5e-5;

/// Position errors below this are not resolved: references of different step sizes differ by almost as much, through round-off.
const RESOLUTION: f64 = 1e-11;

/// Prints the errors of every combination at every step size.
pub struct Compare {
    /// The final position of each system.
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
    fn visit<System, P, const N: usize, const M: usize>(&mut self, method: &MethodOn<'_, System, P, N, M>)
    where
        System: Judged<N, M>,
        P: Digits,
    {
        for size in STEP_SIZES {
            let h = size.parse().expect("a number");
            let what = format!("{} {} {} {size}", method.name(), System::NAME, Scalar::<System::Base, P>::name());
            match run(method, h) {
                Ok(End { position, energy_error }) => {
                    let position_error = distance(&position, &self.references[System::NAME]);
                    println!("error {what} {position_error:e} {energy_error:e}");
                }
                Err(error) => println!("failure {what} {}", kind(&error)),
            }
        }
    }
}

/// The result of a run.
struct End {
    position: Vec<f64>,
    /// The largest at any step, relative to [`Judged::ENERGY_SCALE`].
    energy_error: f64,
}

fn run<System, P, const N: usize, const M: usize>(
    method: &MethodOn<'_, System, P, N, M>,
    h: f64,
) -> Result<End, StepError<System::Base>>
where
    System: Judged<N, M>,
    P: Digits,
{
    let system = System::system();
    let mut state = system.start::<P>(h);
    let energy = |state: &Motion<System::Base, P, N, M>| {
        system.energy(&doubles(state.full_position()), &doubles(state.full_velocity()))
    };
    let (energy_at_start, mut energy_error) = (energy(&state), 0.0_f64);
    for _ in 0..(System::DURATION / h).round() as usize {
        let _ = method.step(&system, &mut state)?;
        energy_error = energy_error.max((energy(&state) - energy_at_start).abs() / System::ENERGY_SCALE);
    }
    // Add the whole turns to the angles: otherwise two almost equal angles near ±π would differ by 2π.
    let full = |(i, angle): (usize, &f64)| angle + core::f64::consts::TAU * f64::from(state.turns()[i]);
    Ok(End { position: doubles(state.full_position()).iter().enumerate().map(full).collect(), energy_error })
}

/// The coordinates as `f64`, with all digits of the state.
fn doubles<T: Float, P: Precision, const N: usize>(coordinates: &Coordinates<T, N, P>) -> Vector<f64, N> {
    coordinates.full().map(|x| x.to_f64())
}

/// The name of a system and its final position. Prints the difference from a run with half the step.
fn reference<System, const N: usize, const M: usize>() -> (&'static str, Vec<f64>)
where
    System: Judged<N, M, Base = f64>,
{
    let end = |h| match run::<System, Plain, N, M>(&Composition::kahan_li(), h) {
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
