//! Readings that are not believed: jumps, stuck sensors, numbers that are none.

use proptest::prelude::*;
use taut::control::device::{Encoder, Jump, JumpDetector, SetupError, Stuck, StuckDetector, WatchError, Watched};

use crate::bench::Readings;

#[test]
fn a_jump_is_refused_and_what_follows_is_measured_from_the_last_good_reading() {
    let mut detector = JumpDetector::new(0.5_f32).unwrap();
    assert_eq!(detector.check(10.0), Ok(()), "the first is taken as it is");
    assert_eq!(detector.check(10.5), Ok(()), "the limit itself is possible");
    assert_eq!(detector.check(9.75), Err(Jump::TooFar { from: 10.5, to: 9.75, limit: 0.5 }));
    assert_eq!(detector.check(12.0), Err(Jump::TooFar { from: 10.5, to: 12.0, limit: 1.0 }));
    detector.miss();
    assert_eq!(detector.check(12.5), Ok(()), "four ticks");
    assert_eq!(detector.check(13.25), Err(Jump::TooFar { from: 12.5, to: 13.25, limit: 0.5 }));
    detector.restart();
    assert_eq!(detector.check(-100.0), Ok(()));
}

#[test]
fn a_jump_to_no_number_is_a_jump() {
    for reading in [f32::NAN, f32::INFINITY] {
        let mut detector = JumpDetector::new(0.5).unwrap();
        assert!(matches!(detector.check(reading), Err(Jump::TooFar { .. })), "the first");
        assert_eq!(detector.check(1.0), Ok(()));
        assert!(matches!(detector.check(reading), Err(Jump::TooFar { from: 1.0, limit: 0.5, .. })));
    }
}

#[test]
fn an_encoder_that_may_have_turned_over_unseen_is_lost_until_a_restart() {
    let mut detector = JumpDetector::new(1.0_f32).unwrap().within(3.0).unwrap();
    detector.check(0.0).unwrap();
    detector.miss();
    assert_eq!(detector.check(2.0), Ok(()), "two ticks are less than half a turn");
    detector.miss();
    detector.miss();
    assert_eq!(detector.check(2.0), Err(Jump::Lost { from: 2.0, ticks: 3 }));
    assert_eq!(detector.check(2.0), Err(Jump::Lost { from: 2.0, ticks: 4 }));
    detector.restart();
    assert_eq!(detector.check(2.0), Ok(()));
}

#[test]
fn a_reading_that_does_not_move_with_its_command_is_stuck() {
    let mut detector = StuckDetector::new(0.25_f32).unwrap();
    assert_eq!(detector.check(1.0, 5.0), Ok(()));
    assert_eq!(detector.check(1.0, 5.25), Ok(()), "the limit itself is accepted");
    assert_eq!(detector.check(1.0, 4.5), Err(Stuck { reading: 1.0, ticks: 2, travel: 0.5, limit: 0.25 }));
    assert_eq!(detector.check(1.0, 5.0), Ok(()), "the command is back where it was");
    assert_eq!(detector.check(1.0 + f32::EPSILON, 9.0), Ok(()), "one bit is a change");
    assert_eq!(detector.check(1.0 + f32::EPSILON, f32::NAN).unwrap_err().ticks, 1, "a command that is no number");
    detector.restart();
    assert_eq!(detector.check(1.0 + f32::EPSILON, 0.0), Ok(()));
}

#[test]
fn standing_still_is_not_being_stuck() {
    let mut detector = StuckDetector::new(0.25_f32).unwrap();
    for _ in 0..100_000 {
        assert_eq!(detector.check(1.0, 1.1), Ok(()));
    }
}

#[test]
fn a_watched_encoder_says_what_is_wrong_and_keeps_the_last_good_reading() {
    let nan = f32::NAN;
    let script = [Some(nan), Some(1.0), None, Some(nan), Some(3.5), Some(4.0), Some(9.0), Some(4.5), Some(4.5)];
    let mut watched = Watched::new(Readings(script.to_vec()))
        .against_jumps(JumpDetector::new(1.0).unwrap())
        .against_sticking(StuckDetector::new(0.5).unwrap());
    assert_eq!(watched.read(), Err(WatchError::NonFinite));
    assert_eq!(watched.last_good(), None);
    assert_eq!(watched.read(), Ok(1.0));
    assert_eq!(watched.read(), Err(WatchError::Encoder("dead")));
    assert_eq!(watched.read(), Err(WatchError::NonFinite));
    assert_eq!(watched.last_good(), Some(1.0));
    assert_eq!(watched.read(), Ok(3.5), "three ticks after the last good one");
    watched.expect(4.0);
    assert_eq!(watched.read(), Ok(4.0));
    watched.expect(4.5);
    assert_eq!(watched.read(), Err(WatchError::Jump(Jump::TooFar { from: 4.0, to: 9.0, limit: 1.0 })));
    assert_eq!(watched.read(), Ok(4.5));
    watched.expect(5.25);
    let stuck = Stuck { reading: 4.5, ticks: 1, travel: 0.75, limit: 0.5 };
    assert_eq!(watched.read(), Err(WatchError::Stuck(stuck)));
    assert_eq!(watched.last_good(), Some(4.5));
    assert!(watched.encoder().0.is_empty());
    watched.encoder().0 = vec![Some(-50.0), Some(-50.0)];
    watched.restart();
    assert_eq!(watched.read(), Ok(-50.0));
    watched.expect(-60.0);
    assert_eq!(watched.read(), Ok(-50.0), "commands from before the restart are forgotten");
    assert!(watched.release().0.is_empty());
}

/// Without a command there is nothing to be stuck against.
#[test]
fn nothing_is_stuck_before_the_first_command() {
    let mut watched = Watched::new(Readings(vec![Some(1.0); 100])).against_sticking(StuckDetector::new(0.5).unwrap());
    assert!((0..100).all(|_| watched.read().is_ok()));
}

#[test]
fn limits_that_make_no_sense_are_refused() {
    for limit in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(JumpDetector::new(limit), Err(SetupError::OutOfRange { what: "motion in one tick", .. })));
        assert!(StuckDetector::new(limit).is_err());
    }
    // An encoder that can turn over in one tick shows nothing.
    assert!(JumpDetector::new(3.0_f32).unwrap().within(3.0).is_err());
    assert!(JumpDetector::new(3.0_f32).unwrap().within(f32::NAN).is_err());
}

proptest! {
    /// A machine that keeps its speed limit is never refused, whatever ticks are missed; one that leaves it always is.
    #[test]
    fn jumps_and_only_jumps_are_found(
        path in prop::collection::vec((-1.0_f64..=1.0, any::<bool>()), 1..100), beyond in 1.001_f64..100.0, up: bool,
    ) {
        let mut detector = JumpDetector::new(1.0).unwrap();
        let (mut truth, mut last, mut ticks) = (0.0, 0.0, 0.0);
        prop_assert!(detector.check(truth).is_ok());
        for (step, missed) in path {
            // Below the limit by more than the sum of the steps is rounded.
            truth += step * (1.0 - 1e-12);
            ticks += 1.0;
            if missed {
                detector.miss();
                continue;
            }
            let jump = if up { beyond } else { -beyond };
            let mut copy = detector;
            prop_assert!(copy.check(last + ticks * jump).is_err());
            prop_assert!(detector.check(truth).is_ok());
            (last, ticks) = (truth, 0.0);
        }
    }
}
