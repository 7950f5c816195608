//! The counted steps, in single precision. Each is a separate function that is called through a pointer. The states are plain, for a
//! comparison with plain C. Every method steps a pendulum and a double pendulum: with derivatives written by hand through hostile
//! states, and with automatic derivatives from rest at 1 kHz. Machines without floating-point instructions skip the automatic ones,
//! because the code of all would not fit into their flash. The four-bar linkage has a
//! program of its own, `four_bar_steps`, for the same reason; only methods that keep more than the state step it here.

use mechanisms::{ByHand, DoublePendulum, Pendulum};
#[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
use mechanisms::{Delta, FiveBar, FourBar, SteeringWheel};
use on_target::general::General;
#[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
use on_target::globe::Globe;
use taut::linalg::Vector;
use taut::method::{
    Bdf2, Composition, HalfExplicit, ImplicitEuler, LocalRungeKutta4, RadauIia, Report, RungeKutta4, RungeKutta8, Step,
    StepError, SymplecticEuler, TwoNodes,
};
#[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
use taut::method::{Chart, Partitioned};
use taut::start::{Clock, IndexThreeState, Start};
#[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
use taut::start::{ImplicitState, ManifoldState, SemiExplicitState};
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

/// Runge–Kutta in partitioned coordinates: steps that keep the choice, and steps that choose.
#[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
macro_rules! partitioned {
    ($name:literal, $system_type:ty, $n:literal, $m:literal, $system:expr, $start:expr) => {
        let mut kept = Partitioned::new($start);
        LocalRungeKutta4::partitioned().step(&$system, &mut kept).expect("a first step");
        partitioned!(concat!("runge_kutta_4_partitioned_", $name, "_by_hand"), $system_type, $n, $m, $system,
                     LocalRungeKutta4::partitioned(), kept);
        // Above one, no choice is good enough.
        partitioned!(concat!("runge_kutta_4_choosing_", $name, "_by_hand"), $system_type, $n, $m, $system,
                     LocalRungeKutta4::partitioned().hysteresis(2.0), kept);
    };
    ($name:expr, $system_type:ty, $n:literal, $m:literal, $system:expr, $method:expr, $state:expr) => {
        step!($name, $system_type, LocalRungeKutta4<f32, true>, Partitioned<Plainly<$n, $m>, $n>,
              Result<Report<f32, $m>, StepError<f32>>, $system, $method, $state, |result| result)
    };
}

/// BDF2, from its second step on.
macro_rules! bdf_2 {
    ($name:literal, $system_type:ty, $n:literal, $m:literal, $system:expr, $start:expr) => {
        step!(
            $name,
            $system_type,
            Bdf2,
            TwoNodes<Plainly<$n, $m>, [Vector<f32, $n>; 2]>,
            Result<Report<f32, $m>, StepError<f32>>,
            $system,
            Bdf2::new(),
            Bdf2::new().begin(&$system, $start).expect("a first step"),
            |result| result
        )
    };
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
    {
        print_linkages();
        print_held();
        print_forms();
    }
    bdf_2!(
        "bdf_2_double_pendulum_by_hand",
        ByHand<DoublePendulum<f32>>,
        4,
        2,
        ByHand(DoublePendulum::standard()),
        double_pendulum()
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

/// Linkages with sines, whose mass varies.
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
}

/// Methods that keep more than the state, on every system of the table.
#[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
fn print_held() {
    let four_bar = ByHand(FourBar::<f32>::standard());
    let hanging = start(&four_bar, FourBar::guess().into());
    partitioned!("pendulum", ByHand<Pendulum<f32>>, 2, 1, ByHand(Pendulum::standard()), pendulum());
    partitioned!(
        "double_pendulum",
        ByHand<DoublePendulum<f32>>,
        4,
        2,
        ByHand(DoublePendulum::standard()),
        double_pendulum()
    );
    partitioned!("four_bar", ByHand<FourBar<f32>>, 9, 8, four_bar, hanging);
    bdf_2!("bdf_2_pendulum_by_hand", ByHand<Pendulum<f32>>, 2, 1, ByHand(Pendulum::standard()), pendulum());
    bdf_2!("bdf_2_four_bar_by_hand", ByHand<FourBar<f32>>, 9, 8, four_bar, hanging);
}

/// Radau IIA and Runge–Kutta on the other forms, and the charts.
#[cfg(any(target_arch = "riscv32", target_abi = "eabihf"))]
fn print_forms() {
    let (wheel, [cos, sin]) = (SteeringWheel::<f32>::new(), [0.825_335_6, -0.564_642_5]);
    let explicit = SemiExplicitState::start(&wheel, clock(), [cos, sin], [1.0]).expect("a start");
    step!("radau_iia_3_semi_explicit_steering_wheel", SteeringWheel<f32>, RadauIia<f32, 2>, SemiExplicitState<f32, 2, 1>,
          Result<Vector<f32, 1>, StepError<f32>>, wheel, RadauIia::order_three(), explicit, |result| result);
    step!("runge_kutta_4_semi_explicit_steering_wheel", SteeringWheel<f32>, RungeKutta4<f32>, SemiExplicitState<f32, 2, 1>,
          Result<(), StepError<f32>>, wheel, RungeKutta4::new(), explicit, |result| result);
    step!("radau_iia_3_implicit_steering_wheel", SteeringWheel<f32>, RadauIia<f32, 2>, ImplicitState<f32, 3>,
          Result<(), StepError<f32>>, wheel, RadauIia::order_three(),
          ImplicitState::start(&wheel, clock(), [cos, sin, explicit.algebraic()[0]]).expect("a start"), |result| result);
    step!("radau_iia_3_general_pendulum", General<Pendulum<f32>>, RadauIia<f32, 2>, IndexThreeState<f32, 2, 2, 1>,
          Result<Vector<f32, 1>, StepError<f32>>, General(Pendulum::standard()), RadauIia::order_three(),
          IndexThreeState::start(&General(Pendulum::standard()), clock(), [1.0, 0.0], [0.0; 2]).expect("a start"),
          |result| result);
    step!("radau_iia_3_general_double_pendulum", General<DoublePendulum<f32>>, RadauIia<f32, 2>,
          IndexThreeState<f32, 4, 4, 2>, Result<Vector<f32, 2>, StepError<f32>>, General(DoublePendulum::standard()),
          RadauIia::order_three(),
          IndexThreeState::start(&General(DoublePendulum::standard()), clock(), [1.0, 0.0, 2.0, 0.0], [0.0; 4])
              .expect("a start"),
          |result| result);
    let point = ManifoldState::start(&Globe::new(), clock(), [0.6, 0.0, 0.8]).expect("a start");
    step!("runge_kutta_4_globe", Globe<f32>, RungeKutta4<f32>, ManifoldState<f32, 3, 1>, Result<(), StepError<f32>>,
          Globe::new(), RungeKutta4::new(), point, |result| result);
    step!("projected_stages_globe", Globe<f32>, Chart, ManifoldState<f32, 3, 1>, Result<(), StepError<f32>>, Globe::new(), Chart::Projected,
          point, |result| result);
    step!("tangent_chart_globe", Globe<f32>, Chart, ManifoldState<f32, 3, 1>, Result<(), StepError<f32>>, Globe::new(), Chart::Tangent,
          point, |result| result);
    step!("stereographic_chart_globe", Globe<f32>, Chart, ManifoldState<f32, 3, 1>, Result<(), StepError<f32>>, Globe::new(), Chart::Stereographic,
          point, |result| result);
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
