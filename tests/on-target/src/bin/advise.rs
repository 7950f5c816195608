//! One system with every method: on a machine, counts the cost of a step; on this computer, recommends a method.
//!
//! The system, and on a machine the states, are chosen at compile time, because all of them together would not fit into the flash.
//! `cargo xtask advise` builds and runs it.

#![cfg_attr(target_os = "none", no_std, no_main)]

use mechanisms::{ByHand, Chain, DoublePendulum, FourBar, Pendulum, SliderCrank, SphericalPendulum, parts};
use on_target::advise::lists;
use taut::parts::Mechanism;

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

/// Every system: those written by hand, then the lists of parts with a constant mass.
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
            "four_bar_points": Mechanism<parts::FourBar<f32>, 4, 3>, Mechanism<parts::FourBar<f64>, 4, 3>, 4, 3;
            "five_bar_points": Mechanism<parts::FiveBarPoints<f32>, 6, 4>, Mechanism<parts::FiveBarPoints<f64>, 6, 4>, 6, 4;
            "sprung_slider": Mechanism<parts::SprungSlider<f32>, 3, 2>, Mechanism<parts::SprungSlider<f64>, 3, 2>, 3, 2;
            "hanging_chain": Mechanism<parts::HangingChain<f32>, 8, 5>, Mechanism<parts::HangingChain<f64>, 8, 5>, 8, 5;
            "peaucellier": Mechanism<parts::Peaucellier<f32>, 8, 7>, Mechanism<parts::Peaucellier<f64>, 8, 7>, 8, 7;
            "jansen_leg": Mechanism<parts::JansenLeg<f32>, 12, 11>, Mechanism<parts::JansenLeg<f64>, 12, 11>, 12, 11;
            "pantograph": Mechanism<parts::Pantograph<f32>, 6, 4>, Mechanism<parts::Pantograph<f64>, 6, 4>, 6, 4;
            "scissor_lift": Mechanism<parts::ScissorLift<f32>, 9, 8>, Mechanism<parts::ScissorLift<f64>, 9, 8>, 9, 8;
            "linear_delta": Mechanism<parts::LinearDelta<f32>, 6, 3>, Mechanism<parts::LinearDelta<f64>, 6, 3>, 6, 3;
            "heavy_top": Mechanism<parts::HeavyTop<f32>, 9, 6>, Mechanism<parts::HeavyTop<f64>, 9, 6>, 9, 6;
            "gyroscope": Mechanism<parts::Gyroscope<f32>, 9, 6>, Mechanism<parts::Gyroscope<f64>, 9, 6>, 9, 6;
            "gimbal": Mechanism<parts::Gimbal<f32>, 27, 24>, Mechanism<parts::Gimbal<f64>, 27, 24>, 27, 24;
            "universal_joint": Mechanism<parts::UniversalJoint<f32>, 18, 17>, Mechanism<parts::UniversalJoint<f64>, 18, 17>, 18, 17;
            "spatial_four_bar": Mechanism<parts::SpatialFourBar<f32>, 24, 23>, Mechanism<parts::SpatialFourBar<f64>, 24, 23>, 24, 23;
            "stewart": Mechanism<parts::Stewart<f32>, 12, 6>, Mechanism<parts::Stewart<f64>, 12, 6>, 12, 6;
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
