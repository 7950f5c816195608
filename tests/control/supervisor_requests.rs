//! Who may move the machine: not a reset, not a request against the stop, and nobody while an encoder has no reference or homing would wind.

use taut::control::Feedforward;
use taut::supervise::{Code, Output, Reason, Refusal, Request, State, Watch, Why};

use crate::closed_loop_arm::{ENCODER, Swing, strong};
use crate::scripted::{Bench, Call};

fn watch() -> Watch<f32, 1, 1> {
    Watch::new(strong(), [ENCODER])
}

fn bench(reading: f32) -> Bench {
    Bench::idle(Swing::between(0.5, 1.0, 1.0), watch(), reading)
}

/// A loop that runs.
fn running() -> Bench {
    let mut bench = bench(0.5);
    bench.ask(Request::Run);
    while bench.obedient_tick().0.state != State::Running {}
    bench
}

fn refusal(bench: &mut Bench, request: Request) -> Option<Why> {
    bench.supervisor.request(&mut bench.state, request).err().map(|Refusal { why, .. }| why)
}

/// In every state, in that tick, whatever is asked for; after it is released nothing moves by itself.
#[test]
fn a_stop_that_is_asserted_wins_over_everything() {
    let faulty = || {
        let mut bench = running();
        bench.supervisor.set_plan(&mut bench.state, Swing::between(0.5, 0.6, 1.0).start().unwrap()).unwrap_err();
        bench.machine.reading = f32::NAN;
        bench.tick();
        bench.machine.reading = 0.5;
        bench
    };
    let hold = || {
        let mut bench = running();
        bench.ask(Request::Hold);
        bench.obedient_tick();
        bench
    };
    let homing = |ticks| {
        let mut bench = bench(0.5);
        bench.ask(Request::Run);
        (0..ticks).for_each(|_| drop(bench.obedient_tick()));
        bench
    };
    for mut bench in [bench(0.5), homing(5), homing(16), homing(100), running(), hold(), faulty()] {
        let before = bench.state.state();
        for _ in 0..100 {
            bench.supervisor.stop_while(&mut bench.state, true);
            for request in [Request::Home, Request::Run, Request::Hold] {
                let expected =
                    if before == State::Fault || request == Request::Hold { Why::State } else { Why::Stopped };
                assert_eq!(refusal(&mut bench, request), Some(expected), "{before} {request}");
            }
            assert_eq!(bench.tick().1, [Call::Disable], "{before}");
            let expected = if before == State::Fault { State::Fault } else { State::Idle };
            assert_eq!((bench.state.state(), bench.state.record().output), (expected, Output::Off));
        }
        // A fault can be reset meanwhile, but not left by a run.
        if before == State::Fault {
            bench.ask(Request::Reset);
            bench.supervisor.stop_while(&mut bench.state, true);
            assert_eq!(refusal(&mut bench, Request::Run), Some(Why::Stopped));
        }
        for _ in 0..100 {
            bench.supervisor.stop_while(&mut bench.state, false);
            assert_eq!(bench.tick().1, [Call::Disable], "{before}");
            assert_eq!(bench.state.state(), State::Idle);
        }
        // A reset loses the reference, which this machine has again.
        bench.machine.unreferenced = false;
        bench.ask(Request::Run);
        assert_eq!(bench.tick().0.state, State::Homing);
    }
}

/// Neither one reset nor a hundred of them.
#[test]
fn a_reset_never_moves_the_machine() {
    let mut bench = running();
    bench.machine.reading = f32::NAN;
    bench.tick();
    bench.machine.reading = 0.5;
    assert_eq!(bench.state.state(), State::Fault);
    for _ in 0..100 {
        let _ = bench.supervisor.request(&mut bench.state, Request::Reset);
        let (record, calls) = bench.tick();
        assert_eq!(
            (record.state, record.output, calls.as_slice()),
            (State::Idle, Output::Off, [Call::Disable].as_slice())
        );
    }
}

