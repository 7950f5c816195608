//! Bodies that turn.

use mechanisms::{FreeBody, HeavyTop};
use nalgebra::vector;
use taut::attitude::{AngularRate, Attitude, BodyState, ImplicitMidpoint, Magnus2, Magnus4, MuntheKaas, Rotation};
use taut::linalg::Vector;
use taut::method::Step;
use taut::start::Clock;

use super::super::factorisations::Entry;
use super::recorder::Recorder;

fn clock<T: Entry>() -> Clock<T> {
    Clock::with_step(T::from_f64(0.01)).expect("a step size")
}

/// A free body, with the implicit midpoint rule.
#[inline(never)]
pub fn free_body<T: Entry>(recorder: &mut Recorder) {
    let body = FreeBody::<T>::standard();
    let rate = [0.4, 0.1, 1.2].map(T::from_f64);
    let mut state = BodyState::start(&body, clock(), Rotation::identity(), rate).expect("a start");
    while recorder.wants_more() {
        ImplicitMidpoint::new().step(&body, &mut state).expect("a step that succeeds");
        recorder.record(state.rotation().quaternion(), state.momentum(), &Vector::<T, 0>::zeros());
    }
}

/// A free body, with explicit methods of order 1 and 2. Its momentum is constant, so their energy stays bounded.
#[inline(never)]
pub fn free_body_explicit<T: Entry>(recorder: &mut Recorder) {
    let body = FreeBody::<T>::standard();
    let rate = [0.4, 0.1, 1.2].map(T::from_f64);
    let mut states = [BodyState::start(&body, clock(), Rotation::identity(), rate).expect("a start"); 2];
    while recorder.wants_more() {
        let [one, two] = &mut states;
        MuntheKaas::order_one().step(&body, one).expect("a step that succeeds");
        MuntheKaas::order_two().step(&body, two).expect("a step that succeeds");
        recorder.record(one.rotation().quaternion(), two.rotation().quaternion(), one.momentum());
    }
}

/// A heavy top, with a method of order 4.
#[inline(never)]
pub fn heavy_top<T: Entry>(recorder: &mut Recorder) {
    let top = HeavyTop::<T>::standard();
    let tilted = Rotation::exp(&vector![0.6, 0.0, 0.0].map(T::from_f64));
    let mut state = BodyState::start(&top, clock(), tilted, [0.1, 0.2, 6.0].map(T::from_f64)).expect("a start");
    while recorder.wants_more() {
        MuntheKaas::order_four().step(&top, &mut state).expect("a step that succeeds");
        recorder.record(state.rotation().quaternion(), state.momentum(), &Vector::<T, 0>::zeros());
    }
}

/// An axis that moves on a cone.
struct Coning<T>(core::marker::PhantomData<T>);

impl<T: Entry> AngularRate for Coning<T> {
    type Base = T;
    fn rate(&self, t: T) -> Vector<T, 3> {
        let (sin, cos) = (t * T::from_f64(3.0)).sin_cos();
        vector![cos, sin, T::from_f64(0.1)]
    }
}

/// A given angular velocity, with Magnus' method of order 4; every 2⁵ steps a turn beyond the range of the polynomials.
#[inline(never)]
pub fn coning_motion<T: Entry>(recorder: &mut Recorder) {
    let mut state = Attitude::start(clock(), Rotation::identity()).expect("a start");
    while recorder.wants_more() {
        Magnus4.step(&Coning(core::marker::PhantomData), &mut state).expect("a step that succeeds");
        if state.clock().tick().is_multiple_of(32) {
            state.turn(&vector![2.0, 1.0, -1.5].map(T::from_f64)).expect("less than half a turn");
        }
        recorder.record(state.rotation().quaternion(), &state.rotation().log(), &Vector::<T, 0>::zeros());
    }
}

/// The same angular velocity, with Magnus' method of order 2.
#[inline(never)]
pub fn coning_motion_order_2<T: Entry>(recorder: &mut Recorder) {
    let mut state = Attitude::start(clock::<T>(), Rotation::identity()).expect("a start");
    while recorder.wants_more() {
        Magnus2.step(&Coning(core::marker::PhantomData), &mut state).expect("a step that succeeds");
        recorder.record(state.rotation().quaternion(), &state.rotation().log(), &Vector::<T, 0>::zeros());
    }
}
