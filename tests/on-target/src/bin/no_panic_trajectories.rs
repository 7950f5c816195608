//! Calls everything that a user calls to make and follow a trajectory, with input that is unknown to the compiler. It links only if none
//! of that can panic.

#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use heapless::Vec;
#[cfg(target_os = "none")]
use panic_never as _;
use taut::scalar::Jet;
use taut::trajectory::{
    Axes, Circle, CubicSpline, Limits, Line, Lissajous, MinimumJerk, Motion, Nonic, QuinticSpline, SCurve, Sequence,
    Then, Timed, Trajectory, Waypoint,
};

on_target::program!(every_trajectory);

fn every_trajectory() {
    let (x, h) = (black_box(0.5_f32), black_box(1e-3_f32));
    if let Ok(blend) = Nonic::point_to_point([x, x], [h, x], black_box(2.0)) {
        reach(&blend);
        let _ = black_box(Limits::new(x, x, x).map(|limits| blend.check(&limits)));
        let mut moves = Vec::<_, 3>::new();
        for _ in 0..black_box(3_u8) {
            let _ = moves.push(black_box(blend));
        }
        let _ = black_box(Sequence::<_, 3, 4>::new(moves).map(|moves| reach(&moves)));
        if let Ok(again) = MinimumJerk::departing(&blend, x, [h, h], x) {
            reach(&again);
            if let Ok(both) = Then::<_, _, 2>::new(again, blend) {
                reach(&both);
            }
        }
    }
    if let Ok(limits) = Limits::new(x, x, x) {
        if let Ok(curve) = SCurve::between(&black_box(Motion::at_rest([x])), h, &limits) {
            reach(&curve);
            reach(&Axes([curve, curve]));
            let _ = black_box(Line::towards([x, x], [h, h], curve).map(|line| reach(&line)));
        }
        splines(x, &limits);
    }
    if let Ok(circle) = Circle::around([x, x], x, black_box(2), black_box(1_000), h) {
        reach(&circle);
        if let Ok(timing) = Nonic::point_to_point([x], [x], x) {
            let _ = black_box(Timed::new(circle, timing).map(|timed| reach(&timed)));
        }
    }
    let eight = Lissajous::around([x, x], [x, x], black_box([1, 2]), [x, x], black_box(1_000), h);
    let _ = black_box(eight.map(|eight| reach(&eight)));
}

#[inline(never)]
fn splines(x: f32, limits: &Limits<f32>) {
    let mut points = Vec::<_, 6>::new();
    for k in 0..black_box(5_u8) {
        let _ = points.push(black_box(Waypoint::new(f32::from(k) * x, [x, x])));
    }
    if let Ok(spline) = CubicSpline::through(&points) {
        reach(&spline);
        let _ = black_box(spline.slowed_to(limits));
    }
    if let Ok(spline) = QuinticSpline::through(&points) {
        reach(&spline);
        let _ = black_box(spline.check(limits));
    }
}

#[inline(never)]
fn reach<Path: Trajectory<D, Base = f32>, const D: usize>(path: &Path) {
    let path = black_box(path);
    let _ = black_box(path.at(black_box(0.3_f32)));
    let _ = black_box(path.at(Jet::variable(black_box(0.3_f32))));
    let _ = black_box(path.motion_after(black_box(1_000_000_007), black_box(1e-3)));
    let _ = black_box(path.require::<2>());
}
