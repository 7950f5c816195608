//! Index 1 and 2: implicit Euler and half-explicit methods on y' = f, 0 = g.
//!
//! Problem (1.9) is that of Hairer and Wanner, *Solving Ordinary Differential Equations II*, VII.1; exercise 5 is that of
//! Hairer, *Solving Differential Equations on Manifolds*, V.6. Errors are those of the reference, computed with Newton's method to
//! the end.

use crate::variants::assert_slopes;
use mechanisms::{IndexOne, SteeringWheel};
use nalgebra::vector;
use taut::linalg::Vector;
use taut::method::{HalfExplicit, ImplicitEuler, Step, StepError};
use taut::project::Level;
use taut::scalar::{Float, Real};
use taut::start::{Clock, Part, SemiExplicitState, StartError};
use taut::system::SemiExplicit;

fn clock<T: Float>(h: f64) -> Clock<T> {
    Clock::with_step(T::from_f64(h)).unwrap()
}

/// A method that steps a semi-explicit system with one constraint.
type Any<System, const Y: usize> = dyn Step<System, SemiExplicitState<f64, Y, 1>, Report = (), Error = StepError<f64>>;

fn count(time: f64, h: f64) -> usize {
    (time / h).round() as usize
}

/// The tolerance of the reference: 1e-3 of the error.
fn assert_error(what: &str, h: f64, ours: f64, reference: f64) {
    assert!((ours - reference).abs() <= 1e-3 * reference + 1e-11, "{what}, h = {h}: {ours:e}, not {reference:e}");
}

/// (y, z) at t = 1: D.ex1.9.exact.T1.
const STEERED: [f64; 3] = [0.9963502546897789, -0.085359065011355, 1.2189970101422742];

fn steering_wheel<T: Float>(h: f64) -> (SteeringWheel<T>, SemiExplicitState<T, 2, 1>) {
    let system = SteeringWheel::new();
    let (sin, cos) = (-0.5_f64).sin_cos();
    let state = SemiExplicitState::start(&system, clock(h), [T::from_f64(cos), T::from_f64(sin)], [T::one()]).unwrap();
    (system, state)
}

fn steered(h: f64, method: &Any<SteeringWheel<f64>, 2>) -> [f64; 2] {
    let (system, mut state) = steering_wheel(h);
    for _ in 0..count(1.0, h) {
        method.step(&system, &mut state).unwrap();
        assert!((state.differential().norm_squared() - 1.0).abs() < 1e-14);
    }
    let y = state.differential() - vector![STEERED[0], STEERED[1]];
    [y.norm(), (state.algebraic()[0] - STEERED[2]).abs()]
}

#[test]
fn a_start_finds_the_wheel_from_the_hidden_constraint() {
    // D.ex1.9.z0, on the branch of the guess.
    let (system, state) = steering_wheel::<f64>(1e-3);
    assert!((state.algebraic()[0] - 1.0232861903106298).abs() < 1e-14);
    assert!(system.hidden_constraint(0.0, state.differential(), state.algebraic())[0].abs() < 1e-15);
}

#[test]
fn implicit_euler_has_order_one_with_index_two() {
    // h; D.ex1.9.T1.IE.y.errors, z.errors.
    let table = [
        (0.02, 0.0008713789272211252, 0.000269257687203206),
        (0.01, 0.00043841554277513945, 0.00013322551796957072),
        (0.005, 0.00021988617540359166, 6.62637922321796e-05),
        (0.0025, 0.00011011229057972038, 3.3044890484612566e-05),
        (0.00125, 5.5098395711738706e-05, 1.65007235402026e-05),
    ];
    let mut all = vec![];
    for (h, y, z) in table {
        let euler = ImplicitEuler::new();
        let errors = steered(h, &euler);
        assert_error("y", h, errors[0], y);
        assert_error("z", h, errors[1], z);
        all.push(errors);
    }
    assert_slopes("y", &all.iter().map(|e| e[0]).collect::<Vec<_>>(), 1.0, 0.02);
    assert_slopes("z", &all.iter().map(|e| e[1]).collect::<Vec<_>>(), 1.0, 0.02);
}

