//! Runge–Kutta of order 4 on (1.9) of Hairer and Wanner, *Solving Ordinary Differential Equations II*, VII.1, projected along f_z (VII.2, (2.8)).

use mechanisms::SteeringWheel;
use nalgebra::vector;
use taut::linalg::Vector;
use taut::method::{RadauIia, RungeKutta4, Step, StepError};
use taut::project::Level;
use taut::scalar::{Dual, Float, Real};
use taut::start::{Clock, SemiExplicitState};
use taut::system::SemiExplicit;

use crate::{assert_error, assert_slopes};

/// (y, z) at t = 1.
const END: [f64; 3] = [0.9963502546897789, -0.085359065011355, 1.2189970101422742];

fn start<T: Float, const INDEX: usize>(steps: usize) -> (SteeringWheel<T, INDEX>, SemiExplicitState<T, 2, 1>) {
    let clock = Clock::with_step(T::from_f64(1.0 / steps as f64)).unwrap();
    let (sin, cos) = T::from_f64(-0.5).sin_cos();
    let system = SteeringWheel::new();
    let state = SemiExplicitState::start(&system, clock, [cos, sin], [T::one()]).unwrap();
    (system, state)
}

fn errors<T: Float>(steps: usize) -> [f64; 2] {
    let (system, mut state) = start::<T, 2>(steps);
    for _ in 0..steps {
        RungeKutta4::new().step(&system, &mut state).unwrap();
        let residual = system.constraint(T::zero(), state.differential(), state.algebraic())[0];
        assert!(residual.to_f64().abs() <= 4.0 * T::EPSILON.to_f64(), "{residual:e}");
    }
    assert_eq!(state.clock().tick(), steps as u64);
    let y = state.differential().map(|y| y.to_f64()) - vector![END[0], END[1]];
    [y.norm(), (state.algebraic()[0].to_f64() - END[2]).abs()]
}

#[test]
fn errors_are_those_of_the_reference() {
    let [coarse, fine, finest] = [10, 20, 40].map(errors::<f64>);
    // The reference projects along f_z at the z̃ of the end. Ours is that of the last stage, which differs by O(h²), and so does the
    // direction of the correction of 5e-8: the fifth digit of the error changes.
    for (ours, reference) in [(coarse, [3.06054951e-7, 1.35057642e-7]), (fine, [1.94658036e-8, 8.58997873e-9])] {
        assert_error("y", ours[0], reference[0], 5);
        assert_error("z", ours[1], reference[1], 5);
    }
    assert_slopes("y", &[coarse[0], fine[0], finest[0]], 4.0, 0.05);
    assert_slopes("z", &[coarse[1], fine[1], finest[1]], 4.0, 0.05);
}

#[test]
fn single_precision_has_round_off_only() {
    // 20 steps; the method's own errors are 2e-8 and 9e-9.
    let [y, z] = errors::<f32>(20);
    assert!(y < 1e-6 && z < 1e-6, "{y:e} {z:e}");
}

/// Without the projection y drifts off: the negative control.
#[test]
fn without_projection_the_constraint_drifts() {
    let run = |steps: usize| {
        let (system, state) = start::<f64, 2>(steps);
        let (h, mut y, mut z) = (1.0 / steps as f64, *state.differential(), *state.algebraic());
        let mut rate = |y: Vector<f64, 2>| {
            for _ in 0..8 {
                let [variable] = Dual::variables([z[0]]);
                let hidden =
                    system.hidden_constraint(Dual::constant(0.0), &y.map(Dual::constant), &vector![variable])[0];
                z[0] -= hidden.value / hidden.partials[0];
            }
            system.rate(0.0, &y, &z)
        };
        for _ in 0..steps {
            let a = rate(y);
            let b = rate(y + a * (h / 2.0));
            let c = rate(y + b * (h / 2.0));
            let d = rate(y + c * h);
            y += (a + (b + c) * 2.0 + d) * (h / 6.0);
        }
        [(y - vector![END[0], END[1]]).norm(), y.norm_squared() - 1.0]
    };
    let table = [(10, 3.54684093e-7, -5.06e-8), (20, 2.27489685e-8, -3.25e-9), (40, 1.44260991e-9, -2.06e-10)];
    for (steps, error, drift) in table {
        let ours = run(steps);
        assert_error("y", ours[0], error, 8);
        assert_error("g", ours[1], drift, 3);
    }
}

