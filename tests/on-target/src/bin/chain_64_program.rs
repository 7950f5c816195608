//! A program that only starts and steps a chain of 64 links: its size in flash. It also links only if no panic is reachable.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use mechanisms::HangingChain;
#[cfg(target_os = "none")]
use panic_never as _;
use taut::method::{Rattle, Step};
use taut::start::{Clock, SerialState};

on_target::program!(run);

fn run() {
    let chain = black_box(HangingChain::<f32, 64>::standard());
    let Ok(clock) = Clock::at_rate(black_box(1e3)) else { return };
    let Ok(mut state) = SerialState::at_rest(&chain, clock, black_box(HangingChain::<f32, 64>::position())) else {
        return;
    };
    while black_box(Rattle::new().iterations::<2>().step(&chain, &mut state).is_ok()) {
        black_box(&state);
    }
}
