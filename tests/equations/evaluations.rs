//! Each configuration is evaluated once: sines, M, f, G and the acceleration terms of one configuration come from one call of
//! `equations`, in every method that steps a mechanical system.

use std::cell::RefCell;

use nalgebra::vector;
use taut::linalg::{Matrix, Vector};
use taut::method::{AnyMethod, ImplicitEuler, every_method};
use taut::scalar::Real;
use taut::start::{Clock, Start};
use taut::system::{Equations, Mechanical, Uniform};

/// A pendulum of 1 m that notes where its equations are evaluated.
#[derive(Default)]
struct Noted {
    configurations: RefCell<Vec<[u64; 2]>>,
}

impl Noted {
    fn note(&self, q: &Vector<f64, 2>) {
        self.configurations.borrow_mut().push([q[0].to_bits(), q[1].to_bits()]);
    }

    /// The configurations since the last call, and how many of them differ.
    fn take(&self) -> (usize, usize) {
        let mut all = self.configurations.take();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        (count, all.len())
    }
}

struct Here<'a> {
    q: &'a Vector<f64, 2>,
}

impl Equations<f64, 2, 1> for Here<'_> {
    fn mass_matrix(&self) -> Matrix<f64, 2, 2> {
        Matrix::identity()
    }
    fn force(&self, v: &Vector<f64, 2>) -> Vector<f64, 2> {
        vector![-0.1 * v[0], -9.81 - 0.1 * v[1]]
    }
    fn jacobian(&self) -> Matrix<f64, 1, 2> {
        self.q.transpose()
    }
    fn acceleration_terms(&self, v: &Vector<f64, 2>) -> Vector<f64, 1> {
        vector![v.dot(v)]
    }
}

impl Mechanical<2, 1> for Noted {
    type Base = f64;
    type Mass = Uniform<f64>;

    const TIME_DEPENDENT: bool = false;

    fn mass(&self) -> Uniform<f64> {
        Uniform::new(1.0).unwrap()
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![v[0] * -0.1, v[1] * -0.1 - 9.81]
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![(q.dot(q) - 1.0) * 0.5]
    }
    fn jacobian(&self, _t: f64, q: &Vector<f64, 2>) -> Matrix<f64, 1, 2> {
        self.note(q);
        q.transpose()
    }
    fn equations<'a>(&'a self, _t: f64, q: &'a Vector<f64, 2>) -> impl Equations<f64, 2, 1> {
        self.note(q);
        Here { q }
    }
}

#[test]
fn a_step_evaluates_each_configuration_once() {
    let pendulum = Noted::default();
    let start = Start::at(&pendulum, Clock::at_rate(100.0).unwrap(), [1.0, 0.0]).at_rest().unwrap();
    let check = |method: &AnyMethod<Noted, f64, 2, 1>| {
        let mut state = start;
        method.step(&pendulum, &mut state).unwrap();
        pendulum.take();
        method.step(&pendulum, &mut state).unwrap();
        let (count, distinct) = pendulum.take();
        assert!(distinct > 0 && count == distinct, "{}: {count} evaluations of {distinct}", method.name());
    };
    // The last iterates of a Newton iteration that has converged are the same to the last bit.
    let iterates = |name: &str| name.starts_with("implicit") || name.starts_with("radau");
    every_method(|method| {
        if !iterates(method.name()) {
            check(method);
        }
    });
    check(&ImplicitEuler::new().projecting_velocities().iterations::<2>());
}
