//! A system of the general form of index 3.

use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::method::{ImplicitEulerGeneral, StepSize};
use taut::scalar::Real;
use taut::start::IndexThreeState;
use taut::system::IndexThree;

use super::super::factorisations::Entry;
use super::recorder::Recorder;

/// A unit mass on a rod of 1 m that a motor pulls along its path: p = (sin φ, −cos φ) with φ = sin t, under 9.81 m/s².
///
/// The rod's force acts along the rod, the motor's across it; the second constraint has a derivative in time.
struct Driven<T>(core::marker::PhantomData<T>);

impl<T: Entry> IndexThree<2, 2, 2> for Driven<T> {
    type Base = T;

    fn rate<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 2> {
        *q
    }

    fn force<S: Real<Base = T>>(&self, _t: S, _p: &Vector<S, 2>, _q: &Vector<S, 2>) -> Vector<S, 2> {
        vector![S::zero(), S::from(T::from_f64(-9.81))]
    }

    fn coupling<S: Real<Base = T>>(&self, _t: S, p: &Vector<S, 2>, _q: &Vector<S, 2>) -> Matrix<S, 2, 2> {
        matrix![p.x, -p.y; p.y, p.x]
    }

    fn constraint<S: Real<Base = T>>(&self, t: S, p: &Vector<S, 2>) -> Vector<S, 2> {
        let (sin, cos) = t.sin().sin_cos();
        // The length, and the component across the direction that the rod is to have.
        vector![(p.dot(p) - S::one()) * T::from_f64(0.5), p.x * cos + p.y * sin]
    }
}

/// The driven pendulum, from a start that the method finds consistent.
#[inline(never)]
pub fn driven_pendulum<T: Entry>(recorder: &mut Recorder) {
    let system = Driven(core::marker::PhantomData);
    let (zero, one) = (T::zero(), T::one());
    let mut state = IndexThreeState::start(&system, zero, [zero, -one], [one, zero]).expect("a start");
    let euler = ImplicitEulerGeneral::with_step(StepSize::seconds(T::from_f64(1e-3)).expect("a step size"));
    euler.make_consistent(&system, &mut state).expect("a consistent start");
    while recorder.wants_more() {
        let multipliers = euler.step(&system, &mut state).expect("a step that succeeds");
        recorder.record(state.position(), state.velocity(), &multipliers);
    }
}
