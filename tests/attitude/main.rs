//! How bodies turn: orders, invariants, refusals, one claim a module.
//!
//! Reference numbers are those of the exact solutions and of independent runs with thirty digits; tolerances are those of their digits, plus
//! round-off.

mod driven;
mod free_body;
mod magnus;
mod refusals;
mod rotations;

use nalgebra::Matrix3;
use taut::attitude::{Body, BodyState, Rotation};
use taut::linalg::Vector;
use taut::method::{Step, StepError};
use taut::scalar::Float;
use taut::start::{Clock, Precision};

type Any<'a, B, T, P> = &'a dyn Step<B, BodyState<T, P>, Report = (), Error = StepError<T>>;

fn clock<T: Float>(h: f64) -> Clock<T> {
    Clock::with_step(T::from_f64(h)).unwrap()
}

fn run<B: Body<Base = T>, T: Float, P: Precision>(
    method: Any<B, T, P>,
    body: &B,
    mut state: BodyState<T, P>,
    steps: usize,
) -> BodyState<T, P> {
    for _ in 0..steps {
        method.step(body, &mut state).unwrap_or_else(|error| panic!("{}: {error}", method.name()));
    }
    state
}

/// The rows of a matrix.
fn rows(rows: [[f64; 3]; 3]) -> Matrix3<f64> {
    Matrix3::from(rows).transpose()
}

fn doubles<T: Float, const N: usize>(numbers: &Vector<T, N>) -> Vector<f64, N> {
    numbers.map(|x| x.to_f64())
}

fn matrix<T: Float>(rotation: &Rotation<T>) -> Matrix3<f64> {
    rotation.matrix().map(|x| x.to_f64())
}

/// An error that a reference gives to `digits` digits; round-off of a run of a few hundred steps.
#[track_caller]
fn assert_error(what: &str, ours: f64, reference: f64, digits: i32) {
    let tolerance = reference * 10_f64.powi(1 - digits) + 2e-14;
    assert!((ours - reference).abs() <= tolerance, "{what}: {ours:e}, not {reference:e}");
}

/// Slopes of errors at steps that halve.
#[track_caller]
fn assert_slopes(what: &str, errors: &[f64], order: f64, tolerance: f64) {
    for pair in errors.windows(2) {
        let slope = (pair[0] / pair[1]).log2();
        assert!((slope - order).abs() < tolerance, "{what}: order {slope}, not {order}: {errors:?}");
    }
}
