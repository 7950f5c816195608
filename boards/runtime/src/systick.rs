//! SysTick as the beat of a loop, and the processor's cycle counter as the clock that measures its ticks.
//!
//! The interrupt of SysTick only counts and triggers PendSV, which runs the loop at a lower priority. So a loop that takes too long misses
//! no tick.
//!
//! The clock is the cycle counter of the DWT, if the chip has one that counts: Cortex-M3, M4, M7 and M33. It needs no interrupt, so it
//! shows a SysTick that is too fast, too slow or lost. Both run from the processor's clock: an error of that clock is not found, except
//! by a watchdog with an oscillator of its own.
//!
//! On a Cortex-M0 and in the emulator, which have no such counter, the clock is the count of ticks and the counter of SysTick. It shows
//! ticks that are late. It does **not** show a SysTick that is too fast, and a SysTick that stops is found only by the watchdog.

use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::scb::SystemHandler;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m::peripheral::{SCB, SYST};
use taut::supervise::Clock;

use crate::beat::Beat;

/// Defines the entry of a firmware on SysTick, its two interrupts, and the handlers of faults. Arguments: the program, its watchdog, the
/// length of the queue for the log, the function that sets them up, and the function that switches the motors off after a fault or a panic
/// ([`Firmware::run`](crate::Firmware::run)). The crate must depend on `cortex-m-rt`. If a HAL has its own entry attribute, give it last.
///
/// ```ignore
/// runtime::on_systick!(Program, Watchdog, 32, set_up, switch_off);
/// ```
#[macro_export]
macro_rules! on_systick {
    ($program:ty, $watchdog:ty, $queue:literal, $set_up:path, $switch_off:path) => {
        $crate::on_systick!($program, $watchdog, $queue, $set_up, $switch_off, cortex_m_rt::entry);
    };
    ($program:ty, $watchdog:ty, $queue:literal, $set_up:path, $switch_off:path, $entry:meta) => {
        static FIRMWARE: $crate::Firmware<$crate::systick::SysTick, $program, $watchdog, $queue> =
            $crate::Firmware::new();

        #[$entry]
        fn main() -> ! {
            FIRMWARE.run($switch_off, $set_up)
        }

        #[cortex_m_rt::exception]
        fn SysTick() {
            $crate::systick::on_interrupt();
        }

        #[cortex_m_rt::exception]
        fn PendSV() {
            FIRMWARE.tick();
        }

        $crate::on_fault!();
    };
}

/// Defines the handlers of hard faults and of interrupts that nothing expects: they [`crash`](crate::crash). [`on_systick`](crate::on_systick)
/// includes them. The crate must depend on `cortex-m-rt`.
#[macro_export]
macro_rules! on_fault {
    () => {
        // SAFETY: the handler writes registers and never returns to what it interrupted.
        #[cortex_m_rt::exception]
        unsafe fn HardFault(frame: &cortex_m_rt::ExceptionFrame) -> ! {
            $crate::crash("hard fault", frame.pc())
        }

        // SAFETY: the handler writes registers and never returns to what it interrupted.
        #[cortex_m_rt::exception]
        unsafe fn DefaultHandler(number: i16) -> ! {
            $crate::crash("unexpected interrupt", number as u32)
        }
    };
}

/// Registers of the debug and trace unit (ARMv7-M Architecture Reference Manual, C1.6.5 and C1.8). `cortex-m` has no cycle counter for a
/// Cortex-M0, and this file is for both.
const DEMCR: *mut u32 = 0xe000_edfc as *mut u32;
const TRCENA: u32 = 1 << 24;
const DWT_CTRL: *mut u32 = 0xe000_1000 as *mut u32;
const CYCCNTENA: u32 = 1;
const DWT_CYCCNT: *const u32 = 0xe000_1004 as *const u32;
/// The lock of some Cortex-M7, and its key.
const DWT_LAR: *mut u32 = 0xe000_1fb0 as *mut u32;
const KEY: u32 = 0xc5ac_ce55;

/// Starts the cycle counter. Returns whether it counts.
fn start_cycles() -> bool {
    // SAFETY: the registers are there, or read zero; nothing else uses the counter.
    unsafe {
        DEMCR.write_volatile(DEMCR.read_volatile() | TRCENA);
        DWT_LAR.write_volatile(KEY);
        DWT_CTRL.write_volatile(DWT_CTRL.read_volatile() | CYCCNTENA);
    }
    let before = cycles();
    cortex_m::asm::delay(16);
    cycles() != before
}

/// The cycle counter.
fn cycles() -> u32 {
    // SAFETY: reads a register.
    unsafe { DWT_CYCCNT.read_volatile() }
}

/// Releases since the start.
static TICKS: AtomicU32 = AtomicU32::new(0);

/// The beat and the clock: one count per cycle of the processor.
#[derive(Clone, Copy)]
pub struct SysTick {
    frequency: u32,
    period: u32,
    /// Whether the clock is the cycle counter.
    has_cycles: bool,
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
        let has_cycles = start_cycles();
        #[cfg(not(feature = "emulated"))]
        if !has_cycles {
            defmt::warn!("no cycle counter: a SysTick that is too fast is not found");
        }
        Ok(Self { frequency, period, has_cycles })
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
        if self.has_cycles {
            return cycles();
        }
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
