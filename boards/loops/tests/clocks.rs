//! Clocks that are wrong, ticks that are late again and again, and a commander that falls silent: each stops the loop with its own reason.

use loops::{Options, five_bar};
use taut::supervise::{Code, Deadline, Output, Reason, Request, State, Watchdog};

const PERIOD: u32 = 1_000;

#[derive(Default)]
struct Fed(u32);

impl Watchdog for Fed {
    fn feed(&mut self) {
        self.0 += 1;
    }
}

/// A loop in a state, and the count of its next tick.
fn loop_in(state: State) -> (five_bar::Program, u32) {
    let mut program = five_bar::program(Options::default(), PERIOD).unwrap();
    let mut ticks = 0..;
    let mut tick = |program: &mut five_bar::Program, count: u32| {
        for _ in 0..count {
            program.tick_with(None, &mut (ticks.next().unwrap() * PERIOD), &mut ());
        }
    };
    tick(&mut program, 20);
    if state != State::Idle {
        program.request(Request::Run).unwrap();
        // Homing takes some 520 ticks.
        tick(&mut program, if state == State::Homing { 220 } else { 800 });
    }
    if state == State::Hold {
        program.request(Request::Hold).unwrap();
        tick(&mut program, 200);
    }
    assert_eq!(program.state().state(), state);
    (program, ticks.start * PERIOD)
}

