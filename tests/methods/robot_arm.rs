//! The redundant robot arm of Hairer, *Solving Differential Equations on Manifolds*, I.2: a control problem of index 2.
//!
//! The hand follows a circle, the joints move as little as they can, by half-explicit methods.

use mechanisms::RobotArm;
use nalgebra::vector;
use taut::linalg::Vector;
use taut::method::{HalfExplicit, ImplicitEuler, Step, StepError};
use taut::scalar::{Float, Real};
use taut::start::{Clock, SemiExplicitState};
use taut::system::SemiExplicit;
use taut::trajectory::{Circle, Trajectory};

fn clock<T: Float>(h: f64) -> Clock<T> {
    Clock::with_step(T::from_f64(h)).unwrap()
}

/// 100 steps a turn of the period 2π.
const STEP: f64 = core::f64::consts::TAU / 100.0;

/// Where the arm of three segments begins, and the radius of its circle; likewise that of four.
const THREE: ([f64; 3], f64) = ([1.0, 0.2, -0.6], 0.5);
const FOUR: ([f64; 4], f64) = ([1.2, 0.5, -0.1, -0.8], 0.3);

type Arm<T, const N: usize> = RobotArm<Circle<T, 2>, N>;

fn arm<T: Float, const N: usize>(
    h: f64,
    (angles, r): ([f64; N], f64),
) -> (Arm<T, N>, SemiExplicitState<T, N, 2>, Vector<f64, 2>) {
    let centre = Arm::<f64, N>::hand(&Vector::from(angles)) - vector![r, 0.0];
    let path = Circle::around(centre.map(T::from_f64), T::from_f64(r), 1, 100, T::from_f64(STEP)).unwrap();
    let system = Arm { path };
    let state = SemiExplicitState::start(&system, clock(h), angles.map(T::from_f64), [T::zero(); 2]).unwrap();
    (system, state, centre)
}

#[test]
fn the_robot_arm_moves_as_the_reference_does() {
    // θ(1) for three and four segments, E.n3.theta.T1 and E.n4.theta.T1; the errors of N steps, E.n*.HEM1.err.T1, HEM4, IE-idx2.
    let end_three = vector![1.2293591607457095, 0.44583839071973985, -0.4975289770480754];
    let end_four = vector![1.2990772567362512, 0.6241077329665039, -0.0006891457093401874, -0.7757880098384748];
    macro_rules! check {
        ($method:ident, $start:expr, $end:expr, $steps:literal, $error:literal) => {
            let method = HalfExplicit::$method();
            check!(method, $start, $end, $steps, $error, step);
        };
        ($method:ident, $start:expr, $end:expr, $steps:literal, $error:literal, step) => {
            let (system, mut state, _) = arm::<f64, _>(1.0 / f64::from($steps), $start);
            for _ in 0..$steps {
                $method.step(&system, &mut state).unwrap();
            }
            let error = (state.differential() - $end).norm();
            assert!((error - $error).abs() <= 2e-3 * $error + 1e-13, "{error:e}, not {:e}", $error);
        };
    }
    check!(order_one, THREE, end_three, 100_u32, 7.69571034476999e-05);
    check!(order_one, THREE, end_three, 400_u32, 1.9301287220822586e-05);
    check!(order_four, THREE, end_three, 10_u32, 7.518225904073558e-09);
    check!(order_four, THREE, end_three, 20_u32, 4.732834538905266e-10);
    check!(order_four, THREE, end_three, 40_u32, 2.967701438794669e-11);
    check!(order_one, FOUR, end_four, 100_u32, 2.7993553158656952e-05);
    check!(order_four, FOUR, end_four, 10_u32, 1.5009563804439138e-10);
    check!(order_four, FOUR, end_four, 20_u32, 9.398149686693539e-12);
    let euler = ImplicitEuler::new();
    check!(euler, THREE, end_three, 100_u32, 7.761959507672785e-05, step);
    check!(euler, FOUR, end_four, 100_u32, 2.820521085983027e-05, step);
    // At t = 2, E.n3.theta.T2 and E.n4.theta.T2, and u(0), E.n3.u0 and E.n4.u0, which the start finds.
    macro_rules! at_two {
        ($start:expr, $end:expr, $first:expr) => {
            let (system, mut state, _) = arm::<f64, _>(1.0 / 320.0, $start);
            assert!((state.algebraic() - $first).amax() < 1e-13);
            let method = HalfExplicit::order_four();
            for _ in 0..640 {
                method.step(&system, &mut state).unwrap();
            }
            // Twice the error at t = 1 with 40 steps, over 8⁴.
            assert!((state.differential() - $end).amax() < 2e-13, "{}", state.differential());
        };
    }
    at_two!(
        THREE,
        vector![1.5411508466215802, 0.5924112427432613, -0.6786940957238212],
        vector![0.045194029843148464, 0.2628653014610176]
    );
    at_two!(
        FOUR,
        vector![1.4481407892144813, 0.7155724336732785, -0.004676229492366352, -0.8895623769470044],
        vector![0.012473027964375454, 0.1270516510740058]
    );
}

