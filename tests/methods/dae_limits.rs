//! The limits of semi-explicit and implicit systems do not depend on the units of the equations.

use nalgebra::vector;
use taut::linalg::{FactorError, Vector};
use taut::method::{HalfExplicit, ImplicitEuler, Step, StepError};
use taut::project::Level;
use taut::scalar::{Float, Real};
use taut::start::{Clock, SemiExplicitState, StartError};
use taut::system::SemiExplicit;

fn clock<T: Float>() -> Clock<T> {
    Clock::at_rate(T::from_f64(1_000.0)).unwrap()
}

/// A flow z out of a vessel under a pressure y in pascals: y' = −z, 0 = z² − y.
struct Valve;

impl SemiExplicit<1, 1> for Valve {
    type Base = f32;
    const INDEX: usize = 1;

    fn rate<S: Real<Base = f32>>(&self, _t: S, _y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        -z
    }
    fn constraint<S: Real<Base = f32>>(&self, _t: S, y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        vector![z[0] * z[0] - y[0]]
    }
}

#[test]
fn large_numbers_are_accepted_up_to_their_round_off() {
    // At 1e5 an ulp is 2⁻⁷, twenty times √ε.
    let (euler, two) = (ImplicitEuler::new(), HalfExplicit::order_two());
    for k in 0..1_000 {
        let pressure = 1.0e5 + 37.77 * k as f32;
        let mut state = SemiExplicitState::start(&Valve, clock(), [pressure], [330.0]).unwrap();
        let exact = f64::from(pressure).sqrt();
        // Half an ulp of the square in the residual is a quarter of an ulp in z, and z is rounded itself.
        assert!((f64::from(state.algebraic()[0]) - exact).abs() <= f64::from(f32::EPSILON) * exact, "{pressure}");
        euler.step(&Valve, &mut state).unwrap();
        two.step(&Valve, &mut state).unwrap();
    }
    // A flow that is off by a hundredth is refused.
    let off = SemiExplicitState::given(&Valve, clock(), [1.0e5], [316.2278 * 1.01], f32::ROOT_EPSILON);
    assert!(matches!(off, Err(StartError::NotAssembled { .. })), "{off:?}");
}

/// y' = z − y on the path |y| = 1 + sin t + offset, 0 = scale (y² − path²).
struct Cart {
    scale: f32,
    offset: f32,
}

impl SemiExplicit<1, 1> for Cart {
    type Base = f32;
    const INDEX: usize = 2;

    fn rate<S: Real<Base = f32>>(&self, _t: S, y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        z - y
    }
    fn constraint<S: Real<Base = f32>>(&self, t: S, y: &Vector<S, 1>, _z: &Vector<S, 1>) -> Vector<S, 1> {
        let path = t.sin() + 1.0 + self.offset;
        vector![(y[0] * y[0] - path * path) * self.scale]
    }
}

#[test]
fn the_units_of_a_constraint_change_nothing() {
    let run = |power: i32| {
        let cart = Cart { scale: 2.0_f32.powi(power), offset: 0.0 };
        let state = SemiExplicitState::start(&cart, clock().at_time(0.3), [1.0], [1.0]).unwrap();
        let (mut implicit, mut explicit) = (state, state);
        for _ in 0..1_000 {
            ImplicitEuler::new().step(&cart, &mut implicit).unwrap();
            HalfExplicit::order_two().step(&cart, &mut explicit).unwrap();
        }

        // y off by a tenth, and y and z off by no more than √ε, 3.5e-4.
        let limit = f32::ROOT_EPSILON;
        let off = SemiExplicitState::given(&cart, clock(), [1.1], [2.1], limit);
        assert!(matches!(off, Err(StartError::NotAssembled { .. })), "2^{power}: {off:?}");
        let off = SemiExplicitState::given(&cart, clock(), [1.0], [2.1], limit);
        assert!(
            matches!(off, Err(StartError::Algebraic(residual)) if residual.level == Level::Velocity),
            "2^{power}: {off:?}"
        );
        assert!(SemiExplicitState::given(&cart, clock(), [1.0003], [2.0003], limit).is_ok(), "2^{power}");
        // The path jumps by a tenth.
        let jumped = Cart { offset: 0.1, ..cart };
        for error in [
            ImplicitEuler::new().step(&jumped, &mut implicit).unwrap_err(),
            HalfExplicit::order_two().step(&jumped, &mut explicit).unwrap_err(),
        ] {
            assert!(matches!(error, StepError::Inconsistent { .. }), "2^{power}: {error}");
        }
        [state, implicit, explicit].map(|state| (*state.differential(), *state.algebraic()))
    };
    // Powers of two go through every operation without a rounding: the same bits.
    let plain = run(0);
    for power in [-26, -13, 13, 26] {
        assert_eq!(run(power), plain, "2^{power}");
    }
}

