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

/// A list in two scalars, with the numbers of its coordinates and constraints.
macro_rules! list {
    ($do:ident, $list:ident, $kind:ident) => {
        $do!(
            Mechanism<parts::$list<f32>, { parts::$list::<f32>::SIZES[0] }, { parts::$list::<f32>::SIZES[1] }>,
            Mechanism<parts::$list<f64>, { parts::$list::<f64>::SIZES[0] }, { parts::$list::<f64>::SIZES[1] }>,
            { parts::$list::<f32>::SIZES[0] },
            { parts::$list::<f32>::SIZES[1] },
            $kind
        )
    };
}

/// Runs code for the chosen system: `$do` gets its two types, its sizes and its kind. The kind of a list is `constant` or `varying`, by its
/// mass, or `redundant`.
macro_rules! with_chosen {
    (
        $do:ident;
        $($name:literal: $single:ty, $double:ty, $n:literal, $m:literal;)*
        lists $($list:literal: $kind:ident $parts:ident;)*
    ) => {{
        const IS_KNOWN: bool = $(lists(SYSTEM, $name) ||)* $(lists(SYSTEM, $list))||*;
        const { assert!(IS_KNOWN, "TAUT_SYSTEM is not a known system") };
        $(
            if const { lists(SYSTEM, $name) } {
                $do!($single, $double, $n, $m, constant);
            }
        )*
        $(
            if const { lists(SYSTEM, $list) } {
                list!($do, $parts, $kind);
            }
        )*
    }};
}

/// Every system: those written by hand, then the lists of the gallery. Bricard's six-bar is too large.
macro_rules! chosen {
    ($do:ident) => {
        with_chosen! {
            $do;
            "pendulum-by-hand": ByHand<Pendulum<f32>>, ByHand<Pendulum<f64>>, 2, 1;
            "double-pendulum-by-hand": ByHand<DoublePendulum<f32>>, ByHand<DoublePendulum<f64>>, 4, 2;
            "spherical-pendulum": SphericalPendulum<f32>, SphericalPendulum<f64>, 3, 1;
            "slider-crank-massless": SliderCrank<f32>, SliderCrank<f64>, 2, 1;
            "four-bar-maximal": ByHand<FourBar<f32>>, ByHand<FourBar<f64>>, 9, 8;
            "chain": ByHand<Chain<f32, 8, 4>>, ByHand<Chain<f64, 8, 4>>, 8, 4;
            lists
            "pendulum": constant Pendulum;
            "double-pendulum": constant DoublePendulum;
            "four-bar": constant FourBar;
            "four-bar-angles": varying FourBarAngles;
            "five-bar": varying FiveBar;
            "five-bar-points": constant FiveBarPoints;
            "slider-crank": varying SliderCrank;
            "sprung-slider": constant SprungSlider;
            "crane": constant Crane;
            "hanging-chain": constant HangingChain;
            "ring": redundant Ring;
            "peaucellier": constant Peaucellier;
            "jansen-leg": constant JansenLeg;
            "pantograph": constant Pantograph;
            "scissor-lift": constant ScissorLift;
            "geared-five-bar": varying GearedFiveBar;
            "connected-pendulums": varying ConnectedPendulums;
            "plate": varying Plate;
            "andrews": varying Andrews;
            "lambda": varying Lambda;
            "scara": varying Scara;
            "delta": varying Delta;
            "linear-delta": constant LinearDelta;
            "heavy-top": constant HeavyTop;
            "gyroscope": constant Gyroscope;
            "gimbal": constant Gimbal;
            "universal-joint": constant UniversalJoint;
            "spatial-four-bar": constant SpatialFourBar;
            "stewart": constant Stewart;
            "ankle": varying Ankle;
        }
    };
}

#[cfg(target_os = "none")]
fn run() {
    use on_target::advise::cost;
    use taut::start::{Compensated, Plain, Precise};

    const STATES: &str = match option_env!("TAUT_STATES") {
        Some(states) => states,
        None => "plain-f32",
    };
    let mut counter = cost::begin();
    macro_rules! cost {
        ($single:ty, $double:ty, $n:expr, $m:expr, $kind:ident) => {
            if const { lists(STATES, "plain-f32") } {
                cost::$kind::<$single, Plain, { $n }, { $m }>(&mut counter);
            }
            if const { lists(STATES, "compensated-f32") } {
                cost::$kind::<$single, Compensated, { $n }, { $m }>(&mut counter);
            }
            if const { lists(STATES, "precise-f32") } {
                cost::$kind::<$single, Precise, { $n }, { $m }>(&mut counter);
            }
            if const { lists(STATES, "plain-f64") } {
                cost::$kind::<$double, Plain, { $n }, { $m }>(&mut counter);
            }
        };
    }
    chosen!(cost);
}

#[cfg(not(target_os = "none"))]
fn run() {
    macro_rules! advise {
        ($single:ty, $double:ty, $n:expr, $m:expr, $kind:ident) => {
            if let Err(error) = on_target::advise::recommend::$kind::<$single, $double, { $n }, { $m }>() {
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
