//! Differential-algebraic systems that reach a singularity after some time, so that their runs start again and again: Problem 5.2 of
//! Arévalo, and (1.9) of Hairer and Wanner, *Solving Ordinary Differential Equations II*, VII.1.

use mechanisms::{Problem52, SteeringWheel};
use taut::linalg::Vector;
use taut::method::{Bdf2, HalfExplicit, ImplicitEuler, RadauIia, RungeKutta4, Step, StepError};
use taut::start::{Clock, ImplicitState, IndexThreeState, Plain, Precision, SemiExplicitState};

use super::super::factorisations::Entry;
use super::recorder::Recorder;

/// Runs for 0.25 s from each of sixteen start times within 0.25 s: the matrix is singular at t = 1.535. The velocities of a start are those
/// that implicit Euler needs; the other methods begin there, too.
fn problem_5_2<T: Entry, D: Precision>(
    recorder: &mut Recorder,
    method: &dyn Step<Problem52<T>, IndexThreeState<T, 3, 3, 2, D>, Report = Vector<T, 2>, Error = StepError<T>>,
    start: impl Fn(&Problem52<T>, Clock<T>, [T; 3], [T; 3]) -> IndexThreeState<T, 3, 3, 2, D>,
) {
    let system = Problem52::new();
    let clock = Clock::with_step(T::from_f64(1e-3)).expect("a step size");
    let euler = ImplicitEuler::new();
    for part in (0..16_u8).cycle() {
        let t = T::one() + T::from_f64(f64::from(part) / 64.0);
        let (p, q) = Problem52::exact(t);
        let mut state = start(&system, clock.at_time(t), p, q);
        euler.make_consistent(&system, &mut state).expect("a consistent start");
        for _ in 0..250 {
            if !recorder.wants_more() {
                return;
            }
            let multipliers = method.step(&system, &mut state).expect("a step that succeeds");
            recorder.record(state.position(), state.velocity(), &multipliers);
        }
    }
}

/// Problem 5.2 with a plain state.
#[inline(never)]
pub fn problem_5_2_plain<T: Entry>(recorder: &mut Recorder) {
    problem_5_2(recorder, &ImplicitEuler::new(), |system, clock: Clock<T>, p, q| {
        IndexThreeState::start(system, clock, p, q).expect("a start")
    });
}

/// Problem 5.2 with a plain state and Radau IIA.
#[inline(never)]
pub fn problem_5_2_radau<T: Entry>(recorder: &mut Recorder) {
    problem_5_2::<T, Plain>(recorder, &RadauIia::order_three(), |system, clock, p, q| {
        IndexThreeState::start(system, clock, p, q).expect("a start")
    });
}

/// Problem 5.2 with a precise state, which has twice as many digits.
#[inline(never)]
pub fn problem_5_2_precise<T: Entry>(recorder: &mut Recorder) {
    problem_5_2(recorder, &ImplicitEuler::new(), |system, clock: Clock<T>, p, q| {
        IndexThreeState::start_precise(system, clock, p, q).expect("a start")
    });
}

/// Runs for 1 s from each of sixteen angles around −0.5.
fn from_angles<T: Entry>(mut run: impl FnMut(&SteeringWheel<T>, SemiExplicitState<T, 2, 1>) -> bool) {
    let system = SteeringWheel::new();
    for part in (0..16_u8).cycle() {
        let (sin, cos) = T::from_f64(f64::from(part) / 64.0 - 0.6).sin_cos();
        let state = SemiExplicitState::start(&system, hundredth(), [cos, sin], [T::one()]).expect("a start");
        if !run(&system, state) {
            return;
        }
    }
}

fn wheel<T: Entry, R>(
    recorder: &mut Recorder,
    method: &dyn Step<SteeringWheel<T>, SemiExplicitState<T, 2, 1>, Report = R, Error = StepError<T>>,
) {
    from_angles(|system, mut state| {
        for _ in 0..100 {
            if !recorder.wants_more() {
                return false;
            }
            method.step(system, &mut state).expect("a step that succeeds");
            recorder.record(state.differential(), state.algebraic(), &Vector::<T, 0>::zeros());
        }
        true
    });
}

fn hundredth<T: Entry>() -> Clock<T> {
    Clock::with_step(T::from_f64(0.01)).expect("a step size")
}

/// Semi-explicit, with implicit Euler.
#[inline(never)]
pub fn wheel_implicit_euler<T: Entry>(recorder: &mut Recorder) {
    wheel::<T, _>(recorder, &ImplicitEuler::new());
}

/// Semi-explicit, with a half-explicit method of order 4.
#[inline(never)]
pub fn wheel_half_explicit<T: Entry>(recorder: &mut Recorder) {
    wheel::<T, _>(recorder, &HalfExplicit::order_four());
}

/// Semi-explicit, with Runge–Kutta of order 4, projected along f_z.
#[inline(never)]
pub fn wheel_runge_kutta<T: Entry>(recorder: &mut Recorder) {
    wheel::<T, _>(recorder, &RungeKutta4::new());
}

/// Semi-explicit, with Radau IIA.
#[inline(never)]
pub fn wheel_radau<T: Entry>(recorder: &mut Recorder) {
    wheel::<T, _>(recorder, &RadauIia::order_three());
}

/// Semi-explicit, with BDF2.
#[inline(never)]
pub fn wheel_bdf_2<T: Entry>(recorder: &mut Recorder) {
    from_angles::<T>(|system, start| {
        let bdf_2 = Bdf2::new();
        let mut nodes = bdf_2.begin_semi_explicit(system, start).expect("a first step");
        for _ in 1..100 {
            if !recorder.wants_more() {
                return false;
            }
            bdf_2.step(system, &mut nodes).expect("a step that succeeds");
            let state = nodes.state();
            recorder.record(state.differential(), state.algebraic(), &Vector::<T, 0>::zeros());
        }
        true
    });
}

/// As M u' = F(t, u), with implicit Euler.
#[inline(never)]
pub fn wheel_implicit<T: Entry>(recorder: &mut Recorder) {
    as_implicit::<T>(recorder, &ImplicitEuler::new());
}

/// As M u' = F(t, u), with Radau IIA.
#[inline(never)]
pub fn wheel_implicit_radau<T: Entry>(recorder: &mut Recorder) {
    as_implicit::<T>(recorder, &RadauIia::order_three());
}

fn as_implicit<T: Entry>(
    recorder: &mut Recorder,
    method: &dyn Step<SteeringWheel<T>, ImplicitState<T, 3>, Report = (), Error = StepError<T>>,
) {
    from_angles::<T>(|system, start| {
        let (y, z) = (start.differential(), start.algebraic());
        let mut state = ImplicitState::start(system, hundredth(), [y[0], y[1], z[0]]).expect("a start");
        for _ in 0..100 {
            if !recorder.wants_more() {
                return false;
            }
            method.step(system, &mut state).expect("a step that succeeds");
            recorder.record(state.variables(), &Vector::<T, 0>::zeros(), &Vector::<T, 0>::zeros());
        }
        true
    });
}
