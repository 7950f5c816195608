//! Exercises on the redundant robot arm (Hairer, *Solving Differential Equations on Manifolds*, I.4, exercises 3 to 5).

use mechanisms::RobotArm;
use nalgebra::{Matrix3, matrix, vector};
use taut::linalg::Vector;
use taut::method::{HalfExplicit, RungeKutta4, Step};
use taut::scalar::Real;
use taut::start::{Clock, SemiExplicitState, StartError};
use taut::system::SemiExplicit;
use taut::trajectory::{Circle, Trajectory};

type Arm<const N: usize> = RobotArm<Circle<f64, 2>, N>;

/// 400 steps a turn of radius r that begins where the hand is.
fn path<const N: usize>(angles: [f64; N], r: f64) -> Circle<f64, 2> {
    let centre = Arm::<N>::hand(&Vector::from(angles)) - vector![r, 0.0];
    Circle::around(centre, r, 1, 400, STEP).unwrap()
}

const STEP: f64 = core::f64::consts::TAU / 400.0;

fn clock() -> Clock<f64> {
    Clock::with_step(STEP).unwrap()
}

#[test]
fn a_straight_arm_is_singular() {
    // Exercise 3: g' has full rank if and only if two angles differ, modulo π.
    let start =
        |angles: [f64; 3]| SemiExplicitState::start(&Arm { path: path(angles, 0.1) }, clock(), angles, [0.0; 2]);
    let folded = 0.4 + core::f64::consts::PI;
    for straight in [[0.4; 3], [0.4, folded, 0.4], [folded, folded, 0.4]] {
        let error = start(straight).unwrap_err();
        assert!(matches!(error, StartError::Constraints(_)), "{straight:?}: {error}");
    }
    for bent in [[0.4, 0.4, 0.5], [0.4, folded, 0.5], [0.4, 0.41, 0.4]] {
        assert!(start(bent).is_ok(), "{bent:?}");
    }
}

#[test]
fn equal_angles_stay_equal() {
    // Exercise 4. The same operations on the same numbers: to the bit.
    let angles = [1.0, 0.3, 1.0, -0.6];
    let system = Arm { path: path(angles, 0.3) };
    let start = SemiExplicitState::start(&system, clock(), angles, [0.0; 2]).unwrap();
    let (mut half_explicit, mut runge_kutta) = (start, start);
    for _ in 0..400 {
        HalfExplicit::order_four().step(&system, &mut half_explicit).unwrap();
        RungeKutta4::new().step(&system, &mut runge_kutta).unwrap();
        for y in [half_explicit.differential(), runge_kutta.differential()] {
            assert_eq!(y[0], y[2]);
            assert!((y[0] - y[1]).abs() > 1e-2);
        }
    }
}

/// Exercise 5: θ₁'² + (θ₂' − θ₁')² + (θ₃' − θ₂')² is as small as possible: θ' = (Dᵀ D)⁻¹ g'ᵀ u with the differences D θ'.
struct Joints(Circle<f64, 2>);

const DIFFERENCES: Matrix3<f64> = matrix![1.0, 0.0, 0.0; -1.0, 1.0, 0.0; 0.0, -1.0, 1.0];

impl SemiExplicit<3, 2> for Joints {
    type Base = f64;
    const INDEX: usize = 2;

    fn rate<S: Real<Base = f64>>(&self, _t: S, y: &Vector<S, 3>, z: &Vector<S, 2>) -> Vector<S, 3> {
        let push = y.map(|angle| angle.cos() * z[1] - angle.sin() * z[0]);
        // (Dᵀ D)⁻¹: entry (i, j) is min(i, j), counted from one.
        let mut rate = Vector::zeros();
        for i in 0..3 {
            for j in 0..3 {
                rate[i] += push[j] * (i.min(j) + 1) as f64;
            }
        }
        rate
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 3>, _z: &Vector<S, 2>) -> Vector<S, 2> {
        Arm::<3>::hand(y) - self.0.at(t)
    }
}

#[test]
fn the_joints_of_an_arm_move_as_little_as_they_can() {
    let inverse = (DIFFERENCES.transpose() * DIFFERENCES).try_inverse().unwrap();
    assert!((inverse - Matrix3::from_fn(|i, j| (i.min(j) + 1) as f64)).norm() < 1e-14);

    let angles = [1.0, 0.2, -0.6];
    let path = path(angles, 0.5);
    let system = Joints(path);
    let mut state = SemiExplicitState::start(&system, clock(), angles, [0.0; 2]).unwrap();
    // The same with the least angular velocities, (2.3), for comparison.
    let other = Arm { path };
    for _ in 0..400 {
        RungeKutta4::new().step(&system, &mut state).unwrap();
        let (t, y) = (state.clock().time(), state.differential());
        let rate = system.rate(t, y, state.algebraic());
        let along = |row: fn(f64) -> f64| y.map(row);
        let (first, second) = (along(|angle| -angle.sin()), along(f64::cos));
        // The hand has the velocity of the path ...
        let hand = vector![first.dot(&rate), second.dot(&rate)];
        let [at, later] = [t - 1e-5, t + 1e-5].map(|t| path.at(t));
        assert!((hand - (later - at) / 2e-5).norm() < 1e-9, "{hand}");
        // ... and the joint rates D θ' are orthogonal to those of every motion that the hand does not see.
        let unseen = first.cross(&second);
        assert!((DIFFERENCES * rate).dot(&(DIFFERENCES * unseen)).abs() < 1e-12, "{rate}");
        // That of (2.3) at the same place moves its joints more.
        let here = SemiExplicitState::start(&other, clock().at_time(t), *y, [0.0; 2]).unwrap();
        let least = other.rate(t, here.differential(), here.algebraic());
        assert!((DIFFERENCES * rate).norm() <= (DIFFERENCES * least).norm() + 1e-12);
        assert!(least.norm() <= rate.norm() + 1e-12);
    }
    // The path is held.
    assert!((Arm::<3>::hand(state.differential()) - path.at(state.clock().time())).norm() < 1e-13);
}
