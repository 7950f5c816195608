//! The counted steps of bodies that turn, in single precision, from 1 kHz.

use mechanisms::{FreeBody, HeavyTop, LinearRate};
use taut::attitude::{Attitude, Body, BodyState, ImplicitMidpoint, Magnus2, Magnus4, MuntheKaas, Rotation};
use taut::method::{Step, StepError};
use taut::start::{Clock, Compensated, Plain};

use crate::cost::print;

/// Defines a step as a function with a symbol, and prints its cost.
macro_rules! step {
    ($name:literal, $system_type:ty, $method_type:ty, $state_type:ty, $system:expr, $method:expr, $state:expr) => {{
        #[inline(never)]
        #[unsafe(export_name = $name)]
        fn step(system: &$system_type, method: &$method_type, state: &mut $state_type) -> Result<(), StepError<f32>> {
            method.step(system, state)
        }
        print($name, step, &$system, &$method, $state);
    }};
}

/// Counts and prints all steps.
pub fn print_all() {
    let rate = LinearRate { rate: [1.0, -2.0, 3.0], slope: [4.0, 5.0, -6.0] };
    let [free, top] = [FreeBody::standard().0, HeavyTop::standard().0];
    let (free, top) = (FreeBody(free), HeavyTop(top));
    let (clock, identity) = (clock(), Rotation::identity());
    step!("magnus_2", LinearRate<f32>, Magnus2, Attitude<f32, Compensated>, rate, Magnus2,
          Attitude::start(clock, identity).expect("a start"));
    step!("magnus_4", LinearRate<f32>, Magnus4, Attitude<f32, Compensated>, rate, Magnus4,
          Attitude::start(clock, identity).expect("a start"));
    step!("magnus_4_plain", LinearRate<f32>, Magnus4, Attitude<f32, Plain>, rate, Magnus4,
          Attitude::start(clock, identity).expect("a start").plain());
    step!("munthe_kaas_2_free_body", FreeBody<f32>, MuntheKaas<f32, 2>, BodyState<f32>, free, MuntheKaas::order_two(),
          start(&free));
    step!("munthe_kaas_4_free_body", FreeBody<f32>, MuntheKaas<f32, 4>, BodyState<f32>, free, MuntheKaas::order_four(),
          start(&free));
    step!("munthe_kaas_4_heavy_top", HeavyTop<f32>, MuntheKaas<f32, 4>, BodyState<f32>, top, MuntheKaas::order_four(),
          start(&top));
    step!(
        "implicit_midpoint_free_body",
        FreeBody<f32>,
        ImplicitMidpoint,
        BodyState<f32>,
        free,
        ImplicitMidpoint::new(),
        start(&free)
    );
    step!(
        "implicit_midpoint_heavy_top",
        HeavyTop<f32>,
        ImplicitMidpoint,
        BodyState<f32>,
        top,
        ImplicitMidpoint::new(),
        start(&top)
    );
}

fn clock() -> Clock<f32> {
    Clock::at_rate(1_000.0).expect("a rate above zero")
}

fn start<B: Body<Base = f32>>(body: &B) -> BodyState<f32> {
    BodyState::start(body, clock(), Rotation::identity(), [1.0, 2.0, 30.0]).expect("a start")
}