#[test]
fn half_explicit_methods_have_order_one_to_four_with_index_two() {
    // h; D.ex1.9.T1.HEM1 … HEM4, y.errors and z.errors, z from the hidden constraint.
    macro_rules! check {
        ($method:ident, $order:literal, $table:expr) => {
            let mut all = vec![];
            for (h, y, z) in $table {
                let method = HalfExplicit::$method();
                let errors = steered(h, &method);
                assert_error(concat!(stringify!($method), " y"), h, errors[0], y);
                assert_error(concat!(stringify!($method), " z"), h, errors[1], z);
                all.push(errors);
            }
            // The order of the reference is that of the last pair, to 0.1.
            let last = &all[all.len() - 2..];
            assert_slopes(stringify!($method), &[last[0][0], last[1][0]], $order, 0.1);
            assert_slopes(stringify!($method), &[last[0][1], last[1][1]], $order, 0.1);
        };
    }
    check!(
        order_one,
        1.0,
        [
            (0.02, 0.0008929819520394043, 0.00039407238911448594),
            (0.01, 0.00044381690991418207, 0.00019585304357216948),
            (0.005, 0.00022123655540144056, 9.762925775103071e-05),
            (0.0025, 0.000110449887969646, 4.874013186695336e-05),
        ]
    );
    check!(
        order_two,
        2.0,
        [
            (0.04, 6.010300403733515e-06, 2.6522595268918536e-06),
            (0.02, 1.4932516353781932e-06, 6.58950466192465e-07),
            (0.01, 3.7204222621775096e-07, 1.6417687609404652e-07),
            (0.005, 9.284508787336426e-08, 4.0971199766204336e-08),
        ]
    );
    check!(
        order_three,
        3.0,
        [
            (0.05, 3.7559122102550927e-07, 1.6574299666061165e-07),
            (0.025, 4.687572960772162e-08, 2.0685584134483292e-08),
            (0.0125, 5.851414536676823e-09, 2.582145164353733e-09),
        ]
    );
    check!(
        order_four,
        4.0,
        [
            (0.1, 5.7255856154839555e-08, 2.5266184255912094e-08),
            (0.05, 3.86503478868183e-09, 1.7055841183832854e-09),
            (0.025, 2.5077389905856383e-10, 1.1066281224714203e-10),
        ]
    );
}

fn index_one(h: f64, method: &Any<IndexOne, 1>) -> [f64; 2] {
    let mut state = SemiExplicitState::start(&IndexOne, clock(h), [1.0], [0.2]).unwrap();
    assert!((state.algebraic()[0] - 1.0).abs() < 1e-15);
    for _ in 0..count(1.0, h) {
        method.step(&IndexOne, &mut state).unwrap();
    }
    [(state.differential()[0] - 1.0_f64.sin() - 0.5).abs(), (state.algebraic()[0] - 0.25).abs()]
}

#[test]
fn orders_with_index_one() {
    let steps = [0.02, 0.01, 0.005];
    let slopes = |what: &str, order: f64, run: &dyn Fn(f64) -> [f64; 2]| {
        let errors = steps.map(run);
        assert_slopes(what, &errors.map(|e| e[0]), order, 0.15);
        assert_slopes(what, &errors.map(|e| e[1]), order, 0.15);
    };
    slopes("implicit Euler", 1.0, &|h| index_one(h, &ImplicitEuler::new()));
    macro_rules! check {
        ($method:ident, $order:literal) => {
            slopes(stringify!($method), $order, &|h| index_one(h, &HalfExplicit::$method()));
        };
    }
    check!(order_one, 1.0);
    check!(order_two, 2.0);
    check!(order_three, 3.0);
    check!(order_four, 4.0);
}

/// V.6, exercise 5: y' = (exp(z − 1) + 1)/2, 0 = y − t.
struct Exercise5;

impl SemiExplicit<1, 1> for Exercise5 {
    type Base = f64;
    const INDEX: usize = 2;

    fn rate<S: Real<Base = f64>>(&self, _t: S, _y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        vector![((z[0] - 1.0).exp() + 1.0) * 0.5]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 1>, _z: &Vector<S, 1>) -> Vector<S, 1> {
        vector![y[0] - t]
    }
}

