//! Serial mechanisms: a hanging chain, a chain between two supports, in the plane and in space, a damped ring of rigid bars, and a tree.

use mechanisms::{HangingChain, Mobile, PinnedBars, SuspendedChain};
use taut::method::{SerialReport, Step, StepError};
use taut::start::{Clock, SerialState};
use taut::system::Serial;

use super::super::factorisations::Entry;
use super::recorder::Recorder;
use crate::in_space::InSpace;

/// Any method on a serial mechanism.
type MethodOn<'a, System, const N: usize, const D: usize, const E: usize> = dyn Step<
        System,
        SerialState<<System as Serial<N, D, E>>::Base, N, D, E>,
        Report = SerialReport<<System as Serial<N, D, E>>::Base, N, E>,
        Error = StepError<<System as Serial<N, D, E>>::Base>,
    > + 'a;

/// Steps a mechanism from rest, and records its last element and its first joint.
#[inline(never)]
fn run<System, T, const N: usize, const D: usize, const E: usize>(
    recorder: &mut Recorder,
    method: &MethodOn<'_, System, N, D, E>,
    system: &System,
    guess: [[T; D]; N],
) where
    T: Entry,
    System: Serial<N, D, E, Base = T>,
{
    let clock = Clock::with_step(T::from_f64(1e-3)).expect("a step size");
    let mut state = SerialState::at_rest(system, clock, guess).expect("a start");
    while recorder.wants_more() {
        let report = method.step(system, &mut state).expect("a step that succeeds");
        let (q, v) = (state.position(N - 1).expect("an element"), state.velocity(N - 1).expect("an element"));
        recorder.record(q, v, &report.joints[0].multipliers);
    }
}

/// A chain of 16 links that swings from 45° below the horizontal.
pub fn hanging_chain<T: Entry>(recorder: &mut Recorder, method: &MethodOn<'_, HangingChain<T, 16>, 16, 2, 1>) {
    run(recorder, method, &HangingChain::standard(), HangingChain::<T, 16>::position());
}

/// A chain of nine masses between two supports.
pub fn suspended_chain<T: Entry>(recorder: &mut Recorder, method: &MethodOn<'_, SuspendedChain<T, 9>, 9, 2, 1>) {
    run(recorder, method, &SuspendedChain::standard(), SuspendedChain::<T, 9>::guess());
}

/// The same in space, with one redundant constraint.
pub fn chain_in_space<T: Entry>(recorder: &mut Recorder, method: &MethodOn<'_, InSpace<T, 9>, 9, 3, 2>) {
    run(recorder, method, &InSpace(SuspendedChain::standard()), InSpace::<T, 9>::guess());
}

/// A damped ring of four bars and the ground.
pub fn ring_of_bars<T: Entry>(recorder: &mut Recorder, method: &MethodOn<'_, PinnedBars<T, 4, true>, 4, 3, 2>) {
    let ring = PinnedBars { damping: T::from_f64(0.05), ..PinnedBars::standard() };
    run(recorder, method, &ring, PinnedBars::<T, 4, true>::guess());
}

/// A tree of seven masses.
pub fn mobile<T: Entry>(recorder: &mut Recorder, method: &MethodOn<'_, Mobile<T, 7>, 7, 2, 1>) {
    run(recorder, method, &Mobile::standard(), Mobile::<T, 7>::position());
}
