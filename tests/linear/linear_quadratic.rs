//! Linear-quadratic control: the regular problem, the singular arc, and starts that take an impulse (Hairer & Wanner VII.1, (1.39) and
//! exercises 7 and 8; Clark 1992, section 4.2).

use nalgebra::{matrix, vector};
use proptest::prelude::*;
use taut::control::{GainTable, Hessenberg, HessenbergError, LinearQuadratic, QuadraticError, SingularArc};
use taut::linalg::{FactorError, Matrix, Vector};
use taut::method::{RungeKutta4, Step};
use taut::scalar::Real;
use taut::start::{Clock, SemiExplicitState};
use taut::system::SemiExplicit;

type Error = QuadraticError<f64, 2>;

/// A = [0, 1; 0, 0], B = (0, 1), H = I.
fn mass(r: f64) -> LinearQuadratic<f64, 2, 1> {
    LinearQuadratic {
        dynamics: matrix![0.0, 1.0; 0.0, 0.0],
        actuation: matrix![0.0; 1.0],
        state_weight: Matrix::identity(),
        input_weight: matrix![r],
    }
}

fn table<const K: usize>(r: f64, steps: u32) -> GainTable<f64, 2, 1, K> {
    let interval = 1.0 / (K - 1) as f64;
    GainTable::solve(|_| Ok(mass(r)), Matrix::zeros(), interval, steps).unwrap()
}

/// λ(0) = S(0) x₀ and J = ½ x₀ᵀ S(0) x₀ with x₀ = (1, 0). The error of order four of 10,000 steps, (h/√R)⁴, is below the round-off of as many
/// sums: √10,000 ε of numbers below one.
#[test]
fn the_regular_problem_has_its_costate_and_cost() {
    let solved = table::<101>(0.1, 100);
    let x0 = vector![1.0, 0.0];
    let costate = solved.cost * x0;
    assert!((costate - vector![0.8885163616908213, 0.1928461009069179]).norm() < 3e-14, "{costate}");
    assert!((solved.cost[(1, 1)] - 0.363608700509481).abs() < 3e-14 && solved.cost[(0, 1)] == solved.cost[(1, 0)]);
    assert!((solved.input(0.0, &x0)[0] + 1.928461009069179).abs() < 3e-13);
    assert!((costate.dot(&x0) / 2.0 - 0.4442581808454107).abs() < 3e-14);

    let costate = table::<2>(1.0, 1_000).cost * x0;
    assert!((costate - vector![0.964835684943498, 0.389571120504592]).norm() < 1e-12, "{costate}");
    assert!((costate.dot(&x0) / 2.0 - 0.482417842471749).abs() < 1e-12);
}

/// The classical method on x' = A x + B u, with steps of two intervals of the table: all its stages are at times of the table.
#[test]
fn the_feedback_of_the_table_ends_where_the_optimum_does() {
    let (solved, h) = (table::<1001>(0.1, 1), 2e-3);
    let rate = |t: f64, x: Vector<f64, 2>| vector![x[1], solved.input(t, &x)[0]];
    let mut x = vector![1.0, 0.0];
    for tick in 0..500 {
        let t = f64::from(tick) * h;
        let first = rate(t, x);
        let second = rate(t + h / 2.0, x + first * (h / 2.0));
        let third = rate(t + h / 2.0, x + second * (h / 2.0));
        x += (first + (second + third) * 2.0 + rate(t + h, x + third * h)) * (h / 6.0);
    }
    // The error of order four, (h/√R)⁴/120.
    assert!((x - vector![0.769863260193755, -0.188187072493910]).norm() < 1.4e-11, "{x}");
    // Held before and after the table.
    assert_eq!(solved.input(-1.0, &x), solved.input(0.0, &x));
    assert_eq!(solved.input(7.0, &x), -(solved.gains[1000] * x));
    assert_eq!(solved.input(f64::NAN, &x), solved.input(0.0, &x));
}

