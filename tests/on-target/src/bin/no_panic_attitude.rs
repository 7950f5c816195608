//! Calls everything that a user calls to start and step bodies that turn and equations on a manifold, with input that is unknown to the compiler. It links only if none
//! of that can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use mechanisms::{FreeBody, HeavyTop, Kepler, LinearRate};
use nalgebra::vector;
#[cfg(target_os = "none")]
use panic_never as _;
use taut::attitude::{
    Attitude, Body, BodyState, ImplicitMidpoint, Magnus2, Magnus4, MuntheKaas, Rotation, coning, dexp_inverse,
};
use taut::linalg::Matrix;
use taut::method::{Chart, RungeKutta4, Step};
use taut::project::{onto_determinant, onto_orthogonal};
use taut::start::{Clock, ManifoldState};

on_target::program!(every_way_to_turn);

fn every_way_to_turn() {
    let Ok(clock) = Clock::with_step(black_box(1e-3_f32)) else { return };
    let theta = black_box(vector![0.1, 0.2, 0.3]);
    let _ = black_box((
        Rotation::cayley(&theta),
        dexp_inverse(&theta, &theta),
        Rotation::from_quaternion(black_box([1.0; 4])),
    ));
    let Ok(rotation) = Rotation::from_matrix(black_box(&Matrix::<f32, 3, 3>::identity())) else { return };
    let rotation = rotation * Rotation::exp(&theta).inverse();
    let _ = black_box((rotation.log(), rotation.matrix(), rotation.rotate(&theta), rotation.rotate_back(&theta)));

    let Ok(mut attitude) = Attitude::start(clock, rotation) else { return };
    let rate = LinearRate { rate: black_box([1.0, 2.0, 3.0]), slope: black_box([0.1; 3]) };
    let _ = black_box((Magnus2.step(&rate, &mut attitude), Magnus4.step(&rate, &mut attitude)));
    let _ = black_box(attitude.turn(&coning(&theta, black_box(&theta))));
    attitude.clock_mut().set_epoch(black_box(0.25));
    let _ = black_box((attitude.rotation(), attitude.full_quaternion().full(), attitude.clock().time()));
    bodies(&FreeBody(black_box([1.0, 2.0, 2.5])), clock, rotation);
    bodies(&HeavyTop(black_box([1.0, 2.0, 2.5])), clock, rotation);
    manifolds(clock);
}

#[inline(never)]
fn bodies<B: Body<Base = f32>>(body: &B, clock: Clock<f32>, rotation: Rotation<f32>) {
    let Ok(mut state) = BodyState::start(body, clock, rotation, black_box([1.0, 2.0, 3.0])) else { return };
    let outcomes = [
        MuntheKaas::order_one().step(body, &mut state),
        MuntheKaas::order_two().step(body, &mut state),
        MuntheKaas::order_four().step(body, &mut state),
        ImplicitMidpoint::new().step(body, &mut state),
    ];
    let _ = black_box((outcomes, state.rate(body), state.momentum(), state.attitude().rotation()));
    let mut plain = state.plain();
    let _ = black_box((MuntheKaas::order_four().step(body, &mut plain), plain.clock_mut().tick()));
}

#[inline(never)]
fn manifolds(clock: Clock<f32>) {
    let matrix = black_box(Matrix::<f32, 3, 3>::identity());
    let _ = black_box((Rotation::nearest(&matrix, black_box(4)), onto_orthogonal(&matrix, black_box(4))));
    let _ = black_box(onto_determinant(&matrix, black_box(1.0), black_box(4)));
    let kepler = Kepler { energy: black_box(-0.578) };
    let Ok(mut state) = ManifoldState::start(&kepler, clock, black_box([0.4, 0.0, 0.0, 2.0])) else { return };
    let outcomes = [RungeKutta4::new().step(&kepler, &mut state), black_box(Chart::Tangent).step(&kepler, &mut state)];
    let _ = black_box((outcomes, state.point(), state.clock().tick()));
}
