//! Radau IIA on differential-algebraic systems of index 1, 2 and 3 (Hairer, *Solving Differential Equations on Manifolds*, V.1–V.3;
//! Hairer & Wanner VII.1 and VII.2). The reference numbers were computed with Newton's method to the end, and so are those here: a frozen
//! matrix needs up to forty iterations with steps this large.

use crate::variants::assert_slopes;
use mechanisms::{IndexOne, Problem51, ProtheroRobinson, SteeringWheel};
use nalgebra::vector;
use taut::linalg::{Matrix, Vector};
use taut::method::{ImplicitEuler, RadauIia, Step, StepError};
use taut::scalar::Real;
use taut::start::{Clock, ImplicitState, SemiExplicitState};
use taut::system::Implicit;

fn clock(steps: usize) -> Clock<f64> {
    Clock::with_step(1.0 / steps as f64).unwrap()
}

/// An error to `digits` relative, and the round-off of the solution.
fn assert_error(what: &str, ours: f64, reference: f64, [digits, round_off]: [f64; 2]) {
    assert!((ours - reference).abs() <= digits * reference + round_off, "{what}: {ours:e}, not {reference:e}");
}

/// Eleven digits, or five; y and z are near one. With index 2 a step divides the round-off of z by h.
const ELEVEN: [f64; 2] = [1e-10, 1e-15];
const FIVE: [f64; 2] = [2e-5, 1e-15];
const DIVIDED: [f64; 2] = [1e-11, 1e-14];

type AnySemiExplicit<System, const Y: usize> =
    dyn Step<System, SemiExplicitState<f64, Y, 1>, Report = Vector<f64, 1>, Error = StepError<f64>>;

fn index_one(method: &AnySemiExplicit<IndexOne, 1>, steps: usize) -> [f64; 2] {
    let mut state = SemiExplicitState::start(&IndexOne, clock(steps), [1.0], [0.2]).unwrap();
    for _ in 0..steps {
        let last_stage = method.step(&IndexOne, &mut state).unwrap();
        assert_eq!(last_stage, *state.algebraic());
    }
    [(state.differential()[0] - 1.0_f64.sin() - 0.5).abs(), (state.algebraic()[0] - 0.25).abs()]
}

#[test]
fn orders_three_and_five_with_index_one() {
    let two = RadauIia::order_three().iterations::<40>();
    let errors = [10, 20].map(|steps| index_one(&two, steps));
    assert_error("y, 10", errors[0][0], 1.9707188212e-5, ELEVEN);
    assert_error("z, 10", errors[0][1], 1.9706799838e-5, ELEVEN);
    assert_error("y, 20", errors[1][0], 2.4969132405e-6, ELEVEN);
    assert_error("z, 20", errors[1][1], 2.4969070060e-6, ELEVEN);
    assert_slopes("y", &errors.map(|e| e[0]), 3.0, 0.02);
    assert_slopes("z", &errors.map(|e| e[1]), 3.0, 0.02);

    let three = RadauIia::order_five().iterations::<40>();
    let errors = [10, 20].map(|steps| index_one(&three, steps));
    for (errors, reference) in errors.iter().zip([9.4537e-10, 2.95180e-11]) {
        assert_error("y", errors[0], reference, FIVE);
        assert_error("z", errors[1], reference, FIVE);
    }
    assert_slopes("y", &errors.map(|e| e[0]), 5.0, 0.02);
}

/// (1.9) of Hairer & Wanner VII.1: errors in y, in z of the last stage, and in z from the hidden constraint.
fn steered(method: &AnySemiExplicit<SteeringWheel<f64>, 2>, steps: usize) -> [f64; 3] {
    let system = SteeringWheel::<f64>::new();
    let (sin, cos) = (-0.5_f64).sin_cos();
    let mut state = SemiExplicitState::start(&system, clock(steps), [cos, sin], [1.0]).unwrap();
    let mut last_stage = Vector::zeros();
    for _ in 0..steps {
        last_stage = method.step(&system, &mut state).unwrap();
        assert!((state.differential().norm_squared() - 1.0).abs() < 1e-14);
    }
    let (y, z) = (vector![0.996_350_254_689_778_9, -0.085_359_065_011_355], 1.2189970101422742);
    [(state.differential() - y).norm(), (last_stage[0] - z).abs(), (state.algebraic()[0] - z).abs()]
}

