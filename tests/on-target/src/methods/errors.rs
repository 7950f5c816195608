//! The errors of a run: its final position against a reference, and the largest change of its energy.

use std::collections::BTreeMap;
use std::vec::Vec;
use std::{format, println};

use mechanisms::{ByHand, DoublePendulum, FourBar, Pendulum, StiffActuator};
use taut::linalg::Vector;
use taut::method::{Composition, RungeKutta8, StepError};
use taut::scalar::Float;
use taut::start::{Coordinates, Plain, Precision};

use super::combinations::{MethodOn, Scalar, Stepped, Visitor};
use super::problem::Judged;
use crate::digits::Digits;
use crate::kind::kind;

/// The step sizes in seconds, as the tables write them.
const STEP_SIZES: [&str; 3] = ["1e-2", "1e-3", "1e-4"];

/// The step size of the references, which have order 6 or 8 and double precision.
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
                reference::<ByHand<Pendulum<f64>>, 2, 1>(&Composition::kahan_li()),
                reference::<ByHand<DoublePendulum<f64>>, 4, 2>(&Composition::kahan_li()),
                reference::<ByHand<FourBar<f64>>, 9, 8>(&Composition::kahan_li()),
                // A composition steps back, where the actuator is unstable.
                reference::<StiffActuator<f64>, 2, 1>(&RungeKutta8::new()),
            ]),
        }
    }
}

impl Visitor for Compare {
    fn visit<System, P, Held, R, const N: usize, const M: usize>(
        &mut self,
        stepped: &Stepped<'_, System, P, Held, R, N, M>,
    ) where
        System: Judged<N, M>,
        P: Digits,
    {
        for size in STEP_SIZES {
            let h = size.parse().expect("a number");
            let what =
                format!("{} {} {} {size}", stepped.method.name(), System::NAME, Scalar::<System::Base, P>::name());
            match run(stepped, h) {
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

fn run<System, P, Held, R, const N: usize, const M: usize>(
    Stepped { method, begin, state }: &Stepped<'_, System, P, Held, R, N, M>,
    h: f64,
) -> Result<End, StepError<System::Base>>
where
    System: Judged<N, M>,
    P: Digits,
{
    let (system, count) = (System::system(), (System::DURATION / h).round() as u64);
    let energy = |held: &Held| {
        let state = state(held);
        let t = h * state.clock().tick() as f64;
        system.energy(t, &doubles(state.full_position()), &doubles(state.full_velocity()))
    };
    let start = system.start::<P>(h);
    let energy_at_start = system.energy(0.0, &doubles(start.full_position()), &doubles(start.full_velocity()));
    let (mut held, mut energy_error) = (begin(&system, start)?, 0.0_f64);
    while state(&held).clock().tick() < count {
        let _ = method.step(&system, &mut held)?;
        energy_error = energy_error.max((energy(&held) - energy_at_start).abs() / System::ENERGY_SCALE);
    }
    let state = state(&held);
    // Add the whole turns to the angles: otherwise two almost equal angles near ±π would differ by 2π.
    let full = |(i, angle): (usize, &f64)| angle + core::f64::consts::TAU * f64::from(state.turns()[i]);
    Ok(End { position: doubles(state.full_position()).iter().enumerate().map(full).collect(), energy_error })
}

/// The coordinates as `f64`, with all digits of the state.
fn doubles<T: Float, P: Precision, const N: usize>(coordinates: &Coordinates<T, N, P>) -> Vector<f64, N> {
    coordinates.full().map(|x| x.to_f64())
}

/// The name of a system and its final position. Prints the difference from a run with half the step.
fn reference<System, const N: usize, const M: usize>(
    method: &MethodOn<'_, System, Plain, N, M>,
) -> (&'static str, Vec<f64>)
where
    System: Judged<N, M, Base = f64>,
{
    let stepped = Stepped { method, begin: &|_, state| Ok(state), state: |state| state };
    let end = |h| match run(&stepped, h) {
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
