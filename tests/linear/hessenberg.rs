//! Linear systems in Hessenberg form: the state space, consistent starts, steps and boundary values (Clark 1992).

use mechanisms::{LaggingMotor, Sine, Turning};
use nalgebra::{matrix, vector};
use proptest::prelude::*;
use taut::control::{
    ConstantHessenberg, Hessenberg, HessenbergError, HessenbergState, boundary_value, state_space_series,
};
use taut::linalg::{Matrix, Vector};
use taut::method::{RungeKutta4, Step};
use taut::scalar::{Real, Taylor};
use taut::start::Clock;
use taut::trajectory::MinimumJerk;

/// Smooth random coefficients a + b t + c sin t, with a dominant identity in the blocks of Π.
struct Random<const S: usize, const R: usize, const U: usize, const SIZES: u64> {
    matrix: [[[f64; 3]; S]; S],
    input: [[f64; 3]; S],
}

/// The decimal digits of a number, the first size first.
const fn digits<const R: usize>(mut number: u64) -> [usize; R] {
    let (mut sizes, mut i) = ([0; R], R);
    while i > 0 {
        (sizes[i - 1], number, i) = ((number % 10) as usize, number / 10, i - 1);
    }
    sizes
}

impl<const S: usize, const R: usize, const U: usize, const SIZES: u64> Random<S, R, U, SIZES> {
    fn new(mut seed: u64) -> Self {
        let mut next = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        let mut three = move || [next(), next(), next()];
        let (mut matrix, mut start) = ([[[0.0; 3]; S]; S], Vec::new());
        for (block, size) in digits::<R>(SIZES).into_iter().enumerate() {
            start.extend((0..size).map(|i| (block, i)));
        }
        for (row, (i, first)) in start.iter().enumerate() {
            for (column, (j, second)) in start.iter().enumerate() {
                let last = R - 1;
                if *i <= j + 1 && (*j < last || *i == 0) {
                    matrix[row][column] = three();
                    let of_product = *i == j + 1 || (*i == 0 && *j == last);
                    if of_product && first == second {
                        matrix[row][column][0] += 2.0;
                    }
                }
            }
        }
        Self { matrix, input: core::array::from_fn(|_| three()) }
    }
}

impl<const S: usize, const R: usize, const U: usize, const SIZES: u64> Hessenberg<S, R, U> for Random<S, R, U, SIZES> {
    type Base = f64;
    const SIZES: [usize; R] = digits(SIZES);

    fn matrix<E: Real<Base = f64>>(&self, t: E) -> Matrix<E, S, S> {
        Matrix::from_fn(|i, j| smooth(self.matrix[i][j], t))
    }

    fn input<E: Real<Base = f64>>(&self, t: E) -> Vector<E, S> {
        Vector::from_fn(|i, _| smooth(self.input[i], t))
    }
}

fn smooth<E: Real<Base = f64>>([a, b, c]: [f64; 3], t: E) -> E {
    t * b + t.sin() * c + a
}

/// The largest coefficients of order 0 and 1 of E z' − A z − f, for the Taylor series of a solution from random states.
fn residual<const S: usize, const R: usize, const U: usize, const SIZES: u64>(seed: u64, t: f64) -> f64 {
    let system = Random::<S, R, U, SIZES>::new(seed);
    let space = state_space_series(&system, t).unwrap();
    let coefficient = |x: Taylor<f64, R>, k: usize| if k == 0 { x.value } else { x.coefficients[k - 1] };
    let guess = Vector::<Taylor<f64, R>, S>::from_fn(|i, _| Taylor::constant(system.input[i][0] * 3.0));
    let mut v = space.states(&guess).map(|v| Taylor::<f64, R>::constant(v.value));
    for k in 0..R {
        let rate = space.rate(&v);
        for i in 0..S {
            v[i].coefficients[k] = coefficient(rate[i], k) / (k + 1) as f64;
        }
    }
    let (z, time) = (space.unknowns(&v), Taylor::variable(t));
    let right = system.matrix(time) * z + system.input(time);
    let mut largest = 0.0_f64;
    // Theorem 2: P v = 0 is invariant, so v = (I − P) v holds for the derivatives, too, although only the value was projected. Â has two
    // coefficients in every block, v one more.
    let kept = space.states(&v);
    for i in 0..S - U {
        for k in 0..3 {
            largest = largest.max(coefficient(v[i] - kept[i], k).abs());
        }
    }
    for i in 0..S {
        let rate = if i < S - U { z[i].derivative() } else { Taylor::constant(0.0) };
        for k in 0..2 {
            largest = largest.max(coefficient(rate - right[i], k).abs());
        }
    }
    largest
}

