//! Lets a list of the gallery go for two seconds, on this computer or on a machine: prints its energy and its position every 10 ms. Motors are
//! off.
//!
//! The list is chosen at compile time, because all of them together would not fit into the flash. `cargo xtask demo --mechanism NAME` builds
//! and runs it for a list without a loop.

#![cfg_attr(target_os = "none", no_std, no_main)]

use mechanisms::parts;
use on_target::advise::lists;
#[cfg(target_os = "none")]
use semihosting::{print, println};
use taut::method::{RungeKutta4, Step};
use taut::parts::Mechanism;
use taut::parts::by_hand::List;
use taut::start::Clock;

/// The list, by its name.
const SYSTEM: &str = match option_env!("TAUT_SYSTEM") {
    Some(name) => name,
    None => "pendulum",
};

/// Steps per second. Andrews' mechanism turns within 30 ms.
const RATE: u32 = if lists(SYSTEM, "andrews") { 10_000 } else { 1_000 };
/// Steps per line, and all steps.
const EVERY: u32 = RATE / 100;
const STEPS: u32 = 2 * RATE;

/// Prints `at TIME ENERGY POSITION...`. A step that fails ends the run: `stopped TIME ERROR`.
#[inline(never)]
fn let_go<L: List<N, M, Base = f32>, const N: usize, const M: usize>(mechanism: &Mechanism<L, N, M>) {
    let clock = Clock::at_rate(RATE as f32).expect("a valid rate");
    let started = mechanism.start(clock).moving(parts::velocity(mechanism));
    let mut state = match started {
        Ok(state) => state,
        Err(error) => return println!("stopped 0 {}", mechanism.explain(error)),
    };
    for tick in 0..=STEPS {
        let (q, v, time) = (state.position(), state.velocity(), tick as f32 / RATE as f32);
        if tick % EVERY == 0 {
            print!("at {time} {:e}", mechanism.kinetic_energy(q, v) + mechanism.potential_energy(q));
            q.iter().for_each(|x| print!(" {x:e}"));
            println!();
        }
        if let Err(error) = RungeKutta4::new().step(mechanism, &mut state) {
            return println!("stopped {time} {}", mechanism.explain(error));
        }
    }
}

macro_rules! chosen {
    ($($name:literal: $list:ident,)*) => {{
        const { assert!($(lists(SYSTEM, $name))||*, "TAUT_SYSTEM is not a known list") };
        $(if const { lists(SYSTEM, $name) } {
            let_go(&parts::$list::<f32>::new().build().unwrap_or_else(|error| panic!("{error}")));
        })*
    }};
}

fn run() {
    chosen! {
        "pendulum": Pendulum,
        "double-pendulum": DoublePendulum,
        "four-bar": FourBar,
        "sprung-slider": SprungSlider,
        "hanging-chain": HangingChain,
        "ring": Ring,
        "peaucellier": Peaucellier,
        "jansen-leg": JansenLeg,
        "pantograph": Pantograph,
        "scissor-lift": ScissorLift,
        "connected-pendulums": ConnectedPendulums,
        "plate": Plate,
        "lambda": Lambda,
        "heavy-top": HeavyTop,
        "gyroscope": Gyroscope,
        "bricard": Bricard,
        "crane": Crane,
        "andrews": Andrews,
        "gimbal": Gimbal,
        "spatial-four-bar": SpatialFourBar,
        "universal-joint": UniversalJoint,
    }
}

on_target::program!(run);
on_target::report_panics!();
