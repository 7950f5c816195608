//! Long runs of whole systems: the hash over positions, velocities and multipliers of every step.
//!
//! To add a run, add a line to one of the `tables` or `lists`. To add a system, also implement `Example`.

mod attitude;
mod daes;
mod examples;
mod general;
mod histories;
mod linear;
mod lists;
mod manifolds;
mod parts;
mod recorder;
mod rigid_body;
mod serial;
mod servo;
mod structure;
mod tables;

use taut::method::AnyMethod;
use taut::scalar::Float;
use taut::start::{Plain, Start, State};
use taut::system::Mechanical;

use super::factorisations::Entry;
use crate::digits::Digits;
use examples::Example;
pub use lists::*;
pub use recorder::Limits;
use recorder::{Processor, Recorder};
pub use tables::*;

/// A run that is hashed.
pub struct Run {
    name: &'static str,
    /// The cost of a step without the hash.
    cost: Cost,
    /// Divides the number of steps that the limits allow.
    share: u64,
    /// The most steps, whatever the limits allow.
    max_steps: u64,
    is_double: bool,
    make: fn(&mut Recorder),
}

/// The instructions of a step, to two digits. Only the length of a run depends on them. `cargo xtask bits --costs` measures them.
struct Cost {
    /// In single precision: on a Cortex-M4F (in hardware), on RISC-V (in software) and on a Cortex-M0. This computer uses the first, in
    /// both precisions.
    single: [u32; 3],
    /// In double precision, in software: on a Cortex-M4F (or on RISC-V if the program is too large for the Cortex-M4F) and on a
    /// Cortex-M0.
    double: [u32; 2],
}

impl Run {
    /// The cost of a step.
    fn cost(&self, processor: Processor) -> u64 {
        let Cost { single: [hardware, software, short], double: [double, short_double] } = self.cost;
        u64::from(match (processor, self.is_double) {
            (Processor::Doubles, _) | (Processor::Singles, false) => hardware,
            (Processor::Software, false) => software,
            (Processor::Short, false) => short,
            (Processor::Singles | Processor::Software, true) => double,
            (Processor::Short, true) => short_double,
        })
    }
}

/// Any method on an example, with a precision of the state.
type MethodOn<'a, System, P, const N: usize, const M: usize> =
    AnyMethod<System, <System as Mechanical<N, M>>::Base, N, M, <System as Example<N, M>>::Factors, P>;

/// One system with one method, in a plain state.
fn run<System, const N: usize, const M: usize>(recorder: &mut Recorder, method: &MethodOn<'_, System, Plain, N, M>)
where
    System: Example<N, M, Base: Entry>,
{
    run_with(recorder, method);
}

/// One system with one method, in a state of any precision.
#[inline(never)]
fn run_with<System, P, const N: usize, const M: usize>(recorder: &mut Recorder, method: &MethodOn<'_, System, P, N, M>)
where
    System: Example<N, M, Base: Entry>,
    P: Digits,
{
    let system = System::system();
    let mut state = start::<System, P, N, M>(P::of(system.place()));
    steps(method, &system, &mut state, recorder);
}

/// One system with a method that drifts off the constraints. The limit on the residual is so large that it never stops the run.
#[inline(never)]
fn run_off<System, const N: usize, const M: usize>(recorder: &mut Recorder, method: &MethodOn<'_, System, Plain, N, M>)
where
    System: Example<N, M, Base: Entry>,
{
    let system = System::system();
    let mut state = start::<System, Plain, N, M>(system.place().limit(Float::from_f64(1.0)).plain());
    steps(method, &system, &mut state, recorder);
}

fn steps<System, P, const N: usize, const M: usize>(
    method: &MethodOn<'_, System, P, N, M>,
    system: &System,
    state: &mut State<System::Base, N, M, System::Factors, P>,
    recorder: &mut Recorder,
) where
    System: Example<N, M, Base: Entry>,
    P: Digits,
{
    while recorder.wants_more() {
        // A failed step is an error: a run that ended early would have the same hash everywhere and prove nothing.
        let report = method.step(system, state).expect("a step that succeeds");
        recorder.record(state.position(), state.velocity(), &report.multipliers);
    }
}

/// Starts a run. Not inlined, so that its stack is free again when the steps begin.
#[inline(never)]
fn start<System, P, const N: usize, const M: usize>(
    place: Start<'_, System, N, M, System::Factors, P>,
) -> State<System::Base, N, M, System::Factors, P>
where
    System: Example<N, M>,
    P: Digits,
{
    place.moving(<System as Example<N, M>>::velocity()).expect("a start")
}
