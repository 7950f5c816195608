//! A free rigid body (Hairer, *Solving Differential Equations on Manifolds*, I.1): I = (1.6, 1, 2/3), y₀ = (cos 0.9, 0, sin 0.9), R(0) = 1.
//! The exact solution comes from elliptic functions.

use mechanisms::{BodyInvariants, FreeBody, RigidBody};
use nalgebra::{Matrix3, Vector3, matrix as mat, vector};
use taut::attitude::{BodyState, ImplicitMidpoint, MuntheKaas, Rotation};
use taut::linalg::Vector;
use taut::project::onto_invariant;
use taut::scalar::Float;
use taut::start::Plain;

use crate::{Any, assert_error, assert_slopes, clock, doubles, matrix, rows, run};

/// Angular momenta at t = 1, 5, 10.
const EXACT: [(f64, [f64; 3]); 3] = [
    (1.0, [0.543_173_603_583_609_4, -0.399_853_011_481_771_3, 0.738_295_337_638_640_5]),
    (5.0, [-0.33825866755200207, -0.689_902_200_561_029_6, 0.640_012_521_351_725_6]),
    (10.0, [-0.141_013_773_300_037_6, 0.800_874_284_571_554_1, 0.581_992_694_156_625_1]),
];

const TURNED: [[f64; 3]; 3] = [
    [0.526_360_236_341_263_3, -0.643_105_623_830_170_2, 0.556_201_454_687_757_1],
    [0.035_580_348_276_234_47, 0.670_240_098_355_492, 0.741_290_934_365_827_9],
    [-0.849_516_886_480_375_6, -0.37039622994089446, 0.37566965865007085],
];

const ENERGY: f64 = 0.580_950_458_214_112_8;

fn body<T: Float>() -> FreeBody<T> {
    FreeBody::standard()
}

fn start<T: Float>(h: f64) -> BodyState<T> {
    let rate = RigidBody::momentum::<T>().zip_map(&Vector::from(RigidBody::INERTIA), |y, i| y / T::from_f64(i));
    BodyState::start(&body(), clock(h), Rotation::identity(), rate).unwrap()
}

/// Errors of attitude and angular momentum at t = 5.
fn errors<T: Float>(method: Any<FreeBody<T>, T, taut::start::Compensated>, steps: usize) -> [f64; 2] {
    let state = run(method, &body(), start(5.0 / steps as f64), steps);
    let momentum = doubles(state.momentum()) - Vector3::from(EXACT[1].1);
    [(matrix(&state.rotation()) - rows(TURNED)).norm(), momentum.norm()]
}

#[test]
fn small_steps_of_order_four_meet_the_exact_solution() {
    for (time, exact) in EXACT {
        let state = run(&MuntheKaas::order_four(), &body::<f64>(), start(time / 4000.0), 4000);
        // h⁴ times the error of N = 40 steps in 5 s; round-off of 4000 steps.
        assert!((state.momentum() - Vector3::from(exact)).norm() < 3e-13, "{time}: {}", state.momentum());
    }
    let state = run(&MuntheKaas::order_four(), &body::<f64>(), start(5.0 / 4000.0), 4000);
    assert!((matrix(&state.rotation()) - rows(TURNED)).norm() < 1e-12);
    let quaternion = vector![0.801914894696879, -0.346572676121366, 0.438238007070404, 0.211582917524853];
    // The quaternion of the reference is on the other sheet: −q is the same rotation.
    assert!((state.rotation().quaternion() + quaternion).norm() < 1e-12, "{}", state.rotation().quaternion());
}

#[test]
fn errors_are_those_of_the_reference() {
    let check = |name: &str, method: Any<FreeBody<f64>, f64, _>, order: f64, table: &[(usize, f64, f64)]| {
        let found: Vec<_> = table.iter().map(|(steps, ..)| errors(method, *steps)).collect();
        for (ours, (steps, attitude, momentum)) in found.iter().zip(table) {
            assert_error(&format!("{name}, attitude, {steps}"), ours[0], *attitude, 9);
            assert_error(&format!("{name}, momentum, {steps}"), ours[1], *momentum, 9);
        }
        // The errors at these steps have reached their order to a fifth.
        assert_slopes(name, &found.iter().map(|e| e[0]).collect::<Vec<_>>(), order, 0.3);
        assert_slopes(name, &found.iter().map(|e| e[1]).collect::<Vec<_>>(), order, 0.1);
    };
    let euler = [(20, 0.3442724737, 0.0988593923), (40, 0.169539153, 0.0476667925), (80, 0.08401823033, 0.0233918833)];
    check("Lie–Euler", &MuntheKaas::order_one(), 1.0, &euler);
    let two = [
        (20, 2.560332672e-3, 1.559613244e-3),
        (40, 7.782121787e-4, 3.901252666e-4),
        (80, 2.134961331e-4, 9.760022934e-5),
    ];
    check("Munthe-Kaas 2", &MuntheKaas::order_two(), 2.0, &two);
    let four = [(20, 3.359515118e-5, 3.280729333e-6), (40, 2.061243814e-6, 2.074061866e-7)];
    check("Munthe-Kaas 4", &MuntheKaas::order_four(), 4.0, &four);
    let midpoint = [
        (20, 6.74669127e-2, 1.182370781e-3),
        (40, 1.704575325e-2, 2.96073309e-4),
        (80, 4.272733878e-3, 7.404849653e-5),
    ];
    check("midpoint", &ImplicitMidpoint::new(), 2.0, &midpoint);
    assert_error("midpoint, N = 10", errors::<f64>(&ImplicitMidpoint::new(), 10)[1], 4.699247111e-3, 9);
}

