//! Checks that ticks begin when they should, and measures how long they take.
//!
//! The board has a free-running counter, which wraps after 2³² counts. A period is a whole number of counts. The counter must not need
//! the interrupt of the ticks to go on: then it shows a timer that is too fast and ticks that are lost. Tick n is released n periods
//! after the first one. If the loop is called at the count c, all modulo 2³²:
//!
//! ```text
//!     s = c − release + period/32
//!     missed = ⌊s/period⌋,    lateness = max(s − missed · period − period/32, 0)    if s < 2³¹
//!     earliness = release − c                                                       otherwise
//! ```
//!
//! **A late tick** begins more than half a period after its release. It is skipped and counted: the motors keep their efforts, and the
//! path goes on. Missed releases are skipped, too. Nothing is queued, so one overrun never causes another.
//!
//! **An early tick** begins more than 1/32 of a period before its release. It is run, and later releases count from it. A tick that is
//! early by more than half a period is a fault at once, [`Early`](super::Reason::Early).
//!
//! **A leaky bucket** counts both. It tells a loop that is late now and then from one that is late again and again:
//!
//! ```text
//!     level ← level + 1             for each late, missed or early tick
//!     level ← max(level − 1/8, 0)   for each other tick
//! ```
//!
//! A level above [`max_skipped`](super::Watch::max_skipped) is a fault, [`Late`](super::Reason::Late) or `Early`. With a limit of four,
//! that is the fifth late tick in a row, or the fifth if every second tick is late, or the 26th if one in eight is. One in nine is accepted
//! for ever.
//!
//! **A frozen counter** has the same count at the beginning of two ticks: [`Frozen`](super::Reason::Frozen).
//!
//! **The timer and the counter may have different crystals.** Releases follow a timer that is slow by up to 1/1024 of a period in each
//! tick, and a timer that is fast by up to 1/32.
//!
//! # What is not found
//!
//! - Timer and counter that are wrong by the same factor, because they have the same oscillator. A watchdog with an oscillator of its own
//!   finds that if it has a window.
//! - An outage that is a multiple of 2³² counts, to within a tick: it looks like a tick in time. The watchdog must be faster than that.
//! - A timer that is fast by less than 1/32, or slow by less than 1/1024.

use core::num::NonZero;

pub use super::clock::{Clock, Timing};
use super::reason::Reason;
use super::watch::MAX_SKIPPED;
use crate::control::ControlError;
use crate::scalar::Float;

/// The shifts of a period that give the largest earliness of a single tick, that of a tick in time, and the drift of the releases.
const FAULT: u32 = 1;
const EARLY: u32 = 5;
const DRIFT: u32 = 10;

/// The bucket counts in eighths of a tick.
const TICK: u32 = 8;

/// The shortest period in counts, so that 1/32 of it is a count at least, and the longest.
const SHORTEST: u32 = 1 << EARLY;
const LONGEST: u32 = 1 << 30;

/// The schedule of a loop's ticks, and the heartbeat of whoever commands it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The period is a divisor, hence not zero.
    period: NonZero<u32>,
    latest: u32,
    /// The most ticks between two signs of life.
    heartbeat: Option<u32>,
    /// The count of the last release; `None` before the first tick.
    released: Option<u32>,
    begun: u32,
    /// How early the last tick began, if by more than 1/32 of a period.
    early: u32,
    frozen: bool,
    /// The level of the bucket, in eighths of a tick.
    level: u32,
    /// Ticks since the last sign of life.
    silent: u32,
    timing: Timing,
}

/// The result of [`Deadline::begin`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// How many ticks before this one were missed.
    pub missed: u32,
    /// Whether this tick begins in time: neither too late nor more than half a period early.
    pub in_time: bool,
}

impl Deadline {
    /// From the length of a tick in counts, and the heartbeat: how many ticks may pass between two calls of
    /// [`alive`](super::Supervisor::alive), or `None` if nothing commands the loop that could fail, for example a person at a button.
    ///
    /// [`Supervisor::start`](super::Supervisor::start) refuses a period that is not from 32 to 2³⁰ counts, and a heartbeat of zero.
    pub fn new(period: u32, heartbeat: Option<u32>) -> Self {
        let period = NonZero::new(period).unwrap_or(NonZero::<u32>::MIN);
        Self {
            period,
            latest: period.get() / 2,
            heartbeat,
            released: None,
            begun: 0,
            early: 0,
            frozen: false,
            level: 0,
            silent: 0,
            timing: Timing::default(),
        }
    }

