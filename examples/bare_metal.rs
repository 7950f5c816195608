//! A mechanism on this computer and on a microcontroller, to the bit: the slider-crank of the guide, driven by a constant torque.
//!
//! `cargo run --example bare_metal` runs it here, `cargo emulate bare_metal` on an emulated STM32F405 (Cortex-M4F). Both print the same
//! lines. For your own mechanism, copy this file, replace the `include!` by your description, and change `run`: the model, the pose and the
//! output.

#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
use semihosting::println;

include!("../src/guide/slider_crank.rs");

/// Makes a second of steps at 1 kHz, and prints where the crank and the slider are, and the force in the rod.
fn run() {
    let crank = SliderCrank { torque: 2.0 };
    let clock = Clock::at_rate(1_000.0).expect("a positive rate");
    let mut state = Start::at(&crank, clock, [0.5, 0.58]).at_rest().expect("a pose that can be assembled");
    println!(" time/s  turns  crank/rad   slider/m  multiplier  bits");
    for tick in 0..=1_000_u16 {
        let (q, turns) = (*state.position(), state.turns()[0]);
        let report = match Rattle::new().step(&crank, &mut state) {
            Ok(report) => report,
            // It says what failed, where, and against which limit. The state is unchanged.
            Err(error) => return println!("{error}"),
        };
        if tick.is_multiple_of(125) {
            let [time, multiplier] = [f32::from(tick) * 1e-3, report.multipliers[0]];
            let bits = [q[0], q[1], multiplier].map(f32::to_bits);
            println!(
                "{time:7.3}  {turns:5}  {:9.5}  {:9.6}  {multiplier:10.5}  {:08x} {:08x} {:08x}",
                q[0], q[1], bits[0], bits[1], bits[2]
            );
        }
    }
}

#[cfg(not(target_os = "none"))]
fn main() {
    run();
}

#[cfg(target_os = "none")]
#[cortex_m_rt::entry]
fn main() -> ! {
    run();
    semihosting::process::exit(0)
}
