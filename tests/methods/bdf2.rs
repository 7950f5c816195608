//! BDF2 with fixed steps on index 3, in the stabilised form of Gear, Gupta and Leimkuhler, and on index 2 (Hairer & Wanner VII.1 and VII.2);
//! and the overdetermined form (2.27), which the library does not step. Problem 5.1 is Arévalo's. Both nodes of the start are exact.

use crate::variants::{Any, assert_slopes, seconds};
use mechanisms::{DoublePendulum, Pendulum, Problem51, SteeringWheel};
use nalgebra::vector;
use taut::linalg::{Lu, Matrix, Vector};
use taut::method::{Bdf2, RadauIia, RungeKutta8, Step, StepError, TwoNodes};
use taut::scalar::{Dual, Real};
use taut::start::{Clock, SemiExplicitState, Start, State};
use taut::system::Mechanical;

/// The reference's errors, to their printed digits.
fn assert_errors(what: &str, ours: &[f64], reference: &[f64], tolerance: f64) {
    for (ours, reference) in ours.iter().zip(reference) {
        assert!((ours - reference).abs() <= tolerance * reference, "{what}: {ours:e}, not {reference:e}");
    }
}

type Nodes = TwoNodes<State<f64, 2, 1>, [Vector<f64, 2>; 2]>;

/// The errors at t = 1 in q, v and λ, and |μ| of the last step: M (q − q̂ − 2h/3 v) + 2h/3 Gᵀ μ = 0.
fn problem_5_1(
    method: &dyn Step<Problem51<f64>, Nodes, Report = taut::method::Report<f64, 1>, Error = StepError<f64>>,
    steps: u32,
) -> [f64; 4] {
    let (system, h) = (Problem51::new(), 1.0 / f64::from(steps));
    let ([q0, q1], [v0, v1]) = {
        let [(q0, v0, _), (q1, v1, _)] = [0.0, h].map(Problem51::exact);
        ([q0, q1], [v0, v1])
    };
    let state = Start::at(&system, Clock::with_step(h).unwrap().at_tick(1), q1).limit(1e-6).moving(v1).unwrap();
    let mut nodes = TwoNodes::new(state, [q1 - q0, v1 - v0]);
    let (mut positions, mut reported) = ([q0, q1], 0.0);
    for _ in 1..steps {
        positions[0] = std::mem::replace(&mut positions[1], *nodes.state().position());
        reported = method.step(&system, &mut nodes).unwrap().multipliers[0];
    }
    let (q, v) = (nodes.state().position(), nodes.state().velocity());
    let [before, last] = positions;
    let added = (v - (q - (last * 4.0 - before) / 3.0) * (1.5 / h)).dot(q).abs();
    let (q_exact, v_exact, multiplier) = Problem51::exact(1.0);
    [(q - q_exact).norm(), (v - v_exact).norm(), (reported - multiplier).abs(), added]
}

#[test]
fn problem_5_1_has_the_errors_of_the_reference() {
    let positions = Bdf2::position_level().iterations::<10>();
    let errors = [50, 100].map(|steps| problem_5_1(&positions, steps));
    // Half a unit of the tenth digit.
    assert_errors("index 3, 50", &errors[0], &[1.220793742e-2, 5.684877342e-2, 1.835002507e-1], 5e-10);
    assert_errors("index 3, 100", &errors[1], &[3.139194067e-3, 1.453873857e-2, 4.610654016e-2], 5e-10);

    let stabilised = Bdf2::new().iterations::<10>();
    let errors = [50, 100].map(|steps| problem_5_1(&stabilised, steps));
    let table = [
        [9.326494796e-3, 4.005513023e-2, 1.203131981e-1, 3.576214387e-3],
        [2.405873451e-3, 1.031668234e-2, 3.034037646e-2, 8.541903654e-4],
    ];
    assert_errors("stabilised, 50", &errors[0], &table[0], 5e-10);
    assert_errors("stabilised, 100", &errors[1], &table[1], 5e-10);

    for (method, errors) in
        [("positions", &positions as &dyn Step<_, Nodes, Report = _, Error = _>), ("stabilised", &stabilised)]
            .map(|(name, method)| (name, [400, 800].map(|steps| problem_5_1(method, steps))))
    {
        for (component, what) in ["q", "v", "λ"].iter().enumerate() {
            assert_slopes(&format!("{method} {what}"), &errors.map(|errors| errors[component]), 2.0, 0.03);
        }
    }
}

/// The unknowns of the overdetermined form: q, v, λ, μ, η.
const UNKNOWNS: usize = 7;