    /// With another largest lateness of a tick in time, in counts. Half a period without it. At most a count less than a period.
    pub fn with_latest(self, latest: u32) -> Self {
        Self { latest: latest.min(self.period.get() - 1), ..self }
    }

    pub(super) fn checked<T: Float>(self) -> Result<Self, ControlError<T>> {
        let heartbeat = self.heartbeat.unwrap_or(1);
        for (what, given, smallest, largest) in
            [("tick in counts", self.period.get(), SHORTEST, LONGEST), ("heartbeat in ticks", heartbeat, 1, u32::MAX)]
        {
            if !(smallest..=largest).contains(&given) {
                let [given, smallest, largest] = [given, smallest, largest].map(|count| T::from_f64(f64::from(count)));
                return Err(ControlError::OutOfRange { what, given, smallest, largest });
            }
        }
        Ok(self)
    }

    /// The measured times.
    pub fn timing(&self) -> &Timing {
        &self.timing
    }

    /// Begins a tick at a count. The first call is the first release.
    pub fn begin(&mut self, now: u32) -> Release {
        let period = self.period.get();
        self.frozen = self.released.is_some() && now == self.begun;
        self.begun = now;
        let next = self.released.map_or(now, |released| released.wrapping_add(period));
        // A tick that is a little early belongs to its release, not to the one before: hence counts from a little before the release.
        let little = period >> EARLY;
        let since = now.wrapping_sub(next).wrapping_add(little);
        let is_early = since > u32::MAX / 2;
        self.early = if is_early { next.wrapping_sub(now) } else { 0 };
        let missed = if is_early { 0 } else { since / self.period };
        let lateness = if is_early { 0 } else { (since - missed * period).saturating_sub(little) };
        self.released = Some(now.wrapping_sub(lateness.saturating_sub(period >> DRIFT)));
        let in_time = lateness <= self.latest && self.early <= period >> FAULT;
        let skipped = missed.saturating_add(u32::from(!in_time));
        self.count(skipped, is_early);
        self.silent = self.silent.saturating_add(missed).saturating_add(1);
        self.timing.lateness = lateness;
        if in_time {
            self.timing.worst_lateness = self.timing.worst_lateness.max(lateness);
        }
        self.timing.skipped = self.timing.skipped.saturating_add(skipped);
        self.timing.early = self.timing.early.saturating_add(u32::from(is_early));
        Release { missed, in_time }
    }

    /// Fills or drains the bucket. It holds no more than a tick above the largest limit, so that it drains soon.
    fn count(&mut self, skipped: u32, is_early: bool) {
        let irregular = skipped.max(u32::from(is_early)).min(MAX_SKIPPED + 1);
        self.level = match irregular {
            0 => self.level.saturating_sub(1),
            _ => (self.level + irregular * TICK).min((MAX_SKIPPED + 1) * TICK),
        };
    }

    /// Judges the times of the tick that has begun. The bucket is not judged while the motors are off: late ticks do no harm then.
    #[inline(always)]
    pub(super) fn judge<T>(&self, max_skipped: u32, off: bool) -> Result<(), Reason<T>> {
        let is_far = self.early > self.period.get() >> FAULT;
        let is_often = self.level > max_skipped.saturating_mul(TICK) && !off;
        if self.frozen || is_far || is_often { Err(self.irregular(is_far, max_skipped)) } else { Ok(()) }
    }

    /// What is wrong with the tick that has begun.
    #[inline(never)]
    fn irregular<T>(&self, is_far: bool, max_skipped: u32) -> Reason<T> {
        match self.early {
            _ if self.frozen => Reason::Frozen { count: self.begun },
            0 => Reason::Late { skipped: self.level.div_ceil(TICK), limit: max_skipped },
            by => Reason::Early { by, limit: self.period.get() >> if is_far { FAULT } else { EARLY } },
        }
    }

    /// Begins a new schedule with the next tick: after a clock that was wrong, the old one means nothing.
    pub(super) fn restart(&mut self) {
        (self.released, self.early, self.level, self.frozen) = (None, 0, 0, false);
    }

