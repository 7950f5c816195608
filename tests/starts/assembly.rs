//! Assembly from a guess onto the constraints: on the branch of the guess, or a clear error if the pose does not exist.

use crate::clock;
use mechanisms::{ByHand, DoublePendulum, FourBar, Lines, Pendulum};
use nalgebra::vector;
use taut::linalg::{FactorError, Vector};
use taut::project::Level;
use taut::scalar::{Float, Real};
use taut::start::{Start, StartError, check};
use taut::system::{Diagonal, Mechanical, verify};

fn four_bar_is_assembled<T: Float>(tolerance: f64) {
    let four_bar = FourBar::<T> { gravity: T::zero() };
    // The joint of coupler and rocker, from the two circles about the crank's end (0, 0.2) and the pivot (0.8, 0).
    let above = [0.5974437901063459, 0.5647751604253838];
    let below = [0.3554973863642423, -0.40301045454303075];
    for (guess, joint) in [(FourBar::<T>::guess(), above), (FourBar::guess_below(), below)] {
        // The guess is off by up to 0.1 in any direction.
        for k in 0..64_u32 {
            let rough: [T; 9] = core::array::from_fn(|i| {
                let push = if (k >> (i % 6)) & 1 == 1 { 0.05 } else { -0.05 };
                // The crank's angle stays where it is, so that the result is one point of the branch.
                if i % 3 == 2 { guess[i] } else { guess[i] + T::from_f64(push) }
            });
            let state = Start::at(&four_bar, clock(), rough).at_rest().unwrap();
            let q = state.position().map(Float::to_f64);
            let end = [q[3] + 0.35 * q[5].cos(), q[4] + 0.35 * q[5].sin()];
            let off = (end[0] - joint[0]).hypot(end[1] - joint[1]);
            // The crank may turn a little on the way, and the joint moves with it.
            assert!(off < 0.1, "{end:?} is not near {joint:?}");
            for residual in check(&four_bar, &state).position_residual {
                assert!(residual.to_f64().abs() < tolerance, "{residual:e}");
            }
        }
    }
}

#[test]
fn a_four_bar_is_assembled_on_the_branch_of_the_guess() {
    four_bar_is_assembled::<f64>(1e-14);
    four_bar_is_assembled::<f32>(1e-6);
    let q = Vector::from(FourBar::<f64>::guess());
    assert_eq!(verify(&ByHand(FourBar::standard()), 0.0, &q, &q, 1e-14), Ok(()));
}

#[test]
fn the_four_bar_has_its_kinetic_energy() {
    // 1.641 J with the crank at 90° and 10 rad/s, the coupler above. Assembly turns the light crank away from the guess, so
    // its angle is prescribed here by one more constraint.
    struct Held(FourBar<f64>);
    impl Mechanical<9, 9> for Held {
        type Base = f64;
        type Mass = Diagonal<f64, 9>;
        fn mass(&self) -> Diagonal<f64, 9> {
            self.0.mass()
        }
        fn force<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 9>, v: &Vector<S, 9>) -> Vector<S, 9> {
            self.0.force(t, q, v)
        }
        fn constraint<S: Real<Base = f64>>(&self, t: S, q: &Vector<S, 9>) -> Vector<S, 9> {
            let joints = self.0.constraint(t, q);
            let angle = q[2] - core::f64::consts::FRAC_PI_2 - t * 10.0;
            Vector::from_fn(|i, _| if i < 8 { joints[i] } else { angle })
        }
    }
    let held = Held(FourBar { gravity: 0.0 });
    // At rest as far as the prescribed motion allows: at 10 rad/s.
    let state = Start::at(&held, clock(), FourBar::guess()).at_rest().unwrap();
    assert!((state.velocity() - Vector::from(FourBar::turning(state.position()))).amax() < 1e-12);
    let kinetic = held.0.energy(state.position(), state.velocity());
    assert!((kinetic - 1.641).abs() < 5e-4, "{kinetic} J");
}

#[test]
fn a_pose_out_of_reach_is_an_error() {
    /// A mass on two rods of one metre between pivots three metres apart.
    struct Short;
    impl Mechanical<2, 2> for Short {
        type Base = f64;
        type Mass = Diagonal<f64, 2>;
        fn mass(&self) -> Diagonal<f64, 2> {
            Diagonal::new([1.0; 2])
        }
        fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 2>, _v: &Vector<S, 2>) -> Vector<S, 2> {
            Vector::zeros()
        }
        fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 2>) -> Vector<S, 2> {
            let x = q.x - 3.0;
            vector![(q.dot(q) - 1.0) * 0.5, (x * x + q.y * q.y - 1.0) * 0.5]
        }
    }
    for guess in [[1.5, 0.3], [1.4, -2.0], [0.5, 0.1], [10.0, 7.0]] {
        let error = Start::at(&Short, clock(), guess).at_rest().unwrap_err();
        assert!(matches!(error, StartError::NotAssembled { .. }), "{guess:?}: {error}");
        let error = Start::at(&Short, clock(), guess).redundant().at_rest().unwrap_err();
        let StartError::NotAssembled { residual, iterations } = error else { panic!("{guess:?}: {error}") };
        assert_eq!(residual.level, Level::Position);
        assert!(residual.residual.abs() > residual.limit && iterations > 0);
        assert!(error.to_string().contains("not assembled"), "{error}");
    }
}

