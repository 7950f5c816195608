//! The beat of the loop: the machine timer at 32,768 Hz. Tick n is due at the first count of the timer after n periods, so the mean rate is
//! exact, and a tick is late by at most one count, 31 µs.
//!
//! The clock of the loop is the processor's cycle counter, which has another crystal than the timer and needs no interrupt. So the loop finds
//! a timer that is too fast or too slow, and a cycle counter that stands still.

use e310x::CLINT;
use loops::arm::RATE;
use riscv::register::mcycle;
use runtime::Beat;
use taut::supervise::Clock;

/// The processor's cycles per second. QEMU counts nanoseconds as cycles.
const FREQUENCY: u32 = if cfg!(feature = "hardware") { 320_000_000 } else { 1_000_000_000 };

/// Cycles per tick.
pub const PERIOD: u32 = FREQUENCY / RATE;

/// Counts of the machine timer per second.
const TIMER_FREQUENCY: u64 = 32_768;

/// The running beat.
pub struct Tick {
    /// The counts of the timer at the start and now.
    begun: u64,
    time: u64,
    /// The number of the next tick; the first is 1.
    due: u64,
}

impl Tick {
    /// Starts the beat.
    pub fn start() -> Self {
        let time = CLINT::mtimer().mtime.read();
        let tick = Self { begun: time, time, due: 1 };
        CLINT::mtimer().mtimecmp0.write(tick.count_of(tick.due));
        tick
    }

    /// The timer's first count after `tick` periods.
    fn count_of(&self, tick: u64) -> u64 {
        self.begun + (tick * TIMER_FREQUENCY).div_ceil(u64::from(RATE))
    }

    /// The timer's count in 64 bits, from its lower half and the last count.
    fn now(&mut self) -> u64 {
        // SAFETY: reads the lower half of the timer's register in one access.
        let low = unsafe { CLINT::mtimer().mtime.get_ptr().cast::<u32>().read_volatile() };
        self.time += u64::from(low.wrapping_sub(self.time as u32));
        self.time
    }
}

impl Beat for Tick {
    type Clock = Counter;

    fn counts(&self) -> (u32, u32) {
        (FREQUENCY, PERIOD)
    }

    fn due(&mut self) -> Option<Counter> {
        (self.now() >= self.count_of(self.due)).then_some(Counter)
    }

    fn next(&mut self) {
        let passed = (self.now() - self.begun) * u64::from(RATE) / TIMER_FREQUENCY;
        self.due = (self.due + 1).max(passed + 1);
        CLINT::mtimer().mtimecmp0.write(self.count_of(self.due));
    }

    fn unmask() {
        // SAFETY: everything that the interrupt needs is in place.
        unsafe {
            CLINT::mtimer_enable();
            riscv::interrupt::enable();
        }
    }

    fn mask() {
        CLINT::mtimer_disable();
    }
}

/// The lower half of the processor's cycle counter.
#[derive(Clone, Copy)]
pub struct Counter;

impl Clock for Counter {
    fn now(&mut self) -> u32 {
        mcycle::read() as u32
    }
}