    /// A sign of life.
    pub(super) fn alive(&mut self) {
        self.silent = 0;
    }

    /// Whether whoever commands the loop has been silent for too long.
    #[inline(always)]
    pub(super) fn listen<T>(&self) -> Result<(), Reason<T>> {
        match self.heartbeat {
            Some(limit) if self.silent > limit => Err(Reason::Silent { ticks: self.silent, limit }),
            _ => Ok(()),
        }
    }

    /// Ends the tick at a count.
    pub fn end(&mut self, now: u32) {
        let timing = &mut self.timing;
        timing.execution = now.wrapping_sub(self.begun);
        timing.worst_execution = timing.worst_execution.max(timing.execution);
        let since = self.released.map_or(0, |released| now.wrapping_sub(released));
        if since > self.period.get() {
            timing.overruns = timing.overruns.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IN_TIME: Release = Release { missed: 0, in_time: true };
    /// As loops have it by default.
    const MAX: u32 = 4;

    fn deadline() -> Deadline {
        Deadline::new(1_000, None).with_latest(100)
    }

    /// Begins ticks at the counts, and returns the number of the first one that is refused, with the reason.
    fn refused(mut deadline: Deadline, counts: impl IntoIterator<Item = u32>) -> Option<(usize, Reason<f32>)> {
        counts.into_iter().enumerate().find_map(|(tick, count)| {
            deadline.begin(count);
            deadline.end(count);
            deadline.judge(MAX, false).err().map(|reason| (tick, reason))
        })
    }

    /// Across the wrap of the counter, for several first counts.
    #[test]
    fn ticks_in_time_are_in_time_at_any_count() {
        for first in [0, 1, u32::MAX - 2_500, u32::MAX] {
            let mut deadline = deadline();
            for n in 0..10 {
                assert_eq!(deadline.begin(first.wrapping_add(n * 1_000 + 7 * (n % 2))), IN_TIME);
                assert_eq!(deadline.judge::<f32>(0, false), Ok(()));
                deadline.end(first.wrapping_add(n * 1_000 + 600));
            }
            let timing = deadline.timing();
            assert_eq!((timing.worst_lateness, timing.skipped, timing.overruns, timing.early), (7, 0, 0, 0));
            assert_eq!(timing.worst_execution, 600);
        }
    }

    #[test]
    fn the_largest_lateness_is_in_time_and_a_count_more_is_not() {
        for (lateness, in_time) in [(100, true), (101, false)] {
            let mut deadline = deadline();
            deadline.begin(0);
            assert_eq!(deadline.begin(1_000 + lateness), Release { missed: 0, in_time });
        }
    }

    /// A tick of 2.3 periods: the next call is 1.3 periods late, its own release and the one before are skipped; the next is in time.
    #[test]
    fn an_overrun_is_skipped_and_the_loop_recovers() {
        let first = u32::MAX - 1_200;
        let at = |counts: u32| first.wrapping_add(counts);
        let mut deadline = deadline();
        deadline.begin(at(0));
        deadline.end(at(2_300));
        assert_eq!(deadline.timing().overruns, 1);
        assert_eq!(deadline.begin(at(2_301)), Release { missed: 1, in_time: false });
        assert_eq!(deadline.timing().skipped, 2);
        assert_eq!(deadline.begin(at(3_000)), IN_TIME);
        deadline.end(at(3_999));
        assert_eq!((deadline.timing().overruns, deadline.timing().lateness), (1, 0));
    }

    /// The schedule follows a board whose ticks are ten counts of a thousand short: less than 1/32.
    #[test]
    fn an_early_tick_moves_the_releases() {
        assert_eq!(refused(deadline(), (0..1_000).map(|n| n * 990)), None);
    }

    /// Also after missed ones: the timer of one loop is not exactly that of the counter.
    #[test]
    fn a_tick_that_is_a_little_early_belongs_to_its_release() {
        let mut deadline = deadline();
        for (now, missed) in [(0, 0), (999, 0), (3_990, 2), (4_960, 0)] {
            assert_eq!(deadline.begin(now), Release { missed, in_time: true }, "{now}");
            assert_eq!(deadline.timing().lateness, 0, "{now}");
        }
        assert_eq!((deadline.timing().skipped, deadline.timing().early), (2, 0));
    }

    /// 500 ppm, for long enough to be late by many periods.
    #[test]
    fn releases_follow_a_timer_that_is_a_little_slow() {
        let period = 1 << 16;
        let mut deadline = Deadline::new(period, None);
        for n in 0..100_000_u32 {
            assert_eq!(deadline.begin(n.wrapping_mul(period + period / 2_000)), IN_TIME);
        }
        assert!(deadline.timing().worst_lateness <= period / 1_000, "{:?}", deadline.timing());
        // 2,000 ppm are more than 1/1024.
        let slow = (0..10_000_u32).map(|n| n.wrapping_mul(period + period / 500));
        assert!(matches!(refused(Deadline::new(period, None), slow), Some((_, Reason::Late { .. }))));
    }

    #[test]
    fn a_frozen_counter_is_found_in_the_next_tick() {
        assert_eq!(refused(deadline(), [7; 3]), Some((1, Reason::Frozen { count: 7 })));
        assert_eq!(refused(deadline(), [0, 1_000, 2_000, 2_000]), Some((3, Reason::Frozen { count: 2_000 })));
    }

    /// Three times too fast is found at once, a tenth too fast by the bucket.
    #[test]
    fn a_timer_that_is_too_fast_is_found() {
        let fast = |period: u32| refused(deadline(), (0..1_000).map(|n| n * period));
        assert_eq!(fast(333), Some((1, Reason::Early { by: 667, limit: 500 })));
        assert_eq!(fast(900), Some((5, Reason::Early { by: 100, limit: 31 })));
    }

    /// The counts of a timer, with the ticks late by three quarters of a period for which `late` is true.
    fn late(late: impl Fn(u32) -> bool) -> impl Iterator<Item = u32> {
        (0..10_000).map(move |n| n * 1_000 + if late(n) { 750 } else { 0 })
    }

    /// One in nine is accepted, as the bucket drains as fast as it is filled.
    #[test]
    fn ticks_that_are_late_again_and_again_are_found() {
        let too_late = |tick| Some((tick, Reason::Late { skipped: 5, limit: MAX }));
        assert_eq!(refused(deadline(), late(|n| n > 0)), too_late(5));
        assert_eq!(refused(deadline(), late(|n| n % 2 == 1)), too_late(9));
        assert_eq!(refused(deadline(), late(|n| n % 5 != 0)), too_late(6));
        // The level rises by 1/8 every eight ticks, from 1 to more than 4.
        assert_eq!(refused(deadline(), late(|n| n % 8 == 7)), too_late(7 + 8 * 25));
        assert_eq!(refused(deadline(), late(|n| n % 9 == 8)), None);
    }

    /// Half the range of the counter and more looks early.
    #[test]
    fn a_long_outage_is_found() {
        let after = |counts: u32| refused(deadline(), [0, counts]).map(|(_, reason)| reason);
        for counts in [1 << 20, 1 << 31, (1 << 31) + 900] {
            assert!(matches!(after(counts), Some(Reason::Late { limit: MAX, .. })), "{counts}");
        }
        for counts in [(1 << 31) + 1_000, 3 << 30, u32::MAX, 499] {
            assert!(matches!(after(counts), Some(Reason::Early { limit: 500, .. })), "{counts}");
        }
    }

    #[test]
    fn silence_is_found_after_the_limit() {
        let mut deadline = Deadline::new(1_000, Some(3));
        for n in 0..3 {
            deadline.begin(n * 1_000);
            assert_eq!(deadline.listen::<f32>(), Ok(()));
        }
        deadline.alive();
        // Missed ticks count.
        deadline.begin(6_000);
        assert_eq!(deadline.listen::<f32>(), Err(Reason::Silent { ticks: 4, limit: 3 }));
        deadline.alive();
        assert_eq!(deadline.listen::<f32>(), Ok(()));
    }

    #[test]
    fn a_period_or_a_heartbeat_out_of_range_is_refused() {
        let refused = |period, heartbeat| Deadline::new(period, heartbeat).checked::<f32>().is_err();
        assert!(refused(0, None) && refused(31, None) && refused((1 << 30) + 1, None) && refused(1_000, Some(0)));
        assert!(!refused(32, None) && !refused(1 << 30, Some(1)));
    }
}
