//! How a state begins: multipliers of the acceleration level (Hairer & Wanner VII.1), a clear error for numbers that are not finite, and
//! systems without constraints.

use crate::clock;
use mechanisms::{Bead, Pendulum};
use nalgebra::vector;
use taut::linalg::Vector;
use taut::method::{Composition, Rattle, Step, SymplecticEuler};
use taut::scalar::Real;
use taut::start::{Clock, Coordinates, Part, Start, StartError};
use taut::system::{Diagonal, Mechanical};

#[test]
fn limits_are_finite_and_positive_and_survive_a_save() {
    let pendulum = Pendulum::<f64>::standard();
    for limit in [0.0, -1.0, f64::NAN, f64::INFINITY, 2.1e3, 1e30] {
        let error = Start::at(&pendulum, clock(), [1.0, 0.0]).limit(limit).at_rest().unwrap_err();
        assert!(matches!(error, StartError::InvalidLimit { .. }), "{error}");
    }
    let saved = Start::at(&pendulum, clock(), [1.0, 0.0]).limit(1e-2).at_rest().unwrap().save();
    let restored = saved.restore(&pendulum).unwrap();
    assert_eq!(restored.limits()[0], 1e-2);
}

#[test]
fn multipliers_that_overflow_are_an_error() {
    // λ = v²/l² is beyond the largest f32.
    let fast = Start::at(&Pendulum::<f32>::standard(), clock(), [1.0, 0.0]).moving([0.0, 2.2e19]);
    assert_eq!(fast.unwrap_err(), StartError::NonFinite { part: Part::Multiplier, index: 0 });
}

#[test]
fn numbers_that_are_not_finite_are_an_error() {
    let pendulum = Pendulum::<f64>::standard();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = |state: Result<_, StartError<f64>>| match state {
            Err(StartError::NonFinite { part, index }) => (part, index),
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("{bad} was accepted"),
        };
        assert_eq!(error(Start::at(&pendulum, clock(), [1.0, bad]).at_rest()), (Part::Position, 1));
        assert_eq!(error(Start::at(&pendulum, clock(), [1.0, 0.0]).moving([bad, 0.0])), (Part::Velocity, 0));
        assert_eq!(error(Start::at(&pendulum, clock().at_time(bad), [1.0, 0.0]).at_rest()), (Part::Time, 0));
        // A force.
        let heavy = Pendulum { gravity: bad, ..pendulum };
        assert_eq!(error(Start::at(&heavy, clock(), [1.0, 0.0]).at_rest()), (Part::Force, 1));
        // Saved values.
        let mut saved = Start::at(&pendulum, clock(), [1.0, 0.0]).at_rest().unwrap().save();
        saved.v = Coordinates::new(vector![0.0, bad]);
        assert_eq!(error(saved.sealed().restore(&pendulum)), (Part::Velocity, 1));
        saved = Start::at(&pendulum, clock(), [1.0, 0.0]).at_rest().unwrap().save();
        saved.origin = bad;
        assert_eq!(error(saved.sealed().restore(&pendulum)), (Part::Time, 0));
    }
    // A constraint that is NaN.
    let error = Start::at(&Pendulum { length: f64::NAN, ..pendulum }, clock(), [1.0, 0.0]).at_rest().unwrap_err();
    assert!(matches!(error, StartError::NotAssembled { .. }), "{error}");
}

#[test]
fn multipliers_are_those_of_the_acceleration_level() {
    // A pendulum: λ l² = q · f + m |v|².
    let pendulum = Pendulum { mass: 2.0, length: 0.5, gravity: 9.81 };
    let state = Start::at(&pendulum, clock(), [0.3, -0.4]).moving([0.8, 0.6]).unwrap();
    assert!((state.multipliers(&pendulum).unwrap()[0] - (0.4 * 19.62 + 2.0) / 0.25).abs() < 1e-12);

    // The bead: λ is minus the Coriolis force, 2 m ω r' (g_qt), with the wire at any angle.
    for t in [0.0, 0.3, 100.0] {
        let (sin, cos) = (3.0 * t).sin_cos();
        let velocity = vector![0.7 * cos - 3.0 * 1.5 * sin, 0.7 * sin + 3.0 * 1.5 * cos];
        let state = Start::at(&Bead, clock().at_time(t), [1.5 * cos, 1.5 * sin]).moving(velocity).unwrap();
        assert!((state.velocity() - velocity).amax() < 1e-13);
        let multiplier = state.multipliers(&Bead).unwrap()[0];
        assert!((multiplier + 2.0 * 2.0 * 3.0 * 0.7).abs() < 1e-12, "{multiplier}");
    }

    // A table that accelerates upwards, y = 3 t² (g_tt): the weight and the force that lifts.
    struct Lift;
    impl Mechanical<1, 1> for Lift {
        type Base = f64;
        type Mass = Diagonal<f64, 1>;
        fn mass(&self) -> Diagonal<f64, 1> {
            Diagonal::new([2.0])
        }
        fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 1>, _v: &Vector<S, 1>) -> Vector<S, 1> {
            vector![S::from(-19.62)]
        }
        fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 1>) -> Vector<S, 1> {
            vector![q.x - t * t * 3.0]
        }
    }
    let state = Start::at(&Lift, clock().at_time(0.5), [0.0]).at_rest().unwrap();
    assert!((state.position()[0] - 0.75).abs() < 1e-15 && (state.velocity()[0] - 3.0).abs() < 1e-15);
    assert!((state.multipliers(&Lift).unwrap()[0] + 2.0 * (9.81 + 6.0)).abs() < 1e-13);
}

/// A free particle under gravity: no constraints.
struct Free;

impl Mechanical<2, 0> for Free {
    type Base = f64;
    type Mass = Diagonal<f64, 2>;

    fn mass(&self) -> Diagonal<f64, 2> {
        Diagonal::new([2.0; 2])
    }
    fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
        vector![S::from(0.0), S::from(-19.62)]
    }
    fn constraint<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>) -> Vector<S, 0> {
        Vector::zeros()
    }
}

#[test]
fn a_system_without_constraints_steps() {
    let start = Start::at(&Free, Clock::with_step(0.01).unwrap(), [1.0, 2.0]).moving([3.0, 4.0]).unwrap();
    assert_eq!((start.position(), start.velocity()), (&vector![1.0, 2.0], &vector![3.0, 4.0]));
    // RATTLE is then the Störmer–Verlet method, exact on a parabola.
    let (mut state, mut composed, mut euler_state) = (start, start, start);
    let (rattle, suzuki, euler) = (Rattle::new(), Composition::suzuki(), SymplecticEuler::new());
    for _ in 0..100 {
        let report = rattle.step(&Free, &mut state).unwrap();
        assert_eq!((report.rank, report.smallest_pivot), (0, f64::INFINITY));
        let _ = suzuki.step(&Free, &mut composed).unwrap();
        let _ = euler.step(&Free, &mut euler_state).unwrap();
    }
    let end = vector![4.0, 6.0 - 9.81 / 2.0];
    assert!((state.position() - end).amax() < 1e-13);
    assert!((composed.position() - end).amax() < 1e-13);
    assert!((state.velocity() - vector![3.0, 4.0 - 9.81]).amax() < 1e-13);
    // Symplectic Euler is h t g/2 off.
    assert!((euler_state.position() - end - vector![0.0, -0.01 * 9.81 / 2.0]).amax() < 1e-13);
    assert_eq!(state.clock().tick(), 100);
}
