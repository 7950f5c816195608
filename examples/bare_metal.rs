//! The same equation on this computer and on a microcontroller, to the bit.
//!
//! `cargo run --example bare_metal` runs it here, `cargo emulate bare_metal` on an emulated STM32F405 (Cortex-M4F).
//! Both print the same lines.

#![cfg_attr(target_os = "none", no_std, no_main)]

use taut::scalar::{Dual, Real};

#[cfg(target_os = "none")]
use semihosting::println;

/// The slider's position in a slider-crank, m: a crank of radius r drives a rod of length l.
fn slider<S: Real<Base = f32>>(crank_angle: S, radius: f32, length: f32) -> S {
    let (sine, cosine) = crank_angle.sin_cos();
    let across = sine * radius;
    cosine * radius + (-(across * across) + length * length).sqrt()
}

/// Prints the slider's position and its derivative by the crank's angle, and the bits of both.
fn run() {
    println!("angle/rad  position/m  derivative/(m/rad)  bits");
    for number in 0..8_u8 {
        let [angle] = Dual::variables([f32::from(number) * 0.75]);
        let position = slider(angle, 0.05, 0.12);
        let (value, derivative) = (position.value, position.partials[0]);
        println!(
            "{:9.2}  {value:10.6}  {derivative:18.6}  {:08x} {:08x}",
            angle.value,
            value.to_bits(),
            derivative.to_bits()
        );
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