/// The costs for R → 0 tend to ½ tanh 1 like √R. Backward Riccati steps lose no digits on the way.
#[test]
fn the_cost_tends_to_that_of_the_singular_problem() {
    let limit = 1.0_f64.tanh() / 2.0;
    let mut last = None;
    for (r, cost) in [(0.1, 0.444258180845), (0.01, 0.407241275586), (1e-3, 0.389721176658), (1e-4, 0.383672639174)] {
        let found = table::<2>(r, 10_000).cost[(0, 0)] / 2.0;
        assert!((found - cost).abs() < 1e-12, "R = {r}: {found}");
        // Each is less by about √10 in its distance.
        if let Some(before) = last.replace(found - limit) {
            let ratio: f64 = before / (found - limit);
            assert!((2.3..3.2).contains(&ratio), "R = {r}: {ratio}");
        }
    }
}

/// J from x₀ = (1, 0) by single shooting with the matrix exponential, with a relative error of one of its entries.
fn shooting(r: f64, error: f64) -> f64 {
    let LinearQuadratic { dynamics: a, actuation: b, state_weight, .. } = mass(r);
    let mut whole = Matrix::<f64, 4, 4>::zeros();
    whole.fixed_view_mut::<2, 2>(0, 0).copy_from(&a);
    whole.fixed_view_mut::<2, 2>(0, 2).copy_from(&(b * b.transpose() / -r));
    whole.fixed_view_mut::<2, 2>(2, 0).copy_from(&-state_weight);
    whole.fixed_view_mut::<2, 2>(2, 2).copy_from(&-a.transpose());
    let mut flow = whole.exp();
    flow[(2, 2)] *= 1.0 + error;
    // λ(1) = 0.
    let (from_x, from_costate) = (flow.fixed_view::<2, 2>(2, 0), flow.fixed_view::<2, 2>(2, 2).into_owned());
    from_costate.lu().solve(&-(from_x * vector![1.0, 0.0])).map_or(f64::NAN, |costate| costate[0]) / 2.0
}

/// A relative error of the exponential comes back multiplied by R exp(R^(−½))/(2 cosh 1), the growth of the fast solution: ten digits
/// are lost with R = 1e-3, all of them with R = 1e-4. The error is given here, far above round-off, so that nothing hangs on how the
/// exponential is computed.
#[test]
fn single_shooting_loses_digits_where_riccati_steps_do_not() {
    assert!((shooting(0.1, 0.0) - 0.4442581808454107).abs() < 1e-13);
    for r in [0.01, 0.003, 0.002_f64] {
        let error = 1e-10;
        let growth = (shooting(r, error) / shooting(r, 0.0) - 1.0).abs() / error;
        let law = r * (1.0 / r.sqrt()).exp() / (2.0 * 1.0_f64.cosh());
        // The next term has √R.
        assert!((growth / law - 1.0).abs() < r.sqrt() / 2.0, "R = {r}: {growth:e} {law:e}");
    }
    assert!((table::<2>(1e-3, 10_000).cost[(0, 0)] / 2.0 - 0.389721176658).abs() < 1e-12);
}

/// The order of a Riccati step, as a slope.
#[test]
fn riccati_steps_have_order_four() {
    let error = |steps| (table::<2>(0.1, steps).cost[(0, 0)] - 0.888516361690822).abs();
    let slope = (error(20) / error(40)).log2();
    assert!((slope - 4.0).abs() < 0.3, "{slope}");
}

fn arc() -> SingularArc<f64, 2, 1, 5> {
    SingularArc::new(mass(0.0), Matrix::zeros()).unwrap()
}

/// P₁ = P₂ = diag(0, 1), B₁₂ = [0, 0; −1, 0], B_u1 = (1, 0), B_u2 = 0.
#[test]
fn the_tables_of_the_singular_problem() {
    let tables = arc().state_space(0.3).unwrap().tables;
    for level in [0, 1] {
        let (reach, recovery) =
            (tables.reach.fixed_view::<2, 1>(2 * level, 0), tables.recovery.fixed_view::<1, 2>(0, 2 * level));
        assert_eq!(reach * recovery, matrix![0.0, 0.0; 0.0, 1.0]);
    }
    assert_eq!(tables.dependence.fixed_view::<2, 2>(0, 2), matrix![0.0, 0.0; -1.0, 0.0]);
    assert_eq!(tables.dependence.fixed_view::<1, 4>(4, 0), matrix![1.0, 0.0, 0.0, 0.0]);
}

