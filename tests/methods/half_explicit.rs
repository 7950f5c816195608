//! Half-explicit methods (Hairer, Lubich and Roche 1989): orders by slopes, the velocity constraint at every step, the drift
//! of the positions without projection, redundant constraints.

use crate::variants::Any;
use mechanisms::{ByHand, DoublePendulum, Problem51, Ring};
use taut::linalg::SymmetricFactors;
use taut::method::{Composition, HalfExplicit, Step, StepError};
use taut::project::Level;
use taut::start::{Clock, Start, State};

type DoubleState = State<f64, 4, 2>;

fn clock(h: f64) -> Clock<f64> {
    Clock::with_step(h).unwrap()
}

fn system() -> ByHand<DoublePendulum<f64>> {
    ByHand(DoublePendulum::standard())
}

fn start(h: f64) -> DoubleState {
    Start::at(&system(), clock(h), [1.0, 0.0, 2.0, 0.0]).limit(1e-2).at_rest().unwrap()
}

const END: f64 = 0.5;

/// Order 6 with 6400 steps: its error is below 1e-12.
fn reference() -> DoubleState {
    let fine = Composition::kahan_li();
    let mut state = start(END / 6400.0);
    for _ in 0..6400 {
        let _ = fine.step(&system(), &mut state).unwrap();
    }
    state
}

/// Errors of positions, velocities and multipliers at the end, for halved steps.
fn errors(method: &Any<ByHand<DoublePendulum<f64>>, f64, 4, 2>, steps: [u32; 3]) -> [[f64; 3]; 3] {
    let reference = reference();
    let exact = reference.multipliers(&system()).unwrap();
    steps.map(|steps| {
        let mut state = start(END / f64::from(steps));
        for _ in 0..steps {
            let report = method.step(&system(), &mut state).unwrap();
            assert!(report.velocity_residual.amax() < 1e-13, "the velocity constraint holds at every step");
        }
        let (q, v) = (*state.position(), *state.velocity());
        let report = method.step(&system(), &mut state).unwrap();
        [(q - reference.position()).norm(), (v - reference.velocity()).norm(), (report.multipliers - exact).norm()]
    })
}

fn assert_order(order: f64, errors: [[f64; 3]; 3], what: &str) {
    for pair in errors.windows(2) {
        for (k, name) in ["positions", "velocities", "multipliers"].into_iter().enumerate() {
            let slope = (pair[0][k] / pair[1][k]).log2();
            assert!((slope - order).abs() < 0.25, "{what}, {name}: slope {slope}, errors {errors:?}");
        }
    }
}

#[test]
fn orders_one_to_four_with_projection() {
    assert_order(1.0, errors(&HalfExplicit::order_one(), [800, 1600, 3200]), "order one");
    assert_order(2.0, errors(&HalfExplicit::order_two(), [200, 400, 800]), "order two");
    assert_order(3.0, errors(&HalfExplicit::order_three(), [100, 200, 400]), "order three");
    assert_order(4.0, errors(&HalfExplicit::order_four(), [50, 100, 200]), "order four");
}

#[test]
fn orders_one_to_four_without_projection() {
    assert_order(1.0, errors(&HalfExplicit::order_one().without_projection(), [800, 1600, 3200]), "order one");
    assert_order(2.0, errors(&HalfExplicit::order_two().without_projection(), [200, 400, 800]), "order two");
    assert_order(3.0, errors(&HalfExplicit::order_three().without_projection(), [100, 200, 400]), "order three");
    assert_order(4.0, errors(&HalfExplicit::order_four().without_projection(), [50, 100, 200]), "order four");
}

/// Problem 5.1 to t = 1 without projection: errors of positions and velocities against those of the reference, relative 1e-3
/// as it asks, and the error of the multiplier of the acceleration level there.
fn problem_5_1<const S: usize>((h, expected): (f64, [f64; 2]), method: HalfExplicit<f64, S>) -> f64 {
    let method = method.without_projection();
    let (q, v, _) = Problem51::exact(0.0);
    // Without projection the positions drift, by 0.05 at the most here.
    let mut state = Start::at(&Problem51::new(), clock(h), q).limit(0.2).moving(v).unwrap();
    for _ in 0..(1.0 / h).round() as u32 {
        let _ = method.step(&Problem51::new(), &mut state).unwrap();
    }
    let (q, v, exact) = Problem51::exact(1.0);
    let errors = [(state.position() - q).norm(), (state.velocity() - v).norm()];
    for (error, expected) in errors.iter().zip(expected) {
        assert!((error - expected).abs() < 1e-3 * expected + 1e-11, "h = {h}: {errors:?}, not {expected}");
    }
    (method.step(&Problem51::new(), &mut state).unwrap().multipliers[0] - exact).abs()
}

