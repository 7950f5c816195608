//! What is refused, by name, with the state as it was.

use core::cell::Cell;

use mechanisms::FreeBody;
use nalgebra::{Vector3, vector};
use proptest::prelude::*;
use taut::attitude::{
    AngularRate, Attitude, Body, BodyState, ImplicitMidpoint, Magnus2, Magnus4, MuntheKaas, Rotation,
};
use taut::linalg::{FactorError, Vector};
use taut::method::{Step, StepError};
use taut::project::Level;
use taut::scalar::{Float, Real};
use taut::start::{Clock, Part, StartError};
use taut::system::Diagonal;

use crate::{Any, clock};

/// A constant rate.
struct Constant(Vector3<f32>);

impl AngularRate for Constant {
    type Base = f32;
    fn rate(&self, _t: f32) -> Vector<f32, 3> {
        self.0
    }
}

#[test]
fn rates_that_are_too_fast_or_not_finite_are_refused() {
    let start = Attitude::start(clock::<f32>(0.1).at_tick(7), Rotation::exp(&vector![0.1, 0.2, 0.3])).unwrap();
    let methods: [&dyn Step<Constant, Attitude<f32>, Report = (), Error = StepError<f32>>; 2] = [&Magnus2, &Magnus4];
    for method in methods {
        let refused = |rate: Vector3<f32>| {
            let mut state = start;
            let error = method.step(&Constant(rate), &mut state).unwrap_err();
            assert_eq!(state, start, "{}", method.name());
            error
        };
        let error = refused(vector![0.0, 40.0, 0.0]);
        let StepError::Turn { tick: 7, angle, limit } = error else { panic!("{error}") };
        assert_eq!((angle, limit), (4.0, core::f32::consts::PI));
        assert_eq!(error.to_string(), "tick 7: turns by 4e0 rad in the step, limit 3.1415927e0; shorten the step");
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            // Magnus' cross product spreads what is not finite.
            let StepError::NonFinite { tick: 7, level: Level::Velocity, .. } = refused(vector![0.0, 0.0, bad]) else {
                panic!("{bad}")
            };
        }
        // Just below half a turn.
        let mut state = start;
        method.step(&Constant(vector![0.0, 31.4, 0.0]), &mut state).unwrap();
        assert_eq!(state.clock().tick(), 8);
    }
}

#[test]
fn starts_refuse_what_is_not_a_body() {
    let start = |inertia: [f64; 3], rate: [f64; 3]| {
        BodyState::start(&FreeBody(inertia), clock(0.01), Rotation::identity(), rate)
    };
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut inertia = [1.0, 2.0, 2.5];
        inertia[1] = bad;
        assert!(
            matches!(
                start(inertia, [0.0; 3]),
                Err(StartError::Mass(FactorError::SmallPivot { index: 1, .. } | FactorError::NonFinite { index: 1 }))
            ),
            "{bad}"
        );
    }
    for bad in [f64::NAN, f64::INFINITY] {
        let error = start([1.0, 2.0, 2.5], [0.0, 0.0, bad]).unwrap_err();
        assert_eq!(error, StartError::NonFinite { part: Part::Velocity, index: 2 });
        let rotation = Rotation::exp(&vector![bad, 0.0, 0.0]);
        let error = Attitude::start(clock(0.01), rotation).unwrap_err();
        assert!(matches!(error, StartError::NonFinite { part: Part::Position, .. }), "{error}");
        let error = Attitude::start(clock(0.01).at_time(bad), Rotation::identity()).unwrap_err();
        assert_eq!(error, StartError::NonFinite { part: Part::Time, index: 0 });
        let error = BodyState::start(&Broken(Cell::new([0.0, bad, 0.0])), clock(0.01), Rotation::identity(), [0.0; 3])
            .unwrap_err();
        assert_eq!(error, StartError::NonFinite { part: Part::Force, index: 1 });
    }
}

/// A body whose torque can break.
struct Broken(Cell<[f64; 3]>);

