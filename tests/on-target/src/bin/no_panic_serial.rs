//! Calls everything that a user calls to start and step a serial mechanism, with input that is unknown to the compiler. It links only if
//! none of that can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use mechanisms::{HangingChain, Mobile, PinnedBars, SuspendedChain};
use on_target::in_space::InSpace;
#[cfg(target_os = "none")]
use panic_never as _;
use taut::method::{Rattle, RungeKutta4, Step};
use taut::start::{Clock, Precision, SerialState, StartError};
use taut::system::Serial;

on_target::program!(every_serial_mechanism);

fn every_serial_mechanism() {
    reach(&HangingChain::<f32, 1>::standard(), HangingChain::<f32, 1>::position());
    reach(&HangingChain::<f32, 64>::standard(), HangingChain::<f32, 64>::position());
    reach(&SuspendedChain::<f32, 9>::standard(), SuspendedChain::<f32, 9>::guess());
    reach(&PinnedBars::<f32, 4, true>::standard(), PinnedBars::<f32, 4, true>::guess());
    reach(&PinnedBars::<f32, 20, false>::standard(), PinnedBars::<f32, 20, false>::guess());
    reach(&Mobile::<f32, 15>::standard(), Mobile::<f32, 15>::position());
    // Its constraints depend on each other.
    reach(&InSpace::<f32, 9>(SuspendedChain::standard()), InSpace::<f32, 9>::guess());
}

#[inline(never)]
fn with_digits<System, P: Precision, const N: usize, const D: usize, const E: usize>(
    system: &System,
    started: Result<SerialState<f32, N, D, E, P>, StartError<f32>>,
) where
    System: Serial<N, D, E, Base = f32>,
{
    let Ok(mut state) = black_box(started) else { return };
    let _ = black_box(Rattle::new().step(system, &mut state));
    let _ = black_box(state.resume(system));
    let _ = black_box((state.full_position(black_box(1)), state.full_velocity(black_box(2))));
}

#[inline(never)]
fn reach<System, const N: usize, const D: usize, const E: usize>(system: &System, guess: [[f32; D]; N])
where
    System: Serial<N, D, E, Base = f32>,
{
    let system = black_box(system);
    let Ok(clock) = Clock::with_step(black_box(1e-3)) else { return };
    let (clock, guess) = (clock.at_tick(black_box(7)).at_time(black_box(0.5)), black_box(guess));
    let _ = black_box(SerialState::at_rest(system, clock, guess));
    let Ok(mut state) = SerialState::moving(system, clock, guess, black_box([[0.0; D]; N])) else { return };
    let _ = black_box(state.clock_mut().set_rate(black_box(500.0)));
    let _ = black_box(Rattle::new().step(system, &mut state));
    let _ = black_box(Rattle::new().iterations::<4>().step(system, &mut state));
    let _ = black_box(RungeKutta4::new().step(system, &mut state));
    let _ = black_box(state.resume(system));
    with_digits(system, black_box(state).compensated(system));
    with_digits(system, black_box(state).precise(system));
    let _ = black_box(state.save().restore(system));
    let _ = black_box((state.position(black_box(1)), state.velocity(black_box(2)), state.turns(black_box(3))));
}
