//! Runge–Kutta in local coordinates of a mechanical system: dummy derivatives with pivoting (Mattsson and Söderlind, "Index reduction in
//! differential-algebraic equations using dummy derivatives", Ex. 3, 4, and Hairer & Wanner VII.2, (2.22)) and the tangent space ((2.23)–(2.24)).
//!
//! Reference values computed independently, with Newton's method to round-off at all stages.

use mechanisms::{DoublePendulum, Pendulum};
use nalgebra::vector;
use taut::linalg::{Vector, magnitude};
use taut::method::{LocalRungeKutta4, Partitioned, RungeKutta4, Step, StepError};
use taut::scalar::{Float, Real};
use taut::start::{Clock, Start};
use taut::system::{Diagonal, Mechanical};

fn clock<T: Float>(h: f64) -> Clock<T> {
    Clock::with_step(T::from_f64(h)).unwrap()
}

/// The double pendulum from (1, 0, 2, 0) at rest, at T = 0.5: exact positions and velocities from the angles.
fn exact() -> (Vector<f64, 4>, Vector<f64, 4>) {
    let (angles, rates) = ([0.57047205123299_f64, 1.20387511115824], [-2.78964576616736, -3.18806274665123]);
    let ((s, c), (s2, c2)) = (angles[0].sin_cos(), angles[1].sin_cos());
    let (v, v2) = ([c * rates[0], s * rates[0]], [c2 * rates[1], s2 * rates[1]]);
    (vector![s, -c, s + s2, -c - c2], vector![v[0], v[1], v[0] + v2[0], v[1] + v2[1]])
}

/// To 1e-4 of the reference: f64 makes a fixed number of iterations at each stage.
fn assert_near(found: f64, reference: f64) {
    assert!((found / reference - 1.0).abs() < 1e-4, "{found:e}, not {reference:e}");
}

#[test]
fn the_double_pendulum_switches_once_and_has_the_errors_of_the_reference() {
    let double = DoublePendulum::<f64>::standard();
    let (q, v) = exact();
    for (steps, switch, errors, tangent) in [
        (25, 24, Some([5.88726294e-7, 4.74125933e-6]), Some([3.81692410e-7, 2.35993230e-6])),
        (50, 47, Some([3.42791855e-8, 2.70471659e-7]), Some([2.30691177e-8, 1.45185053e-7])),
        (100, 94, None, None),
        (200, 187, None, None),
    ] {
        let start = Start::at(&double, clock(0.5 / f64::from(steps)), [1.0, 0.0, 2.0, 0.0]).at_rest().unwrap();
        let (mut state, mut switches) = (Partitioned::new(start), vec![]);
        for n in 0..steps {
            let report = LocalRungeKutta4::partitioned().hysteresis(1.0).step(&double, &mut state).unwrap();
            assert!(n > 0 || report.dependent == [true, false, true, false]);
            if report.changed {
                switches.push((n, report.dependent));
            }
            let off = report.step.position_residual.amax().max(report.step.velocity_residual.amax());
            assert!(off < 16.0 * f64::EPSILON, "{off:e}");
        }
        assert_eq!(switches, [(switch, [true, true, false, false])]);
        if let Some([positions, velocities]) = errors {
            assert_near((state.state().position() - q).norm(), positions);
            assert_near((state.state().velocity() - v).norm(), velocities);
        }
        let mut state = start;
        for _ in 0..steps {
            let report = LocalRungeKutta4::tangent().step(&double, &mut state).unwrap();
            let off = report.position_residual.amax().max(report.velocity_residual.amax());
            assert!(off < 16.0 * f64::EPSILON, "{off:e}");
        }
        if let Some([positions, velocities]) = tangent {
            assert_near((state.position() - q).norm(), positions);
            assert_near((state.velocity() - v).norm(), velocities);
        }
    }
}

