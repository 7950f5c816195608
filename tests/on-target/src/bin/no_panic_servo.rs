//! Calls everything that a user calls for servo constraints, with input that is unknown to the compiler. It links only if none of that
//! can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use mechanisms::{Crane, FiveBar, TwoMasses};
#[cfg(target_os = "none")]
use panic_never as _;
use taut::control::{Actuated, Feedforward, FlatInverse, Following, Inverse, InverseDynamics, ProjectedInverse};
use taut::trajectory::{Circle, Nonic, Trajectory};

on_target::program!(every_servo_constraint);

fn every_servo_constraint() {
    let (x, h) = (black_box(0.5_f32), black_box(1e-3_f32));
    if let Ok(circle) = Circle::around([x, x], x, black_box(2), black_box(1_000), h) {
        let linkage = black_box(FiveBar::standard());
        let guess = linkage.elbows_out(black_box([x, x]).into());
        if let Ok(plan) = InverseDynamics::new(linkage, circle, h, guess) {
            reach(plan, circle);
            if let Ok(mut state) = plan.start() {
                let _ = black_box(plan.seek(&mut state, black_box(5)));
            }
        }
    }
    if let Ok(path) = Nonic::point_to_point([x, x], [h, x], black_box(2.0)) {
        let _ = black_box(FlatInverse::new(black_box(Crane::standard()), path, h).map(|plan| reach(plan, path)));
        let _ = black_box(ProjectedInverse::new(black_box(Crane::standard()), path, h).map(|plan| reach(plan, path)));
    }
    if let Ok(path) = Nonic::point_to_point([x], [h], black_box(2.0)) {
        let _ = black_box(FlatInverse::new(black_box(TwoMasses::standard()), path, h).map(|plan| reach(plan, path)));
        let _ =
            black_box(ProjectedInverse::new(black_box(TwoMasses::standard()), path, h).map(|plan| reach(plan, path)));
    }
}

#[inline(never)]
fn reach<System, Path, Aid, const N: usize, const M: usize, const U: usize, const K: usize>(
    plan: Inverse<System, Path, N, M, U, K>,
    path: Path,
) where
    System: Actuated<N, M, U, Base = f32>,
    Path: Trajectory<U, Base = f32> + Copy,
    Inverse<System, Path, N, M, U, K>: Feedforward<Base = f32, State = Following<Path, f32, N, M, U, Aid>>,
{
    let _ = black_box(plan.tick_length());
    if let Ok(mut state) = plan.start() {
        for _ in 0..black_box(3_u8) {
            black_box(plan.at(black_box(&mut state), black_box(1)).is_ok());
        }
        let _ = black_box(plan.replan(&mut state, black_box(path), black_box(7)));
        black_box(plan.at(black_box(&mut state), black_box(8)).is_ok());
        let _ = black_box(state.time(black_box(9)));
    }
    let limited =
        plan.with_velocity_limits([path.duration(); N]).and_then(|plan| plan.with_input_limits([path.duration(); U]));
    black_box(limited.map(|plan| plan.beginning_at(black_box(3))).is_ok());
}