#[test]
fn after_a_turn_the_arm_has_another_posture() {
    // E.n3.posture.turn1 and E.n4.posture.turn1, with order 4 and 800 steps a turn.
    macro_rules! check {
        ($start:expr, $end:expr) => {
            let (system, mut state, _) = arm::<f64, _>(STEP / 8.0, $start);
            let method = HalfExplicit::order_four();
            for _ in 0..800 {
                method.step(&system, &mut state).unwrap();
            }
            assert!((state.differential() - $end).amax() < 1e-9, "{}", state.differential());
        };
    }
    check!(THREE, vector![1.077882703056665, 0.0777768173394732, -0.5042586221675784]);
    check!(FOUR, vector![1.2288384160030954, 0.4828241207776907, -0.11560687346322845, -0.7708672479363469]);
}

/// The largest distance of the hand from its path over 100 turns, against the path evaluated in f64 at the phase of the tick.
fn tracking<T: Float, const N: usize>(
    (angles, r): ([f64; N], f64),
    method: &dyn Step<Arm<T, N>, SemiExplicitState<T, N, 2>, Report = (), Error = StepError<T>>,
) -> f64 {
    let (system, mut state, centre) = arm::<T, N>(STEP, (angles, r));
    state.clock_mut().set_period(system.path.period());
    let mut worst = 0.0_f64;
    for _ in 0..10_000 {
        method.step(&system, &mut state).unwrap();
        let (sin, cos) = ((state.clock().tick() % 100) as f64 * STEP).sin_cos();
        let here = Arm::<f64, N>::hand(&state.differential().map(|angle| angle.to_f64()));
        worst = worst.max((here - centre - vector![r * cos, r * sin]).norm());
    }
    worst
}

fn check_tracking<T: Float>(limit: f64) {
    let (one, four, euler) = (HalfExplicit::order_one(), HalfExplicit::order_four(), ImplicitEuler::new());
    for (method, worst) in [
        ("order one", tracking::<T, 3>(THREE, &one)),
        ("order one", tracking::<T, 4>(FOUR, &one)),
        ("order four", tracking::<T, 3>(THREE, &four)),
        ("order four", tracking::<T, 4>(FOUR, &four)),
        ("implicit Euler", tracking::<T, 3>(THREE, &euler)),
        ("implicit Euler", tracking::<T, 4>(FOUR, &euler)),
    ] {
        assert!(worst <= limit, "{method}: {worst:e}");
    }
}

#[test]
fn the_robot_arm_stays_on_its_path_for_a_hundred_turns() {
    check_tracking::<f64>(1e-12);
    check_tracking::<f32>(2e-6);
}

#[test]
fn an_arm_that_drifts_into_a_singular_pose_fails_with_an_error() {
    // Four segments, r = 0.6, 100 steps a turn: near step 466.
    let (system, mut state, _) = arm::<f64, 4>(STEP, (FOUR.0, 0.6));
    let method = HalfExplicit::order_one();
    let mut outcome = Ok(());
    for _ in 0..1_000 {
        let before = state;
        outcome = method.step(&system, &mut state);
        if outcome.is_err() {
            assert_eq!(state, before);
            break;
        }
    }
    let error = outcome.unwrap_err();
    assert!((460..=472).contains(&state.clock().tick()), "{error}");
    assert!(matches!(error, StepError::NotConverged { .. } | StepError::Singular { .. }), "{error}");
}

/// The arm of three segments in other variables, (1.7)–(1.10): y = C x, z = B w, and the constraint A g.
struct Transformed(Arm<f64, 3>);