#[test]
fn orders_with_index_two() {
    let (two, three) = (RadauIia::order_three().iterations::<40>(), RadauIia::order_five().iterations::<40>());
    let table = [
        (
            &two as &AnySemiExplicit<_, 2>,
            3.0,
            [[3.07145305852e-7, 4.87775406759e-6], [3.63222807606e-8, 1.11064002669e-6]],
        ),
        (&three, 5.0, [[1.62200744031e-9, 1.81357621002e-7], [5.12138197923e-11, 2.17816336143e-8]]),
    ];
    for (method, order, reference) in table {
        let errors = [10, 20].map(|steps| steered(method, steps));
        for (errors, reference) in errors.iter().zip(reference) {
            assert_error("y", errors[0], reference[0], ELEVEN);
            assert_error("z", errors[1], reference[1], DIVIDED);
        }
        assert_slopes("y", &errors.map(|e| e[0]), order, 0.1);
        // Two stages: 2, three: 3.
        assert_slopes("z of the last stage", &errors.map(|e| e[1]), order.midpoint(1.0), 0.15);
        assert_slopes("z from the hidden constraint", &errors.map(|e| e[2]), order, 0.1);
    }
}

/// One stage is implicit Euler: N = 10, 20, 40.
#[test]
fn one_stage_has_order_one() {
    let errors = [10, 20, 40].map(|steps| {
        let system = SteeringWheel::<f64>::new();
        let (sin, cos) = (-0.5_f64).sin_cos();
        let mut state = SemiExplicitState::start(&system, clock(steps), [cos, sin], [1.0]).unwrap();
        for _ in 0..steps {
            ImplicitEuler::new().iterations::<10>().step(&system, &mut state).unwrap();
        }
        (state.differential() - vector![0.996_350_254_689_778_9, -0.085_359_065_011_355]).norm()
    });
    for (ours, reference) in errors.iter().zip([4.13359266899e-3, 2.13708712164e-3, 1.08580088411e-3]) {
        assert_error("y", *ours, reference, [1e-11, 1e-14]);
    }
    assert_slopes("y", &errors, 1.0, 0.06);
}

/// Problem 5.1 of Arévalo with its constraint at the level of `INDEX`, u = (q, v, λ).
struct Written<const INDEX: usize>;

impl<const INDEX: usize> Implicit<5> for Written<INDEX> {
    type Base = f64;

    fn mass(&self) -> Matrix<f64, 5, 5> {
        Matrix::from_diagonal(&vector![1.0, 1.0, 1.0, 1.0, 0.0])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, u: &Vector<S, 5>) -> Vector<S, 5> {
        let [x, y, v, w, multiplier] = (*u).into();
        let (a, b) = (y * 2.0 - x * multiplier, -(x * 2.0) - y * multiplier);
        let constraint = match INDEX {
            3 => (x * x + y * y - 1.0) * 0.5,
            2 => x * v + y * w,
            _ => x * a + y * b + v * v + w * w,
        };
        vector![v, w, a, b, constraint]
    }
}

/// The same stabilised by Gear, Gupta and Leimkuhler, (1.48): u = (q, v, λ, μ).
struct Stabilised;

impl Implicit<6> for Stabilised {
    type Base = f64;

    fn mass(&self) -> Matrix<f64, 6, 6> {
        Matrix::from_diagonal(&vector![1.0, 1.0, 1.0, 1.0, 0.0, 0.0])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, u: &Vector<S, 6>) -> Vector<S, 6> {
        let [x, y, v, w, multiplier, added] = (*u).into();
        let (a, b) = (y * 2.0 - x * multiplier, -(x * 2.0) - y * multiplier);
        vector![v - x * added, w - y * added, a, b, (x * x + y * y - 1.0) * 0.5, x * v + y * w]
    }
}

type AnyImplicit<System, const N: usize> = dyn Step<System, ImplicitState<f64, N>, Report = (), Error = StepError<f64>>;

/// The errors at t = 1 in q, v and λ, and |μ|.
fn problem_5_1<System: Implicit<N, Base = f64>, const N: usize>(
    system: &System,
    method: &AnyImplicit<System, N>,
    steps: usize,
) -> [f64; 4] {
    let exact = |t: f64| {
        let (q, v, multiplier) = Problem51::exact(t);
        Vector::<f64, N>::from_fn(|i, _| [q.x, q.y, v.x, v.y, multiplier, 0.0][i])
    };
    let mut state = ImplicitState::given(system, clock(steps), exact(0.0)).unwrap();
    for _ in 0..steps {
        method.step(system, &mut state).unwrap();
    }
    let error = state.variables() - exact(1.0);
    [
        error.fixed_rows::<2>(0).norm(),
        error.fixed_rows::<2>(2).norm(),
        error[4].abs(),
        if N == 6 { error[5].abs() } else { 0.0 },
    ]
}