/// Clark 1992, Algorithm 1 and Theorems 1 to 3. The bound leaves thousand roundings of numbers of order one to ten.
#[test]
fn the_series_satisfies_the_equations_for_every_index() {
    for seed in 0..50 {
        assert!(residual::<4, 2, 1, 31>(seed, 0.3) < 1e-12);
        assert!(residual::<6, 3, 1, 321>(seed, 0.3) < 1e-12);
        assert!(residual::<9, 3, 2, 432>(seed, 0.3) < 1e-12);
        assert!(residual::<9, 4, 1, 3321>(seed, 0.3) < 1e-12);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn random_systems_of_index_two_to_five(seed: u64, t in -1.0..1.0) {
        prop_assert!(residual::<5, 2, 2, 32>(seed, t) < 1e-12);
        prop_assert!(residual::<7, 3, 2, 322>(seed, t) < 1e-12);
        prop_assert!(residual::<8, 4, 1, 2321>(seed, t) < 1e-12);
        prop_assert!(residual::<8, 5, 1, 22211>(seed, t) < 1e-12);
    }
}

/// n v₁ᵀ and n v₂ᵀ with n = (0, 1): v₁ = (ρ + s') n, v₂ = s n.
const START: [f64; 5] = [0.0, 1.0 - 0.2, 0.0, 0.3, 0.0];
const END: [f64; 5] = [0.157380696319627, 0.208200144512099, 1.016815959871538, 0.552275718871, 3.822702276067738];

fn run(method: impl Step<Turning, HessenbergState<f64, 5, 3, 1>>, steps: u32) -> Vector<f64, 5> {
    let clock = Clock::with_step(1.0 / f64::from(steps)).unwrap();
    let mut state = HessenbergState::start(&Turning, clock, START).unwrap();
    for _ in 0..steps {
        assert!(method.step(&Turning, &mut state).is_ok());
    }
    *state.unknowns()
}

/// Π, P₁, P₂, P', B₁₂ and B_u1 of the index 3 problem, with n = (−sin t, cos t) orthogonal to c.
#[test]
fn the_tables_of_the_index_three_problem() {
    for t in [0.0, 0.7, 2.4] {
        let (sin, cos) = f64::sin_cos(t);
        let (c, n) = (vector![cos, sin], vector![-sin, cos]);
        let space = state_space_series(&Turning, t).unwrap();
        let tables = &space.tables;
        let product = |level: usize| {
            let (reach, recovery) =
                (tables.reach.fixed_view::<2, 1>(2 * level, 0), tables.recovery.fixed_view::<1, 2>(0, 2 * level));
            reach * recovery
        };
        // Π = A₃₂ A₂₁ A₁₃: A₃₂ times what the input does to block 2.
        let pi = (tables.matrix.fixed_view::<1, 2>(4, 2) * tables.reach.fixed_view::<2, 1>(2, 0))[0];
        assert!((pi.value - 1.0).abs() < 1e-15 && pi.derivatives().iter().all(|slope| slope.abs() < 1e-15));
        for level in [0, 1] {
            let projector = product(level);
            let (value, slope) = (projector.map(|p| p.value), projector.map(|p| p.derivatives()[0]));
            assert!((value - c * c.transpose()).amax() < 1e-15, "{value}");
            assert!((slope - n * c.transpose() - c * n.transpose()).amax() < 1e-15, "{slope}");
        }
        // w₁ = B₁₂ v₂ + q₁ and u = B_u1 v₁ + B_u2 v₂ + q_u.
        let dependence = tables.dependence.map(|b| b.value);
        let to_w = dependence.fixed_view::<2, 2>(0, 2);
        assert!((to_w + c * n.transpose()).amax() < 1e-14, "{to_w}");
        let to_input = dependence.fixed_view::<1, 2>(4, 0);
        assert!((to_input + n.transpose() * 2.0 - c.transpose() * 0.1).amax() < 1e-14, "{to_input}");
    }
}

/// v₁ = (ρ + s') n, v₂ = s n, w₁ = (ρ' − s) c, w₂ = ρ c with s = nᵀ z₂ along a solution.
#[test]
fn the_parts_of_the_solution_of_the_index_three_problem() {
    let h = 0.01;
    let mut state = HessenbergState::start(&Turning, Clock::with_step(h).unwrap(), START).unwrap();
    let mut nodes = Vec::new();
    for k in 0..=100 {
        nodes.push((f64::from(k) * h, *state.unknowns()));
        RungeKutta4::new().step(&Turning, &mut state).unwrap();
    }
    let normal = |t: f64| vector![-t.sin(), t.cos()];
    let along = |(t, z): (f64, Vector<f64, 5>)| normal(t).dot(&vector![z[2], z[3]]);
    for k in 2..99 {
        let (t, z) = nodes[k];
        let (c, n) = (vector![t.cos(), t.sin()], normal(t));
        let (radius, rate) = (1.0 + 0.1 * (3.0 * t).sin(), 0.3 * (3.0 * t).cos());
        let s = along(nodes[k]);
        let at = |j: usize| along(nodes[j]);
        let slope = (at(k - 2) - 8.0 * at(k - 1) + 8.0 * at(k + 1) - at(k + 2)) / (12.0 * h);
        let v = Turning.state_space(t).unwrap().states(&z);
        let w = z - v;
        let part = |x: &Vector<f64, 5>, first: usize| vector![x[first], x[first + 1]];
        // h⁴/30 of the fifth derivative of s, which is some hundred; the rest is the error of the run.
        assert!((part(&v, 0) - n * (radius + slope)).amax() < 1e-7, "{t}");
        assert!((part(&v, 2) - n * s).amax() < 1e-14 && (part(&w, 2) - c * radius).amax() < 1e-14, "{t}");
        assert!((part(&w, 0) - c * (rate - s)).amax() < 1e-14, "{t}");
    }
}

#[test]
fn a_guess_becomes_consistent() {
    let state = HessenbergState::start(&Turning, Clock::with_step(0.1).unwrap(), START).unwrap();
    assert!((state.unknowns() - vector![0.0, 0.8, 1.0, 0.3, 1.4]).norm() < 1e-15, "{}", state.unknowns());
    // What is not free in the guess is not used, and a consistent z stays.
    let other = [7.0, 0.8, -5.0, 0.3, 9.0];
    let again = HessenbergState::start(&Turning, Clock::with_step(0.1).unwrap(), other).unwrap();
    assert!((again.unknowns() - state.unknowns()).norm() < 1e-15);
    let again = HessenbergState::start(&Turning, Clock::with_step(0.1).unwrap(), *again.unknowns()).unwrap();
    assert!((again.unknowns() - state.unknowns()).norm() < 1e-15);
}

/// The errors of z₁ and z₂ together, and of the constraint, that v without projection leaves; none with it.
#[test]
fn the_index_three_problem_has_order_four_and_keeps_its_constraint_if_projected() {
    let end = Vector::from(END);
    let errors = |z: Vector<f64, 5>| {
        let (sin, cos) = 1.0_f64.sin_cos();
        let off = cos * z[2] + sin * z[3] - 1.0 - 0.1 * 3.0_f64.sin();
        ((z - end).fixed_rows::<4>(0).norm(), off.abs())
    };
    for (steps, error, constraint) in
        [(10, 3.956027e-6, 2.72e-6), (20, 2.317532e-7, 1.45e-7), (40, 1.405509e-8, 8.2e-9)]
    {
        let bare = errors(run(RungeKutta4::new().bare(), steps));
        // The digits of the reference.
        assert!((bare.0 - error).abs() < 1e-12 && (bare.1 / constraint - 1.0).abs() < 0.01, "{steps}: {bare:?}");
        let projected = errors(run(RungeKutta4::new(), steps));
        assert!(projected.1 < 1e-15, "{steps}: {projected:?}");
    }
    // Order four: 200 steps leave 1/625 of the error of 40.
    assert!((run(RungeKutta4::new(), 200) - end).norm() < 4e-11);
}

/// Clark 1992, section 4.1: two conditions for two free values; the three rows of consistency are met by construction.
#[test]
fn boundary_values_determine_the_start() {
    let clock = Clock::with_step(0.01).unwrap();
    let (sin, cos) = 1.0_f64.sin_cos();
    let begin = matrix![0.0, 0.0, 0.0, 1.0, 0.0; 0.0, 0.0, 0.0, 0.0, 0.0];
    let end = matrix![0.0, 0.0, 0.0, 0.0, 0.0; 0.0, 0.0, -sin, cos, 0.0];
    let beta = vector![0.3, -0.5572252827405037];
    let state = boundary_value(&Turning, clock, 100, [&begin, &end], &beta).unwrap();
    // z₁ = (ρ + s') n + (ρ' − s) c. The error of order four in 100 steps.
    assert!((state.unknowns()[1] - 1.0 + 0.2).abs() < 1e-9, "{}", state.unknowns());

    let nothing = Matrix::zeros();
    let error = boundary_value(&Turning, clock, 100, [&begin, &nothing], &beta).unwrap_err();
    assert_eq!(error, HessenbergError::Boundary { determined: 1, free: 2 });
    // A third condition that contradicts consistency: cᵀ z₂(0) = 2 instead of 1.
    let begin = Matrix::<f64, 3, 5>::from_fn(|i, j| if i < 2 { begin[(i, j)] } else { f64::from(u8::from(j == 2)) });
    let end = Matrix::<f64, 3, 5>::from_fn(|i, j| if i < 2 { end[(i, j)] } else { 0.0 });
    let beta = vector![beta[0], beta[1], 2.0];
    let error = boundary_value(&Turning, clock, 100, [&begin, &end], &beta).unwrap_err();
    let HessenbergError::Contradictory { residual, .. } = error else { panic!("{error}") };
    assert!((residual - 1.0).abs() < 1e-12, "{error}");
}

#[test]
fn a_boundary_condition_that_is_not_finite_is_refused_with_its_place() {
    let clock = Clock::with_step(0.01).unwrap();
    let good = (matrix![0.0, 0.0, 0.0, 1.0, 0.0; 0.0, 0.0, 0.0, 0.0, 0.0], vector![0.3, -0.5]);
    let end = matrix![0.0, 0.0, 0.0, 0.0, 0.0; 0.0, 0.0, -0.8, 0.5, 0.0];
    let solve = |begin, end, beta| boundary_value(&Turning, clock, 10, [&begin, &end], &beta).unwrap_err();
    assert!(boundary_value(&Turning, clock, 10, [&good.0, &end], &good.1).is_ok());
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let (mut begin, mut beta) = good;
        begin[(1, 4)] = bad;
        let what = "conditions at the begin";
        assert_eq!(solve(begin, end, beta), HessenbergError::Argument { what, row: 1, column: 4 });
        let mut broken = end;
        broken[(0, 2)] = bad;
        let what = "conditions at the end";
        assert_eq!(solve(good.0, broken, beta), HessenbergError::Argument { what, row: 0, column: 2 });
        beta[1] = bad;
        let what = "right-hand sides of the conditions";
        let error = solve(good.0, end, beta);
        assert_eq!(error, HessenbergError::Argument { what, row: 1, column: 0 });
        assert!(error.to_string().contains("row 1, column 0 is NaN, infinite or too large"), "{error}");
    }
    // What overflows on the way is not a contradiction either: squares of right-hand sides, and the run from the unknown 3.
    let error = solve(good.0, end, vector![1e200, 0.0]);
    assert!(matches!(error, HessenbergError::Argument { row: 0, column: 0, .. }), "{error}");
    let error = solve(good.0 * 1e200, end, good.1);
    assert_eq!(error, HessenbergError::NonFinite { time: 0.0, index: 3 });
}