/// u = x₁, λ = (−x₂, 0), x₁'' = x₁: x₁ = cosh t − tanh 1 sinh t.
#[test]
fn the_singular_arc_from_an_admissible_start() {
    let (tanh, clock) = (0.7615941559557649, Clock::with_step(1e-2).unwrap());
    let mut state = arc().start(clock, 100, vector![1.0, -tanh]).unwrap();
    let expected = |x: Vector<f64, 2>| vector![x[0], x[1], -x[1], 0.0, x[0]];
    assert!((state.unknowns() - expected(vector![1.0, -tanh])).norm() < 1e-9, "{}", state.unknowns());
    // J = ½ λ(0)ᵀ x(0).
    let z = *state.unknowns();
    assert!(((z[0] * z[2] + z[1] * z[3]) / 2.0 - 0.3807970779778824).abs() < 1e-9);
    for _ in 0..100 {
        RungeKutta4::new().step(&arc(), &mut state).unwrap();
    }
    let end = vector![1.0 / 1.0_f64.cosh(), 0.0];
    assert!((state.unknowns() - expected(end)).norm() < 1e-9, "{}", state.unknowns());
}

/// C = diag(1, 0): λ(1) = C x(1) gives −x₂(1) = x₁(1), so x₁ = e^(−t), λ = (e^(−t), 0) and J = ½. With λ(1) = −C x(1), as Clark's (4.11) is
/// printed, it would be e^t.
#[test]
fn a_weight_of_the_end_has_the_sign_of_a_cost() {
    let arc = SingularArc::<f64, 2, 1, 5>::new(mass(0.0), matrix![1.0, 0.0; 0.0, 0.0]).unwrap();
    let clock = Clock::with_step(1e-2).unwrap();
    let mut state = arc.start(clock, 100, vector![1.0, -1.0]).unwrap();
    // The error of order four in 100 steps.
    assert!((state.unknowns() - vector![1.0, -1.0, 1.0, 0.0, 1.0]).norm() < 1e-9, "{}", state.unknowns());
    for _ in 0..100 {
        RungeKutta4::new().step(&arc, &mut state).unwrap();
    }
    let end = vector![1.0, -1.0, 1.0, 0.0, 1.0] * (-1.0_f64).exp();
    assert!((state.unknowns() - end).norm() < 1e-9, "{}", state.unknowns());

    let error = arc.start(clock, 100, vector![1.0, 0.0]).unwrap_err();
    let Error::Impulsive { nearest, .. } = error else { panic!("{error}") };
    assert!((nearest - vector![0.5, -0.5]).norm() < 1e-9, "{nearest}");
}

/// The least-squares residuals of Clark's (4.14), and the projection of x₀ onto x₂ = −tanh(1) x₁.
#[test]
fn a_start_that_takes_an_impulse_is_refused_with_the_nearest_one() {
    let tanh = 1.0_f64.tanh();
    let clock = Clock::with_step(1e-2).unwrap();
    for (x0, expected) in [([1.0, 0.0], 0.538528392188366), ([0.0, 1.0], core::f64::consts::FRAC_1_SQRT_2)] {
        let error = arc().start(clock, 100, x0).unwrap_err();
        let Error::Impulsive { residual, nearest, limit } = error else { panic!("{error}") };
        // The error of order four in 100 steps.
        assert!((residual - expected).abs() < 1e-9 && residual > limit, "{error}");
        let along = vector![1.0, -tanh];
        let projected = along * (along.dot(&Vector::from(x0)) / along.norm_squared());
        assert!((nearest - projected).norm() < 1e-9, "{nearest} {projected}");
        assert!(arc().start(clock, 100, nearest).is_ok());
    }
}