/// y' = z, 0 = √(y²) − t.
struct Rooted;

impl SemiExplicit<1, 1> for Rooted {
    type Base = f64;
    const INDEX: usize = 2;

    fn rate<S: Real<Base = f64>>(&self, _t: S, _y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        *z
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 1>, _z: &Vector<S, 1>) -> Vector<S, 1> {
        vector![(y[0] * y[0]).sqrt() - t]
    }
}

#[test]
fn a_gradient_that_is_not_finite_is_not_a_wrong_index() {
    let refused = StartError::Constraints(FactorError::NonFinite { index: 0 });
    assert_eq!(SemiExplicitState::start(&Rooted, clock().at_time(1.0), [0.0], [0.0]), Err(refused));
    assert_eq!(SemiExplicitState::given(&Rooted, clock(), [0.0], [0.0], 0.1), Err(refused));
    assert!(SemiExplicitState::start(&Rooted, clock().at_time(1.0), [0.5], [0.0]).is_ok());
}

/// V.6, exercise 5, of Hairer: y' = (exp(z − 1) + 1)/2 ≥ 1/2 cannot go back to the path y = t.
struct Exercise5;

impl SemiExplicit<1, 1> for Exercise5 {
    type Base = f32;
    const INDEX: usize = 2;

    fn rate<S: Real<Base = f32>>(&self, _t: S, _y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        vector![((z[0] - 1.0).exp() + 1.0) * 0.5]
    }
    fn constraint<S: Real<Base = f32>>(&self, t: S, y: &Vector<S, 1>, _z: &Vector<S, 1>) -> Vector<S, 1> {
        vector![y[0] - t]
    }
}

#[test]
fn a_stage_reports_the_constraint_in_its_own_units() {
    // From 0.2 at t = 0 two iterations lead to z = −168, where y' = 1/2: at t = 0.1 y is 0.25, off by 0.15.
    let mut state = SemiExplicitState::given(&Exercise5, Clock::with_step(0.1).unwrap(), [0.2], [1.0], 1.0).unwrap();
    let error = HalfExplicit::order_one().step(&Exercise5, &mut state).unwrap_err();
    let StepError::NotConverged { tick: 0, residual } = error else { panic!("{error}") };
    assert_eq!((residual.level, residual.row), (Level::Position, 0));
    assert!((residual.residual - 0.15).abs() < 1e-6, "{error}");
    // g_y = 1, and 1 + |y|.
    assert!((residual.limit - 1.2 * f32::ROOT_EPSILON).abs() < 1e-9, "{error}");
}

/// y' = z, and z² = −1 − y²: nowhere.
struct Nowhere;

impl SemiExplicit<1, 1> for Nowhere {
    type Base = f64;
    const INDEX: usize = 1;

    fn rate<S: Real<Base = f64>>(&self, _t: S, _y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        *z
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        vector![z[0] * z[0] + y[0] * y[0] + 1.0]
    }
}

#[test]
fn a_start_that_finds_no_algebraic_variables_is_refused() {
    let error = SemiExplicitState::start(&Nowhere, clock(), [0.0], [0.4]).unwrap_err();
    let StartError::Algebraic(residual) = error else { panic!("{error}") };
    assert_eq!((residual.level, residual.row), (Level::Position, 0));
    assert!(residual.residual >= 1.0, "{error}");
    assert!(error.to_string().starts_with("no algebraic variables: position constraint 0 has residual "), "{error}");
    // `given` makes no iterations.
    let error = SemiExplicitState::given(&Nowhere, clock(), [0.0], [0.4], 0.1).unwrap_err();
    assert!(matches!(error, StartError::NotAssembled { iterations: 0, .. }), "{error}");
}