/// p₂ = 400/399 sin t, from which F and u follow by two and three derivatives.
#[test]
fn a_feedforward_through_the_lag_of_a_motor() {
    let model = LaggingMotor::standard(Sine);
    let plant = ConstantHessenberg::new(model).unwrap();
    let guess = [0.0, 0.0, 400.0 / 399.0, 0.0, 0.0, 0.0];
    let mut state = HessenbergState::start(&plant, Clock::at_rate(1_000.0).unwrap(), guess).unwrap();
    assert!((state.inputs()[0] + 0.150125313283207).abs() < 1e-14, "{}", state.inputs());
    for _ in 0..1_000 {
        RungeKutta4::new().step(&plant, &mut state).unwrap();
    }
    // k times the error of p₂: (ω h)⁴/120 of ω t with ω = 20 rad/s.
    assert!((state.unknowns()[0] + 1.263260952130147).abs() < 1e-8, "{}", state.unknowns());
    assert!((state.unknowns()[4] - 400.0 / 399.0 * 1.0_f64.sin()).abs() < 1e-9);
    assert!((state.unknowns()[3] - 1.0_f64.sin()).abs() < 1e-15);

    // The state space is (v₂, p₂), p = Σ (n_i − n_r) = 2: nothing else of a guess is free.
    let guess = vector![3.0, -1.0, 0.4, 0.7, -0.2, 5.0];
    let states = model.state_space(0.4).unwrap().states(&guess);
    assert!((states - vector![0.0, 0.0, 0.4, 0.0, -0.2, 0.0]).norm() < 1e-15, "{states}");

    // The tables and the whole recursion agree to round-off of forces of 200 N/m.
    let (table, whole) = (plant.state_space(0.4).unwrap(), model.state_space(0.4).unwrap());
    assert!((table.consistent(state.unknowns()) - whole.consistent(state.unknowns())).norm() < 1e-12);
}