/// (2.27) for Problem 5.1, from q̂ and v̂ with the step h γ.
fn overdetermined<S: Real<Base = f64>>(
    u: &Vector<S, UNKNOWNS>,
    q_from: &Vector<f64, 2>,
    v_from: &Vector<f64, 2>,
    h: f64,
) -> Vector<S, UNKNOWNS> {
    let (q, v) = (vector![u[0], u[1]], vector![u[2], u[3]]);
    let [multiplier, added, second] = [u[4], u[5], u[6]];
    let force = Problem51::new().force(S::zero(), &q, &v);
    let mut result = Vector::zeros();
    for i in 0..2 {
        result[i] = q[i] - q_from[i] - v[i] * h + (q[i] * added + v[i] * second) * h;
        result[2 + i] = v[i] - v_from[i] - (force[i] - q[i] * multiplier) * h + q[i] * second * h;
    }
    result[4] = (q.dot(&q) - 1.0) * 0.5;
    result[5] = q.dot(&v);
    result[6] = v.dot(&v) + q.dot(&force) - q.dot(&q) * multiplier;
    result
}

/// The errors at t = 1 in q, v and λ, and |μ|, |η|, with the formula of one step or of two. All constraints hold at each step.
fn by_overdetermined_form(steps: u32, formula: usize) -> [f64; 5] {
    let h = 1.0 / f64::from(steps);
    let mut nodes = [0.0, h].map(|t| {
        let (q, v, _) = Problem51::exact(t);
        (q, v)
    });
    let mut u = Vector::<f64, UNKNOWNS>::zeros();
    if formula == 1 {
        nodes[1] = nodes[0];
    }
    for step in if formula == 1 { 0 } else { 1 }..steps {
        let [(q_before, v_before), (q, v)] = nodes;
        let (q_from, v_from, weight) = match formula {
            1 => (q, v, 1.0),
            _ => ((q * 4.0 - q_before) / 3.0, (v * 4.0 - v_before) / 3.0, 2.0 / 3.0),
        };
        let multiplier = Problem51::exact(f64::from(step) * h).2;
        u = vector![q.x, q.y, v.x, v.y, multiplier, 0.0, 0.0];
        for _ in 0..10 {
            let variables = Vector::from(Dual::<f64, UNKNOWNS>::variables(u.into()));
            let residual = overdetermined(&variables, &q_from, &v_from, h * weight);
            let slopes = Matrix::<f64, UNKNOWNS, UNKNOWNS>::from_fn(|row, column| residual[row].partials[column]);
            u -= Lu::factor(slopes).unwrap().solve(residual.map(|r| r.value));
        }
        // g, G v and g̈, to the round-off of |q|² = 1, |v| ≤ 4 and |v|² = 16: roundings of a few products each.
        let residual = overdetermined(&u, &q_from, &v_from, h * weight);
        for (row, size) in [(4, 1.0), (5, 4.0), (6, 16.0)] {
            assert!(residual[row].abs() <= 4.0 * size * f64::EPSILON, "{row}: {:e}", residual[row]);
        }
        nodes = [(q, v), (vector![u[0], u[1]], vector![u[2], u[3]])];
    }
    let (q, v, multiplier) = Problem51::exact(1.0);
    [(nodes[1].0 - q).norm(), (nodes[1].1 - v).norm(), (u[4] - multiplier).abs(), u[5].abs(), u[6].abs()]
}

#[test]
fn the_overdetermined_form_gains_little() {
    let table = [
        (50, [8.751910826e-3, 3.793389258e-2, 1.178920797e-1, 3.577006e-3, 1.459355e-4]),
        (100, [2.270883598e-3, 9.815519652e-3, 2.982379878e-2, 8.542174e-4, 3.057442e-5]),
        (200, [5.772418752e-4, 2.490482609e-3, 7.471391443e-3, 2.072088e-4, 6.794866e-6]),
    ];
    for (steps, reference) in table {
        let errors = by_overdetermined_form(steps, 2);
        // Half a unit of ten digits, and of seven.
        assert_errors("q, v, λ", &errors[..3], &reference[..3], 5e-10);
        assert_errors("μ, η", &errors[3..], &reference[3..], 5e-7);
    }
    let table = [
        (50, [4.905103485e-2, 3.321587915e-1, 2.1085]),
        (100, [2.440463376e-2, 1.721143393e-1, 1.1232]),
        (200, [1.215447717e-2, 8.763033311e-2, 0.58026]),
    ];
    for (steps, reference) in table {
        let errors = by_overdetermined_form(steps, 1);
        // Half a unit of ten digits, and of five.
        assert_errors("q, v", &errors[..2], &reference[..2], 5e-10);
        assert_errors("λ", &errors[2..3], &reference[2..], 5e-5);
    }
}

