//! A feedforward through the lag of a motor, and gains of least quadratic cost.

use mechanisms::{CartPole, LaggingMotor};
use nalgebra::{matrix, vector};
use taut::control::{ConstantHessenberg, GainTable, HessenbergState, LinearQuadratic, linearise};
use taut::linalg::{Matrix, Vector};
use taut::method::{RungeKutta4, Step};
use taut::project::MinimalCoordinates;
use taut::start::Clock;
use taut::trajectory::Nonic;

use super::super::factorisations::Entry;
use super::recorder::Recorder;

/// Two carts on a path of a second, again and again.
#[inline(never)]
pub fn lagging_motor<T: Entry>(recorder: &mut Recorder) {
    let path = Nonic::point_to_point([T::zero()], [T::one()], T::one()).expect("a path");
    let plant = ConstantHessenberg::new(LaggingMotor::standard(path)).expect("a constant matrix");
    let clock = Clock::with_step(T::from_f64(1e-3)).expect("a step size");
    loop {
        let mut state = HessenbergState::start(&plant, clock, [T::zero(); 6]).expect("a start");
        for _ in 0..1_000 {
            if !recorder.wants_more() {
                return;
            }
            RungeKutta4::new().step(&plant, &mut state).expect("a step that succeeds");
            recorder.record(state.unknowns(), state.states(), &state.inputs());
        }
    }
}

/// The gains of a pendulum on a cart, linearised around another tilt and velocity each time: four states.
#[inline(never)]
pub fn gains<T: Entry>(recorder: &mut Recorder) {
    let (model, number) = (CartPole::<T>::standard(), T::from_f64);
    for part in (0..64_u8).cycle() {
        if !recorder.wants_more() {
            return;
        }
        let tilt = number(f64::from(part) / 128.0);
        let here = MinimalCoordinates::<T, 3, 1, 2>::at(&model, T::zero(), &model.tilted(tilt)).expect("a posture");
        let (rates, force) = (vector![tilt, -tilt], vector![tilt]);
        let (dynamics, actuation) = linearise(&model, &here, T::zero(), &rates, &force).expect("a posture");
        let (state_weight, input_weight) = (Matrix::identity(), matrix![number(0.1)]);
        let problem = LinearQuadratic { dynamics, actuation, state_weight, input_weight };
        let table = GainTable::<T, 4, 1, 4>::solve(|_| Ok(problem), Matrix::zeros(), number(0.2), 20).expect("gains");
        let rows = |k: usize| table.gains.get(k).copied().unwrap_or_default().transpose();
        recorder.record(&rows(0), &rows(1), &Vector::from(table.cost.diagonal()));
    }
}
