//! SysTick as the beat of a loop, and as the clock that measures its ticks.
//!
//! Its interrupt only counts and triggers PendSV, which runs the loop at a lower priority. So a loop that takes too long misses no tick
//! of the count. The count of ticks and the counter together make one free-running clock.

use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::scb::SystemHandler;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m::peripheral::{SCB, SYST};
use taut::supervise::Clock;

use crate::beat::Beat;

/// Defines the entry of a firmware on SysTick and its two interrupts. Arguments: the program, its watchdog, the length of the queue for the
/// log, and the function that sets them up. The crate must depend on `cortex-m-rt`. If a HAL has its own entry attribute, give it last.
///
/// ```ignore
/// runtime::on_systick!(Program, Watchdog, 32, set_up);
/// ```
#[macro_export]
macro_rules! on_systick {
    ($program:ty, $watchdog:ty, $queue:literal, $set_up:path) => {
        $crate::on_systick!($program, $watchdog, $queue, $set_up, cortex_m_rt::entry);
    };
    ($program:ty, $watchdog:ty, $queue:literal, $set_up:path, $entry:meta) => {
        static FIRMWARE: $crate::Firmware<$crate::systick::SysTick, $program, $watchdog, $queue> =
            $crate::Firmware::new();

        #[$entry]
        fn main() -> ! {
            FIRMWARE.run($set_up)
        }

        #[cortex_m_rt::exception]
        fn SysTick() {
            $crate::systick::on_interrupt();
        }

        #[cortex_m_rt::exception]
        fn PendSV() {
            FIRMWARE.tick();
        }
    };
}

/// Releases since the start.
static TICKS: AtomicU32 = AtomicU32::new(0);

/// The beat and the clock: one count per cycle of the processor.
#[derive(Clone, Copy)]
pub struct SysTick {
    frequency: u32,
    period: u32,
}

impl SysTick {
    /// Starts the beat at `rate` ticks per second on a processor at `frequency` Hz. A tick must be a whole number of cycles and fit into the
    /// counter's 24 bits.
    pub fn start(mut counter: SYST, scb: &mut SCB, frequency: u32, rate: u32) -> Result<Self, &'static str> {
        let period = frequency.checked_div(rate).filter(|period| period * rate == frequency);
        let reload = period.and_then(|period| period.checked_sub(1)).filter(|reload| (1..1 << 24).contains(reload));
        let (Some(period), Some(reload)) = (period, reload) else {
            return Err("the clock cannot be divided down to the tick");
        };
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
        Ok(Self { frequency, period })
    }
}

impl Beat for SysTick {
    type Clock = Self;

    fn counts(&self) -> (u32, u32) {
        (self.frequency, self.period)
    }

    fn due(&mut self) -> Option<Self> {
        Some(*self)
    }
}

/// Counts a tick and triggers PendSV. Call it in the interrupt of SysTick.
pub fn on_interrupt() {
    // Nothing else writes it.
    TICKS.store(ticks().wrapping_add(1), Ordering::Relaxed);
    SCB::set_pendsv();
}

/// Releases since the start.
fn ticks() -> u32 {
    TICKS.load(Ordering::Relaxed)
}

impl Clock for SysTick {
    fn now(&mut self) -> u32 {
        loop {
            let before = ticks();
            // It counts down.
            let elapsed = (self.period - 1).wrapping_sub(SYST::get_current());
            // If a tick came in between, the count and the counter do not match: read again.
            if ticks() == before {
                return before.wrapping_mul(self.period).wrapping_add(elapsed);
            }
        }
    }
}
