//! Two encoders of one position: slip, wrong zeros and single failures are found.

use taut::device::{Disagreement, Encoder, Redundant, RedundantError, SetupError};

const TICK: f64 = 1e-3;

/// An encoder that is set from outside; `None` if it cannot be read.
#[derive(Clone, Copy)]
struct Shaft {
    angle: Option<f64>,
    referenced: bool,
    reads: u32,
}

fn shaft(angle: f64) -> Shaft {
    Shaft { angle: Some(angle), referenced: true, reads: 0 }
}

impl Encoder<f64> for Shaft {
    type Error = &'static str;
    fn read(&mut self) -> Result<f64, &'static str> {
        self.reads += 1;
        self.angle.ok_or("dead")
    }
    fn is_referenced(&self) -> bool {
        self.referenced
    }
    fn lose_reference(&mut self) {
        self.referenced = false;
    }
}

/// A joint, and its motor behind a gear of −10 : 1 whose zero is at 0.5 rad of the joint. 2 mrad of backlash and counts.
fn joint() -> Redundant<Shaft, Shaft, f64> {
    Redundant::new(shaft(0.0), shaft(5.0), -0.1, 0.5, 2e-3).unwrap()
}

/// A slip of 0.05 rad/s takes 40 ms to 2 mrad, at which it is not yet found, and a tick more.
#[test]
fn slip_is_found_after_the_time_that_the_limit_takes() {
    let mut joint = joint();
    let found = (0..1_000).find(|tick| {
        let time = f64::from(*tick) * TICK;
        let motor = 3.0 * (7.0 * time).sin();
        joint.second.angle = Some(motor);
        joint.first.angle = Some(-0.1 * motor + 0.5 - 0.05 * time);
        joint.read().is_err()
    });
    // 40 itself is the limit, up to rounding.
    assert!(matches!(found, Some(40 | 41)), "{found:?}");
}

#[test]
fn a_wrong_zero_is_found_at_the_first_reading() {
    let mut joint = joint();
    assert_eq!(joint.read(), Ok(0.0));
    joint.first.angle = Some(0.003);
    let Err(RedundantError::Disagreement(Disagreement { first, second, limit })) = joint.read() else {
        panic!("a wrong zero is not found")
    };
    assert_eq!((first, second, limit), (0.003, 0.0, 2e-3));
}

#[test]
fn each_single_failure_is_reported_and_both_are_read() {
    let mut joint = joint();
    joint.first.angle = None;
    assert_eq!(joint.read(), Err(RedundantError::First("dead")));
    joint.second.angle = None;
    assert_eq!(joint.read(), Err(RedundantError::First("dead")), "of two the first");
    joint.first.angle = Some(0.0);
    assert_eq!(joint.read(), Err(RedundantError::Second("dead")));
    joint.second.angle = Some(f64::NAN);
    assert!(matches!(joint.read(), Err(RedundantError::Disagreement(_))));
    assert_eq!((joint.first.reads, joint.second.reads), (4, 4));
}

/// Until both know their zeros there is nothing to compare, and the loop must not move the machine.
#[test]
fn without_both_references_there_is_no_check_and_no_reference() {
    let mut joint = joint();
    joint.second = Shaft { referenced: false, ..shaft(77.0) };
    assert_eq!(joint.read(), Ok(0.0));
    assert!(!joint.is_referenced());
    joint.second.referenced = true;
    assert!(joint.is_referenced());
    assert!(joint.read().is_err());
    joint.lose_reference();
    assert!(!joint.first.referenced && !joint.second.referenced);
}

#[test]
fn invalid_pairs_are_refused() {
    let pair = |ratio, offset, limit| Redundant::new(shaft(0.0), shaft(0.0), ratio, offset, limit).err();
    assert_eq!(pair(1.0, 0.0, 1e-3), None);
    assert!(matches!(pair(0.0, 0.0, 1e-3), Some(SetupError::Degenerate { what: "ratio of two encoders", .. })));
    assert!(matches!(pair(1.0, f64::NAN, 1.0), Some(SetupError::OutOfRange { what: "offset of two encoders", .. })));
    for limit in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let what = "disagreement of two encoders";
        assert!(matches!(pair(1.0, 0.0, limit), Some(SetupError::OutOfRange { what: w, .. }) if w == what));
    }
}
