//! Every fault in every state: the table, as it is on every machine, and why a fault takes as long to be found as it does.

use std::fmt::Write;

use loops::matrix::{Kept, Row, rows};
use loops::{Options, five_bar};
use taut::control::ControlError;
use taut::supervise::{Injection, Reason, Record, Request, State};

#[test]
fn every_fault_in_every_state_is_safe_loses_nothing_and_the_loop_starts_again() {
    let mut table = String::from(Row::HEADER);
    for row in rows() {
        let row = row.unwrap();
        write!(table, "\n{row}").unwrap();
        assert!(row.safe && row.restarted && row.kept != Kept::Lost, "{row}");
        assert!(row.found.is_none() || row.after == State::Fault, "{row}");
        // The machine has its safe output in the tick in which the fault is found.
        assert_eq!(row.answered, row.found.map(|_| 0), "{row}");
        // What a single tick can tell is found in that tick.
        let at_once = matches!(
            row.fault,
            Injection::NanReading
                | Injection::JumpingReading
                | Injection::BusError
                | Injection::CorruptedState
                | Injection::LostReference
        );
        if let Some((_, ticks)) = row.found {
            assert!(!at_once || ticks == 0, "{row}");
        }
        // Only that fault may cost knowledge of which it says so.
        assert!(row.kept != Kept::Reference || row.fault == Injection::CorruptedState, "{row}");
    }
    insta::assert_snapshot!("matrix", table);
}

/// A linkage in a state, then with a fault until that is found: all records, how many of them have the fault, and the reason.
fn until_found(fault: Injection, state: State) -> (Vec<Record<f32, 2, 2>>, usize, Reason<f32>) {
    let mut program = five_bar::program(Options::default(), 1_000).unwrap();
    let mut records = Vec::new();
    let mut tick = |program: &mut five_bar::Program, fault| {
        program.tick_with(fault, &mut (records.len() as u32 * 1_000), &mut ());
        records.push(*program.state().record());
    };
    program.request(Request::Run).unwrap();
    // Homing takes some 520 ticks.
    for _ in 0..if state == State::Homing { 220 } else { 800 } {
        tick(&mut program, None);
    }
    if state == State::Hold {
        program.request(Request::Hold).unwrap();
        for _ in 0..200 {
            tick(&mut program, None);
        }
    }
    assert_eq!(program.state().state(), state);
    program.divert(fault).unwrap();
    for ticks in 1..1_000 {
        tick(&mut program, Some(fault));
        if let Some(latched) = program.state().latched() {
            return (records, ticks, latched.reason);
        }
    }
    panic!("{fault} is not found in {state}");
}

/// How far the targets of the first encoder are from each other.
fn travel(from: &Record<f32, 2, 2>, to: &Record<f32, 2, 2>) -> f32 {
    (to.target[0] - from.target[0]).abs()
}

/// A reading is judged by the target of the tick before. Records have what targets are to within the rounding of two numbers below four.
#[test]
fn a_stuck_encoder_is_found_when_its_target_has_moved_by_the_limit() {
    let rounding = 2.0 * 4.0 * f32::EPSILON;
    for state in [State::Homing, State::Running] {
        let (records, _, reason) = until_found(Injection::StuckReading, state);
        let Reason::Stuck { index: 0, cause } = reason else { panic!("{reason}") };
        let [history @ .., last, _] = records.as_slice() else { panic!("found at once") };
        let [changed, .., before] = &history[history.len() - cause.ticks as usize..] else { panic!("found too early") };
        assert!(cause.travel > 0.02 && travel(changed, before) <= 0.02 + rounding, "{state}: {cause}");
        assert!((travel(changed, last) - cause.travel).abs() <= rounding, "{state}: {cause}");
    }
}

#[test]
fn the_fifth_late_tick_in_a_row_is_a_fault() {
    for state in [State::Homing, State::Running, State::Hold] {
        let (_, ticks, reason) = until_found(Injection::LateTick, state);
        assert_eq!((ticks, reason), (5, Reason::Late { skipped: 5, limit: 4 }), "{state}");
    }
}

/// A motor without its effort is at its limit for twenty ticks, or the machine is 0.1 rad behind, whichever comes first.
#[test]
fn a_weak_motor_is_found_by_its_effort_or_its_tracking_error() {
    for state in [State::Homing, State::Running, State::Hold] {
        let (records, _, reason) = until_found(Injection::SaturatedMotor, state);
        let at_limit = records.iter().filter(|record| record.efforts[0].abs() >= 1.0).count();
        let behind = records.iter().filter(|record| record.errors[0].abs() > 0.1).count();
        match reason {
            // In the tick in which it is found, motors are off already.
            Reason::Saturated { index: 0, wins: false, .. } => assert_eq!((at_limit, behind), (20, 0), "{state}"),
            Reason::TrackingError { index: 0, error, .. } => {
                assert!(error.abs() > 0.1 && at_limit <= 20 && behind == 0, "{state}: {error}, {at_limit}, {behind}");
            }
            _ => panic!("{state}: {reason}"),
        }
    }
}

/// Both would have a crank turn infinitely fast, and are refused at 8 rad/s.
#[test]
fn a_path_out_of_reach_is_refused_where_it_gets_too_fast() {
    for fault in [Injection::InfeasibleTarget, Injection::SingularPose] {
        let (_, _, reason) = until_found(fault, State::Running);
        let Reason::Refused(ControlError::Exceeded { what: "velocity", value: velocity, limit, .. }) = reason else {
            panic!("{fault}: {reason}")
        };
        assert!(limit == 8.0 && velocity.abs() > 8.0, "{fault}: {reason}");
    }
}
