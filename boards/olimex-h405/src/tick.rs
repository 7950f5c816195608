//! The beat of the loop: SysTick's interrupt, and a wait that sleeps until the next one.

use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::SYST;
use cortex_m_rt::exception;
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::Clocks;
use stm32f4xx_hal::timer::{SysCounterHz, SysEvent};

/// Ticks since the start.
static TICKS: AtomicU32 = AtomicU32::new(0);

defmt::timestamp!("{=u32:ms}", TICKS.load(Ordering::Relaxed));

#[exception]
fn SysTick() {
    TICKS.fetch_add(1, Ordering::Relaxed);
}

/// A running tick.
pub struct Tick {
    /// Keeps the counter from being used elsewhere.
    _counter: SysCounterHz,
    seen: u32,
    missed: u32,
}

impl Tick {
    /// Starts the tick at `rate` Hz; `None` if the core's clock is too fast or too slow for that.
    pub fn start(systick: SYST, clocks: &Clocks, rate: u16) -> Option<Self> {
        let mut counter = systick.counter_hz(clocks);
        counter.start(u32::from(rate).Hz()).ok()?;
        counter.listen(SysEvent::Update);
        Some(Self { _counter: counter, seen: TICKS.load(Ordering::Relaxed), missed: 0 })
    }

    /// Sleeps until the next tick. A tick that has passed already is not waited for.
    pub fn wait(&mut self) {
        loop {
            // The core wakes from wfi by a pending interrupt although it is masked. Unmasked, a tick between the
            // question and the sleep would be slept through.
            let ticks = cortex_m::interrupt::free(|_| {
                let ticks = TICKS.load(Ordering::Relaxed);
                if ticks == self.seen {
                    cortex_m::asm::wfi();
                }
                ticks
            });
            let passed = ticks.wrapping_sub(self.seen);
            if passed > 0 {
                self.missed = self.missed.saturating_add(passed - 1);
                self.seen = ticks;
                return;
            }
        }
    }

    /// Ticks that passed while the loop was still busy with the one before.
    pub fn missed(&self) -> u32 {
        self.missed
    }
}
