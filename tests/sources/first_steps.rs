//! BDF2 on the position level from exact values: the multiplier is right after k + 1 = 3 steps (Arévalo, "numerically consistent initial
//! values", (1.2); Brenan and Engquist). In the stabilised form, of index 2, it is right from the first step. And where exact values are
//! numerically consistent with implicit Euler: (3.4).

use mechanisms::{Pendulum, Problem51};
use taut::linalg::Vector;
use taut::method::{AnyMethod, Bdf2, ImplicitEuler, Report, RungeKutta8, Step, StepError, TwoNodes};
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

/// λ₁ of implicit Euler from exact values of a pendulum with this speed, less the exact λ.
fn first_error(speed: f64, h: f64) -> f64 {
    let pendulum = Pendulum::<f64>::unit();
    let clock = Clock::with_step(h).unwrap();
    let start = Start::at(&pendulum, clock, [0.6, -0.8]).limit(1e-6).moving([0.8 * speed, 0.6 * speed]).unwrap();
    let (mut exact, mut state) = (start, start);
    let _ = (&RungeKutta8::new() as &AnyMethod<_, f64, 2, 1>).step(&pendulum, &mut exact).unwrap();
    let found = ImplicitEuler::new().step(&pendulum, &mut state).unwrap().multipliers[0];
    found - exact.multipliers(&pendulum).unwrap()[0]
}

/// (3.4): v₀ is v(0) if G v'(0) = 0. Here G v' = −|v|²: from rest λ₁ is right as definition 2.1 has it, and with a speed it is off by
/// δλ = ½ ((G M⁻¹ Gᵀ)⁻¹ G M⁻¹ F + λ), which is |v|²/2.
#[test]
fn exact_values_are_numerically_consistent_where_the_acceleration_is_along_the_constraint() {
    let [coarse, fine] = [2e-3, 1e-3].map(|h| first_error(0.0, h));
    // Even to O(h²), since λ' = 0 at rest.
    assert_slopes("from rest", &[coarse.abs(), fine.abs()], 2.0, 0.05);
    for speed in [0.5, 1.0, 2.0_f64] {
        let half = speed * speed / 2.0;
        let off = [2e-3, 1e-3].map(|h| first_error(speed, h).abs() - half);
        // δλ is right to O(h).
        assert!(off[1].abs() < 0.01 * half, "{off:?}");
        assert_slopes("with a speed", &off.map(f64::abs), 1.0, 0.05);
    }
}
