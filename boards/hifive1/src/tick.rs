//! The beat of the loop: the machine timer at 32,768 Hz. The tick n is due at its first count from n periods on, so that the rate is
//! exact and no tick is early; one is late by a count at most, 31 µs.
//!
//! The clock of the loop is that of the beat as well, with the processor's cycles in between: a tick knows by the timer how late it
//! is, and by the cycles how long it takes.

use core::num::NonZero;

use e310x::CLINT;
use riscv::register::mcycle;
use taut::control::supervisor::Clock;

use crate::platform::FREQUENCY;

/// Counts of the machine timer a second.
const TIMER_FREQUENCY: u64 = 32_768;

/// The running beat.
pub struct Tick {
    rate: NonZero<u64>,
    /// When it was started, and now: counts of the timer.
    begun: u64,
    time: u64,
    /// The next tick, from one on.
    due: u64,
}

impl Tick {
    /// Starts the beat, `rate` ticks a second.
    pub fn start(rate: NonZero<u64>) -> Self {
        let time = CLINT::mtimer().mtime.read();
        let tick = Self { rate, begun: time, time, due: 1 };
        CLINT::mtimer().mtimecmp0.write(tick.count_of(tick.due));
        tick
    }

    /// The clock at the beginning of a tick; `None` if none is due.
    pub fn clock(&mut self) -> Option<Counter> {
        let entered = cycles();
        let late = self.now().checked_sub(self.count_of(self.due))?;
        let since = self.due * u64::from(FREQUENCY) / self.rate + late * u64::from(FREQUENCY) / TIMER_FREQUENCY;
        Some(Counter { base: since as u32, entered })
    }

    /// Waits for the next tick from now on: those that have passed meanwhile are not made up for.
    pub fn next(&mut self) {
        let passed = (self.now() - self.begun) * self.rate.get() / TIMER_FREQUENCY;
        self.due = (self.due + 1).max(passed + 1);
        CLINT::mtimer().mtimecmp0.write(self.count_of(self.due));
    }

    /// The timer's first count from a number of periods on.
    fn count_of(&self, tick: u64) -> u64 {
        self.begun + (tick * TIMER_FREQUENCY + self.rate.get() - 1) / self.rate
    }

    /// The timer's count: its lower half, and how often that has turned over.
    fn now(&mut self) -> u64 {
        // SAFETY: the lower half of a register of the timer, which is read at once.
        let low = unsafe { CLINT::mtimer().mtime.get_ptr().cast::<u32>().read_volatile() };
        self.time += u64::from(low.wrapping_sub(self.time as u32));
        self.time
    }
}

/// A clock that has run since the beginning of a tick.
#[derive(Clone, Copy)]
pub struct Counter {
    base: u32,
    entered: u32,
}

impl Clock for Counter {
    fn now(&mut self) -> u32 {
        self.base.wrapping_add(cycles().wrapping_sub(self.entered))
    }
}

/// The lower half of the processor's count of cycles.
fn cycles() -> u32 {
    mcycle::read() as u32
}
