//! The counted steps of lists of parts, in single precision, with plain states. Callers use only `is_ok`.

use mechanisms::parts;
use taut::linalg::Vector;
use taut::method::{Rattle, RungeKutta4, Step};
use taut::parts::Mechanism;
use taut::parts::by_hand::List;
use taut::start::{Clock, Start};

use crate::cost::{Plainly, print};

/// Defines a step as a function with a symbol, and prints its cost.
macro_rules! step {
    ($name:literal, $list:ident, $n:literal, $m:literal, $method_type:ty, $method:expr, $v:expr) => {{
        type Model = Mechanism<parts::$list<f32>, $n, $m>;
        #[inline(never)]
        #[unsafe(export_name = $name)]
        fn step(system: &Model, method: &$method_type, state: &mut Plainly<$n, $m>) -> bool {
            method.step(system, state).is_ok()
        }
        // Light enough to move for 200 steps without being stretched.
        let mut list = parts::$list::<f32>::new();
        list.gravity = 1.0;
        let Ok(model) = list.build() else { panic!("a list that cannot be built") };
        print($name, step, &model, &$method, start(&model, $v.into()));
    }};
}

/// Counts and prints all steps.
pub fn print_all() {
    step!("parts_four_bar_rattle", FourBar, 4, 3, Rattle, Rattle::new(), [-1.0, 0.0, 0.0, 0.0]);
    step!("parts_four_bar_runge_kutta_4", FourBar, 4, 3, RungeKutta4<f32>, RungeKutta4::new(), [-1.0, 0.0, 0.0, 0.0]);
    step!("parts_four_bar_angles_runge_kutta_4", FourBarAngles, 2, 1, RungeKutta4<f32>, RungeKutta4::new(), [5.0, 0.0]);
    step!("parts_five_bar_rattle", FiveBarPoints, 6, 4, Rattle, Rattle::new(), [0.0; 6]);
    step!("parts_five_bar_runge_kutta_4", FiveBar, 4, 2, RungeKutta4<f32>, RungeKutta4::new(), [0.0; 4]);
    step!("parts_slider_crank_runge_kutta_4", SliderCrank, 2, 1, RungeKutta4<f32>, RungeKutta4::new(), [5.0, 0.0]);
    step!("parts_heavy_top_rattle", HeavyTop, 9, 6, Rattle, Rattle::new(), [0.0; 9]);
    step!("parts_delta_runge_kutta_4", Delta, 6, 3, RungeKutta4<f32>, RungeKutta4::new(), [0.0; 6]);
}

fn start<L: List<N, M, Base = f32>, const N: usize, const M: usize>(
    system: &Mechanism<L, N, M>,
    v: Vector<f32, N>,
) -> Plainly<N, M> {
    let Ok(clock) = Clock::at_rate(1_000.0) else { panic!("a rate that is not above zero") };
    let Ok(state) = Start::at(system, clock, system.assembled()).plain().moving(v) else {
        panic!("no consistent start")
    };
    state
}
