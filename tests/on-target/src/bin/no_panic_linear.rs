//! Calls everything that a user calls for linear systems in Hessenberg form and for linear-quadratic control, with input that is unknown to
//! the compiler. It links only if none of that can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use mechanisms::{CartPole, LaggingMotor};
use nalgebra::{matrix, vector};
#[cfg(target_os = "none")]
use panic_never as _;
use taut::control::{ConstantHessenberg, GainTable, Hessenberg, HessenbergState, LinearQuadratic, linearise};
use taut::linalg::Matrix;
use taut::method::{RungeKutta4, Step};
use taut::project::MinimalCoordinates;
use taut::start::Clock;
use taut::trajectory::Nonic;

on_target::program!(every_linear);

fn every_linear() {
    let Ok(clock) = Clock::with_step(black_box(1e-3_f32)) else { return };
    feedforward(clock);
    let model = black_box(CartPole::<f32>::standard());
    let Ok(upright) = MinimalCoordinates::<f32, 3, 1, 2>::at(&model, 0.0, &black_box(model.tilted(0.0))) else {
        return;
    };
    let (rest, force) = black_box((vector![0.0, 0.0], vector![0.0]));
    let Ok((dynamics, actuation)) = linearise(&model, &upright, black_box(0.0), &rest, &force) else { return };
    let problem = LinearQuadratic {
        dynamics,
        actuation,
        state_weight: black_box(Matrix::identity()),
        input_weight: black_box(matrix![0.1]),
    };
    let (interval, steps) = black_box((0.1, 10));
    let Ok(table) = GainTable::<f32, 4, 1, 8>::solve(|_| Ok(problem), black_box(Matrix::zeros()), interval, steps)
    else {
        return;
    };
    let _ = black_box(table.input(black_box(0.25), &black_box(vector![0.1, 0.2, 0.3, 0.4])));
}

#[inline(never)]
fn feedforward(clock: Clock<f32>) {
    let Ok(path) = Nonic::point_to_point([0.0], black_box([1.0_f32]), 1.0) else { return };
    let model = black_box(LaggingMotor::standard(path));
    let _ = black_box(model.state_space(black_box(0.5)));
    let Ok(plant) = ConstantHessenberg::new(model) else { return };
    let Ok(mut state) = HessenbergState::start(&plant, clock, black_box([0.0; 6])) else { return };
    let _ = black_box(RungeKutta4::new().step(&plant, &mut state));
    let _ = black_box(RungeKutta4::new().bare().step(&plant, &mut state));
    let _ = black_box((state.inputs(), *state.unknowns(), *state.states(), state.clock().time()));
}