#[test]
fn exercise_5_is_solvable_up_to_half_a_step_off_the_constraint() {
    let h = 0.1;
    let euler = ImplicitEuler::new();
    let from = |y: f64| SemiExplicitState::given(&Exercise5, clock(h), [y], [1.0], 0.2).unwrap();
    for part in [-0.5, 0.0, 0.1, 0.3, 0.45, 0.49] {
        let mut state = from(part * h);
        euler.iterations::<12>().step(&Exercise5, &mut state).unwrap();
        let exact = 1.0 + (1.0 - 2.0 * part).ln();
        assert!((state.algebraic()[0] - exact).abs() < 1e-9, "{part}: {} {exact}", state.algebraic()[0]);
    }
    for part in [0.5, 0.55, 0.7, 1.0] {
        let before = from(part * h);
        let mut state = before;
        // Newton's method runs away, 1 → −1 → −9.389 → −32512 from y₀ = h, until g_y f_z is zero. After three iterations the
        // constraint holds, which is linear, and the differential equation is off by y₀ − h/2 at least.
        let error = euler.step(&Exercise5, &mut state).unwrap_err();
        assert!(
            matches!(error, StepError::Singular { tick: 0, .. } | StepError::NotConverged { tick: 0, .. }),
            "{error}"
        );
        let error = euler.iterations::<3>().step(&Exercise5, &mut state).unwrap_err();
        let StepError::NotConverged { residual, .. } = error else { panic!("{error}") };
        assert!(residual.residual.abs() >= (part - 0.5) * h, "{error}");
        assert_eq!((residual.level, residual.row), (Level::Equation, 0));
        assert_eq!(state, before);
    }
    // J.ex5.newton.iterates, from y₀ = h: with each of them the constraint holds, and the differential equation lacks
    // h (exp(z − 1) + 1)/2.
    let lacking = |error: StepError<f64>| {
        let StepError::NotConverged { residual, .. } = error else { panic!("{error}") };
        residual.residual.abs()
    };
    let found = [
        lacking(euler.iterations::<1>().step(&Exercise5, &mut from(h)).unwrap_err()),
        lacking(euler.iterations::<2>().step(&Exercise5, &mut from(h)).unwrap_err()),
        lacking(euler.iterations::<3>().step(&Exercise5, &mut from(h)).unwrap_err()),
    ];
    for (found, z) in found.into_iter().zip([-1.0, -9.38905609893065, -32512.36286095022_f64]) {
        let expected = h * ((z - 1.0).exp() + 1.0) / 2.0;
        assert!((found - expected).abs() < 1e-9 * h, "z = {z}: {found}, not {expected}");
    }
    // `start` makes the values consistent first.
    let state = SemiExplicitState::start(&Exercise5, clock(0.01), [h], [1.5]).unwrap();
    assert_eq!(state.differential()[0], 0.0);
    assert!((state.algebraic()[0] - 1.0).abs() < 1e-12);
}

#[test]
fn single_precision_follows_the_steering_wheel() {
    // z has round-off of ε/h, here 2e-4, from implicit Euler, and of ε from the hidden constraint; y that of a sum of 1000 steps.
    let (system, mut state) = steering_wheel::<f32>(1e-3);
    let mut explicit = state;
    let (euler, two) = (ImplicitEuler::new(), HalfExplicit::order_two());
    for _ in 0..1_000 {
        euler.step(&system, &mut state).unwrap();
        two.step(&system, &mut explicit).unwrap();
    }
    let off = |state: &SemiExplicitState<f32, 2, 1>| {
        let y = state.differential().map(f64::from) - vector![STEERED[0], STEERED[1]];
        (y.norm(), (f64::from(state.algebraic()[0]) - STEERED[2]).abs())
    };
    let (y, z) = off(&state);
    assert!(y < 1e-4 && z < 1e-3, "{y:e} {z:e}");
    let (y, z) = off(&explicit);
    assert!(y < 3e-5 && z < 3e-5, "{y:e} {z:e}");
}

/// Claims index 2, but has index 1.
struct Mistaken;

impl SemiExplicit<1, 1> for Mistaken {
    type Base = f64;
    const INDEX: usize = 2;

