//! A mass matrix that depends on the configuration: every method that allows it keeps its order, multipliers included.
//!
//! The double pendulum in mixed coordinates (x, y, θ), the first bob by its place and the second by the angle of its rod. The
//! reference is the same mechanism with the places of both bobs, whose mass is constant, by a method of order 6.

use crate::variants::{Any, Claim, Exact, assert_order, bits, errors, every_variant_for_any_mass, seconds};
use mechanisms::{ByHand, DoublePendulum};
use nalgebra::{matrix, vector};
use taut::linalg::{FactorError, Matrix, Vector};
use taut::method::{Composition, Step, StepError};
use taut::scalar::Real;
use taut::start::{Start, State};
use taut::system::{Mechanical, Varying};

/// θ from below; unit masses and lengths, gravity 9.81.
///
/// T = x'² + y'² + θ' (x' cos θ + y' sin θ) + θ'²/2, V = 9.81 (2 y − cos θ).
struct Mixed;

impl Mechanical<3, 1> for Mixed {
    type Base = f64;
    type Mass = Varying;

    fn mass(&self) -> Varying {
        Varying
    }
    fn mass_matrix<S: Real<Base = f64>>(&self, q: &Vector<S, 3>) -> Matrix<S, 3, 3> {
        let (sin, cos) = q.z.sin_cos();
        let (zero, two) = (S::zero(), S::from(2.0));
        matrix![two, zero, cos; zero, two, sin; cos, sin, S::one()]
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 3>, v: &Vector<S, 3>) -> Vector<S, 3> {
        let (sin, cos) = q.z.sin_cos();
        let square = v.z * v.z;
        // Centrifugal force of the second bob, and the weights.
        vector![sin * square, -(cos * square) - 19.62, sin * -9.81]
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 3>) -> Vector<S, 1> {
        vector![(q.x * q.x + q.y * q.y - 1.0) * 0.5]
    }
}

const END: f64 = 0.5;

/// Both rods horizontal, the second bob outside.
fn start() -> State<f64, 3, 1> {
    // The levels below that of the positions drift.
    Start::at(&Mixed, seconds(END), [1.0, 0.0, std::f64::consts::FRAC_PI_2]).limit(0.1).at_rest().unwrap()
}

/// From the places of both bobs.
fn exact() -> Exact<3, 1> {
    let double = ByHand(DoublePendulum::<f64>::standard());
    let fine = Composition::kahan_li();
    let mut state = Start::at(&double, seconds(END / 6400.0), [1.0, 0.0, 2.0, 0.0]).at_rest().unwrap();
    for _ in 0..6400 {
        let _ = fine.step(&double, &mut state).unwrap();
    }
    let (q, v) = (*state.position(), *state.velocity());
    let rod = [q[2] - q[0], q[3] - q[1]];
    let rate = rod[0] * (v[3] - v[1]) - rod[1] * (v[2] - v[0]);
    // The force of the first rod acts on (x, y) alone in both descriptions: its multiplier is the same.
    let multipliers = state.multipliers(&double).unwrap()[0];
    Exact {
        q: vector![q[0], q[1], rod[0].atan2(-rod[1])],
        v: vector![v[0], v[1], rate],
        multipliers: vector![multipliers],
    }
}

#[test]
fn every_method_keeps_its_order() {
    let (exact, start) = (exact(), start());
    every_variant_for_any_mass(&mut |method: &Any<Mixed, f64, 3, 1>| {
        let name = method.name();
        let errors = Claim::of(name).divisions().map(|count| errors(method, &Mixed, &start, (END, count), &exact));
        assert_order(name, 0.25, errors);
        assert!(errors[2][0] < 1e-2, "{name}: {errors:?}");
    });
}

/// A mass of x kilograms at x: zero at the origin and negative beyond. `y` is fixed.
struct Vanishing;

impl Mechanical<2, 1> for Vanishing {
    type Base = f64;
    type Mass = Varying;

    fn mass(&self) -> Varying {
        Varying
    }
    fn mass_matrix<S: Real<Base = f64>>(&self, q: &Vector<S, 2>) -> Matrix<S, 2, 2> {
        matrix![q.x, S::zero(); S::zero(), S::one()]
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        Vector::zeros()
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![q.y]
    }
}

#[test]
fn a_mass_that_is_not_positive_definite_on_the_way_is_refused() {
    // From x = 1 with −1 m/s: nothing acts, so that each step is exact, and the fourth of 0.3 s ends at −0.2.
    let start = Start::at(&Vanishing, seconds(0.3).at_tick(5), [1.0, 0.0]).moving([-1.0, 0.0]).unwrap();
    every_variant_for_any_mass(&mut |method: &Any<Vanishing, f64, 2, 1>| {
        let (name, mut state) = (method.name(), start);
        for _ in 0..3 {
            let _ = method.step(&Vanishing, &mut state).unwrap();
        }
        assert!((state.position() - vector![0.1, 0.0]).amax() < 1e-12, "{name}: {}", state.position());
        let before = bits(&state);
        let error = method.step(&Vanishing, &mut state).unwrap_err();
        assert!(
            matches!(error, StepError::Mass { tick: 8, cause: FactorError::SmallPivot { index: 0, .. } }),
            "{name}: {error}"
        );
        assert_eq!(bits(&state), before, "{name} changed the state");
        assert!(error.to_string().starts_with("tick 8: mass matrix: pivot "), "{error}");
        // A shorter step ends before and succeeds.
        state.clock_mut().set_step(0.05).unwrap();
        let _ = method.step(&Vanishing, &mut state).unwrap();
    });
}
