//! Late ticks: counted, skipped, never queued; and the watchdog, which is not fed then.

use loops::{Options, Sample, five_bar};
use proptest::prelude::*;
use taut::supervise::{Code, Deadline, Release, State, Watchdog};

const PERIOD: u32 = 1_000;

#[derive(Default)]
struct Fed(u32);

impl Watchdog for Fed {
    fn feed(&mut self) {
        self.0 += 1;
    }
}

proptest! {
    /// Whenever a loop is called, and wherever its counter began: ticks are numbered by the time, each is run, skipped or missed, and
    /// what is late by more than it may be is not run. The last 1/32 of a period belongs to the next release.
    #[test]
    fn ticks_are_numbered_by_the_time(
        first: u32,
        latest in 0..PERIOD,
        delays in prop::collection::vec((0_u64..5, 0..u64::from(PERIOD - PERIOD / 32)), 1..60),
    ) {
        let mut deadline = Deadline::new(PERIOD, None).with_latest(latest);
        deadline.begin(first);
        let (mut tick, mut run) = (0_u64, 1);
        for (periods, counts) in delays {
            // A call comes at its release, or later; never twice in a tick.
            let time = (tick + 1 + periods) * u64::from(PERIOD) + counts;
            let Release { missed, in_time } = deadline.begin(first.wrapping_add(time as u32));
            tick += u64::from(missed) + 1;
            run += u64::from(in_time);
            prop_assert_eq!(tick, time / u64::from(PERIOD));
            prop_assert_eq!(in_time, time % u64::from(PERIOD) <= u64::from(latest));
            prop_assert_eq!(u64::from(deadline.timing().lateness), time % u64::from(PERIOD));
        }
        prop_assert_eq!(u64::from(deadline.timing().skipped), tick + 1 - run);
    }
}

/// A loop that has run for a while, with the count at which it is.
fn running() -> (five_bar::Program, u32, Fed) {
    let mut program = five_bar::program(Options::default(), PERIOD).unwrap();
    // The counter wraps on the way.
    let mut count = u32::MAX - 700 * PERIOD;
    let mut fed = Fed::default();
    for _ in 0..1_000 {
        program.tick(&mut { count }, &mut fed);
        count = count.wrapping_add(PERIOD);
    }
    assert_eq!((program.state().state(), fed.0), (State::Running, 1_000));
    (program, count, fed)
}

/// An overrun of two and a half periods: two releases are missed, the third is too late, and the fourth is in time and on the path, which
/// has gone on.
#[test]
fn an_overrun_is_counted_and_skipped_and_the_loop_recovers() {
    let (mut program, count, mut fed) = running();
    let at = |periods: u32, counts: u32| count.wrapping_add(periods * PERIOD + counts);
    let late: Sample = program.tick(&mut at(2, 600), &mut fed);
    assert_eq!((late.tick, late.timing.skipped, late.state), (1_002, 3, State::Running));
    // Not fed: the tick was not in time.
    assert_eq!(fed.0, 1_000);
    let mut worst = 0.0_f32;
    for tick in 1_003..1_500 {
        let sample = program.tick(&mut at(tick - 1_000, 0), &mut fed);
        assert_eq!((sample.tick, sample.state, sample.code), (u64::from(tick), State::Running, Code::None));
        worst = worst.max(sample.error);
    }
    assert_eq!((program.summary().timing.skipped, program.summary().faults), (3, 0));
    assert_eq!(fed.0, 1_000 + 497);
    // The same torque for four ticks instead of one: what holds over a tick is late by h/2 and leaves 3e-6 m, so 4² times that, and what
    // it is without an overrun.
    assert!(worst < 16.0 * 3e-6 + 1e-4, "{worst:e}");
}

/// A clock whose tick takes a period and a half: an overrun, the next release passes meanwhile.
#[test]
fn an_execution_that_is_too_long_is_an_overrun() {
    struct Slow(u32, u32);
    impl taut::supervise::Clock for Slow {
        fn now(&mut self) -> u32 {
            let now = self.0;
            self.0 = self.0.wrapping_add(self.1);
            now
        }
    }
    let (mut program, count, mut fed) = running();
    let sample = program.tick(&mut Slow(count, 1_500), &mut fed);
    assert_eq!((sample.timing.execution, sample.timing.overruns), (1_500, 1));
    // It was called again at once, and is 600 counts late: skipped.
    let sample = program.tick(&mut count.wrapping_add(1_600), &mut fed);
    assert_eq!((sample.timing.skipped, sample.tick), (1, 1_001));
    let sample = program.tick(&mut count.wrapping_add(2_000), &mut fed);
    assert_eq!((sample.timing.skipped, sample.timing.overruns, sample.state), (1, 1, State::Running));
}

/// A loop that is not called any more does not feed its watchdog; called again after too long, it has stopped.
#[test]
fn a_loop_that_was_away_for_too_long_stops() {
    let (mut program, count, mut fed) = running();
    let sample = program.tick(&mut count.wrapping_add(100 * PERIOD), &mut fed);
    assert_eq!((sample.state, sample.code, sample.efforts), (State::Fault, Code::Late, [0.0; 2]));
    assert_eq!(sample.timing.skipped, 100);
}