#[test]
fn weights_that_are_not_definite_are_refused() {
    let solve = |problem: LinearQuadratic<f64, 2, 1>| {
        GainTable::<_, 2, 1, 3>::solve(|_| Ok(problem), Matrix::zeros(), 0.5, 10).unwrap_err()
    };
    for r in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(solve(mass(r)), Error::InputWeight { time: 1.0, .. }), "{r}");
    }
    let escaping = LinearQuadratic { state_weight: Matrix::identity() * -1e3, ..mass(0.01) };
    assert!(matches!(solve(escaping), Error::NonFinite { .. }));
    let error = GainTable::<_, 2, 1, 3>::solve(|_| Ok(mass(1.0)), Matrix::zeros(), 0.5, 0).unwrap_err();
    assert_eq!(error, Error::Interval { interval: 0.5, steps: 0 });

    // The row of the pivot: R = [1, 2; 2, 1] is positive in its first row and indefinite with its second.
    let indefinite = LinearQuadratic {
        dynamics: Matrix::<f64, 2, 2>::zeros(),
        actuation: Matrix::identity(),
        state_weight: Matrix::identity(),
        input_weight: matrix![1.0, 2.0; 2.0, 1.0],
    };
    let error = GainTable::<_, 2, 2, 3>::solve(|_| Ok(indefinite), Matrix::zeros(), 0.5, 10).unwrap_err();
    let Error::InputWeight { cause: FactorError::SmallPivot { index, pivot, .. }, .. } = error else {
        panic!("{error}")
    };
    assert!(index == 1 && (pivot + 3.0).abs() < 1e-15, "{error}");

    // R = 0 takes Bᵀ H B > 0.
    let blind = LinearQuadratic { state_weight: matrix![1.0, 0.0; 0.0, 0.0], ..mass(0.0) };
    let refused = SingularArc::<_, 2, 1, 5>::new(blind, Matrix::zeros()).unwrap_err();
    assert!(matches!(refused, Error::InputWeight { .. }), "{refused}");
    let error = Error::from(HessenbergError::Boundary { determined: 1, free: 2 });
    assert_eq!(error.to_string(), "the boundary conditions determine 1 of 2 free values");
}

#[test]
fn an_argument_that_is_not_finite_is_refused_with_its_place() {
    let clock = Clock::with_step(1e-2).unwrap();
    let one = |problem, end_weight| GainTable::<f64, 2, 1, 1>::solve(|_| Ok(problem), end_weight, 0.5, 10);
    let two = |problem, end_weight| GainTable::<f64, 2, 1, 2>::solve(|_| Ok(problem), end_weight, 0.5, 10);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        // One gain takes no Riccati step: it is R⁻¹ Bᵀ C.
        let (end_weight, fine) = (matrix![0.0, bad; 0.0, 0.0], Matrix::zeros());
        let refused = |time, what, row, column| Err(Error::Argument { time, what, row, column });
        assert_eq!(one(mass(1.0), end_weight).map(|_| ()), refused(0.0, "end weight", 0, 1));
        assert_eq!(two(mass(1.0), end_weight).map(|_| ()), refused(0.5, "end weight", 0, 1));
        let problem = LinearQuadratic { actuation: matrix![0.0; bad], ..mass(1.0) };
        assert_eq!(one(problem, fine).map(|_| ()), refused(0.0, "actuation", 1, 0));
        let problem = LinearQuadratic { dynamics: matrix![0.0, 1.0; bad, 0.0], ..mass(1.0) };
        assert_eq!(two(problem, fine).map(|_| ()), refused(0.5, "dynamics", 1, 0));
        let problem = LinearQuadratic { state_weight: matrix![1.0, 0.0; 0.0, bad], ..mass(1.0) };
        assert_eq!(two(problem, fine).map(|_| ()), refused(0.5, "state weight", 1, 1));
        // Between two gains: in the middle of the only step.
        let varying = |t| Ok(if t == 0.25 { problem } else { mass(1.0) });
        let error = GainTable::<f64, 2, 1, 2>::solve(varying, fine, 0.5, 1).map(|_| ());
        assert_eq!(error, refused(0.25, "state weight", 1, 1));

        let new = |problem, end_weight| SingularArc::<f64, 2, 1, 5>::new(problem, end_weight).map(|_| ());
        assert_eq!(new(mass(0.0), end_weight), refused(0.0, "end weight", 0, 1));
        let problem = LinearQuadratic { input_weight: matrix![0.0], ..problem };
        assert_eq!(new(problem, fine), refused(0.0, "state weight", 1, 1));
        assert_eq!(arc().start(clock, 100, [1.0, bad]).map(|_| ()), refused(0.0, "x0", 1, 0));
    }
    // What overflows on the way: a gain, and the square of a start.
    let problem = LinearQuadratic { input_weight: matrix![1e-10], ..mass(1.0) };
    assert!(matches!(one(problem, Matrix::identity() * 1e300), Err(Error::NonFinite { time: 0.0 })));
    let error = arc().start(clock, 100, [1e200, 0.0]).unwrap_err();
    assert_eq!(error.to_string(), "t = 0e0: x0: the entry of row 0, column 0 is NaN, infinite or too large");
}