/// Errors in `f32`: those of the method, plus round-off of the compensated sums. The slopes of attitude in f32, forty steps, are off by
/// ten units in the last place.
#[test]
fn single_precision_has_the_same_errors() {
    let four = errors(&MuntheKaas::<f32, 4>::order_four(), 20);
    assert!((four[0] - 3.359515118e-5).abs() < 2e-6 && (four[1] - 3.280729333e-6).abs() < 1e-6, "{four:?}");
    let midpoint = errors::<f32>(&ImplicitMidpoint::new(), 80);
    assert!((midpoint[0] - 4.272733878e-3).abs() < 4e-6 && (midpoint[1] - 7.404849653e-5).abs() < 1e-6, "{midpoint:?}");
}

/// Fig. I.2: explicit Euler leaves the sphere.
#[test]
fn explicit_euler_leaves_the_sphere() {
    let mut y = RigidBody::momentum::<f64>();
    let table = [(40, 1.00214946496), (400, 1.01488550678), (800, 1.02851488027), (2400, 1.09594317366)];
    for step in 1..=2400 {
        y += RigidBody::rate(&y) * 0.025;
        if let Some((_, norm)) = table.iter().find(|(count, _)| *count == step) {
            assert!((y.norm() - norm).abs() < 2e-11, "{step}: {}", y.norm());
        }
    }
}

/// Fig. I.2: the trapezoidal rule with projection onto the sphere. The energy does not drift.
#[test]
fn the_projected_trapezoidal_rule_keeps_the_energy_near() {
    let sphere = BodyInvariants::<f64, 1>([0.5, 0.0]);
    let energy = |y: &Vector3<f64>| y.zip_map(&Vector3::from(RigidBody::INERTIA), |y, i| y * y / i).sum() / 2.0;
    let mut y = RigidBody::momentum::<f64>();
    assert!((energy(&y) - ENERGY).abs() < 1e-16);
    for step in 1..=100 {
        let (before, rate) = (y, RigidBody::rate(&y));
        for _ in 0..12 {
            let residual = y - before - (rate + RigidBody::rate(&y)) * 0.5;
            y -= (Matrix3::identity() - slope(&y) * 0.5).lu().solve(&residual).unwrap();
        }
        y = onto_invariant(&sphere, &y, 6).unwrap();
        if step == 1 {
            assert!((y - vector![0.547080910322488, -0.390171011674582, 0.740586969376015]).norm() < 2e-15, "{y}");
        }
        let table = [(1, 4.852113091e-5), (10, 2.094604148e-4), (100, 6.984204985e-5)];
        if let Some((_, error)) = table.iter().find(|(count, _)| *count == step) {
            assert_error("energy", energy(&y) - ENERGY, *error, 9);
        }
    }
}

/// The derivative of y × I⁻¹ y.
fn slope(y: &Vector3<f64>) -> Matrix3<f64> {
    let [a, b, c] = RigidBody::INERTIA.map(|i| 1.0 / i);
    mat![0.0, (c - b) * y.z, (c - b) * y.y; (a - c) * y.z, 0.0, (a - c) * y.x; (b - a) * y.y, (b - a) * y.x, 0.0]
}

#[test]
fn the_midpoint_rule_with_large_steps() {
    let first = run(&ImplicitMidpoint::new(), &body::<f64>(), start(1.0), 1);
    assert!((first.momentum() - vector![0.547375377754954, -0.389696689544428, 0.740619123426971]).norm() < 2e-15);
    let tenth = run(&ImplicitMidpoint::new(), &body::<f64>(), start(1.0), 10);
    let exact = vector![-0.178985685293418, 0.787486752236905, 0.589770073428126];
    assert!((tenth.momentum() - exact).norm() < 5e-15, "{}", tenth.momentum());
}

