//! Radau IIA on mechanical systems: Problem 5.1 of Arévalo and a stiff actuator, on the velocity level (Hairer, *Solving Differential
//! Equations on Manifolds*, V.1–V.3; Hairer & Wanner VII.2). The reference numbers were computed with Newton's method to the end.

use crate::variants::{Any, assert_slopes, bits, seconds};
use mechanisms::{Pendulum, Problem51, StiffActuator};
use nalgebra::vector;
use taut::linalg::{Matrix, Vector};
use taut::method::{ImplicitEuler, RadauIia, RungeKutta4, Step, StepError};
use taut::project::Level;
use taut::scalar::{Float, Real};
use taut::start::{ImplicitState, Start};
use taut::system::Implicit;

/// The errors at t = 1 in q, v and the reported multiplier.
fn problem_5_1(method: &Any<Problem51<f64>, f64, 2, 1>, steps: usize) -> [f64; 3] {
    let (system, (q, v, _)) = (Problem51::new(), Problem51::exact(0.0));
    // Without projection the positions drift.
    let mut state = Start::at(&system, seconds(1.0 / steps as f64), q).limit(1e-2).moving(v).unwrap();
    let mut reported = 0.0;
    for _ in 0..steps {
        reported = method.step(&system, &mut state).unwrap().multipliers[0];
    }
    let (q, v, multiplier) = Problem51::exact(1.0);
    [(state.position() - q).norm(), (state.velocity() - v).norm(), (reported - multiplier).abs()]
}

/// Within half a unit of the last digit of the reference, relative, and the round-off of the solution or of the exact one.
fn assert_errors(what: &str, ours: &[f64], reference: &[f64], [digit, round_off]: [f64; 2]) {
    for (ours, reference) in ours.iter().zip(reference) {
        assert!((ours - reference).abs() <= digit * reference + round_off, "{what}: {ours:e}, not {reference:e}");
    }
}

#[test]
fn problem_5_1_without_projection_has_the_errors_of_the_reference() {
    // 20 and 40 steps: q, v. Eleven digits; v is up to 4, and 40 steps round it by 4 ε/2 each, a walk of 3e-15 in each coordinate.
    let tolerance = [5e-11, 3e-14];
    let two = RadauIia::order_three().without_projection().iterations::<30>();
    let errors = [20, 40].map(|steps| problem_5_1(&two, steps));
    assert_errors("order 3, 20", &errors[0][..2], &[2.8262131644e-4, 1.0929369198e-3], tolerance);
    assert_errors("order 3, 40", &errors[1][..2], &[3.5979966461e-5, 1.3845911757e-4], tolerance);
    let three = RadauIia::order_five().without_projection().iterations::<30>();
    let errors = [20, 40].map(|steps| problem_5_1(&three, steps));
    assert_errors("order 5, 20", &errors[0][..2], &[1.6649176164e-7, 6.4422898844e-7], tolerance);
    assert_errors("order 5, 40", &errors[1][..2], &[5.1836131632e-9, 2.0050509e-8], tolerance);
}

#[test]
fn orders_three_and_five_in_positions_velocities_and_multipliers() {
    for (method, order) in [(&RadauIia::order_three() as &Any<_, _, 2, 1>, 3.0), (&RadauIia::order_five(), 5.0)] {
        let errors = [40, 80].map(|steps| problem_5_1(method, steps));
        for (component, what) in ["q", "v", "λ"].iter().enumerate() {
            assert_slopes(what, &errors.map(|errors| errors[component]), order, 0.15);
        }
    }
}

/// The stiff actuator as M u' = F with the constraint on velocities, u = (q, v, λ): its λ is that of the last stage.
struct OnVelocities;

impl Implicit<5> for OnVelocities {
    type Base = f64;

    fn mass(&self) -> Matrix<f64, 5, 5> {
        Matrix::from_diagonal(&vector![1.0, 1.0, 1.0, 1.0, 0.0])
    }
    fn force<S: Real<Base = f64>>(&self, t: S, u: &Vector<S, 5>) -> Vector<S, 5> {
        let [x, y, v, w, multiplier] = (*u).into();
        vector![v, w, StiffActuator::push(t, x, v) - x * multiplier, -(y * multiplier) - 9.81, x * v + y * w]
    }
}

/// (q, v, λ) at t = 1, to 5e-13 in q and v: an error of 1e-8 is known to 1e-4. λ to 5e-10.
const ACTUATED: [f64; 5] = [0.420731414648, -0.907185249400, 0.270148152042, 0.125288428409, 10.706329625];

/// The errors in q and v after steps of 1 s / `steps`.
fn actuated<T: Float>(method: &Any<StiffActuator<T>, T, 2, 1>, steps: usize, limit: f64) -> [f64; 2] {
    let system = StiffActuator::new();
    let numbers = |numbers: [f64; 2]| Vector::<T, 2>::from(numbers.map(T::from_f64));
    let start = Start::at(&system, seconds(1.0 / steps as f64), numbers([0.0, -1.0])).limit(T::from_f64(limit));
    let mut state = start.moving(numbers([0.5, 0.0])).unwrap();
    for _ in 0..steps {
        method.step(&system, &mut state).unwrap();
    }
    let error = |ours: &Vector<T, 2>, exact: &[f64]| (ours[0].to_f64() - exact[0]).hypot(ours[1].to_f64() - exact[1]);
    [error(state.position(), &ACTUATED[..2]), error(state.velocity(), &ACTUATED[2..])]
}

