//! The counted steps of the four-bar linkage by hand, in single precision with plain states, from rest at 1 kHz.

use mechanisms::{ByHand, FourBar};
use on_target::general::General;
use taut::linalg::Vector;
use taut::method::{
    Composition, HalfExplicit, ImplicitEuler, LocalRungeKutta4, RadauIia, Report, RungeKutta4, RungeKutta8, Step,
    StepError, SymplecticEuler,
};
use taut::start::{Clock, IndexThreeState, Start};

use crate::cost::{Plainly, print};

/// Defines a step as a function with a symbol, and prints its cost.
macro_rules! step {
    ($name:expr, $system_type:ty, $method_type:ty, $state_type:ty, $multipliers:ty, $system:expr, $method:expr, $state:expr) => {{
        #[inline(never)]
        #[unsafe(export_name = $name)]
        fn step(
            system: &$system_type,
            method: &$method_type,
            state: &mut $state_type,
        ) -> Result<$multipliers, StepError<f32>> {
            method.step(system, state)
        }
        print($name, step, $system, &$method, $state);
    }};
}

/// Methods that step a mechanical system.
macro_rules! methods {
    ($linkage:expr, $state:expr; $($name:literal: $method_type:ty = $method:expr;)*) => {$(
        step!(concat!($name, "_four_bar_by_hand"), ByHand<FourBar<f32>>, $method_type, Plainly<9, 8>, Report<f32, 8>,
              $linkage, $method, $state);
    )*};
}

/// Counts and prints all steps.
pub fn print_all() {
    let linkage = ByHand(FourBar::standard());
    let clock = Clock::at_rate(1_000.0).expect("a rate above zero");
    let state = Start::at(&linkage, clock, FourBar::guess()).plain().at_rest().expect("a consistent start");
    methods! { &linkage, state;
        "runge_kutta_4": RungeKutta4<f32> = RungeKutta4::new();
        "runge_kutta_4_tangent": LocalRungeKutta4<f32, false> = LocalRungeKutta4::tangent();
        "runge_kutta_8": RungeKutta8<f32> = RungeKutta8::new();
        "half_explicit_1": HalfExplicit<f32, 1> = HalfExplicit::order_one();
        "half_explicit_2": HalfExplicit<f32, 2> = HalfExplicit::order_two();
        "half_explicit_3": HalfExplicit<f32, 3> = HalfExplicit::order_three();
        "half_explicit_4": HalfExplicit<f32, 5> = HalfExplicit::order_four();
        "implicit_euler_position": ImplicitEuler = ImplicitEuler::new();
        "implicit_euler_velocity": ImplicitEuler<2> = ImplicitEuler::velocity_level();
        "implicit_euler_acceleration": ImplicitEuler<1> = ImplicitEuler::acceleration_level();
        "implicit_euler_stabilised": ImplicitEuler<3, true> = ImplicitEuler::new().projecting_velocities();
        "radau_iia_3": RadauIia<f32, 2> = RadauIia::order_three();
        "radau_iia_5": RadauIia<f32, 3> = RadauIia::order_five();
        "suzuki": Composition<f32, 5> = Composition::suzuki();
        "kahan_li": Composition<f32, 9> = Composition::kahan_li();
        "symplectic_euler": SymplecticEuler = SymplecticEuler::new();
    }
    let general = General(FourBar::standard());
    let begin = IndexThreeState::start(&general, clock, *state.position(), [0.0; 9]).expect("a start");
    step!("implicit_euler_general_four_bar", General<FourBar<f32>>, ImplicitEuler, IndexThreeState<f32, 9, 9, 8>,
          Vector<f32, 8>, &general, ImplicitEuler::new(), begin);
}
