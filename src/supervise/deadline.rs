//! Checks that ticks begin in time, and measures how long they take.
//!
//! The board has a free-running counter on the clock of the ticks. It wraps; a period is a whole number of counts. Tick n is released n
//! periods after the first one. If the loop is called at the count c:
//!
//! ```text
//!     lateness = c − release (mod 2³²),    missed = ⌊lateness/period⌋
//! ```
//!
//! Missed releases are skipped. A tick that begins too late is skipped, too: it is counted, the motors keep their efforts, and the path
//! goes on. Nothing is queued, so one overrun never causes another.

use core::num::NonZero;

/// A free-running counter of a board, which wraps after 2³² counts.
pub trait Clock {
    /// The count now.
    fn now(&mut self) -> u32;
}

/// A count that the caller has read. The tick then seems to take no time.
impl Clock for u32 {
    fn now(&mut self) -> u32 {
        *self
    }
}

/// A function that reads a counter.
impl<C: FnMut() -> u32> Clock for C {
    fn now(&mut self) -> u32 {
        self()
    }
}

/// Measured times in counts of the clock, and counts of late ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Timing {
    /// How late the last tick began.
    pub lateness: u32,
    /// The largest lateness of a tick that was not skipped.
    pub worst_lateness: u32,
    /// How long the last tick took.
    pub execution: u32,
    /// How long the longest tick took.
    pub worst_execution: u32,
    /// How many ticks have been skipped.
    pub skipped: u32,
    /// How many ticks ended after the next one's release.
    pub overruns: u32,
}

/// The schedule of a loop's ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The period is a divisor, hence not zero.
    period: NonZero<u32>,
    latest: u32,
    /// The count of the last release; `None` before the first tick.
    released: Option<u32>,
    begun: u32,
    timing: Timing,
}

/// The result of [`Deadline::begin`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// How many ticks before this one were missed.
    pub missed: u32,
    /// Whether this tick begins in time.
    pub in_time: bool,
}

impl Deadline {
    /// From the length of a tick in counts, 1 to 2³⁰, and the largest allowed lateness, less than a period. Other values are clamped.
    pub fn new(period: u32, latest: u32) -> Self {
        let period = NonZero::new(period.min(1 << 30)).unwrap_or(NonZero::<u32>::MIN);
        Self { period, latest: latest.min(period.get() - 1), released: None, begun: 0, timing: Timing::default() }
    }

    /// The measured times.
    pub fn timing(&self) -> &Timing {
        &self.timing
    }

    /// Begins a tick at a count. The first call is the first release.
    ///
    /// A call before its release is in time, and later releases count from it: the ticks of the board define the schedule. Gaps are
    /// detected up to half the counter's range.
    pub fn begin(&mut self, now: u32) -> Release {
        self.begun = now;
        let next = self.released.map_or(now, |released| released.wrapping_add(self.period.get()));
        let late = now.wrapping_sub(next);
        let early = late > u32::MAX / 2;
        let (late, release) = if early { (0, now) } else { (late, next) };
        let (missed, lateness) = (late / self.period, late % self.period);
        self.released = Some(release.wrapping_add(missed.wrapping_mul(self.period.get())));
        let in_time = lateness <= self.latest;
        self.timing.lateness = lateness;
        if in_time {
            self.timing.worst_lateness = self.timing.worst_lateness.max(lateness);
        }
        self.timing.skipped = self.timing.skipped.saturating_add(missed).saturating_add(u32::from(!in_time));
        Release { missed, in_time }
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

    /// Across the wrap of the counter, for several first counts.
    #[test]
    fn ticks_in_time_are_in_time_at_any_count() {
        for first in [0, 1, u32::MAX - 2_500, u32::MAX] {
            let mut deadline = Deadline::new(1_000, 100);
            for n in 0..10 {
                assert_eq!(deadline.begin(first.wrapping_add(n * 1_000 + 7 * (n % 2))), IN_TIME);
                deadline.end(first.wrapping_add(n * 1_000 + 600));
            }
            let timing = deadline.timing();
            assert_eq!((timing.worst_lateness, timing.skipped, timing.overruns), (7, 0, 0));
            assert_eq!(timing.worst_execution, 600);
        }
    }

    /// A tick of 2.3 periods: the next call is 1.3 periods late, its own release and the one before are skipped; the next is in time.
    #[test]
    fn an_overrun_is_skipped_and_the_loop_recovers() {
        let first = u32::MAX - 1_200;
        let at = |counts: u32| first.wrapping_add(counts);
        let mut deadline = Deadline::new(1_000, 100);
        deadline.begin(at(0));
        deadline.end(at(2_300));
        assert_eq!(deadline.timing().overruns, 1);
        assert_eq!(deadline.begin(at(2_301)), Release { missed: 1, in_time: false });
        assert_eq!(deadline.timing().skipped, 2);
        assert_eq!(deadline.begin(at(3_000)), IN_TIME);
        deadline.end(at(3_999));
        assert_eq!((deadline.timing().overruns, deadline.timing().lateness), (1, 0));
    }

    /// The schedule follows a board whose ticks are ten counts short.
    #[test]
    fn an_early_tick_moves_the_releases() {
        let mut deadline = Deadline::new(1_000, 100);
        for n in 0..1_000 {
            assert_eq!(deadline.begin(n * 990), IN_TIME);
        }
        assert_eq!(deadline.timing().worst_lateness, 0);
    }

    #[test]
    fn a_period_of_zero_counts_is_one() {
        let mut deadline = Deadline::new(0, u32::MAX);
        assert_eq!(deadline.begin(5), IN_TIME);
        assert_eq!(deadline.begin(9), Release { missed: 3, in_time: true });
    }
}
