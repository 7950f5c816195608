//! Arévalo's Problem 5.2, of the general index-3 form: Table 5.2 with both starts, orders, and a singularity between two steps.

use crate::variants::assert_slopes;
use mechanisms::Problem52;
use taut::linalg::Vector;
use taut::method::{ImplicitEuler, RadauIia, Step, StepError};
use taut::start::{Clock, IndexThreeState, StartError};

fn clock(h: f64) -> Clock<f64> {
    Clock::with_step(h).unwrap().at_time(1.0)
}

fn start(h: f64) -> IndexThreeState<f64, 3, 3, 2> {
    let (p, q) = Problem52::exact(1.0);
    IndexThreeState::start(&Problem52::new(), clock(h), p, q).unwrap()
}

const EULER: ImplicitEuler = ImplicitEuler::new();

/// |λ − λ_n| of the first steps.
fn errors(h: f64, state: &mut IndexThreeState<f64, 3, 3, 2>, steps: usize) -> Vec<f64> {
    (1..=steps)
        .map(|n| {
            let multipliers = EULER.step(&Problem52::new(), state).unwrap();
            (multipliers[0] - Problem52::multipliers(1.0 + h * n as f64)[0]).abs()
        })
        .collect()
}

#[test]
fn table_5_2_from_exact_initial_values() {
    // A.T5.2.*.exactIV; the tolerance is the reference's.
    for (h, expected) in [
        (0.0005, &[2.3973235058533304, 0.005612469695975135, 0.005557267843869232, 0.005502762493318143][..]),
        (0.001, &[2.3916906227026042, 0.01106195713806881][..]),
    ] {
        let errors = errors(h, &mut start(h), expected.len());
        for (error, expected) in errors.iter().zip(expected) {
            assert!((error - expected).abs() < 5e-9, "h = {h}: {errors:?}");
        }
    }
}

#[test]
fn table_5_2_from_numerically_consistent_values() {
    // A.T5.2.*.consIV and A.q0.5.2.*.
    for (h, expected, velocity) in [
        (
            0.0005,
            &[0.004799534711930927, 0.005612469695975135, 0.005557267843869232, 0.005502762493318143][..],
            [-0.7292941255195245, 0.93757568216585, 1.0],
        ),
        (0.001, &[0.009585950585387673, 0.01106195713806881][..], [-0.729846388051656, 0.9393073581298791, 1.0]),
    ] {
        let mut state = start(h);
        EULER.make_consistent(&Problem52::new(), &mut state).unwrap();
        assert!((state.velocity() - Vector::<f64, 3>::from(velocity)).amax() < 1e-11, "{}", state.velocity());
        let errors = errors(h, &mut state, expected.len());
        for (error, expected) in errors.iter().zip(expected) {
            assert!((error - expected).abs() < 5e-9, "h = {h}: {errors:?}");
        }
    }
}

#[test]
fn order_one_up_to_the_singularity() {
    let mut acceleration_level = vec![];
    // D.P52.index3.IE.T1.4: errors of p, q, λ at t = 1.4.
    for (h, expected) in [
        (0.002, [0.0014162084071049211, 0.005383809520016406, 0.04249985711837745]),
        (0.001, [0.0007141335614341769, 0.0026744558185928195, 0.021340554792081967]),
        (0.0005, [0.0003585679541988152, 0.0013328615222422376, 0.010693027212969941]),
    ] {
        let mut state = start(h);
        let mut reported = Vector::zeros();
        let steps = (0.4_f64 / h).round() as u32;
        for _ in 0..steps {
            reported = EULER.step(&Problem52::new(), &mut state).unwrap();
        }
        let ((p, q), multipliers) = (Problem52::exact(1.4), Problem52::multipliers(1.4));
        let mine = state.multipliers(&Problem52::new()).unwrap();
        acceleration_level.push((mine - Vector::from(multipliers)).norm());
        let errors = [
            (state.position() - Vector::<f64, 3>::from(p)).norm(),
            (state.velocity() - Vector::<f64, 3>::from(q)).norm(),
            (reported[0] - multipliers[0]).abs(),
        ];
        for (error, expected) in errors.iter().zip(expected) {
            assert!((error - expected).abs() < 1e-3 * expected, "h = {h}: {errors:?}");
        }
    }
    // Those of the state have the same order.
    assert_slopes("multipliers of the state", &acceleration_level, 1.0, 0.05);
}

