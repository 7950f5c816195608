//! Bodies that turn, with any inertia, rate, torque and step.

use taut::attitude::{
    AngularRate, Attitude, Body, BodyState, ImplicitMidpoint, Magnus2, Magnus4, MuntheKaas, Rotation, coning,
};
use taut::linalg::{Matrix, Vector};
use taut::method::{Step, StepError};
use taut::scalar::{Float, Real};
use taut::start::{Clock, Precision};
use taut::system::Diagonal;

use crate::all_finite;
use crate::bytes::Bytes;

/// τ = a + b up + c Ω, up the direction of e₃ of space in the body frame.
struct Any<T> {
    inertia: [T; 3],
    torque: [T; 5],
}

impl<T: Float> Body for Any<T> {
    type Base = T;
    type Inertia = Diagonal<T, 3>;

    fn inertia(&self) -> Diagonal<T, 3> {
        Diagonal::new(self.inertia)
    }

    fn torque<S: Real<Base = T>>(&self, t: S, attitude: &Rotation<S>, rate: &Vector<S, 3>) -> Vector<S, 3> {
        let [a, x, y, b, c] = self.torque;
        let up = attitude.rotate_back(&Vector::from([S::zero(), S::zero(), S::one()]));
        let constant = Vector::from([t * a, S::from(x), S::from(y)]);
        constant + up.map(|up| up * b) + rate.map(|rate| rate * c)
    }
}

/// ω = a + b t.
struct Linear<T>([T; 3], [T; 3]);

impl<T: Float> AngularRate for Linear<T> {
    type Base = T;
    fn rate(&self, t: T) -> Vector<T, 3> {
        Vector::from(self.0) + Vector::from(self.1) * t
    }
}

/// The norm of a quaternion is kept to a few roundings: what a step adds beyond first order, (ε)², and the roundings of its product.
fn assert_unit<T: Float>(rotation: &Rotation<T>, what: &str) {
    let square: f64 = rotation.quaternion().iter().map(|x| x.to_f64().powi(2)).sum();
    assert!((square - 1.0).abs() < 16.0 * T::EPSILON.to_f64(), "{what}: {rotation:?}");
}

fn walk<T: Float, P: Precision>(
    method: &dyn Step<Any<T>, BodyState<T, P>, Report = (), Error = StepError<T>>,
    body: &Any<T>,
    mut state: BodyState<T, P>,
) -> u64 {
    for calls in 1..=8 {
        let before = state;
        match method.step(body, &mut state) {
            Ok(()) => {
                assert_unit(&state.rotation(), method.name());
                let finite = all_finite(state.momentum()) && state.clock().tick() == before.clock().tick() + 1;
                assert!(finite, "{}: {before:?} to {state:?}", method.name());
            }
            Err(error) => {
                assert_eq!(state, before, "{}: {error}", method.name());
                return calls;
            }
        }
    }
    8
}

pub fn turns<T: Float>(data: &[u8]) -> u64 {
    let mut bytes = Bytes(data);
    let body = Any { inertia: bytes.numbers([1.6, 1.0, 0.7]), torque: bytes.numbers([0.1, 0.0, -0.2, 0.5, -0.1]) };
    let (rate, quaternion) = (bytes.numbers::<T, 3>([1.0, 2.0, -3.0]), bytes.numbers::<T, 4>([1.0, 0.2, 0.0, -0.3]));
    let [h, t] = bytes.numbers::<T, 2>([1e-2, 0.0]);
    let _ = Rotation::from_matrix(&Matrix::<T, 3, 3>::from_column_slice(&bytes.numbers::<T, 9>([0.1; 9])));
    let Ok(clock) = Clock::with_step(h).map(|clock| clock.at_time(t)) else { return 2 };
    let Ok(rotation) = Rotation::from_quaternion(quaternion) else { return 3 };
    assert_unit(&rotation, "normalised");
    let mut calls = 4;
    if let Ok(start) = BodyState::start(&body, clock, rotation, rate) {
        calls += walk(&MuntheKaas::order_one(), &body, start)
            + walk(&MuntheKaas::order_two(), &body, start)
            + walk(&MuntheKaas::order_four(), &body, start)
            + walk(&ImplicitMidpoint::new(), &body, start)
            + walk(&MuntheKaas::order_four(), &body, start.plain())
            + walk(&ImplicitMidpoint::new(), &body, start.plain());
    }
    let Ok(start) = Attitude::start(clock, rotation) else { return calls };
    let given = Linear(rate, bytes.numbers([0.5, 0.0, 1.0]));
    let theta = coning(&(Vector::from(given.0) * h), &(Vector::from(given.1) * h));
    type Attempt<'a, T> = &'a dyn Fn(&mut Attitude<T>) -> Result<(), StepError<T>>;
    let attempts: [Attempt<T>; 3] =
        [&|state| Magnus2.step(&given, state), &|state| Magnus4.step(&given, state), &|state| state.turn(&theta)];
    for attempt in attempts {
        let mut state = start;
        match attempt(&mut state) {
            Ok(()) => assert_unit(&state.rotation(), "Magnus"),
            Err(error) => assert_eq!(state, start, "{error}"),
        }
        calls += 1;
    }
    calls
}
