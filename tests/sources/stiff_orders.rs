//! Radau IIA of one, two and three stages and BDF2 keep their orders on every form of one system, with a force that uses velocities and
//! a constraint that moves; in `f32` and `f64`, with plain, compensated and precise states.
//!
//! The orders are those of Hairer, *Solving Differential Equations on Manifolds*, V.1–V.3: 2s − 1 in all variables but the z of the last
//! stage with index 2, which has s. The reference is order 8 with small steps.

use mechanisms::Breathing;
use taut::linalg::{Ldlt, Vector};
use taut::method::{
    AnyMethod, Bdf2, ImplicitEuler, LocalRungeKutta4, Partitioned, RadauIia, RungeKutta8, Step, StepError,
};
use taut::scalar::Float;
use taut::start::{Clock, Compensated, ImplicitState, IndexThreeState, Precision, SemiExplicitState, Start, State};

use crate::assert_slopes;

fn clock<T: Float>(steps: usize) -> Clock<T> {
    Clock::with_step(T::from_f64(1.0 / steps as f64)).unwrap()
}

/// The beginning: on the sphere of radius one, with its velocity, r' = 0.4.
const BEGIN: [[f64; 3]; 2] = [[0.6, 0.0, -0.8], [0.54, 1.5, -0.095]];

type Mass<T, P> = State<T, 3, 1, Ldlt<T, 1>, P>;
type Begin<'a, T, P = Compensated> = Start<'a, Breathing<T>, 3, 1, Ldlt<T, 1>, P>;

/// A mechanical state; those levels that drift need a wide limit.
fn start<T: Float>(steps: usize) -> Mass<T, Compensated> {
    started(steps, |start| start.compensated())
}

