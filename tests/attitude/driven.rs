//! A driven body: torques that use time, attitude and angular velocity.

use mechanisms::HeavyTop;
use nalgebra::vector;
use taut::attitude::{Body, BodyState, ImplicitMidpoint, MuntheKaas, Rotation};
use taut::linalg::{Matrix, Vector};
use taut::scalar::Real;
use taut::system::{Diagonal, Full};

use crate::{Any, assert_slopes, clock, run};

/// A spring towards a direction of space, a damper, and a motor; full inertia.
struct Driven;

impl Body for Driven {
    type Base = f64;
    type Inertia = Full<f64, 3>;
    fn inertia(&self) -> Full<f64, 3> {
        Full::new(Matrix::<f64, 3, 3>::new(1.6, 0.1, 0.0, 0.1, 1.0, -0.2, 0.0, -0.2, 0.7)).unwrap()
    }
    fn torque<S: Real<Base = f64>>(&self, t: S, attitude: &Rotation<S>, rate: &Vector<S, 3>) -> Vector<S, 3> {
        let up = attitude.rotate_back(&vector![S::zero(), S::zero(), S::one()]);
        vector![
            up.y * 0.8 - rate.x * 0.3,
            up.x * -0.8 - rate.y * 0.3 + (t * 2.0).sin() * 0.5,
            rate.z * rate.z * -0.1 + t.cos() * 0.2
        ]
    }
}

fn end(method: Any<Driven, f64, taut::start::Compensated>, steps: usize) -> BodyState<f64> {
    let start =
        BodyState::start(&Driven, clock(2.0 / steps as f64), Rotation::exp(&vector![0.3, 0.2, -0.1]), [0.5, -1.0, 2.0]);
    run(method, &Driven, start.unwrap(), steps)
}

#[test]
fn orders_hold_with_torques_of_all_kinds() {
    let exact = end(&MuntheKaas::order_four(), 4096);
    let check = |method: Any<Driven, f64, _>, order: f64| {
        let errors = [32, 64, 128].map(|steps| {
            let state = end(method, steps);
            let attitude = (state.rotation().matrix() - exact.rotation().matrix()).norm();
            [attitude, (state.momentum() - exact.momentum()).norm()]
        });
        assert_slopes(method.name(), &errors.map(|e| e[0]), order, 0.15);
        assert_slopes(method.name(), &errors.map(|e| e[1]), order, 0.15);
    };
    check(&MuntheKaas::order_one(), 1.0);
    check(&MuntheKaas::order_two(), 2.0);
    check(&MuntheKaas::order_four(), 4.0);
    check(&ImplicitMidpoint::new(), 2.0);
}

/// A symmetric method on a reversible system: the energy error stays O(h²) and has no trend. It quarters with half the step.
#[test]
fn the_energy_of_a_heavy_top_stays_bounded() {
    let top = HeavyTop::standard();
    let energy = |state: &BodyState<f64>| {
        let axis = state.rotation().rotate(&vector![0.0, 0.0, 1.0]);
        state.momentum().dot(&state.rate(&top)) / 2.0 + axis.z
    };
    let largest = |h: f64, steps: usize| {
        let mut state =
            BodyState::start(&top, clock(h), Rotation::exp(&vector![0.6, 0.0, 0.0]), [0.1, 0.2, 6.0]).unwrap();
        let (first, mut halves) = (energy(&state), [0.0_f64; 2]);
        for half in &mut halves {
            for _ in 0..steps {
                state = run(&ImplicitMidpoint::new(), &top, state, 1);
                *half = half.max((energy(&state) - first).abs());
            }
        }
        // About e₃ of the body no torque acts; about e₃ of space neither.
        assert!((state.momentum().z - 3.0).abs() < 1e-11, "{}", state.momentum());
        assert!(halves[1] < 1.05 * halves[0], "{halves:?}");
        halves[1]
    };
    let [coarse, fine] = [largest(0.02, 20_000), largest(0.01, 20_000)];
    assert!((coarse / fine - 4.0).abs() < 0.4, "{coarse:e} {fine:e}");
}

/// A stiff damper: the explicit method fails or explodes, the implicit one damps.
struct Damper;

impl Body for Damper {
    type Base = f64;
    type Inertia = Diagonal<f64, 3>;
    fn inertia(&self) -> Diagonal<f64, 3> {
        Diagonal::new([1.0, 2.0, 3.0])
    }
    fn torque<S: Real<Base = f64>>(&self, _t: S, _attitude: &Rotation<S>, rate: &Vector<S, 3>) -> Vector<S, 3> {
        rate.map(|x| x * -1e4)
    }
}

#[test]
fn the_midpoint_rule_survives_a_stiff_damper() {
    let start = BodyState::start(&Damper, clock(0.01), Rotation::identity(), [1.0, 2.0, 3.0]).unwrap();
    let damped = run(&ImplicitMidpoint::new(), &Damper, start, 200);
    assert!(damped.momentum().norm() < 0.1, "{}", damped.momentum());
    let mut explicit = start;
    let explodes = (0..200).any(|_| {
        use taut::method::Step;
        MuntheKaas::order_four().step(&Damper, &mut explicit).is_err()
    });
    assert!(explodes, "{}", explicit.momentum());
}
