//! Minimal coordinates (Hairer & Wanner VII.2, (2.22); Hairer, *Solving Differential Equations on Manifolds*, III.2): their basis is tangent, their
//! equations are those of the constrained system, and the lifted positions are on the constraints.

use mechanisms::{Crane, Delta, DoublePendulum, FiveBar, FourBar, Pendulum, Ring};
use nalgebra::{matrix, vector};
use proptest::prelude::*;
use taut::linalg::{Ldlt, Semidefinite, SymmetricFactors, Vector, magnitude};
use taut::project::{Geometry, MinimalCoordinates, ProjectError};
use taut::scalar::Real;
use taut::start::{Clock, Start};
use taut::system::{Diagonal, Inertia, Mechanical};

/// What holds at every pose: J is tangent, J_I = 1, and ν' is that of the acceleration level.
fn check<System, F, const N: usize, const M: usize, const K: usize>(system: &System, q: &Vector<f64, N>, nu: [f64; K])
where
    System: Mechanical<N, M, Base = f64>,
    F: SymmetricFactors<f64, M>,
{
    let (t, nu) = (0.0, Vector::from(nu));
    let minimal = MinimalCoordinates::<f64, N, M, K, F>::at(system, t, q).unwrap();
    let jacobian = system.jacobian(t, q);
    let (size, ulp) = (magnitude(q) + 1.0, f64::EPSILON);
    assert!((jacobian * minimal.basis()).amax() < 100.0 * ulp * size, "{}", jacobian * minimal.basis());
    for k in 0..K {
        let column = Vector::<f64, N>::from(minimal.basis().data.0[k]);
        assert_eq!(minimal.of(&column), Vector::<f64, K>::from_fn(|i, _| if i == k { 1.0 } else { 0.0 }));
    }
    let v = minimal.velocity(system, &nu);
    assert!(minimal.of(&v) == nu || (minimal.of(&v) - nu).amax() < ulp, "independent velocities are kept");
    assert!(system.velocity_residual(&jacobian, t, q, &v).amax() < 100.0 * ulp * size * (1.0 + v.amax()));

    // a = M⁻¹ (f − Gᵀ λ) of the acceleration level, (2.5).
    let inertia = system.inertia(q).unwrap();
    let geometry = Geometry::<f64, N, M, F>::at(system, &inertia, t, q).unwrap();
    let free = inertia.acceleration(&system.force(t, q, &v));
    let residual = jacobian * free + system.acceleration_terms(t, q, &v);
    let a = free - geometry.correction.directions * geometry.correction.multipliers::<System>(&residual);
    let reduced = minimal.acceleration(system, &nu).unwrap();
    let off = (reduced - minimal.of(&a)).amax();
    assert!(off < 1e-10 * (1.0 + a.amax()), "off by {off:e} of {}", a.amax());
}

#[test]
fn minimal_coordinates_have_the_accelerations_of_the_constrained_system() {
    check::<_, Ldlt<f64, 1>, 2, 1, 1>(&Pendulum::standard(), &vector![0.6, -0.8], [2.0]);
    check::<_, Ldlt<f64, 2>, 4, 2, 2>(&DoublePendulum::standard(), &vector![0.6, -0.8, 1.4, -0.2], [1.0, -3.0]);
    let start = Start::at(&FourBar::standard(), Clock::at_rate(1e3).unwrap(), FourBar::guess()).at_rest().unwrap();
    check::<_, Ldlt<f64, 8>, 9, 8, 1>(&FourBar::standard(), start.position(), [4.0]);
    let crane = Crane::standard();
    check::<_, Ldlt<f64, 1>, 4, 1, 3>(&crane, &vector![3.0, -4.0, 0.0, 5.0], [0.3, 0.2, -0.1]);
    // With a mass that varies.
    let five_bar = FiveBar::standard();
    check::<_, Ldlt<f64, 2>, 4, 2, 2>(&five_bar, &five_bar.elbows_out([0.03, 0.17].into()), [0.1, 0.2]);
    let delta = Delta::standard();
    check::<_, Ldlt<f64, 3>, 6, 3, 3>(&delta, &delta.elbows_out([0.03, 0.0, -0.22].into()), [0.1, 0.2, -0.1]);
}

/// 18 constraints of rank 17 (Hairer, Example I.3.2): one degree of freedom.
#[test]
fn redundant_constraints_count_by_their_rank() {
    let (ring, q) = (Ring::fixed(), Vector::from(Ring::position()));
    check::<_, Semidefinite<f64, 18>, 18, 18, 1>(&ring, &q, [0.3]);
    let minimal = MinimalCoordinates::<f64, 18, 18, 1, Semidefinite<f64, 18>>::at(&ring, 0.0, &q).unwrap();
    // The basis is the tangent of the curve of configurations, up to its length.
    let basis = Vector::<f64, 18>::from(minimal.basis().data.0[0]);
    let tangent = Vector::from(Ring::tangent());
    assert!((basis.normalize().dot(&tangent).abs() - 1.0).abs() < 1e-14);

    let wrong = MinimalCoordinates::<f64, 18, 18, 2, Semidefinite<f64, 18>>::at(&ring, 0.0, &q).unwrap_err();
    assert_eq!(wrong, ProjectError::DegreesOfFreedom { given: 2, found: 1 });
}