/// The counts of a clock after the count of the next tick; the tick in which the loop must find it, and the kind of the reason.
type Attack = (&'static str, fn(u32) -> u32, u32, Code);

/// Tick n of a clock in order has the count n · 1,000. Found after: see the unit tests of `Deadline`.
const ATTACKS: [Attack; 8] = [
    ("frozen from the first tick on", |_| 0, 1, Code::Frozen),
    ("three times too fast", |n| n * PERIOD / 3, 1, Code::Early),
    ("a tenth too fast", |n| n * (PERIOD - 100), 5, Code::Early),
    ("every tick late", |n| n * PERIOD + 750, 4, Code::Late),
    ("every second tick late", |n| n * PERIOD + n % 2 * 750, 9, Code::Late),
    ("four of five ticks late", |n| n * PERIOD + if n % 5 == 0 { 0 } else { 750 }, 6, Code::Late),
    ("an outage of 2³¹ counts and more", |n| n * PERIOD + (1 << 31) + PERIOD, 0, Code::Early),
    ("an outage of 2³² counts less five ticks", |n| (n * PERIOD).wrapping_sub(5 * PERIOD), 0, Code::Early),
];

/// The motors are off in the tick that finds it. In idle only what a single tick shows is a fault; the bucket is judged when the motors are
/// on.
#[test]
fn every_wrong_clock_stops_the_loop_in_every_state() {
    for (what, count, expected, code) in ATTACKS {
        for state in [State::Idle, State::Homing, State::Running, State::Hold] {
            let (mut program, first) = loop_in(state);
            let mut tick = |n| program.tick_with(None, &mut first.wrapping_add(count(n)), &mut ());
            for n in 0..expected {
                assert_eq!(tick(n).code, Code::None, "{what} in {state}, tick {n}");
            }
            let sample = tick(expected);
            if state == State::Idle && expected > 1 {
                assert_eq!((sample.state, sample.code), (state, Code::None), "{what} in {state}");
            } else {
                assert_eq!((sample.state, sample.code), (State::Fault, code), "{what} in {state}");
                assert!(program.brakes_are_closed(), "{what} in {state}");
            }
        }
    }
}

/// One tick in nine may be late for ever: the loop goes on, its watchdog is not fed in those ticks.
#[test]
fn a_loop_that_is_seldom_late_goes_on() {
    let (mut program, first) = loop_in(State::Running);
    let mut fed = Fed::default();
    for n in 0..9_000 {
        let late = if n % 9 == 8 { 750 } else { 0 };
        let sample = program.tick_with(None, &mut first.wrapping_add(n * PERIOD + late), &mut fed);
        assert_eq!((sample.state, sample.code), (State::Running, Code::None), "{n}");
    }
    assert_eq!(fed.0, 8_000);
}

/// A watchdog, windowed or not, must not be fed by a loop whose clock is wrong.
#[test]
fn the_watchdog_is_not_fed_by_a_loop_that_runs_too_fast_or_has_no_clock() {
    for period in [0, PERIOD / 3] {
        let (mut program, first) = loop_in(State::Running);
        let mut fed = Fed::default();
        for n in 0..100 {
            program.tick_with(None, &mut first.wrapping_add(n * period), &mut fed);
        }
        assert_eq!(fed.0, 1, "{period}");
    }
}

/// A loop with a heartbeat of fifty ticks, and its machine.
mod commanded {
    use super::*;
    use loops::{Brake, Braked, Simulation};
    use mechanisms::FiveBar;
    use taut::device::Plant;
    use taut::method::RungeKutta4;
    use taut::start::{self, Clock, Start};
    use taut::supervise::Record;

    pub struct Loop {
        pub control: five_bar::Control,
        machine: Braked<FiveBar<f32>, RungeKutta4<f32>, start::State<f32, 4, 2>, 2, 2>,
        ticks: u32,
    }

    impl Loop {
        pub fn new(heartbeat: Option<u32>) -> Self {
            let linkage = FiveBar::standard();
            let (supervisor, _) = five_bar::control(PERIOD).unwrap();
            let state = supervisor.start(Deadline::new(PERIOD, heartbeat)).unwrap();
            let pose = linkage.elbows_out([-0.02, 0.15].into());
            let at_rest = Start::at(&linkage, Clock::at_rate(1_000.0).unwrap(), pose).at_rest().unwrap();
            let plant = Plant::new(linkage, at_rest, RungeKutta4::new());
            let machine = Braked::new(plant, [Brake { stiffness: 180.0, damping: 0.9 }; 2]);
            Self { control: (supervisor, state), machine, ticks: 0 }
        }

        pub fn tick(&mut self) -> Record<f32, 2, 2> {
            let (supervisor, state) = &mut self.control;
            supervisor.tick(state, &mut self.machine, &mut (self.ticks * PERIOD), &mut ());
            self.ticks += 1;
            self.machine.tick().unwrap();
            *state.record()
        }

        pub fn alive(&mut self) {
            self.control.0.alive(&mut self.control.1);
        }

        pub fn request(&mut self, request: Request) {
            self.control.0.request(&mut self.control.1, request).unwrap();
        }
    }
}

/// The machine comes to rest and is held, in the tick that finds it: readings and controller are good, and a motor that is switched off
/// may drop its load. It moves again only after a reset and a run.
#[test]
fn a_commander_that_falls_silent_leaves_a_machine_that_is_held() {
    let mut commanded = commanded::Loop::new(Some(50));
    // In idle it may be silent.
    for _ in 0..100 {
        assert_eq!(commanded.tick().code, Code::None);
    }
    commanded.request(Request::Run);
    for n in 0..1_000 {
        if n % 50 == 49 {
            commanded.alive();
        }
        assert_eq!(commanded.tick().code, Code::None, "{n}");
    }
    assert_eq!(commanded.control.1.state(), State::Running);
    commanded.alive();
    for n in 0..50 {
        assert_eq!(commanded.tick().state, State::Running, "{n}");
    }
    let record = commanded.tick();
    assert_eq!((record.state, record.output, record.code), (State::Fault, Output::Held, Code::Silent));
    assert_eq!(commanded.control.1.latched().unwrap().reason, Reason::Silent { ticks: 51, limit: 50 });
    let before = (0..1_000).map(|_| commanded.tick()).last().unwrap();
    let after = commanded.tick();
    assert_eq!((after.state, after.output), (State::Fault, Output::Held));
    // At rest to a count of nothing but rounding: the plant has no encoder counts.
    assert!((after.readings - before.readings).abs().max() < 1e-5, "{before:?}\n{after:?}");
    // A sign of life is no reset.
    commanded.alive();
    assert_eq!(commanded.tick().state, State::Fault);
    commanded.request(Request::Reset);
    for _ in 0..100 {
        assert_eq!(commanded.tick().state, State::Idle);
    }
    commanded.request(Request::Run);
    assert_eq!(commanded.tick().code, Code::None);
}

/// Without a heartbeat nobody has to be alive.
#[test]
fn without_a_heartbeat_silence_is_accepted() {
    let mut commanded = commanded::Loop::new(None);
    commanded.request(Request::Run);
    let last = (0..2_000).map(|_| commanded.tick()).last().unwrap();
    assert_eq!((last.state, last.code), (State::Running, Code::None));
}
