//! Checking a state, resuming after the model has changed, and restoring after a power cycle.

use crate::clock;
use mechanisms::{Bead, DoublePendulum, Pendulum};
use nalgebra::vector;
use taut::linalg::Ldlt;
use taut::method::{ImplicitEuler, Rattle, Step};
use taut::start::{
    Carried, Clock, Coordinates, Part, Precise, Precision, Saved, Start, StartError, State, check, resume,
};

#[test]
fn check_changes_nothing() {
    let mut pendulum = Pendulum::<f64>::standard();
    let state = Start::at(&pendulum, clock(), [0.6, -0.8]).moving([0.8, 0.6]).unwrap();
    let before = state.save();
    let consistency = check(&pendulum, &state);
    assert!(consistency.position_residual[0].abs() < 1e-15 && consistency.velocity_residual[0].abs() < 1e-15);
    pendulum.length = 2.0;
    assert_eq!(check(&pendulum, &state).position_residual[0], -1.5);
    assert_eq!(state.save(), before);
    // Moving constraints are evaluated at the state's time: at tick 100 of 0.01 s the bead's wire has turned by 3 rad.
    let mut saved = Start::at(&Bead, Clock::with_step(0.01).unwrap(), [1.5, 0.0]).at_rest().unwrap().save();
    assert_eq!(saved.epoch, 0);
    let state = saved.restore(&Bead).unwrap();
    assert_eq!(check(&Bead, &state).position_residual[0], 0.0);
    saved.tick = 100;
    let error = saved.sealed().restore(&Bead).unwrap_err();
    let StartError::NotAssembled { residual, iterations: 0 } = error else { panic!("{error}") };
    assert!((residual.residual + 1.5 * 3.0_f64.sin()).abs() < 1e-15);
}

#[test]
fn resume_brings_the_state_back_onto_the_constraints() {
    let mut pendulum = Pendulum::<f64>::standard();
    let rattle = Rattle::new();
    let mut state = Start::at(&pendulum, clock().at_tick(40), [1.0, 0.0]).at_rest().unwrap();
    for _ in 0..300 {
        let _ = rattle.step(&pendulum, &mut state).unwrap();
    }
    pendulum.length = 1.1;
    let before = state.save();
    rattle.step(&pendulum, &mut state).unwrap_err();
    resume(&pendulum, &mut state).unwrap();
    // Along the rod to the new length, as the mass is the same in both directions; the tick stays.
    let place = before.q.rounded();
    assert!((state.position() - place * (1.1 / place.norm())).amax() < 1e-15);
    assert!((state.velocity() - before.v.rounded()).amax() < 1e-14, "the velocity was tangential already");
    assert_eq!((state.clock().tick(), state.save().epoch), (340, 40));
    let _ = rattle.step(&pendulum, &mut state).unwrap();

    // If `resume` fails, the state is unchanged.
    pendulum.length = f64::NAN;
    let before = state.save();
    resume(&pendulum, &mut state).unwrap_err();
    assert_eq!(state.save(), before);
}

/// Continues from a state and from its restored copy: states and reports must be the same.
fn goes_on_alike<P: Precision>(mut state: State<f32, 4, 2, Ldlt<f32, 2>, P>) {
    let double = DoublePendulum::<f32>::standard();
    let (rattle, euler) = (Rattle::new(), ImplicitEuler::new().projecting_velocities());
    for _ in 0..500 {
        let _ = rattle.step(&double, &mut state).unwrap();
    }
    let saved = state.save();
    assert_eq!((saved.tick, saved.epoch, saved.origin), (507, 7, 0.5));
    let mut restored = saved.restore(&double).unwrap();
    assert_eq!(restored.save(), saved);
    for _ in 0..500 {
        assert_eq!(rattle.step(&double, &mut state).unwrap(), rattle.step(&double, &mut restored).unwrap());
        assert_eq!(restored.save(), state.save());
    }
    for _ in 0..100 {
        assert_eq!(euler.step(&double, &mut state).unwrap(), euler.step(&double, &mut restored).unwrap());
        let mut restored_anew = state.save().restore(&double).unwrap();
        let (mut on, mut anew) = (state, restored_anew);
        assert_eq!(euler.step(&double, &mut on).unwrap(), euler.step(&double, &mut anew).unwrap());
        restored_anew = anew;
        assert_eq!(restored_anew.save(), on.save());
    }
}

