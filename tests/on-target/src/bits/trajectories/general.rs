//! Systems of other forms: the general form of index 3, a control problem of index 2, and Problem 5.1 of Arévalo.

use mechanisms::{Problem51, RobotArm};
use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::method::{HalfExplicit, ImplicitEuler, Step};
use taut::scalar::Real;
use taut::start::{Clock, IndexThreeState, SemiExplicitState, Start};
use taut::system::IndexThree;
use taut::trajectory::{Circle, Trajectory};

use super::super::factorisations::Entry;
use super::recorder::Recorder;
use crate::digits::Digits;

/// A unit mass on a rod of 1 m that a motor pulls along its path: p = (sin φ, −cos φ) with φ = sin t, under 9.81 m/s².
///
/// The rod's force acts along the rod, the motor's across it; the second constraint has a derivative in time.
struct Driven<T>(core::marker::PhantomData<T>);

impl<T: Entry> IndexThree<2, 2, 2> for Driven<T> {
    type Base = T;

    fn rate<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 2> {
        *q
    }

    fn force<S: Real<Base = T>>(&self, _t: S, _p: &Vector<S, 2>, _q: &Vector<S, 2>) -> Vector<S, 2> {
        vector![S::zero(), S::from(T::from_f64(-9.81))]
    }

    fn coupling<S: Real<Base = T>>(&self, _t: S, p: &Vector<S, 2>, _q: &Vector<S, 2>) -> Matrix<S, 2, 2> {
        matrix![p.x, -p.y; p.y, p.x]
    }

    fn constraint<S: Real<Base = T>>(&self, t: S, p: &Vector<S, 2>) -> Vector<S, 2> {
        let (sin, cos) = t.sin().sin_cos();
        // The length, and the component across the prescribed direction of the rod.
        vector![(p.dot(p) - S::one()) * T::from_f64(0.5), p.x * cos + p.y * sin]
    }
}

/// The driven pendulum. The method makes the initial values consistent.
#[inline(never)]
pub fn driven_pendulum<T: Entry>(recorder: &mut Recorder) {
    let system = Driven(core::marker::PhantomData);
    let (zero, one) = (T::zero(), T::one());
    let clock = Clock::with_step(T::from_f64(1e-3)).expect("a step size");
    let mut state = IndexThreeState::start(&system, clock, [zero, -one], [one, zero]).expect("a start");
    let euler = ImplicitEuler::new();
    euler.make_consistent(&system, &mut state).expect("a consistent start");
    while recorder.wants_more() {
        let multipliers = euler.step(&system, &mut state).expect("a step that succeeds");
        recorder.record(state.position(), state.velocity(), &multipliers);
    }
}

/// The arm of three segments on a circle, with half-explicit Euler.
#[inline(never)]
pub fn robot_arm<T: Entry>(recorder: &mut Recorder) {
    let h = T::from_f64(core::f64::consts::TAU / 100.0);
    // The hand starts at (2.3457, 0.4755); the radius of the circle is 0.5.
    let [x, y, radius] = [1.845_704_498_619_06, 0.475_497_842_207_922_24, 0.5].map(T::from_f64);
    let path = Circle::around([x, y], radius, 1, 100, h).expect("a circle");
    let system = RobotArm::<_, 3> { path };
    let angles = [1.0, 0.2, -0.6].map(T::from_f64);
    let clock = Clock::with_step(h).expect("a step size");
    let mut state = SemiExplicitState::start(&system, clock, angles, [T::zero(); 2]).expect("a start");
    state.clock_mut().set_period(path.period());
    let method = HalfExplicit::order_one();
    while recorder.wants_more() {
        method.step(&system, &mut state).expect("a step that succeeds");
        recorder.record(state.differential(), state.algebraic(), &Vector::<T, 0>::zeros());
    }
}

/// Problem 5.1. The method makes the initial values consistent. The exact speed grows without bound, but the numerical damping of
/// implicit Euler limits it: v' = 2 − h v³/2 ends at 16.
#[inline(never)]
pub fn problem_5_1<T: Entry, P: Digits>(recorder: &mut Recorder) {
    let system = Problem51::<T>::new();
    let (sin, cos) = T::one().sin_cos();
    let two = T::from_f64(2.0);
    // With index 3, the velocities violate their constraint by h v²/2.
    let clock = Clock::with_step(T::from_f64(1e-3)).expect("a step size");
    let start = P::of(Start::at(&system, clock, [sin, cos]).limit(T::one()));
    let mut state = start.moving([two * cos, -two * sin]).expect("a start");
    let euler = ImplicitEuler::new();
    euler.make_consistent(&system, &mut state).expect("a consistent start");
    while recorder.wants_more() {
        let report = euler.step(&system, &mut state).expect("a step that succeeds");
        recorder.record(state.position(), state.velocity(), &report.multipliers);
    }
}
