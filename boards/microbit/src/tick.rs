//! The beat of the loop and its clock: TIMER0, which runs freely at 16 MHz, and whose compare register says when the next tick is due.

use nrf51_hal::pac::{CLOCK, TIMER0};
use taut::control::supervisor::Clock;

/// Counts of the clock a second.
pub const FREQUENCY: u32 = 16_000_000;

/// The register that says when the next tick is due, and the one that takes the count.
const DUE: usize = 1;
const NOW: usize = 0;

/// A tick that is due within so many counts is not waited for: it might pass before it is noted.
const TOO_SOON: u32 = 64;

/// The running beat.
pub struct Tick {
    timer: TIMER0,
    due: u32,
    period: u32,
}

impl Tick {
    /// Starts the crystal and the beat.
    pub fn start(clock: &CLOCK, timer: TIMER0, period: u32) -> Self {
        // SAFETY: tasks are triggered by a one; every count is valid.
        unsafe {
            clock.tasks_hfclkstart.write(|w| w.bits(1));
            while clock.events_hfclkstarted.read().bits() == 0 {}
            timer.bitmode.write(|w| w.bitmode()._32bit());
            timer.prescaler.write(|w| w.bits(0));
            timer.cc[DUE].write(|w| w.bits(period));
            timer.intenset.write(|w| w.compare1().set());
            timer.tasks_clear.write(|w| w.bits(1));
            timer.tasks_start.write(|w| w.bits(1));
        }
        Self { timer, due: period, period }
    }

    /// The clock.
    pub fn clock(&self) -> Counter {
        Counter
    }

    /// Takes note of the interrupt, before anything else is done in it; whether a tick is due. The emulator's timer asks twice for some.
    pub fn is_due(&self) -> bool {
        self.timer.events_compare[DUE].reset();
        // The write reaches the timer before the interrupt ends.
        let _ = self.timer.events_compare[DUE].read();
        self.clock().now().wrapping_sub(self.due) < u32::MAX / 2
    }

    /// Waits for the next tick from now on: those that have passed meanwhile are not made up for.
    pub fn next(&mut self) {
        let now = self.clock().now();
        self.due = self.due.wrapping_add(self.period);
        let passed = now.wrapping_add(TOO_SOON).wrapping_sub(self.due);
        if passed < u32::MAX / 2 {
            let ticks = passed.checked_div(self.period).unwrap_or(0).wrapping_add(1);
            self.due = self.due.wrapping_add(ticks.wrapping_mul(self.period));
        }
        // SAFETY: every count is valid.
        self.timer.cc[DUE].write(|w| unsafe { w.bits(self.due) });
    }
}

/// The count of the beat's timer.
#[derive(Clone, Copy)]
pub struct Counter;

impl Clock for Counter {
    fn now(&mut self) -> u32 {
        // SAFETY: only the loop, which is never interrupted by another reader, takes the count this way.
        let timer = unsafe { &*TIMER0::ptr() };
        // SAFETY: a task is triggered by a one.
        timer.tasks_capture[NOW].write(|w| unsafe { w.bits(1) });
        timer.cc[NOW].read().bits()
    }
}