#[test]
fn a_path_with_too_few_derivatives_is_refused() {
    let jerky = MinimumJerk::point_to_point([0.0], [1.0_f64], 1.0).unwrap();
    let error = ConstantHessenberg::new(LaggingMotor::standard(jerky)).unwrap_err();
    assert_eq!(error, HessenbergError::Derivatives { block: Some(3), given: 2, needed: 3 });
    assert_eq!(error.to_string(), "block 3 of f has 2 continuous derivatives, 3 are needed");

    /// A mass on a moving support whose gear jumps in its `continuity`-th derivative; and a force that jumps.
    struct Gear {
        continuity: usize,
    }
    impl Hessenberg<3, 3, 1> for Gear {
        type Base = f64;
        const SIZES: [usize; 3] = [1, 1, 1];
        fn matrix<E: Real<Base = f64>>(&self, _t: E) -> Matrix<E, 3, 3> {
            let (o, l) = (E::zero(), E::one());
            matrix![o, o, l; l, o, o; o, l, o]
        }
        fn input<E: Real<Base = f64>>(&self, t: E) -> Vector<E, 3> {
            vector![E::zero(), E::zero(), -t.sin()]
        }
        fn matrix_continuity(&self) -> usize {
            self.continuity
        }
        fn continuity(&self) -> [usize; 3] {
            [0, 1, 2]
        }
    }
    let error = Gear { continuity: 1 }.state_space(0.0).unwrap_err();
    assert_eq!(error, HessenbergError::Derivatives { block: None, given: 1, needed: 2 });
    assert_eq!(error.to_string(), "A has 1 continuous derivatives, 2 are needed");
    // Each block of f is differentiated once more than the one before it.
    assert!(Gear { continuity: 2 }.state_space(0.0).is_ok());
}

