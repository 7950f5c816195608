//! Andrews' squeezing mechanism ends where the IVP test set says.

use mechanisms::parts::Andrews;
use nalgebra::{Vector2, vector};
use taut::control::Driven;
use taut::linalg::Vector;
use taut::method::{RungeKutta4, Step};
use taut::start::{Clock, Start};

/// β, Θ, γ, Φ, δ, Ω and ε at t = 0 and at t = 0.03 s (IVP test set for solvers of differential equations, problem Andrews).
const BEGIN: [f64; 7] = [
    -0.061_713_890_014_276_45,
    0.0,
    0.455_279_819_163_070_4,
    0.222_668_390_165_885_9,
    0.487_364_979_543_842_55,
    -0.222_668_390_165_885_9,
    1.230_547_444_549_821_2,
];
const END: [f64; 7] = [
    15.810_771_196_299_04,
    -15.756_371_059_842_98,
    0.040_822_240_130_731_01,
    -0.534_730_116_322_694_8,
    0.524_409_965_880_530_4,
    0.534_730_116_322_694_8,
    1.048_080_741_042_263,
];

/// The pivots A and B.
const A: [f64; 2] = [-0.06934, -0.00227];
const B: [f64; 2] = [-0.03635, 0.03273];

/// The coordinates of the list: the angle of the crank and the points F, E and H.
fn position([beta, theta, _, _, delta, _, epsilon]: [f64; 7]) -> Vector<f64, 7> {
    let crank = Vector2::new(beta.cos(), beta.sin()) * 0.007;
    let f = crank - Vector2::new((beta + theta).cos(), (beta + theta).sin()) * 0.028;
    let e = Vector2::from(A) + Vector2::new(delta.cos(), delta.sin()) * 0.04;
    let h = Vector2::from(A) + Vector2::new(epsilon.sin(), -epsilon.cos()) * 0.04;
    vector![beta, f.x, f.y, e.x, e.y, h.x, h.y]
}

/// The angles of the test set from the coordinates and the turns of the crank.
fn angles(q: &Vector<f64, 7>, turns: f64) -> [f64; 7] {
    let (f, e, h) = (vector![q[1], q[2]], vector![q[3], q[4]], vector![q[5], q[6]]);
    let along = |d: Vector2<f64>| d.y.atan2(d.x);
    let across = |d: Vector2<f64>| d.x.atan2(-d.y);
    let crank = Vector2::new(q[0].cos(), q[0].sin()) * 0.007;
    let (beta, delta, epsilon) = (q[0] + turns, along(e - Vector2::from(A)), across(h - Vector2::from(A)));
    // The second body points along β + Θ, which stays within half a turn.
    let theta = along(crank - f) - beta;
    [beta, theta, across(f - Vector2::from(B)), across(f - e) - delta, delta, along(f - h) - epsilon, epsilon]
}

#[test]
fn angles_after_0_03_s() {
    let mechanism = Andrews::<f64>::new().build().unwrap();
    let (begin, round_trip) = (position(BEGIN), angles(&position(BEGIN), 0.0));
    for (angle, given) in round_trip.iter().zip(BEGIN) {
        assert!((angle - given).abs() < 1e-14, "{angle} instead of {given}");
    }
    let mut driven = Driven::new(mechanism);
    driven.inputs = vector![0.033];
    // At 1,000 rad/s an error of T ω (h ω)⁴/120 = 0.03 · 1,000 · (1,000 · 2e-6)⁴/120 = 4e-12. A half and an eighth of the step end alike.
    let mut state = Start::at(&driven, Clock::with_step(2e-6).unwrap(), begin).at_rest().unwrap();
    for _ in 0..15_000 {
        RungeKutta4::new().step(&driven, &mut state).unwrap();
    }
    let turns = std::f64::consts::TAU * f64::from(state.turns()[0]);
    for (angle, end) in angles(state.position(), turns).iter().zip(END) {
        // 1e-9 of the angle, and of a radian below that. The published β and Θ are 1.2e-9 and 1.4e-9 from where smaller steps end, and from
        // where the equations of the test set end in these seven angles.
        assert!((angle - end).abs() < 1e-9 * end.abs().max(1.0), "{angle} instead of {end}");
    }
}
