//! The beat of the loop is TIMER1, of 16 bits at 1 MHz, with a compare register for the next tick. The clock of the loop is TIMER0, of 32
//! bits at 16 MHz, which needs no interrupt. So the loop finds a TIMER1 that is too fast or too slow, and a TIMER0 that stands still. Both run
//! from the same crystal: an error of that one is not found, except by the watchdog, which has a crystal of its own but no window.

use cortex_m::peripheral::NVIC;
use loops::arm::RATE;
use nrf51_hal::pac::{CLOCK, Interrupt, TIMER0, TIMER1};
use runtime::Beat;
use taut::supervise::Clock;

/// Counts of the clock per second.
pub const FREQUENCY: u32 = 16_000_000;

/// Counts of the beat's timer per tick.
const PERIOD: u16 = (1_000_000 / RATE) as u16;

/// The compare register for the next tick, and the register that captures the count.
const DUE: usize = 1;
const NOW: usize = 0;

/// A tick that is due within this many counts is skipped: it might pass before the compare register is written.
const TOO_SOON: u16 = 4;

/// The running beat.
pub struct Tick {
    timer: TIMER1,
    due: u16,
}

impl Tick {
    /// Starts the crystal, the clock and the beat.
    pub fn start(clock: &CLOCK, timer: TIMER1, counter: TIMER0) -> Self {
        // SAFETY: tasks are triggered by a one; every count is valid.
        unsafe {
            clock.tasks_hfclkstart.write(|w| w.bits(1));
            while clock.events_hfclkstarted.read().bits() == 0 {}
            counter.bitmode.write(|w| w.bitmode()._32bit());
            counter.prescaler.write(|w| w.bits(0));
            counter.tasks_clear.write(|w| w.bits(1));
            counter.tasks_start.write(|w| w.bits(1));
            timer.bitmode.write(|w| w.bitmode()._16bit());
            // 16 MHz / 2⁴.
            timer.prescaler.write(|w| w.bits(4));
            timer.cc[DUE].write(|w| w.bits(PERIOD.into()));
            timer.intenset.write(|w| w.compare1().set());
            timer.tasks_clear.write(|w| w.bits(1));
            timer.tasks_start.write(|w| w.bits(1));
        }
        Self { timer, due: PERIOD }
    }

    /// The count of the beat's timer.
    fn now(&self) -> u16 {
        // SAFETY: a task is triggered by a one.
        self.timer.tasks_capture[NOW].write(|w| unsafe { w.bits(1) });
        self.timer.cc[NOW].read().bits() as u16
    }
}

impl Beat for Tick {
    type Clock = Counter;

    fn counts(&self) -> (u32, u32) {
        (FREQUENCY, FREQUENCY / RATE)
    }

    /// Checks the count, because the emulator's timer interrupts twice for some ticks.
    fn due(&mut self) -> Option<Counter> {
        self.timer.events_compare[DUE].reset();
        // Reading back makes sure that the write reaches the timer before the interrupt ends.
        let _ = self.timer.events_compare[DUE].read();
        (self.now().wrapping_sub(self.due) < u16::MAX / 2).then_some(Counter)
    }

    fn next(&mut self) {
        let now = self.now();
        self.due = self.due.wrapping_add(PERIOD);
        let passed = now.wrapping_add(TOO_SOON).wrapping_sub(self.due);
        if passed < u16::MAX / 2 {
            let ticks = (passed / PERIOD).wrapping_add(1);
            self.due = self.due.wrapping_add(ticks.wrapping_mul(PERIOD));
        }
        // SAFETY: every count is valid.
        self.timer.cc[DUE].write(|w| unsafe { w.bits(self.due.into()) });
    }

    fn unmask() {
        // SAFETY: no critical section relies on the mask.
        unsafe { NVIC::unmask(Interrupt::TIMER1) };
    }

    fn mask() {
        NVIC::mask(Interrupt::TIMER1);
    }
}

/// The count of the clock.
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
