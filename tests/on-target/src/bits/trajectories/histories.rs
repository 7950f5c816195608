//! Methods that keep more than the state: BDF2, and Runge–Kutta in partitioned coordinates.

use mechanisms::Pendulum;
use taut::linalg::Ldlt;
use taut::method::{Bdf2, LocalRungeKutta4, Partitioned, Step};
use taut::start::{Plain, State};

use super::super::factorisations::Entry;
use super::examples::Example;
use super::recorder::Recorder;

/// A pendulum with a plain state.
fn pendulum<T: Entry>() -> (Pendulum<T>, State<T, 2, 1, Ldlt<T, 1>, Plain>) {
    let system = Pendulum::standard();
    (system, super::start(system.place().plain()))
}

/// BDF2. Its first step is one of Radau IIA.
#[inline(never)]
pub fn bdf_2<T: Entry>(recorder: &mut Recorder) {
    let (system, start) = pendulum::<T>();
    let bdf_2 = Bdf2::new();
    let mut nodes = bdf_2.begin(&system, start).expect("a first step");
    while recorder.wants_more() {
        let report = bdf_2.step(&system, &mut nodes).expect("a step that succeeds");
        recorder.record(nodes.state().position(), nodes.state().velocity(), &report.multipliers);
    }
}

/// Runge–Kutta in partitioned coordinates, which change four times a period.
#[inline(never)]
pub fn partitioned<T: Entry>(recorder: &mut Recorder) {
    let (system, start) = pendulum::<T>();
    let mut partitioned = Partitioned::new(start);
    while recorder.wants_more() {
        let report = LocalRungeKutta4::partitioned().step(&system, &mut partitioned).expect("a step that succeeds");
        let state = partitioned.state();
        recorder.record(state.position(), state.velocity(), &report.multipliers);
    }
}
