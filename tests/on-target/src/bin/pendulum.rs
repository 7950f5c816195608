//! A whole program that only steps a pendulum with a compensated state, the default. Its size is the smallest cost of the library. It is
//! measured, never run, and links only if it cannot panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use mechanisms::Pendulum;
#[cfg(target_os = "none")]
use panic_never as _;
use taut::method::{Rattle, Step};
use taut::start::{Clock, Start};

on_target::program!(swing);

fn swing() {
    let pendulum = black_box(Pendulum::<f32>::standard());
    let Ok(clock) = Clock::at_rate(black_box(1_000.0)) else { return };
    let Ok(mut state) = Start::at(&pendulum, clock, black_box([1.0, 0.0])).at_rest() else { return };
    while let Ok(report) = Rattle::new().step(&pendulum, &mut state) {
        let _ = black_box((report, &mut state));
    }
}
