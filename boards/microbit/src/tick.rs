//! The beat of the loop and its clock: TIMER0, free-running at 16 MHz, with a compare register for the next tick.

use cortex_m::peripheral::NVIC;
use nrf51_hal::pac::{CLOCK, Interrupt, TIMER0};
use runtime::Beat;
use taut::supervise::Clock;

/// Counts of the clock per second.
pub const FREQUENCY: u32 = 16_000_000;

/// The compare register for the next tick, and the register that captures the count.
const DUE: usize = 1;
const NOW: usize = 0;

/// A tick that is due within this many counts is skipped: it might pass before the compare register is written.
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
}

impl Beat for Tick {
    type Clock = Counter;

    fn counts(&self) -> (u32, u32) {
        (FREQUENCY, self.period)
    }

    /// Checks the count, because the emulator's timer interrupts twice for some ticks.
    fn due(&mut self) -> Option<Counter> {
        self.timer.events_compare[DUE].reset();
        // Reading back makes sure that the write reaches the timer before the interrupt ends.
        let _ = self.timer.events_compare[DUE].read();
        (Counter.now().wrapping_sub(self.due) < u32::MAX / 2).then_some(Counter)
    }

    fn next(&mut self) {
        let now = Counter.now();
        self.due = self.due.wrapping_add(self.period);
        let passed = now.wrapping_add(TOO_SOON).wrapping_sub(self.due);
        if passed < u32::MAX / 2 {
            let ticks = passed.checked_div(self.period).unwrap_or(0).wrapping_add(1);
            self.due = self.due.wrapping_add(ticks.wrapping_mul(self.period));
        }
        // SAFETY: every count is valid.
        self.timer.cc[DUE].write(|w| unsafe { w.bits(self.due) });
    }

    fn unmask() {
        // SAFETY: no critical section relies on the mask.
        unsafe { NVIC::unmask(Interrupt::TIMER0) };
    }

    fn mask() {
        NVIC::mask(Interrupt::TIMER0);
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