/// With angles φ from below, M = [2, 1; 1, 1], K = g diag(2, 1): ω² = g (2 ± √2).
#[test]
fn the_hanging_double_pendulum_has_its_two_frequencies() {
    let double = DoublePendulum::<f64>::standard();
    let hanging = MinimalCoordinates::<f64, 4, 2, 2>::at(&double, 0.0, &vector![0.0, -1.0, 0.0, -2.0]).unwrap();
    assert_eq!(hanging.independent(), [0, 2]);
    assert!((hanging.mass(&double).unwrap() - matrix![1.0, 0.0; 0.0, 1.0]).amax() < 1e-15);
    let d = 1e-5;
    let acceleration = |eta| hanging.moved(&double, &eta).unwrap().acceleration(&double, &vector![0.0, 0.0]).unwrap();
    let column = |e: Vector<f64, 2>| (acceleration(e * d) - acceleration(e * -d)) / (2.0 * d);
    let stiffness =
        nalgebra::SMatrix::<f64, 2, 2>::from_columns(&[column(vector![1.0, 0.0]), column(vector![0.0, 1.0])]);
    // The remainder of a central difference: d² times a third derivative of size g.
    assert!(
        (stiffness.trace() + 4.0 * 9.81).abs() < 1e-7 && (stiffness.determinant() - 2.0 * 9.81 * 9.81).abs() < 1e-6
    );
}

/// A bob on a circle around a centre that moves along x with 3 t², in a mass matrix with coupling.
struct Moving;

impl Mechanical<2, 1> for Moving {
    type Base = f64;
    type Mass = Diagonal<f64, 2>;

    fn mass(&self) -> Diagonal<f64, 2> {
        Diagonal::new([2.0, 1.0])
    }
    fn force<S: Real<Base = f64>>(&self, t: S, _q: &Vector<S, 2>, v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![v.y * -0.3 + t, v.x * 0.3 - v.y]
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 2>) -> Vector<S, 1> {
        let x = q.x - t * t * 3.0;
        vector![(x * x + q.y * q.y - 1.0) * 0.5]
    }
}

#[test]
fn velocities_follow_a_constraint_that_moves() {
    let (t, q) = (0.5, vector![0.75 + 0.6, 0.8]);
    let minimal = MinimalCoordinates::<f64, 2, 1, 1>::at(&Moving, t, &q).unwrap();
    // (0.6, 0.8) · (v − (6 t, 0)) = 0. y is lighter and depends: η is x.
    let v = minimal.velocity(&Moving, &vector![1.0]);
    assert!((v - vector![1.0, 1.5]).amax() < 1e-15, "{v}");
    // (0.6, 0.8) · (v' − (6, 0)) + |v − (3, 0)|² = 0, and the force along (0.8, −0.6): v' = (M⁻¹ (f − Gᵀ λ)).
    let f = vector![v.y * -0.3 + t, v.x * 0.3 - v.y];
    let gamma = -6.0 * 0.6 + (v.x - 3.0) * (v.x - 3.0) + v.y * v.y;
    let multiplier = (0.6 * f.x / 2.0 + 0.8 * f.y + gamma) / (0.36 / 2.0 + 0.64);
    let reduced = minimal.acceleration(&Moving, &vector![1.0]).unwrap();
    assert!((reduced[0] - (f.x - 0.6 * multiplier) / 2.0).abs() < 1e-14);
}

#[test]
fn poses_without_a_choice_are_refused() {
    let double = DoublePendulum::<f64>::standard();
    // The upper rod has no length here.
    let error = MinimalCoordinates::<f64, 4, 2, 2>::at(&double, 0.0, &vector![0.0, 0.0, 1.0, 0.0]).unwrap_err();
    assert!(matches!(error, ProjectError::Constraints(_)), "{error}");
    let error = MinimalCoordinates::<f64, 4, 2, 2>::at(&double, 0.0, &vector![1.0, f64::NAN, 1.0, 0.0]).unwrap_err();
    assert!(matches!(error, ProjectError::NonFinite { index: 1, .. }), "{error}");
    // x = 2 is out of the reach of the pendulum, and y = 0 has no neighbour along y.
    let pendulum = Pendulum::<f64>::standard();
    let minimal = MinimalCoordinates::<f64, 2, 1, 1>::at(&pendulum, 0.0, &vector![0.6, -0.8]).unwrap();
    assert_eq!(minimal.independent(), [0]);
    for eta in [2.0, 1.0, f64::NAN, f64::INFINITY] {
        assert!(minimal.moved(&pendulum, &vector![eta]).is_err(), "{eta}");
    }
}

proptest! {
    /// The independent coordinates are kept to the bit, the others reach the constraints to round-off; in both scalars.
    #[test]
    fn lifted_positions_are_on_the_constraints(angle in -3.2..3.2, other in -3.2..3.2, d in -0.02..0.02, e in -0.02..0.02) {
        fn lift<T: taut::scalar::Float>([angle, other, d, e]: [f64; 4], tolerance: f64) {
            let double = DoublePendulum::<T>::standard();
            let (s, c) = T::from_f64(angle).sin_cos();
            let (s2, c2) = T::from_f64(other).sin_cos();
            let q = vector![s, c, s + s2, c + c2];
            let minimal = MinimalCoordinates::<T, 4, 2, 2>::at(&double, T::from_f64(0.0), &q).unwrap();
            let eta = minimal.of(&q) + vector![T::from_f64(d), T::from_f64(e)];
            // Near the end of the range of η there may be no such pose.
            let Ok(moved) = minimal.moved(&double, &eta) else { return };
            assert_eq!(moved.of(moved.position()), eta);
            let g = double.constraint(T::from_f64(0.0), moved.position());
            assert!(magnitude(&g).to_f64() < tolerance, "{g}");
        }
        lift::<f64>([angle, other, d, e], 1e-14);
        // Two iterations of Newton's method; the limit is √ε.
        lift::<f32>([angle, other, d, e], 3.5e-4);
    }
}
