//! Differential-algebraic systems that lead to where they have no solution, and so begin again and again: Problem 5.2 of Arévalo,
//! and (1.9) of Hairer and Wanner, *Solving Ordinary Differential Equations II*, VII.1.

use core::marker::PhantomData;

use nalgebra::{matrix, vector};
use taut::linalg::{Matrix, Vector};
use taut::method::{HalfExplicit, ImplicitEulerDae, ImplicitEulerGeneral, StepError, StepSize};
use taut::scalar::Real;
use taut::start::{ImplicitState, IndexThreeState, Precision, SemiExplicitState};
use taut::system::{Implicit, IndexThree, SemiExplicit};

use super::super::factorisations::Entry;
use super::recorder::Recorder;

/// Of the general form of index 3, with λ₁ = −2 t².
struct Problem52<T>(PhantomData<T>);

impl<T: Entry> IndexThree<3, 3, 2> for Problem52<T> {
    type Base = T;

    fn rate<S: Real<Base = T>>(&self, _t: S, q: &Vector<S, 3>) -> Vector<S, 3> {
        vector![q.x * S::constant(2.0), q.y, q.z - T::one()]
    }
    fn force<S: Real<Base = T>>(&self, t: S, p: &Vector<S, 3>, _q: &Vector<S, 3>) -> Vector<S, 3> {
        let (square, four) = (t * t, S::constant(4.0));
        let sin = square.sin();
        vector![
            -p.y,
            p.x * S::constant(2.0) + p.y * sin - p.y * square * four,
            p.z * square * four + sin * S::constant(0.5)
        ]
    }
    fn coupling<S: Real<Base = T>>(&self, _t: S, p: &Vector<S, 3>, _q: &Vector<S, 3>) -> Matrix<S, 3, 2> {
        let (zero, two) = (S::zero(), S::constant(2.0));
        matrix![p.x, zero; zero, p.y * two; p.z * two, S::one()]
    }
    fn constraint<S: Real<Base = T>>(&self, _t: S, p: &Vector<S, 3>) -> Vector<S, 2> {
        vector![p.dot(p) - T::one(), p.z - S::constant(0.5)]
    }
}

/// Where Problem 5.2 is after so many 64ths of a second from t = 1: its time, position and velocity.
fn problem_5_2_at<T: Entry>(part: u8) -> (T, [T; 3], [T; 3]) {
    let t = T::one() + T::from_f64(f64::from(part) / 64.0);
    let (sin, cos) = (t * t).sin_cos();
    let half = T::from_f64(0.5);
    let root = T::from_f64(3.0).sqrt() * half;
    (t, [root * cos, root * sin, half], [-root * t * sin, root * t * cos * T::from_f64(2.0), T::one()])
}

/// A quarter of a second from each of sixteen starts in a quarter of a second: its matrix is singular at t = 1.535.
fn problem_5_2<T: Entry, D: Precision>(
    recorder: &mut Recorder,
    start: impl Fn(&Problem52<T>, T, [T; 3], [T; 3]) -> IndexThreeState<T, 3, 3, 2, D>,
) {
    let system = Problem52(PhantomData);
    let euler = ImplicitEulerGeneral::with_step(StepSize::seconds(T::from_f64(1e-3)).expect("a step size"));
    for part in (0..16).cycle() {
        let (t, p, q) = problem_5_2_at(part);
        let mut state = start(&system, t, p, q);
        euler.make_consistent(&system, &mut state).expect("a consistent start");
        for _ in 0..250 {
            if !recorder.wants_more() {
                return;
            }
            let multipliers = euler.step(&system, &mut state).expect("a step that succeeds");
            recorder.record(state.position(), state.velocity(), &multipliers);
        }
    }
}

/// Problem 5.2 with the digits of its scalar.
#[inline(never)]
pub fn problem_5_2_plain<T: Entry>(recorder: &mut Recorder) {
    problem_5_2(recorder, |system, t: T, p, q| IndexThreeState::start(system, t, p, q).expect("a start"));
}

/// Problem 5.2 with twice as many.
#[inline(never)]
pub fn problem_5_2_precise<T: Entry>(recorder: &mut Recorder) {
    problem_5_2(recorder, |system, t: T, p, q| IndexThreeState::start_precise(system, t, p, q).expect("a start"));
}