#[test]
fn order_four_holds_with_index_one() {
    let end = |steps: usize| {
        let (system, mut state) = start::<f64, 1>(steps);
        for _ in 0..steps {
            RungeKutta4::new().step(&system, &mut state).unwrap();
        }
        vector![state.differential()[0], state.differential()[1], state.algebraic()[0]]
    };
    let exact = end(1280);
    assert_slopes("index 1", &[20, 40, 80].map(|steps| (end(steps) - exact).norm()), 4.0, 0.15);
}

/// A point driven along a circle whose radius r = 1 + sin(2t)/5 breathes: g fixes |y|, the flow its place on the circle.
struct Breathing;

impl SemiExplicit<2, 1> for Breathing {
    type Base = f64;
    const INDEX: usize = 2;

    fn rate<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 2>, z: &Vector<S, 1>) -> Vector<S, 2> {
        // Nonlinear in z, and f_z is not along g_y.
        let push = z[0] + z[0] * z[0] * 0.1;
        vector![y.y + y.x * push, t.cos() - y.x + y.y * (y.x * 0.3 + 1.0) * push]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 2>, _z: &Vector<S, 1>) -> Vector<S, 1> {
        let r = (t * 2.0).sin() * 0.2 + 1.0;
        vector![(y.dot(y) - r * r) * 0.5]
    }
}

#[test]
fn order_four_along_a_constraint_that_moves() {
    let end = |method: &dyn Fn(&mut SemiExplicitState<f64, 2, 1>), steps: usize| {
        let clock = Clock::with_step(1.0 / steps as f64).unwrap();
        let mut state = SemiExplicitState::start(&Breathing, clock, [0.6, 0.8], [0.0]).unwrap();
        for _ in 0..steps {
            method(&mut state);
        }
        (*state.differential(), state.algebraic()[0])
    };
    // Another method, of order 5.
    let fine = |state: &mut _| {
        let _ = RadauIia::order_five().step(&Breathing, state).unwrap();
    };
    let exact = end(&fine, 640);
    let ends = [10, 20, 40].map(|steps| end(&|state| RungeKutta4::new().step(&Breathing, state).unwrap(), steps));
    assert_slopes("y", &ends.map(|(y, _)| (y - exact.0).norm()), 4.0, 0.2);
    assert_slopes("z", &ends.map(|(_, z)| (z - exact.1).abs()), 4.0, 0.2);
}

/// y' = z, 0 = y − r sin t: a constraint that moves, and a target that may jump or break.
struct Cart {
    radius: f64,
    push: f64,
}

impl SemiExplicit<1, 1> for Cart {
    type Base = f64;
    const INDEX: usize = 2;

    fn rate<S: Real<Base = f64>>(&self, _t: S, y: &Vector<S, 1>, z: &Vector<S, 1>) -> Vector<S, 1> {
        vector![z[0] * self.push - y[0] * y[0]]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 1>, _z: &Vector<S, 1>) -> Vector<S, 1> {
        vector![y[0] - t.sin() * self.radius]
    }
}

#[test]
fn a_moving_constraint_is_followed_and_a_broken_one_refused() {
    let cart = Cart { radius: 1.0, push: 2.0 };
    let clock = Clock::with_step(0.01).unwrap();
    let mut state = SemiExplicitState::start(&cart, clock, [0.0], [0.0]).unwrap();
    for _ in 0..100 {
        RungeKutta4::new().step(&cart, &mut state).unwrap();
    }
    let (sin, cos) = 1.0_f64.sin_cos();
    assert!((state.differential()[0] - sin).abs() < 1e-15);
    assert!((state.algebraic()[0] - (cos + sin * sin) / 2.0).abs() < 1e-14);

    let before = state;
    let refused = |broken: Cart| {
        let mut state = before;
        let error = RungeKutta4::new().step(&broken, &mut state).unwrap_err();
        assert_eq!(state, before, "{error}");
        error
    };
    let jumped = refused(Cart { radius: 1.1, push: 2.0 });
    assert!(matches!(jumped, StepError::Inconsistent { tick: 100, residual } if residual.level == Level::Position));
    assert!(matches!(refused(Cart { radius: 1.0, push: 0.0 }), StepError::Singular { tick: 100, .. }));
    for bad in [f64::NAN, f64::INFINITY] {
        refused(Cart { radius: 1.0, push: bad });
        refused(Cart { radius: bad, push: 2.0 });
    }
}
