//! A whole program that only starts and steps a chain of 64 links. Its size is measured; it is never run, and links only if it cannot panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use mechanisms::{ChainLink, HangingChain};
#[cfg(target_os = "none")]
use panic_never as _;
use taut::method::{Rattle, Step};
use taut::start::{Clock, SerialState};

on_target::program!(run);

fn run() {
    let link = ChainLink { mass: 0.1, length: 0.1 };
    let chain = black_box(HangingChain { links: [link; 64], gravity: 9.81 });
    let guess = core::array::from_fn(|i| [0.1 * (i + 1) as f32, 0.0]);
    let Ok(clock) = Clock::at_rate(black_box(1_000.0)) else { return };
    let Ok(mut state) = SerialState::at_rest(&chain, clock, black_box(guess)) else { return };
    while Rattle::new().step(&chain, &mut state).is_ok() {
        black_box(&mut state);
    }
}