#[test]
fn contradictory_constraints_are_an_error() {
    let contradictory = Lines { rows: [[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0]], masses: [1.0; 2] };
    let error = Start::at(&contradictory, clock(), [0.3, 0.0]).at_rest().unwrap_err();
    assert!(matches!(error, StartError::Constraints(FactorError::SmallPivot { index: 1, .. })), "{error}");
    // Redundant rows may depend on each other, but they must agree.
    let error = Start::at(&contradictory, clock(), [0.3, 0.0]).redundant().at_rest().unwrap_err();
    let StartError::NotAssembled { residual, .. } = error else { panic!("{error}") };
    // The least-squares solution is x = 1/2.
    assert!((residual.residual.abs() - 0.5).abs() < 1e-12, "{error}");
    let agreeing = Lines { rows: [[1.0, 0.0, 1.0, 0.0], [2.0, 0.0, 2.0, 0.0]], masses: [1.0; 2] };
    let state = Start::at(&agreeing, clock(), [0.3, 0.0]).redundant().at_rest().unwrap();
    assert!((state.position().x - 1.0).abs() < 1e-15);
}

#[test]
fn contradictory_velocities_are_an_error() {
    // x = 0 and x = 0 now, but one of them moves away.
    let contradictory = Lines { rows: [[1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 2.0]], masses: [1.0; 2] };
    let error = Start::at(&contradictory, clock(), [0.3, 0.0]).redundant().at_rest().unwrap_err();
    let StartError::Velocity(residual) = error else { panic!("{error}") };
    assert_eq!(residual.level, Level::Velocity);
    assert!((residual.residual.abs() - 0.5).abs() < 1e-12, "{error}");
    assert!(error.to_string().contains("velocity"), "{error}");
    let agreeing = Lines { rows: [[1.0, 0.0, 0.0, 1.0], [2.0, 0.0, 0.0, 2.0]], masses: [1.0; 2] };
    let state = Start::at(&agreeing, clock(), [0.3, 0.0]).redundant().at_rest().unwrap();
    assert!((state.velocity() - vector![1.0, 0.0]).amax() < 1e-15);
}

#[test]
fn a_guess_without_a_gradient_is_an_error() {
    let error = Start::at(&Pendulum::<f64>::standard(), clock(), [0.0, 0.0]).at_rest().unwrap_err();
    assert!(matches!(error, StartError::Constraints(FactorError::SmallPivot { index: 0, .. })), "{error}");
    let error = Start::at(&DoublePendulum::<f32>::standard(), clock(), [1.0, 0.0, 1.0, 0.0]).at_rest().unwrap_err();
    assert!(matches!(error, StartError::Constraints(FactorError::SmallPivot { index: 1, .. })), "{error}");
    // A small distance is enough to have a direction.
    let state = Start::at(&Pendulum::<f64>::standard(), clock(), [1e-3, 0.0]).at_rest().unwrap();
    assert_eq!(state.position(), &vector![1.0, 0.0]);
}

#[test]
fn assembly_does_not_jump_over_a_turning_point() {
    /// sin q = 1/2, which has a root on each branch of the sine.
    struct Sine;
    impl Mechanical<1, 1> for Sine {
        type Base = f64;
        type Mass = Diagonal<f64, 1>;
        fn mass(&self) -> Diagonal<f64, 1> {
            Diagonal::new([1.0])
        }
        fn force<S: Real<Base = f64>>(&self, _t: S, _q: &Vector<S, 1>, _v: &Vector<S, 1>) -> Vector<S, 1> {
            vector![S::zero()]
        }
        fn constraint<S: Real<Base = f64>>(&self, _t: S, q: &Vector<S, 1>) -> Vector<S, 1> {
            vector![q[0].sin() - 0.5]
        }
    }
    // Near the top of the sine the full step is long: from 1.56 it would land at -44.
    for guess in [0.0, 1.0, 1.5, 1.54, 1.56] {
        let state = Start::at(&Sine, clock(), [guess]).at_rest().unwrap();
        assert!(
            (state.position()[0] - std::f64::consts::FRAC_PI_6).abs() < 1e-14,
            "from {guess}: {}",
            state.position()[0]
        );
    }
}