    fn rate<S: Real<Base = f64>>(&self, _t: S, _y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        *z
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        y - z * S::from(1e-3)
    }
}

#[test]
fn a_mistaken_index_is_noticed_at_the_start() {
    let wrong = Err(StartError::WrongIndex { row: 0 });
    assert_eq!(SemiExplicitState::start(&Mistaken, clock(0.01), [0.0], [0.0]), wrong);
    assert_eq!(SemiExplicitState::given(&Mistaken, clock(0.01), [0.0], [0.0], 0.1), wrong);
}

/// y' = a z, 0 = y + offset (index 2) or b z − y (index 1).
struct Linear<const INDEX: usize> {
    a: f64,
    b: f64,
    offset: f64,
}

impl<const INDEX: usize> SemiExplicit<1, 1> for Linear<INDEX> {
    type Base = f64;
    const INDEX: usize = INDEX;

    fn rate<S: Real<Base = f64>>(&self, _t: S, _y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        vector![z[0] * self.a]
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        if INDEX == 2 { vector![y[0] + self.offset] } else { vector![z[0] * self.b - y[0]] }
    }
}

#[test]
fn singular_not_finite_and_changed_systems_are_refused() {
    let start = |a: f64, b: f64| {
        (
            SemiExplicitState::start(&Linear::<1> { a, b, offset: 0.0 }, clock(0.01), [1.0], [0.0]),
            SemiExplicitState::start(&Linear::<2> { a, b, offset: 0.0 }, clock(0.01), [1.0], [0.0]),
        )
    };
    assert!(matches!(start(1.0, 0.0).0, Err(StartError::Constraints(_)))); // g_z
    assert!(matches!(start(0.0, 1.0).1, Err(StartError::Constraints(_)))); // g_y f_z
    for bad in [f64::NAN, f64::INFINITY] {
        let system = Linear::<2> { a: 1.0, b: 1.0, offset: 0.0 };
        assert_eq!(
            SemiExplicitState::start(&system, clock(0.01), [bad], [0.0]),
            Err(StartError::NonFinite { part: Part::Variable, index: 0 })
        );
        assert_eq!(
            SemiExplicitState::start(&system, clock(0.01), [0.0], [bad]),
            Err(StartError::NonFinite { part: Part::Variable, index: 1 })
        );
        assert_eq!(
            SemiExplicitState::start(&system, clock(0.01).at_time(bad), [0.0], [0.0]),
            Err(StartError::NonFinite { part: Part::Time, index: 0 })
        );
        assert!(SemiExplicitState::given(&system, clock(0.01), [0.0], [0.0], bad).is_err());
    }
    let off = SemiExplicitState::given(&Exercise5, clock(0.01), [0.0], [1.5], 1e-3);
    assert!(matches!(off, Err(StartError::Algebraic(residual)) if residual.level == Level::Velocity));
    assert!(matches!(
        SemiExplicitState::given(&Exercise5, clock(0.01), [0.1], [1.0], 1e-3),
        Err(StartError::NotAssembled { .. })
    ));

    // A target that jumps is refused.
    let mut state = start(1.0, 1.0).1.unwrap();
    let moved = Linear::<2> { a: 1.0, b: 1.0, offset: 0.1 };
    let before = state;
    let errors = [
        ImplicitEuler::new().step(&moved, &mut state).unwrap_err(),
        HalfExplicit::order_two().step(&moved, &mut state).unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, StepError::Inconsistent { tick: 0, .. }), "{error}");
    }
    // A singular matrix and a NaN in the middle of a run.
    let blocked = Linear::<2> { a: 0.0, b: 1.0, offset: 0.0 };
    let broken = Linear::<2> { a: f64::NAN, b: 1.0, offset: 0.0 };
    let mut both = |system| {
        [
            ImplicitEuler::new().step(system, &mut state).unwrap_err(),
            HalfExplicit::order_four().step(system, &mut state).unwrap_err(),
        ]
    };
    assert!(both(&blocked).iter().all(|error| matches!(error, StepError::Singular { .. })));
    assert!(both(&broken).iter().all(|error| matches!(error, StepError::NonFinite { .. })));
    assert_eq!(state, before);
}