/// The fault names the encoder. The machine stays where it is, its motor off; with a reference it moves, and a reset loses it again.
#[test]
fn a_machine_without_a_reference_does_not_move() {
    for request in [Request::Run, Request::Home] {
        let mut bench = bench(0.5);
        bench.machine.unreferenced = true;
        // In idle it may be read.
        assert_eq!(bench.tick().0.code, Code::None);
        bench.ask(request);
        let (record, calls) = bench.tick();
        assert_eq!((record.state, record.code, record.output), (State::Fault, Code::Unreferenced, Output::Off));
        assert_eq!(bench.state.latched().unwrap().reason, Reason::Unreferenced { index: 0 });
        assert_eq!(calls, [Call::Disable]);
        // It gets its reference while the fault is latched: that reset does not lose it.
        bench.machine.unreferenced = false;
        bench.ask(Request::Reset);
        bench.tick();
        bench.ask(request);
        while bench.obedient_tick().0.state == State::Homing {}
        assert_eq!(bench.state.latched(), None);
        // Another fault, another reset: what the encoder did meanwhile is not known.
        bench.machine.reading = f32::NAN;
        bench.tick();
        bench.machine.reading = 0.5;
        bench.ask(Request::Reset);
        bench.tick();
        assert!(bench.machine.unreferenced);
        bench.ask(request);
        assert_eq!(bench.tick().0.code, Code::Unreferenced);
    }
}

/// A reference that is lost on the way switches the motors off.
#[test]
fn a_reference_that_is_lost_while_running_is_a_fault() {
    let mut bench = running();
    bench.machine.unreferenced = true;
    let (record, calls) = bench.obedient_tick();
    assert_eq!(
        (record.code, record.output, calls.as_slice()),
        (Code::Unreferenced, Output::Off, [Call::Disable].as_slice())
    );
}

/// The arm stands 3.5 rad from where the path begins, more than half a turn: it does not move.
#[test]
fn homing_does_not_wind() {
    let mut bench = Bench::idle(Swing::between(2.5, 1.0, 1.0), watch(), -1.0);
    bench.ask(Request::Run);
    for _ in 0..100 {
        assert_eq!(bench.tick().1, [Call::Disable]);
    }
    let reason = bench.state.latched().unwrap().reason;
    let Reason::TooFar { index: 0, distance, limit } = reason else { panic!("{reason}") };
    assert!((distance - 3.5).abs() < 1e-3 && limit == core::f32::consts::PI, "{reason}");

    // From the hold it is refused, and the hold goes on.
    let mut bench = running();
    bench.ask(Request::Hold);
    bench.obedient_tick();
    bench.supervisor.set_plan(&mut bench.state, Swing::between(-2.9, -2.5, 1.0).start().unwrap()).unwrap();
    assert_eq!(refusal(&mut bench, Request::Run), Some(Why::TooFar { motor: 0 }));
    let (record, calls) = bench.obedient_tick();
    assert_eq!((record.state, record.output), (State::Hold, Output::Held));
    assert!(matches!(calls.as_slice(), [Call::Drive(_)]), "{calls:?}");
}

/// A motor that moves although it is off: its bridge is shorted, or the brake slips. Without brakes nothing is said.
#[test]
fn a_motor_that_moves_while_it_is_off_is_found() {
    for (limit, request) in [(Some(0.125), None), (Some(0.125), Some(Request::Run)), (None, None)] {
        let watch = Watch { off_travel: limit.map(|limit| [limit]), ..watch() };
        let mut bench = Bench::idle(Swing::between(0.5, 1.0, 1.0), watch, 0.5);
        if let Some(request) = request {
            bench.tick();
            bench.ask(request);
        }
        let mut found = None;
        for tick in 0..15 {
            bench.machine.reading = 0.5 + 0.015625 * tick as f32;
            let (_, calls) = bench.tick();
            assert_eq!(calls, [Call::Disable]);
            found = found.or(bench.state.latched().map(|latched| (tick, latched.reason)));
        }
        match limit {
            None => assert_eq!(found, None),
            // The ninth tick is the first beyond 0.125 rad.
            Some(limit) => assert_eq!(found, Some((9, Reason::Moved { index: 0, travel: 0.140625, limit }))),
        }
    }
}
