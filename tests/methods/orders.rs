//! Orders of convergence, by slopes.
//!
//! RATTLE has order 2 (Hairer, "Solving Differential Equations on Manifolds", Theorem V.5.1), symplectic Euler with
//! projection order 1 (V.4), the compositions of Suzuki and Yoshida order 4 and that of Kahan and Li order 6. Problem 5.1 is that of the paper on
//! numerically consistent initial values for the implicit Euler method; its λ is minus ours.

use crate::variants::{Any, assert_slopes};
use mechanisms::{Problem51, SphericalPendulum};
use taut::linalg::Vector;
use taut::method::{Composition, Rattle, Step, SymplecticEuler};
use taut::start::{Clock, Start, State};

fn problem_5_1(h: f64) -> State<f64, 2, 1> {
    let (q, v, _) = Problem51::exact(0.0);
    Start::at(&Problem51::new(), clock(h), q).moving(v).unwrap()
}

fn clock(h: f64) -> Clock<f64> {
    Clock::with_step(h).unwrap()
}

fn steps(time: f64, h: f64) -> usize {
    (time / h).round() as usize
}

/// The tolerance of the reference: 1e-3 of the error.
fn assert_error(what: &str, h: f64, ours: f64, reference: f64) {
    assert!((ours - reference).abs() <= 1e-3 * reference + 1e-11, "{what}, h = {h}: {ours:e}, not {reference:e}");
}

#[test]
fn rattle_has_order_two_in_positions_velocities_and_node_multipliers() {
    // h; D.P51.RATTLE.p.errors, v.errors at T = 1; D.P51.RATTLE.node.lamavg.errors at t = 0.5.
    let table = [
        (0.02, 0.002003962880032141, 0.008015851520128797, 0.00851678266511513),
        (0.01, 0.0005002471695774849, 0.0020009886783097556, 0.0021260469122594827),
        (0.005, 0.0001250154401435752, 0.000500061760574408, 0.0005313154070947235),
        (0.0025, 3.125096488339535e-05, 0.00012500385953385633, 0.0001328165764409306),
        (0.00125, 7.812560308389281e-06, 3.1250241233389256e-05, 3.3203420580107945e-05),
    ];
    let mut errors = [[0.0; 5]; 3];
    for (k, (h, p, v, multiplier)) in table.into_iter().enumerate() {
        let rattle = Rattle::new().iterations::<12>();
        let mut state = problem_5_1(h);
        for n in 0..steps(1.0, h) {
            let report = rattle.step(&Problem51::new(), &mut state).unwrap();
            if n == steps(0.5, h) {
                errors[2][k] = (report.multipliers[0] - Problem51::exact(0.5).2).abs();
            }
        }
        let (q, velocity, _) = Problem51::exact(1.0);
        errors[0][k] = (state.position() - q).norm();
        errors[1][k] = (state.velocity() - velocity).norm();
        assert_error("p", h, errors[0][k], p);
        assert_error("v", h, errors[1][k], v);
        assert_error("node multiplier", h, errors[2][k], multiplier);
    }
    for (what, errors) in ["p", "v", "node multiplier"].iter().zip(&errors) {
        assert_slopes(what, errors, 2.0, 0.01);
    }
}

#[test]
fn the_first_report_has_the_exact_multiplier() {
    // There is no step before the first whose one-sided value could be averaged: `start` supplies that of the acceleration
    // level. A report of the one-sided value alone would be off by O(h), here 0.2.
    let mut state = problem_5_1(0.02);
    let report = Rattle::new().step(&Problem51::new(), &mut state).unwrap();
    assert!((report.multipliers[0] - 4.0).abs() < 1e-14);
}

#[test]
fn symplectic_euler_has_order_one() {
    // h; D.P51.SympEulerProj.p.errors, v.errors, lam.errors (λ + μ) at T = 1.
    let table = [
        (0.02, 0.022041211314255862, 0.08816484525702326, 0.025682249155085657),
        (0.01, 0.010504884285304954, 0.04201953714122001, 0.006405125125823474),
        (0.005, 0.0051255942169194536, 0.020502376867678057, 0.0016003200800014383),
        (0.0025, 0.0025313232679636654, 0.010125293071854755, 0.00040002000136851734),
        (0.00125, 0.0012578215957427196, 0.005031286382970543, 0.00010000124969167246),
        (0.000625, 0.0006269542580546628, 0.002507817032218425, 2.5000078448300656e-05),
    ];
    let (q, velocity, multiplier) = Problem51::exact(1.0);
    let (mut positions, mut velocities) = (vec![], vec![]);
    for (h, p, v, sum) in table {
        let euler = SymplecticEuler::new().iterations::<12>();
        let mut state = problem_5_1(h);
        let mut reported = 0.0;
        for _ in 0..steps(1.0, h) {
            reported = euler.step(&Problem51::new(), &mut state).unwrap().multipliers[0];
        }
        positions.push((state.position() - q).norm());
        velocities.push((state.velocity() - velocity).norm());
        assert_error("p", h, *positions.last().unwrap(), p);
        assert_error("v", h, *velocities.last().unwrap(), v);
        assert_error("λ + μ", h, (reported - multiplier).abs(), sum);
    }
    // Order 1 with a second-order term that is still felt at h = 0.02.
    assert_slopes("p", &positions[1..], 1.0, 0.05);
    assert_slopes("v", &velocities[1..], 1.0, 0.05);
}

