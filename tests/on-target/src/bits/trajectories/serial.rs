//! Serial mechanisms: a hanging chain, a chain between two supports, a damped ring of rigid bars, and a tree.

use mechanisms::{HangingChain, Mobile, PinnedBars, SuspendedChain};
use taut::method::{Rattle, Step};
use taut::start::{Clock, SerialState};
use taut::system::Serial;

use super::super::factorisations::Entry;
use super::recorder::Recorder;

/// Steps a mechanism from rest, and records its last element and its first joint.
#[inline(never)]
fn run<System, T, const N: usize, const D: usize, const E: usize>(
    recorder: &mut Recorder,
    system: &System,
    guess: [[T; D]; N],
) where
    T: Entry,
    System: Serial<N, D, E, Base = T>,
{
    let clock = Clock::with_step(T::from_f64(1e-3)).expect("a step size");
    let mut state = SerialState::at_rest(system, clock, guess).expect("a start");
    while recorder.wants_more() {
        let report = Rattle::new().step(system, &mut state).expect("a step that succeeds");
        let (q, v) = (state.position(N - 1).expect("an element"), state.velocity(N - 1).expect("an element"));
        recorder.record(q, v, &report.joints[0].multipliers);
    }
}

/// A chain of 16 links that swings from 45° below the horizontal.
pub fn hanging_chain<T: Entry>(recorder: &mut Recorder) {
    run(recorder, &HangingChain::<T, 16>::standard(), HangingChain::<T, 16>::position());
}

/// A chain of nine masses between two supports.
pub fn suspended_chain<T: Entry>(recorder: &mut Recorder) {
    run(recorder, &SuspendedChain::<T, 9>::standard(), SuspendedChain::<T, 9>::guess());
}

/// A damped ring of four bars and the ground.
pub fn ring_of_bars<T: Entry>(recorder: &mut Recorder) {
    let ring = PinnedBars::<T, 4, true> { damping: T::from_f64(0.05), ..PinnedBars::standard() };
    run(recorder, &ring, PinnedBars::<T, 4, true>::guess());
}

/// A tree of seven masses.
pub fn mobile<T: Entry>(recorder: &mut Recorder) {
    run(recorder, &Mobile::<T, 7>::standard(), Mobile::<T, 7>::position());
}
