//! BDF2 on the position level from exact values: the multiplier is right after k + 1 = 3 steps (Arévalo, "numerically consistent initial
//! values", (1.2); Brenan and Engquist). In the stabilised form, of index 2, it is right from the first step.

use mechanisms::Problem51;
use taut::linalg::Vector;
use taut::method::{Bdf2, Report, Step, StepError, TwoNodes};
use taut::start::{Clock, Start, State};

use crate::assert_slopes;

type Nodes = TwoNodes<State<f64, 2, 1>, [Vector<f64, 2>; 2]>;

/// |λ − λ_n| of the first four steps after two exact values.
fn errors(
    method: &dyn Step<Problem51<f64>, Nodes, Report = Report<f64, 1>, Error = StepError<f64>>,
    h: f64,
) -> [f64; 4] {
    let system = Problem51::new();
    let [(q0, v0, _), (q1, v1, _)] = [0.0, h].map(Problem51::exact);
    let state = Start::at(&system, Clock::with_step(h).unwrap().at_tick(1), q1).limit(1e-6).moving(v1).unwrap();
    let mut nodes = TwoNodes::new(state, [q1 - q0, v1 - v0]);
    [2.0, 3.0, 4.0, 5.0].map(|tick| {
        let found = method.step(&system, &mut nodes).unwrap().multipliers[0];
        (found - Problem51::exact(tick * h).2).abs()
    })
}

#[test]
fn the_multiplier_of_index_three_needs_three_steps() {
    type Any = dyn Step<Problem51<f64>, Nodes, Report = Report<f64, 1>, Error = StepError<f64>>;
    let table: [(&Any, [f64; 4]); 2] = [
        (&Bdf2::position_level().iterations::<10>(), [1.0, 1.0, 2.0, 2.0]),
        (&Bdf2::new().iterations::<10>(), [2.0; 4]),
    ];
    for (method, orders) in table {
        let [coarse, fine] = [2e-3, 1e-3].map(|h| errors(method, h));
        for (step, order) in orders.into_iter().enumerate() {
            assert_slopes(&format!("{}, step {step}", method.name()), &[coarse[step], fine[step]], order, 0.15);
        }
    }
}