/// (q, p) of the spherical pendulum at t = 1, D.sph.exact.t1.
const SPHERICAL: [f64; 6] = [
    0.6789190097611935,
    0.7157661913629996,
    -0.16354735548637392,
    -4.992882918443517,
    3.9612845952008926,
    -3.3899021942765506,
];

/// The errors at t = 1 in q and v, and the multiplier of the last report.
fn spherical_pendulum(h: f64, method: &Any<SphericalPendulum<f64>, f64, 3, 1>) -> [f64; 3] {
    let system = SphericalPendulum::<f64>::default();
    let mut state =
        Start::at(&system, clock(h), SphericalPendulum::position()).moving(SphericalPendulum::velocity()).unwrap();
    let mut last = 0.0;
    for _ in 0..steps(1.0, h) {
        last = method.step(&system, &mut state).unwrap().multipliers[0];
    }
    let q = Vector::<f64, 3>::from_column_slice(&SPHERICAL[..3]);
    let p = Vector::<f64, 3>::from_column_slice(&SPHERICAL[3..]);
    // λ = |v|² − q₃ from the acceleration level.
    [(state.position() - q).norm(), (state.velocity() - p).norm(), (last - (p.norm_squared() - q.z)).abs()]
}

#[test]
fn the_spherical_pendulum_converges_as_the_reference_does() {
    // h; D.sph.RATTLE.q.errors, p.errors; D.sph.SympEulerProj.q.errors, p.errors.
    let table = [
        (0.01, [0.006193365805867587, 0.04471557820832686], [0.008231369531203582, 0.05933140442554698]),
        (0.005, [0.001545609687186063, 0.011158986904198677], [0.0025664767395261745, 0.018457597902127656]),
        (0.0025, [0.0003862320742733847, 0.0027885053193709595], [0.0008987531178976242, 0.0064397493167250176]),
        (0.00125, [9.654737787280196e-05, 0.00069704878576481], [0.00035385723143154457, 0.0025242759837023356]),
        (0.000625, [2.4136179560333664e-05, 0.00017425735092224863], [0.0001531870627795797, 0.0010885371477925199]),
    ];
    let mut rattle_errors = vec![];
    for (h, rattle_reference, euler_reference) in table {
        let rattle = Rattle::new().iterations::<12>();
        let errors = spherical_pendulum(h, &rattle);
        assert_error("RATTLE q", h, errors[0], rattle_reference[0]);
        assert_error("RATTLE p", h, errors[1], rattle_reference[1]);
        rattle_errors.push(errors[0]);
        let euler = SymplecticEuler::new().iterations::<12>();
        let errors = spherical_pendulum(h, &euler);
        assert_error("symplectic Euler q", h, errors[0], euler_reference[0]);
        assert_error("symplectic Euler p", h, errors[1], euler_reference[1]);
    }
    assert_slopes("RATTLE q", &rattle_errors, 2.0, 0.01);
}

#[test]
fn symplectic_euler_reports_the_multiplier_of_the_system() {
    // λ + μ has order 1. λ alone would not converge: half of the centrifugal part would be missing. The steps are small because
    // the terms of first and second order have opposite signs here.
    let errors = [3_200.0, 6_400.0, 12_800.0].map(|divisions| {
        let h = 1.0 / divisions;
        let euler = SymplecticEuler::new();
        spherical_pendulum(h, &euler)[2]
    });
    assert_slopes("λ + μ", &errors, 1.0, 0.2);
}

#[test]
fn suzuki_and_yoshida_have_order_four_and_kahan_li_six() {
    let (mut suzuki_errors, mut yoshida_errors, mut kahan_li_errors) = (vec![], vec![], vec![]);
    for divisions in [100.0, 200.0, 400.0] {
        let h = 1.0 / divisions;
        let suzuki = Composition::suzuki().iterations::<12>();
        suzuki_errors.push(spherical_pendulum(h, &suzuki));
    }
    // Its error is some thirty times as large, and so are the terms that follow: smaller steps show the order.
    for divisions in [400.0, 800.0, 1_600.0] {
        let h = 1.0 / divisions;
        yoshida_errors.push(spherical_pendulum(h, &Composition::yoshida().iterations::<12>()));
    }
    for divisions in [40.0, 80.0, 160.0] {
        let h = 1.0 / divisions;
        let kahan_li = Composition::kahan_li().iterations::<20>();
        kahan_li_errors.push(spherical_pendulum(h, &kahan_li));
    }
    for (component, what) in ["q", "p"].iter().enumerate() {
        let pick = |errors: &[[f64; 3]]| errors.iter().map(|error| error[component]).collect::<Vec<_>>();
        assert_slopes(&format!("Suzuki {what}"), &pick(&suzuki_errors), 4.0, 0.1);
        assert_slopes(&format!("Yoshida {what}"), &pick(&yoshida_errors), 4.0, 0.1);
        assert_slopes(&format!("Kahan and Li {what}"), &pick(&kahan_li_errors), 6.0, 0.2);
    }
}
