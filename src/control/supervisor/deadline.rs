//! Whether ticks come in time, and how long they take.
//!
//! A board's counter runs freely with the clock that makes the ticks, and wraps; a period is a whole number of its counts. The tick n is released
//! at the count of the first one plus n periods. Of a count c at which the loop is called:
//!
//! ```text
//!     lateness = c − release (mod 2³²),    missed = ⌊lateness/period⌋
//! ```
//!
//! Releases that were missed altogether are skipped, and so is the one that is later than it may be: it is counted, the motors keep
//! what they have, the path goes on, and the next tick comes in time. Nothing is queued, so one overrun never makes another.

use core::num::NonZero;

/// A counter of a board that runs freely and wraps after 2³² counts.
pub trait Clock {
    /// The count now.
    fn now(&mut self) -> u32;
}

/// A count that was read by the caller: a tick then takes no time.
impl Clock for u32 {
    fn now(&mut self) -> u32 {
        *self
    }
}

impl<C: Clock> Clock for &mut C {
    fn now(&mut self) -> u32 {
        (**self).now()
    }
}

/// What has been measured, in counts of the clock, and how often something was wrong.
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
    /// The longest.
    pub worst_execution: u32,
    /// How many ticks have been skipped.
    pub skipped: u32,
    /// How many ticks ended after the next one's release.
    pub overruns: u32,
}

/// The releases of a loop's ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// Divided by: not zero.
    period: NonZero<u32>,
    latest: u32,
    /// The count of the last release and of the next; none before the first tick.
    released: Option<u32>,
    begun: u32,
    timing: Timing,
}

/// What a call finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// How many ticks before this one were missed.
    pub missed: u32,
    /// Whether this one is in time.
    pub in_time: bool,
}

impl Deadline {
    /// From the length of a tick in counts, from 1 to 2³⁰, and how late one may begin: at most a period.
    pub fn new(period: u32, latest: u32) -> Self {
        let period = NonZero::new(period.min(1 << 30)).unwrap_or(NonZero::<u32>::MIN);
        Self { period, latest: latest.min(period.get() - 1), released: None, begun: 0, timing: Timing::default() }
    }

    /// What has been measured.
    pub fn timing(&self) -> &Timing {
        &self.timing
    }

    /// The length of a tick in counts.
    pub fn period(&self) -> u32 {
        self.period.get()
    }

    /// The loop has been called at a count. The first call is the first release.
    ///
    /// A call before its release is in time, and the releases count from it: the board's ticks are what counts. Outages are told up to half
    /// the counter's range.
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

    /// The tick has ended at a count.
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

    /// Across the wrap of the counter, whatever the first count.
    #[test]
    fn ticks_in_time_are_in_time_wherever_the_counter_is() {
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

    /// A board whose ticks are a count short is followed.
    #[test]
    fn an_early_tick_moves_the_releases() {
        let mut deadline = Deadline::new(1_000, 100);
        for n in 0..1_000 {
            assert_eq!(deadline.begin(n * 999), IN_TIME);
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
