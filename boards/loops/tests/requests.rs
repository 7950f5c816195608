//! Whatever is asked of a loop, and whatever fails meanwhile: its states follow their table, and what the motors get follows from the
//! state.

use loops::{Options, Sample, arm};
use proptest::prelude::*;
use taut::supervise::{Injection, Output, Refusal, Request, State, Why};

/// The largest torque of the arm's motor.
const TORQUE: f32 = 12.0;

#[derive(Clone, Copy, Debug)]
enum Event {
    Ask(Request),
    Ticks(u32),
    Fault(Injection, u32),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        prop::sample::select(Request::ALL.to_vec()).prop_map(Event::Ask),
        (1_u32..400).prop_map(Event::Ticks),
        (prop::sample::select(Injection::ALL.to_vec()), 1_u32..60)
            .prop_map(|(fault, ticks)| Event::Fault(fault, ticks)),
    ]
}

struct Bench {
    program: arm::Program,
    calls: u32,
}

impl Bench {
    fn run(&mut self, ticks: u32, fault: Option<Injection>) {
        for _ in 0..ticks {
            self.tick(fault);
        }
    }

    fn tick(&mut self, fault: Option<Injection>) -> Sample {
        let before = self.program.state().state();
        let mut clock = self.calls.wrapping_mul(1_000);
        self.calls += 1;
        let sample = self.program.tick_with(fault, &mut clock, &mut ());

        // What no request asks for: homing ends, and everything ends in fault.
        let own = match before {
            State::Homing => [State::Homing, State::Running, State::Hold].as_slice(),
            State::Fault if fault == Some(Injection::BouncingReset) => [State::Idle].as_slice(),
            _ => [].as_slice(),
        };
        assert!(sample.state == before || sample.state == State::Fault || own.contains(&sample.state));
        match sample.state {
            State::Idle => assert_eq!(sample.output, Output::Off),
            State::Running => assert_eq!(sample.output, Output::Following),
            State::Homing | State::Hold => {}
            State::Fault => assert_ne!(sample.output, Output::Following),
        }
        if sample.output == Output::Off {
            assert_eq!(sample.efforts, [0.0; 2]);
        }
        assert!(sample.efforts.iter().all(|effort| effort.abs() <= TORQUE), "{sample:?}");
        assert_eq!(self.program.state().latched().is_some(), sample.state == State::Fault);
        sample
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn states_follow_their_table_and_a_restart_always_works(events in prop::collection::vec(event(), 1..30)) {
        let mut bench = Bench { program: arm::program(Options::default(), 1_000).unwrap(), calls: 0 };
        for event in events {
            match event {
                Event::Ask(request) => {
                    let state = bench.program.state().state();
                    let asked = bench.program.request(request);
                    let expected = state.after(request);
                    prop_assert_eq!(asked, expected.map(|_| ()).ok_or(Refusal { state, request, why: Why::State }));
                    prop_assert_eq!(bench.program.state().state(), expected.unwrap_or(state));
                }
                Event::Ticks(ticks) => bench.run(ticks, None),
                Event::Fault(fault, ticks) => {
                    let _ = bench.program.divert(fault);
                    bench.run(ticks, Some(fault));
                }
            }
        }

        // Whatever happened: off, reset, and it runs. The first reading after a reset is believed; if that was a false one, the true one
        // after it is a jump, once.
        let _ = bench.program.request(Request::Stop);
        for _ in 0..2 {
            let _ = bench.program.request(Request::Reset);
            prop_assert_eq!(bench.program.state().state(), State::Idle);
            bench.run(50, None);
        }
        bench.program.restore().unwrap();
        bench.program.request(Request::Run).unwrap();
        let last = (0..2_000).map(|_| bench.tick(None)).last().unwrap();
        prop_assert_eq!(last.state, State::Running, "{:?}", bench.program.state().latched());
        // What it is without a fault, see `the_arm_follows_its_swing`.
        prop_assert!(last.error < 2.5e-3, "{:?}", last);
    }
}