#[test]
fn a_restored_run_has_the_same_bits() {
    let double = DoublePendulum::<f32>::standard();
    let start = || Start::at(&double, clock().at_tick(7).at_time(0.5), [1.0, 0.0, 2.0, 0.0]);
    goes_on_alike(start().plain().at_rest().unwrap());
    goes_on_alike(start().compensated().at_rest().unwrap());
    goes_on_alike(start().precise().at_rest().unwrap());
}

#[test]
fn values_that_no_state_can_have_are_not_restored() {
    let pendulum = Pendulum::<f32>::standard();
    let good = Start::at(&pendulum, clock(), [0.6, -0.8]).precise().moving([0.8, 0.6]).unwrap().save();
    let refused = |saved: Saved<f32, 2, 1, Precise>| match saved.sealed().restore(&pendulum) {
        Err(StartError::Corrupted { part, index }) => (part, index),
        other => panic!("{other:?}"),
    };
    assert!(good.restore(&pendulum).is_ok());
    for wrong in [0.5, 1e-5, 1e38, f32::NAN] {
        let mut saved = good;
        saved.q = Coordinates::from_parts(*good.q.rounded(), vector![0.0, wrong]);
        // Large errors are found by the constraint first.
        assert!(saved.sealed().restore(&pendulum).is_err(), "{wrong}");
        let mut saved = good;
        saved.v = Coordinates::from_parts(*good.v.rounded(), vector![wrong, 0.0]);
        assert_eq!(refused(saved), (Part::Velocity, 0), "{wrong}");
    }
    for wrong in [1.0, 1e-3, f32::INFINITY, f32::NAN] {
        let mut saved = good;
        saved.last_residual = Carried::keep(vector![wrong]);
        assert_eq!(refused(saved), (Part::LastResidual, 0), "{wrong}");
    }
    // ‖G‖ = 1: limits of 1000 and 1/1000 of the default distance are plausible.
    for (factor, is_plausible) in [
        (1e-30, false),
        (0.9e-3, false),
        (1.1e-3, true),
        (0.9e3, true),
        (1.1e3, false),
        (1e30, false),
        (f32::NAN, false),
    ] {
        let mut saved = good;
        saved.limits = good.limits * factor;
        match is_plausible {
            true => assert!(saved.sealed().restore(&pendulum).is_ok(), "{factor}"),
            false => assert_eq!(refused(saved), (Part::Limits, 0), "{factor}"),
        }
    }
    // The distance itself.
    for given in [1e30, 2.1e3, 0.0, f32::INFINITY] {
        let error = Saved { limit: given, ..good }.sealed().restore(&pendulum).unwrap_err();
        assert!(matches!(error, StartError::InvalidLimit { given: found, .. } if found == given), "{error}");
    }
    let mut saved = good;
    saved.next_multipliers_weight = 2.0;
    assert_eq!(refused(saved), (Part::Weight, 0));
}

#[test]
fn corrupted_values_are_not_restored() {
    let pendulum = Pendulum::<f64>::standard();
    let good = Start::at(&pendulum, clock(), [0.6, -0.8]).moving([0.8, 0.6]).unwrap().save();
    let restore = |saved: Saved<f64, 2, 1>| saved.sealed().restore(&pendulum);
    assert!(restore(good).is_ok());

    // A position off by ten times the limit, and within it.
    let mut saved = good;
    saved.q = Coordinates::new(good.q.rounded() * (1.0 + 1.5e-7));
    let error = restore(saved).unwrap_err();
    assert!(matches!(error, StartError::NotAssembled { iterations: 0, .. }), "{error}");
    saved.q = Coordinates::new(good.q.rounded() * (1.0 + 1e-9));
    assert!(restore(saved).is_ok());

    // A velocity that is not tangential.
    let mut saved = good;
    saved.v = Coordinates::new(vector![0.8, 0.6 + 1e-6]);
    assert!(matches!(restore(saved).unwrap_err(), StartError::Velocity(residual) if residual.row == 0));

    // Flipped bits.
    for bit in 52..63 {
        let mut saved = good;
        saved.q = Coordinates::new(vector![f64::from_bits(0.6_f64.to_bits() ^ (1 << bit)), -0.8]);
        assert!(restore(saved).is_err(), "bit {bit}");
    }
}