/// Cases 1 and 2 of Mattsson and Söderlind to T = 1000: energy, position, switches.
#[test]
fn the_pendulum_switches_four_times_a_period() {
    let pendulum = Pendulum::<f64>::unit();
    let small = (0.1, 0.0, 0.09398853982860349_f64);
    let large = (core::f64::consts::FRAC_PI_2, -1.0, 2.0040002424495604);
    for ((angle, rate, end), h, energy, position, switches) in [
        (small, 0.05, -2.1648574933e-8, 1.51830897e-6, 0),
        (small, 0.02, -2.2179691417e-10, 4.27457e-8, 0),
        (large, 0.05, -2.8621006568e-4, 2.64373510e-2, 464),
        (large, 0.02, -2.9860011245e-6, 2.57738818e-4, 464),
        (large, 0.01, -9.1769439770e-8, 7.92060011e-6, 464),
    ] {
        let (sin, cos) = f64::sin_cos(angle);
        let start = Start::at(&pendulum, clock(h), [sin, -cos]).moving([cos * rate, sin * rate]).unwrap();
        let before = pendulum.energy(start.position(), start.velocity());
        let (mut state, mut changes) = (Partitioned::new(start), 0);
        for _ in 0..(1e3 / h).round() as usize {
            let report = LocalRungeKutta4::partitioned().hysteresis(1.0).step(&pendulum, &mut state).unwrap();
            changes += usize::from(report.changed);
        }
        let (q, v) = (state.state().position(), state.state().velocity());
        assert_eq!(changes, switches);
        assert_near(pendulum.energy(q, v) - before, energy);
        assert_near((q - vector![end.sin(), -end.cos()]).norm(), position);
    }
}

/// From φ = 0.1 with x dependent, G_D vanishes where x does.
#[test]
fn the_wrong_choice_loses_the_energy_and_is_left_by_default() {
    let pendulum = Pendulum::<f64>::unit();
    let start = Start::at(&pendulum, clock(0.01), [0.1_f64.sin(), -0.1_f64.cos()]).at_rest().unwrap();
    let before = pendulum.energy(start.position(), start.velocity());
    let run = |method: LocalRungeKutta4<f64, true>| {
        let mut state = Partitioned::with_dependent(start, [true, false]);
        for _ in 0..700 {
            method.step(&pendulum, &mut state)?;
        }
        Ok::<_, StepError<f64>>(pendulum.energy(state.state().position(), state.state().velocity()) - before)
    };
    let kept = run(LocalRungeKutta4::partitioned()).unwrap();
    assert!(kept.abs() < 1e-12, "{kept:e}");
    // Refused on the way, or most of 5.0e-3 J lost.
    let wrong = run(LocalRungeKutta4::partitioned().hysteresis(0.0));
    assert!(wrong.is_err() || wrong.unwrap().abs() > 4e-3, "{wrong:?}");
}

/// With a factor of two between changes, a pendulum that turns at |x| = |y| does not change in every step.
#[test]
fn hysteresis_keeps_a_choice_that_is_good_enough() {
    let pendulum = Pendulum::<f64>::unit();
    let angle = core::f64::consts::FRAC_PI_4;
    let start = Start::at(&pendulum, clock(0.01), [angle.sin(), -angle.cos()]).at_rest().unwrap();
    let count = |method: LocalRungeKutta4<f64, true>| {
        let mut state = Partitioned::new(start);
        (0..2_000).filter(|_| method.step(&pendulum, &mut state).unwrap().changed).count()
    };
    assert!(count(LocalRungeKutta4::partitioned()) <= 1);
}

/// A damped bob on a rod from a pivot that moves, with its constraint once or twice.
struct Shaken<const M: usize>;

impl<const M: usize> Mechanical<2, M> for Shaken<M> {
    type Base = f64;
    type Mass = Diagonal<f64, 2>;

    fn mass(&self) -> Diagonal<f64, 2> {
        Diagonal::new([2.0, 1.0])
    }
    fn force<S: Real<Base = f64>>(&self, t: S, _q: &Vector<S, 2>, v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![v.y * 0.7 - v.x * 0.3 + t.sin(), v.x * -0.7 - v.y - 9.81]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 2>) -> Vector<S, M> {
        let x = q.x - (t * 2.0).sin() * 0.3;
        let g = (x * x + q.y * q.y - 1.0) * 0.5;
        Vector::from_fn(|row, _| g * (row + 1) as f64)
    }
}