fn started<T: Float, P: Precision>(steps: usize, precision: fn(Begin<'_, T>) -> Begin<'_, T, P>) -> Mass<T, P> {
    let [q, v] = BEGIN.map(|x| Vector::from(x.map(T::from_f64)));
    let system = Breathing::new();
    precision(Start::at(&system, clock(steps), q)).limit(T::from_f64(0.05)).moving(v).unwrap()
}

/// (q, v, λ) at t = 1.
fn exact() -> Vector<f64, 7> {
    let (system, mut state) = (Breathing::new(), start::<f64>(400));
    let method: &AnyMethod<_, f64, 3, 1> = &RungeKutta8::new();
    for _ in 0..400 {
        let _ = method.step(&system, &mut state).unwrap();
    }
    let multiplier = state.multipliers(&system).unwrap()[0];
    Vector::from_fn(|i, _| {
        if i < 3 {
            state.position()[i]
        } else if i < 6 {
            state.velocity()[i - 3]
        } else {
            multiplier
        }
    })
}

/// The errors of positions, velocities and λ.
fn errors<T: Float>(q: &Vector<T, 3>, v: &Vector<T, 3>, multiplier: T) -> [f64; 3] {
    let exact = exact();
    let off = |x: &Vector<T, 3>, from: usize| (x.map(|x| x.to_f64()) - exact.fixed_rows::<3>(from)).norm();
    [off(q, 0), off(v, 3), (multiplier.to_f64() - exact[6]).abs()]
}

fn split<T: Float>(y: &Vector<T, 6>, z: T) -> [f64; 3] {
    errors(&y.fixed_rows::<3>(0).into_owned(), &y.fixed_rows::<3>(3).into_owned(), z)
}

/// Asserts the orders of q, v and λ.
fn check(name: &str, orders: [f64; 3], steps: [usize; 3], run: impl Fn(usize) -> [f64; 3]) {
    let errors = steps.map(run);
    for (component, what) in ["q", "v", "λ"].into_iter().enumerate() {
        assert_slopes(&format!("{name}, {what}"), &errors.map(|e| e[component]), orders[component], 0.2);
    }
}

/// Steps for which the errors of an order are in the asymptotic range and above round-off.
fn steps(order: f64) -> [usize; 3] {
    if order < 1.5 {
        [400, 800, 1600]
    } else if order < 4.0 {
        [100, 200, 400]
    } else {
        [10, 20, 40]
    }
}

fn mechanical<T: Float, P: Precision>(
    method: &AnyMethod<Breathing<T>, T, 3, 1, Ldlt<T, 1>, P>,
    mut state: Mass<T, P>,
    steps: usize,
) -> [f64; 3] {
    let (system, mut reported) = (Breathing::new(), T::zero());
    for _ in 0..steps {
        let report = method.step(&system, &mut state);
        reported = report.unwrap_or_else(|error| panic!("{}: {error}", method.name())).multipliers[0];
    }
    errors(state.position(), state.velocity(), reported)
}

fn bdf2<T: Float, P: Precision>(state: Mass<T, P>, steps: usize) -> [f64; 3] {
    let system = Breathing::new();
    let mut nodes = Bdf2::new().begin(&system, state).unwrap();
    let mut reported = T::zero();
    for _ in 1..steps {
        reported = Bdf2::new().step(&system, &mut nodes).unwrap().multipliers[0];
    }
    errors(nodes.state().position(), nodes.state().velocity(), reported)
}

#[test]
fn mechanical_systems() {
    let methods: [(&AnyMethod<Breathing<f64>, f64, 3, 1>, f64); 7] = [
        (&ImplicitEuler::new().projecting_velocities(), 1.0),
        (&ImplicitEuler::velocity_level(), 1.0),
        (&ImplicitEuler::acceleration_level(), 1.0),
        (&RadauIia::order_three(), 3.0),
        (&RadauIia::order_three().without_projection(), 3.0),
        (&RadauIia::order_five(), 5.0),
        (&RadauIia::order_five().without_projection(), 5.0),
    ];
    for (method, order) in methods {
        check(method.name(), [order; 3], steps(order), |steps| mechanical(method, start(steps), steps));
    }
    check("BDF2", [2.0; 3], steps(2.0), |steps| bdf2(start::<f64>(steps), steps));
    check("BDF2, positions", [2.0; 3], steps(2.0), |steps| {
        let (system, method) = (Breathing::new(), Bdf2::position_level());
        let mut nodes = method.begin(&system, start::<f64>(steps)).unwrap();
        let mut reported = 0.0;
        for _ in 1..steps {
            reported = method.step(&system, &mut nodes).unwrap().multipliers[0];
        }
        errors(nodes.state().position(), nodes.state().velocity(), reported)
    });
}

type General<T> = dyn Step<Breathing<T>, IndexThreeState<T, 3, 3, 1>, Report = Vector<T, 1>, Error = StepError<T>>;

fn general<T: Float>(method: &General<T>, steps: usize) -> [f64; 3] {
    let system = Breathing::new();
    let velocity = *start::<T>(steps).velocity();
    let mut state = IndexThreeState::start(&system, clock(steps), BEGIN[0].map(T::from_f64), velocity).unwrap();
    let mut reported = T::zero();
    for _ in 0..steps {
        reported = -method.step(&system, &mut state).unwrap()[0];
    }
    errors(state.position(), state.velocity(), reported)
}

#[test]
fn the_general_form_of_index_three() {
    let methods: [(&General<f64>, f64); 3] =
        [(&ImplicitEuler::new(), 1.0), (&RadauIia::order_three(), 3.0), (&RadauIia::order_five(), 5.0)];
    for (method, order) in methods {
        check(method.name(), [order; 3], steps(order), |steps| general(method, steps));
    }
}

/// The start (q, v) and a guess of λ.
fn variables<T: Float>() -> Vector<T, 7> {
    let state = start::<T>(100);
    let multiplier = state.multipliers(&Breathing::new()).unwrap()[0];
    Vector::from_fn(|i, _| {
        if i < 3 {
            T::from_f64(BEGIN[0][i])
        } else if i < 6 {
            state.velocity()[i - 3]
        } else {
            multiplier
        }
    })
}

fn semi_explicit<T: Float, const LEVEL: usize>(steps: usize) -> SemiExplicitState<T, 6, 1> {
    let u = variables();
    let y = u.fixed_rows::<6>(0).into_owned();
    SemiExplicitState::start(&Breathing::<T, LEVEL>::new(), clock(steps), y, [u[6]]).unwrap()
}

type Explicit<T, const LEVEL: usize, R> =
    dyn Step<Breathing<T, LEVEL>, SemiExplicitState<T, 6, 1>, Report = R, Error = StepError<T>>;

/// The errors with z of the state, and with what `last_stage` finds.
fn explicit<T: Float, const LEVEL: usize, R>(
    method: &Explicit<T, LEVEL, R>,
    last_stage: impl Fn(&R, &SemiExplicitState<T, 6, 1>) -> T,
    steps: usize,
) -> [[f64; 3]; 2] {
    let (mut state, mut last) = (semi_explicit::<T, LEVEL>(steps), T::zero());
    for _ in 0..steps {
        let report = method.step(&Breathing::new(), &mut state).unwrap();
        last = last_stage(&report, &state);
    }
    [state.algebraic()[0], last].map(|z| split(state.differential(), z))
}

/// `order` and the order of the last stage's z.
fn check_semi_explicit<const LEVEL: usize, R>(
    method: &Explicit<f64, LEVEL, R>,
    last_stage: impl Fn(&R, &SemiExplicitState<f64, 6, 1>) -> f64,
    [order, stage]: [f64; 2],
) {
    check(method.name(), [order; 3], steps(order), |steps| explicit(method, &last_stage, steps)[0]);
    check(method.name(), [order, order, stage], steps(order), |steps| explicit(method, &last_stage, steps)[1]);
}

fn explicit_bdf2<T: Float, const LEVEL: usize>(steps: usize) -> [f64; 3] {
    let (system, method) = (Breathing::<T, LEVEL>::new(), Bdf2::new());
    let mut nodes = method.begin_semi_explicit(&system, semi_explicit::<T, LEVEL>(steps)).unwrap();
    for _ in 1..steps {
        method.step(&system, &mut nodes).unwrap();
    }
    split(nodes.state().differential(), nodes.state().algebraic()[0])
}

#[test]
fn semi_explicit_systems_of_index_one_and_two() {
    check_semi_explicit::<2, _>(&ImplicitEuler::new(), |(), state| state.algebraic()[0], [1.0, 1.0]);
    // A frozen matrix needs more iterations than usual with steps of a tenth of a second.
    let (two, three) = (RadauIia::order_three().iterations::<20>(), RadauIia::order_five().iterations::<40>());
    check_semi_explicit::<2, _>(&two, |z, _| z[0], [3.0, 2.0]);
    check_semi_explicit::<2, _>(&three, |z, _| z[0], [5.0, 3.0]);
    check_semi_explicit::<1, _>(&ImplicitEuler::new(), |(), state| state.algebraic()[0], [1.0, 1.0]);
    check_semi_explicit::<1, _>(&two, |z, _| z[0], [3.0, 3.0]);
    check_semi_explicit::<1, _>(&three, |z, _| z[0], [5.0, 5.0]);
    check("BDF2, index 2", [2.0; 3], steps(2.0), explicit_bdf2::<f64, 2>);
    check("BDF2, index 1", [2.0; 3], steps(2.0), explicit_bdf2::<f64, 1>);
}

type Singular<T, const LEVEL: usize> =
    dyn Step<Breathing<T, LEVEL>, ImplicitState<T, 7>, Report = (), Error = StepError<T>>;

fn implicit<T: Float, const LEVEL: usize>(method: &Singular<T, LEVEL>, steps: usize) -> [f64; 3] {
    let system = Breathing::new();
    let mut state = ImplicitState::start(&system, clock(steps), variables()).unwrap();
    for _ in 0..steps {
        method.step(&system, &mut state).unwrap();
    }
    split(&state.variables().fixed_rows::<6>(0).into_owned(), state.variables()[6])
}

fn check_implicit<const LEVEL: usize>(method: &Singular<f64, LEVEL>, [order, stage]: [f64; 2]) {
    check(method.name(), [order, order, stage], steps(order), |steps| implicit(method, steps));
}

#[test]
fn systems_with_a_singular_matrix() {
    check_implicit::<2>(&ImplicitEuler::new(), [1.0, 1.0]);
    let (two, three) = (RadauIia::order_three().iterations::<20>(), RadauIia::order_five().iterations::<40>());
    check_implicit::<2>(&two, [3.0, 2.0]);
    check_implicit::<2>(&three, [5.0, 3.0]);
    check_implicit::<1>(&ImplicitEuler::new(), [1.0, 1.0]);
    check_implicit::<1>(&two, [3.0, 3.0]);
    check_implicit::<1>(&three, [5.0, 5.0]);
}

/// The errors of every method on every other form: with z of index 1 or of the hidden constraint, and with that of the last stage.
fn other_forms<T: Float>(steps: usize) -> ([[f64; 3]; 8], [[f64; 3]; 5]) {
    let (two, three) = (RadauIia::order_three(), RadauIia::order_five());
    let [two_of_two, two_last] = explicit::<T, 2, _>(&two, |z, _| z[0], steps);
    let [three_of_two, three_last] = explicit::<T, 2, _>(&three, |z, _| z[0], steps);
    let smooth = [
        general::<T>(&two, steps),
        general::<T>(&three, steps),
        two_of_two,
        three_of_two,
        explicit::<T, 1, _>(&two, |z, _| z[0], steps)[0],
        explicit::<T, 1, _>(&three, |z, _| z[0], steps)[0],
        implicit::<T, 1>(&two, steps),
        implicit::<T, 1>(&three, steps),
    ];
    let of_stages = [
        two_last,
        three_last,
        implicit::<T, 2>(&two, steps),
        implicit::<T, 2>(&three, steps),
        explicit_bdf2::<T, 2>(steps),
    ];
    (smooth, of_stages)
}

/// With 100 steps, order 3 leaves 1e-6 and order 2 leaves 1e-4, in both precisions.
#[test]
fn other_forms_in_single_precision_add_round_off() {
    let steps = 100;
    let (double, single) = (other_forms::<f64>(steps), other_forms::<f32>(steps));
    let epsilon = f64::from(f32::EPSILON);
    let off = |single: &[f64; 3], double: &[f64; 3]| [0, 1, 2].map(|part| (single[part] - double[part]) / epsilon);
    for (k, (single, double)) in single.0.iter().zip(&double.0).enumerate() {
        // Plain sums of numbers up to two round by ε in each step, a walk of √100; λ is 10 times as large as these.
        let [q, v, multiplier] = off(single, double);
        assert!(q < 20.0 && v < 20.0 && multiplier < 100.0, "{k}: {q} {v} {multiplier} ε");
    }
    for (k, (single, double)) in single.1.iter().zip(&double.1).enumerate() {
        // The z of a stage is divided by h.
        let [q, v, multiplier] = off(single, double);
        assert!(q < 20.0 && v < 20.0 && multiplier < 20.0 * steps as f64, "{k}: {q} {v} {multiplier} ε");
    }
}

/// The errors of the four methods in `f32` with one precision of the state.
fn single<P: Precision>(start: impl Fn(usize) -> Mass<f32, P>) -> [[f64; 3]; 4] {
    [
        mechanical(&ImplicitEuler::new().projecting_velocities(), start(1600), 1600),
        mechanical(&RadauIia::order_three(), start(1600), 1600),
        mechanical(&RadauIia::order_five(), start(1600), 1600),
        bdf2(start(1600), 1600),
    ]
}

#[test]
fn single_precision_adds_round_off() {
    let double = [
        mechanical(&ImplicitEuler::new().projecting_velocities(), start::<f64>(1600), 1600),
        mechanical(&RadauIia::order_three(), start::<f64>(1600), 1600),
        mechanical(&RadauIia::order_five(), start::<f64>(1600), 1600),
        bdf2(start::<f64>(1600), 1600),
    ];
    let plain = single(|steps| started(steps, |start| start.plain()));
    let compensated = single(|steps| started(steps, |start| start.compensated()));
    let precise = single(|steps| started(steps, |start| start.precise()));
    let epsilon = f64::from(f32::EPSILON);
    for (k, double) in double.iter().enumerate() {
        // Plain sums round by ε/2 in each of 1,600 steps, a walk of √1600; the others round the start and what is read.
        for (single, units) in [(&plain, 40.0), (&compensated, 4.0), (&precise, 4.0)] {
            let off = [0, 1].map(|part| single[k][part] - double[part]);
            assert!(off.iter().all(|off| *off < units * epsilon), "{k}: {single:?}, not {double:?}");
            // Those of Radau come from the acceleration level; those of the others are impulses, divided by h.
            let units = if k == 1 || k == 2 { 16.0 } else { 1600.0 };
            assert!(single[k][2] - double[2] < units * epsilon, "{k}, λ: {single:?}, not {double:?}");
        }
    }
    // The test can tell: a plain state of Radau IIA has lost a digit.
    assert!(plain[1][0] > 4.0 * compensated[1][0], "{plain:?} {compensated:?}");
}

/// The errors of Runge–Kutta 4 in local coordinates: tangent, partitioned.
fn local<T: Float, P: Precision>(state: Mass<T, P>) -> [[f64; 3]; 2] {
    let system = Breathing::new();
    let (mut partitioned, mut reported) = (Partitioned::new(state), T::zero());
    for _ in 0..1600 {
        reported = LocalRungeKutta4::partitioned().step(&system, &mut partitioned).unwrap().multipliers[0];
    }
    let end = partitioned.state();
    [mechanical(&LocalRungeKutta4::tangent(), state, 1600), errors(end.position(), end.velocity(), reported)]
}

/// With 1,600 steps the error of the method, of order 4, is below the round-off of `f32`.
#[test]
fn local_coordinates_in_single_precision_add_round_off() {
    let epsilon = f64::from(f32::EPSILON);
    let double = local(start::<f64>(1600));
    let singles = [
        (local(started::<f32, _>(1600, |start| start.plain())), 40.0),
        (local(started::<f32, _>(1600, |start| start.compensated())), 4.0),
        (local(started::<f32, _>(1600, |start| start.precise())), 4.0),
    ];
    for (k, double) in double.iter().enumerate() {
        // The units are those above; λ comes from the acceleration level.
        for (single, units) in &singles {
            let off = [0, 1].map(|part| single[k][part] - double[part]);
            assert!(off.iter().all(|off| *off < units * epsilon), "{k}: {single:?}, not {double:?}");
            assert!(single[k][2] - double[2] < 16.0 * epsilon, "{k}, λ: {single:?}, not {double:?}");
        }
        // The test can tell a plain state from a compensated one, which is read to ε/2 in each of three coordinates.
        let [plain, compensated] = [singles[0].0[k][0], singles[1].0[k][0]];
        assert!(compensated < 0.9 * epsilon && plain > 1.8 * epsilon, "{k}: {plain:e} {compensated:e}");
    }
}