const A: [[f64; 2]; 2] = [[2.0, -0.5], [0.3, 1.0]];
const B: [[f64; 2]; 2] = [[0.7, 1.2], [-1.0, 0.4]];
const C: [[f64; 3]; 3] = [[1.0, 0.4, -0.3], [-0.5, 1.2, 0.8], [0.6, -0.2, 1.1]];

fn times<S: Real<Base = f64>, const N: usize>(m: [[f64; N]; N], x: &Vector<S, N>) -> Vector<S, N> {
    Vector::from(m.map(|row| row.iter().zip(x.iter()).fold(S::zero(), |sum, (m, x)| sum + *x * *m)))
}

/// C⁻¹.
fn inverse() -> [[f64; 3]; 3] {
    nalgebra::Matrix3::from_fn(|i, j| C[i][j]).try_inverse().unwrap().transpose().data.0
}

impl SemiExplicit<3, 2> for Transformed {
    type Base = f64;
    const INDEX: usize = 2;

    fn rate<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 3>, z: &Vector<S, 2>) -> Vector<S, 3> {
        times(inverse(), &self.0.rate(t, &times(C, y), &times(B, z)))
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 3>, z: &Vector<S, 2>) -> Vector<S, 2> {
        times(A, &self.0.constraint(t, &times(C, y), &times(B, z)))
    }
}

/// The same of index 1: the velocities from 0 = z − g(θ) sin t, the arm as it likes.
struct Told<System>(System);

impl<System: SemiExplicit<3, 2, Base = f64>> SemiExplicit<3, 2> for Told<System>
where
    Told<System>: Law,
{
    type Base = f64;
    const INDEX: usize = 1;

    fn rate<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 3>, z: &Vector<S, 2>) -> Vector<S, 3> {
        self.0.rate(t, y, z)
    }
    fn constraint<S: Real<Base = f64>>(&self, t: S, y: &Vector<S, 3>, z: &Vector<S, 2>) -> Vector<S, 2> {
        Self::law(t, y, z)
    }
}

/// The equation that determines z.
trait Law {
    fn law<S: Real<Base = f64>>(t: S, y: &Vector<S, 3>, z: &Vector<S, 2>) -> Vector<S, 2>;
}

impl Law for Told<Arm<f64, 3>> {
    fn law<S: Real<Base = f64>>(t: S, y: &Vector<S, 3>, z: &Vector<S, 2>) -> Vector<S, 2> {
        z - Arm::<f64, 3>::hand(y) * t.sin()
    }
}

impl Law for Told<Transformed> {
    fn law<S: Real<Base = f64>>(t: S, y: &Vector<S, 3>, z: &Vector<S, 2>) -> Vector<S, 2> {
        times(A, &Told::<Arm<f64, 3>>::law(t, &times(C, y), &times(B, z)))
    }
}

#[test]
fn half_explicit_methods_commute_with_linear_transformations() {
    macro_rules! check {
        ($method:ident, $plain:expr, $system:expr) => {
            let (plain, system, method) = ($plain, $system, HalfExplicit::$method());
            let mut state = SemiExplicitState::start(&plain, clock(STEP), THREE.0, [0.0; 2]).unwrap();
            // From the same point: what is nearest is not the same.
            let begin = times(inverse(), state.differential());
            let mut other = SemiExplicitState::start(&system, clock(STEP), begin, [0.0; 2]).unwrap();
            for step in 0..100 {
                method.step(&plain, &mut state).unwrap();
                method.step(&system, &mut other).unwrap();
                // A few roundings a step.
                let off = (state.differential() - times(C, other.differential())).norm();
                assert!(off < 1e-12, "{}, step {step}: {off:e}", stringify!($method));
                let off = (state.algebraic() - times(B, other.algebraic())).norm();
                assert!(off < 1e-12, "{}, step {step}: {off:e}", stringify!($method));
            }
        };
    }
    macro_rules! check_both {
        ($($method:ident)*) => {$(
            check!($method, arm::<f64, 3>(STEP, THREE).0, Transformed(arm(STEP, THREE).0));
            check!($method, Told(arm::<f64, 3>(STEP, THREE).0), Told(Transformed(arm(STEP, THREE).0)));
        )*};
    }
    check_both!(order_one order_two order_three order_four);
}
