//! Charts on the sphere, and projections of matrices.

use nalgebra::matrix;
use taut::linalg::{Matrix, Vector};
use taut::method::{Chart, RungeKutta4, Step, StepError};
use taut::project::{onto_determinant, onto_orthogonal};
use taut::start::{Clock, ManifoldState};

use super::super::factorisations::Entry;
use super::recorder::Recorder;
use crate::globe::Globe;

fn globe<T: Entry>(
    recorder: &mut Recorder,
    method: &dyn Step<Globe<T>, ManifoldState<T, 3, 1>, Report = (), Error = StepError<T>>,
) {
    let (globe, clock) = (Globe::new(), Clock::with_step(T::from_f64(0.01)).expect("a step size"));
    let mut state = ManifoldState::start(&globe, clock, [0.6, 0.0, 0.8].map(T::from_f64)).expect("a start");
    while recorder.wants_more() {
        method.step(&globe, &mut state).expect("a step that succeeds");
        recorder.record(state.point(), &Vector::<T, 0>::zeros(), &Vector::<T, 0>::zeros());
    }
}

/// Projected at the end of the step.
#[inline(never)]
pub fn globe_projected<T: Entry>(recorder: &mut Recorder) {
    globe::<T>(recorder, &RungeKutta4::new());
}

/// Projected at every stage.
#[inline(never)]
pub fn globe_projected_stages<T: Entry>(recorder: &mut Recorder) {
    globe::<T>(recorder, &Chart::Projected);
}

/// In the tangent space.
#[inline(never)]
pub fn globe_tangent<T: Entry>(recorder: &mut Recorder) {
    globe::<T>(recorder, &Chart::Tangent);
}

/// In the plane.
#[inline(never)]
pub fn globe_stereographic<T: Entry>(recorder: &mut Recorder) {
    globe::<T>(recorder, &Chart::Stereographic);
}

/// A' = B A by explicit Euler, projected onto the rotations and onto determinant one.
#[inline(never)]
pub fn matrices<T: Entry>(recorder: &mut Recorder) {
    let [slow, fast] = [0.01, 0.02].map(T::from_f64);
    let zero = T::zero();
    // B is similar to a skew matrix, so that A stays bounded.
    let turn = matrix![zero, -slow, fast; slow, zero, -slow; -fast, slow, zero];
    let shear = matrix![zero, -fast, zero; slow, zero, zero; zero, zero, zero];
    let (mut rotation, mut unimodular) = (Matrix::<T, 3, 3>::identity(), Matrix::<T, 3, 3>::identity());
    while recorder.wants_more() {
        let turned = rotation + turn * rotation;
        rotation = onto_orthogonal(&turned, T::NEWTON_ITERATIONS).expect("close to a rotation");
        let sheared = unimodular + shear * unimodular;
        unimodular = onto_determinant(&sheared, T::one(), T::NEWTON_ITERATIONS).expect("close to determinant one");
        recorder.record(&rotation, &unimodular, &Vector::<T, 0>::zeros());
    }
}
