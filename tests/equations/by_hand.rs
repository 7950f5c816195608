//! The hand-written derivatives of the shared systems agree with the automatic ones.

use mechanisms::{ByHand, Chain, DoublePendulum, FiveBar, FourBar, HandWritten, Pendulum};
use nalgebra::vector;
use taut::linalg::{Matrix, Vector};
use taut::scalar::Real;
use taut::system::{Claim, Diagonal, Equations, Mechanical, Pattern, Varying, verify};

/// At a few generic points, to the round-off of numbers of order ten.
fn agrees<System, const N: usize, const M: usize>(system: System)
where
    System: HandWritten<N, M> + Mechanical<N, M, Base = f64>,
{
    let system = ByHand(system);
    for seed in 1..20 {
        let number = |i: usize| ((i * 37 + seed * 101) as f64 * 0.7).sin() * 3.0;
        let q = Vector::<f64, N>::from_fn(|i, _| number(i));
        let v = Vector::<f64, N>::from_fn(|i, _| number(i + N));
        verify(&system, 0.3, &q, &v, 1e-13).unwrap();
    }
}

#[test]
fn derivatives_by_hand_are_the_automatic_ones() {
    agrees(Pendulum::<f64>::standard());
    agrees(DoublePendulum::<f64>::standard());
    agrees(Chain::<f64, 8, 4>::standard());
    agrees(FourBar::<f64>::standard());
}

/// A pendulum that claims not to use its second coordinate.
struct Forgetful;

impl Mechanical<2, 1> for Forgetful {
    type Base = f64;
    type Mass = Diagonal<f64, 2>;

    const PATTERN: Pattern<2, 1> = Pattern::rows(["x."]);
    fn mass(&self) -> Diagonal<f64, 2> {
        Diagonal::new([1.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        Vector::zeros()
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        vector![(q.dot(q) - 1.0) * 0.5]
    }
}

#[test]
fn a_wrong_claim_about_a_coordinate_is_found() {
    let wrong = verify(&Forgetful, 0.0, &vector![0.6, 0.8], &vector![0.8, -0.6], 1e-13).unwrap_err();
    assert_eq!(wrong.claim, Claim::Jacobian { row: 0, column: 1 });
    assert_eq!((wrong.by_hand, wrong.automatic), (0.0, 0.8));
}

/// A linkage whose [`equations`](Mechanical::equations) forget the weight.
struct Weightless(FiveBar<f64>);

impl Mechanical<4, 2> for Weightless {
    type Base = f64;
    type Mass = Varying;

    fn mass(&self) -> Varying {
        Varying
    }
    fn mass_matrix<S: Real<Base = f64>>(&self, q: &Vector<S, 4>) -> Matrix<S, 4, 4> {
        self.0.mass_matrix(q)
    }
    fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 4>, v: &Vector<S, 4>) -> Vector<S, 4> {
        self.0.force(t, q, v)
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 4>) -> Vector<S, 2> {
        self.0.constraint(t, q)
    }
    fn equations<'a>(&'a self, t: f64, q: &'a Vector<f64, 4>) -> impl Equations<f64, 4, 2> {
        Falling(self.0.equations(t, q))
    }
}

struct Falling<Here>(Here);

impl<Here: Equations<f64, 4, 2>> Equations<f64, 4, 2> for Falling<Here> {
    fn mass_matrix(&self) -> Matrix<f64, 4, 4> {
        self.0.mass_matrix()
    }
    fn force(&self, v: &Vector<f64, 4>) -> Vector<f64, 4> {
        self.0.force(v) - self.0.force(&Vector::zeros())
    }
    fn jacobian(&self) -> Matrix<f64, 2, 4> {
        self.0.jacobian()
    }
    fn acceleration_terms(&self, v: &Vector<f64, 4>) -> Vector<f64, 2> {
        self.0.acceleration_terms(v)
    }
}

#[test]
fn equations_that_differ_from_the_functions_are_found() {
    let linkage = FiveBar::standard();
    let (q, v) = (linkage.elbows_out([0.03, 0.17].into()), vector![1.0, -2.0, 0.1, 0.2]);
    verify(&linkage, 0.0, &q, &v, 1e-13).unwrap();
    let wrong = verify(&Weightless(linkage), 0.0, &q, &v, 1e-13).unwrap_err();
    assert_eq!(wrong.claim, Claim::Force { row: 0 });
}
