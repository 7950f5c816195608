//! Systems whose matrices are singular: pencils and their index, constraints of index 1 and 2 together, and a part without mass.

use mechanisms::Pencil;
use nalgebra::matrix;
use taut::linalg::{Ldlt, Vector};
use taut::method::{ImplicitEuler, Report, Step, StepError};
use taut::start::{Clock, ImplicitState, Plain, SemiExplicitState, Start, State};
use taut::system::Massless;

use super::super::factorisations::Entry;
use super::recorder::Recorder;
use crate::index::{Both, Connector};

fn clock<T: Entry>() -> Clock<T> {
    Clock::with_step(T::from_f64(1e-3)).expect("a step size")
}

/// Pencils of index 1 and 2 in turn, each started from a guess, with its index, and stepped ten times.
#[inline(never)]
pub fn pencils<T: Entry>(recorder: &mut Recorder) {
    let [zero, one, fifth, half] = [0.0, 1.0, 0.2, 0.5].map(T::from_f64);
    for part in (0..64_u8).cycle() {
        let angle = T::from_f64(f64::from(part) / 64.0);
        let (sin, cos) = angle.sin_cos();
        let corner = if part % 2 == 0 { one } else { zero };
        let mass = matrix![cos, -sin, zero; sin, cos, zero; zero, zero, zero];
        let pencil = Pencil { mass, a: matrix![one, half, one; fifth, one, angle; one, fifth, corner] };
        let mut state = ImplicitState::start(&pencil, clock(), [one, fifth, half]).expect("a start");
        let slope = state.derivative(&pencil).expect("a derivative");
        for _ in 0..10 {
            if !recorder.wants_more() {
                return;
            }
            let index = state.index(&pencil).expect("a regular pencil");
            recorder.record(state.variables(), &slope, &[index.index(), index.dynamics()]);
            ImplicitEuler::new().step(&pencil, &mut state).expect("a step that succeeds");
        }
    }
}

/// Constraints of index 1 and 2 together, from a guess.
#[inline(never)]
pub fn both<T: Entry, R>(
    recorder: &mut Recorder,
    method: &dyn Step<Both<T>, SemiExplicitState<T, 2, 2>, Report = R, Error = StepError<T>>,
) {
    let (system, guess) = (Both::new(), [0.1, 0.5].map(T::from_f64));
    let mut state = SemiExplicitState::start(&system, clock(), guess, guess).expect("a start");
    while recorder.wants_more() {
        method.step(&system, &mut state).expect("a step that succeeds");
        recorder.record(state.differential(), state.algebraic(), &Vector::<T, 0>::zeros());
    }
}

/// A state of the pendulum.
type Swinging<T> = State<T, 3, 2, Ldlt<T, 2>, Plain>;

/// A pendulum whose slider has no mass.
#[inline(never)]
pub fn connector<T: Entry>(
    recorder: &mut Recorder,
    method: &dyn Step<Massless<Connector<T>, T>, Swinging<T>, Report = Report<T, 2>, Error = StepError<T>>,
) {
    let system = Massless::new(Connector { mass: T::zero() }, T::one()).expect("a weight");
    let begin = Start::at(&system, clock(), [1.0, 0.0, 0.0].map(T::from_f64)).plain();
    let mut state = begin.at_rest().expect("a start");
    while recorder.wants_more() {
        let report = method.step(&system, &mut state).expect("a step that succeeds");
        recorder.record(state.position(), state.velocity(), &report.multipliers);
    }
}