#[test]
fn the_multipliers_of_a_state_are_those_of_its_acceleration_level() {
    for (t, tolerance) in [(1.0, 1e-13), (1.2, 1e-13), (1.5, 1e-12)] {
        let (p, q) = Problem52::exact(t);
        let state = IndexThreeState::start(&Problem52::new(), clock(1e-3).at_time(t), p, q).unwrap();
        let off = (state.multipliers(&Problem52::new()).unwrap() - Vector::from(Problem52::multipliers(t))).amax();
        assert!(off < tolerance, "t = {t}: {off:e}");
    }
}

#[test]
fn a_singularity_between_two_steps_is_an_error() {
    // R_p U_q G is singular at t = 1.5350. No pivot is small at any node: unguarded, the numerical solution turns back there,
    // with multipliers of −60 at h = 0.01 and −800 at h = 0.001.
    for (h, last) in [(0.01, 0.01), (0.001, 0.001), (0.0001, 0.0001)] {
        let mut state = start(h);
        let error = loop {
            let before = state;
            match EULER.step(&Problem52::new(), &mut state) {
                Ok(_) => assert!(state.clock().time() < 1.55, "h = {h}: passed the singularity"),
                Err(error) => {
                    assert_eq!(state, before, "the state is as it was");
                    break error;
                }
            }
        };
        // Refused within a step of it: the matrix would change by more than half of itself.
        assert!((1.535 - state.clock().time()).abs() < last, "h = {h}: {error} at t = {}", state.clock().time());
        assert!(matches!(error, StepError::SingularWithin { .. }), "{error}");
    }
}

#[test]
fn inconsistent_starts_are_refused() {
    let (p, q) = Problem52::exact(1.0);
    let off = IndexThreeState::start(&Problem52::new(), clock(1e-3), [p[0], p[1], 0.6], q).unwrap_err();
    assert!(matches!(off, StartError::NotAssembled { .. }), "{off}");
    let off = IndexThreeState::start(&Problem52::new(), clock(1e-3), p, [q[0], q[1] + 0.1, q[2]]).unwrap_err();
    assert!(matches!(off, StartError::Velocity(_)), "{off}");
    let off = IndexThreeState::start(&Problem52::new(), clock(1e-3).at_time(f64::NAN), p, q).unwrap_err();
    assert!(matches!(off, StartError::NonFinite { .. }), "{off}");
}

#[test]
fn radau_has_order_three_and_five_in_all_variables() {
    type Any = dyn Step<Problem52<f64>, IndexThreeState<f64, 3, 3, 2>, Report = Vector<f64, 2>, Error = StepError<f64>>;
    // Up to t = 1.2, so that the singularity at 1.535 does not yet dominate.
    for (method, order) in [(&RadauIia::order_three() as &Any, 3.0), (&RadauIia::order_five(), 5.0)] {
        let errors = [5, 10, 20].map(|steps| {
            let mut state = start(0.2 / f64::from(steps));
            let mut reported = Vector::zeros();
            for _ in 0..steps {
                reported = method.step(&Problem52::new(), &mut state).unwrap();
            }
            let ((p, q), multipliers) = (Problem52::exact(1.2), Problem52::multipliers(1.2));
            [
                (state.position() - Vector::<f64, 3>::from(p)).norm(),
                (state.velocity() - Vector::<f64, 3>::from(q)).norm(),
                (reported - Vector::from(multipliers)).norm(),
            ]
        });
        for (component, what) in ["p", "q", "Λ"].iter().enumerate() {
            assert_slopes(what, &errors.map(|errors| errors[component]), order, 0.25);
        }
    }
}

#[test]
fn radau_refuses_the_singularity_between_two_steps() {
    let mut state = start(0.001);
    let error = loop {
        let before = state;
        if let Err(error) = RadauIia::order_three().step(&Problem52::new(), &mut state) {
            assert_eq!(state, before, "the state is as it was");
            break error;
        }
        assert!(state.clock().time() < 1.55, "passed the singularity");
    };
    // The iterations of the last steps before it may fail, too.
    assert!((1.535 - state.clock().time()).abs() < 0.02, "{error} at t = {}", state.clock().time());
}
