//! A whole program that steps a pendulum and does nothing else: its size is what the library costs at least with the
//! digits that a state carries by default. It is measured, never run, and links only if it cannot panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

#[cfg(target_os = "none")]
use panic_never as _;
use systems::Pendulum;
use taut::method::Rattle;
use taut::start::Start;

on_target::program!(swing);

fn swing() {
    let pendulum = black_box(Pendulum::<f32>::standard());
    let Ok(rattle) = Rattle::at_rate(black_box(1_000.0)) else { return };
    let Ok(mut state) = Start::at(&pendulum, black_box([1.0, 0.0])).at_rest() else { return };
    while let Ok(report) = rattle.step(&pendulum, &mut state) {
        let _ = black_box((report, &mut state));
    }
}
