//! The steps that are counted, in single precision, each a function of its own that no caller knows. The states are plain:
//! what a method costs in itself, to be compared with plain C. Every method steps a pendulum and a double pendulum, with derivatives
//! written by hand through hostile states and, from rest at 1 kHz, where the machine has instructions for floating-point numbers, automatic
//! ones: without them, the code of all would not fit into its flash.

use on_target::general::General;
use systems::{ByHand, DoublePendulum, Pendulum};
use taut::linalg::Vector;
use taut::method::{
    Composition, HalfExplicit, ImplicitEuler, ImplicitEulerGeneral, Report, RungeKutta4, RungeKutta8, StepError,
    StepSize, SymplecticEuler,
};
use taut::start::{IndexThreeState, Start};

use crate::cost::{Mechanically, Plainly, print, print_hostile};
use crate::quiet::Quiet;

/// A step as a function with a symbol, and what it costs.
macro_rules! step {
    ($name:expr, $system_type:ty, $method_type:ty, $state_type:ty, $outcome:ty,
     $system:expr, $method:expr, $state:expr, |$result:ident| $answer:expr) => {{
        #[inline(never)]
        #[unsafe(export_name = $name)]
        fn step(system: &$system_type, method: &$method_type, state: &mut $state_type) -> $outcome {
            let $result = method.step(system, state);
            $answer
        }
        print($name, step, &$system, &$method, $state);
    }};
}

/// A method on a system, as it is and with a caller that asks for nothing but success where a second name is given.
macro_rules! mechanical {
    ($name:expr, $system_type:ty, $n:literal, $m:literal, $method_type:ty, $system:expr, $method:expr, $start:expr) => {
        step!($name, $system_type, $method_type, Plainly<$n, $m>, Result<Report<f32, $m>, StepError<f32>>,
              $system, $method, $start, |result| result)
    };
    (quiet $name:expr, $system_type:ty, $n:literal, $m:literal, $method_type:ty, $system:expr, $method:expr, $start:expr) => {
        step!($name, Quiet<$system_type>, $method_type, Plainly<$n, $m>, bool,
              Quiet($system), $method, $start, |result| result.is_ok())
    };
}

/// A method on a system through hostile states.
macro_rules! hostile {
    ($name:expr, $system_type:ty, $n:literal, $m:literal, $method_type:ty, $method:expr) => {{
        #[inline(never)]
        #[unsafe(export_name = $name)]
        fn step(
            system: &$system_type,
            method: &$method_type,
            state: &mut Plainly<$n, $m>,
        ) -> Result<Report<f32, $m>, StepError<f32>> {
            method.step(system, state)
        }
        print_hostile($name, step as Mechanically<$system_type, $method_type, $n, $m>, $method);
    }};
}

/// Every method on both pendulums, by hand and automatic.
macro_rules! methods {
    ($($name:literal: $method_type:ty = $method:expr;)*) => {$(
        hostile!(concat!($name, "_pendulum_by_hand"), ByHand<Pendulum<f32>>, 2, 1, $method_type, $method);
        #[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
        {
            mechanical!(concat!($name, "_pendulum_automatic"), Pendulum<f32>, 2, 1, $method_type,
                        Pendulum::standard(), $method(size()), pendulum());
        }
        hostile!(concat!($name, "_double_pendulum_by_hand"), ByHand<DoublePendulum<f32>>, 4, 2, $method_type, $method);
        #[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
        {
            mechanical!(concat!($name, "_double_pendulum_automatic"), DoublePendulum<f32>, 4, 2, $method_type,
                        DoublePendulum::standard(), $method(size()), double_pendulum());
        }
    )*};
}

/// Counts and prints them all.
pub fn print_all() {
    methods! {
        "runge_kutta_4": RungeKutta4<f32> = RungeKutta4::with_step;
        "runge_kutta_8": RungeKutta8<f32> = RungeKutta8::with_step;
        "half_explicit_1": HalfExplicit<f32, 1> = HalfExplicit::order_one;
        "half_explicit_2": HalfExplicit<f32, 2> = HalfExplicit::order_two;
        "half_explicit_3": HalfExplicit<f32, 3> = HalfExplicit::order_three;
        "half_explicit_4": HalfExplicit<f32, 5> = HalfExplicit::order_four;
        "implicit_euler_position": ImplicitEuler<f32, 3> = ImplicitEuler::position_level;
        "implicit_euler_velocity": ImplicitEuler<f32, 2> = ImplicitEuler::velocity_level;
        "implicit_euler_acceleration": ImplicitEuler<f32, 1> = ImplicitEuler::acceleration_level;
        "implicit_euler_stabilised": ImplicitEuler<f32, 3, true> =
            |size| ImplicitEuler::position_level(size).projecting_velocities();
        "suzuki": Composition<f32, 5> = Composition::suzuki;
        "kahan_li": Composition<f32, 9> = Composition::kahan_li;
        "symplectic_euler": SymplecticEuler<f32> = SymplecticEuler::with_step;
    }
    mechanical!(quiet "runge_kutta_4_pendulum_by_hand_without_report", ByHand<Pendulum<f32>>, 2, 1, RungeKutta4<f32>,
                ByHand(Pendulum::standard()), RungeKutta4::with_step(size()), pendulum());
    mechanical!(quiet "runge_kutta_4_double_pendulum_by_hand_without_report", ByHand<DoublePendulum<f32>>, 4, 2,
                RungeKutta4<f32>, ByHand(DoublePendulum::standard()), RungeKutta4::with_step(size()), double_pendulum());
    step!("implicit_euler_general_pendulum", General<Pendulum<f32>>, ImplicitEulerGeneral<f32>,
          IndexThreeState<f32, 2, 2, 1>, Result<Vector<f32, 1>, StepError<f32>>, General(Pendulum::standard()),
          ImplicitEulerGeneral::with_step(size()),
          IndexThreeState::start(&General(Pendulum::standard()), 0.0, [1.0, 0.0], [0.0; 2]).expect("a start"),
          |result| result);
    step!("implicit_euler_general_double_pendulum", General<DoublePendulum<f32>>, ImplicitEulerGeneral<f32>,
          IndexThreeState<f32, 4, 4, 2>, Result<Vector<f32, 2>, StepError<f32>>, General(DoublePendulum::standard()),
          ImplicitEulerGeneral::with_step(size()),
          IndexThreeState::start(&General(DoublePendulum::standard()), 0.0, [1.0, 0.0, 2.0, 0.0], [0.0; 4])
              .expect("a start"),
          |result| result);
}

fn size() -> StepSize<f32> {
    StepSize::at_rate(1_000.0).expect("a rate above zero")
}

fn pendulum() -> Plainly<2, 1> {
    Start::at(&Pendulum::standard(), [1.0, 0.0]).plain().at_rest().expect("a consistent start")
}

fn double_pendulum() -> Plainly<4, 2> {
    Start::at(&DoublePendulum::standard(), [1.0, 0.0, 2.0, 0.0]).plain().at_rest().expect("a consistent start")
}
