//! Methods that keep more than the state: BDF2, and Runge–Kutta in partitioned coordinates.

use taut::method::{Bdf2, LocalRungeKutta4, Partitioned, Step};

use super::super::factorisations::Entry;
use super::examples::Example;
use super::recorder::Recorder;
use crate::digits::Digits;

/// BDF2. Its first step is one of Radau IIA.
#[inline(never)]
pub fn bdf_2<System, P, const N: usize, const M: usize>(recorder: &mut Recorder)
where
    System: Example<N, M, Base: Entry>,
    P: Digits,
{
    let system = System::system();
    let start = super::start(P::of(system.place()));
    let bdf_2 = Bdf2::new();
    let mut nodes = bdf_2.begin(&system, start).expect("a first step");
    while recorder.wants_more() {
        let report = bdf_2.step(&system, &mut nodes).expect("a step that succeeds");
        recorder.record(nodes.state().position(), nodes.state().velocity(), &report.multipliers);
    }
}

/// Runge–Kutta in partitioned coordinates, which a pendulum changes four times a period.
#[inline(never)]
pub fn partitioned<System, P, const N: usize, const M: usize>(recorder: &mut Recorder)
where
    System: Example<N, M, Base: Entry>,
    P: Digits,
{
    let system = System::system();
    let mut partitioned = Partitioned::new(super::start::<System, P, N, M>(P::of(system.place())));
    while recorder.wants_more() {
        let report = LocalRungeKutta4::partitioned().step(&system, &mut partitioned).expect("a step that succeeds");
        let state = partitioned.state();
        recorder.record(state.position(), state.velocity(), &report.multipliers);
    }
}