/// |Π|, energy and the angular momentum in space: constant to round-off, in both precisions.
fn conserves<T: Float>(steps: usize, h: f64, limit: f64) {
    let (body, midpoint) = (body::<T>(), ImplicitMidpoint::new());
    let mut state = start::<T>(h);
    let measure = |state: &BodyState<T>| {
        let (y, turning) = (doubles(state.momentum()), doubles(&state.rate(&body)));
        let space = matrix(&state.rotation()) * y;
        (y.norm(), y.dot(&turning) / 2.0, space)
    };
    let first = measure(&state);
    for _ in 0..steps / 100 {
        state = run(&midpoint, &body, state, 100);
        let now = measure(&state);
        let off = (now.0 - first.0).abs().max((now.1 - first.1).abs()).max((now.2 - first.2).norm());
        assert!(off < limit, "{}: {off:e}", state.clock().tick());
    }
}

#[test]
fn the_midpoint_rule_conserves_momentum_and_energy() {
    // A walk of roundings of ε/2 in a compensated state is within a few ε; the quaternion is rounded when it is read.
    conserves::<f64>(100_000, 0.1, 1e-14);
    conserves::<f64>(2_000, 1.0, 1e-14);
    conserves::<f32>(100_000, 0.01, 2e-6);
}

/// A plain state steps with the same formulas.
#[test]
fn a_plain_state_steps_alike() {
    let (body, rate) = (body::<f64>(), [0.4, 0.2, 1.1]);
    let full = BodyState::start(&body, clock(0.01), Rotation::identity(), rate).unwrap();
    let plain = full.plain();
    let difference = |a: &BodyState<f64, Plain>, b: &BodyState<f64>| {
        (a.momentum() - b.momentum()).norm() + (a.rotation().quaternion() - b.rotation().quaternion()).norm()
    };
    let four = MuntheKaas::order_four();
    let (ours, theirs) = (run(&four, &body, plain, 100), run(&four, &body, full, 100));
    assert!(difference(&ours, &theirs) < 1e-14);
    let midpoint = ImplicitMidpoint::new();
    let (ours, theirs) = (run(&midpoint, &body, plain, 100), run(&midpoint, &body, full, 100));
    assert!(difference(&ours, &theirs) < 1e-14);
}

/// Exercise I.4.2: with I₁ = I₂, y₃ is constant and (y₁, y₂) turns by k t, k = (1/I₃ − 1/I₁) y₃.
#[test]
fn a_symmetric_top_turns_its_momentum() {
    let (first, third) = (1.6, 2.0 / 3.0);
    let top = FreeBody([first, first, third]);
    let k = (1.0 / third - 1.0 / first) * 0.8;
    assert!((k - 0.7_f64).abs() < 1e-15);
    let rate = [0.5 / first, 0.2 / first, 0.8 / third];
    let (sin, cos) = (k * 3.0_f64).sin_cos();
    let exact = vector![cos * 0.5 + sin * 0.2, -sin * 0.5 + cos * 0.2, 0.8];
    for (method, tolerance) in [
        // (k h)⁴ k t/120 and (k h)² k t/12 of the turning part.
        (&MuntheKaas::order_four() as Any<FreeBody<f64>, f64, _>, 0.54 * 0.007_f64.powi(4) * 2.1 / 100.0),
        (&ImplicitMidpoint::new(), 0.54 * 0.007_f64.powi(2) * 2.1 / 10.0),
    ] {
        let start = BodyState::start(&top, clock(0.01), Rotation::identity(), rate).unwrap();
        let state = run(method, &top, start, 300);
        assert!((state.momentum() - exact).norm() < tolerance + 1e-14, "{}: {}", method.name(), state.momentum());
        assert!((state.momentum().z - 0.8).abs() < 1e-15);
    }
}

/// Exercise I.4.1: ±e_i are stationary; e₂, the axis of the middle moment, is unstable.
#[test]
fn axes_of_inertia_are_stationary_and_the_middle_one_is_unstable() {
    let (body, four) = (body::<f64>(), MuntheKaas::order_four());
    let along = |axis: usize, tilt: f64| {
        let mut rate = Vector3::repeat(tilt);
        rate[axis] = 1.0;
        BodyState::start(&body, clock(0.05), Rotation::identity(), rate).unwrap()
    };
    for axis in 0..3 {
        for method in [&four as Any<FreeBody<f64>, f64, _>, &ImplicitMidpoint::new()] {
            let still = run(method, &body, along(axis, 0.0), 200);
            assert_eq!(still.momentum(), along(axis, 0.0).momentum(), "{}", method.name());
        }
        let moved = run(&four, &body, along(axis, 1e-6), 400);
        let off = (moved.momentum() - along(axis, 1e-6).momentum()).norm();
        // The rate of growth is √((I₁ − I₂)(I₂ − I₃)/(I₁ I₃)) = 0.433: e⁸·⁷ = 5800 in 20 s.
        if axis == 1 { assert!((1e-3..1e-2).contains(&off), "{off:e}") } else { assert!(off < 1e-5, "{off:e}") }
    }
}
