//! Long runs of whole systems: the hash over positions, velocities and multipliers of every step.
//!
//! Another run is a line in one of the `tables`, another system an implementation of `Example` besides.

mod daes;
mod examples;
mod general;
mod methods;
mod recorder;
mod rigid_body;
mod servo;
mod tables;

use taut::method::StepSize;
use taut::scalar::Float;
use taut::start::{Plain, Start, State};

use super::factorisations::Entry;
use crate::digits::Digits;
use examples::Example;
use methods::Method;
pub use recorder::Limits;
use recorder::{Processor, Recorder};
pub use tables::*;

/// A run that is hashed.
pub struct Run {
    name: &'static str,
    /// What a step costs, the hash not included.
    cost: Cost,
    /// Of what the limits allow it makes one in so many.
    share: u64,
    /// It makes no more steps than this, whatever the limits.
    most: u64,
    is_double: bool,
    make: fn(&mut Recorder),
}

/// Instructions of a step, to two digits. Only how far a run goes depends on them; `cargo xtask bits --costs` measures them.
struct Cost {
    /// In single precision: on a Cortex-M4F, in hardware; on RISC-V, in software; and on a Cortex-M0. The first is taken for this
    /// computer, too, in either precision.
    single: [u32; 3],
    /// In double precision, in software: on a Cortex-M4F, or RISC-V if that has no room, and on a Cortex-M0.
    double: [u32; 2],
}

impl Run {
    /// What a step costs.
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

/// One system with one method, in a plain state.
fn run<System, Way, const N: usize, const M: usize>(recorder: &mut Recorder)
where
    System: Example<N, M, Base: Entry>,
    Way: Method<System::Base>,
{
    run_with::<System, Way, Plain, N, M>(recorder);
}

/// One system with one method, in a state of any precision.
#[inline(never)]
fn run_with<System, Way, P, const N: usize, const M: usize>(recorder: &mut Recorder)
where
    System: Example<N, M, Base: Entry>,
    Way: Method<System::Base>,
    P: Digits,
{
    let system = System::system();
    let mut state = start::<System, P, N, M>(P::of(system.place()));
    steps::<System, Way, P, N, M>(&system, &mut state, recorder);
}

/// One system with a method that leaves its constraints: however far.
#[inline(never)]
fn run_off<System, Way, const N: usize, const M: usize>(recorder: &mut Recorder)
where
    System: Example<N, M, Base: Entry>,
    Way: Method<System::Base>,
{
    let system = System::system();
    let mut state = start::<System, Plain, N, M>(system.place().limit(Float::from_f64(1.0)).plain());
    steps::<System, Way, Plain, N, M>(&system, &mut state, recorder);
}

fn steps<System, Way, P, const N: usize, const M: usize>(
    system: &System,
    state: &mut State<System::Base, N, M, System::Factors, P>,
    recorder: &mut Recorder,
) where
    System: Example<N, M, Base: Entry>,
    Way: Method<System::Base>,
    P: Digits,
{
    let method = Way::with_step(StepSize::seconds(Float::from_f64(System::STEP)).expect("a step size"));
    while recorder.wants_more() {
        // A run that ended early would hash the same everywhere, and show nothing.
        let report = method.step(system, state).expect("a step that succeeds");
        recorder.record(state.position(), state.velocity(), &report.multipliers);
    }
}

/// Its stack is free again when the steps begin.
#[inline(never)]
fn start<System, P, const N: usize, const M: usize>(
    place: Start<'_, System, System::Base, N, M, System::Factors, P>,
) -> State<System::Base, N, M, System::Factors, P>
where
    System: Example<N, M>,
    P: Digits,
{
    place.moving(<System as Example<N, M>>::velocity()).expect("a start")
}
