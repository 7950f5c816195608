//! Readings that are not believed: jumps, stuck sensors, numbers that are none.

use proptest::prelude::*;
use taut::device::{Jump, JumpDetector, SetupError, Stuck, StuckDetector};

#[test]
fn after_a_jump_readings_are_compared_with_the_last_good_one() {
    let mut detector = JumpDetector::new(0.5_f32).unwrap();
    assert_eq!(detector.check(10.0), Ok(()), "the first is taken as it is");
    assert_eq!(detector.check(10.5), Ok(()), "the limit itself is possible");
    assert_eq!(detector.check(9.75), Err(Jump::Implausible { from: 10.5, to: 9.75, limit: 0.5 }));
    assert_eq!(detector.check(12.0), Err(Jump::Implausible { from: 10.5, to: 12.0, limit: 1.0 }));
    detector.miss();
    assert_eq!(detector.check(12.5), Ok(()), "four ticks");
    assert_eq!(detector.check(13.25), Err(Jump::Implausible { from: 12.5, to: 13.25, limit: 0.5 }));
    detector.restart();
    assert_eq!(detector.check(-100.0), Ok(()));
}

#[test]
fn nan_and_infinite_readings_are_jumps() {
    for reading in [f32::NAN, f32::INFINITY] {
        let mut detector = JumpDetector::new(0.5).unwrap();
        assert!(matches!(detector.check(reading), Err(Jump::Implausible { .. })), "the first");
        assert_eq!(detector.check(1.0), Ok(()));
        assert!(matches!(detector.check(reading), Err(Jump::Implausible { from: 1.0, limit: 0.5, .. })));
    }
}

#[test]
fn an_encoder_that_may_have_wrapped_unseen_is_refused_until_a_restart() {
    let mut detector = JumpDetector::new(1.0_f32).unwrap().within(3.0).unwrap();
    detector.check(0.0).unwrap();
    detector.miss();
    assert_eq!(detector.check(2.0), Ok(()), "two ticks are less than half a turn");
    detector.miss();
    detector.miss();
    assert_eq!(detector.check(2.0), Err(Jump::TurnsLost { from: 2.0, ticks: 3 }));
    assert_eq!(detector.check(2.0), Err(Jump::TurnsLost { from: 2.0, ticks: 4 }));
    detector.restart();
    assert_eq!(detector.check(2.0), Ok(()));
}

#[test]
fn a_reading_that_does_not_move_with_its_command_is_stuck() {
    let mut detector = StuckDetector::new(0.0625, 0.25_f32).unwrap();
    assert_eq!(detector.check(1.0, 5.0), Ok(()));
    assert_eq!(detector.check(1.0, 5.25), Ok(()), "the limit itself is accepted");
    assert_eq!(detector.check(1.0, 4.5), Err(Stuck { reading: 1.0, ticks: 2, travel: 0.5, limit: 0.25 }));
    assert_eq!(detector.check(1.0, 5.0), Ok(()), "the command is back where it was");
    assert!(detector.check(1.0625, 9.0).is_err(), "the window itself is no motion");
    assert_eq!(detector.check(1.0625 + f32::EPSILON, 9.0), Ok(()), "it has left the window");
    assert_eq!(detector.check(1.0625, f32::NAN).unwrap_err().ticks, 1, "a target that is NaN");
    detector.restart();
    assert_eq!(detector.check(1.0625, 0.0), Ok(()));
}

#[test]
fn standing_still_is_not_being_stuck() {
    let mut detector = StuckDetector::new(0.0625, 0.25_f32).unwrap();
    for _ in 0..100_000 {
        assert_eq!(detector.check(1.0, 1.1), Ok(()));
    }
}

#[test]
fn invalid_limits_are_refused() {
    for limit in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(JumpDetector::new(limit), Err(SetupError::OutOfRange { what: "motion in one tick", .. })));
        assert!(StuckDetector::new(0.0625, limit).is_err() && StuckDetector::new(limit, 2.0).is_err());
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
