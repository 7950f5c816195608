//! Runge–Kutta of order 4 on the acceleration level: its order, and the drift of Hairer & Wanner VII.2.

use crate::variants::Any;
use mechanisms::{ByHand, DoublePendulum, Pendulum, Ring};
use nalgebra::vector;
use taut::linalg::Vector;
use taut::method::{Composition, Rattle, RungeKutta4, Step, StepError};
use taut::scalar::Real;
use taut::start::{Clock, Start, check};
use taut::system::{Diagonal, Mechanical};

fn clock(h: f64) -> Clock<f64> {
    Clock::with_step(h).unwrap()
}

/// Slopes of errors between halved steps.
fn slopes(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect()
}

#[test]
fn order_four_in_positions_velocities_and_multipliers() {
    let system = ByHand(DoublePendulum::<f64>::standard());
    let start = |steps: u32| Start::at(&system, clock(0.5 / f64::from(steps)), [1.0, 0.0, 2.0, 0.0]).at_rest().unwrap();
    // The reference: order 6 with 6400 steps, whose error is below 1e-12.
    let fine = Composition::kahan_li();
    let mut reference = start(6400);
    for _ in 0..6400 {
        let _ = fine.step(&system, &mut reference).unwrap();
    }
    // Multipliers of the acceleration level at the reference.
    let exact = reference.multipliers(&system).unwrap();

    let mut errors = [vec![], vec![], vec![]];
    for steps in [100, 200, 400] {
        let method = RungeKutta4::new();
        let mut state = start(steps);
        for _ in 0..steps {
            let _ = method.step(&system, &mut state).unwrap();
        }
        errors[0].push((state.position() - reference.position()).norm());
        errors[1].push((state.velocity() - reference.velocity()).norm());
        // The report's multipliers are those where its step began.
        let report = method.step(&system, &mut state).unwrap();
        errors[2].push((report.multipliers - exact).norm());
    }
    for (errors, what) in errors.iter().zip(["positions", "velocities", "multipliers"]) {
        for slope in slopes(errors) {
            assert!((slope - 4.0).abs() < 0.15, "{what}: slope {slope}, errors {errors:?}");
        }
    }
}

/// Runs a pendulum of unit parameters to t = 20 and returns |g|, |G v| at t = 5, 10, 20 and the global error at the end.
fn drift(method: &Any<Pendulum<f64>, f64, 2, 1>, h: f64) -> ([f64; 3], [f64; 3], f64) {
    let pendulum = Pendulum::unit();
    // Far off is what the experiment is about.
    let mut state = Start::at(&pendulum, clock(h), [1.0, 0.0]).limit(1.0).at_rest().unwrap();
    let fine = Composition::kahan_li();
    let mut reference = Start::at(&pendulum, clock(0.01), [1.0, 0.0]).at_rest().unwrap();
    for _ in 0..2000 {
        let _ = fine.step(&pendulum, &mut reference).unwrap();
    }
    let (mut positions, mut velocities) = ([0.0; 3], [0.0; 3]);
    let steps = (20.0 / h).round() as u32;
    for n in 1..=steps {
        let _ = method.step(&pendulum, &mut state).unwrap();
        if let Some(k) = [steps / 4, steps / 2, steps].iter().position(|mark| *mark == n) {
            let residuals = check(&pendulum, &state);
            positions[k] = residuals.position_residual[0].abs();
            velocities[k] = residuals.velocity_residual[0].abs();
        }
    }
    (positions, velocities, (state.position() - reference.position()).norm())
}

#[test]
fn without_projection_positions_drift_quadratically_and_velocities_linearly() {
    // (2.6): g'' = 0 with perturbations of size h⁴ in every unit of time.
    let method = RungeKutta4::new().bare();
    let (positions, velocities, _) = drift(&method, 0.05);
    assert!(positions[0] > 1e-9, "{positions:?}");
    for pair in positions.windows(2) {
        assert!((2.5..6.0).contains(&(pair[1] / pair[0])), "twice the time, four times the drift: {positions:?}");
    }
    for pair in velocities.windows(2) {
        assert!((1.3..3.0).contains(&(pair[1] / pair[0])), "twice the time, twice the drift: {velocities:?}");
    }
}

#[test]
fn velocity_projection_alone_is_as_good_as_both_and_position_projection_alone_is_not() {
    // Fig. 2.2.
    let h = 0.05;
    let method = RungeKutta4::new();
    let (_, _, bare) = drift(&method.bare(), h);
    let (positions, _, both) = drift(&method, h);
    let (_, residual, velocities_only) = drift(&method.velocities_only(), h);
    let (_, _, positions_only) = drift(&method.positions_only(), h);
    assert!(positions.iter().all(|g| *g < 1e-14) && residual.iter().all(|r| *r < 1e-14));
    assert!(velocities_only < 3.0 * both, "velocities only {velocities_only:e}, both {both:e}");
    assert!(positions_only > 3.0 * both, "positions only {positions_only:e}, both {both:e}");
    assert!(bare > 3.0 * both, "bare {bare:e}, both {both:e}");
    // Projecting positions alone brings nothing: the velocities that drift carry the solution away.
    assert!(positions_only > 0.9 * bare, "positions only {positions_only:e}, bare {bare:e}");
}

