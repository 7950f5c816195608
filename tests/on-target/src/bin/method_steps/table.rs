//! The counted steps, in single precision. Each is a separate function that is called through a pointer. The states are plain, for a
//! comparison with plain C. Every method steps a pendulum and a double pendulum: with derivatives written by hand through hostile
//! states, and with automatic derivatives from rest at 1 kHz. Machines without floating-point instructions skip the automatic ones,
//! because the code of all would not fit into their flash.

use mechanisms::{ByHand, DoublePendulum, Pendulum};
#[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
use mechanisms::{Delta, FiveBar, FourBar};
use on_target::general::General;
use taut::linalg::Vector;
use taut::method::{
    Bdf2, Composition, HalfExplicit, ImplicitEuler, LocalRungeKutta4, RadauIia, Report, RungeKutta4, RungeKutta8, Step,
    StepError, SymplecticEuler, TwoNodes,
};
use taut::start::{Clock, IndexThreeState, Start};
#[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
use taut::system::Mechanical;

use crate::cost::{Mechanically, Plainly, print, print_hostile};
use crate::quiet::Quiet;

/// Defines a step as a function with a symbol, and prints its cost.
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

/// A method on a system; with `quiet`, for a caller that uses only `is_ok`.
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
        print_hostile($name, step as Mechanically<$system_type, $method_type, $n, $m>, &$method);
    }};
}

/// Every method on both pendulums, by hand and automatic.
macro_rules! methods {
    ($($name:literal: $method_type:ty = $method:expr;)*) => {$(
        hostile!(concat!($name, "_pendulum_by_hand"), ByHand<Pendulum<f32>>, 2, 1, $method_type, $method);
        #[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
        {
            mechanical!(concat!($name, "_pendulum_automatic"), Pendulum<f32>, 2, 1, $method_type,
                        Pendulum::standard(), $method, pendulum());
        }
        hostile!(concat!($name, "_double_pendulum_by_hand"), ByHand<DoublePendulum<f32>>, 4, 2, $method_type, $method);
        #[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
        {
            mechanical!(concat!($name, "_double_pendulum_automatic"), DoublePendulum<f32>, 4, 2, $method_type,
                        DoublePendulum::standard(), $method, double_pendulum());
        }
    )*};
}

/// Counts and prints all steps.
pub fn print_all() {
    methods! {
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
    mechanical!(quiet "runge_kutta_4_pendulum_by_hand_without_report", ByHand<Pendulum<f32>>, 2, 1, RungeKutta4<f32>,
                ByHand(Pendulum::standard()), RungeKutta4::new(), pendulum());
    mechanical!(quiet "runge_kutta_4_double_pendulum_by_hand_without_report", ByHand<DoublePendulum<f32>>, 4, 2,
                RungeKutta4<f32>, ByHand(DoublePendulum::standard()), RungeKutta4::new(), double_pendulum());
    #[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
    print_linkages();
    step!(
        "bdf_2_double_pendulum_by_hand",
        ByHand<DoublePendulum<f32>>,
        Bdf2,
        TwoNodes<Plainly<4, 2>, [Vector<f32, 4>; 2]>,
        Result<Report<f32, 2>, StepError<f32>>,
        ByHand(DoublePendulum::standard()),
        Bdf2::new(),
        Bdf2::new().begin(&ByHand(DoublePendulum::standard()), double_pendulum()).expect("a first step"),
        |result| result
    );
    step!("implicit_euler_general_pendulum", General<Pendulum<f32>>, ImplicitEuler,
          IndexThreeState<f32, 2, 2, 1>, Result<Vector<f32, 1>, StepError<f32>>, General(Pendulum::standard()),
          ImplicitEuler::new(),
          IndexThreeState::start(&General(Pendulum::standard()), clock(), [1.0, 0.0], [0.0; 2]).expect("a start"),
          |result| result);
    step!("implicit_euler_general_double_pendulum", General<DoublePendulum<f32>>, ImplicitEuler,
          IndexThreeState<f32, 4, 4, 2>, Result<Vector<f32, 2>, StepError<f32>>, General(DoublePendulum::standard()),
          ImplicitEuler::new(),
          IndexThreeState::start(&General(DoublePendulum::standard()), clock(), [1.0, 0.0, 2.0, 0.0], [0.0; 4])
              .expect("a start"),
          |result| result);
}

/// Linkages with sines; in all but the last the mass varies.
#[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
fn print_linkages() {
    // Light enough to fall for 200 steps without being stretched.
    let five_bar = FiveBar::<f32> { gravity: 1.0, ..FiveBar::standard() };
    let delta = Delta::<f32> { gravity: 1.0, ..Delta::standard() };
    mechanical!(
        "runge_kutta_4_five_bar",
        FiveBar<f32>,
        4,
        2,
        RungeKutta4<f32>,
        five_bar,
        RungeKutta4::new(),
        start(&five_bar, five_bar.elbows_out([0.03, 0.17].into()))
    );
    mechanical!("half_explicit_3_five_bar", FiveBar<f32>, 4, 2, HalfExplicit<f32, 3>, five_bar,
                HalfExplicit::order_three(), start(&five_bar, five_bar.elbows_out([0.03, 0.17].into())));
    mechanical!(
        "runge_kutta_4_delta",
        Delta<f32>,
        6,
        3,
        RungeKutta4<f32>,
        delta,
        RungeKutta4::new(),
        start(&delta, delta.elbows_out([0.03, 0.0, -0.22].into()))
    );
    #[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
    mechanical!("radau_iia_3_four_bar_by_hand", ByHand<FourBar<f32>>, 9, 8, RadauIia<f32, 2>, ByHand(FourBar::standard()),
                RadauIia::order_three(), start(&ByHand(FourBar::standard()), FourBar::guess().into()));
    mechanical!(
        "implicit_euler_velocity_four_bar_by_hand",
        ByHand<FourBar<f32>>,
        9,
        8,
        ImplicitEuler<2>,
        ByHand(FourBar::standard()),
        ImplicitEuler::velocity_level(),
        start(&ByHand(FourBar::standard()), FourBar::guess().into())
    );
    mechanical!(
        "runge_kutta_4_four_bar_by_hand",
        ByHand<FourBar<f32>>,
        9,
        8,
        RungeKutta4<f32>,
        ByHand(FourBar::standard()),
        RungeKutta4::new(),
        start(&ByHand(FourBar::standard()), FourBar::guess().into())
    );
    mechanical!(
        "runge_kutta_4_tangent_four_bar_by_hand",
        ByHand<FourBar<f32>>,
        9,
        8,
        LocalRungeKutta4<f32, false>,
        ByHand(FourBar::standard()),
        LocalRungeKutta4::tangent(),
        start(&ByHand(FourBar::standard()), FourBar::guess().into())
    );
}

fn clock() -> Clock<f32> {
    Clock::at_rate(1_000.0).expect("a rate above zero")
}

#[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
fn start<System: Mechanical<N, M, Base = f32>, const N: usize, const M: usize>(
    system: &System,
    pose: Vector<f32, N>,
) -> Plainly<N, M> {
    Start::at(system, clock(), pose).plain().at_rest().expect("a consistent start")
}

fn pendulum() -> Plainly<2, 1> {
    Start::at(&Pendulum::standard(), clock(), [1.0, 0.0]).plain().at_rest().expect("a consistent start")
}

fn double_pendulum() -> Plainly<4, 2> {
    Start::at(&DoublePendulum::standard(), clock(), [1.0, 0.0, 2.0, 0.0]).plain().at_rest().expect("a consistent start")
}