#[test]
fn a_stiff_actuator_at_a_hundred_of_its_time_constants() {
    // q and v after ten steps of 0.1 s, on the velocity level; positions drift and are not projected.
    let two = RadauIia::order_three().without_projection().iterations::<30>();
    let three = RadauIia::order_five().without_projection().iterations::<30>();
    let euler = ImplicitEuler::velocity_level();
    // Eight digits, and those of the exact solution; five digits.
    let (eight, five) = ([5e-8, 1e-12], [5e-5, 0.0]);
    assert_errors("order 3", &actuated::<f64>(&two, 10, 1e-2), &[1.3063776e-6, 3.1129891e-4], eight);
    assert_errors("order 5", &actuated::<f64>(&three, 10, 1e-2), &[1.0499813e-8, 4.9035570e-6], eight);
    // Implicit Euler is 8,000 times worse in the position.
    assert_errors("implicit Euler, 10", &actuated::<f64>(&euler, 10, 0.1), &[1.0739e-2, 2.3359e-2], five);
    assert_errors("implicit Euler, 100", &actuated::<f64>(&euler, 100, 0.1), &[1.0588e-3, 2.3761e-3], five);

    // As M u' = F: the same numbers, and the multiplier of the last stage.
    let system = OnVelocities;
    type OnStages = dyn Step<OnVelocities, ImplicitState<f64, 5>, Report = (), Error = StepError<f64>>;
    let run = |method: &OnStages, steps: u32| {
        let clock = seconds(1.0 / f64::from(steps));
        let mut state = ImplicitState::given(&system, clock, [0.0, -1.0, 0.5, 0.0, 10.06]).unwrap();
        for _ in 0..steps {
            method.step(&system, &mut state).unwrap();
        }
        let error = state.variables() - Vector::from(ACTUATED);
        [error.fixed_rows::<2>(0).norm(), error.fixed_rows::<2>(2).norm(), error[4].abs()]
    };
    // λ has five digits with Radau, four with implicit Euler.
    let check = |what: &str, errors: [f64; 3], reference: [f64; 3], [digits, of_multiplier]: [[f64; 2]; 2]| {
        assert_errors(what, &errors[..2], &reference[..2], digits);
        assert_errors(what, &errors[2..], &reference[2..], of_multiplier);
    };
    let two = RadauIia::order_three().iterations::<40>();
    check("order 3", run(&two, 10), [1.3063776e-6, 3.1129891e-4, 8.5329e-3], [eight, [6e-6, 5e-10]]);
    let three = RadauIia::order_five().iterations::<40>();
    check("order 5", run(&three, 10), [1.0499813e-8, 4.9035570e-6, 2.04015e-4], [eight, [6e-6, 5e-10]]);
    let euler = ImplicitEuler::new().iterations::<20>();
    check("implicit Euler, 10", run(&euler, 10), [1.0739e-2, 2.3359e-2, 1.754e-1], [five, [3e-4, 0.0]]);
    check("implicit Euler, 100", run(&euler, 100), [1.0588e-3, 2.3761e-3, 1.704e-2], [five, [3e-4, 0.0]]);
}

#[test]
fn an_explicit_method_needs_a_step_below_its_stability_limit() {
    // The poles are at −1000/s, and Runge–Kutta 4 is stable up to h |λ| = 2.785: 359 steps a second.
    let run = |steps: u32| {
        let (system, [q, v]) = (StiffActuator::<f64>::new(), StiffActuator::start());
        let mut state = Start::at(&system, seconds(1.0 / f64::from(steps)), q).moving(v).unwrap();
        let method: &Any<_, f64, 2, 1> = &RungeKutta4::new();
        let stable = (0..steps).all(|_| method.step(&system, &mut state).is_ok());
        stable.then(|| (state.position() - vector![ACTUATED[0], ACTUATED[1]]).norm())
    };
    assert!(run(365).is_some_and(|error| error < 1e-4), "{:?}", run(365));
    assert!(run(350).is_none_or(|error| error > 1e-2), "{:?}", run(350));
}

#[test]
fn the_default_iterations_suffice_for_the_stiff_actuator() {
    // With projection, in both scalars. In single precision the force has round-off of 10⁶ ε/2 x = 0.03, of 10⁶ N a metre: 3e-8 m.
    let [q, v] = actuated::<f64>(&RadauIia::order_three(), 100, 1e-8);
    assert!(q < 1e-8 && v < 1e-4, "{q:e}, {v:e}");
    let [q, v] = actuated::<f32>(&RadauIia::order_three(), 1_000, 1e-4);
    assert!(q < 2e-7 && v < 1e-4, "{q:e}, {v:e}");
    let [q, v] = actuated::<f32>(&RadauIia::order_five(), 100, 1e-4);
    assert!(q < 2e-7 && v < 1e-4, "{q:e}, {v:e}");
}

#[test]
fn one_iteration_is_refused_and_leaves_the_state() {
    let pendulum = Pendulum::<f64>::standard();
    let mut state = Start::at(&pendulum, seconds(1e-2), [1.0, 0.0]).moving([0.0, 2.0]).unwrap();
    let before = bits(&state);
    let error = RadauIia::order_three().iterations::<1>().step(&pendulum, &mut state).unwrap_err();
    assert!(matches!(error, StepError::NotConverged { tick: 0, residual } if residual.level == Level::Correction));
    assert_eq!(bits(&state), before);
    let report = RadauIia::order_three().step(&pendulum, &mut state).unwrap();
    assert_eq!((report.iterations, report.rank), (9, 1));
}
