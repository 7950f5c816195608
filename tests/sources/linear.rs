//! A linear system of index 1 whose matrices are both full (Hairer, *Solving Differential Equations on Manifolds*, IV.5, exercise 1):
//! [1, 2; 2, 4] u' + [1, 0; 1, 1] u = (t², 3t).

use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::method::{ImplicitEuler, RadauIia, Step, StepError};
use taut::scalar::Real;
use taut::start::{Clock, ImplicitState, StartError};
use taut::system::Implicit;

use crate::assert_slopes;

struct Linear;

impl Implicit<2> for Linear {
    type Base = f64;

    fn mass(&self) -> Matrix<f64, 2, 2> {
        matrix![1.0, 2.0; 2.0, 4.0]
    }
    fn force<S: Real<Base = f64>>(&self, t: S, u: &Vector<S, 2>) -> Vector<S, 2> {
        vector![t * t - u[0], t * 3.0 - u[0] - u[1]]
    }
}

/// u₁ = C e^(−t/3) + t² + 2t − 12, u₂ = C e^(−t/3) − t² + 5t − 12.
fn exact(constant: f64, t: f64) -> Vector<f64, 2> {
    let decaying = constant * (-t / 3.0).exp();
    vector![decaying + t * t + 2.0 * t - 12.0, decaying - t * t + 5.0 * t - 12.0]
}

fn clock(steps: u32) -> Clock<f64> {
    Clock::with_step(1.0 / f64::from(steps)).unwrap()
}

#[test]
fn there_is_a_solution_only_from_equal_initial_values() {
    // From (−10, −10) it is that of C = 2.
    let state = ImplicitState::given(&Linear, clock(10), [-10.0, -10.0]).unwrap();
    assert_eq!(state.rank(), 1);
    let error = ImplicitState::given(&Linear, clock(10), [-10.0, -9.0]).unwrap_err();
    assert!(matches!(error, StartError::NotAssembled { iterations: 0, .. }), "{error}");
    // A start finds the nearest values, which are equal.
    let state = ImplicitState::start(&Linear, clock(10), [-10.5, -9.5]).unwrap();
    assert!((state.variables()[0] - state.variables()[1]).abs() < 1e-14, "{}", state.variables());

    type Any = dyn Step<Linear, ImplicitState<f64, 2>, Report = (), Error = StepError<f64>>;
    let methods: [(&Any, f64); 3] =
        [(&ImplicitEuler::new(), 1.0), (&RadauIia::order_three(), 3.0), (&RadauIia::order_five(), 5.0)];
    for (method, order) in methods {
        let errors = [4, 8, 16].map(|steps| {
            let mut state = ImplicitState::given(&Linear, clock(steps), exact(2.0, 0.0)).unwrap();
            for _ in 0..steps {
                method.step(&Linear, &mut state).unwrap();
            }
            (state.variables() - exact(2.0, 1.0)).norm()
        });
        // The fifth order has reached 1e-10 there, far above round-off.
        assert_slopes(method.name(), &errors, order, 0.15);
    }
}