#[test]
fn a_singular_arc_takes_no_weight_of_the_inputs() {
    for r in [0.1, -1e-300, f64::NAN, f64::INFINITY] {
        let refused = SingularArc::<f64, 2, 1, 5>::new(mass(r), Matrix::zeros()).unwrap_err();
        assert_eq!(refused, Error::NotSingular { row: 0, column: 0 }, "{r}");
    }
    let error = Error::NotSingular { row: 1, column: 0 };
    assert!(error.to_string().contains("row 1, column 0 is not zero"), "{error}");
}

/// y' = A y + f, w' = Aᵀ w + g(1 − s) with w(s) = v(1 − s), and both integrals.
struct Adjoint {
    a: Matrix<f64, 2, 2>,
    f: [[f64; 2]; 2],
    g: [[f64; 2]; 2],
}

/// p + q sin t in each row.
fn waves<E: Real<Base = f64>>([first, second]: [[f64; 2]; 2], t: E) -> Vector<E, 2> {
    vector![t.sin() * first[1] + first[0], t.sin() * second[1] + second[0]]
}

impl SemiExplicit<6, 0> for Adjoint {
    type Base = f64;
    const INDEX: usize = 1;

    fn rate<E: Real<Base = f64>>(&self, t: E, x: &Vector<E, 6>, _z: &Vector<E, 0>) -> Vector<E, 6> {
        let (y, w, back) = (vector![x[0], x[1]], vector![x[2], x[3]], -t + 1.0);
        let forward = self.a.map(E::from) * y + waves(self.f, t);
        let backward = self.a.transpose().map(E::from) * w + waves(self.g, back);
        let (gy, vf) = (waves(self.g, t).dot(&y), waves(self.f, back).dot(&w));
        vector![forward[0], forward[1], backward[0], backward[1], gy, vf]
    }

    fn constraint<E: Real<Base = f64>>(&self, _t: E, _x: &Vector<E, 6>, _z: &Vector<E, 0>) -> Vector<E, 0> {
        Vector::zeros()
    }
}

proptest! {
    /// ∫ gᵀ y = ∫ vᵀ f (exercise 7) for the runs forwards and backwards by the classical method: a step of its adjoint is the transpose of
    /// its step, and what is left are the errors of order four of the integrals.
    #[test]
    fn the_runs_forwards_and_backwards_are_adjoint(
        a in prop::array::uniform4(-2.0..2.0), f in prop::array::uniform4(-1.0..1.0), g in prop::array::uniform4(-1.0..1.0),
    ) {
        let pairs = |x: [f64; 4]| [[x[0], x[1]], [x[2], x[3]]];
        let system = Adjoint { a: Matrix::from_row_slice(&a), f: pairs(f), g: pairs(g) };
        let off = |steps: u32| {
            let clock = Clock::with_step(1.0 / f64::from(steps)).unwrap();
            let mut state = SemiExplicitState::start(&system, clock, [0.0; 6], [0.0; 0]).unwrap();
            for _ in 0..steps {
                RungeKutta4::new().step(&system, &mut state).unwrap();
            }
            (state.differential()[4] - state.differential()[5]).abs()
        };
        // |A| ≤ 4: (4 h)⁴ e⁴/120 and more; 200 steps leave 1e-7.
        let [coarse, fine] = [off(100), off(200)];
        prop_assert!(fine < 1e-7 && (coarse < 1e-13 || fine < coarse / 8.0), "{coarse:e} {fine:e}");
    }
}