/// Errors after 20 and 40 steps, those of q, v, λ and μ, with their relative tolerances: their printed digits (1e-10 for eleven, 3e-8 for
/// eight, 5e-5 for five). Round-off besides, which is ε/h in multipliers.
fn check<System: Implicit<N, Base = f64>, const N: usize>(
    what: &str,
    system: &System,
    method: &AnyImplicit<System, N>,
    reference: [[f64; 2]; 4],
    digits: [f64; 4],
) {
    let errors = [20, 40].map(|steps| problem_5_1(system, method, steps));
    for (steps, errors) in errors.iter().enumerate() {
        for (component, name) in ["q", "v", "λ", "μ"].iter().enumerate() {
            if reference[component][steps] > 0.0 {
                assert_error(
                    &format!("{what} {name}"),
                    errors[component],
                    reference[component][steps],
                    [digits[component], 2e-14],
                );
            }
        }
    }
}

#[test]
fn problem_5_1_in_all_forms() {
    let (two, three) = (RadauIia::order_three().iterations::<60>(), RadauIia::order_five().iterations::<60>());
    // Index 3 loses orders in v and λ: 3, 2, 1 and 5, 3, 2.
    check(
        "index 3, order 3",
        &Written::<3>,
        &two,
        [[3.3561585579e-4, 4.3628453761e-5], [7.2015078e-3, 1.7317812e-3], [0.64892, 0.35976], [0.0; 2]],
        [1e-10, 3e-8, 1e-5, 0.0],
    );
    check(
        "index 3, order 5",
        &Written::<3>,
        &three,
        [[1.7926320920e-7, 5.2922062e-9], [3.7368839e-4, 4.7160880e-5], [4.9371e-2, 1.19017e-2], [0.0; 2]],
        [1e-10, 3e-8, 1e-5, 0.0],
    );
    check(
        "index 2, order 3",
        &Written::<2>,
        &two,
        [[2.8262131644e-4, 3.5979966461e-5], [1.0929369198e-3, 1.3845911757e-4], [1.0919e-3, 5.4022e-4], [0.0; 2]],
        [1e-10, 1e-10, 5e-5, 0.0],
    );
    check(
        "index 2, order 5",
        &Written::<2>,
        &three,
        [[1.6649176164e-7, 5.1836131632e-9], [6.4422898844e-7, 2.0050509e-8], [7.8900e-4, 9.92808e-5], [0.0; 2]],
        [1e-10, 1e-10, 5e-5, 0.0],
    );
    check(
        "index 1, order 3",
        &Written::<1>,
        &two,
        [[5.1688360907e-4, 6.3470489939e-5], [2.0885811e-3, 2.5800894e-4], [7.8332775e-3, 9.4815264e-4], [0.0; 2]],
        [1e-10, 3e-8, 3e-8, 0.0],
    );
    check(
        "index 1, order 5",
        &Written::<1>,
        &three,
        [[7.5644389e-8, 2.2399289e-9], [3.3520717e-7, 1.0179395e-8], [1.41947e-6, 4.00627e-8], [0.0; 2]],
        [3e-8, 3e-8, 5e-6, 0.0],
    );
    check(
        "stabilised, order 3",
        &Stabilised,
        &two,
        [
            [1.2613952088e-4, 1.7641503507e-5],
            [8.0524609766e-4, 1.0448140907e-4],
            [3.8364e-3, 8.3521e-4],
            [5.7068e-3, 1.5468e-3],
        ],
        [1e-10, 1e-10, 5e-5, 5e-5],
    );
    check(
        "stabilised, order 5",
        &Stabilised,
        &three,
        [[1.5257806e-7, 4.8227926e-9], [6.5076109e-7, 2.0531338e-8], [6.0740e-4, 8.7897e-5], [3.7344e-4, 4.7161e-5]],
        [3e-8, 3e-8, 5e-5, 5e-5],
    );
}

#[test]
fn very_stiff_equations_have_the_order_of_the_stages() {
    let (two, three) = (RadauIia::order_three(), RadauIia::order_five());
    for (method, order, reference) in [
        (&two as &AnyImplicit<_, 1>, 2.0, [9.08926e-10, 2.30527e-10, 5.80270e-11]),
        (&three, 3.0, [7.20845e-12, 8.7281e-13, 1.0730e-13]),
    ] {
        let errors = [10, 20, 40].map(|steps| {
            let mut state = ImplicitState::given(&ProtheroRobinson, clock(steps), [1.0]).unwrap();
            for _ in 0..steps {
                method.step(&ProtheroRobinson, &mut state).unwrap();
            }
            (state.variables()[0] - 1.0_f64.cos()).abs()
        });
        for (ours, reference) in errors.iter().zip(reference) {
            // The solution is near one: round-off is a few times 1e-16.
            assert!((ours - reference).abs() <= 1e-5 * reference + 5e-16, "{ours:e}, not {reference:e}");
        }
        assert_slopes("y", &errors[..2], order, 0.1);
    }
}
