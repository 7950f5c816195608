//! The counted steps of lists of parts and of the same mechanisms written by hand in the same coordinates, in single precision. The states
//! are plain unless the name says another precision. Callers use only `is_ok`.

use mechanisms::{Delta, FiveBar, FiveBarPoints, FourBarPoints, HeavySliderCrank, parts};
use on_target::digits::Digits;
use taut::linalg::Ldlt;
use taut::method::{Rattle, RungeKutta4, Step};
use taut::parts::Mechanism;
use taut::start::{Clock, Compensated, Plain, Precise, Start, State};

use crate::cost::print;

/// Defines a step as a function with a symbol, and prints its cost. `$q` is where the system starts.
macro_rules! counted {
    (
        $name:expr, $model:ty, $system:expr, $n:literal, $m:literal, $digits:ty, $method_type:ty, $method:expr, $q:expr, $v:expr
    ) => {{
        #[inline(never)]
        #[unsafe(export_name = $name)]
        fn step(
            system: &$model,
            method: &$method_type,
            state: &mut State<f32, $n, $m, Ldlt<f32, $m>, $digits>,
        ) -> bool {
            method.step(system, state).is_ok()
        }
        let system: &$model = $system;
        let Ok(clock) = Clock::at_rate(1_000.0) else { panic!("a rate that is not above zero") };
        let Ok(state) = <$digits>::of(Start::at(system, clock, $q)).moving($v) else { panic!("no consistent start") };
        print($name, step, system, &$method, state);
    }};
}

/// A list of parts and, where there is one, the model by hand, from the same start.
macro_rules! steps {
    (
        $name:literal, $list:ident, $n:literal, $m:literal, $digits:ty, $method_type:ty, $method:expr, $v:expr
        $(; $by_hand:ty, $model:expr)?
    ) => {{
        type List = Mechanism<parts::$list<f32>, $n, $m>;
        // Light enough to move for 200 steps without being stretched.
        let mut list = parts::$list::<f32>::new();
        list.gravity = 1.0;
        let Ok(built) = list.build() else { panic!("a list that cannot be built") };
        counted!(concat!("parts_", $name), List, &built, $n, $m, $digits, $method_type, $method, built.assembled(), $v);
        $(
            let by_hand: $by_hand = $model;
            counted!(
                concat!("by_hand_", $name), $by_hand, &by_hand, $n, $m, $digits, $method_type, $method, built.assembled(), $v
            );
        )?
    }};
}

/// Counts and prints all steps.
#[rustfmt::skip]
pub fn print_all() {
    let Ok(mut four_bar) = FourBarPoints::<f32>::standard() else { panic!("a mass that is not positive") };
    four_bar.gravity = 1.0;
    let five_bar = FiveBar::<f32> { gravity: 1.0, ..FiveBar::standard() };
    let Ok(five_bar_points) = FiveBarPoints::new(five_bar) else { panic!("a mass that is not positive") };
    let slider_crank = HeavySliderCrank::<f32> { gravity: 1.0, ..HeavySliderCrank::standard() };
    let delta = Delta::<f32> { gravity: 1.0, ..Delta::standard() };
    steps!("four_bar_rattle", FourBar, 4, 3, Plain, Rattle, Rattle::new(), [-1.0, 0.0, 0.0, 0.0]; FourBarPoints<f32>, four_bar);
    steps!("four_bar_rattle_compensated", FourBar, 4, 3, Compensated, Rattle, Rattle::new(), [-1.0, 0.0, 0.0, 0.0];
        FourBarPoints<f32>, four_bar);
    steps!("four_bar_rattle_precise", FourBar, 4, 3, Precise, Rattle, Rattle::new(), [-1.0, 0.0, 0.0, 0.0];
        FourBarPoints<f32>, four_bar);
    steps!("four_bar_runge_kutta_4", FourBar, 4, 3, Plain, RungeKutta4<f32>, RungeKutta4::new(), [-1.0, 0.0, 0.0, 0.0];
        FourBarPoints<f32>, four_bar);
    steps!("four_bar_angles_runge_kutta_4", FourBarAngles, 2, 1, Plain, RungeKutta4<f32>, RungeKutta4::new(), [5.0, 0.0]);
    steps!("five_bar_rattle", FiveBarPoints, 6, 4, Plain, Rattle, Rattle::new(), [0.0; 6]; FiveBarPoints<f32>, five_bar_points);
    steps!("five_bar_runge_kutta_4", FiveBar, 4, 2, Plain, RungeKutta4<f32>, RungeKutta4::new(), [0.0; 4]; FiveBar<f32>, five_bar);
    steps!("slider_crank_runge_kutta_4", SliderCrank, 2, 1, Plain, RungeKutta4<f32>, RungeKutta4::new(), [5.0, 0.0];
        HeavySliderCrank<f32>, slider_crank);
    steps!("heavy_top_rattle", HeavyTop, 9, 6, Plain, Rattle, Rattle::new(), [0.0; 9]);
    steps!("delta_runge_kutta_4", Delta, 6, 3, Plain, RungeKutta4<f32>, RungeKutta4::new(), [0.0; 6]; Delta<f32>, delta);
}