impl Body for Broken {
    type Base = f64;
    type Inertia = Diagonal<f64, 3>;
    fn inertia(&self) -> Diagonal<f64, 3> {
        Diagonal::new([1.0, 2.0, 2.5])
    }
    fn torque<S: Real<Base = f64>>(&self, _t: S, _attitude: &Rotation<S>, _rate: &Vector<S, 3>) -> Vector<S, 3> {
        Vector::from(self.0.get().map(S::from))
    }
}

#[test]
fn torques_that_are_not_finite_are_refused() {
    let body = Broken(Cell::new([0.0; 3]));
    let start = BodyState::start(&body, clock(0.01), Rotation::identity(), [0.1, 0.2, 0.3]).unwrap();
    let [one, two, four] =
        [&MuntheKaas::order_one() as Any<Broken, f64, _>, &MuntheKaas::order_two(), &MuntheKaas::order_four()];
    for method in [one, two, four, &ImplicitMidpoint::new()] {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for axis in 0..3 {
                body.0.set(core::array::from_fn(|i| if i == axis { bad } else { 0.0 }));
                let mut state = start;
                let error = method.step(&body, &mut state).unwrap_err();
                assert_eq!(state, start, "{}: {error}", method.name());
            }
        }
    }
    // A body that spins too fast for the step.
    body.0.set([0.0; 3]);
    let mut fast = BodyState::start(&body, clock(0.01), Rotation::identity(), [0.0, 0.0, 400.0]).unwrap();
    for method in [one, two, four, &ImplicitMidpoint::new()] {
        let error = method.step(&body, &mut fast).unwrap_err();
        assert!(matches!(error, StepError::Turn { tick: 0, angle: 4.0, .. }), "{}: {error}", method.name());
    }
}

/// A torque without a solution of the midpoint rule: its sign follows the angular velocity.
struct Jumping;

impl Body for Jumping {
    type Base = f64;
    type Inertia = Diagonal<f64, 3>;
    fn inertia(&self) -> Diagonal<f64, 3> {
        Diagonal::new([1.0, 1.0, 1.0])
    }
    fn torque<S: Real<Base = f64>>(&self, _t: S, _attitude: &Rotation<S>, rate: &Vector<S, 3>) -> Vector<S, 3> {
        vector![S::from(if rate.x > S::zero() { -10.0 } else { 10.0 }), S::zero(), S::zero()]
    }
}

#[test]
fn a_midpoint_that_newton_does_not_find_is_refused() {
    let start = BodyState::start(&Jumping, clock(0.1), Rotation::identity(), [0.1, 0.0, 0.0]).unwrap();
    let mut state = start;
    let error = ImplicitMidpoint::new().step(&Jumping, &mut state).unwrap_err();
    let StepError::NotConverged { tick: 0, residual } = error else { panic!("{error}") };
    assert_eq!((residual.level, residual.row), (Level::Equation, 0));
    assert_eq!(state, start);
}

fn numbers() -> impl Strategy<Value = f32> {
    prop_oneof![-5.0..5.0_f32, any::<u32>().prop_map(f32::from_bits)]
}

proptest! {
    /// With any inertia, rate and step, a start or a step is refused and changes nothing, or everything is finite and the quaternion has
    /// its norm.
    #[test]
    fn any_body_steps_or_is_refused(
        inertia in prop::array::uniform3(numbers()), rate in prop::array::uniform3(numbers()), h in numbers(),
    ) {
        let Ok(clock) = Clock::with_step(h) else { return Ok(()) };
        let body = FreeBody(inertia);
        let Ok(start) = BodyState::start(&body, clock, Rotation::identity(), rate) else { return Ok(()) };
        let [two, four] = [&MuntheKaas::order_two() as Any<FreeBody<f32>, f32, _>, &MuntheKaas::order_four()];
        for method in [two, four, &ImplicitMidpoint::new()] {
            let mut state = start;
            for _ in 0..4 {
                let before = state;
                if method.step(&body, &mut state).is_err() {
                    prop_assert_eq!(state, before);
                    break;
                }
                let norm = state.rotation().quaternion().norm();
                prop_assert!((norm - 1.0).abs() < 1e-5, "{}: {}", method.name(), norm);
                prop_assert!(state.momentum().iter().all(|x| Float::is_finite(*x)), "{}", method.name());
            }
        }
    }
}