#[test]
fn a_singular_product_names_the_time_and_the_block() {
    for (row, block) in [(0, 0), (3, 1), (5, 2)] {
        let mut system = Random::<6, 3, 1, 321>::new(7);
        for (i, j) in [(0, 5), (1, 5), (2, 5), (3, 0), (3, 1), (3, 2), (4, 0), (4, 1), (4, 2), (5, 3), (5, 4)] {
            // A whole block without coefficients.
            if [0, 0, 0, 1, 1, 2][i] == block {
                system.matrix[i][j] = [0.0; 3];
            }
        }
        let error = system.state_space(0.5).unwrap_err();
        let singular = matches!(error, HessenbergError::Singular { time: 0.5, block: found, .. } if found == block);
        assert!(singular, "row {row}: {error}");
    }
}

#[test]
fn what_is_not_in_hessenberg_form_or_not_finite_is_refused() {
    let mut system = Random::<6, 3, 1, 321>::new(7);
    system.matrix[5][1][2] = 0.1; // sin t below the subdiagonal, zero at t = 0
    assert_eq!(system.state_space(0.0).unwrap_err(), HessenbergError::Form { time: 0.0, row: 5, column: 1 });
    assert_eq!(ConstantHessenberg::new(Turning).unwrap_err(), HessenbergError::Varying { row: 0, column: 4 });

    let clock = Clock::with_step(0.1).unwrap();
    let bad = [f64::NAN, 0.0, 0.0, 0.0, 0.0];
    let error = HessenbergState::start(&Turning, clock, bad).unwrap_err();
    assert!(matches!(error, HessenbergError::NonFinite { time: 0.0, .. }), "{error}");

    // The state stays as it was.
    let mut system = Random::<6, 3, 1, 321>::new(7);
    let mut state = HessenbergState::start(&system, clock, [0.1; 6]).unwrap();
    let before = state;
    system.input[2][1] = f64::INFINITY;
    assert!(RungeKutta4::new().step(&system, &mut state).is_err());
    assert_eq!(state, before);
}
