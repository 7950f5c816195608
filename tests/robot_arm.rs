//! The redundant robot arm of Hairer, *Solving Differential Equations on Manifolds*, I.2: a control problem of index 2.
//!
//! The hand follows a circle, the joints move as little as they can, by half-explicit methods.

use nalgebra::vector;
use systems::RobotArm;
use taut::linalg::Vector;
use taut::method::{HalfExplicit, StepError, StepSize};
use taut::scalar::{Float, Real};
use taut::start::SemiExplicitState;
use taut::system::SemiExplicit;
use taut::trajectory::{Circle, Trajectory};

fn size<T: Float>(h: f64) -> StepSize<T> {
    StepSize::seconds(T::from_f64(h)).unwrap()
}

/// The arm on a circle.
type Arm<T, const N: usize> = RobotArm<Circle<T, 2>, N>;

fn hand<const N: usize>(angles: &Vector<f64, N>) -> Vector<f64, 2> {
    Arm::<f64, N>::hand(angles)
}

/// 100 steps a turn of the period 2π.
const STEP: f64 = core::f64::consts::TAU / 100.0;

fn arm<T: Float, const N: usize>(angles: [f64; N], r: f64) -> (Arm<T, N>, SemiExplicitState<T, N, 2>, Vector<f64, 2>) {
    let centre = hand(&Vector::from(angles)) - vector![r, 0.0];
    let path = Circle::around(centre.map(T::from_f64), T::from_f64(r), 1, 100, T::from_f64(STEP)).unwrap();
    let system = Arm { path };
    let state = SemiExplicitState::start(&system, T::zero(), angles.map(T::from_f64), [T::zero(); 2]).unwrap();
    (system, state, centre)
}

#[test]
fn the_robot_arm_moves_as_the_reference_does() {
    // θ(1) for three and four segments; E.n3.HEM1.err.T1, E.n3.HEM4.err.T1, E.n4.HEM1.err.T1, E.n4.HEM4.err.T1.
    let (three, r_three) = ([1.0, 0.2, -0.6], 0.5);
    let (four, r_four) = ([1.2, 0.5, -0.1, -0.8], 0.3);
    let end_three = vector![1.22935916074571, 0.44583839071974, -0.497528977048075];
    let end_four = vector![1.29907725673625, 0.624107732966504, -0.000689145709340, -0.775788009838475];
    macro_rules! check {
        ($method:ident, $angles:expr, $r:expr, $end:expr, $steps:literal, $error:literal) => {
            let (system, mut state, _) = arm::<f64, _>($angles, $r);
            let method = HalfExplicit::$method(size(1.0 / f64::from($steps)));
            for _ in 0..$steps {
                method.step_semi_explicit(&system, &mut state).unwrap();
            }
            let error = (state.differential() - $end).norm();
            assert!((error - $error).abs() <= 2e-3 * $error + 1e-13, "{error:e}, not {:e}", $error);
        };
    }
    check!(order_one, three, r_three, end_three, 100_u32, 7.69571034476999e-05);
    check!(order_one, three, r_three, end_three, 400_u32, 1.9301287220822586e-05);
    check!(order_four, three, r_three, end_three, 10_u32, 7.518225904073558e-09);
    check!(order_four, three, r_three, end_three, 20_u32, 4.732834538905266e-10);
    check!(order_one, four, r_four, end_four, 100_u32, 2.7993553158656952e-05);
    check!(order_four, four, r_four, end_four, 10_u32, 1.5009563804439138e-10);
}

/// The largest distance of the hand from its path over 100 turns, against the path evaluated in f64 at the phase of the tick.
fn tracking<T: Float, const N: usize>(angles: [f64; N], r: f64) -> f64 {
    let (system, mut state, centre) = arm::<T, N>(angles, r);
    state.set_period(system.path.period());
    let method = HalfExplicit::order_one(size::<T>(STEP));
    let mut worst = 0.0_f64;
    for _ in 0..10_000 {
        method.step_semi_explicit(&system, &mut state).unwrap();
        let (sin, cos) = ((state.tick() % 100) as f64 * STEP).sin_cos();
        let here = hand(&state.differential().map(|angle| angle.to_f64()));
        worst = worst.max((here - centre - vector![r * cos, r * sin]).norm());
    }
    worst
}

#[test]
fn the_robot_arm_stays_on_its_path_for_a_hundred_turns() {
    for worst in [tracking::<f64, 3>([1.0, 0.2, -0.6], 0.5), tracking::<f64, 4>([1.2, 0.5, -0.1, -0.8], 0.3)] {
        assert!(worst <= 1e-12, "{worst:e}");
    }
    for worst in [tracking::<f32, 3>([1.0, 0.2, -0.6], 0.5), tracking::<f32, 4>([1.2, 0.5, -0.1, -0.8], 0.3)] {
        assert!(worst <= 2e-6, "{worst:e}");
    }
}

#[test]
fn an_arm_that_drifts_into_a_singular_pose_fails_with_an_error() {
    // Four segments, r = 0.6, 100 steps a turn: near step 466.
    let (system, mut state, _) = arm::<f64, 4>([1.2, 0.5, -0.1, -0.8], 0.6);
    let method = HalfExplicit::order_one(size(STEP));
    let mut outcome = Ok(());
    for _ in 0..1_000 {
        let before = state;
        outcome = method.step_semi_explicit(&system, &mut state);
        if outcome.is_err() {
            assert_eq!(state, before);
            break;
        }
    }
    let error = outcome.unwrap_err();
    assert!((460..=472).contains(&state.tick()), "{error}");
    assert!(matches!(error, StepError::NotConverged { .. } | StepError::Singular { .. }), "{error}");
}

/// The arm of three segments with its constraint and its velocities in other coordinates: A g, z = B w.
struct Transformed(Arm<f64, 3>);

const A: [[f64; 2]; 2] = [[2.0, -0.5], [0.3, 1.0]];
const B: [[f64; 2]; 2] = [[0.7, 1.2], [-1.0, 0.4]];

fn times<S: Real<Base = f64>>(m: [[f64; 2]; 2], x: &Vector<S, 2>) -> Vector<S, 2> {
    vector![x[0] * m[0][0] + x[1] * m[0][1], x[0] * m[1][0] + x[1] * m[1][1]]
}

impl SemiExplicit<3, 2> for Transformed {
    type Base = f64;
    const INDEX: usize = 2;

    fn rate<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 3>, z: &Vector<S, 2>) -> Vector<S, 3> {
        self.0.rate(t, y, &times(B, z))
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 3>, z: &Vector<S, 2>) -> Vector<S, 2> {
        times(A, &self.0.constraint(t, y, z))
    }
}

#[test]
fn a_linear_transformation_goes_through_the_half_explicit_methods() {
    let (plain, mut state, _) = arm::<f64, 3>([1.0, 0.2, -0.6], 0.5);
    let (system, ..) = arm([1.0, 0.2, -0.6], 0.5);
    let system = Transformed(system);
    let mut other = SemiExplicitState::start(&system, 0.0, [1.0, 0.2, -0.6], [0.0; 2]).unwrap();
    let method = HalfExplicit::order_three(size(STEP));
    for step in 0..100 {
        method.step_semi_explicit(&plain, &mut state).unwrap();
        method.step_semi_explicit(&system, &mut other).unwrap();
        // A few roundings a step.
        assert!((state.differential() - other.differential()).norm() < 1e-13, "step {step}");
        assert!((state.algebraic() - times(B, other.algebraic())).norm() < 1e-12, "step {step}");
    }
}
