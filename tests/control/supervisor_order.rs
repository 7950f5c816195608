//! The order within a tick: everything is judged before an effort is written, the brake opens with the first effort, and a second reason
//! is kept beside the first.

use taut::control::Actuators;
use taut::supervise::{Code, EncoderLimits, Output, Reason, Request, Second, State, Watch};
use taut::trajectory::Trajectory;

use crate::closed_loop_arm::{ENCODER, Swing, TICK, pid, strong};
use crate::running::Loop;
use crate::scripted::{Bench, Call, Scripted};

/// Runs a swing that is refused above 1 rad, with a machine that is a tenth of its target behind, until a fault: the record, the calls of
/// that tick, and the loop.
fn a_tenth_behind(largest_error: f32) -> (Vec<Call>, Loop<Swing, taut::control::Pid<f32, 1>, 1>) {
    let swing = Swing { limit: 1.0, ..Swing::between(0.0, 2.5, 1.0) };
    let watch = Watch { stuck_travel: [0.5], ..Watch::new(strong(), [EncoderLimits { largest_error, ..ENCODER }]) };
    let mut tracking = Loop::on_path(swing, pid(), watch).unwrap();
    let mut machine = Scripted::default();
    for tick in 0..1_000 {
        machine.reading = 0.9 * swing.path.motion_after(tick, TICK).position[0];
        machine.calls.clear();
        tracking.tick(&mut machine);
        if tracking.state.state() == State::Fault {
            return (machine.calls, tracking);
        }
    }
    panic!("no fault");
}

/// The first target above 1 rad is refused; in the same tick the error exceeds its limit, which lies between that of the last good tick
/// and that of this one.
#[test]
fn a_refused_target_and_an_error_beyond_its_limit_in_one_tick_are_off_in_that_tick() {
    let path = Swing::between(0.0, 2.5, 1.0).path;
    let angle = |tick| path.motion_after(tick, TICK).position[0];
    let refused = (0..1_000).find(|tick| angle(*tick) > 1.0).unwrap();
    let limit = 0.05 * (angle(refused - 1) + angle(refused));
    let (calls, tracking) = a_tenth_behind(limit);
    let (latched, record) = (tracking.state.latched().unwrap(), tracking.state.record());
    assert!(latched.tick == refused && matches!(latched.reason, Reason::Refused(_)), "{latched}");
    let Some(Second { tick, reason: Reason::TrackingError { index: 0, .. } }) = latched.second else {
        panic!("{latched}")
    };
    assert_eq!(
        (tick, record.output, record.code, record.second),
        (refused, Output::Off, Code::Refused, Code::TrackingError)
    );
    assert_eq!(calls, [Call::Disable]);

    // With a larger limit it is held.
    let (calls, tracking) = a_tenth_behind(2.0 * limit);
    assert_eq!((tracking.state.record().output, tracking.state.latched().unwrap().second), (Output::Held, None));
    assert!(matches!(calls.as_slice(), [Call::Drive(_)]), "{calls:?}");
}

/// Each of these faults is found after the effort has been computed, or before; none writes it.
#[test]
fn a_tick_that_disables_writes_no_effort() {
    // An error beyond its limit.
    let (calls, tracking) = a_tenth_behind(0.05);
    assert!(matches!(tracking.fault(), Some(Reason::TrackingError { .. })), "{:?}", tracking.fault());
    assert_eq!(calls, [Call::Disable]);

    // A motor at its limit against a machine that does not move.
    let watch = Watch { stuck_travel: [0.5], ..Watch::new(Actuators::new([1.0]).unwrap(), [ENCODER]) };
    let mut tracking = Loop::on_path(Swing::between(0.0, 2.5, 1.0), pid(), watch).unwrap();
    let mut machine = Scripted::default();
    while tracking.fault().is_none() {
        machine.calls.clear();
        tracking.tick(&mut machine);
    }
    assert!(matches!(tracking.fault(), Some(Reason::Saturated { wins: false, .. })), "{:?}", tracking.fault());
    assert_eq!((machine.calls.as_slice(), tracking.state.record().efforts[0]), ([Call::Disable].as_slice(), 0.0));
}

/// The arm stands at 0.5 rad and weighs 9.81 · 0.5 sin 0.5 = 2.35 N m: a brake that opened without that would let it fall for a tick.
#[test]
fn the_brake_opens_with_the_first_effort() {
    for request in [Request::Run, Request::Home] {
        let mut bench = Bench::idle(Swing::between(0.5, 1.0, 1.0), Watch::new(strong(), [ENCODER]), 0.5);
        bench.ask(request);
        // Sixteen ticks of alignment.
        for tick in 0..16 {
            assert_eq!(bench.tick().1, [Call::Disable], "{tick}");
        }
        let (record, calls) = bench.tick();
        let [Call::Enable, Call::Drive(effort)] = calls.as_slice() else { panic!("{calls:?}") };
        assert!((effort - 2.352).abs() < 1e-2 && record.efforts[0] == *effort, "{effort}");
        let (_, calls) = bench.tick();
        assert!(matches!(calls.as_slice(), [Call::Drive(_)]), "{calls:?}");
    }
}

