//! Reaches whatever a user calls for servo constraints, with input that the compiler knows nothing about. It links only if none of
//! that can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

#[cfg(target_os = "none")]
use panic_never as _;
use systems::{Crane, FiveBar, TwoMasses};
use taut::control::{Feedforward, FlatInverse, InverseDynamics, ProjectedInverse};
use taut::trajectory::{Circle, Nonic};

on_target::program!(every_servo_constraint);

fn every_servo_constraint() {
    let (x, h) = (black_box(0.5_f32), black_box(1e-3_f32));
    if let Ok(circle) = Circle::around([x, x], x, black_box(2), black_box(1_000), h) {
        let linkage = black_box(FiveBar::standard());
        let guess = linkage.elbows_out(black_box([x, x]).into());
        if let Ok(mut feedforward) = InverseDynamics::new(linkage, circle, h, guess) {
            reach(&mut feedforward);
            let _ = black_box(feedforward.seek(black_box(5)));
            let _ = black_box(feedforward.replan(black_box(circle), black_box(7)));
            let _ = black_box(feedforward.time(black_box(9)));
            let limited = feedforward.with_velocity_limits([x; 4]).and_then(|it| it.with_input_limits([x, x]));
            let _ = black_box(limited.map(|it| it.beginning_at(black_box(3))));
        }
    }
    if let Ok(path) = Nonic::point_to_point([x, x], [h, x], black_box(2.0)) {
        flat(path, h);
        projected(path, h);
    }
    if let Ok(path) = Nonic::point_to_point([x], [h], black_box(2.0)) {
        let _ = black_box(FlatInverse::new(black_box(TwoMasses::standard()), path, h).map(|mut it| reach(&mut it)));
        let _ =
            black_box(ProjectedInverse::new(black_box(TwoMasses::standard()), path, h).map(|mut it| reach(&mut it)));
    }
}

#[inline(never)]
fn flat(path: Nonic<f32, 2>, h: f32) {
    if let Ok(mut feedforward) = FlatInverse::new(black_box(Crane::standard()), path, h) {
        reach(&mut feedforward);
        let _ = black_box(feedforward.replan(black_box(path), black_box(7)));
        let limited = feedforward.with_velocity_limits([h; 4]).and_then(|it| it.with_input_limits([h, h]));
        let _ = black_box(limited.map(|it| it.beginning_at(black_box(3))));
    }
}

#[inline(never)]
fn projected(path: Nonic<f32, 2>, h: f32) {
    if let Ok(mut feedforward) = ProjectedInverse::new(black_box(Crane::standard()), path, h) {
        reach(&mut feedforward);
        let _ = black_box(feedforward.replan(black_box(path), black_box(7)));
        let limited = feedforward.with_velocity_limits([h; 4]).and_then(|it| it.with_input_limits([h, h]));
        let _ = black_box(limited.map(|it| it.beginning_at(black_box(3))));
    }
}

#[inline(never)]
fn reach<const N: usize, const M: usize, const U: usize>(feedforward: &mut impl Feedforward<N, M, U>) {
    for _ in 0..black_box(3_u8) {
        let _ = black_box(black_box(&mut *feedforward).at(black_box(1)));
    }
    let _ = black_box(feedforward.tick_length());
}
