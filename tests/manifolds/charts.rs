//! A free rigid body's angular momentum on the sphere, in local coordinates and with projections (Hairer, *Solving Differential Equations on
//! Manifolds*, III.1, III.2; I = (1.6, 1, 2/3), y₀ = (cos 0.9, 0, sin 0.9), t = 5).

use mechanisms::RigidBody;
use nalgebra::vector;
use proptest::prelude::*;
use taut::linalg::Vector;
use taut::method::{Chart, RungeKutta4, Step, StepError};
use taut::project::{Invariant, OnManifold, onto_invariant};
use taut::scalar::{Float, Real};
use taut::start::{Clock, ManifoldState, Part, StartError};

use crate::{assert_error, assert_slopes};

/// On a sphere of this radius. Where y₁ is above the limit, the rate is broken.
struct Sphere<T> {
    radius: T,
    broken_above: T,
}

impl<T: Float> Sphere<T> {
    fn unit() -> Self {
        Self { radius: T::one(), broken_above: T::INFINITY }
    }
}

impl<T: Float> Invariant<3, 1> for Sphere<T> {
    type Base = T;
    fn residual<S: Real<Base = T>>(&self, y: &Vector<S, 3>) -> Vector<S, 1> {
        vector![(y.dot(y) - self.radius * self.radius) * T::from_f64(0.5)]
    }
}

impl<T: Float> OnManifold<3, 1> for Sphere<T> {
    fn rate(&self, _t: T, y: &Vector<T, 3>) -> Vector<T, 3> {
        if y[0] > self.broken_above { Vector::repeat(T::NAN) } else { RigidBody::rate(y) }
    }
}

type Method<T> = dyn Step<Sphere<T>, ManifoldState<T, 3, 1>, Report = (), Error = StepError<T>>;

fn start<T: Float>(h: f64) -> ManifoldState<T, 3, 1> {
    let clock = Clock::with_step(T::from_f64(h)).unwrap();
    ManifoldState::start(&Sphere::unit(), clock, RigidBody::momentum::<T>()).unwrap()
}

fn error<T: Float>(method: &Method<T>, steps: usize) -> f64 {
    let mut state = start(5.0 / steps as f64);
    for _ in 0..steps {
        method.step(&Sphere::unit(), &mut state).unwrap();
        let off = Sphere::<T>::unit().residual(state.point())[0].to_f64();
        assert!(off.abs() <= 2.0 * T::EPSILON.to_f64(), "{}: {off:e}", method.name());
    }
    let exact = vector![-0.33825866755200207, -0.6899022005610296, 0.6400125213517256];
    (state.point().map(|y| y.to_f64()) - exact).norm()
}

#[test]
fn errors_are_those_of_the_reference() {
    let check = |method: &Method<f64>, reference: &[f64]| {
        let errors = [20, 40, 80].map(|steps| error(method, steps));
        for (ours, reference) in errors.iter().zip(reference) {
            assert_error(method.name(), *ours, *reference, 7);
        }
        assert_slopes(method.name(), &errors, 4.0, 0.1);
    };
    check(&Chart::Tangent, &[3.829048e-6, 2.425744e-7]);
    check(&Chart::Stereographic, &[2.784024e-6, 1.833703e-7, 1.175709e-8]);
    check(&RungeKutta4::new(), &[2.512469e-6, 1.652645e-7, 1.058125e-8]);
    check(&Chart::Projected, &[3.552125e-6, 2.283654e-7, 1.446474e-8]);
}

#[test]
fn single_precision_has_round_off_on_top() {
    let methods: [(&Method<f32>, f64); 4] = [
        (&Chart::Tangent, 2.4e-7),
        (&Chart::Stereographic, 1.8e-7),
        (&RungeKutta4::new(), 1.7e-7),
        (&Chart::Projected, 2.3e-7),
    ];
    for (method, reference) in methods {
        // Forty steps that round the point by at most ε each.
        let error = error(method, 40);
        assert!(error < reference + 40.0 * f64::from(f32::EPSILON), "{}: {error:e}", method.name());
    }
}

#[test]
fn what_is_broken_is_refused() {
    let methods: [&Method<f64>; 4] = [&Chart::Tangent, &Chart::Stereographic, &RungeKutta4::new(), &Chart::Projected];
    let before = start::<f64>(0.1);
    let refused = |method: &Method<f64>, sphere: Sphere<f64>, h: f64| {
        let mut state = start(h);
        let Err(error) = method.step(&sphere, &mut state) else { panic!("{} makes a step of {h}", method.name()) };
        assert_eq!(state, start(h), "{}: {error}", method.name());
        error
    };
    for method in methods {
        let error = refused(method, Sphere { radius: 1.0, broken_above: 0.0 }, 0.1);
        assert!(matches!(error, StepError::NonFinite { tick: 0, .. }), "{}: {error}", method.name());
        // A step that is much too large. Every point of the plane is on the sphere: the stereographic chart cannot notice it.
        if method.name() != "runge_kutta_4_stereographic_chart" {
            refused(method, Sphere::unit(), 1e6);
        }
    }
    // The stereographic chart is that of the unit sphere.
    let error = refused(&Chart::Stereographic, Sphere { radius: 1.1, broken_above: 9.0 }, 0.1);
    assert!(matches!(error, StepError::NotConverged { tick: 0, .. }), "{error}");
    // Starts: the centre has no nearest point.
    let start = |y: [f64; 3]| ManifoldState::start(&Sphere::unit(), *before.clock(), y);
    assert!(matches!(start([0.0; 3]), Err(StartError::Constraints(_))));
    assert!(matches!(
        start([1e4, 0.0, 0.0]),
        Err(StartError::NotAssembled { iterations: 32, .. } | StartError::NonFinite { .. })
    ));
    assert_eq!(start([0.0, f64::NAN, 0.0]), Err(StartError::NonFinite { part: Part::Variable, index: 1 }));
    assert!((start([0.3, 0.4, 1.2]).unwrap().point() - vector![3.0, 4.0, 12.0] / 13.0).norm() < 1e-15);
}

/// Exercise II.5.1: a torus as a level set; its parametrisation is on it.
struct Torus {
    distance: f64,
    radius: f64,
}

impl Invariant<3, 1> for Torus {
    type Base = f64;
    fn residual<S: Real<Base = f64>>(&self, x: &Vector<S, 3>) -> Vector<S, 1> {
        let Self { distance, radius } = *self;
        let sum = x.dot(x) + (distance * distance - radius * radius);
        vector![sum * sum - (x[0] * x[0] + x[1] * x[1]) * (4.0 * distance * distance)]
    }
}

proptest! {
    #[test]
    fn a_torus_holds_its_parametrisation(u in -3.2..3.2_f64, v in -3.2..3.2_f64, off in prop::array::uniform3(-0.02..0.02_f64)) {
        let torus = Torus { distance: 1.0, radius: 0.4 };
        let ring = 1.0 + 0.4 * v.cos();
        let x = vector![ring * u.cos(), ring * u.sin(), 0.4 * v.sin()];
        prop_assert!(torus.residual(&x)[0].abs() < 1e-14);
        let found = onto_invariant(&torus, &(x + Vector::from(off)), 24).unwrap();
        prop_assert!(torus.residual(&found)[0].abs() < 1e-8 && (found - x).norm() < 0.1);
    }
}