/// A stop during the tick between alignment and effort leaves the brake closed.
#[test]
fn a_stop_before_the_first_effort_leaves_the_brake_closed() {
    let mut bench = Bench::idle(Swing::between(0.5, 1.0, 1.0), Watch::new(strong(), [ENCODER]), 0.5);
    bench.ask(Request::Run);
    (0..16).for_each(|_| drop(bench.tick()));
    bench.ask(Request::Stop);
    assert_eq!(bench.tick().1, [Call::Disable]);
}

/// Going from held to off has a reason of its own, in the latch and in the record.
#[test]
fn the_second_reason_is_kept_beside_the_first() {
    let swing = Swing { limit: 1.0, ..Swing::between(0.0, 2.5, 1.0) };
    let held = || {
        let mut bench = Bench::idle(swing, Watch::new(strong(), [ENCODER]), 0.0);
        bench.ask(Request::Run);
        while bench.obedient_tick().0.state != State::Fault {}
        assert_eq!((bench.state.record().output, bench.state.record().second), (Output::Held, Code::None));
        (0..500).for_each(|_| drop(bench.obedient_tick()));
        assert_eq!(bench.state.record().output, Output::Held);
        bench
    };
    // An encoder that fails.
    let mut bench = held();
    let first = *bench.state.latched().unwrap();
    bench.machine.reading = f32::NAN;
    let (record, calls) = bench.tick();
    assert_eq!((record.output, record.code, record.second), (Output::Off, Code::Refused, Code::Reading));
    assert_eq!(calls, [Call::Disable]);
    let second = bench.state.latched().unwrap().second.unwrap();
    assert_eq!((second.tick, second.reason), (record.tick, Reason::Reading { index: 0 }));
    // What comes later does not replace it.
    bench.machine.reading = 3.0;
    bench.tick();
    let latched = bench.state.latched().unwrap();
    assert_eq!((latched.reason, latched.second), (first.reason, Some(second)));
    assert!(latched.to_string().ends_with("encoder 0 reads NaN or infinity; check the encoder"), "{latched}");

    // The stop.
    let mut bench = held();
    bench.ask(Request::Stop);
    let (record, calls) = bench.tick();
    assert_eq!((record.state, record.output, record.second), (State::Fault, Output::Off, Code::Stopped));
    assert_eq!(calls, [Call::Disable]);
    // A reset clears both.
    bench.ask(Request::Reset);
    let (record, _) = bench.tick();
    assert_eq!((record.state, record.code, record.second), (State::Idle, Code::None, Code::None));
    assert_eq!(bench.state.latched(), None);
}

/// The plan stands still while the machine goes home, and while it is held; the target of every tick is in its record.
#[test]
fn the_plan_does_not_count_while_it_does_not_run() {
    let swing = Swing::between(0.5, 1.0, 1.0);
    let mut bench = Bench::idle(swing, Watch::new(strong(), [ENCODER]), 0.3);
    for _ in 0..10 {
        let (record, _) = bench.tick();
        assert_eq!((bench.state.plan_tick(), record.target[0]), (0, 0.3));
    }
    bench.ask(Request::Run);
    let mut homing = 0;
    loop {
        let (record, _) = bench.obedient_tick();
        assert_eq!(record.target - record.readings, record.errors);
        if record.state == State::Running {
            break;
        }
        assert_eq!((record.state, bench.state.plan_tick()), (State::Homing, 0));
        homing += 1;
    }
    assert!(homing > 500, "{homing}");
    for tick in 1..300 {
        assert_eq!(bench.state.plan_tick(), tick);
        let target = swing.path.motion_after(tick, TICK).position[0];
        // To the rounding of an angle that is computed from a pose.
        assert!((bench.obedient_tick().0.target[0] - target).abs() < 2.0 * f32::EPSILON);
    }
    bench.ask(Request::Hold);
    (0..300).for_each(|_| drop(bench.obedient_tick()));
    assert_eq!((bench.state.state(), bench.state.plan_tick()), (State::Hold, 300));
    bench.ask(Request::Home);
    bench.obedient_tick();
    assert_eq!((bench.state.state(), bench.state.plan_tick()), (State::Homing, 0));
}