/// (1.9): a field that a steering wheel z keeps tangent to the circle. As M u' = F(t, u), u is (y, z).
struct SteeringWheel<T>(PhantomData<T>);

impl<T: Entry> SemiExplicit<2, 1> for SteeringWheel<T> {
    type Base = T;
    const INDEX: usize = 2;

    fn rate<S: Real<Base = T>>(&self, _t: S, y: &Vector<S, 2>, z: &Vector<S, 1>) -> Vector<S, 2> {
        let (sin, cos) = (z[0] * S::constant(2.5)).sin_cos();
        vector![y[1] * S::constant(0.7) + sin, y[0] * S::constant(1.4) + cos]
    }
    fn constraint<S: Real<Base = T>>(&self, _t: S, y: &Vector<S, 2>, _z: &Vector<S, 1>) -> Vector<S, 1> {
        vector![y.dot(y) - S::one()]
    }
}

impl<T: Entry> Implicit<3> for SteeringWheel<T> {
    type Base = T;

    fn mass(&self) -> Matrix<T, 3, 3> {
        Matrix::from_diagonal(&vector![T::one(), T::one(), T::zero()])
    }
    fn force<S: Real<Base = T>>(&self, t: S, u: &Vector<S, 3>) -> Vector<S, 3> {
        let (y, z) = (vector![u[0], u[1]], vector![u[2]]);
        let (f, g) = (self.rate(t, &y, &z), self.constraint(t, &y, &z));
        vector![f[0], f[1], g[0]]
    }
}

/// For a second from each of sixteen angles around −0.5.
fn from_angles<T: Entry>(mut run: impl FnMut(&SteeringWheel<T>, SemiExplicitState<T, 2, 1>) -> bool) {
    let system = SteeringWheel(PhantomData);
    for part in (0..16_u8).cycle() {
        let (sin, cos) = T::from_f64(f64::from(part) / 64.0 - 0.6).sin_cos();
        let state = SemiExplicitState::start(&system, T::zero(), [cos, sin], [T::one()]).expect("a start");
        if !run(&system, state) {
            return;
        }
    }
}

fn wheel<T: Entry>(
    recorder: &mut Recorder,
    step: impl Fn(&SteeringWheel<T>, &mut SemiExplicitState<T, 2, 1>) -> Result<(), StepError<T>>,
) {
    from_angles(|system, mut state| {
        for _ in 0..100 {
            if !recorder.wants_more() {
                return false;
            }
            step(system, &mut state).expect("a step that succeeds");
            recorder.record(state.differential(), state.algebraic(), &Vector::<T, 0>::zeros());
        }
        true
    });
}

fn hundredth<T: Entry>() -> StepSize<T> {
    StepSize::seconds(T::from_f64(0.01)).expect("a step size")
}

/// Semi-explicit, with implicit Euler.
#[inline(never)]
pub fn wheel_implicit_euler<T: Entry>(recorder: &mut Recorder) {
    let euler = ImplicitEulerDae::with_step(hundredth::<T>());
    wheel(recorder, |system, state| euler.step_semi_explicit(system, state));
}

/// Semi-explicit, with a half-explicit method of order 4.
#[inline(never)]
pub fn wheel_half_explicit<T: Entry>(recorder: &mut Recorder) {
    let method = HalfExplicit::order_four(hundredth::<T>());
    wheel(recorder, |system, state| method.step_semi_explicit(system, state));
}

/// As M u' = F(t, u).
#[inline(never)]
pub fn wheel_implicit<T: Entry>(recorder: &mut Recorder) {
    let euler = ImplicitEulerDae::with_step(hundredth::<T>());
    from_angles(|system, start| {
        let (y, z) = (start.differential(), start.algebraic());
        let mut state = ImplicitState::start(system, T::zero(), [y[0], y[1], z[0]]).expect("a start");
        for _ in 0..100 {
            if !recorder.wants_more() {
                return false;
            }
            euler.step_implicit(system, &mut state).expect("a step that succeeds");
            recorder.record(state.variables(), &Vector::<T, 0>::zeros(), &Vector::<T, 0>::zeros());
        }
        true
    });
}