#[test]
fn baumgarte_keeps_the_drift_bounded() {
    // (2.7) with α = β = 10: perturbations decay like exp(−10 t) instead of growing.
    let h = 0.05;
    let method = RungeKutta4::new();
    let (bare, _, _) = drift(&method.bare(), h);
    let (positions, velocities, _) = drift(&method.baumgarte(10.0, 10.0), h);
    assert!(bare[2] > 10.0 * bare[0], "bare grows sixteenfold in four times the time: {bare:?}");
    assert!(positions[2] < 3.0 * positions[0], "no growth: {positions:?}");
    assert!(positions[2] < bare[2], "{positions:?} against {bare:?}");
    assert!(positions[2] > 1e-14 && velocities[2] > 1e-14, "stabilised, not projected: {positions:?}, {velocities:?}");
}

#[test]
fn energy_at_a_small_step_is_far_better_than_that_of_rattle() {
    // Pendulum at h = 1e-3 over ten seconds, relative to m g l: 2e-11, growing with time, where RATTLE oscillates with 4e-6.
    let pendulum = Pendulum::<f64>::standard();
    let (runge_kutta, rattle) = (RungeKutta4::new(), Rattle::new());
    let (mut state, mut beside) = {
        let start = || Start::at(&pendulum, clock(1e-3), [1.0, 0.0]).at_rest().unwrap();
        (start(), start())
    };
    let (mut worst, mut worst_beside) = (0.0_f64, 0.0_f64);
    for _ in 0..10_000 {
        let _ = runge_kutta.step(&pendulum, &mut state).unwrap();
        let _ = rattle.step(&pendulum, &mut beside).unwrap();
        worst = worst.max(pendulum.energy(state.position(), state.velocity()).abs() / 9.81);
        worst_beside = worst_beside.max(pendulum.energy(beside.position(), beside.velocity()).abs() / 9.81);
    }
    assert!(worst < 2.5e-11, "Runge–Kutta {worst:e}");
    assert!((3e-6..5e-6).contains(&worst_beside), "RATTLE {worst_beside:e}");
}

#[test]
fn the_ring_with_its_dependent_constraints_runs_with_order_four() {
    // Within a step the stages are a little off the constraints, where these do not quite depend on each other.
    let ring = Ring::<f64>::fixed();
    // F.fixed.q.T2, the middle of q₄ and of q₅.
    let exact = [1.211774703350138, 0.5718377343605099];
    let errors = [25_u32, 50, 100].map(|steps| {
        let method = RungeKutta4::new();
        let start = Start::at(&ring, clock(2.0 / f64::from(steps)), Ring::position()).redundant();
        let mut state = start.moving(Ring::<f64>::tangent().map(|x| 0.3 * x)).unwrap();
        for _ in 0..steps {
            assert_eq!(method.step(&ring, &mut state).unwrap().rank, 17);
        }
        (state.position()[10] - exact[0]).abs().max((state.position()[13] - exact[1]).abs())
    });
    for slope in slopes(&errors) {
        assert!((slope - 4.0).abs() < 0.3, "slope {slope}, errors {errors:?}");
    }
}

/// Two constraints whose gradients, (1, 0) and (1, c), turn by c = t/h − 1/2 + `least`: all but parallel in the middle of the
/// first step and well apart at both ends.
struct Crossing {
    h: f64,
    least: f64,
}

impl Mechanical<2, 2> for Crossing {
    type Base = f64;
    type Mass = Diagonal<f64, 2>;

    fn mass(&self) -> Diagonal<f64, 2> {
        Diagonal::new([1.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        Vector::zeros()
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 2>) -> Vector<S, 2> {
        vector![q.x, q.x + q.y * ((t - self.h * 0.5) / self.h + self.least)]
    }
}

#[test]
fn constraints_that_are_dependent_at_a_stage_are_refused() {
    // The pivot is c²/(1 + c²) of its diagonal entry, and the limit 4 M ε = 1.8e-15.
    let h = 0.125; // its half is exact
    let method = RungeKutta4::new();
    let crossing = |least| Crossing { h, least };
    let start = |system: &Crossing| Start::at(system, clock(h), [0.0, 0.0]).at_rest().unwrap();

    let (near, apart, parallel) = (crossing(2.2e-8), crossing(1e-6), crossing(0.0));
    let mut state = start(&near);
    let before = state.save();
    let error = method.step(&near, &mut state).unwrap_err();
    assert!(matches!(error, StepError::SingularWithin { tick: 0, .. }), "{error}");
    assert_eq!(state.save(), before, "the state is as it was");

    let _ = method.step(&apart, &mut start(&apart)).unwrap();
    let error = method.step(&parallel, &mut start(&parallel)).unwrap_err();
    assert!(matches!(error, StepError::NonFinite { tick: 0, .. }), "{error}");
}