#[test]
fn order_two_with_index_two() {
    // (1.9): y and z.
    let table = [(20, [8.8574e-6, 7.3628e-6]), (40, [2.6315e-6, 1.9675e-6]), (80, [7.1765e-7, 5.1142e-7])];
    let system = SteeringWheel::<f64>::new();
    let (sin, cos) = (-0.5_f64).sin_cos();
    for (steps, reference) in table {
        let h = 1.0 / f64::from(steps);
        // The exact second node, by small steps of order 5.
        let mut fine = SemiExplicitState::start(&system, seconds(h / 16.0), [cos, sin], [1.0]).unwrap();
        for _ in 0..16 {
            let _ = RadauIia::order_five().step(&system, &mut fine).unwrap();
        }
        let clock = Clock::with_step(h).unwrap().at_tick(1);
        let state = SemiExplicitState::given(&system, clock, *fine.differential(), *fine.algebraic(), 1e-8).unwrap();
        let mut nodes = TwoNodes::new(state, fine.differential() - vector![cos, sin]);
        for _ in 1..steps {
            Bdf2::new().step(&system, &mut nodes).unwrap();
        }
        let y = vector![0.996_350_254_689_778_9, -0.085_359_065_011_355];
        let errors =
            [(nodes.state().differential() - y).norm(), (nodes.state().algebraic()[0] - 1.2189970101422742).abs()];
        // Half a unit of their fifth digit.
        assert_errors("y, z", &errors, &reference, 3e-5);
    }
    let start = SemiExplicitState::start(&system, seconds(0.01), [cos, sin], [1.0]).unwrap();
    let mut nodes = Bdf2::new().begin_semi_explicit(&system, start).unwrap();
    Bdf2::new().step(&system, &mut nodes).unwrap();
    assert_eq!(nodes.state().clock().tick(), 2);
}

#[test]
fn its_own_start_keeps_the_order_with_several_constraints() {
    let system = DoublePendulum::<f64>::standard();
    let start =
        |steps: u32| Start::at(&system, seconds(0.4 / f64::from(steps)), [1.0, 0.0, 2.0, 0.0]).at_rest().unwrap();
    let mut exact = start(400);
    for _ in 0..400 {
        let _ = (&RungeKutta8::new() as &Any<_, f64, 4, 2>).step(&system, &mut exact).unwrap();
    }
    let errors = [100, 200, 400].map(|steps| {
        let mut nodes = Bdf2::new().begin(&system, start(steps)).unwrap();
        for _ in 1..steps {
            let report = Bdf2::new().step(&system, &mut nodes).unwrap();
            assert!(report.position_residual.amax() < 1e-13 && report.velocity_residual.amax() < 1e-13);
        }
        (nodes.state().position() - exact.position()).norm()
    });
    assert_slopes("q", &errors, 2.0, 0.1);
}

/// A force that jumps in mid-run: with a new history the order stays, with the old one it is lost.
#[test]
fn a_begin_in_mid_run_keeps_the_order_after_a_jump() {
    let pulled = |gravity| Pendulum::<f64> { gravity, ..Pendulum::unit() };
    let (before, after) = (pulled(1.0), pulled(20.0));
    let start = |steps: u32| Start::at(&before, seconds(1.0 / f64::from(steps)), [1.0, 0.0]).at_rest().unwrap();
    let mut exact = start(400);
    for tick in 0..400 {
        let system = if tick < 200 { &before } else { &after };
        let _ = (&RungeKutta8::new() as &Any<_, f64, 2, 1>).step(system, &mut exact).unwrap();
    }
    let run = |steps: u32, anew: bool| {
        let mut nodes = Bdf2::new().begin(&before, start(steps)).unwrap();
        for _ in 1..steps / 2 {
            let _ = Bdf2::new().step(&before, &mut nodes).unwrap();
        }
        let done = if anew {
            nodes = Bdf2::new().begin(&after, *nodes.state()).unwrap();
            1
        } else {
            0
        };
        for _ in done..steps / 2 {
            let _ = Bdf2::new().step(&after, &mut nodes).unwrap();
        }
        assert_eq!(nodes.state().clock().tick(), u64::from(steps));
        (nodes.state().position() - exact.position()).norm()
    };
    assert_slopes("begun anew", &[200, 400, 800].map(|steps| run(steps, true)), 2.0, 0.1);
    assert_slopes("old history", &[200, 400, 800].map(|steps| run(steps, false)), 1.0, 0.2);
}

#[test]
fn an_error_leaves_both_nodes() {
    let pendulum = Pendulum::<f32>::standard();
    let start = Start::at(&pendulum, seconds(1e-3), [1.0, 0.0]).at_rest().unwrap();
    let mut nodes = Bdf2::new().begin(&pendulum, start).unwrap();
    let _ = Bdf2::new().step(&pendulum, &mut nodes).unwrap();
    let before = format!("{nodes:?}");
    let broken = Pendulum { gravity: f32::NAN, ..pendulum };
    assert!(Bdf2::new().step(&broken, &mut nodes).is_err());
    let changed = Pendulum { length: 1.1, ..pendulum };
    let error = Bdf2::new().step(&changed, &mut nodes).unwrap_err();
    assert!(matches!(error, StepError::Inconsistent { tick: 2, .. }), "{error}");
    assert_eq!(format!("{nodes:?}"), before);
}