#[test]
fn problem_5_1_with_order_one() {
    // D.P51.HEM1.p.errors, v.errors. D.P51.HEM1.lam.exact: its multiplier has no error but round-off, ε/h.
    for row in [
        (0.01, [0.04874842266448114, 0.19499369065792793]),
        (0.005, [0.024119611375584576, 0.09647844550233954]),
        (0.0025, [0.01199577432397746, 0.04798309729591384]),
        (0.00125, [0.005981836383336219, 0.023927345533343632]),
        (0.000625, [0.002986900424666821, 0.011947601698655287]),
    ] {
        let error = problem_5_1(row, HalfExplicit::order_one());
        assert!(error < 1e-11, "h = {}: {error:e}", row.0);
    }
}

#[test]
fn problem_5_1_with_order_four() {
    // D.P51.HEM4.p.errors, v.errors; D.P51.HEM4.lam.errors.
    for (row, expected) in [
        ((0.05, [1.0646106182533028e-05, 4.9922271714125274e-05]), 9.345970636687184e-05),
        ((0.025, [6.919238570642141e-07, 3.2114022453585667e-06]), 6.231919790877782e-06),
        ((0.0125, [4.4128678718680815e-08, 2.036076339279048e-07]), 4.009253569137172e-07),
        ((0.00625, [2.7863015686896623e-09, 1.2815986252501206e-08]), 2.5399964798111796e-08),
    ] {
        let error = problem_5_1(row, HalfExplicit::order_four());
        assert!((error - expected).abs() < 1e-3 * expected + 1e-11, "h = {}: {error:e}, not {expected:e}", row.0);
    }
}

#[test]
fn positions_drift_without_projection_and_stay_with_it() {
    let drift = |method: &Any<_, f64, 4, 2>| {
        let mut state = start(1e-3);
        (0..1000).map(|_| method.step(&system(), &mut state).unwrap().position_residual.amax()).last().unwrap()
    };
    let method = HalfExplicit::order_three();
    let with = drift(&method);
    let without = drift(&method.without_projection());
    assert!(with < 1e-14 && without > 1e-9, "with {with:e}, without {without:e}");
}

#[test]
fn a_drift_beyond_the_limit_is_an_error() {
    let mut state = Start::at(&system(), clock(1e-2), [1.0, 0.0, 2.0, 0.0]).at_rest().unwrap();
    let method = HalfExplicit::order_one().without_projection();
    let error = (0..1000).find_map(|_| method.step(&system(), &mut state).err()).unwrap();
    assert!(matches!(error, StepError::OffConstraint { residual, .. } if residual.level == Level::Position), "{error}");
}

/// Runs the ring of six pieces to T = 2 and returns the error of q₃, q₄, q₅.
fn ring<F: SymmetricFactors<f64, 18>>(mut state: State<f64, 18, 18, F>, steps: u32) -> f64 {
    let method = HalfExplicit::order_three();
    for _ in 0..steps {
        let report = method.step(&Ring::fixed(), &mut state).unwrap();
        assert_eq!(report.rank, 17);
    }
    // F.fixed.q.T2
    let exact = [
        0.0,
        0.9348792231640151,
        -0.35496596751836323,
        0.6257021645014221,
        1.211774703350138,
        0.37429783549857765,
        0.17963324935646063,
        0.5718377343605099,
        1.0,
    ];
    exact.iter().zip(state.position().iter().skip(6)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn the_ring_with_its_dependent_constraints_runs_with_order_three() {
    let velocity = Ring::<f64>::tangent().map(|x| 0.3 * x);
    let errors = [50, 100, 200].map(|steps| {
        let clock = clock(2.0 / f64::from(steps));
        ring(Start::at(&Ring::fixed(), clock, Ring::position()).redundant().moving(velocity).unwrap(), steps)
    });
    for pair in errors.windows(2) {
        let slope = (pair[0] / pair[1]).log2();
        assert!((slope - 3.0).abs() < 0.3, "slope {slope}, errors {errors:?}");
    }
}
