//! The general index-3 form: the errors of [`ImplicitEuler`].

use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::method::{ImplicitEuler, Step, StepError};
use taut::project::Level;
use taut::scalar::Real;
use taut::start::IndexThreeState;
use taut::system::IndexThree;

use crate::variants::seconds;

/// A cart on the path `place` + sin t, pushed by Λ; a second coordinate drifts with it and no constraint sees it.
#[derive(Clone, Copy, Debug)]
struct Cart {
    place: f64,
    friction: f64,
    /// The force on the second coordinate, and the current that carries it.
    push: f64,
    current: f64,
    /// How strongly Λ pushes.
    gain: f64,
}

const CART: Cart = Cart { place: 0.0, friction: 0.1, push: 0.0, current: 0.0, gain: 2.0 };

impl IndexThree<2, 2, 1> for Cart {
    type Base = f64;

    fn rate<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 2> {
        vector![q.x, q.y + self.current]
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, p: &Vector<S, 2>, q: &Vector<S, 2>) -> Vector<S, 2> {
        vector![q.x * -self.friction, p.x - q.y * q.y * q.y + self.push]
    }
    fn coupling<S: Real<Base = f64>>(&self, _t: S, _p: &Vector<S, 2>, _q: &Vector<S, 2>) -> Matrix<S, 2, 1> {
        matrix![S::from(self.gain); S::zero()]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, p: &Vector<S, 2>) -> Vector<S, 1> {
        vector![p.x - t.sin() - self.place]
    }
}

type CartState = IndexThreeState<f64, 2, 2, 1>;

const EULER: ImplicitEuler = ImplicitEuler::new();

/// Three steps of 1 ms on the way.
fn state() -> CartState {
    let mut state = IndexThreeState::start(&CART, seconds(1e-3), [0.0, 0.3], [1.0, 0.2]).unwrap();
    for _ in 0..3 {
        let _ = EULER.step(&CART, &mut state).unwrap();
    }
    state
}

/// The error of a step of 1 ms.
fn refused(cart: &Cart) -> StepError<f64> {
    refused_from(state(), cart)
}

/// The error of a step and of the correction, which must leave the state.
fn refused_from(before: CartState, cart: &Cart) -> StepError<f64> {
    let mut after = before;
    let error = EULER.step(cart, &mut after).unwrap_err();
    assert_eq!(after, before, "{error}");
    let same = EULER.make_consistent(cart, &mut after).unwrap_err();
    assert_eq!(after, before, "{error}");
    // By text, for NaN is not equal to itself.
    assert_eq!(error.to_string(), same.to_string());
    assert!(error.to_string().starts_with(&format!("tick {}: ", before.clock().tick())), "{error}");
    error
}

#[test]
fn inputs_that_are_not_finite_are_refused() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for cart in [Cart { friction: bad, ..CART }, Cart { push: bad, ..CART }] {
            let error = refused(&cart);
            assert!(matches!(error, StepError::NonFinite { level: Level::Velocity, .. }), "{cart:?}: {error}");
        }
        // A position that no constraint sees.
        let error = refused(&Cart { current: bad, ..CART });
        assert!(matches!(error, StepError::NonFinite { level: Level::Position, index: 1, .. }), "{bad}: {error}");
        // A constraint that is NaN, and one that no multiplier moves.
        let error = refused(&Cart { place: bad, ..CART });
        assert!(matches!(error, StepError::Inconsistent { .. }), "{bad}: {error}");
        let error = refused(&Cart { gain: bad, ..CART });
        assert!(matches!(error, StepError::Singular { .. }), "{bad}: {error}");
    }
    assert!(matches!(refused(&Cart { gain: 0.0, ..CART }), StepError::Singular { .. }));
    // The state is good for the next step.
    let _ = EULER.step(&CART, &mut state()).unwrap();
}

#[test]
fn a_state_of_a_changed_model_is_refused() {
    let error = refused(&Cart { place: 1e-3, ..CART });
    let StepError::Inconsistent { tick: 3, residual } = error else { panic!("{error}") };
    assert_eq!((residual.level, residual.row), (Level::Position, 0));
    assert!((residual.residual + 1e-3).abs() < 1e-12, "{error}");
    // A changed input is accepted.
    let _ = EULER.step(&Cart { push: 3.0, friction: 0.2, ..CART }, &mut state()).unwrap();
}

#[test]
fn equations_that_are_not_solved_are_refused() {
    // The constraint is linear and holds after the first iteration; the other coordinate still iterates.
    let start = IndexThreeState::start(&CART, seconds(1.0), [0.0, 0.3], [1.0, 0.2]).unwrap();
    let error = refused_from(start, &Cart { push: 1e9, ..CART });
    assert!(
        matches!(error, StepError::NotConverged { tick: 0, residual } if residual.level == Level::Equation && residual.row == 1),
        "{error}"
    );
    assert!(error.to_string().contains(": differential equation 1 has residual "), "{error}");
}
