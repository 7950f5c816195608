//! The double pendulum in Cartesian coordinates and in angles (Hairer, *Solving Differential Equations on Manifolds*, IV.5, exercise 8).

use mechanisms::DoublePendulum;
use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::method::{RungeKutta4, RungeKutta8, Step};
use taut::scalar::Real;
use taut::start::{Clock, Start};
use taut::system::{Mechanical, Varying};

/// Unit masses and lengths, both angles from the vertical. It has no constraint; the mass matrix varies.
struct Angles;

impl Mechanical<2, 0> for Angles {
    type Base = f64;
    type Mass = Varying;

    fn mass(&self) -> Varying {
        Varying
    }
    fn mass_matrix<S: Real<Base = f64>>(&self, q: &Vector<S, 2>) -> Matrix<S, 2, 2> {
        let cos = (q[0] - q[1]).cos();
        matrix![S::from(2.0), cos; cos, S::one()]
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>, v: &Vector<S, 2>) -> Vector<S, 2> {
        let sin = (q[0] - q[1]).sin();
        vector![-(sin * v[1] * v[1]) - q[0].sin() * 19.62, sin * v[0] * v[0] - q[1].sin() * 9.81]
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>) -> Vector<S, 0> {
        Vector::zeros()
    }
}

/// Angles and angular velocities after 0.5 s from the horizontal, at rest.
const END: [f64; 4] = [0.57047205123299, 1.20387511115824, -2.78964576616736, -3.18806274665123];

fn clock(steps: u32) -> Clock<f64> {
    Clock::with_step(0.5 / f64::from(steps)).unwrap()
}

#[test]
fn both_descriptions_are_one_motion() {
    let quarter = core::f64::consts::FRAC_PI_2;
    let mut angles = Start::at(&Angles, clock(200), [quarter, quarter]).at_rest().unwrap();
    let cartesian = DoublePendulum::<f64>::standard();
    let mut points = Start::at(&cartesian, clock(200), [1.0, 0.0, 2.0, 0.0]).at_rest().unwrap();
    for _ in 0..200 {
        let _ = RungeKutta8::new().step(&Angles, &mut angles).unwrap();
        let _ = RungeKutta8::new().step(&cartesian, &mut points).unwrap();
    }
    let [a, b, da, db] = END;
    // To the digits of the reference.
    assert!((angles.position() - vector![a, b]).norm() < 2e-13, "{}", angles.position());
    assert!((angles.velocity() - vector![da, db]).norm() < 2e-13, "{}", angles.velocity());
    let ((sa, ca), (sb, cb)) = (a.sin_cos(), b.sin_cos());
    let q = vector![sa, -ca, sa + sb, -ca - cb];
    let v = vector![ca * da, sa * da, ca * da + cb * db, sa * da + sb * db];
    assert!((points.position() - q).norm() < 5e-13, "{}", points.position() - q);
    assert!((points.velocity() - v).norm() < 5e-13, "{}", points.velocity() - v);
}

#[test]
fn in_cartesian_coordinates_a_projected_step_has_the_errors_of_the_reference() {
    // Positions and velocities, N = 25, 50, 100, 200: Runge–Kutta 4 projected at the end of the step.
    let table = [
        (25, 5.45051963e-7, 6.86845298e-6),
        (50, 3.20417167e-8, 4.35593634e-7),
        (100, 1.93760016e-9, 2.74027356e-8),
        (200, 1.19056143e-10, 1.71793681e-9),
    ];
    let cartesian = DoublePendulum::<f64>::standard();
    let [a, b, da, db] = END;
    let ((sa, ca), (sb, cb)) = (a.sin_cos(), b.sin_cos());
    for (steps, q, v) in table {
        let mut state = Start::at(&cartesian, clock(steps), [1.0, 0.0, 2.0, 0.0]).at_rest().unwrap();
        for _ in 0..steps {
            let _ = RungeKutta4::new().step(&cartesian, &mut state).unwrap();
        }
        let position = (state.position() - vector![sa, -ca, sa + sb, -ca - cb]).norm();
        let velocity = (state.velocity() - vector![ca * da, sa * da, ca * da + cb * db, sa * da + sb * db]).norm();
        // The reference projects along the gradients of the end. Ours are those of the last stage, which differ by O(h²), and so does the
        // direction of the correction: the fifth digit of the error changes. The end is known to 1e-14.
        assert!((position - q).abs() < 1e-4 * q + 5e-14, "{steps}: {position:e}, not {q:e}");
        assert!((velocity - v).abs() < 1e-4 * v + 5e-14, "{steps}: {velocity:e}, not {v:e}");
    }
}
