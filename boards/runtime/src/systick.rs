//! SysTick as the beat of a loop, and as the clock that it measures itself with.
//!
//! Its interrupt only counts and asks for PendSV, in which the loop runs: of lower priority, so that a loop that takes too long loses
//! no tick. The count of ticks and the counter make one clock that runs freely.

use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::scb::SystemHandler;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m::peripheral::{SCB, SYST};
use taut::control::supervisor::Clock;

/// Releases since the start.
static TICKS: AtomicU32 = AtomicU32::new(0);

/// The beat, and the clock: a count for each cycle of the processor.
#[derive(Clone, Copy)]
pub struct SysTick {
    period: u32,
}

impl SysTick {
    /// Starts the beat at `rate` ticks a second of a processor at `clock` Hz; `None` if the counter's 24 bits do not hold that, or a
    /// tick is no whole number of cycles.
    pub fn start(mut counter: SYST, scb: &mut SCB, clock: u32, rate: u32) -> Option<Self> {
        let period = clock.checked_div(rate).filter(|period| period * rate == clock)?;
        let reload = period.checked_sub(1).filter(|reload| (1..1 << 24).contains(reload))?;
        // SAFETY: no critical section relies on priorities.
        unsafe {
            scb.set_priority(SystemHandler::SysTick, 0x00);
            scb.set_priority(SystemHandler::PendSV, 0xff);
        }
        counter.set_clock_source(SystClkSource::Core);
        counter.set_reload(reload);
        counter.clear_current();
        counter.enable_interrupt();
        counter.enable_counter();
        Some(Self { period })
    }

    /// Counts of the clock in a tick.
    pub fn period(&self) -> u32 {
        self.period
    }
}

/// What the interrupt of SysTick does.
pub fn on_interrupt() {
    // Nothing else writes it.
    TICKS.store(ticks().wrapping_add(1), Ordering::Relaxed);
    SCB::set_pendsv();
}

/// Releases since the start.
pub fn ticks() -> u32 {
    TICKS.load(Ordering::Relaxed)
}

impl Clock for SysTick {
    fn now(&mut self) -> u32 {
        loop {
            let before = ticks();
            // It counts down.
            let elapsed = (self.period - 1).wrapping_sub(SYST::get_current());
            // If a tick came in between, one of the two is of the next.
            if ticks() == before {
                return before.wrapping_mul(self.period).wrapping_add(elapsed);
            }
        }
    }
}
