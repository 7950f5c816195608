//! Looking at a state, the way back when the model has changed under it, and what survives a power cycle.

use nalgebra::vector;
use systems::{Bead, DoublePendulum, Pendulum};
use taut::method::{Rattle, StepSize};
use taut::start::{Coordinates, Start, StartError, check, resume};

#[test]
fn check_looks_and_changes_nothing() {
    let mut pendulum = Pendulum::<f64>::standard();
    let state = Start::at(&pendulum, [0.6, -0.8]).moving([0.8, 0.6]).unwrap();
    let before = state.save();
    let consistency = check(&pendulum, &state, 1e-3);
    assert!(consistency.position_residual[0].abs() < 1e-15 && consistency.velocity_residual[0].abs() < 1e-15);
    pendulum.length = 2.0;
    assert_eq!(check(&pendulum, &state, 1e-3).position_residual[0], -1.5);
    assert_eq!(state.save(), before);
    // Moving constraints are looked at at the state's time: at tick 100 of 0.01 s the bead's wire has turned by 3 rad.
    let mut saved = Start::at(&Bead, [1.5, 0.0]).at_rest().unwrap().save();
    assert_eq!(saved.epoch, 0);
    let state = Start::restore(&Bead, &saved).unchanged(0.01).unwrap();
    assert_eq!(check(&Bead, &state, 0.01).position_residual[0], 0.0);
    saved.tick = 100;
    let error = Start::restore(&Bead, &saved).unchanged(0.01).unwrap_err();
    let StartError::NotAssembled { residual, iterations: 0 } = error else { panic!("{error}") };
    assert!((residual.residual + 1.5 * 3.0_f64.sin()).abs() < 1e-15);
}

#[test]
fn resume_is_the_way_back() {
    let mut pendulum = Pendulum::<f64>::standard();
    let rattle = Rattle::with_step(StepSize::seconds(1e-3).unwrap());
    let mut state = Start::at(&pendulum, [1.0, 0.0]).at_tick(40).at_rest().unwrap();
    for _ in 0..300 {
        let _ = rattle.step(&pendulum, &mut state).unwrap();
    }
    pendulum.length = 1.1;
    let before = state.save();
    rattle.step(&pendulum, &mut state).unwrap_err();
    resume(&pendulum, &mut state, 1e-3).unwrap();
    // Along the rod to the new length, as the mass is the same in both directions; the tick stays.
    let place = before.q.rounded();
    assert!((state.position() - place * (1.1 / place.norm())).amax() < 1e-15);
    assert!((state.velocity() - before.v.rounded()).amax() < 1e-14, "the velocity was tangential already");
    assert_eq!((state.tick(), state.save().epoch), (340, 40));
    let _ = rattle.step(&pendulum, &mut state).unwrap();

    // Where there is no way back the state stays as it is.
    pendulum.length = f64::NAN;
    let before = state.save();
    let multipliers = *state.multipliers();
    resume(&pendulum, &mut state, 1e-3).unwrap_err();
    assert_eq!((state.save(), *state.multipliers()), (before, multipliers));
}

#[test]
fn what_is_saved_goes_on_with_the_same_bits() {
    let double = DoublePendulum::<f32>::standard();
    let rattle = Rattle::with_step(StepSize::seconds(1e-3_f32).unwrap());
    let mut state = Start::at(&double, [1.0, 0.0, 2.0, 0.0]).at_tick(7).at_time(0.5).at_rest().unwrap();
    for _ in 0..500 {
        let _ = rattle.step(&double, &mut state).unwrap();
    }
    let saved = state.save();
    assert_eq!((saved.tick, saved.epoch, saved.origin), (507, 7, 0.5));
    let mut restored = Start::restore(&double, &saved).unchanged(1e-3).unwrap();
    assert_eq!(restored.save(), saved);
    for _ in 0..500 {
        let _ = rattle.step(&double, &mut state).unwrap();
        let _ = rattle.step(&double, &mut restored).unwrap();
        assert_eq!(restored.save(), state.save());
    }
}

#[test]
fn what_is_corrupted_is_not_restored() {
    let pendulum = Pendulum::<f64>::standard();
    let good = Start::at(&pendulum, [0.6, -0.8]).moving([0.8, 0.6]).unwrap().save();
    let restore = |saved| Start::restore(&pendulum, &saved).unchanged(1e-3);
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
