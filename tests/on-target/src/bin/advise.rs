//! One system with every method: on a machine, counts the cost of a step; on this computer, recommends a method.
//!
//! The system, and on a machine the states, are chosen at compile time, because all of them together would not fit into the flash.
//! `cargo xtask advise` builds and runs it.

#![cfg_attr(target_os = "none", no_std, no_main)]

use mechanisms::{ByHand, Chain, DoublePendulum, FourBar, Pendulum, SliderCrank, SphericalPendulum};
use on_target::advise::lists;

/// The system, by its name.
const SYSTEM: &str = match option_env!("TAUT_SYSTEM") {
    Some(name) => name,
    None => "pendulum",
};

/// Runs code for the chosen system; `$single` and `$double` are its types.
macro_rules! with_chosen {
    ($do:ident; $($name:literal: $single:ty, $double:ty, $n:literal, $m:literal;)*) => {{
        const IS_KNOWN: bool = $(lists(SYSTEM, $name))||*;
        const { assert!(IS_KNOWN, "TAUT_SYSTEM is not a known system") };
        $(
            if const { lists(SYSTEM, $name) } {
                $do!($single, $double, $n, $m);
            }
        )*
    }};
}

/// Every system.
macro_rules! chosen {
    ($do:ident) => {
        with_chosen! {
            $do;
            "pendulum": ByHand<Pendulum<f32>>, ByHand<Pendulum<f64>>, 2, 1;
            "double_pendulum": ByHand<DoublePendulum<f32>>, ByHand<DoublePendulum<f64>>, 4, 2;
            "spherical_pendulum": SphericalPendulum<f32>, SphericalPendulum<f64>, 3, 1;
            "slider_crank": SliderCrank<f32>, SliderCrank<f64>, 2, 1;
            "four_bar": ByHand<FourBar<f32>>, ByHand<FourBar<f64>>, 9, 8;
            "chain": ByHand<Chain<f32, 8, 4>>, ByHand<Chain<f64, 8, 4>>, 8, 4;
        }
    };
}

#[cfg(target_os = "none")]
fn run() {
    use on_target::advise::{begin, count};
    use taut::start::{Compensated, Plain, Precise};

    const STATES: &str = match option_env!("TAUT_STATES") {
        Some(states) => states,
        None => "plain-f32",
    };
    let mut counter = begin();
    macro_rules! cost {
        ($single:ty, $double:ty, $n:literal, $m:literal) => {
            if const { lists(STATES, "plain-f32") } {
                count::<$single, Plain, $n, $m>(&mut counter);
            }
            if const { lists(STATES, "compensated-f32") } {
                count::<$single, Compensated, $n, $m>(&mut counter);
            }
            if const { lists(STATES, "precise-f32") } {
                count::<$single, Precise, $n, $m>(&mut counter);
            }
            if const { lists(STATES, "plain-f64") } {
                count::<$double, Plain, $n, $m>(&mut counter);
            }
        };
    }
    chosen!(cost);
}

#[cfg(not(target_os = "none"))]
fn run() {
    macro_rules! advise {
        ($single:ty, $double:ty, $n:literal, $m:literal) => {
            if let Err(error) = on_target::advise::advise::<$single, $double, $n, $m>() {
                eprintln!("{error}");
                std::process::exit(1);
            }
        };
    }
    chosen!(advise);
}

on_target::program!(run);
on_target::report_panics!();
#[cfg(target_os = "none")]
on_target::count_rounds!();