#[test]
fn order_four_with_moving_and_redundant_constraints_and_forces_that_use_velocities() {
    let start = |h, v: [f64; 2]| Start::at(&Shaken::<1>, clock(h), [0.6, -0.8]).moving(v).unwrap();
    let mut reference = start(1.0 / 12_800.0, [0.0, 0.0]);
    for _ in 0..12_800 {
        RungeKutta4::new().step(&Shaken::<1>, &mut reference).unwrap();
    }
    let mut errors = [vec![], vec![], vec![]];
    for steps in [50, 100, 200] {
        let h = 1.0 / f64::from(steps);
        let (mut tangent, mut state) = (start(h, [0.0; 2]), Partitioned::new(start(h, [0.0; 2])));
        let twice = Start::at(&Shaken::<2>, clock(h), [0.6, -0.8]).redundant().at_rest().unwrap();
        let mut twice = Partitioned::new(twice);
        for _ in 0..steps {
            LocalRungeKutta4::tangent().step(&Shaken::<1>, &mut tangent).unwrap();
            LocalRungeKutta4::partitioned().step(&Shaken::<1>, &mut state).unwrap();
            let report = LocalRungeKutta4::partitioned().step(&Shaken::<2>, &mut twice).unwrap();
            assert_eq!(report.step.rank, 1);
        }
        for (errors, q) in
            errors.iter_mut().zip([tangent.position(), state.state().position(), twice.state().position()])
        {
            errors.push((q - reference.position()).norm());
        }
    }
    for errors in errors {
        crate::assert_slopes("positions", &errors, 4.0, 0.35);
    }
}

/// In `f32`, at any digits, and at steps up to a hundredth of the period. At 0.05 s the two iterations of `f32` leave nine roundings.
#[test]
fn constraints_hold_to_round_off_in_single_precision() {
    let pendulum = Pendulum::<f32>::standard();
    for h in [1e-4, 1e-3, 1e-2, 2e-2] {
        let start = Start::at(&pendulum, clock(h), [1.0, 0.0]);
        let compensated = start.at_rest().unwrap();
        let (mut plain, mut precise) =
            (Partitioned::new(start.plain().at_rest().unwrap()), start.precise().at_rest().unwrap());
        let (mut kept, mut tangent) = (Partitioned::new(compensated), compensated);
        for _ in 0..200 {
            let reports = [
                LocalRungeKutta4::partitioned().step(&pendulum, &mut plain).unwrap().step,
                LocalRungeKutta4::partitioned().step(&pendulum, &mut kept).unwrap().step,
                LocalRungeKutta4::tangent().step(&pendulum, &mut tangent).unwrap(),
                LocalRungeKutta4::tangent().step(&pendulum, &mut precise).unwrap(),
            ];
            for report in reports {
                // A few roundings of |q|² and of q · v, |v| ≤ 4.5.
                assert!(magnitude(&report.position_residual) <= 4.0 * f32::EPSILON, "{h} {}", report.position_residual);
                assert!(
                    magnitude(&report.velocity_residual) <= 32.0 * f32::EPSILON,
                    "{h} {}",
                    report.velocity_residual
                );
            }
        }
    }
}

#[test]
fn what_cannot_be_stepped_is_refused_and_the_state_stays() {
    let pendulum = Pendulum::<f64>::standard();
    let start = Start::at(&pendulum, clock(0.01), [0.6, -0.8]).at_rest().unwrap();
    let longer = Pendulum { length: 1.1, ..pendulum };
    for bad in [longer, Pendulum { gravity: f64::NAN, ..pendulum }, Pendulum { gravity: f64::INFINITY, ..pendulum }] {
        let (mut state, mut tangent) = (Partitioned::new(start), start);
        assert!(LocalRungeKutta4::partitioned().step(&bad, &mut state).is_err());
        assert!(LocalRungeKutta4::tangent().step(&bad, &mut tangent).is_err());
        for after in [state.state(), &tangent] {
            assert_eq!((after.position(), after.velocity()), (start.position(), start.velocity()));
            assert_eq!(after.clock().tick(), 0);
        }
        assert_eq!(state.dependent(), &[false; 2]);
    }
}
